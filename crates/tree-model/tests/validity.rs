//! Tests of the share of random valid candidates that the parser accepts, by language.

use crate::common::{Random, SNIPPETS, random_candidate, text};
use lapidary_logic::Reasoner;
use lapidary_reduce::FileTree;
use lapidary_tree_model::{Kind, language_of, model};
use std::path::Path;

const CANDIDATES: usize = 200;

/// The share that each language must reach, in percent, in the order of the snippets. A lower share
/// is a regression.
const FLOORS: [usize; SNIPPETS.len()] = [99, 98, 97, 96, 97, 99, 98, 98, 99, 98, 90, 96, 96, 90];

/// The percentage of `CANDIDATES` candidates without one to twelve random items that have no syntax
/// error.
fn share(name: &str, content: &str) -> usize {
    let language = language_of(Path::new(name), content.as_bytes()).unwrap();
    assert!(language.accepts(content.as_bytes()), "{name} has an error");
    let tree = FileTree::file(name, content);
    let model = model(&Kind::Tree(language.clone()), &tree, Path::new("")).unwrap();
    let reasoner = Reasoner::new(model.constraint());
    let mut random = Random(7);
    let accepted = (0..CANDIDATES).filter(|round| {
        let keep = random_candidate(&*model, &reasoner, &mut random, 1 + round % 12);
        language.accepts(&text(&model.render(&keep).unwrap()))
    });
    accepted.count() * 100 / CANDIDATES
}

#[test]
fn random_candidates_parse() {
    for ((name, content), floor) in SNIPPETS.iter().zip(FLOORS) {
        let share = share(name, content);
        println!("{name} {share} %");
        assert!(share >= floor, "{name}: {share} % of the candidates parse, {floor} % did");
    }
}
