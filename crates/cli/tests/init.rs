//! `lapidary init`: each preset's script is written, proved, and then used to reduce an input.
//!
//! Tools that fail on purpose are scripts that print what the real ones print. Where the real one is
//! installed, it is asked too.

use crate::support;

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use support::{Place, Run};

/// A place where the scripts in `bin` come first.
struct Bench(Place);

impl Bench {
    fn new() -> Bench {
        Bench(Place::new())
    }

    /// A tool that does `then` if its input has the word TRIGGER, and succeeds otherwise.
    fn tool(&self, name: &str, then: &str) {
        let find = "for last; do :; done\ngrep -q TRIGGER \"$last\" 2>/dev/null || exit 0\n";
        self.0.script(&format!("bin/{name}"), &format!("{find}{then}"));
    }

    fn lapidary(&self, arguments: &[&str]) -> Run {
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", self.0.path("bin").display());
        let output = self.0.command().args(arguments).env("PATH", path).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let run = Run { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) };
        assert!(!run.stderr.contains("panicked at crates"), "{run}");
        self.0.assert_clean(&run.to_string());
        run
    }

    /// Writes the script for a command and returns the summary.
    fn init(&self, arguments: &[&str]) -> Value {
        let run = self.lapidary(&[&["init", "--force", "--json", "-"], arguments].concat()).ends_with(0);
        run.json()
    }

    /// Runs the reduction that `init` proposes, and returns the result. The script must say yes to it.
    fn reduced(&self, summary: &Value) -> String {
        let words: Vec<&str> =
            summary["reduce"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(words[0], "lapidary");
        let split = words.iter().position(|word| *word == "--").unwrap();
        let options = ["--out", "result", "--force", "--quiet"];
        self.lapidary(&[&words[1..split], &options, &words[split..]].concat()).ends_with(0);
        self.0.read("result")
    }
}

/// A text of many lines, one of which is the trigger.
fn lines(trigger: &str, line: impl Fn(u32) -> String) -> String {
    (1..40).map(|number| if number == 17 { format!("{trigger}\n") } else { format!("{}\n", line(number)) }).collect()
}

fn c_lines() -> String {
    lines("int TRIGGER;", |number| format!("int variable_{number} = {number};"))
}

fn asked(summary: &Value) -> String {
    summary["asks_for"].to_string()
}

/// A tool that crashes: its name, what it prints and how it ends, the preset, what is kept, and what
/// is not.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

const GCC: &str = "cat >&2 <<'END'
during GIMPLE pass: slp
bug.c: In function 'f':
bug.c:17:5: internal compiler error: in vect_transform_stmt, at tree-vect-stmts.cc:11223
   17 | int TRIGGER;
0x7f3a5b in vect_transform_stmt
Please submit a full bug report, with preprocessed source.
END
exit 1";

const GCC_SEGFAULT: &str = "cat >&2 <<'END'
during RTL pass: combine
bug.c:17:1: internal compiler error: Segmentation fault
0xb28f8f crash_signal
\t../../src/gcc/toplev.c:328
0x8a1b2c combine_simplify_rtx(rtx_def*)
\t../../src/gcc/combine.c:5000
END
exit 1";

