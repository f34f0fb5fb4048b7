//! Prints the cost and the findings of an analysis as one CSV line:
//! `reachable CLASSPATH MAIN ANALYSIS [LIST] [WEAKNESS...]`. With a path for LIST (`-` for none),
//! the methods are written there, one per line.

use lapidary_callgraph::{CallGraphAnalysis, Entry, Limits, Weaknesses, reachable};
use lapidary_jvm::{ClassPath, Platform};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [paths, main, analysis, rest @ ..] = &arguments[..] else {
        return Err("usage: reachable CLASSPATH MAIN ANALYSIS [LIST] [WEAKNESS...]".into());
    };
    let paths: Vec<PathBuf> = std::env::split_paths(paths).collect();
    let class_path = Arc::new(ClassPath::open(&paths, Some(Platform::installed()?))?);
    let weaknesses = rest.iter().skip(1).map(|name| name.parse()).collect::<Result<Weaknesses, _>>()?;
    let analysis: CallGraphAnalysis = analysis.parse()?;
    let reached = reachable(&class_path, &Entry::main(main), analysis, &weaknesses, &Limits::default())?;
    let seconds = cpu_seconds();
    if let Some(list) = rest.first().filter(|list| *list != "-") {
        let lines: String = reached.methods.iter().map(|method| format!("{method}\n")).collect();
        std::fs::write(list, lines)?;
    }
    let (all, application) = (reached.methods.len(), reached.application.len());
    println!("{main},{analysis},{all},{application},{seconds:.2},{}", peak_megabytes());
    Ok(())
}

/// The peak memory of this process, as Linux counts it.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// The CPU time of this process, which other programs do not affect. Linux counts in hundredths of
/// a second.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}
