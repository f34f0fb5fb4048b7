//! Instruments a program to record which statements run and which values pass between them.

use crate::edits::{Edit, apply};
use crate::graph::Graph;
use crate::probes::{About, Probe, given, probes};
use crate::program::Place;
use foldhash::HashSet;
use lapidary_clang::{Compilation, Complaint, Reader, SourceFile, Sources, Syntax};
use std::path::PathBuf;

const PRELUDE: &str = include_str!("prelude.h");
const RUNTIME: &str = include_str!("runtime.c");

/// A program that traces itself.
///
/// Apply the edits, compile [`Instrumented::runtime`] as C without sanitizers, and link it in. Then
/// run the program with the environment variable `LAPIDARY_TRACE` set to a file that does not exist
/// yet. That file receives the trace, however the program ends.
pub struct Instrumented<'a> {
    /// The edits in order, without overlaps. Compilers and debuggers still report the original line
    /// numbers.
    pub edits: Vec<Edit>,
    pub(crate) graph: Graph<'a>,
    pub(crate) watched: Watched,
    /// The expressions whose values are recorded, by number.
    pub(crate) given: Vec<Place>,
}

/// The parts of the program that the trace covers.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) statements: Vec<bool>,
    pub(crate) functions: Vec<bool>,
    pub(crate) values: HashSet<Place>,
    /// Whether each expression of `Instrumented::given` is recorded.
    pub(crate) given: Vec<bool>,
}

/// Makes a program trace itself. Probes that libclang would not compile with these `compilations`
/// are left out. If `compilations` is empty, nothing is checked.
pub fn instrument<'a>(units: &'a [Syntax], compilations: &[Compilation]) -> Instrumented<'a> {
    crate::deep::on_a_deep_stack(|| {
        let graph = Graph::new(units);
        let given = given(&graph);
        let accepted = accepted(&graph, probes(&graph, &given), compilations);
        let watched = watched(&graph, &accepted, given.len());
        Instrumented { edits: edits(&graph, &accepted), watched, graph, given }
    })
}

impl Instrumented<'_> {
    /// Returns the C file to link to the program.
    pub fn runtime(&self) -> String {
        let (elements, values) = (self.graph.elements.all.len().max(1), self.given.len().max(1));
        format!("#define LAPIDARY_ELEMENTS {elements}\n#define LAPIDARY_VALUES {values}\n{RUNTIME}")
    }
}

fn watched(graph: &Graph<'_>, probes: &[Probe], given: usize) -> Watched {
    let mut watched = Watched {
        statements: vec![false; graph.elements.all.len()],
        functions: vec![false; graph.elements.callables.len()],
        values: HashSet::default(),
        given: vec![false; given],
    };
    for probe in probes {
        match probe.about {
            About::Statement(id) => watched.statements[id.index()] = true,
            About::Function(id) => watched.functions[id.0 as usize] = true,
            About::Value(place) => drop(watched.values.insert(place)),
            About::Given(number) => watched.given[number] = true,
        }
    }
    watched
}

/// Removes the probes on lines that libclang complains about.
fn accepted(graph: &Graph<'_>, mut probes: Vec<Probe>, compilations: &[Compilation]) -> Vec<Probe> {
    const ROUNDS: usize = 6;
    let mut readers: Vec<Reader> = compilations.iter().cloned().map(Reader::new).collect();
    let is_sound = graph.program.units.iter().all(|unit| unit.complaints.is_empty());
    for round in 0..ROUNDS {
        let wrong = if is_sound { wrong_lines(graph, &probes, &mut readers) } else { HashSet::default() };
        if wrong.is_empty() {
            return probes;
        }
        // Drop value probes first: a trace cannot do without its statements.
        let goes = |probe: &Probe| round >= ROUNDS / 2 || matches!(probe.about, About::Value(_) | About::Given(_));
        let is_wrong = |probe: &Probe| {
            let line = line_of(graph, probe);
            wrong.contains(&(Some(probe.file), line)) || wrong.contains(&(None, line))
        };
        probes.retain(|probe| !goes(probe) || !is_wrong(probe));
    }
    probes.retain(|probe| !matches!(probe.about, About::Value(_) | About::Given(_)));
    if wrong_lines(graph, &probes, &mut readers).is_empty() { probes } else { Vec::new() }
}

/// Returns the lines that complaints are about, with their files. A line without a known file
/// counts as wrong in all files.
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

/// Returns one edit for each position where text is inserted.
fn edits(graph: &Graph<'_>, probes: &[Probe]) -> Vec<Edit> {
    // Text that ends at a position precedes text that begins there, and the innermost end comes
    // first.
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