const CLANG: &str = "cat >&2 <<'END'
clang-19: /build/llvm/lib/IR/Value.cpp:507: void llvm::Value::doRAUW(llvm::Value*): Assertion `New && \"null\"' failed.
PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace.
Stack dump:
0.\tProgram arguments: clang bug.c
 #0 0x00007f5e1c llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM.so+0x1)
END
exit 134";

const CLANG_SEGFAULT: &str = "cat >&2 <<'END'
PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace.
Stack dump:
0.\tProgram arguments: clang bug.c
 #0 0x00007f5e1c llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/lib/libLLVM.so+0x1)
 #1 0x00007f5e1d llvm::sys::RunSignalHandlers() (/usr/lib/libLLVM.so+0x2)
 #2 0x00007f5e1e (/lib/libc.so.6+0x3c050)
 #3 0x00007f5e1f llvm::InstCombinerImpl::visitMul(llvm::BinaryOperator&) (/usr/lib/libLLVM.so+0x3)
END
exit 139";

const RUSTC: &str = "cat >&2 <<'END'

thread 'rustc' panicked at compiler/rustc_middle/src/ty/generic_args.rs:893:9:
region parameter out of range when instantiating args
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

error: the compiler unexpectedly panicked. this is a bug.

query stack during panic:
#0 [typeck] type-checking `TRIGGER`
END
exit 101";

const RUSTC_OLD: &str = "cat >&2 <<'END'
thread 'rustc' panicked at 'called `Option::unwrap()` on a `None` value', compiler/rustc_hir/src/definitions.rs:452:14
error: internal compiler error: unexpected panic
END
exit 101";

const JAVAC: &str = "cat >&2 <<'END'
An exception has occurred in the compiler (17.0.15). Please file a bug against the Java compiler.
java.lang.NullPointerException: Cannot invoke \"Type.getTag()\" because \"t\" is null
\tat jdk.compiler/com.sun.tools.javac.code.Types$38.visitClassType(Types.java:2614)
\tat jdk.compiler/com.sun.tools.javac.Main.main(Main.java:43)
END
exit 4";

const JVM: &str = "cat <<'END'
#
# A fatal error has been detected by the Java Runtime Environment:
#
#  SIGSEGV (0xb) at pc=0x00007f9d4c0b7e10, pid=4711, tid=4712
#
# Problematic frame:
# V  [libjvm.so+0x8b7e10]  PhaseIdealLoop::build_loop_late_post_work(Node*, bool)+0x120
#
END
exit 134";

const LINKER: &str = "echo \"/usr/bin/ld: BFD (GNU Binutils) 2.40 internal error, aborting at ../../bfd/elflink.c:8701 in bfd_elf_reloc\" >&2
exit 1";

const ASAN: &str = "cat >&2 <<'END'
=================================================================
==4711==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x55d bp 0x7ff sp 0x7ff
READ of size 4 at 0x602000000014 thread T0
    #0 0x7f12 in __interceptor_memcpy (/lib/libasan.so)
    #1 0x55d8 in read_header /home/me/parser.c:51
END
exit 1";

const PANIC: &str = "cat >&2 <<'END'
thread 'main' panicked at src/parser.rs:51:9:
index out of bounds: the list is empty
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
END
exit 101";

const ASSERTION: &str = "echo \"parser: /home/me/parser.c:51: read_header: Assertion \\`length > 0' failed.\" >&2
exit 134";

const UNCAUGHT: &str = "cat >&2 <<'END'
Exception in thread \"main\" java.lang.IllegalStateException: the bucket is full
\tat shop.Bucket.add(Bucket.java:51)
END
exit 1";

const LUA: &str = "cat >&2 <<'END'
lua: bug.txt:51: attempt to index a nil value (global 'bucket')
stack traceback:
\tbug.txt:51: in main chunk
END
exit 1";

const KILLED: &str = "echo 'reading the bucket at 0x7f12' >&2
kill -s SEGV $$";

const MYSTERY: &str = "echo 'reading ...'
echo \"17:04:11 worker[4711]: error: the bucket is full (at /tmp/x8123/bucket:99)\" >&2
exit 7";

