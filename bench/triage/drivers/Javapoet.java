// expects: sound
// jars: javapoet
import com.squareup.javapoet.*;

public class Javapoet {
    public static void main(String[] args) throws Exception {
        TypeSpec type = TypeSpec.classBuilder("Made").addMethod(MethodSpec.methodBuilder("run").addStatement("$T.out.println($S)", System.class, "x").build()).build();
        System.out.println(JavaFile.builder("pkg", type).build());
    }
}
