//! Prints the syntax tree of a file: `syntax FILE [COMPILER ARGUMENT...]`.

use lapidary_clang::{Compilation, NodeId, SourceFile, Sources, Syntax, parse};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut given = std::env::args().skip(1);
    let file = std::path::absolute(PathBuf::from(given.next().expect("a file"))).expect("a path");
    let text = std::fs::read(&file).expect("a readable file");
    let sources = Sources { files: vec![SourceFile { path: file.clone(), text: text.into() }] };
    let started = Instant::now();
    let quiet = std::env::var_os("QUIET").is_some();
    let syntax = parse(&sources, &Compilation { file, arguments: given.collect() }).expect("libclang");
    if !quiet {
        syntax.roots().for_each(|root| print(&syntax, root, 0));
    }
    syntax.complaints.iter().for_each(|complaint| println!("{complaint}"));
    let elapsed = started.elapsed();
    println!(
        "{} nodes, {} entities, {} types, {elapsed:?}",
        syntax.nodes.len(),
        syntax.entities.len(),
        syntax.types.len()
    );
}

fn print(syntax: &Syntax, id: NodeId, depth: usize) {
    let node = syntax.node(id);
    let text = String::from_utf8_lossy(syntax.text(id));
    let text: String = text.chars().take(40).map(|letter| if letter == '\n' { ' ' } else { letter }).collect();
    let name = |entity: Option<_>| entity.map_or("", |entity| &*syntax.entity(entity).name);
    let class = syntax.type_of(id).map(|found| found.spelling.clone());
    println!(
        "{:depth$}{:?} `{text}`{} declares={} refers={} type={class:?} args={}",
        "",
        node.kind,
        if node.in_macro { " (macro)" } else { "" },
        name(node.declares),
        name(node.refers),
        node.arguments,
        depth = depth * 2
    );
    syntax.children(id).for_each(|child| print(syntax, child, depth + 1));
}
