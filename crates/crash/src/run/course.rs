//! The course of a run: every line that was executed, in order, with the calls that led to it.
//!
//! A block is known by its start. Its lines follow one by one, up to the point where a call left
//! it, which is known from the return address of the called function. Library functions record
//! nothing, so when a library function calls one of the program's, the calling line is unknown.

use super::code::Code;
use super::steps::{Step, Steps};
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The lines that a run went through.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    places: Vec<(PathBuf, u32)>,
    chains: Vec<Chain>,
    visits: Vec<Visit>,
    /// Whether recording stopped at the first calls that were too deep.
    is_cut: bool,
}

/// One execution of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Visit {
    place: u32,
    /// The calls that led to it.
    chain: u32,
}

/// A call and the calls that led to it. The first chain is the empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Chain {
    outer: u32,
    /// The calling line. `None` if a library was in between.
    place: Option<u32>,
}

const NO_CALL: u32 = 0;
/// The maximum number of lines to keep.
const MOST_VISITS: usize = 8_000_000;
/// The call depth at which recording stops.
const DEEPEST_KEPT: usize = 2_000;
/// The maximum depth at which lines of such a run are compared. The other run has the same calls,
/// and some in between.
const DEEPEST_COMPARED: u32 = 64;

impl Course {
    /// Reconstructs the course of a run. `failing` are the addresses of the functions that were
    /// active at the end, as linked. `None` if there are too many lines, or unknown blocks.
    pub(crate) fn of(code: &Code, steps: &Steps, linked_at: u64, failing: &[u64]) -> Option<Course> {
        let mut walk = Walk {
            code,
            course: Course { chains: vec![Chain { outer: NO_CALL, place: None }], ..Course::default() },
            known_places: HashMap::new(),
            known_chains: HashMap::new(),
            frames: Vec::new(),
        };
        for step in &steps.steps {
            if walk.course.visits.len() > MOST_VISITS || !code.is_block(step.pc + linked_at) {
                return None;
            }
            if walk.frames.len() > DEEPEST_KEPT {
                return Some(Course { is_cut: true, ..walk.course });
            }
            let returns_to = step.returns_to.map(|place| place + linked_at);
            walk.enter(&Step { pc: step.pc + linked_at, returns_to, ..*step });
        }
        for index in 0..walk.frames.len() {
            let Frame { start, end, .. } = walk.frames[index];
            let stopped = failing.iter().find(|address| (start..=end).contains(*address));
            stopped.into_iter().for_each(|address| walk.advance(index, *address));
        }
        Some(walk.course)
    }

    /// Returns the first line of this run that is not in the original's run at that point, with the
    /// same calls around it. Calls may be missing. `original` maps a line of this program to the
    /// original's, and `is_statement` says which lines count.
    pub(crate) fn departure(
        &self,
        from: &Course,
        original: impl Fn(&Path, u32) -> Option<u32>,
        is_statement: impl Fn(&Path, u32) -> bool,
    ) -> Option<(&Path, u32)> {
        let places: HashMap<(&Path, u32), u32> =
            from.places.iter().enumerate().map(|(index, (file, line))| ((&**file, *line), index as u32)).collect();
        let now = |place: &(PathBuf, u32)| places.get(&(&*place.0, original(&place.0, place.1)?)).copied();
        let now: Vec<Option<u32>> = self.places.iter().map(now).collect();
        let counts: Vec<bool> = self.places.iter().map(|(file, line)| is_statement(file, *line)).collect();
        let mut visits = vec![Vec::new(); from.places.len()];
        for (at, visit) in from.visits.iter().enumerate() {
            visits[visit.place as usize].push(at);
        }
        let depths = if self.is_cut { self.depths() } else { Vec::new() };
        let mut at = 0;
        for visit in self.visits.iter().filter(|visit| counts[visit.place as usize]) {
            if depths.get(visit.chain as usize).is_some_and(|depth| *depth > DEEPEST_COMPARED) {
                return None;
            }
            let fits = |known: usize| {
                let chain = from.visits[known].chain;
                self.is_shortened(visit.chain, from, chain, &now)
            };
            let known = now[visit.place as usize].map(|place| &visits[place as usize]);
            let next = known.and_then(|known| {
                let later = &known[known.partition_point(|known| *known < at)..];
                later.iter().copied().find(|known| fits(*known))
            });
            match next {
                Some(next) => at = next + 1,
                None => {
                    let (file, line) = &self.places[visit.place as usize];
                    return Some((file, *line));
                }
            }
        }
        None
    }

