// expects: bug no-enum-values (call-back)
package enum_values;

import java.util.*;

public class Main {
    enum Day { MONDAY, TUESDAY }

    public static void main(String[] args) { System.out.println(EnumSet.allOf(Day.class).size()); }
}
