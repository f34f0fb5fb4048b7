//! Checks random valid candidates of a program with libclang:
//! `sample FILE COUNT [COMPILER ARGUMENT...]`.
//!
//! A candidate is bad if libclang reports a complaint that it does not report for the file itself.
//! With `SINGLES` in the environment, the candidates are not random: for each of COUNT items spread
//! over the program, they are the largest candidate without it and the smallest with it. With
//! `KEEP=FOLDER`, bad candidates are saved there.

use lapidary_clang::Reader;
use lapidary_clang_model::{ClangModel, Detail, Layout, Project, View};
use lapidary_logic::{Reasoner, Remover, Sacrifice, Var, VarSet, random_solution};
use lapidary_reduce::{FileTree, Model};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let mut given = std::env::args().skip(1);
    let file = std::path::absolute(PathBuf::from(given.next().expect("a file"))).expect("a path");
    let count: usize = given.next().expect("a count").parse().expect("a number");
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
    let all = VarSet::full(model.constraint().variables());
    assert_eq!(model.render(&all).expect("it renders").key(), tree.key(), "the full set is the input");
    check(&project, &tree, &model, count);
}

fn check(project: &Project, tree: &FileTree, model: &ClangModel, count: usize) {
    let mut reader = Reader::new(project.compilations[0].clone());
    let mut complaints = |tree: &FileTree| reader.complaints(&project.sources(tree)).expect("libclang");
    let known: BTreeSet<String> = complaints(tree).into_iter().map(|found| found.message).collect();
    println!("original: {known:?}");
    let (mut valid, mut tried, mut rendering) = (0, 0, 0.0);
    let mut sizes = Vec::new();
    let mut messages: BTreeMap<String, usize> = BTreeMap::new();
    for (seed, keep) in candidates(model, count) {
        let started = Instant::now();
        let candidate = model.render(&keep).expect("it renders");
        rendering += started.elapsed().as_secs_f64();
        sizes.push(candidate.bytes() * 100 / tree.bytes().max(1));
        tried += 1;
        match complaints(&candidate).into_iter().find(|complaint| !known.contains(&complaint.message)) {
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
    sizes.sort_unstable();
    let quarter = |part: usize| sizes.get(sizes.len().saturating_sub(1) * part / 4).copied().unwrap_or_default();
    println!("{valid} of {tried} compile; rendering {:.1} ms each", rendering * 1000.0 / f64::from(tried.max(1)));
    println!("sizes in %: quartiles {} {} {}", quarter(1), quarter(2), quarter(3));
    let mut messages: Vec<_> = messages.into_iter().collect();
    messages.sort_by_key(|(_, times)| usize::MAX - times);
    messages.iter().take(12).for_each(|(message, times)| println!("{times:4} {message}"));
}

fn candidates(model: &ClangModel, count: usize) -> Box<dyn Iterator<Item = (String, VarSet)>> {
    let reasoner = Reasoner::new(model.constraint());
    if std::env::var_os("SINGLES").is_none() {
        return Box::new((0..count as u64).map(move |seed| (seed.to_string(), random_solution(&reasoner, seed))));
    }
    let items = model.items().len();
    let variables = model.constraint().variables();
    let chosen = (0..items).step_by((items / count.max(1)).max(1));
    Box::new(chosen.flat_map(move |index| {
        let mut remover = Remover::new(&reasoner, VarSet::full(variables));
        if let Some(gone) = remover.consequences(&[Var::new(index)], Sacrifice::Last) {
            remover.commit(&gone);
        }
        let with = reasoner.minimal_solution(&VarSet::full(variables), &[Var::new(index)]);
        [(format!("without-{index}"), remover.current().clone()), (format!("with-{index}"), with)]
    }))
}
