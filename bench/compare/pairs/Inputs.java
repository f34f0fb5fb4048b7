import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Inputs of the pairs: read from texts, drawn at random, and shown. Texts and arrays have up to four elements. */
final class Inputs {
    private static final int[] INTS = {0, 1, -1, 2, 3, 7, 8, 10, 100, 127, 128, -128, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE};
    private static final double[] DOUBLES = {
        0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 3.0, 1e10, 1e16, 1e300, Double.MAX_VALUE, Double.MIN_VALUE, Double.NaN,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
    };
    private static final String LETTERS = "abaeixyzAZ019 ,./+-@`\u0000\u00e9";
    private static final String[] WORDS = {"yes", "low", "mid", "high", "12", "007", "a,b", "x", "abba"};

    private Inputs() {}

    static Object[] parse(Method method, String text) {
        Type[] types = method.getGenericParameterTypes();
        String[] parts = text.split("; ");
        Object[] inputs = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            inputs[i] = parse(types[i], parts[i].trim());
        }
        return inputs;
    }

    /** Numbers for loops are mostly small, since each of them is how often a loop runs. */
    static Object[] random(Method method, Random random) {
        if (method.getDeclaringClass().getSimpleName().equals("Loops") && random.nextInt(10_000) > 0) {
            return random.ints(method.getParameterCount(), -20, 400).boxed().toArray();
        }
        return Arrays.stream(method.getGenericParameterTypes()).map(type -> random(type, random)).toArray();
    }

    static String show(Object value) {
        if (value == null) {
            return "null";
        } else if (value instanceof String) {
            return '"' + value.toString().replace("\u0000", "\\u0000").replace("\n", "\\n") + '"';
        } else if (value instanceof Collection) {
            return show(((Collection<?>) value).toArray());
        } else if (value.getClass().isArray()) {
            List<String> shown = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                shown.add(show(Array.get(value, i)));
            }
            return shown.toString();
        }
        return value.toString();
    }

    private static Object parse(Type type, String text) {
        if (text.equals("null")) {
            return null;
        } else if (type == int.class || type == Integer.class) {
            return Integer.parseInt(text);
        } else if (type == double.class) {
            return Double.parseDouble(text);
        } else if (type == float.class) {
            return Float.parseFloat(text);
        } else if (type == char.class) {
            return unescaped(text).charAt(0);
        } else if (type == String.class) {
            return unescaped(text);
        }
        String inner = text.substring(1, text.length() - 1);
        String[] parts = inner.isEmpty() ? new String[0] : inner.split(", ");
        if (text.startsWith("{")) {
            return map(parts);
        }
        List<Object> elements = new ArrayList<>();
        for (String part : parts) {
            elements.add(parse(element(type), part));
        }
        return gathered(type, elements);
    }

    private static Map<String, Integer> map(String[] parts) {
        Map<String, Integer> map = new HashMap<>();
        for (String part : parts) {
            String[] entry = part.split("=");
            map.put(entry[0], (Integer) parse(Integer.class, entry[1]));
        }
        return map;
    }

    private static String unescaped(String quoted) {
        String inner = quoted.substring(1, quoted.length() - 1);
        return inner.startsWith("\\u") ? String.valueOf((char) Integer.parseInt(inner.substring(2), 16)) : inner;
    }

    private static Type element(Type type) {
        return type instanceof Class ? ((Class<?>) type).getComponentType() : ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    private static Object gathered(Type type, List<Object> elements) {
        if (!(type instanceof Class)) {
            return elements;
        }
        Object array = Array.newInstance(((Class<?>) type).getComponentType(), elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    private static Object random(Type type, Random random) {
        if (type == int.class) {
            return randomInt(random);
        } else if (type == byte.class) {
            return (byte) random.nextInt();
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == double.class) {
            return randomDouble(random);
        } else if (type == float.class) {
            return random.nextBoolean() ? (float) randomDouble(random) : Float.intBitsToFloat(random.nextInt());
        } else if (type == char.class) {
            return random.nextInt(20) == 0 ? (char) random.nextInt() : LETTERS.charAt(random.nextInt(LETTERS.length()));
        } else if (random.nextInt(12) == 0) {
            return null;
        } else if (type == Integer.class) {
            return randomInt(random);
        } else if (type == String.class) {
            return randomText(random);
        } else if (type.getTypeName().startsWith("java.util.Map")) {
            return randomMap(random);
        }
        List<Object> elements = new ArrayList<>();
        for (int count = random.nextInt(5); count > 0; count--) {
            elements.add(random(element(type), random));
        }
        return gathered(type, elements);
    }

    private static int randomInt(Random random) {
        switch (random.nextInt(4)) {
            case 0:
                return INTS[random.nextInt(INTS.length)];
            case 1:
                return random.nextInt();
            default:
                return random.nextInt(60) - 20;
        }
    }

    private static double randomDouble(Random random) {
        switch (random.nextInt(4)) {
            case 0:
                return DOUBLES[random.nextInt(DOUBLES.length)];
            case 1:
                return Double.longBitsToDouble(random.nextLong());
            case 2:
                return random.nextInt(2001) - 1000;
            default:
                return random.nextGaussian() * 100;
        }
    }

    private static String randomText(Random random) {
        if (random.nextInt(3) == 0) {
            return WORDS[random.nextInt(WORDS.length)];
        }
        StringBuilder text = new StringBuilder();
        for (int count = random.nextInt(5); count > 0; count--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static Map<String, Integer> randomMap(Random random) {
        Map<String, Integer> map = new HashMap<>();
        for (int count = random.nextInt(5); count > 0; count--) {
            map.put(randomText(random), (Integer) random(Integer.class, random));
        }
        return map;
    }
}
