// expects: feature (Method.invoke)
package bean_properties;

import java.beans.*;

public class Main {
    public int getSize() { return 3; }

    public static void main(String[] args) throws Exception {
        for (PropertyDescriptor property : Introspector.getBeanInfo(Main.class, Object.class).getPropertyDescriptors()) {
            System.out.println(property.getName() + " " + property.getReadMethod().invoke(new Main()));
        }
    }
}
