// expects: sound
// jars: gson
import com.google.gson.*;

public class GsonTree {
    public static void main(String[] args) throws Exception {
        JsonObject tree = JsonParser.parseString("{\"a\":[1,2.5,true,null]}").getAsJsonObject();
        tree.addProperty("b", "text");
        System.out.println(tree.getAsJsonArray("a").size() + tree.toString());
    }
}
