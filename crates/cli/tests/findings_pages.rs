//! The pages of `compare`, `explore`, `triage` and `crash` in a real browser, about programs whose
//! names and outputs try to do harm.

use crate::support;

use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use support::pair::{compare, pair};
use support::{Place, patient};

const HOSTILE: &str = "</script><script>document.title='harmed'</script><img src=x onerror=alert(1)>";

/// A line that a page must neither run nor show whole: invalid UTF-8, marks of writing direction,
/// what a terminal obeys, markup, and three megabytes. Larger sources of Java are not read.
fn hostile_line() -> Vec<u8> {
    let mut line = format!("{HOSTILE}\u{202e}\u{2066}\x1b[2J\x07").into_bytes();
    line.extend(b"\xff\xfe\xc3");
    line.resize(3_000_000, b'y');
    line
}

/// Puts the hostile line in place of `MARK` in a file.
fn spoil(place: &Place, file: &str) {
    let text = place.read(file);
    let (before, after) = text.split_once("MARK").expect("a mark");
    place.write(file, [before.as_bytes(), &hostile_line(), after.as_bytes()].concat());
}

/// Opens a page in Chromium and checks all that must hold for every page, and what else is wanted.
fn check(place: &Place, title: &str, more: Value) {
    check_page(place, "page.html", title, more);
    let size = std::fs::metadata(place.path("page.html")).unwrap().len();
    assert!(size < 300_000, "{size} bytes for a small program");
}

fn check_page(place: &Place, page: &str, title: &str, more: Value) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/browser/check.py");
    let mut wanted = json!({ "page": place.path(page), "title": title });
    wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let wanted = place.write("wanted.json", wanted.to_string());
    let mut command = Command::new("python3");
    let output = command.arg(script).arg(wanted).env("PYTHONDONTWRITEBYTECODE", "1").output();
    let output = output.expect("python3; scripts/setup installs it");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

#[test]
fn the_page_of_a_comparison_does_no_harm() {
    let source = |extra: &str| {
        format!(
            "class Log {{ int n; void add(int i) {{ n += i; }} }}\nclass User {{ String s() {{ return T.f(1); }} }}\n\
             class Main {{ String s() {{ return new User().s(); }} }}\n\
             public class T {{ static Log log = new Log();\nstatic String f(int x) {{ // MARK\nlog.add(1);\n{extra}\n\
             System.out.println(\"{HOSTILE}\\u202e\\0\\033[2J\");\nreturn \"{HOSTILE}\";\n}} }}"
        )
    };
    let place = pair(&source(""), &source("if (x == 77) log.add(2);"));
    ["old/T.java", "new/T.java"].iter().for_each(|file| spoil(&place, file));
    compare(&place, &["--fuzz-first", "0", "--report", "page.html"]).ends_with(1);
    let page = place.read("page.html");
    assert!(page.contains("T.f(77)") && page.contains("&lt;img src=x") && !page.contains("<img"), "{page}");
    assert!(page.contains("U+0007"), "the hostile line is shown: {page}");
    let edges = [["Main", "User"], ["T", "Log"], ["User", "T"]];
    let graph = json!({ "nodes": ["T", "User", "Main"], "edges": [edges[0], edges[2]] });
    let save = place.path("change.toml");
    check(&place, "old → new: T.f", json!({ "graph": graph, "move": { "class": "User", "save": save } }));
    // The saved specification is one that `compare` reads, and it names the class that was moved.
    let run = compare(&place, &["--fuzz-first", "0", "--spec", "change.toml", "--report", "again.html"]);
    assert!(matches!(run.code, Some(0 | 1)), "{:?}: {}", run.code, run.stderr);
    assert!(place.read("change.toml").contains("\"User\""), "{}", place.read("change.toml"));
}

