//! Reports how well failing programs are sliced. For each folder with a `case.toml`,
//! `report FOLDER...` prints the share of lines in the slices, and whether the slices compile and
//! fail as the program does.

mod case;
mod run;

use case::Case;
use lapidary_clang::Syntax;
use lapidary_slice::{Slice, Style, apply, dynamic_slice, instrument, render, static_slice};
use run::{Verdict, trace, try_out};
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Total {
    cases: usize,
    same: usize,
    compiled: usize,
    shares: Vec<f64>,
}

fn main() {
    let folders = std::env::args().skip(1).map(PathBuf::from);
    let folders = folders.map(|folder| std::path::absolute(folder).expect("a path"));
    let (mut statics, mut dynamics) = (Total::default(), Total::default());
    for case in folders.filter_map(|folder| Case::read(&folder)) {
        let units = case.units();
        match static_slice(&units, &case.criterion()) {
            Ok(slice) => statics.add(&case, "static", &slice),
            Err(error) => println!("{:24} static  {error}", case.name),
        }
        match sliced_dynamically(&case, &units) {
            Ok(slice) => dynamics.add(&case, "dynamic", &slice),
            Err(error) => println!("{:24} dynamic  {error}", case.name),
        }
    }
    statics.print("static");
    dynamics.print("dynamic");
}

fn sliced_dynamically(case: &Case, units: &[Syntax]) -> Result<Slice, String> {
    let instrumented = instrument(units, &case.compilations());
    let traced =
        |(path, text): &(PathBuf, Vec<u8>)| (path.clone(), apply(&instrumented.edits, &case.folder.join(path), text));
    let files: Vec<_> = case.files.iter().map(traced).collect();
    let trace = trace(case, &files, &instrumented.runtime())?;
    dynamic_slice(&instrumented, &trace, Some(&case.criterion())).map_err(|error| error.to_string())
}

impl Total {
    fn add(&mut self, case: &Case, what: &str, slice: &Slice) {
        let files = relative(case, slice);
        let verdict = try_out(case, &files);
        let share = share_of_lines(slice);
        println!("{:24} {what:8} {:5.1} % {verdict:?}", case.name, 100.0 * share);
        if std::env::var_os("SHOW").is_some() && verdict != Verdict::Same {
            files.iter().for_each(|(_, text)| println!("{}", String::from_utf8_lossy(text)));
        }
        self.cases += 1;
        self.same += usize::from(verdict == Verdict::Same);
        self.compiled += usize::from(!matches!(verdict, Verdict::DoesNotCompile(_)));
        self.shares.push(share);
    }

    fn print(&self, what: &str) {
        let mean = 100.0 * self.shares.iter().sum::<f64>() / self.shares.len().max(1) as f64;
        let Total { cases, same, compiled, .. } = self;
        println!(
            "{what}: {same} of {cases} fail in the same way, {compiled} compile, {mean:.1} % of the lines on average"
        );
    }
}

fn relative(case: &Case, slice: &Slice) -> Vec<(PathBuf, Vec<u8>)> {
    let inside = |path: &Path| path.strip_prefix(&case.folder).unwrap_or(path).to_owned();
    render(slice, Style::Blank).into_iter().map(|(path, text)| (inside(&path), text)).collect()
}

fn share_of_lines(slice: &Slice) -> f64 {
    let after: usize = slice.files.iter().map(|file| file.lines().len()).sum();
    let before: usize = slice.files.iter().map(|file| file.lines_before()).sum();
    after as f64 / before.max(1) as f64
}
