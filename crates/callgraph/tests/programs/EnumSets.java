// A set of all constants of an enum is made from its class alone.
// needs: the whole library
// weakness: no-enum-values
// loses: EnumSets$Day.<clinit>:()V EnumSets$Day.<init>:(Ljava/lang/String;I)V EnumSets$Day.values:()[LEnumSets$Day; EnumSets$Day.$values:()[LEnumSets$Day;
import java.util.*;
public class EnumSets {
    public static void main(String[] arguments) {
        System.out.println(EnumSet.allOf(Day.class).size());
    }
    enum Day { MONDAY, TUESDAY }
}
