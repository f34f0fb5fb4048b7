//! Reads translation units with libclang, in a child process where that is possible.

use crate::includes::require_regular;
use crate::kept_unit::KeptUnit;
use crate::service::{Asked, POOL, ask, complaints_of, syntax_of};
use crate::{Compilation, Complaint, LoadError, ParseError, Sources, Syntax, check, library, unit};
use lapidary_foreign::Child;

/// Checks that libclang can be loaded, so that C and C++ can be parsed.
pub fn is_available() -> Result<(), LoadError> {
    if !lapidary_foreign::is_available() {
        return library::enter();
    }
    match one_shot(Asked::Available, &Sources::default(), &Compilation::default()) {
        Err(ParseError::Load(error)) => Err(error),
        Err(error) => Err(LoadError(error.to_string())),
        Ok(_) => Ok(()),
    }
}

/// Parses a translation unit into a syntax tree with the compiler's complaints. Errors in the text
/// become complaints, and the tree holds as much as could be parsed.
pub fn parse(sources: &Sources, compilation: &Compilation) -> Result<Syntax, ParseError> {
    require_regular(sources, compilation)?;
    if !lapidary_foreign::is_available() {
        return unit::parse(sources, compilation);
    }
    syntax_of(&one_shot(Asked::Syntax, sources, compilation)?, sources)
}

/// Returns the errors outside function bodies. Skipping the bodies halves the time.
pub fn complaints_about_declarations(
    sources: &Sources,
    compilation: &Compilation,
) -> Result<Vec<Complaint>, ParseError> {
    require_regular(sources, compilation)?;
    if !lapidary_foreign::is_available() {
        return check::complaints_about_declarations(sources, compilation);
    }
    complaints_of(&one_shot(Asked::ComplaintsAboutDeclarations, sources, compilation)?)
}

/// Asks an idle child.
fn one_shot(asked: Asked, sources: &Sources, compilation: &Compilation) -> Result<Vec<u8>, ParseError> {
    let mut child = None;
    let answer = ask(&mut child, asked, sources, compilation);
    child.into_iter().for_each(|child| POOL.give_back(child));
    answer
}

/// Reads texts of one translation unit.
///
/// It keeps libclang's unit, so that the headers at the top of the file are read once rather than
/// for each text.
pub struct Reader {
    compilation: Compilation,
    kept: Kept,
}

/// The place of the unit.
enum Kept {
    Here(Box<KeptUnit>),
    /// A child, once one was needed and as long as it lives.
    InChild(Option<Child>),
}

impl Reader {
    pub fn new(compilation: Compilation) -> Reader {
        let kept = match lapidary_foreign::is_available() {
            true => Kept::InChild(None),
            false => Kept::Here(Box::new(KeptUnit::new(compilation.clone()))),
        };
        Reader { compilation, kept }
    }

    pub fn compilation(&self) -> &Compilation {
        &self.compilation
    }

    /// Returns the errors in these texts.
    pub fn complaints(&mut self, sources: &Sources) -> Result<Vec<Complaint>, ParseError> {
        require_regular(sources, &self.compilation)?;
        match &mut self.kept {
            Kept::Here(unit) => unit.complaints(sources),
            Kept::InChild(child) => complaints_of(&ask(child, Asked::ComplaintsOfKept, sources, &self.compilation)?),
        }
    }

    /// Returns the tree that [`parse`] would return.
    pub fn syntax(&mut self, sources: &Sources) -> Result<Syntax, ParseError> {
        require_regular(sources, &self.compilation)?;
        match &mut self.kept {
            Kept::Here(unit) => unit.syntax(sources),
            Kept::InChild(child) => syntax_of(&ask(child, Asked::SyntaxOfKept, sources, &self.compilation)?, sources),
        }
    }
}

impl Drop for Reader {
    /// Gives the child back without its unit, which may take hundreds of megabytes.
    fn drop(&mut self) {
        if let Kept::InChild(child @ Some(_)) = &mut self.kept {
            // If the child dies of this, it needs no place in the pool.
            let _ = ask(child, Asked::Forget, &Sources::default(), &self.compilation);
            child.take().into_iter().for_each(|child| POOL.give_back(child));
        }
    }
}
