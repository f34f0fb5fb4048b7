// expects: feature
// jars: args4j
import org.kohsuke.args4j.*;

public class Args4j {
    public static void main(String[] args) throws Exception {
        Args4j options = new Args4j();
        new CmdLineParser(options).parseArgument("-n", "4");
    }

    @Option(name = "-n") public void number(int number) { System.out.println(number);
    }
}
