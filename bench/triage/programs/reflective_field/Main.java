// expects: feature (Method.invoke)
package reflective_field;

public class Main {
    public String title = "getTitle";

    public String getTitle() { return title; }

    public static void main(String[] args) throws Exception {
        Main bean = new Main();
        Object name = Main.class.getField("title").get(bean);
        System.out.println(Main.class.getMethod((String) name).invoke(bean));
    }
}
