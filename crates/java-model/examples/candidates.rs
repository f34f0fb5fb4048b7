//! Writes random valid sub-inputs of a jar, one after another, for a checker.
//!
//! `candidates JAR MODEL FIRST COUNT OUT.jar [LIBRARY...]` produces a candidate for each seed from
//! FIRST on. Each replaces the previous one in OUT.jar and is announced by a line
//! `SEED CLASSES BYTES`; the next is produced when a line comes in. The first line,
//! `full CLASSES BYTES`, says that keeping everything has reproduced the input.

mod program;

use lapidary_logic::{Reasoner, VarSet, random_solution};
use lapidary_reduce::FileTree;
use std::error::Error;
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [jar, kind, first, count, out, libraries @ ..] = arguments.as_slice() else {
        return Err("usage: candidates JAR MODEL FIRST COUNT OUT.jar [LIBRARY...]".into());
    };
    let (first, count): (u64, u64) = (first.parse()?, count.parse()?);
    let jar = program::open(jar)?;
    let model = program::model(kind, jar.tree(), program::class_path(libraries)?)?;
    let full = VarSet::full(model.constraint().variables());
    if !model.constraint().is_satisfied_by(&full) {
        return Err("the whole program does not satisfy the constraint".into());
    }
    let whole = model.render(&full)?;
    if whole.key() != jar.tree().key() {
        return Err("keeping everything does not give the input back".into());
    }
    announce("full", &whole)?;
    let reasoner = Reasoner::new(model.constraint());
    let mut answers = std::io::stdin().lock().lines();
    for seed in first..first + count {
        let tree = model.render(&random_solution(&reasoner, seed))?;
        std::fs::write(out, &*program::packed(&jar, &tree)?)?;
        announce(&seed.to_string(), &tree)?;
        if answers.next().transpose()?.is_none() {
            break;
        }
    }
    Ok(())
}

fn announce(what: &str, tree: &FileTree) -> std::io::Result<()> {
    let classes = tree.entries().filter(|(path, _)| path.extension().is_some_and(|found| found == "class")).count();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{what} {classes} {}", tree.bytes())?;
    out.flush()
}
