//! Prints what an analysis costs and finds, as one CSV line: `reachable CLASSPATH MAIN ANALYSIS [LIST] [WEAKNESS...]`. With a
//! path for LIST (`-` for none), the methods go there, one a line.

use lapidary_callgraph::{Analysis, Entry, Limits, Weaknesses, reachable};
use lapidary_jvm::{ClassPath, Platform};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [paths, main, analysis, rest @ ..] = &arguments[..] else {
        return Err("usage: reachable CLASSPATH MAIN ANALYSIS [LIST] [WEAKNESS...]".into());
    };
    let start = Instant::now();
    let paths: Vec<PathBuf> = std::env::split_paths(paths).collect();
    let class_path = Arc::new(ClassPath::open(&paths, Some(Platform::installed()?))?);
    let weaknesses = rest.iter().skip(1).map(|name| name.parse()).collect::<Result<Weaknesses, _>>()?;
    let analysis: Analysis = analysis.parse()?;
    let reached = reachable(&class_path, &Entry::main(main), analysis, &weaknesses, &Limits::default())?;
    let seconds = start.elapsed().as_secs_f64();
    if let Some(list) = rest.first().filter(|list| *list != "-") {
        let lines: String = reached.methods.iter().map(|method| format!("{method}\n")).collect();
        std::fs::write(list, lines)?;
    }
    let (all, application) = (reached.methods.len(), reached.application.len());
    println!("{main},{analysis},{all},{application},{seconds:.2},{}", peak_megabytes());
    Ok(())
}

/// The most memory that this process held, as Linux counts it.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
