//! A program as a [`Model`]: the items of figure 2, the constraint of figure 7, the reducer of
//! figure 5.
//!
//! Candidates are cut out of the source text, so the comments and layout of the kept parts survive.
//! When parsed again, a candidate is the program that [`reduce`](crate::reduce()) builds from the
//! same assignment.

use crate::error::FjiError;
use crate::layout::Layout;
use crate::numbering::{DeclarationVars, Numbering};
use crate::parser::parse;
use crate::printer::Body;
use crate::reduce::{Fate, trivial_body};
use crate::syntax::*;
use crate::typecheck::type_check;
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{FileTree, Item, Model, RenderError};
use std::ops::Range;

pub struct FjiModel {
    name: String,
    source: String,
    layout: Layout,
    program: Program,
    numbering: Numbering,
    constraint: Cnf,
}

impl FjiModel {
    /// Parses a program; `name` is the file name of its candidates.
    pub fn parse(name: &str, source: &str) -> Result<FjiModel, FjiError> {
        let program = parse(source)?;
        let (numbering, constraint) = type_check(&program).map_err(|error| error.located_in(source))?;
        let layout = Layout::of(source)?;
        let mut model =
            FjiModel { name: name.to_owned(), source: source.to_owned(), layout, program, numbering, constraint };
        model.assign_costs();
        Ok(model)
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// The text of a candidate.
    pub fn text(&self, keep: &VarSet) -> String {
        let mut edits = Vec::new();
        for (declaration, vars) in self.program.declarations.iter().zip(&self.numbering.declarations) {
            self.edit_declaration(declaration, vars, keep, &mut edits);
        }
        if edits.is_empty() { self.source.clone() } else { apply(&self.source, edits) }
    }

    fn edit_declaration(
        &self,
        declaration: &Declaration,
        vars: &DeclarationVars,
        keep: &VarSet,
        edits: &mut Vec<Edit>,
    ) {
        if !keep.contains(vars.declaration) {
            edits.push(self.removal(declaration.span()));
            return;
        }
        match declaration {
            Declaration::Class(class) => self.edit_class(class, vars, keep, edits),
            Declaration::Interface(interface) => {
                let signatures = interface.signatures.iter().zip(&vars.members);
                let removed = signatures.filter(|(_, vars)| !keep.contains(vars.member));
                edits.extend(removed.map(|(signature, _)| self.removal(&signature.span)));
            }
        }
    }

    fn edit_class(&self, class: &Class, vars: &DeclarationVars, keep: &VarSet, edits: &mut Vec<Edit>) {
        if vars.implements.is_some_and(|implements| !keep.contains(implements)) {
            edits.push(self.removal(&class.implements_span));
        }
        for (method, vars) in class.methods.iter().zip(&vars.members) {
            match Fate::of(vars, keep) {
                Fate::Kept => {}
                Fate::Stubbed => edits.push(Edit {
                    range: method.body_span.0.clone(),
                    replacement: Body(&trivial_body(&method.signature)).to_string(),
                }),
                Fate::Removed => edits.push(self.removal(&method.signature.span)),
            }
        }
    }

    /// The edit that removes a span. A line break stays, because the line before may end with a
    /// comment.
    fn removal(&self, span: &Span) -> Edit {
        let range = self.layout.territory(span);
        let joins_lines = self.source[range.clone()].starts_with('\n') && !self.source[range.end..].starts_with('\n');
        Edit { range, replacement: if joins_lines { "\n" } else { "" }.to_owned() }
    }

    /// Assigns costs: an item costs the bytes it occupies, without those of the items inside it.
    fn assign_costs(&mut self) {
        let extents = self.extents();
        for (var, extent) in &extents {
            self.numbering.items[var.index()].cost = *extent;
        }
        for (var, extent) in &extents {
            if let Some(parent) = self.numbering.items[var.index()].parent {
                self.numbering.items[parent.index()].cost -= extent;
            }
        }
    }

    fn extents(&self) -> Vec<(Var, u64)> {
        let territory = |span: &Span| self.layout.territory(span).len() as u64;
        let mut extents = Vec::with_capacity(self.numbering.items.len());
        for (declaration, vars) in self.program.declarations.iter().zip(&self.numbering.declarations) {
            extents.push((vars.declaration, territory(declaration.span())));
            match declaration {
                Declaration::Class(class) => {
                    extents.extend(vars.implements.map(|var| (var, territory(&class.implements_span))));
                    for (method, vars) in class.methods.iter().zip(&vars.members) {
                        extents.push((vars.member, territory(&method.signature.span)));
                        extents.extend(vars.code.map(|code| (code, method.body_span.0.len() as u64)));
                    }
                }
                Declaration::Interface(interface) => {
                    let signatures = interface.signatures.iter().zip(&vars.members);
                    extents.extend(signatures.map(|(signature, vars)| (vars.member, territory(&signature.span))));
                }
            }
        }
        extents
    }
}

impl Model for FjiModel {
    fn items(&self) -> &[Item] {
        &self.numbering.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        Ok(FileTree::file(&self.name, self.text(keep).as_str()))
    }
}

struct Edit {
    range: Range<usize>,
    replacement: String,
}

/// Applies all edits, which do not overlap. Line breaks at the start are dropped if everything
/// before them was removed.
fn apply(source: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let mut text = String::with_capacity(source.len());
    let mut copied = 0;
    for edit in edits {
        text.push_str(&source[copied..edit.range.start]);
        text.push_str(&edit.replacement);
        copied = edit.range.end;
    }
    text.push_str(&source[copied..]);
    text.trim_start_matches(['\r', '\n']).to_owned()
}
