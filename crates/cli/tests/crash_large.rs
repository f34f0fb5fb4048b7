//! `lapidary crash` on large generated programs.

use crate::support;

use support::Place;

/// The result for a program that calls `abort` on this line.
fn minimised(text: &str, line: usize) -> String {
    let place = Place::new();
    place.write("large.c", text);
    let run = place.lapidary(&["crash", "large.c", "--out", "small.c", "-j1"]).ends_with(0);
    run.prints(&[&format!("abort at large.c:{line} in main\n")]);
    place.read("small.c")
}

#[test]
fn a_line_of_a_megabyte() {
    let (word, numbers) = ("x".repeat(800_000), "1,".repeat(100_000));
    let text = format!(
        "#include <stdlib.h>\nstatic const char word[] = \"{word}\"; static const int numbers[] = {{{numbers}}}; \
         int main(void) {{ int n = numbers[0] + word[0]; if (n) abort(); return 0; }}\n"
    );
    let result = minimised(&text, 2);
    assert!(result.contains("abort()") && result.len() < 200, "{} bytes are left", result.len());
}

#[test]
fn ten_megabytes_of_generated_code() {
    let line = format!("    \"{}\"\n", "y".repeat(94));
    let table = |number: usize| format!("static const char table_{number}[] =\n{};\n", line.repeat(50));
    let tables: String = (0..2_000).map(table).collect();
    let main = "int main(void)\n{\n    int n = table_3[0];\n    if (n)\n        abort();\n    return 0;\n}\n";
    let text = format!("#include <stdlib.h>\n{tables}{main}");
    assert!(text.len() > 10_000_000);
    let result = minimised(&text, 1 + 2_000 * 52 + 5);
    assert!(
        result.contains("if (n)") && result.contains("abort()") && result.len() < 200,
        "{} bytes are left",
        result.len()
    );
}
