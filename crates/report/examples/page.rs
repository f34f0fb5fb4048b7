//! Writes the page of a journal and says how long that took: `cargo run --release --example page -- JOURNAL FILE`.

use lapidary_report::reduction::{self, Gathered};
use std::path::Path;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [journal, page] = &arguments[..] else { panic!("give a journal and the page to write") };
    let begun = Instant::now();
    let run = Gathered::read(Path::new(journal)).unwrap_or_else(|error| panic!("{error}"));
    let read = begun.elapsed().as_secs_f64();
    reduction::page(&run).write(Path::new(page)).unwrap_or_else(|error| panic!("{error}"));
    let bytes = std::fs::metadata(page).map_or(0, |file| file.len());
    println!("{},{read:.2},{:.2},{bytes}", run.tests(), begun.elapsed().as_secs_f64());
}
