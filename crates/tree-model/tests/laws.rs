//! Tests of the laws of every model, on snippets in every language, on edits of them, and on
//! arbitrary bytes.

use crate::common::{Random, SNIPPETS, random_candidate};
use lapidary_logic::{Reasoner, VarSet};
use lapidary_reduce::FileTree;
use lapidary_tree_model::{Kind, language_of, model};
use proptest::prelude::*;
use std::path::Path;

fn kinds(name: &str) -> Vec<Kind> {
    let language = language_of(Path::new(name), b"");
    let mut kinds: Vec<Kind> = language.clone().into_iter().map(Kind::Tree).collect();
    kinds.extend(language.clone().map(Kind::Outline));
    kinds.extend([Kind::Lines, Kind::Bytes]);
    for language in [language, None] {
        kinds.push(Kind::Tokens(language.clone()));
        kinds.push(Kind::Names(language.clone()));
        kinds.push(Kind::Literals(language.clone()));
        kinds.push(Kind::Blanks(language));
    }
    kinds
}

/// The full set gives the input, and random valid candidates render deterministically.
fn keeps_the_laws(name: &str, content: &[u8], seed: u64) {
    let tree = FileTree::file(name, content.to_vec());
    for kind in kinds(name) {
        let Some(model) = model(&kind, &tree, Path::new("")) else { continue };
        let full = VarSet::full(model.constraint().variables());
        assert!(model.constraint().variables() >= model.items().len());
        assert_eq!(model.render(&full).unwrap(), tree, "{kind:?}");
        let reasoner = Reasoner::new(model.constraint());
        let mut random = Random(seed);
        for removals in [1, 3, 20, 1000] {
            let keep = random_candidate(&*model, &reasoner, &mut random, removals);
            assert!(model.constraint().is_satisfied_by(&keep), "{kind:?}");
            let candidate = model.render(&keep).unwrap();
            assert_eq!(candidate, model.render(&keep).unwrap(), "{kind:?}");
        }
    }
}

#[test]
fn snippets_keep_the_laws() {
    for (name, content) in SNIPPETS {
        keeps_the_laws(name, content.as_bytes(), 1);
        keeps_the_laws(name, content.replace('\n', "\r\n").as_bytes(), 2);
    }
}

#[test]
fn strange_texts_keep_the_laws() {
    let deep = format!("{}1{}", "(".repeat(3_000), ")".repeat(3_000));
    let texts = ["", "\n", "\0", "x", "\u{feff}int x;", "{{{{", "}}}}", "\r\n\r\n", "'", "\"", "/*", deep.as_str()];
    for (name, _) in SNIPPETS {
        for text in texts {
            keeps_the_laws(name, text.as_bytes(), 3);
        }
        keeps_the_laws(name, b"int \xff\xfe x; \xc3", 3);
    }
}

/// A snippet with a range removed and some bytes inserted.
fn edited(which: usize, at: usize, length: usize, with: &[u8]) -> (&'static str, Vec<u8>) {
    let (name, content) = SNIPPETS[which % SNIPPETS.len()];
    let at = at % content.len();
    let end = (at + length).min(content.len());
    (name, [&content.as_bytes()[..at], with, &content.as_bytes()[end..]].concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("PROPTEST_CASES").is_some() { 2000 } else { 120 }))]

    #[test]
    fn edited_snippets_keep_the_laws(
        which in 0usize..100, at in 0usize..10_000, length in 0usize..40,
        with in proptest::collection::vec(any::<u8>(), 0..6), seed in any::<u64>(),
    ) {
        let (name, content) = edited(which, at, length, &with);
        keeps_the_laws(name, &content, seed);
    }

    #[test]
    fn arbitrary_bytes_keep_the_laws(
        which in 0usize..100, content in proptest::collection::vec(any::<u8>(), 0..200), seed in any::<u64>(),
    ) {
        keeps_the_laws(SNIPPETS[which % SNIPPETS.len()].0, &content, seed);
    }
}
