//! Tests that Lapidary's own analyses, without defects, find everything that the programs of
//! bench/triage do, except for reflection and the like.
//!
//! The programs are analysed as one that calls them all, because nearly all time goes into the
//! library that they share.

use crate::support::{classes, traced};
use lapidary_callgraph::{CallGraphAnalysis, Entry, Limits, Weaknesses, reachable};
use lapidary_jvm::{ClassPath, Platform};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn nothing_that_runs_without_reflection_is_missed() {
    let programs = programs_without_reflection();
    assert!(programs.len() > 50, "{programs:?}");
    let place = tempfile::tempdir().unwrap();
    let class_path = with_all(place.path(), &programs);
    let class_path = Arc::new(ClassPath::open(&class_path, Some(Platform::installed().unwrap())).unwrap());
    let ask = |analysis| {
        reachable(&class_path, &Entry::main("All"), analysis, &Weaknesses::none(), &Limits::default()).unwrap()
    };
    let answers = [CallGraphAnalysis::Rta, CallGraphAnalysis::ZeroCfa].map(|analysis| (analysis, ask(analysis)));
    let mut missed = Vec::new();
    for program in &programs {
        let run = traced(program, false);
        for (analysis, reached) in &answers {
            let lost = run.trace.methods().filter(|method| !reached.contains(method));
            missed.extend(lost.map(|method| format!("{analysis}: {method}")));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// The programs whose first line says `sound` or `bug`: only a defect makes an analysis miss
/// something there.
fn programs_without_reflection() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/triage/programs");
    let names = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !expects_feature(&folder.join(name).join("Main.java"))).collect();
    names.sort();
    names
}

fn expects_feature(source: &Path) -> bool {
    std::fs::read_to_string(source).unwrap().lines().any(|line| line.starts_with("// expects: feature"))
}

/// The class path of all of them and of a class `All` that calls each.
fn with_all(place: &Path, programs: &[String]) -> Vec<PathBuf> {
    let mut class_path: Vec<PathBuf> = programs.iter().map(|program| classes(program)).collect();
    let calls: String = programs.iter().map(|program| format!("{program}.Main.main(args);\n")).collect();
    let text = format!("class All {{ public static void main(String[] args) throws Throwable {{ {calls} }} }}");
    let joined = std::env::join_paths(&class_path).unwrap();
    lapidary_testkit::javac_texts(&["-cp", joined.to_str().unwrap()], place, &[("All.java", &text)]);
    class_path.push(place.to_owned());
    class_path
}
