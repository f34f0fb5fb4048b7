//! Writes the page of a journal or of a folder with journals, and says how long that took:
//! `cargo run --release --example page -- JOURNAL FILE`.

use lapidary_report::reduction::{self, Gathered};
use lapidary_report::runs::Runs;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [journal, page] = &arguments[..] else { panic!("give a journal or a folder, and the page to write") };
    let journal = Path::new(journal);
    let begun = Instant::now();
    let (tests, read, rendered) = if journal.is_dir() {
        let runs = Runs::read(&[journal.to_owned()]);
        let read = begun.elapsed();
        let tests = runs.runs.iter().map(|run| run.tally.all()).sum();
        (tests, read, runs.page(None, &BTreeMap::new()))
    } else {
        let run = Gathered::read(journal).unwrap_or_else(|error| panic!("{error}"));
        (run.tests(), begun.elapsed(), reduction::page(&run))
    };
    rendered.write(Path::new(page)).unwrap_or_else(|error| panic!("{error}"));
    let bytes = std::fs::metadata(page).map_or(0, |file| file.len());
    println!("{tests},{:.2},{:.2},{bytes}", read.as_secs_f64(), begun.elapsed().as_secs_f64());
}