const CASES: [Case; 16] = [
    ("gcc", GCC, "gcc-ice", "in vect_transform_stmt, at tree-vect-stmts.cc", &["11223", ":17", "bug.c"]),
    ("gcc", GCC_SEGFAULT, "gcc-ice", "combine_simplify_rtx", &["0xb28f8f", "crash_signal", ":17"]),
    ("clang", CLANG, "clang-crash", "llvm::Value::doRAUW(llvm::Value*): Assertion `New", &["507", "/build"]),
    ("clang", CLANG_SEGFAULT, "clang-crash", "visitMul(", &["PrintStackTrace", "0x0"]),
    ("rustc", RUSTC, "rustc-ice", "compiler/rustc_middle/src/ty/generic_args.rs", &["893", "typeck"]),
    ("rustc", RUSTC_OLD, "rustc-ice", "unexpected panic", &["452"]),
    ("javac", JAVAC, "javac-crash", "com.sun.tools.javac.code.Types$38.visitClassType(", &["2614"]),
    ("java", JVM, "jvm-crash", "PhaseIdealLoop::build_loop_late_post_work", &["4711", "0x"]),
    ("ld", LINKER, "linker", "internal error, aborting at", &["8701"]),
    ("parser", ASAN, "sanitizer", "in read_header", &["4711", "0x6", "memcpy"]),
    ("parser", PANIC, "panic", "index out of bounds: the list is empty", &["51"]),
    ("parser", ASSERTION, "assertion", "Assertion `length > 0' failed", &["51", "/home"]),
    ("java", UNCAUGHT, "java", "java.lang.IllegalStateException: the bucket is full", &["51", "Bucket.java"]),
    ("lua", LUA, "interpreter", "attempt to index a nil value", &["51", "bug.txt"]),
    ("parser", KILLED, "signal", "139 (a signal)", &["0x7f12"]),
    ("mystery", MYSTERY, "other", "error: the bucket is full", &["4711", "17:04", "x8123", ":99"]),
];

#[test]
fn crashes_of_tools_are_recognised_and_their_scripts_reduce() {
    for (tool, prints, preset, kept, left_out) in CASES {
        let bench = Bench::new();
        bench.tool(tool, prints);
        // Kinds that are quick to reduce; the extension decides about nothing but the compilers.
        let name = if matches!(tool, "gcc" | "clang") { "bug.c" } else { "bug.txt" };
        bench.0.write(name, c_lines());
        let summary = bench.init(&[tool, "-x1", name]);
        assert_eq!(summary["preset"], preset, "{summary}");
        assert!(asked(&summary).contains(kept), "{kept} is not in {summary}");
        for text in left_out {
            assert!(!asked(&summary).contains(text), "{text} is in {summary}");
        }
        let result = bench.reduced(&summary);
        assert!(result.contains("TRIGGER") && result.len() < 20, "{preset}: {result}");
    }
}

#[test]
fn another_crash_of_the_same_tool_is_not_the_same_failure() {
    let bench = Bench::new();
    let other = GCC.replace("vect_transform_stmt", "expand_expr_real_1");
    bench.0.script("bin/gcc", &format!("grep -q BOTH bug.c && {{ {GCC}\n}}\n{{ {other}\n}}"));
    bench.0.write("bug.c", lines("int BOTH;", |number| format!("int v{number};")));
    let summary = bench.init(&["gcc", "bug.c"]);
    assert!(bench.reduced(&summary).contains("BOTH"));
}

