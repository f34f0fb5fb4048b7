// expects: sound
// jars: commons-cli
import org.apache.commons.cli.*;

public class CommonsCli {
    public static void main(String[] args) throws Exception {
        Options options = new Options().addOption("v", "verbose", false, "say more").addOption("o", true, "output");
        CommandLine line = new DefaultParser().parse(options, new String[] { "-v", "-o", "file", "rest" });
        System.out.println(line.hasOption("verbose") + line.getOptionValue("o") + line.getArgList());
    }
}
