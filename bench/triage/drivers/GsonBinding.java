// expects: feature
// jars: gson
import com.google.gson.*;
import com.google.gson.annotations.*;

public class GsonBinding {
    public static void main(String[] args) throws Exception {
        Point point = new Gson().fromJson("{\"x\":1,\"name\":\"p\"}", Point.class);
        System.out.println(point.x + point.name);
    }

    static class Point {
        int x;
        String name;
        Point() { x = -1; }
    }
}