    /// Returns whether a line was executed more than once. A line that runs on after a call, or
    /// into its next block, is visited once.
    pub(crate) fn repeats(&self, file: &Path, line: u32) -> bool {
        let Some(place) = self.places.iter().position(|known| known.0 == file && known.1 == line) else { return false };
        self.visits.iter().filter(|visit| visit.place == place as u32).nth(1).is_some()
    }

    /// Returns whether the last call that executed the failing line also executed another line of
    /// its function before.
    pub(crate) fn runs_in_last_call(&self, failing: (&Path, u32), line: (&Path, u32)) -> bool {
        let is_at = |visit: &Visit, wanted: (&Path, u32)| {
            let (file, line) = &self.places[visit.place as usize];
            (&**file, *line) == wanted
        };
        let Some(last) = self.visits.iter().rposition(|visit| is_at(visit, failing)) else { return false };
        let chain = self.visits[last].chain;
        let outer = self.chains[chain as usize].outer;
        let is_inside = |visit: &&Visit| chain == NO_CALL || visit.chain != outer;
        let mut visits = self.visits[..=last].iter().rev().take_while(is_inside);
        visits.any(|visit| visit.chain == chain && is_at(visit, line))
    }

    /// Returns the number of calls in each chain. A chain is always made after the one it extends.
    fn depths(&self) -> Vec<u32> {
        let mut depths: Vec<u32> = vec![0];
        for chain in &self.chains[1..] {
            depths.push(depths[chain.outer as usize] + 1);
        }
        depths
    }

    /// Returns whether a chain of calls equals another one with some calls left out.
    fn is_shortened(&self, mut own: u32, other: &Course, mut theirs: u32, now: &[Option<u32>]) -> bool {
        loop {
            if own == NO_CALL {
                return true;
            }
            if theirs == NO_CALL {
                return false;
            }
            let (call, original) = (self.chains[own as usize], other.chains[theirs as usize]);
            let is_same = match call.place {
                Some(place) => now[place as usize].is_some() && now[place as usize] == original.place,
                None => original.place.is_none(),
            };
            theirs = original.outer;
            if is_same {
                own = call.outer;
            }
        }
    }
}

/// An active function.
struct Frame {
    depth: u32,
    function: Option<u64>,
    /// The calls that led to it.
    chain: u32,
    /// The start of the current block; `end` is its end.
    start: u64,
    end: u64,
    /// The rows of the block that have not been executed yet.
    rows: Range<usize>,
    /// The current line, if it is the user's.
    place: Option<u32>,
}

struct Walk<'a> {
    code: &'a Code,
    course: Course,
    known_places: HashMap<(u32, u32), u32>,
    known_chains: HashMap<Chain, u32>,
    frames: Vec<Frame>,
}

