// expects: feature
// jars: jcommander
import com.beust.jcommander.*;

public class Jcommander {
    public static void main(String[] args) throws Exception {
        Jcommander options = new Jcommander();
        JCommander.newBuilder().addObject(options).build().parse("--size", "3");
        System.out.println(options.size);
    }

    @Parameter(names = "--size", converter = Size.class) Integer size;

    public static class Size implements IStringConverter<Integer> {
        @Override public Integer convert(String text) { return Integer.parseInt(text); }
    }
}
