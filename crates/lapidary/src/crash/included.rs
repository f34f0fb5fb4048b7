//! The headers that the files of a program include by name, as far as they are beside them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The headers of some files.
#[derive(Default)]
pub(super) struct Included {
    /// Headers below the root, which become part of the program.
    pub inside: BTreeSet<PathBuf>,
    /// Headers elsewhere, which are read but stay as they are.
    pub outside: BTreeSet<PathBuf>,
}

impl Included {
    /// The headers that these files include in quotes, and those that the headers include. Which
    /// are conditional is left to the compiler.
    pub fn by(files: &[PathBuf], root: &Path) -> Included {
        let mut found = Included::default();
        let mut open = files.to_vec();
        while let Some(file) = open.pop() {
            let text = fs::read(&file).unwrap_or_default();
            let directory = file.parent().unwrap_or(Path::new("/"));
            for name in quoted_includes(&String::from_utf8_lossy(&text)) {
                let Ok(header) = directory.join(name).canonicalize() else { continue };
                let is_new = header.is_file()
                    && !files.contains(&header)
                    && match header.starts_with(root) {
                        true => found.inside.insert(header.clone()),
                        false => found.outside.insert(header.clone()),
                    };
                if is_new {
                    open.push(header);
                }
            }
        }
        found
    }

    /// A remark about headers outside of the root.
    pub fn note(&self, root: &Path) -> Option<String> {
        let first = self.outside.first()?;
        let more = match self.outside.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        Some(format!(
            "{}{more} is outside of {}, so it is read but not reduced; name it with the other files",
            first.display(),
            root.display()
        ))
    }
}

/// The names in `#include "NAME"`.
pub(crate) fn quoted_includes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(quoted_include)
}

fn quoted_include(line: &str) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    directive.trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name)
}