#[test]
fn warnings_and_errors_of_c_are_kept() {
    let bench = Bench::new();
    bench.0.write("warns.c", "int unused(int a) { return a + 1; }\nint f(int x) { return x / 0; }\nint last;\n");
    let summary = bench.init(&["gcc", "-Wall", "-c", "warns.c", "-o", "/dev/null"]);
    assert_eq!((summary["preset"].as_str(), summary["exit_code"].as_i64()), (Some("c-warning"), Some(0)));
    assert!(bench.reduced(&summary).len() < 25);
    assert_eq!(summary["notes"], Value::Array(Vec::new()));
    bench.0.write("two.c", "int f(int a) { int unused; return a / 0; }\n");
    let summary = bench.init(&["gcc", "-Wall", "-c", "two.c", "-o", "/dev/null"]);
    let note = summary["notes"][0].as_str().unwrap();
    let [taken, other] = match asked(&summary).contains("div-by-zero") {
        true => ["div-by-zero", "unused-variable"],
        false => ["unused-variable", "div-by-zero"],
    };
    assert!(note.contains(&format!(r"--text '\[-W{other}\]'")) && !note.contains(taken), "{note}");
    bench.0.write("extension.c", "int f(int a) { return a + 1; }\nint TRIGGER;\n");
    let says = "f.cpp:1:1: warning: first [-Wunused]\nf.cpp:2:1: warning: second [-Wc++17-extensions]";
    bench.tool("clang++", &format!("printf '%s\\n' '{says}' >&2\nexit 0"));
    let summary = bench.init(&["clang++", "-c", "extension.c"]);
    let note = summary["notes"][0].as_str().unwrap();
    let regex = r"\[-Wc\+\+17-extensions\]";
    assert!(note.contains(&format!("--text '{regex}'")), "{note}");
    let summary = bench.init(&["--text", regex, "clang++", "-c", "extension.c"]);
    assert_eq!(bench.reduced(&summary).trim(), "TRIGGER");
    bench.0.write("wrong.cpp", "int fine;\nint f() { return missing_name; }\nint also_fine;\n");
    let summary = bench.init(&["g++", "-c", "wrong.cpp"]);
    assert_eq!(summary["preset"], "c-error");
    let result = bench.reduced(&summary);
    assert!(result.contains("missing_name") && !result.contains("fine"), "{result}");
    bench.0.write("links.c", "int used_elsewhere(void);\nint other;\nint main(void) { return used_elsewhere(); }\n");
    let summary = bench.init(&["gcc", "links.c"]);
    assert!(asked(&summary).contains("undefined reference to `used_elsewhere"), "{summary}");
    assert!(!bench.reduced(&summary).contains("other;"));
}

#[test]
fn headers_beside_the_input_are_found() {
    let bench = Bench::new();
    bench.0.write("src/types.h", "typedef int number;\n");
    bench.0.write("src/bug.c", "#include \"types.h\"\nnumber f(number x) { return x / 0; }\nnumber rest;\n");
    let summary = bench.init(&["gcc", "-Wall", "-c", "src/bug.c"]);
    let script = bench.0.read("interesting.sh");
    assert!(script.contains("-iquote was added") && script.contains("/work/src"), "{script}");
    assert!(!bench.reduced(&summary).contains("rest"));
}

