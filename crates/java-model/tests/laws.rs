//! Tests of the laws of every model on every fixture: all items give the input, all items are
//! valid, rendering is pure, and a reduced program is again a program.

use crate::support;

use lapidary_classfile::Class;
use lapidary_java_model::Detail;
use lapidary_logic::{Reasoner, Var, random_solution};
use lapidary_reduce::{Entry, FileTree, Model};
use support::{FIXTURES, fixture, full, item_model, models, samples};

#[test]
fn all_items_give_the_input_back_and_are_valid() {
    for name in FIXTURES {
        let tree = fixture(name);
        for (kind, model) in models(&tree) {
            let all = full(&*model);
            assert_eq!(model.constraint().first_violated(&all), None, "{name} as {kind}");
            assert!(model.render(&all).unwrap() == tree, "{name} as {kind}");
        }
    }
}

#[test]
fn labels_are_unique_and_parents_are_items() {
    for name in FIXTURES {
        for (kind, model) in models(&fixture(name)) {
            let mut labels: Vec<&str> = model.items().iter().map(|item| item.label.as_str()).collect();
            labels.sort_unstable();
            let twice = labels.windows(2).find(|pair| pair[0] == pair[1]);
            assert_eq!(twice, None, "{name} as {kind}");
            let count = model.items().len();
            assert!(model.items().iter().flat_map(|item| item.parent).all(|parent| parent.index() < count));
        }
    }
}

#[test]
fn rendering_is_pure() {
    for name in ["nested", "sealing", "switches"] {
        let tree = fixture(name);
        for detail in [Detail::Items, Detail::Statements] {
            let model = item_model(&tree, detail);
            let reasoner = Reasoner::new(model.constraint());
            let solutions: Vec<_> = (0..20).map(|seed| random_solution(&reasoner, seed)).collect();
            let forwards: Vec<_> = solutions.iter().map(|keep| model.render(keep).unwrap()).collect();
            // Another model has no cached renderings of the first.
            let other = item_model(&tree, detail);
            for (keep, rendered) in solutions.iter().zip(&forwards).rev() {
                assert!(other.render(keep).unwrap() == *rendered, "{name}");
                assert!(model.render(keep).unwrap() == *rendered, "{name}");
            }
        }
    }
}

#[test]
fn many_classes_are_rendered_as_few_are() {
    // Together there are enough classes for several threads; one by one there are not.
    let entries = FIXTURES.iter().flat_map(|name| {
        let entries: Vec<_> = fixture(name).entries().map(|(path, entry)| (path.to_owned(), entry.clone())).collect();
        entries
    });
    let together = FileTree::directory("together", entries.collect());
    assert!(together.entries().count() >= 64);
    let model = item_model(&together, Detail::Statements);
    let all = model.render(&full(&model)).unwrap();
    assert!(all == together);
    let reasoner = Reasoner::new(model.constraint());
    for seed in 0..10 {
        let keep = random_solution(&reasoner, seed);
        let rendered = model.render(&keep).unwrap();
        is_a_program(&rendered, &format!("{seed}"));
        assert!(item_model(&together, Detail::Statements).render(&keep).unwrap() == rendered);
        let kept = model
            .items()
            .iter()
            .enumerate()
            .filter(|(index, item)| item.kind == "class" && keep.contains(Var::new(*index)));
        assert_eq!(rendered.entries().count(), kept.count(), "one file for each class that is kept");
    }
}

#[test]
fn what_is_left_of_a_program_is_a_program() {
    for name in FIXTURES {
        for (kind, model) in models(&fixture(name)) {
            for (seed, sample) in samples(&*model, 8).into_iter().enumerate() {
                is_a_program(&sample, &format!("{name} as {kind}, {seed}"));
            }
        }
    }
}

fn is_a_program(tree: &FileTree, context: &str) {
    for (path, entry) in tree.entries() {
        let Entry::File { content, .. } = entry else { panic!("{context}: {} is no file", path.display()) };
        let class = Class::read(content).unwrap_or_else(|error| panic!("{context}: {}: {error}", path.display()));
        assert_eq!(path.to_str().unwrap(), format!("{}.class", class.name), "{context}");
    }
    let model = item_model(tree, Detail::Statements);
    assert_eq!(model.notes(), Vec::<String>::new(), "{context}: everything is understood and nothing is missing");
    assert_eq!(model.constraint().first_violated(&full(&model)), None, "{context}");
    assert!(model.render(&full(&model)).unwrap() == *tree, "{context}");
}