/// Ends in every way that the machine knows.
const MANY: &str = "package p; public class Many {
    static int depth(int n) { return n == 0 ? 1 / n : depth(n - 1); }
    public static String f(int x, String s) { // MARK
        if (x == 1) throw new IllegalStateException(\"HOSTILE\");
        if (x == 2) { assert false : \"never\"; }
        if (x == 3) { System.out.println(\"HOSTILE\"); System.exit(3); }
        if (x == 4) { depth(30); }
        if (x == 5) { Thread t = new Thread(() -> { }); t.start(); }
        if (s.equals(\"<i>\")) return s;
        if (x > 1000 && x < 0)
            return \"never\";
        return \"HOSTILE\";
    }
    static void unused() { System.out.println(); }
}
";

#[test]
fn the_page_of_an_exploration_groups_outcomes_and_shows_what_ran() {
    let place = Place::new();
    let source = place.write("src/p/Many.java", MANY.replace("HOSTILE", HOSTILE));
    lapidary_testkit::javac(&["-g"], &place.path("classes"), [source]);
    spoil(&place, "src/p/Many.java");
    let options = ["explore", "classes", "--main", "p.Many.f", "--fuzz-first", "0", "--report", "page.html"];
    place.lapidary(&patient(&options)).ends_with(1);
    let page = place.read("page.html");
    let section = |id: &str| {
        let (_, rest) = page.split_once(&format!("<section id=\"{id}\"")).unwrap_or_else(|| panic!("no {id}: {page}"));
        rest.split_once("</section>").unwrap().0
    };
    let findings = section("findings");
    for thrown in
        ["IllegalStateException at p.Many.f:4", "AssertionError at p.Many.f:5", "ArithmeticException at p.Many.depth:2"]
    {
        assert!(findings.contains(thrown), "{thrown}: {findings}");
    }
    assert!(findings.contains("verdict confirmed\">confirmed") && !findings.contains("not confirmed"), "{findings}");
    let results = section("results");
    assert!(results.contains("exit code 3") && results.contains("&lt;i&gt;"), "{results}");
    assert!(section("open").contains("not supported"), "the thread");
    let coverage = section("coverage");
    assert!(
        coverage.contains("l fault\" id=\"source-0-4\"") && coverage.contains("l missed\" id=\"source-0-11\""),
        "{coverage}"
    );
    assert!(coverage.contains("p.Many.depth") && !coverage.contains("p.Many.unused"), "{coverage}");
    assert!(page.contains("U+0007"), "the hostile line is shown: {page}");
    let figure = page
        .split_once("<dt>paths</dt><dd class=\"value\">")
        .map(|(_, rest)| rest.split('<').next().unwrap().to_owned());
    let paths: u64 = figure.and_then(|text| text.replace(',', "").parse().ok()).unwrap_or_else(|| panic!("{page}"));
    check(&place, "p.Many.f", json!({ "bars": [["Paths by outcome", paths]] }));
}

#[test]
fn the_page_of_an_exploration_is_never_written_over_the_program() {
    let place = Place::new();
    let source = place.write("Many.java", MANY.replace("HOSTILE", "").replace("package p;", ""));
    lapidary_testkit::javac(&["-g"], &place.path("classes"), [source]);
    let explore = |page: &str| {
        let options =
            ["explore", "classes", "--main", "Many.depth", "--paths", "1", "--fuzz-first", "0", "--report", page];
        place.lapidary(&patient(&options))
    };
    explore("classes").ends_with(2);
    explore("missing/page.html").ends_with(2).complains(&["the directory of missing/page.html does not exist"]);
    assert!(place.exists("classes/Many.class"));
}

#[test]
fn the_page_of_a_triage_links_bugs_to_stacks() {
    let place = Place::new();
    let source = "public class Main { public static void main(String[] a) throws Exception { plain();
        Main.class.getMethod(\"hidden\").invoke(null); if (a.length > 0) System.exit(3); }
        public static void plain() { byte[] all = new byte[10_000_000]; java.util.Arrays.fill(all, (byte) 255);
            System.arraycopy(\"\\u202e\\033[2J<img src=x>\".getBytes(), 0, all, 0, 10); System.err.write(all, 0, all.length); }
        public static void hidden() { } }";
    let source = place.write("Main.java", source);
    lapidary_testkit::javac(&[], &place.path("classes"), [source]);
    let program = |name: &str, arguments: &str| {
        format!("[[program]]\nname = {name:?}\nclasspath = [\"classes\"]\nmain = \"Main\"\narguments = [{arguments}]\n")
    };
    let more: String = (0..10).map(|number| program(&format!("plain{number}"), "")).collect();
    place.write("programs.toml", program(HOSTILE, "") + &program("early", "\"now\"") + &more);
    let knows = |methods: &[&str]| {
        let lines: String = methods.iter().map(|method| format!("echo 'Main.{method}'; ")).collect();
        format!("echo 'Main.main:([Ljava/lang/String;)V'; {lines}")
    };
    let good = format!("good={}", knows(&["plain:()V", "hidden:()V"]));
    let bad = format!("bad={}", knows(&["hidden:()V"]));
    let other = format!("other={}", knows(&["plain:()V", "hidden:()V"]));
    let options = ["triage", "--corpus", "programs.toml", "--own", "none", "--others", "none", "--report", "page.html"];
    place
        .lapidary(&[&options[..], &["--analysis", &good, "--analysis", &bad, "--analysis", &other]].concat())
        .ends_with(1);
    let page = place.read("page.html");
    let (before, rest) = page.split_once("<section id=\"bugs\"").expect("bugs");
    assert!(!before.contains("<section id="), "bugs come first");
    let (bugs, rest) = rest.split_once("</section>").unwrap();
    assert!(bugs.contains("Main.plain:()V") && bugs.contains("href=\"#loss-0\">stack</a>"), "{bugs}");
    assert!(
        rest.contains("id=\"loss-0\"") && rest.contains("no loss so far") && rest.contains("ended early"),
        "{page}"
    );
    assert!(page.contains("<section id=\"early\"") && !page.contains("<section id=\"notes\""), "{page}");
    check(
        &place,
        "12 programs",
        json!({
            "search": [["programs", "plain1", 1], ["programs", "early", 1], ["programs", "nothing", 0]],
            "bins": [["Inputs by easiness", 12]],
        }),
    );
}

#[test]
fn the_page_of_a_crash_shows_both_stacks_and_the_slice() {
    let place = Place::new();
    let source = format!(
        "#include <stdio.h>\nint noise; /* {HOSTILE} */\nstatic int divide(int n) {{\n  noise++;\n  return 10 / n;\n}}\n\
         int main(int argc, char **argv) {{\n  int n = argc - 1;\n  puts(\"{HOSTILE}\");\n  return divide(n); // MARK\n}}\n"
    );
    place.write("a.c", source);
    spoil(&place, "a.c");
    place.lapidary(&["crash", "a.c", "--report", "page.html"]).ends_with(0);
    let page = place.read("page.html");
    let (_, rest) = page.split_once("<section id=\"stacks\"").expect("stacks");
    let (stacks, rest) = rest.split_once("</section>").unwrap();
    assert!(stacks.contains("href=\"#original-0-5\"") && stacks.matches("SIGFPE").count() == 2, "{stacks}");
    let (_, rest) = rest.split_once("<section id=\"slice\"").expect("the slice");
    let (slice, _) = rest.split_once("</section>").unwrap();
    assert!(
        slice.contains("l fault\" id=\"original-0-5\"") && slice.contains("l kept\" id=\"original-0-10\""),
        "{slice}"
    );
    assert!(!slice.contains("l kept\" id=\"original-0-9\""), "the output has no part in it: {slice}");
    assert!(page.contains("U+0007"), "the hostile line is shown: {page}");
    check(&place, "a.c", json!({}));
}

/// The page that goes to a bug tracker is a page like the others.
#[test]
fn the_page_of_a_bundle_works_in_a_browser() {
    let place = Place::with_numbers();
    place.script("keeps", "grep -q '^17$' \"$1\"");
    let test = place.path("keeps").display().to_string();
    let reduce = ["reduce", "input.txt", "--bundle", "packed", "--", &test, "{}"];
    place.lapidary(&reduce).ends_with(0);
    check_page(&place, "packed/report.html", "input.txt", json!({}));
}
