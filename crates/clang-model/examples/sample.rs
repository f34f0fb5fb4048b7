//! Random valid candidates of a program, checked by libclang: `sample FILE COUNT [COMPILER ARGUMENT...]`.

use lapidary_clang::Checker;
use lapidary_clang_model::{ClangModel, Detail, Layout, Project, View};
use lapidary_logic::{Reasoner, VarSet, random_solution};
use lapidary_reduce::{FileTree, Model};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut given = std::env::args().skip(1);
    let file = std::path::absolute(PathBuf::from(given.next().expect("a file"))).expect("a path");
    let count: u64 = given.next().expect("a count").parse().expect("a number");
    let project = Project::single(&file, given.collect());
    let name = file.file_name().expect("a file").to_string_lossy().into_owned();
    let tree = FileTree::file(name, std::fs::read(&file).expect("a readable file"));
    let detail = if std::env::var_os("EXPRESSIONS").is_some() { Detail::Expressions } else { Detail::Statements };
    let started = Instant::now();
    let model = ClangModel::new(&project, &tree, View { detail, layout: Layout::Compact }).expect("libclang");
    println!("{} items, {} clauses, {:?}", model.items().len(), model.constraint().len(), started.elapsed());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    model.items().iter().for_each(|item| *kinds.entry(&item.kind).or_default() += 1);
    println!("{kinds:?}");
    let mut checker = Checker::new(project.compilations[0].clone());
    let complaints =
        |checker: &mut Checker, tree: &FileTree| checker.complaints(&project.sources(tree)).expect("libclang");
    let known: BTreeSet<String> = complaints(&mut checker, &tree).into_iter().map(|found| found.message).collect();
    println!("original: {known:?}");
    let all = VarSet::full(model.constraint().variables());
    assert_eq!(model.render(&all).expect("it renders").key(), tree.key(), "the full set is the input");
    let reasoner = Reasoner::new(model.constraint());
    let (mut valid, mut rendering) = (0, 0.0);
    let mut messages: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..count {
        let keep = random_solution(&reasoner, seed);
        let started = Instant::now();
        let candidate = model.render(&keep).expect("it renders");
        rendering += started.elapsed().as_secs_f64();
        let found = complaints(&mut checker, &candidate);
        match found.iter().find(|complaint| !known.contains(&complaint.message)) {
            None => valid += 1,
            Some(first) => {
                *messages.entry(first.message.clone()).or_default() += 1;
                if let Some(folder) = std::env::var_os("KEEP") {
                    let path = PathBuf::from(folder).join(format!("{seed}-{}", tree.name()));
                    let text = project.sources(&candidate).files[0].text.to_vec();
                    std::fs::write(&path, text).expect("it can be written");
                    println!("seed {seed}: {first}");
                }
            }
        }
    }
    println!("{valid} of {count} compile; rendering {:.1} ms each", rendering * 1000.0 / count as f64);
    let mut messages: Vec<_> = messages.into_iter().collect();
    messages.sort_by_key(|(_, times)| usize::MAX - times);
    messages.iter().take(12).for_each(|(message, times)| println!("{times:4} {message}"));
}
