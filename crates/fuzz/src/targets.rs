//! The readers, each with seeds and the promise it makes.

use lapidary_callgraph::tools::read_methods;
use lapidary_classfile::Class;
use lapidary_compare::Spec;
use lapidary_crash::read_compile_commands;
use lapidary_fji::FjiModel;
use lapidary_json_model::JsonModel;
use lapidary_jvm::{ClassSignature, Compression, FieldType, Limits, MethodSignature, MethodType, read_jar, write_jar};
use lapidary_logic::VarSet;
use lapidary_predicate::{WorkerAnswer, WorkerHello};
use lapidary_reduce::{FileTree, Header, Journal, Key, Model, journal};
use lapidary_terms::{Sort, parse_values};
use lapidary_tracer::Trace;
use lapidary_tree_model::{Kind, language_of, model};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A reader to be fuzzed.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, as reports call it.
    pub name: &'static str,
    /// How many inputs take about a second without optimisation.
    pub in_a_second: u64,
    /// Inputs that the reader accepts.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads an input and returns whether it was accepted. Panics if a promise is broken.
    pub read: fn(&[u8]) -> bool,
}

/// All readers.
pub const TARGETS: &[Target] = &[
    Target { name: "class file", in_a_second: 400, seeds: classes, read: class_file },
    Target { name: "jar", in_a_second: 400, seeds: jars, read: jar },
    Target { name: "journal", in_a_second: 400, seeds: journals, read: journal_file },
    Target { name: "model file", in_a_second: 400, seeds: models, read: model_file },
    Target { name: "trace", in_a_second: 400, seeds: traces, read: trace },
    Target { name: "SMT answer", in_a_second: 400, seeds: smt_answers, read: smt_answer },
    Target { name: "worker answer", in_a_second: 400, seeds: worker_answers, read: worker_answer },
    Target { name: "syntax tree", in_a_second: 100, seeds: sources, read: syntax_tree },
    Target { name: "compile commands", in_a_second: 400, seeds: compile_commands, read: compile_command_file },
    Target { name: "specification", in_a_second: 400, seeds: specifications, read: specification },
    Target { name: "list of methods", in_a_second: 400, seeds: method_lists, read: method_list },
    Target { name: "descriptor", in_a_second: 400, seeds: descriptors, read: descriptor },
    Target { name: "Featherweight Java", in_a_second: 400, seeds: featherweight, read: featherweight_java },
];

