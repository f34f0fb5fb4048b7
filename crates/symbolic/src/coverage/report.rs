//! How much of the program's own code has run, in lines and branches of the source.
//!
//! Only methods that some path entered are counted. An exploration begins at one method, and a
//! library of which it uses a small part is not badly explored for that.

use super::{Coverage, JUMPED, WENT_ON};
use crate::engine::Engine;
use crate::method::{Method, Prepared};
use lapidary_classfile::{Attribute, Class, FieldOp, Instruction, access};
use std::collections::{BTreeMap, BTreeSet};

/// How much of the program has run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    pub methods: usize,
    pub lines: Share,
    /// The ways out of conditions and switches.
    pub branches: Share,
    /// Lines of these methods that were never run, by source file.
    pub missed: Vec<FileLines>,
    /// Lines of these methods that were run, by source file.
    pub ran: Vec<FileLines>,
    /// How much of each method was reached.
    pub each: Vec<CoveredMethod>,
}

/// How much of one method has run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveredMethod {
    pub name: String,
    pub lines: Share,
    pub branches: Share,
}

/// How many of a total were reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub reached: usize,
    pub total: usize,
}

/// Lines of one source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLines {
    pub file: String,
    pub lines: Vec<u16>,
}

impl Share {
    fn add(&mut self, reached: usize, total: usize) {
        self.reached += reached;
        self.total += total;
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.reached, self.total)
    }
}

impl std::fmt::Display for FileLines {
    /// Neighbouring lines are shown as a range.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ranges = self.lines.chunk_by(|one, next| one + 1 == *next).map(|range| match range {
            [only] => only.to_string(),
            range => format!("{}-{}", range[0], range[range.len() - 1]),
        });
        write!(f, "{}:{}", self.file, ranges.collect::<Vec<_>>().join(","))
    }
}

impl Engine {
    /// The part of the program that has run so far.
    pub fn covered(&self) -> Covered {
        let mut covered = Covered::default();
        let mut lines: BTreeMap<String, BTreeMap<u16, bool>> = BTreeMap::new();
        for method in &self.world.all_methods {
            let Some(prepared) = method.prepared().filter(|_| self.counts_for_coverage(method)) else {
                continue;
            };
            covered.methods += 1;
            let mut branches = Share::default();
            self.coverage.count_branches(method, prepared, &mut branches);
            covered.branches.add(branches.reached, branches.total);
            let mut own: BTreeMap<u16, bool> = BTreeMap::new();
            for (at, line) in prepared.lines.iter().enumerate().filter(|(_, line)| **line != 0) {
                *own.entry(*line).or_default() |= self.coverage.has_run(method, at);
            }
            covered.each.push(CoveredMethod { name: method.to_string(), lines: share_of(&own), branches });
            let file = lines.entry(self.source_of(method)).or_default();
            own.into_iter().for_each(|(line, reached)| *file.entry(line).or_default() |= reached);
        }
        for (file, lines) in lines {
            let share = share_of(&lines);
            covered.lines.add(share.reached, share.total);
            covered.missed.extend(those(&file, &lines, false));
            covered.ran.extend(those(&file, &lines, true));
        }
        covered
    }

    /// Excludes methods of the platform and methods generated for call sites.
    fn counts_for_coverage(&self, method: &Method) -> bool {
        let has_lines = || method.prepared().is_some_and(|prepared| prepared.lines.iter().any(|line| *line != 0));
        let class = self.world.hierarchy.class(method.class);
        let is_synthetic = class.is_some_and(|class| class.access & access::SYNTHETIC != 0);
        self.coverage.has_entered(method) && self.is_own(method.class) && (!is_synthetic || has_lines())
    }

    /// The source lines that have run in those methods of the program that `counts` accepts.
    pub fn lines_run(&self, counts: &dyn Fn(&Method) -> bool) -> BTreeSet<(String, u16)> {
        let mut lines = BTreeSet::new();
        for method in self.world.all_methods.iter().filter(|method| self.counts_for_coverage(method) && counts(method))
        {
            let Some(prepared) = method.prepared() else { continue };
            let run = (0..prepared.lines.len()).filter(|at| self.coverage.has_run(method, *at));
            let file = self.source_of(method);
            lines.extend(run.map(|at| (file.clone(), prepared.lines[at])).filter(|(_, line)| *line != 0));
        }
        lines
    }

    fn source_of(&self, method: &Method) -> String {
        match self.world.hierarchy.class(method.class) {
            Some(class) => source_file(class),
            None => method.class_name.to_string(),
        }
    }
}

fn share_of(lines: &BTreeMap<u16, bool>) -> Share {
    Share { reached: lines.values().filter(|reached| **reached).count(), total: lines.len() }
}

/// The lines of a file that were reached, or those that were not.
fn those(file: &str, lines: &BTreeMap<u16, bool>, reached: bool) -> Option<FileLines> {
    let lines: Vec<u16> = lines.iter().filter(|(_, is)| **is == reached).map(|(line, _)| *line).collect();
    (!lines.is_empty()).then(|| FileLines { file: file.to_owned(), lines })
}

/// The source file of a class with the directory of its package, or the class name if the file is
/// unknown.
pub fn source_file(class: &Class) -> String {
    let file = class.attributes.iter().find_map(|attribute| match attribute {
        Attribute::SourceFile(file) => Some(file.as_str()),
        _ => None,
    });
    let name = class.name.as_str();
    match (file, name.rsplit_once('/')) {
        (Some(file), Some((package, _))) => format!("{package}/{file}"),
        (Some(file), None) => file.into_owned(),
        (None, _) => name.into_owned(),
    }
}

impl Coverage {
    fn count_branches(&self, method: &Method, prepared: &Prepared, share: &mut Share) {
        for (at, instruction) in prepared.code.instructions.iter().enumerate() {
            let marks = self.marks(method, at);
            match instruction {
                Instruction::If(..) if is_assertion_switch(&prepared.code.instructions[..at]) => {}
                Instruction::If(..) => {
                    share.add(usize::from(marks & WENT_ON != 0) + usize::from(marks & JUMPED != 0), 2);
                }
                Instruction::TableSwitch(_) | Instruction::LookupSwitch(_) => {
                    let targets: BTreeSet<usize> = instruction.targets().map(|target| target as usize).collect();
                    let taken = |target: &&usize| self.switched.contains(&(method.number, at, **target));
                    share.add(targets.iter().filter(taken).count(), targets.len());
                }
                _ => {}
            }
        }
    }
}

/// Whether the condition after these instructions is generated for `assert`: the check before each
/// assertion, or the test whether assertions are enabled. Neither is in the source.
fn is_assertion_switch(before: &[Instruction]) -> bool {
    match before.last() {
        Some(Instruction::Field(FieldOp::GetStatic, field)) => field.name == "$assertionsDisabled",
        Some(Instruction::Invoke(_, method)) => method.name == "desiredAssertionStatus",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_lines_are_shown_as_a_range() {
        let missed = FileLines { file: "shop/Prices.java".into(), lines: vec![3, 7, 8, 9, 12, 13] };
        assert_eq!(missed.to_string(), "shop/Prices.java:3,7-9,12-13");
    }
}
