//! Writes random valid sub-inputs of a jar: `sample JAR COUNT OUT MODEL [LIBRARY...]`.
//!
//! MODEL is `classes`, `items`, `statements`, `parameters` or `collapse`. Prints the size of the
//! model and the time its parts take. The jars in OUT are meant for a checker.

mod program;

use lapidary_logic::{Reasoner, VarSet, random_solution};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [jar, count, out, kind, libraries @ ..] = arguments.as_slice() else {
        return eprintln!("usage: sample JAR COUNT OUT MODEL [LIBRARY...]");
    };
    let jar = program::open(jar).expect("a jar");
    let class_path = program::class_path(libraries).expect("a class path");
    let started = Instant::now();
    let model = program::model(kind, jar.tree(), class_path).expect("a model");
    let built = started.elapsed();
    let cnf = model.constraint();
    let full = VarSet::full(cnf.variables());
    assert!(cnf.is_satisfied_by(&full), "the whole program is valid");
    assert_eq!(model.render(&full).expect("it renders").key(), jar.tree().key(), "all items give the input back");
    let reasoner = Reasoner::new(cnf);
    let edges = cnf.clauses().filter(|clause| clause.is_edge()).count();
    println!(
        "items {} variables {} clauses {} literals {} edges {:.1} % built in {:.0} ms",
        model.items().len(),
        cnf.variables(),
        cnf.len(),
        cnf.literal_count(),
        100.0 * edges as f64 / cnf.len() as f64,
        built.as_secs_f64() * 1e3,
    );
    std::fs::create_dir_all(out).expect("a directory");
    let (mut rendering, mut sizes) = (0.0, Vec::new());
    for seed in 0..count.parse().expect("a number") {
        let keep = random_solution(&reasoner, seed);
        let started = Instant::now();
        let tree = model.render(&keep).expect("a solution renders");
        rendering += started.elapsed().as_secs_f64();
        sizes.push(100.0 * tree.bytes() as f64 / jar.tree().bytes() as f64);
        let packed = program::packed(&jar, &tree).expect("a jar");
        std::fs::write(format!("{out}/{seed:04}.jar"), &*packed).expect("room for it");
    }
    println!(
        "{} candidates of {:.0} % on average, {:.1} ms each",
        sizes.len(),
        sizes.iter().sum::<f64>() / sizes.len().max(1) as f64,
        rendering * 1e3 / sizes.len().max(1) as f64
    );
}
