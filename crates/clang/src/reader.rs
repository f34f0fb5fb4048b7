//! Reads translation units with libclang, in a child process where that is possible.

use crate::includes::require_regular;
use crate::kept_unit::KeptUnit;
use crate::service::{Asked, UnitInChild, ask, complaints_of, syntax_of};
use crate::{Compilation, Complaint, LoadError, ParseError, Sources, Syntax, check, library, unit};

/// Checks that libclang can be loaded, so that C and C++ can be parsed.
pub fn is_available() -> Result<(), LoadError> {
    if !lapidary_foreign::is_available() {
        return library::enter();
    }
    match ask(Asked::Available, &Sources::default(), &Compilation::default()) {
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
    syntax_of(&ask(Asked::Syntax, sources, compilation)?, sources)
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
    complaints_of(&ask(Asked::ComplaintsAboutDeclarations, sources, compilation)?)
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
    InChild(UnitInChild),
}

impl Reader {
    pub fn new(compilation: Compilation) -> Reader {
        let kept = match lapidary_foreign::is_available() {
            true => Kept::InChild(UnitInChild::new()),
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
            Kept::InChild(unit) => complaints_of(&unit.ask(Asked::ComplaintsOf, sources, &self.compilation)?),
        }
    }

    /// Returns the tree that [`parse`] would return.
    pub fn syntax(&mut self, sources: &Sources) -> Result<Syntax, ParseError> {
        require_regular(sources, &self.compilation)?;
        match &mut self.kept {
            Kept::Here(unit) => unit.syntax(sources),
            Kept::InChild(unit) => syntax_of(&unit.ask(Asked::SyntaxOf, sources, &self.compilation)?, sources),
        }
    }
}
