//! libclang in a child process reads the same as in this one, and may die. This program is its own
//! child, so it has a `main` of its own.

use lapidary_clang::{Compilation, Reader, SERVICE, SourceFile, Sources, complaints_about_declarations, parse};
use std::process::Command;

const PROGRAM: &str = "#include <stddef.h>\n#define TWO 2\nstruct pair { int a, b[TWO]; };\n\
    static int f(struct pair *p) { return p->a + p->b[1] + missing; }\nint main(void) { return f(NULL); }\n";

fn main() {
    lapidary_foreign::run_if_asked(&[&SERVICE]);
    match std::env::args().nth(1).as_deref() {
        Some("describe") => println!("{}", description()),
        _ => {
            children_read_the_same();
            a_text_that_breaks_libclang_is_an_error();
            readers_share_children_unless_they_read_at_once();
            println!("test result: ok. 3 passed; 0 failed");
        }
    }
}

fn sources(text: &str) -> (Sources, Compilation) {
    let path = std::env::temp_dir().join("nowhere/a.c");
    let compilation = Compilation { file: path.clone(), arguments: vec!["-std=gnu11".into()] };
    (Sources { files: vec![SourceFile { path, text: text.as_bytes().into() }] }, compilation)
}

/// Everything that libclang says about a program, in each way of asking.
fn description() -> String {
    let (sources, compilation) = sources(PROGRAM);
    let mut reader = Reader::new(compilation.clone());
    let (kept, again) = (reader.syntax(&sources), reader.complaints(&sources));
    let declarations = complaints_about_declarations(&sources, &compilation);
    format!("{:#?}\n{kept:#?}\n{again:?}\n{declarations:?}", parse(&sources, &compilation))
}

fn children_read_the_same() {
    let here = Command::new(std::env::current_exe().unwrap())
        .arg("describe")
        .env("LAPIDARY_IN_PROCESS", "1")
        .output()
        .expect("this program can be started");
    let here = String::from_utf8(here.stdout).unwrap();
    assert!(here.contains("missing") && here.len() > 10_000, "{here}");
    assert_eq!(description().trim(), here.trim());
}

fn a_text_that_breaks_libclang_is_an_error() {
    // A million levels are too deep for every version of libclang, whatever its stack.
    let (broken, compilation) = sources(&format!("int x = {};", "(".repeat(1_000_000)));
    let mut reader = Reader::new(compilation);
    let error = reader.complaints(&broken).unwrap_err().to_string();
    assert!(error.contains("libclang cannot read") && error.contains("a.c ("), "{error}");
    let (fine, _) = sources("int x = 1;");
    assert_eq!(reader.complaints(&fine).unwrap(), []);
    assert_eq!(reader.syntax(&fine).unwrap().entities[0].name, "x");
}

fn readers_share_children_unless_they_read_at_once() {
    let (sources, compilation) = sources(PROGRAM);
    let mut readers = [(); 4].map(|()| Reader::new(compilation.clone()));
    let complaints = readers[0].complaints(&sources).unwrap();
    let children = child_count();
    for _ in 0..2 {
        readers.iter_mut().for_each(|reader| assert_eq!(reader.complaints(&sources).unwrap(), complaints));
    }
    assert_eq!(child_count(), children, "one after the other needs no further child");
    std::thread::scope(|scope| {
        for reader in &mut readers {
            scope.spawn(|| (0..20).for_each(|_| assert_eq!(reader.complaints(&sources).unwrap(), complaints)));
        }
    });
    assert!(child_count() <= 4, "{}", child_count());
}

/// The number of this process's children, which may have been started by any of its threads.
fn child_count() -> usize {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    let children =
        |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
    threads.map(|thread| children(thread.unwrap()).split_whitespace().count()).sum()
}
