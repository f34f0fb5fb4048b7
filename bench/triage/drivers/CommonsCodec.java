// expects: sound
// jars: commons-codec
import org.apache.commons.codec.binary.*;
import org.apache.commons.codec.language.*;

public class CommonsCodec {
    public static void main(String[] args) throws Exception {
        System.out.println(Hex.encodeHexString("text".getBytes()) + new Soundex().encode("Robert") + Base32.class.getSimpleName());
        System.out.println(new String(new Base32().encode("text".getBytes())) + new Metaphone().encode("Thompson"));
    }
}
