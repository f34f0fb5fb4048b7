// A map of enums requests all constants.
// needs: the whole library
// weakness: no-enum-values
// loses: EnumMaps$Colour.values:()[LEnumMaps$Colour; EnumMaps$Colour$1.paint:()V EnumMaps$Colour$2.paint:()V
import java.util.*;
public class EnumMaps {
    public static void main(String[] arguments) {
        EnumMap<Colour, String> map = new EnumMap<>(Colour.class);
        map.put(Colour.RED, "red");
        map.put(Colour.BLUE, "blue");
        for (Map.Entry<Colour, String> entry : map.entrySet()) entry.getKey().paint();
    }
    enum Colour {
        RED { void paint() {} },
        BLUE { void paint() {} };
        abstract void paint();
    }
}
