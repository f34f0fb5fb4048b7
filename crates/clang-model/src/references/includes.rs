//! Maps headers to the includes in the user's files that bring them in.
//!
//! A header counts as brought in by the include during which it was first read. Another include may
//! reach the header and still leave out the needed part of it, as with the parts of `stddef.h`. A
//! direct include of the header itself always suffices.

use crate::preprocessor::Preprocessor;
use lapidary_clang::{FileId, Inclusion, Syntax};
use lapidary_logic::Var;
use std::collections::HashMap;

pub(super) struct Includes {
    /// For each header, lists of includes. One include of every list must be kept.
    headers: HashMap<u32, Vec<Vec<Var>>>,
    files: HashMap<FileId, u32>,
}

impl Includes {
    pub fn of(syntax: &Syntax, found: &Preprocessor) -> Includes {
        let mut first: HashMap<u32, &Inclusion> = HashMap::new();
        let mut direct: HashMap<u32, Vec<Var>> = HashMap::new();
        let mut files = HashMap::new();
        for inclusion in &syntax.inclusions {
            first.entry(inclusion.to).or_insert(inclusion);
            direct.entry(inclusion.to).or_default().extend(item_of(syntax, found, inclusion));
            files.extend(inclusion.file.map(|file| (file, inclusion.to)));
        }
        let needed = |header: u32| needed(header, &first, &direct, |inclusion| item_of(syntax, found, inclusion));
        Includes { headers: first.keys().map(|header| (*header, needed(*header))).collect(), files }
    }

    pub fn of_header(&self, header: u32) -> &[Vec<Var>] {
        self.headers.get(&header).map_or(&[], Vec::as_slice)
    }

    pub fn of_file(&self, file: FileId) -> &[Vec<Var>] {
        self.files.get(&file).map_or(&[], |header| self.of_header(*header))
    }
}

fn item_of(syntax: &Syntax, found: &Preprocessor, inclusion: &Inclusion) -> Option<Var> {
    let node = syntax.node(inclusion.node?);
    found.at.get(&(node.file, node.start as usize)).copied()
}

/// Returns the lists from a header up to the compiled file.
fn needed(
    header: u32,
    first: &HashMap<u32, &Inclusion>,
    direct: &HashMap<u32, Vec<Var>>,
    item: impl Fn(&Inclusion) -> Option<Var>,
) -> Vec<Vec<Var>> {
    const DEEPEST: usize = 256;
    let mut lists = Vec::new();
    let mut at = header;
    for _ in 0..DEEPEST {
        let Some(inclusion) = first.get(&at) else { break };
        if let Some(item) = item(inclusion) {
            let mut any = if lists.is_empty() { direct.get(&header).cloned().unwrap_or_default() } else { Vec::new() };
            any.push(item);
            lists.push(any);
        }
        at = inclusion.from;
    }
    lists
}
