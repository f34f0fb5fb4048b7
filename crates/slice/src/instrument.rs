//! Making a program tell which statements run, and which read what others wrote.

use crate::edits::{Edit, apply};
use crate::graph::Graph;
use crate::probes::{About, Probe, probes};
use crate::program::Place;
use foldhash::HashSet;
use lapidary_clang::{Compilation, Complaint, Reader, SourceFile, Sources, Syntax};
use std::path::PathBuf;

const PRELUDE: &str = include_str!("prelude.h");
const RUNTIME: &str = include_str!("runtime.c");

/// A program that traces itself.
///
/// Apply the edits, compile [`Instrumented::runtime`] as C without sanitizers, link it in, and run with the environment
/// variable `LAPIDARY_TRACE` naming a file that does not exist yet: it is the trace, however the program ends.
pub struct Instrumented<'a> {
    /// In order, without overlaps. Lines keep their numbers in what the compiler and debuggers say.
    pub edits: Vec<Edit>,
    pub(crate) graph: Graph<'a>,
    pub(crate) watched: Watched,
}

/// What the trace tells about.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) statements: Vec<bool>,
    pub(crate) functions: Vec<bool>,
    pub(crate) values: HashSet<Place>,
}

/// Makes a program trace itself. Whatever libclang would not compile as the `compilations` say is left out; without
/// any, nothing is checked.
pub fn instrument<'a>(units: &'a [Syntax], compilations: &[Compilation]) -> Instrumented<'a> {
    crate::deep::on_a_deep_stack(|| {
        let graph = Graph::new(units);
        let accepted = accepted(&graph, probes(&graph), compilations);
        let watched = watched(&graph, &accepted);
        Instrumented { edits: edits(&graph, &accepted), watched, graph }
    })
}

impl Instrumented<'_> {
    /// The C file to link to the program.
    pub fn runtime(&self) -> String {
        format!("#define LAPIDARY_ELEMENTS {}\n{RUNTIME}", self.graph.elements.all.len().max(1))
    }
}

fn watched(graph: &Graph<'_>, probes: &[Probe]) -> Watched {
    let mut watched = Watched {
        statements: vec![false; graph.elements.all.len()],
        functions: vec![false; graph.elements.callables.len()],
        values: HashSet::default(),
    };
    for probe in probes {
        match probe.about {
            About::Statement(id) => watched.statements[id.index()] = true,
            About::Function(id) => watched.functions[id.0 as usize] = true,
            About::Value(place) => drop(watched.values.insert(place)),
        }
    }
    watched
}

/// The probes without those on lines that libclang complains about.
fn accepted(graph: &Graph<'_>, mut probes: Vec<Probe>, compilations: &[Compilation]) -> Vec<Probe> {
    const ROUNDS: usize = 6;
    let mut readers: Vec<Reader> = compilations.iter().cloned().map(Reader::new).collect();
    let is_sound = graph.program.units.iter().all(|unit| unit.complaints.is_empty());
    for round in 0..ROUNDS {
        let wrong = if is_sound { wrong_lines(graph, &probes, &mut readers) } else { HashSet::default() };
        if wrong.is_empty() {
            return probes;
        }
        // Values go first: statements are what a trace cannot do without.
        let goes = |probe: &Probe| round >= ROUNDS / 2 || matches!(probe.about, About::Value(_));
        let is_wrong = |probe: &Probe| {
            let line = line_of(graph, probe);
            wrong.contains(&(Some(probe.file), line)) || wrong.contains(&(None, line))
        };
        probes.retain(|probe| !goes(probe) || !is_wrong(probe));
    }
    probes.retain(|probe| !matches!(probe.about, About::Value(_)));
    if wrong_lines(graph, &probes, &mut readers).is_empty() { probes } else { Vec::new() }
}

/// The lines that complaints are about, with their files. Without its file, as libclang calls it, a line is out of bounds
/// in all of them.
fn wrong_lines(graph: &Graph<'_>, probes: &[Probe], readers: &mut [Reader]) -> HashSet<(Option<usize>, u32)> {
    let edits = edits(graph, probes);
    let files = graph
        .program
        .files
        .iter()
        .map(|file| SourceFile { path: file.path.clone(), text: apply(&edits, &file.path, &file.text).into() });
    let sources = Sources { files: files.collect() };
    let complaints = readers.iter_mut().flat_map(|reader| reader.complaints(&sources).unwrap_or_default());
    let added = PRELUDE.lines().count() as u32;
    let index = |path: PathBuf| graph.program.files.iter().position(|file| file.path == path);
    let place = |complaint: Complaint| (complaint.file.and_then(index), complaint.line.saturating_sub(added));
    complaints.map(place).collect()
}

fn line_of(graph: &Graph<'_>, probe: &Probe) -> u32 {
    let before = &graph.program.files[probe.file].text[..probe.at];
    before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1
}

/// One edit for each place where something is inserted.
fn edits(graph: &Graph<'_>, probes: &[Probe]) -> Vec<Edit> {
    // What ends at a place comes before what begins there; of those that end, the innermost comes first.
    let mut pieces: Vec<(usize, usize, bool, isize, &str)> = Vec::new();
    for (index, probe) in probes.iter().enumerate() {
        let order = index as isize;
        let is_closing = probe.before.starts_with(" __lapidary_w");
        pieces.push((probe.file, probe.at, !is_closing, order, &probe.before));
        pieces.extend(probe.after.map(|(at, text)| (probe.file, at, false, -order, text)));
    }
    pieces.sort();
    let mut result: Vec<Edit> = Vec::new();
    for (file, source) in graph.program.files.iter().enumerate() {
        result.push(Edit { file: source.path.clone(), range: 0..0, text: PRELUDE.to_owned() });
        for (_, at, _, _, text) in pieces.iter().filter(|piece| piece.0 == file) {
            match result.last_mut() {
                Some(last) if last.range.start == *at && last.file == source.path => last.text.push_str(text),
                _ => result.push(Edit { file: source.path.clone(), range: *at..*at, text: (*text).to_owned() }),
            }
        }
    }
    result
}