const TWO_FACED: &str = "#include <stdio.h>
int noise(int a) { return a * 3; }
int main(void) {
  int unused = 4;
  puts(\"hello\");
#ifdef __OPTIMIZE_SIZE__
  printf(\"%d\\n\", noise(2) + unused);
#else
  printf(\"%d\\n\", noise(1) + unused);
#endif
  return 0;
}
";

#[test]
fn wrong_code_is_kept_and_undefined_behaviour_refused() {
    let bench = Bench::new();
    bench.0.write("wrong.c", TWO_FACED);
    let summary = bench.init(&["--compare", "-O0", "gcc", "-Os", "wrong.c", "-o", "wrong"]);
    assert_eq!(summary["preset"], "wrong-code");
    let script = bench.0.read("interesting.sh");
    assert!(script.contains("-fsanitize=address,undefined") && script.contains("-Werror=uninitialized"), "{script}");
    let result = bench.reduced(&summary);
    assert!(result.contains("__OPTIMIZE_SIZE__") && !result.contains("hello"), "{result}");
    let undefined = TWO_FACED.replace("noise(1)", "noise(2147483647 - unused)");
    bench.0.write("undefined.c", &undefined);
    let run = bench.lapidary(&["init", "-o", "u.sh", "--compare", "-O0", "gcc", "-Os", "undefined.c"]);
    run.ends_with(1).complains(&["undefined behaviour", "signed integer overflow"]);
    assert!(!bench.0.exists("u.sh"));
}

#[test]
fn two_commands_are_compared() {
    let bench = Bench::new();
    bench.0.script("bin/old-sum", "awk '{ s += $1 } END { print s }' \"$1\"");
    bench.0.script("bin/new-sum", "awk '{ if ($1 != 17) s += $1 } END { print s }' \"$1\"");
    bench.0.write("in put.txt", support::numbers(40));
    let summary = bench.init(&["--compare", "old-sum 'in put.txt'", "new-sum", "in put.txt"]);
    assert_eq!(summary["preset"], "different-output");
    assert_eq!(bench.reduced(&summary).trim(), "17");
    bench.0.write("same.txt", "1\n2\n");
    let run = bench.lapidary(&["init", "-o", "same.sh", "--compare", "old-sum same.txt", "new-sum", "same.txt"]);
    run.ends_with(1).complains(&["must differ"]);
}

#[test]
fn missed_optimisations_are_texts_in_the_assembly() {
    let bench = Bench::new();
    bench
        .0
        .write("dce.c", "void dead(void);\nint rest(int b) { return b; }\nint f(int a) { if (a) dead(); return a; }\n");
    let summary = bench.init(&["--text", "(call|jmp|bl?)[[:space:]]+dead", "gcc", "-O2", "-S", "dce.c", "-o", "x.s"]);
    assert_eq!(summary["preset"], "missed-optimisation");
    let result = bench.reduced(&summary);
    assert!(result.contains("dead") && !result.contains("rest"), "{result}");
    // Where the other command does as well, there is nothing to report.
    let run =
        bench.lapidary(&["init", "-o", "n.sh", "--text", "dead", "--compare", "-O0", "gcc", "-O2", "-S", "dce.c"]);
    run.ends_with(1).complains(&["There, the text `dead` must not be."]);
    let gone = "static int x; int keep(void) { if (x) __builtin_trap(); return 1; } int more;\n";
    bench.0.write("gone.c", gone);
    let summary = bench.init(&["--without", "ud2|brk|trap", "--text", "keep", "gcc", "-O2", "-S", "gone.c"]);
    assert!(bench.reduced(&summary).contains("keep"));
}

#[test]
fn rustc_and_javac_are_asked_for_codes_and_keys() {
    let bench = Bench::new();
    bench.0.write("bug.rs", "fn rest() {}\nfn main() { let x: i32 = \"a\"; rest(); }\n");
    let summary = bench.init(&["rustc", "--emit=metadata", "bug.rs"]);
    assert!(summary["preset"] == "rustc-error" && asked(&summary).contains("error[E0308]"), "{summary}");
    assert!(!bench.reduced(&summary).contains("rest"));
    bench.0.write("Bug.java", "class Bug { int rest; int f() { return \"x\"; } }\n");
    let summary = bench.init(&["javac", "-d", "out", "Bug.java"]);
    assert_eq!(summary["preset"], "javac-error");
    assert!(asked(&summary).contains("compiler.err.prob.found.req"), "{summary}");
    assert!(!bench.reduced(&summary).contains("rest"));
}

#[test]
fn other_warnings_of_rustc_and_javac_are_named() {
    let bench = Bench::new();
    bench.0.write("warns.rs", "fn rest() {}\nfn main() { let mut x = 1; let y = x; }\n");
    let summary = bench.init(&["rustc", "--emit=metadata", "warns.rs"]);
    assert_eq!(summary["preset"], "rustc-warning", "{summary}");
    assert!(asked(&summary).contains("unused_mut"), "{summary}");
    let note = summary["notes"][0].as_str().unwrap();
    assert!(note.contains(r"--text '#\[warn\(dead_code\)\]'") && !note.contains("unused_mut"), "{note}");
    let result = bench.reduced(&summary);
    assert!(result.contains("mut") && !result.contains("rest"), "{result}");
    let regex = r"#\[warn\(dead_code\)\]";
    let summary = bench.init(&["--text", regex, "rustc", "--emit=metadata", "warns.rs"]);
    let result = bench.reduced(&summary);
    assert!(result.contains("fn ") && !result.contains("let"), "{result}");
    let text = "import java.util.*;\nclass Warns { List a; int f(Warns w) { new Thread().stop(); switch (1) { case 1: f(w); case 2: } return 1; } }\n";
    bench.0.write("Warns.java", text);
    let summary = bench.init(&["javac", "-Xlint:all", "-d", "out", "Warns.java"]);
    assert_eq!(summary["preset"], "javac-error", "{summary}");
    let note = summary["notes"][0].as_str().unwrap();
    assert!(note.contains(r"--text '\[") && note.contains("[fallthrough]"), "{note}");
}

#[test]
fn exceptions_of_interpreters_are_kept_by_type_and_message() {
    let bench = Bench::new();
    let python = "import helper\ndef mean(xs):\n    return sum(xs) / len(xs)\nprint(helper.x)\nprint(mean([]))\n";
    bench.0.write("helper.py", "x = 3\n");
    bench.0.write("bug.py", python);
    let summary = bench.init(&["python3", "bug.py"]);
    assert!(summary["preset"] == "python" && asked(&summary).contains("ZeroDivisionError: division by zero"));
    assert!(bench.0.read("interesting.sh").contains("export PYTHONPATH="));
    assert!(bench.reduced(&summary).len() < 20);
    let piped = ["--input", "bug.py", "sh", "-c", "python3 bug.py | cat"];
    let summary = bench.init(&piped);
    assert!(summary["preset"] == "python" && summary["exit_code"] == 0, "{summary}");
    let syntax = "x = 1\ny = (2\nz = 3\n";
    bench.0.write("syntax.py", syntax);
    assert!(asked(&bench.init(&["python3", "syntax.py"])).contains("SyntaxError"));
    if is_present("node") {
        bench.0.write("bug.js", "var rest = 1;\nfunction f() { throw new TypeError('x is ' + 3); }\nf();\n");
        let summary = bench.init(&["node", "bug.js"]);
        assert!(summary["preset"] == "node" && asked(&summary).contains("TypeError: x is 3"), "{summary}");
        assert!(!bench.reduced(&summary).contains("rest"));
    }
}

#[test]
fn tools_for_json_and_sql_are_kept_by_their_message() {
    let bench = Bench::new();
    let jq = "echo 'jq: error (at bug.json:17): Cannot index array with string \"b\"' >&2\nexit 5";
    bench.tool("jq", jq);
    bench.0.write("bug.json", format!("{{\"a\": [{}\"TRIGGER\"]}}", "1, ".repeat(30)));
    let summary = bench.init(&["jq", ".a.b", "bug.json"]);
    assert!(summary["preset"] == "json" && !asked(&summary).contains("17"), "{summary}");
    assert!(bench.reduced(&summary).len() < 15);
    bench.0.script(
        "bin/sqlite3",
        "grep -q nope && { echo 'Parse error near line 2: no such table: nope' >&2; exit 1; }\nexit 0",
    );
    bench.0.write("bug.sql", "create table t(a);\nselect * from nope;\nselect a from t;\n");
    let mut command = bench.0.command();
    command.env("PATH", format!("{}:{}", bench.0.path("bin").display(), std::env::var("PATH").unwrap()));
    command.args(["init", "--json", "-", "--force", "sqlite3", ":memory:"]);
    command.stdin(std::fs::File::open(bench.0.path("bug.sql")).unwrap());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["preset"] == "sql" && asked(&summary).contains("no such table: nope"), "{summary}");
    assert_eq!((&summary["input"], bench.reduced(&summary).trim()), (&"bug.sql".into(), "nope"));
}

#[test]
fn a_decompiler_has_a_built_in_test() {
    let bench = Bench::new();
    bench.0.script("bin/java", "echo '/* Decompiled with CFR 0.152. */'");
    bench.0.write("lib/cfr-0.152.jar", "x");
    bench.0.write("app.jar", "x");
    let summary = bench.init(&["java", "-jar", "lib/cfr-0.152.jar", "app.jar"]);
    assert_eq!(summary["preset"], "decompiler");
    assert_eq!(summary["reduce"], serde_json::json!(["lapidary", "reduce", "app.jar", "--decompiler", "cfr"]));
    assert!(summary["script"].is_null() && !bench.0.exists("interesting.sh"));
}

/// CFR writes code that does not compile for this class.
const STEP: &str = "package shop; import java.util.function.Function; public interface Step {
    static <A, B, C> Function<A, C> both(Function<? super A, ? extends B> f, Function<? super B, ? extends C> g) {
        return object -> g.apply(f.apply(object)); } int rest(int n); }";

#[test]
fn a_decompiler_is_recognised_and_its_reduction_runs() {
    let bench = Bench::new();
    let source = bench.0.write("Step.java", STEP);
    lapidary_testkit::javac(&["-g"], &bench.0.path("classes"), [source]);
    let class = std::fs::read(bench.0.path("classes/shop/Step.class")).unwrap();
    bench.0.write("app.jar", crate::java_support::jar(&vec![("shop/Step.class".to_owned(), class)]));
    let installed = lapidary_java_workers::Decompiler::parse("cfr").unwrap().install(&mut |_| {}).unwrap();
    let cfr = installed.jars()[0].to_str().unwrap();
    let summary = bench.init(&["java", "-jar", cfr, "app.jar"]);
    assert_eq!(summary["reduce"], serde_json::json!(["lapidary", "reduce", "app.jar", "--decompiler", "cfr"]));
    bench.lapidary(&["reduce", "app.jar", "--decompiler", "cfr", "--out", "small.jar", "--quiet"]).ends_with(0);
    let left = crate::java_support::unpack(&std::fs::read(bench.0.path("small.jar")).unwrap());
    let class = String::from_utf8_lossy(&left["shop/Step.class"]).into_owned();
    assert!(class.contains("both") && !class.contains("rest"), "{class}");
}

#[test]
fn a_command_that_hangs_is_recognised() {
    let bench = Bench::new();
    bench.tool("spinner", "while :; do sleep 0.05; done");
    bench.0.write("in.txt", "one\nTRIGGER\n");
    let summary = bench.init(&["--timeout", "1", "spinner", "in.txt"]);
    assert_eq!((&summary["preset"], &summary["exit_code"]), (&"hang".into(), &Value::Null));
    assert_eq!(bench.reduced(&summary).trim(), "TRIGGER");
}

#[test]
fn hostile_names_arguments_and_outputs_do_no_harm() {
    let bench = Bench::new();
    let says = "printf 'error: \\033[31m%s\\n' \"$1 '; touch owned; \\`touch owned\\`\" >&2\nhead -c 3000000 /dev/zero\nexit 9";
    bench.tool("odd", says);
    let name = "dir with blanks/it's $(touch owned) `x` \"q\".txt";
    bench.0.write(name, c_lines());
    let argument = "a b'c\"d $HOME `id` ; | & * {}";
    let summary = bench.init(&["odd", argument, "--x=1\n2", name]);
    assert_eq!(summary["exit_code"], 9);
    assert!(bench.reduced(&summary).contains("TRIGGER"));
    assert!(!bench.0.exists("owned"));
    let whole = bench.0.path(name);
    let absolute = bench.init(&["odd", argument, whole.to_str().unwrap()]);
    assert!(bench.reduced(&absolute).len() < 20);
    bench.0.write("-x.txt", "TRIGGER\n2\n");
    let summary = bench.init(&["--input", "-x.txt", "--", "odd", "w", "./-x.txt"]);
    assert!(bench.0.read("interesting.sh").contains("input='./-x.txt'"), "{summary}");
}

#[test]
fn other_reducers_can_use_the_script() {
    let bench = Bench::new();
    bench.tool("mystery", MYSTERY);
    bench.0.write("in.txt", "1\nTRIGGER\n");
    bench.init(&["mystery", "in.txt"]);
    let script = bench.0.path("interesting.sh");
    assert_eq!(script.metadata().unwrap().permissions().mode() & 0o111, 0o111);
    let code = |directory: &Path, arguments: &[&str]| {
        let path = format!("{}:{}", bench.0.path("bin").display(), std::env::var("PATH").unwrap());
        let mut command = std::process::Command::new(&script);
        command.args(arguments).current_dir(directory).env("PATH", path).status().unwrap().code()
    };
    // Without arguments in a directory with the file, and with the path of a file.
    let directory = bench.0.tmpdir().join("candidate");
    std::fs::create_dir(&directory).unwrap();
    std::fs::write(directory.join("in.txt"), "TRIGGER").unwrap();
    std::fs::write(directory.join("other"), "nothing").unwrap();
    assert_eq!(code(&directory, &[]), Some(0));
    assert_eq!(code(&directory, &["other"]), Some(1));
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 2, "the script leaves files behind");
    std::fs::remove_dir_all(directory).unwrap();
}

