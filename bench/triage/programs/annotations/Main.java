// expects: feature (Method.invoke)
package annotations;

import java.lang.annotation.*;
import java.lang.reflect.*;

public class Main {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Test { }

    @Test public static void first() { System.out.println("first"); }

    public static void main(String[] args) throws Exception {
        for (Method method : Main.class.getMethods()) {
            if (method.isAnnotationPresent(Test.class)) method.invoke(null);
        }
    }
}
