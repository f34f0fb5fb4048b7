//! `lapidary crash` on programs that are written or compiled in unusual ways.

use crate::support;

use support::Place;

/// The result for a program that must fail with this headline.
fn minimised(name: &str, text: &str, options: &[&str], headline: &str) -> String {
    let place = Place::new();
    place.write(name, text);
    place.lapidary(&[&["crash", name, "--out", "small"], options].concat()).ends_with(0).prints(&[headline]);
    place.read("small")
}

#[test]
fn parameters_that_are_declared_behind_the_brackets() {
    let text = "int unused(n)\n    int n;\n{\n    return n;\n}\nint f(p, q)\n    int *p, *q;\n{\n    return *p;\n}\n\
                main()\n{\n    int n = unused(3);\n    return f((int *)0, &n);\n}\n";
    let result = minimised("old.c", text, &["--flags", "-std=gnu89"], "null pointer at old.c:9 in f\n");
    assert!(result.contains("return *p;") && !result.contains("unused"), "{result}");
}

#[test]
fn brackets_that_are_written_otherwise() {
    let text = "int other(void)\n<%\n    return 3;\n%>\nint main(void)\n<%\n    int *p<:1:> = <% 0 %>;\n    other();\n    \
                return *p<:0:>;\n%>\n";
    let result = minimised("digraphs.c", text, &[], "null pointer at digraphs.c:9 in main\n");
    assert!(result.contains("*p") && !result.contains("other"), "{result}");
}

#[test]
fn many_functions_on_one_line() {
    let functions: String = (0..2000).map(|n| format!("static int f{n}(int n) {{ return n + {n}; }} ")).collect();
    let text =
        format!("#include <stdlib.h>\n{functions}int main(void) {{ int n = f7(1); if (n) abort(); return f9(n); }}\n");
    let result = minimised("line.c", &text, &[], "abort at line.c:2 in main\n");
    assert!(result.contains("abort()") && !result.contains("f9"), "{result}");
}

#[test]
fn another_compiler() {
    let Some(clang) = ["clang", "clang-19", "clang-14"].into_iter().find(|name| is_installed(name)) else {
        return eprintln!("not tested on this machine: there is no clang");
    };
    let text = "#include <vector>\nint unused() { return 3; }\nint main()\n{\n    std::vector<int> v;\n    v.push_back(unused());\n    \
                return v.at(7);\n}\n";
    let headline = "uncaught exception std::out_of_range: vector::_M_range_check";
    let result = minimised("a.cpp", text, &["--compiler", clang], headline);
    assert!(result.contains("v.at(7)") && !result.contains("unused"), "{result}");
}

#[test]
fn the_compiler_that_the_environment_names() {
    let place = Place::new();
    let used = place.path("used");
    let compiler = place.script("my-cc", &format!("touch {}\nexec gcc \"$@\"", used.display()));
    let text =
        "#include <stdlib.h>\nint main(void)\n{\n    int n = LIMIT;\n    if (n)\n        abort();\n    return n;\n}\n";
    place.write("limit.c", text);
    place.write("limit.cpp", text);
    let run = |name: &str, variable: &str, value: &str| {
        let mut command = place.command();
        let output = command.args(["crash", name, "--out", "small", "--force"]).env(variable, value).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, errors) = run("limit.c", "CC", &format!("ccache {} -DLIMIT=3", compiler.display()));
    assert_eq!(code, Some(0), "{errors}");
    assert!(place.exists("used") && place.read("small").contains("abort()"));
    let (code, errors) = run("limit.cpp", "CC", &format!("{} -DLIMIT=3", compiler.display()));
    assert!(code == Some(2) && errors.contains("LIMIT"), "what is for C is not for C++: {errors}");
    let (code, errors) = run("limit.cpp", "CXX", "no-such-compiler");
    assert!(code == Some(2) && errors.contains("no-such-compiler"), "{errors}");
}

fn is_installed(name: &str) -> bool {
    std::process::Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
}
