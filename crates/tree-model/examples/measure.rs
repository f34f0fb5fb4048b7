//! Measures the tree model of a file: items, clauses, time to build, time to write half of it,
//! share that parses.

use lapidary_logic::{Reasoner, Remover, Sacrifice, Var, VarSet};
use lapidary_reduce::{FileTree, Model};
use lapidary_tree_model::{Kind, language_of, model};
use std::path::Path;
use std::time::Instant;

fn main() {
    for path in std::env::args().skip(1) {
        measure(Path::new(&path));
    }
}

fn measure(path: &Path) {
    let content = std::fs::read(path).expect("the file can be read");
    let language = language_of(path, &content).expect("the language is known");
    let tree = FileTree::file("input", content.clone());
    let start = Instant::now();
    if let Some(model) = model(&Kind::Outline(language.clone()), &tree, Path::new("")) {
        let (items, clauses) = (model.items().len(), model.constraint().len());
        println!("{}: outline of {items} items, {clauses} clauses, built in {:.2?}", path.display(), start.elapsed());
    }
    let start = Instant::now();
    let Some(model) = model(&Kind::Tree(language.clone()), &tree, Path::new("")) else {
        return println!("{} does not parse", path.display());
    };
    let built = start.elapsed();
    let (items, clauses) = (model.items().len(), model.constraint().len());
    let preferred = model.preference().map_or(0, |cnf| cnf.len());
    println!("{}: {items} items, {clauses} clauses, {preferred} preferred, built in {built:.2?}", path.display());
    let full = VarSet::full(model.constraint().variables());
    let start = Instant::now();
    assert!(model.render(&full).expect("renders") == tree, "the full set is the input");
    println!("  full text written in {:.2?}", start.elapsed());
    half(&*model, full, content.len() as u64 / 2);
    println!("  accepted without change: {}", language.accepts(&content));
}

fn half(model: &dyn Model, full: VarSet, size: u64) {
    let start = Instant::now();
    let reasoner = Reasoner::new(model.constraint());
    let mut remover = Remover::new(&reasoner, full);
    println!("  reasoner ready in {:.2?}", start.elapsed());
    let count = model.items().len();
    for step in 0..count {
        let var = Var::new(step.wrapping_mul(7919) % count);
        if remover.current().contains(var)
            && let Some(gone) = remover.consequences(&[var], Sacrifice::Last)
        {
            remover.commit(&gone);
        }
        if step % 50 == 0 {
            let candidate = model.render(remover.current()).expect("renders");
            if candidate.bytes() <= size {
                break;
            }
        }
    }
    let start = Instant::now();
    let candidate = model.render(remover.current()).expect("renders");
    println!("  {} bytes written in {:.2?}", candidate.bytes(), start.elapsed());
}
