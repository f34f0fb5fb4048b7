//! Writes random valid sub-inputs of a jar: `sample JAR COUNT OUT items|statements|classes [LIBRARY...]`.
//!
//! Prints how large the model is and how long its parts take. The jars in OUT are for a checker to look at.

use lapidary_java_model::{ClassModel, Detail, ItemModel, Jar};
use lapidary_jvm::{ClassPath, Compression, Platform};
use lapidary_logic::{Reasoner, VarSet, random_solution};
use lapidary_reduce::{FileTree, Model};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [jar, count, out, kind, libraries @ ..] = arguments.as_slice() else {
        return eprintln!("usage: sample JAR COUNT OUT items|statements|classes [LIBRARY...]");
    };
    let bytes = std::fs::read(jar).expect("the jar can be read");
    let jar = Jar::open(&FileTree::file("input.jar", bytes)).expect("a jar");
    let libraries: Vec<PathBuf> = libraries.iter().map(PathBuf::from).collect();
    let class_path = ClassPath::open(&libraries, Platform::installed().ok()).expect("a class path");
    let started = Instant::now();
    let model: Box<dyn Model> = match kind.as_str() {
        "classes" => Box::new(ClassModel::new(jar.tree())),
        "items" => items(&jar, class_path, Detail::Items),
        _ => items(&jar, class_path, Detail::Statements),
    };
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
        let packed = jar.pack(&tree, Compression::Stored).expect("a jar");
        let Some(lapidary_reduce::Entry::File { content, .. }) = packed.entry(std::path::Path::new("")) else { return };
        std::fs::write(format!("{out}/{seed:04}.jar"), &**content).expect("room for it");
    }
    println!(
        "{} candidates of {:.0} % on average, {:.1} ms each",
        sizes.len(),
        sizes.iter().sum::<f64>() / sizes.len().max(1) as f64,
        rendering * 1e3 / sizes.len().max(1) as f64
    );
}

fn items(jar: &Jar, class_path: ClassPath, detail: Detail) -> Box<dyn Model> {
    let model = ItemModel::new(jar.tree(), Arc::new(class_path), detail);
    model.notes().iter().for_each(|note| println!("note: {note}"));
    Box::new(model)
}
