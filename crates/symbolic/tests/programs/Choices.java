import java.util.ArrayList;
import java.util.List;
import lapidary.Symbolic;

/** Choices and symbols that a program itself requests. */
public class Choices {
    static int huge() {
        return Symbolic.selectState(400_000_000);
    }

    static String pick(int ignored) {
        List<String> names = new ArrayList<>(List.of("ada", "bob"));
        String name = Symbolic.getArgument(names);
        if (Symbolic.randomChoice()) {
            name += "!";
        }
        int more = Symbolic.newInt();
        Symbolic.assume(more > 5);
        return more == 7 ? name + more : name + Symbolic.selectState(2);
    }
}