impl Walk<'_> {
    fn enter(&mut self, step: &Step) {
        let function = self.code.function(step.pc);
        while let Some(top) = self.frames.last() {
            let is_left = top.depth > step.depth
                || top.depth == step.depth && (top.function != function || self.code.is_entry(step.pc));
            if !is_left {
                break;
            }
            self.finish();
            self.frames.pop();
        }
        let is_inside = self.frames.last().is_some_and(|top| top.depth == step.depth);
        let (chain, place) = if is_inside {
            self.finish();
            self.frames.pop().map_or((NO_CALL, None), |frame| (frame.chain, frame.place))
        } else {
            (self.call(step.returns_to), None)
        };
        let (rows, end) = self.code.block(step.pc);
        self.frames.push(Frame { depth: step.depth, function, chain, start: step.pc, end, rows, place });
        self.advance(self.frames.len() - 1, step.pc);
    }

    /// Returns the chain of calls for a function called by the innermost one.
    fn call(&mut self, returns_to: Option<u64>) -> u32 {
        let Some(index) = self.frames.len().checked_sub(1) else { return NO_CALL };
        let caller = &self.frames[index];
        let known = returns_to.filter(|place| (caller.start..=caller.end).contains(place));
        if let Some(place) = known {
            self.advance(index, place - 1);
        }
        let caller = &self.frames[index];
        match caller.place {
            Some(place) => self.chain(Chain { outer: caller.chain, place: known.map(|_| place) }),
            None => caller.chain,
        }
    }

    fn chain(&mut self, chain: Chain) -> u32 {
        *self.known_chains.entry(chain).or_insert_with(|| {
            self.course.chains.push(chain);
            self.course.chains.len() as u32 - 1
        })
    }

    /// Executes the rest of the innermost block.
    fn finish(&mut self) {
        let Some(index) = self.frames.len().checked_sub(1) else { return };
        self.advance(index, u64::MAX);
    }

    /// Advances a function to an address in its current block.
    fn advance(&mut self, index: usize, address: u64) {
        while let Some(next) = self.frames[index].rows.clone().next() {
            let row = self.code.row(next);
            if row.address > address {
                break;
            }
            self.frames[index].rows.start = next + 1;
            let Some(place) = row.place else { continue };
            let place = self.place(place);
            if self.frames[index].place.replace(place) != Some(place) {
                self.course.visits.push(Visit { place, chain: self.frames[index].chain });
            }
        }
    }

    fn place(&mut self, (file, line): (u32, u32)) -> u32 {
        *self.known_places.entry((file, line)).or_insert_with(|| {
            self.course.places.push((self.code.files[file as usize].clone(), line));
            self.course.places.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a run through these lines. An indented line is in a function called by the last less
    /// indented one.
    fn course(lines: &[(usize, u32)]) -> Course {
        let mut course = Course { chains: vec![Chain { outer: NO_CALL, place: None }], ..Course::default() };
        let mut active: Vec<(u32, u32)> = Vec::new();
        for (depth, line) in lines {
            active.truncate(depth + 1);
            let known = course.places.iter().position(|place| place.1 == *line);
            let place = known.unwrap_or_else(|| {
                course.places.push(("a.c".into(), *line));
                course.places.len() - 1
            }) as u32;
            if active.len() == *depth {
                let chain = match active.last() {
                    Some((place, outer)) => {
                        let chain = Chain { outer: *outer, place: Some(*place) };
                        let known = course.chains.iter().position(|known| *known == chain);
                        known.unwrap_or_else(|| {
                            course.chains.push(chain);
                            course.chains.len() - 1
                        }) as u32
                    }
                    None => NO_CALL,
                };
                active.push((place, chain));
            }
            active[*depth].0 = place;
            course.visits.push(Visit { place, chain: active[*depth].1 });
        }
        course
    }

    #[test]
    fn lines_may_be_left_out_but_not_exchanged() {
        let original = course(&[(0, 1), (0, 2), (1, 10), (0, 3), (1, 10), (1, 11)]);
        let departs = |lines: &[(usize, u32)]| {
            let run = course(lines);
            run.departure(&original, |_, line| Some(line), |_, _| true).map(|(_, line)| line)
        };
        assert_eq!(departs(&[(0, 1), (0, 3), (1, 11)]), None);
        assert_eq!(departs(&[(0, 2), (1, 11)]), Some(11), "another call");
        assert_eq!(departs(&[(0, 3), (0, 2)]), Some(2), "another order");
        assert_eq!(departs(&[(0, 1), (0, 1)]), Some(1), "more often");
        assert_eq!(departs(&[(0, 4)]), Some(4), "not run at all");
    }

    #[test]
    fn a_line_repeats_if_its_function_is_called_again() {
        let run = course(&[(0, 1), (1, 10), (0, 2), (0, 1), (1, 10), (1, 11)]);
        let repeats = |line| run.repeats(Path::new("a.c"), line);
        assert!(repeats(10), "called by the same line");
        assert!(repeats(1) && !repeats(2) && !repeats(11) && !repeats(99));
    }

    #[test]
    fn lines_of_earlier_calls_are_not_lines_of_the_last() {
        let run = course(&[(0, 1), (1, 10), (1, 11), (1, 12), (0, 2), (0, 1), (1, 10), (2, 20), (1, 12)]);
        let ran = |line| run.runs_in_last_call((Path::new("a.c"), 12), (Path::new("a.c"), line));
        assert!(ran(10) && ran(12));
        assert!(!ran(11), "by the first call");
        assert!(!ran(20) && !ran(1), "by other functions");
    }

    #[test]
    fn functions_may_be_missing_from_the_stack() {
        let original = course(&[(0, 1), (1, 5), (2, 9)]);
        let departs =
            |lines: &[(usize, u32)]| course(lines).departure(&original, |_, line| Some(line), |_, _| true).is_some();
        assert!(!departs(&[(0, 1), (1, 9)]));
        assert!(departs(&[(0, 5), (1, 1)]), "the call was the other way round");
    }
}
