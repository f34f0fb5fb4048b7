//! Prints a static slice: `slice FILE LINE[:VARIABLE] [COMPILER ARGUMENT...]`.

use lapidary_clang::{Compilation, SourceFile, Sources, parse};
use lapidary_slice::{Criterion, Style, static_slice};
use std::path::PathBuf;

fn main() {
    let mut given = std::env::args().skip(1);
    let file = std::path::absolute(PathBuf::from(given.next().expect("a file"))).expect("a path");
    let wanted = given.next().expect("a line");
    let (line, variable) =
        wanted.split_once(':').map_or((&*wanted, None), |(line, name)| (line, Some(name.to_owned())));
    let text = std::fs::read(&file).expect("a readable file");
    let sources = Sources { files: vec![SourceFile { path: file.clone(), text: text.into() }] };
    let unit = parse(&sources, &Compilation { file: file.clone(), arguments: given.collect() }).expect("libclang");
    let criterion = Criterion { file, line: line.parse().expect("a number"), variable };
    match static_slice(&[unit], &criterion) {
        Ok(slice) => {
            for sliced in &slice.files {
                print!("{}", String::from_utf8_lossy(&sliced.render(Style::Compact)));
            }
        }
        Err(error) => eprintln!("{error}"),
    }
}
