// expects: sound
// jars: asm
import org.objectweb.asm.*;

public class Asm {
    public static void main(String[] args) throws Exception {
        ClassReader reader = new ClassReader(Asm.class.getResourceAsStream("Asm.class"));
        reader.accept(new ClassVisitor(Opcodes.ASM9) {
            @Override public MethodVisitor visitMethod(int access, String name, String type, String generic, String[] thrown) {
                System.out.println(name);
                return null;
            }
        }, 0);
    }
}
