// expects: feature (method handle)
package method_handle;

import java.lang.invoke.*;

public class Main {
    public static void main(String[] args) throws Throwable {
        MethodHandle handle = MethodHandles.lookup().findStatic(Main.class, "target", MethodType.methodType(void.class));
        handle.invoke();
    }

    static void target() { System.out.println("reached"); }
}
