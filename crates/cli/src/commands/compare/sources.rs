//! Finds the source lines of the steps of a trace.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The Java files below a directory, by the name of their class.
#[derive(Default)]
pub struct Sources {
    files: HashMap<String, PathBuf>,
}

/// Directories nested deeper than this are not searched.
const DEPTH: usize = 20;

impl Sources {
    pub fn below(directory: &Path) -> Sources {
        let mut sources = Sources::default();
        sources.collect(directory, DEPTH);
        sources
    }

    fn collect(&mut self, directory: &Path, depth: usize) {
        let Some(below) = depth.checked_sub(1) else { return };
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.collect(&path, below);
            } else if let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".java")) {
                self.files.entry(name.to_owned()).or_insert(path.clone());
            }
        }
    }

    /// The source line of a place such as `shop.Main.run:12`.
    pub fn line(&self, place: &str) -> Option<String> {
        let (method, line) = place.rsplit_once(':')?;
        let class = method.rsplit_once('.')?.0;
        let file = class.rsplit('.').next()?.split('$').next()?;
        let text = fs::read_to_string(self.files.get(file)?).ok()?;
        let line: usize = line.parse().ok()?;
        Some(text.lines().nth(line.checked_sub(1)?)?.trim().to_owned())
    }
}
