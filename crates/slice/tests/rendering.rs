//! Slices compile, whatever line they are for, and are rendered in the requested style.

use crate::common;

use common::{criterion, programs, units};
use lapidary_clang::{Compilation, Reader, SourceFile, Sources, parse};
use lapidary_slice::{Criterion, SliceError, Style, render, static_slice};
use std::path::{Path, PathBuf};

#[test]
fn slices_of_every_line_compile() {
    let mut wrong = Vec::new();
    for path in programs("static") {
        let units = units(&path);
        let standard = if path.extension().is_some_and(|kind| kind == "cpp") { "-std=c++17" } else { "-std=c17" };
        let mut reader = Reader::new(Compilation { file: path.clone(), arguments: vec![standard.to_owned()] });
        let lines = std::fs::read_to_string(&path).expect("a readable program").lines().count() as u32;
        for line in 1..=lines {
            let slice = match static_slice(&units, &Criterion { file: path.clone(), line, variable: None }) {
                Ok(slice) => slice,
                Err(SliceError::NothingThere { .. }) => continue,
                Err(other) => panic!("{other}"),
            };
            let files =
                render(&slice, Style::Blank).into_iter().map(|(path, text)| SourceFile { path, text: text.into() });
            let complaints = reader.complaints(&Sources { files: files.collect() }).expect("libclang");
            wrong.extend(complaints.iter().map(|complaint| format!("{}:{line}: {complaint}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn styles_show_what_is_not_in_the_slice_differently() {
    let path = programs("static").into_iter().find(|path| path.ends_with("assignments.c")).expect("a program");
    let slice = static_slice(&units(&path), &criterion(&path)).expect("a slice");
    let text = |style| String::from_utf8(render(&slice, style).remove(0).1).expect("text");
    let original = std::fs::read_to_string(&path).expect("a readable program");
    assert_eq!(text(Style::Blank).lines().count(), original.lines().count());
    assert!(text(Style::Blank).contains("int c = a + 1;"));
    assert!(!text(Style::Compact).contains("int b = 2;"));
    assert!(text(Style::Compact).lines().count() < original.lines().count());
    assert!(text(Style::Dimmed).contains("\x1b[2mint b = 2;\x1b[0m"));
    let plain = text(Style::Dimmed).replace("\x1b[2m", "").replace("\x1b[0m", "");
    assert_eq!(plain, original);
}

#[test]
fn a_slice_reaches_over_files() {
    let files = [
        ("shape.h", "#ifndef SHAPE\n#define SHAPE\nint area(int);\nint colour(void);\n#endif\n"),
        (
            "shape.c",
            "#include \"shape.h\"\nstatic int unit = 2;\nint area(int side) { return side * unit; }\nint colour(void) { return 1; }\n",
        ),
        (
            "main.c",
            "#include \"shape.h\"\nint main(void)\n{\nint c = colour();\nint a = area(3);\nreturn 10 / (a - 6);\n}\n",
        ),
    ];
    let folder = Path::new("/several");
    let files = files.map(|(name, text)| SourceFile { path: folder.join(name), text: text.as_bytes().into() });
    let sources = Sources { files: files.to_vec() };
    let unit = |name: &str| {
        parse(&sources, &Compilation { file: folder.join(name), arguments: Vec::new() }).expect("libclang")
    };
    let criterion = Criterion { file: PathBuf::from("main.c"), line: 6, variable: None };
    let slice = static_slice(&[unit("shape.c"), unit("main.c")], &criterion).expect("a slice");
    let lines = |name: &str| slice.lines(&folder.join(name)).into_iter().collect::<Vec<_>>();
    assert_eq!(lines("main.c"), [1, 2, 3, 5, 6, 7]);
    assert_eq!(lines("shape.c"), [1, 2, 3]);
    assert_eq!(lines("shape.h"), [1, 2, 3, 5]);
}

#[test]
fn a_question_that_makes_no_sense_is_an_error() {
    let path = programs("static").into_iter().find(|path| path.ends_with("conditions.c")).expect("a program");
    let units = units(&path);
    let ask = |line, variable: Option<&str>| {
        let criterion = Criterion { file: path.clone(), line, variable: variable.map(str::to_owned) };
        static_slice(&units, &criterion).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(ask(25, Some("total")), Ok(()));
    assert!(ask(25, Some("zzz")).unwrap_err().starts_with("there is no variable zzz on line 25 of"));
    assert!(ask(1, None).unwrap_err().starts_with("there is no statement on line 1"));
}

#[test]
fn text_that_does_not_compile_still_gives_a_slice() {
    let path = PathBuf::from("/broken/a.c");
    let text =
        "int f(a, b) int a; char *b; { return a; }\nint main(void) <% int x = 1; undeclared(x; \n return x; %>\n}}}";
    let sources = Sources { files: vec![SourceFile { path: path.clone(), text: text.as_bytes().into() }] };
    let unit = parse(&sources, &Compilation { file: path.clone(), arguments: Vec::new() }).expect("libclang");
    assert!(!unit.complaints.is_empty());
    let units = [unit];
    for line in 0..6 {
        let sliced = static_slice(&units, &Criterion { file: path.clone(), line, variable: None });
        assert!(matches!(sliced, Ok(_) | Err(SliceError::NothingThere { .. })));
    }
}
