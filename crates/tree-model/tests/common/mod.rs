//! Shared test support: snippets in every language, and random valid candidates.

// Each test file uses only a part of this.

use lapidary_logic::{Reasoner, Remover, Sacrifice, Var, VarSet};
use lapidary_reduce::{FileTree, Model};

/// One snippet per built-in language.
pub const SNIPPETS: &[(&str, &str)] = &[
    ("sample.c", include_str!("../snippets/sample.c")),
    ("sample.cpp", include_str!("../snippets/sample.cpp")),
    ("Sample.java", include_str!("../snippets/Sample.java")),
    ("sample.rs", include_str!("../snippets/sample.rs")),
    ("sample.py", include_str!("../snippets/sample.py")),
    ("sample.js", include_str!("../snippets/sample.js")),
    ("sample.ts", include_str!("../snippets/sample.ts")),
    ("sample.go", include_str!("../snippets/sample.go")),
    ("sample.json", include_str!("../snippets/sample.json")),
    ("sample.html", include_str!("../snippets/sample.html")),
    ("sample.xml", include_str!("../snippets/sample.xml")),
    ("sample.css", include_str!("../snippets/sample.css")),
    ("sample.sh", include_str!("../snippets/sample.sh")),
    ("sample.sql", include_str!("../snippets/sample.sql")),
];

/// A small generator of numbers, so that a failure can be reproduced.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// The text of a candidate that is one file.
pub fn text(tree: &FileTree) -> Vec<u8> {
    tree.only_file().expect("a file stays a file").to_vec()
}

pub fn rendered(model: &dyn Model, keep: &VarSet) -> String {
    String::from_utf8_lossy(&text(&model.render(keep).unwrap())).into_owned()
}

/// The candidate without the items for which `gone` is true, and without everything that must be
/// removed with them.
pub fn without(model: &dyn Model, gone: impl Fn(&str) -> bool) -> VarSet {
    let vars: Vec<Var> = (0..model.items().len()).filter(|&n| gone(&model.items()[n].label)).map(Var::new).collect();
    assert!(!vars.is_empty(), "no item matches; there are {:#?}", labels(model));
    let reasoner = Reasoner::new(model.constraint());
    let full = VarSet::full(model.constraint().variables());
    let mut remover = Remover::new(&reasoner, full);
    let all = remover.consequences(&vars, Sacrifice::Last).expect("nothing required goes");
    remover.commit(&all);
    remover.current().clone()
}

pub fn labels(model: &dyn Model) -> Vec<&str> {
    model.items().iter().map(|item| item.label.as_str()).collect()
}

/// A valid candidate: `removals` random items are removed one after the other, each with everything
/// that must be removed with it.
pub fn random_candidate(model: &dyn Model, reasoner: &Reasoner, random: &mut Random, removals: usize) -> VarSet {
    let mut remover = Remover::new(reasoner, VarSet::full(model.constraint().variables()));
    for _ in 0..removals {
        let var = Var::new(random.below(model.items().len()));
        let sacrifice = if random.below(2) == 0 { Sacrifice::Last } else { Sacrifice::First };
        if remover.current().contains(var)
            && let Some(gone) = remover.consequences(&[var], sacrifice)
        {
            remover.commit(&gone);
        }
    }
    remover.current().clone()
}
