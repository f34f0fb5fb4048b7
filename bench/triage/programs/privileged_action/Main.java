// expects: bug no-privileged-actions (privileged action)
package privileged_action;

import java.security.*;

public class Main {
    static class Action implements PrivilegedAction<String> {
        @Override public String run() { return "privileged"; }
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) { System.out.println(AccessController.doPrivileged(new Action())); }
}
