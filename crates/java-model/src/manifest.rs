//! The manifest, which always stays, but most of whose contents can be removed.
//!
//! Tools write pages into manifests that no reader of a bug report misses. The version stays, and
//! so do the attributes that decide how the jar is read and run: whether it has classes for several
//! releases, its class path, and its entry point.

use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Entry, FileTree, Item, Model, RenderError};
use std::ops::Range;
use std::path::Path;

const PATH: &str = "META-INF/MANIFEST.MF";
const NEEDED: [&str; 4] = ["manifest-version", "main-class", "multi-release", "class-path"];

/// A manifest as attributes of the main section, and sections about single entries of the jar.
pub struct ManifestModel {
    tree: FileTree,
    text: Vec<u8>,
    /// The lines of each item.
    parts: Vec<Range<usize>>,
    items: Vec<Item>,
    constraint: Cnf,
}

impl ManifestModel {
    /// Builds the model. `None` if there is no manifest, or nothing in it can be removed.
    pub fn new(tree: &FileTree) -> Option<ManifestModel> {
        let Entry::File { content, .. } = tree.entry(Path::new(PATH))? else { return None };
        let parts = parts(content);
        if parts.is_empty() {
            return None;
        }
        let label = |range: &Range<usize>| {
            let line = content[range.clone()].split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
            format!("manifest {}", String::from_utf8_lossy(line))
        };
        let items = parts.iter().map(|range| Item::new(label(range), "manifest").costing(range.len() as u64)).collect();
        let constraint = Cnf::new(parts.len());
        Some(ManifestModel { tree: tree.clone(), text: content.to_vec(), parts, items, constraint })
    }
}

impl Model for ManifestModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let mut text = Vec::with_capacity(self.text.len());
        let mut reached = 0;
        for (_, range) in self.parts.iter().enumerate().filter(|(item, _)| !keep.contains(Var::new(*item))) {
            text.extend_from_slice(&self.text[reached..range.start]);
            reached = range.end;
        }
        text.extend_from_slice(&self.text[reached..]);
        Ok(self.tree.with_file(Path::new(PATH), text.into()))
    }
}

/// The attributes of the first section with their continuation lines, and each further section as a
/// whole.
fn parts(text: &[u8]) -> Vec<Range<usize>> {
    let lines: Vec<Range<usize>> = lines(text).collect();
    let is_blank = |line: &Range<usize>| text[line.clone()].trim_ascii().is_empty();
    let first_blank = lines.iter().position(is_blank).unwrap_or(lines.len());
    let (main, rest) = lines.split_at(first_blank);
    let attributes = joined(main, |_, line| text[line.start] != b' ');
    let sections = joined(rest, |before, line| before.is_some_and(is_blank) && !is_blank(line));
    attributes.into_iter().filter(|range| !is_needed(&text[range.clone()])).chain(sections).collect()
}

/// Joins lines into parts. `begins` tells, from a line and the one before it, whether a new part
/// begins.
fn joined(lines: &[Range<usize>], begins: impl Fn(Option<&Range<usize>>, &Range<usize>) -> bool) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &lines[index]);
        match parts.last_mut() {
            _ if begins(before, line) => parts.push(line.clone()),
            Some(part) => part.end = line.end,
            None => {}
        }
    }
    parts
}

fn is_needed(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
    NEEDED.iter().any(|needed| name.eq_ignore_ascii_case(needed.as_bytes()))
}

/// The range of each line, including its line break.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = start + rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
        let line = start..end;
        start = end;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    const MANIFEST: &str = "Manifest-Version: 1.0\r\nBuilt-By: a very long\r\n  name\r\nMulti-Release: true\r\nTool: x\r\n\r\nName: p/A.class\r\nSealed: true\r\n\r\nName: p/B.class\r\nSealed: true\r\n";

    fn tree(manifest: &str) -> FileTree {
        FileTree::directory("app", BTreeMap::from([(PathBuf::from(PATH), Entry::file(manifest))]))
    }

    fn rendered(model: &ManifestModel, keep: &VarSet) -> String {
        let tree = model.render(keep).unwrap();
        let Some(Entry::File { content, .. }) = tree.entry(Path::new(PATH)) else { panic!("it stays") };
        String::from_utf8(content.to_vec()).unwrap()
    }

    #[test]
    fn attributes_that_decide_how_the_jar_is_read_stay() {
        let model = ManifestModel::new(&tree(MANIFEST)).unwrap();
        let labels: Vec<&str> = model.items().iter().map(|item| item.label.as_str()).collect();
        assert_eq!(
            labels,
            [
                "manifest Built-By: a very long",
                "manifest Tool: x",
                "manifest Name: p/A.class",
                "manifest Name: p/B.class"
            ]
        );
        assert_eq!(rendered(&model, &VarSet::empty(4)), "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n");
        assert_eq!(rendered(&model, &VarSet::full(4)), MANIFEST);
        let second = VarSet::of(4, [Var::new(3)]);
        assert_eq!(
            rendered(&model, &second),
            "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\nName: p/B.class\r\nSealed: true\r\n"
        );
    }

    #[test]
    fn a_manifest_with_nothing_to_remove_has_no_model() {
        assert!(ManifestModel::new(&tree("Manifest-Version: 1.0\n")).is_none());
        assert!(ManifestModel::new(&FileTree::directory("app", BTreeMap::new())).is_none());
    }
}
