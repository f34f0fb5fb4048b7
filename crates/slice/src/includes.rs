//! Maps headers to the `#include` directives that bring them in.

use crate::program::{Place, Program};
use foldhash::{HashMap, HashMapExt};
use std::collections::VecDeque;
use std::path::{Component, Path, PathBuf};

/// The directives in the user's files that bring in the headers of one unit.
pub(crate) struct Includes {
    /// For each header, the directive that reaches it in the fewest steps; the first one if several
    /// do.
    nearest: HashMap<u32, Place>,
    /// Directives that name one of the user's files.
    of_files: Vec<(usize, Place)>,
}

impl Includes {
    pub(crate) fn new(program: &Program<'_>, unit: usize) -> Includes {
        let syntax = &program.units[unit];
        let mut onward: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut pending = VecDeque::new();
        let mut of_files = Vec::new();
        for inclusion in &syntax.inclusions {
            onward.entry(inclusion.from).or_default().push(inclusion.to);
            let Some(node) = inclusion.node else { continue };
            let place = Place { unit, node };
            pending.push_back((inclusion.to, place));
            let path = without_dots(&syntax.headers[inclusion.to as usize]);
            let file = program.files.iter().position(|file| without_dots(&file.path) == path);
            of_files.extend(file.map(|file| (file, place)));
        }
        let mut nearest = HashMap::new();
        while let Some((header, place)) = pending.pop_front() {
            if nearest.contains_key(&header) {
                continue;
            }
            nearest.insert(header, place);
            pending.extend(onward.get(&header).into_iter().flatten().map(|next| (*next, place)));
        }
        Includes { nearest, of_files }
    }

    /// Returns the directive that reaches a header in the fewest steps.
    pub(crate) fn directive_for(&self, header: u32) -> Option<Place> {
        self.nearest.get(&header).copied()
    }

    /// Returns the directives that name one of the user's files.
    pub(crate) fn directives_of(&self, file: usize) -> impl Iterator<Item = Place> {
        self.of_files.iter().filter(move |(named, _)| *named == file).map(|(_, place)| *place)
    }
}

fn without_dots(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if result.file_name().is_some() => {
                result.pop();
            }
            _ => result.push(part),
        }
    }
    result
}
