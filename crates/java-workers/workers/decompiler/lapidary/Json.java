package lapidary;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The part of JSON that the worker protocol needs: objects, arrays, strings and whole numbers. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Parses a text to maps, lists, strings, longs, booleans and null. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        if (json.peek() != '\0') {
            throw json.unexpected();
        }
        return value;
    }

    static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(separator);
                quote(entry.getKey().toString(), out);
                out.append(':');
                write(entry.getValue(), out);
                separator = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof String string) {
            quote(string, out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) replaceLone(string, i)));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /**
     * Replaces an unpaired surrogate, which names in class files may hold but JSON readers reject.
     */
    private static char replaceLone(String string, int i) {
        char c = string.charAt(i);
        boolean paired = Character.isHighSurrogate(c)
                ? i + 1 < string.length() && Character.isLowSurrogate(string.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(string.charAt(i - 1));
        return Character.isSurrogate(c) && !paired ? '\uFFFD' : c;
    }

    private Object value() {
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> result = new LinkedHashMap<>();
        expect('{');
        while (peek() != '}') {
            String key = string();
            expect(':');
            result.put(key, value());
            if (peek() != '}') {
                expect(',');
            }
        }
        expect('}');
        return result;
    }

    private List<Object> array() {
        List<Object> result = new ArrayList<>();
        expect('[');
        while (peek() != ']') {
            result.add(value());
            if (peek() != ']') {
                expect(',');
            }
        }
        expect(']');
        return result;
    }

    private String string() {
        expect('"');
        StringBuilder result = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            result.append(c == '\\' ? escape(next()) : c);
        }
        return result.toString();
    }

    private char escape(char c) {
        switch (c) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'u':
                at += 4;
                if (at > text.length()) {
                    throw unexpected();
                }
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default:
                return c;
        }
    }

    private Object word(String word, Object meaning) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
        return meaning;
    }

    private Long number() {
        int start = at;
        while (at < text.length() && "+-0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return Long.valueOf(text.substring(start, at));
    }

    /** The next character that is not a space, or NUL at the end. */
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private char next() {
        if (at >= text.length()) {
            throw unexpected();
        }
        return text.charAt(at++);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private IllegalArgumentException unexpected() {
        return new IllegalArgumentException("not JSON at character " + at);
    }
}
