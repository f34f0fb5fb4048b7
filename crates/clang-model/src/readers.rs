//! Readers that are reused between models. Reading C++ headers again would take longer than
//! everything else.

use crate::Project;
use lapidary_clang::{Compilation, ParseError, Reader, Sources, Syntax};
use lapidary_reduce::FileTree;
use std::sync::{Mutex, PoisonError};

/// Idle readers: one for each compilation that has been read, or more if it was read by several
/// threads at once.
#[derive(Default)]
pub struct Readers {
    idle: Mutex<Vec<Reader>>,
}

impl Readers {
    /// Parses all units of a program. With many units no readers are kept, since each takes up to
    /// hundreds of megabytes.
    pub fn units(&self, project: &Project, tree: &FileTree) -> Result<Vec<Syntax>, ParseError> {
        const MOST: usize = 8;
        if project.compilations.len() > MOST {
            return project.units(tree);
        }
        let sources = project.sources(tree);
        project.compilations.iter().map(|compilation| self.syntax(&sources, compilation)).collect()
    }

    pub(crate) fn syntax(&self, sources: &Sources, compilation: &Compilation) -> Result<Syntax, ParseError> {
        let mut reader = self.take(compilation);
        let syntax = reader.syntax(sources)?;
        self.give_back(reader);
        Ok(syntax)
    }

    /// Returns a reader that has read the unit before, if there is one, or a new one.
    pub(crate) fn take(&self, compilation: &Compilation) -> Reader {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        match idle.iter().position(|reader| reader.compilation() == compilation) {
            Some(index) => idle.swap_remove(index),
            None => Reader::new(compilation.clone()),
        }
    }

    pub(crate) fn give_back(&self, reader: Reader) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }
}
