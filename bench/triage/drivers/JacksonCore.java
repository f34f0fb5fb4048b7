// expects: sound
// jars: jackson-core
import com.fasterxml.jackson.core.*;

public class JacksonCore {
    public static void main(String[] args) throws Exception {
        JsonParser parser = new JsonFactory().createParser("{\"a\":[1,2.5,true,null]}");
        int tokens = 0;
        while (parser.nextToken() != null) tokens++;
        System.out.println(tokens);
    }
}
