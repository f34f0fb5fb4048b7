package lapidary.verifier;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of input: the plain path of a candidate, or a flat JSON object with a `candidate` and
 * possibly an `id`.
 *
 * The answer has the form of the request.
 */
record Request(String candidate, String id) {
    private static final Pattern CANDIDATE = Pattern.compile("\"candidate\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*(-?\\d+|\"(?:[^\"\\\\]|\\\\.)*\")");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

    /** Parses a request. The candidate is null if a JSON object names none. */
    static Request parse(String line) {
        if (!line.startsWith("{")) {
            return new Request(line, null);
        }
        Matcher id = ID.matcher(line);
        Matcher candidate = CANDIDATE.matcher(line);
        return new Request(candidate.find() ? unescape(candidate.group(1)) : null, id.find() ? id.group(1) : "null");
    }

    String answer(int exitCode, String text) {
        return id == null
                ? text
                : "{\"id\":" + id + ",\"exit\":" + exitCode + ",\"stdout\":" + quote(text) + "}\n";
    }

    private static String unescape(String escaped) {
        return ESCAPE.matcher(escaped).replaceAll(escape -> Matcher.quoteReplacement(character(escape.group(1))));
    }

    private static String character(String escape) {
        return switch (escape.charAt(0)) {
            case 'n' -> "\n";
            case 't' -> "\t";
            case 'r' -> "\r";
            case 'b' -> "\b";
            case 'f' -> "\f";
            case 'u' -> escape.length() == 5 ? String.valueOf((char) Integer.parseInt(escape.substring(1), 16)) : "u";
            default -> escape;
        };
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char each : text.toCharArray()) {
            switch (each) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                default -> {
                    boolean isPlain = each >= ' ' && !Character.isSurrogate(each);
                    quoted.append(isPlain ? String.valueOf(each) : String.format("\\u%04x", (int) each));
                }
            }
        }
        return quoted.append('"').toString();
    }
}
