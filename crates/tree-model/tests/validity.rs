//! The share of random valid candidates that the parser accepts, language by language.

mod common;

use common::{Random, SNIPPETS, random_candidate, text};
use lapidary_logic::Reasoner;
use lapidary_reduce::FileTree;
use lapidary_tree_model::{Kind, language_of, model};
use std::path::Path;

const CANDIDATES: usize = 200;

fn share(name: &str, content: &str) -> f64 {
    let language = language_of(Path::new(name), content.as_bytes()).unwrap();
    assert!(language.accepts(content.as_bytes()), "{name} has an error");
    let tree = FileTree::file(name, content);
    let model = model(&Kind::Tree(language.clone()), &tree, Path::new("")).unwrap();
    let reasoner = Reasoner::new(model.constraint());
    let mut random = Random(7);
    let mut accepted = 0;
    for round in 0..CANDIDATES {
        let keep = random_candidate(&*model, &reasoner, &mut random, 1 + round % 12);
        let candidate = text(&model.render(&keep).unwrap());
        let good = language.accepts(&candidate);
        if !good && std::env::var_os("SHOW").is_some_and(|only| name.ends_with(only.to_str().unwrap())) {
            let gone: Vec<_> = model
                .items()
                .iter()
                .enumerate()
                .filter(|(n, _)| !keep.contains(lapidary_logic::Var::new(*n)))
                .map(|(_, item)| &item.label)
                .collect();
            println!("--- {gone:?}\n{}", String::from_utf8_lossy(&candidate));
        }
        accepted += usize::from(good);
    }
    accepted as f64 / CANDIDATES as f64
}

#[test]
fn random_candidates_parse() {
    for (name, content) in SNIPPETS {
        println!("{name} {:.3}", share(name, content));
    }
}

#[test]
fn single_removals_parse() {
    for (name, content) in SNIPPETS {
        let language = language_of(Path::new(name), content.as_bytes()).unwrap();
        let tree = FileTree::file(*name, *content);
        let model = model(&Kind::Tree(language.clone()), &tree, Path::new("")).unwrap();
        let reasoner = Reasoner::new(model.constraint());
        let full = lapidary_logic::VarSet::full(model.constraint().variables());
        let mut remover = lapidary_logic::Remover::new(&reasoner, full.clone());
        let mut bad = 0;
        for index in 0..model.items().len() {
            let Some(gone) = remover.consequences(&[lapidary_logic::Var::new(index)], lapidary_logic::Sacrifice::Last)
            else {
                continue;
            };
            let candidate = text(&model.render(&full.without(&gone)).unwrap());
            if !language.accepts(&candidate) {
                bad += 1;
                println!("BAD {name} {}", model.items()[index].label);
                if std::env::var_os("SHOW").is_some_and(|only| name.ends_with(only.to_str().unwrap())) {
                    println!("{}", String::from_utf8_lossy(&candidate));
                }
            }
        }
        println!("SINGLE {name} {bad} of {}", model.items().len());
    }
}