/// A file of the repository.
fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// A file of the repository.
fn file(name: &str) -> Vec<u8> {
    fs::read(repository(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The files of a folder with an extension, in order of their names.
fn files(folder: &Path, extension: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.iter().map(|path| fs::read(path).expect("the file can be read")).collect()
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn classes() -> Vec<Vec<u8>> {
    static COMPILED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let compile = || {
        in_directory(|directory| {
            let source = directory.join("Seeds.java");
            fs::write(&source, include_str!("Seeds.java")).expect("a file can be written");
            let compiled = Command::new("javac").arg("-g").arg("-d").arg(directory).arg(source).status();
            assert!(compiled.is_ok_and(|status| status.success()), "javac is needed: `scripts/setup java`");
            files(directory, "class")
        })
    };
    COMPILED.get_or_init(compile).clone()
}

/// A class that is read can be written, and what was written is read as the same class.
fn class_file(bytes: &[u8]) -> bool {
    let Ok(class) = Class::read(bytes) else { return false };
    if let Ok(written) = class.write() {
        let again = Class::read(&written).expect("a class that was written can be read");
        assert_eq!(again.write().expect("it can be written again"), written);
    }
    true
}

fn jars() -> Vec<Vec<u8>> {
    let entries: [(&str, &[u8]); 3] = [("META-INF/MANIFEST.MF", b"Main-Class: p.A\n"), ("p/", b""), ("p/A", &[7; 99])];
    let packed = |compression| write_jar(entries, compression).expect("a jar can be written");
    vec![packed(Compression::Stored), packed(Compression::Deflated)]
}

/// Unpacked content stays below the limit, whatever the archive claims.
fn jar(bytes: &[u8]) -> bool {
    let limits = Limits { entries: 1000, total_bytes: 1 << 20, ratio: 200, ratio_from_bytes: 1 << 16 };
    let Ok(jar) = read_jar(bytes, &limits) else { return false };
    let unpacked: usize = jar.entries.iter().map(|entry| entry.bytes.len()).sum();
    assert!(unpacked <= 1 << 20 && jar.entries.len() <= 1000);
    true
}

fn header() -> Header {
    Header::new(Key([7; 32]), vec!["the test".to_owned()])
}

/// Works in a directory of its own.
fn in_directory<T>(work: impl FnOnce(&Path) -> T) -> T {
    let directory = tempfile::tempdir().expect("a temporary directory can be made");
    work(directory.path())
}

fn journals() -> Vec<Vec<u8>> {
    in_directory(|directory| {
        let path = directory.join("journal");
        drop(Journal::create(&path, &header()).expect("a journal can be written"));
        let mut text = fs::read(&path).expect("it was written");
        text.extend_from_slice(include_bytes!("journal.jsonl"));
        vec![text]
    })
}

/// A journal that is resumed twice says the same twice, and can be read.
fn journal_file(bytes: &[u8]) -> bool {
    in_directory(|directory| {
        let path = directory.join("journal");
        fs::write(&path, bytes).expect("a file can be written");
        let _ = journal::read(&path);
        let Ok(first) = Journal::resume(&path, &header()) else { return false };
        let known = first.known.len();
        drop(first);
        let again = Journal::resume(&path, &header()).expect("a journal that was resumed can be resumed");
        assert!(again.known.len() <= known && again.damaged.is_none(), "the damage was cut off");
        journal::read(&path).expect("it can be read");
        true
    })
}

fn models() -> Vec<Vec<u8>> {
    vec![file("examples/model/packages.json")]
}

fn model_file(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match JsonModel::parse(text, Path::new("/nowhere")) {
        Ok(model) => all_is_valid(&model),
        Err(problem) => {
            assert!(!problem.to_string().is_empty());
            false
        }
    }
}

/// The full set is a solution, and it can be written out.
fn all_is_valid(model: &dyn Model) -> bool {
    let full = VarSet::full(model.constraint().variables());
    assert!(model.constraint().is_satisfied_by(&full));
    assert!(model.render(&full).is_ok());
    true
}

fn traces() -> Vec<Vec<u8>> {
    texts(&["lapidary-trace 1\nmethod 0 pkg/Main.main:([Ljava/lang/String;)V\nenter 0 0@0\n\
             method 1 pkg/Main$Task.run:()V\nmethod 2 java/lang/Thread.run:()V\nenter 1 object=5 1@0 2@11\n\
             returned 2 5 Lpkg/Main$Task;\nend\n"])
}

fn trace(bytes: &[u8]) -> bool {
    Trace::parse(&String::from_utf8_lossy(bytes)).is_some_and(|trace| trace.methods().count() > 0)
}

fn smt_answers() -> Vec<Vec<u8>> {
    texts(&[
        "((x true) (y #x0000002a) (z (fp #b0 #b10000000 #b10010010000111111011011)))",
        "((x false) (y #b101) (z (_ NaN 8 24)))",
        "((x true) (y (_ bv42 32)) (z (_ -oo 8 24)))",
    ])
}

fn smt_answer(bytes: &[u8]) -> bool {
    let sorts = [Sort::Bool, Sort::Bits(32), Sort::Single];
    parse_values(&String::from_utf8_lossy(bytes), &sorts).is_some_and(|values| values.len() == sorts.len())
}

fn worker_answers() -> Vec<Vec<u8>> {
    texts(&[
        r#"{"lapidary": 1}"#,
        r#"{"id": 7, "verdict": "interesting", "reason": "the assertion in line 12 fails"}"#,
        r#"{"id": 7, "exit": 1, "stdout": "…", "stderr": ""}"#,
    ])
}

/// A message about a bad answer stays short, however long the answer is.
fn worker_answer(bytes: &[u8]) -> bool {
    let (hello, answer) = (WorkerHello::parse(bytes), WorkerAnswer::parse(bytes, 7));
    for complaint in [hello.as_ref().err(), answer.as_ref().err()].into_iter().flatten() {
        assert!(!complaint.is_empty() && complaint.len() < 2000, "{complaint}");
    }
    hello.is_ok() || answer.is_ok()
}

/// A small text in each of the languages that are built in.
const SOURCES: [(&str, &str); 14] = [
    ("x.c", "int f(int x) { return x ? f(x - 1) : 2; }\nint main(void) { f(3); }\n"),
    ("x.cpp", "template <class T> struct A { T t; };\nint main() { A<int> a{1}; return a.t; }\n"),
    ("x.css", "a:hover, b { color: red; margin: 1px 2px }\n@media print { p { top: 0 } }\n"),
    ("x.go", "package p\nfunc f(x int) int {\n\tif x > 0 { return f(x - 1) }\n\treturn 1\n}\n"),
    ("x.html", "<ul><li class=a>one</li><li>two<br></li></ul>\n"),
    ("x.java", "class A { int f(int x) { return x > 0 ? f(x - 1) : 1; } }\n"),
    ("x.js", "function f(a, b) { if (a) { return b + 1; } }\nf(1, `x${2}`);\n"),
    ("x.json", "{\"a\": [1, 2, {\"b\": null}], \"c\": \"d\"}\n"),
    ("x.py", "def f(x):\n    if x:\n        return [1, x]\n    return f(1)\n"),
    ("x.rs", "fn f(x: u8) -> u8 { match x { 0 => 1, _ => f(x - 1) } }\n"),
    ("x.sh", "if true; then echo a | cat; fi\nfor i in 1 2; do echo $i; done\n"),
    ("x.sql", "SELECT a, b FROM t WHERE a > 1 AND b IN (1, 2);\n"),
    ("x.ts", "interface A { b: number }\nconst f = (a: A): number => a.b;\n"),
    ("x.xml", "<a b=\"c\"><d/>text<e>more</e></a>\n"),
];

/// Each text after a byte that selects its language.
fn sources() -> Vec<Vec<u8>> {
    (0..).zip(SOURCES).map(|(number, (_, text)): (u8, _)| [&[number], text.as_bytes()].concat()).collect()
}

fn syntax_tree(bytes: &[u8]) -> bool {
    let Some((&number, text)) = bytes.split_first() else { return false };
    let (name, _) = SOURCES[usize::from(number) % SOURCES.len()];
    let Some(language) = language_of(Path::new(name), b"") else { return false };
    let tree = FileTree::file(name, text.to_vec());
    let Some(model) = model(&Kind::Tree(language), &tree, Path::new("")) else { return false };
    let full = VarSet::full(model.constraint().variables());
    assert!(model.render(&full).expect("the full set can be written") == tree, "the full set is the input");
    all_is_valid(&*model)
}

fn compile_commands() -> Vec<Vec<u8>> {
    texts(&[r#"[{"directory": "/p", "file": "a.c", "command": "ccache gcc -I inc -DX='a b' -o a.o -c a.c"},
            {"directory": "/p", "file": "b.c", "arguments": ["clang", "-isystem", "/q", "-MF", "d", "b.c"]}]"#])
}

fn compile_command_file(bytes: &[u8]) -> bool {
    in_directory(|directory| {
        let path = directory.join("compile_commands.json");
        fs::write(&path, bytes).expect("a file can be written");
        let Ok(commands) = read_compile_commands(&path) else { return false };
        commands.iter().for_each(|command| _ = (command.compiler(), command.flags(Path::to_path_buf)));
        !commands.is_empty()
    })
}

fn specifications() -> Vec<Vec<u8>> {
    let mut seeds = vec![file("examples/compare/change.toml")];
    seeds.extend(texts(&[
        "numbers = { ulp = 2 }\npure = [\"shop.Audit.*\"]\n[[unchanged]]\nclass = \"shop.Cart\"\n",
        "result = \"changed\"\n[[changed]]\nclass = \"shop.Till\"\nparameter = 1\nabove = 10\n",
    ]));
    seeds
}

/// Every error names a place in the text.
fn specification(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    match Spec::read(text) {
        Ok(_) => true,
        Err(error) => {
            assert!((1..=text.matches('\n').count() + 1).contains(&error.line), "{error}");
            false
        }
    }
}

fn method_lists() -> Vec<Vec<u8>> {
    texts(&["p/A.m:()V\np/A$B.<init>:(I[Ljava/lang/String;)V\n# a note\n"])
}

fn method_list(bytes: &[u8]) -> bool {
    let _ = lapidary_triage::Answer::parse(&String::from_utf8_lossy(bytes));
    !read_methods(bytes).methods.is_empty()
}

fn descriptors() -> Vec<Vec<u8>> {
    texts(&[
        "(I[[Ljava/lang/String;J)Lp/A;",
        "[[D",
        "<T:Ljava/lang/Object;>Ljava/util/List<-TT;>.Inner<*>;Ljava/lang/Comparable<TT;>;",
        "<X:Ljava/lang/Exception;>(TX;)V^TX;",
    ])
}

fn descriptor(bytes: &[u8]) -> bool {
    let results = [
        FieldType::parse(bytes).is_ok(),
        MethodType::parse(bytes).is_ok(),
        ClassSignature::parse(bytes).is_ok(),
        MethodSignature::parse(bytes).is_ok(),
    ];
    results.contains(&true)
}

fn featherweight() -> Vec<Vec<u8>> {
    vec![file("examples/fji/figure1.fji")]
}

fn featherweight_java(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    FjiModel::parse("input.fji", text).is_ok_and(|model| all_is_valid(&model))
}
