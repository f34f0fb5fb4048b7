//! Measures the cost of a model of one file: `scale FILE [COMPILER ARGUMENT...]` prints names and
//! values, one pair per line.
//!
//! Times are CPU times of the whole process from /proc, with a resolution of a hundredth of a
//! second.

use lapidary_clang::parse;
use lapidary_clang_model::{ClangModel, Detail, Layout, Project, View};
use lapidary_logic::{Reasoner, VarSet, random_solution};
use lapidary_reduce::{FileTree, Model};
use std::path::PathBuf;

const CANDIDATES: u64 = 12;
const RENDERINGS: usize = 20;

fn main() {
    let mut given = std::env::args().skip(1);
    let file = std::path::absolute(PathBuf::from(given.next().expect("a file"))).expect("a path");
    let project = Project::single(&file, given.collect());
    let name = file.file_name().expect("a file").to_string_lossy().into_owned();
    let tree = FileTree::file(name, std::fs::read(&file).expect("a readable file"));
    println!("bytes {}", tree.bytes());
    let (syntax, ms) = timed(|| parse(&project.sources(&tree), &project.compilations[0]).expect("libclang"));
    println!("nodes {}\ncomplaints {}\nms_parse {ms:.0}", syntax.nodes.len(), syntax.complaints.len());
    drop(syntax);
    let view = View { detail: Detail::Statements, layout: Layout::Compact };
    let (model, ms) = timed(|| ClangModel::new(&project, &tree, view).expect("libclang"));
    println!("items {}\nclauses {}\nms_build {ms:.0}", model.items().len(), model.constraint().len());
    println!("mib_model {:.0}", peak_mib());
    let (reasoner, ms) = timed(|| Reasoner::new(model.constraint()));
    println!("ms_reasoner {ms:.0}");
    renderings(&model, &reasoner);
    println!("mib_all {:.0}", peak_mib());
}

/// Renders candidates of all sizes, each several times.
fn renderings(model: &ClangModel, reasoner: &Reasoner) {
    let (mut total, mut most) = (0.0, 0.0_f64);
    for seed in 0..CANDIDATES {
        let keep: VarSet = random_solution(reasoner, seed);
        let ((), ms) = timed(|| (0..RENDERINGS).for_each(|_| drop(model.render(&keep).expect("it renders"))));
        let each = ms / RENDERINGS as f64;
        total += each;
        most = most.max(each);
    }
    println!("ms_render_mean {:.2}\nms_render_most {most:.2}", total / CANDIDATES as f64);
}

fn timed<T>(act: impl FnOnce() -> T) -> (T, f64) {
    let before = cpu_ms();
    let result = act();
    (result, cpu_ms() - before)
}

/// Returns user and system time. A tick on Linux is a hundredth of a second.
fn cpu_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("a Linux machine");
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: f64 = fields[11..=12].iter().map(|field| field.parse::<f64>().expect("a number")).sum();
    ticks * 10.0
}

fn peak_mib() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("a Linux machine");
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the most memory held");
    line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1024.0
}