#[test]
fn what_no_script_can_tell_is_refused_and_leaves_nothing() {
    let bench = Bench::new();
    bench.0.write("in.txt", "1\n2\n");
    let entries = || std::fs::read_dir(bench.0.path("")).unwrap().count();
    let refused = |arguments: &[&str], code, words: &[&str]| {
        let before = entries();
        bench.lapidary(&[&["init"], arguments].concat()).ends_with(code).complains(words);
        assert_eq!(entries(), before, "{arguments:?}");
    };
    refused(&["true", "in.txt"], 1, &["does not fail: exit code 0", "--text", "--compare"]);
    refused(&["no-such-tool", "in.txt"], 2, &["no such command: no-such-tool"]);
    refused(&["false", "in.txt"], 1, &["an empty in.txt fails in the same way"]);
    bench.0.write("t.sed", "s/a/\n");
    bench.0.write("notes.txt", "a\n");
    refused(&["sed", "-f", "t.sed", "notes.txt"], 2, &["t.sed and notes.txt are files", "--input"]);
    refused(&["cat", "missing.txt"], 2, &["no argument of the command names a file", "--input"]);
    refused(&["--input", "missing.txt", "cat", "in.txt"], 2, &["missing.txt"]);
    refused(&["--input", ".", "cat", "."], 2, &["not a file"]);
    refused(&["--text", "a(", "cat", "in.txt"], 2, &["--text a(", "regular expression"]);
    refused(&["--text", "never there", "cat", "in.txt"], 1, &["this does not hold: The text `never there`"]);
    refused(&["--out", "no/such/dir.sh", "false", "in.txt"], 2, &["the directory of no/such/dir.sh does not exist"]);
    refused(&["--out", "in.txt", "--force", "false", "in.txt"], 2, &["in.txt"]);
    refused(&[], 2, &["COMMAND"]);
    let flaky = "n=$(cat \"$(dirname \"$0\")/n\" 2>/dev/null); echo x$n >\"$(dirname \"$0\")/n\"\n\
                 case $n in xx) exit 0;; esac\necho 'error: sometimes' >&2; exit 1";
    bench.tool("flaky", flaky);
    bench.0.write("t.txt", "TRIGGER\n");
    refused(&["flaky", "t.txt"], 1, &["once and no the second time", "--any-of"]);
    bench.0.write("beside.txt", "1\n");
    bench.0.script("bin/needs", "[ -e beside.txt ] && { echo 'fatal: found' >&2; exit 3; }\nexit 0");
    refused(&["needs", "in.txt"], 1, &["in a fresh directory", "exit code must be 3"]);
}

#[test]
fn a_script_is_replaced_only_on_demand() {
    let bench = Bench::new();
    bench.tool("mystery", MYSTERY);
    bench.0.write("in.txt", "TRIGGER\n");
    bench.0.write("mine.sh", "precious");
    bench
        .lapidary(&["init", "-o", "mine.sh", "mystery", "in.txt"])
        .ends_with(2)
        .complains(&["mine.sh exists", "--force"]);
    let run =
        bench.lapidary(&["init", "--quiet", "-o", "new.sh", "--json", "s.json", "mystery", "in.txt"]).ends_with(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    let summary = bench.0.json("s.json");
    assert_eq!(summary["proved"], serde_json::json!({ "input": [0, 0], "empty": 1 }));
    assert_eq!(summary["script"], "new.sh");
}

/// Whether a program is installed, which is said if it is not.
fn is_present(program: &str) -> bool {
    let found = lapidary_common::program::on_path(program).is_some();
    if !found {
        eprintln!("{program} is not installed: only its messages were tried");
    }
    found
}
