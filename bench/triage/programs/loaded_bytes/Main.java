// expects: feature (loaded at run time)
package loaded_bytes;

public class Main {
    static class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes = java.util.Base64.getDecoder().decode(CODE);
        ((Runnable) new Loader().define(bytes).getConstructor().newInstance()).run();
    }

    // The class file of a Runnable that prints a word.
    static final String CODE = "yv66vgAAADcAGwoAAgADBwAEDAAFAAYBABBqYXZhL2xhbmcvT2JqZWN0AQAGPGluaXQ+AQADKClWCQAIAAkHAAoMAAsADAEAEGph"
        + "dmEvbGFuZy9TeXN0ZW0BAANvdXQBABVMamF2YS9pby9QcmludFN0cmVhbTsIAA4BAAdwbHVnZ2VkCgAQABEHABIMABMAFAEAE2ph"
        + "dmEvaW8vUHJpbnRTdHJlYW0BAAdwcmludGxuAQAVKExqYXZhL2xhbmcvU3RyaW5nOylWBwAWAQAGUGx1Z2luBwAYAQASamF2YS9s"
        + "YW5nL1J1bm5hYmxlAQAEQ29kZQEAA3J1bgAhABUAAgABABcAAAACAAEABQAGAAEAGQAAABEAAQABAAAABSq3AAGxAAAAAAABABoA"
        + "BgABABkAAAAVAAIAAQAAAAmyAAcSDbYAD7EAAAAAAAA=";
}
