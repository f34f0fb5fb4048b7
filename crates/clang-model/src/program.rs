//! A program of one or more translation units, with the declarations of all of them.

use crate::outline::Outline;
use crate::source_text::SourceText;
use lapidary_clang::{FileId, NodeId, Syntax};
use std::collections::HashMap;

/// A translation unit with its items.
pub(crate) struct Unit {
    pub syntax: Syntax,
    pub outline: Outline,
    /// The program-wide number of each entity.
    pub entities: Vec<usize>,
}

/// The place of a declaration.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub unit: usize,
    pub node: NodeId,
    pub file: FileId,
    pub start: usize,
}

pub(crate) struct Program {
    pub texts: Vec<SourceText>,
    pub units: Vec<Unit>,
    /// Declarations by number of the entity.
    pub declarations: Vec<Vec<Declaration>>,
}

impl Program {
    pub fn new(texts: Vec<SourceText>, parsed: Vec<(Syntax, Outline)>) -> Program {
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut declarations: Vec<Vec<Declaration>> = Vec::new();
        let mut units = Vec::new();
        for (syntax, outline) in parsed {
            let mut entities = Vec::with_capacity(syntax.entities.len());
            for entity in &syntax.entities {
                let number = match known.get(&entity.usr).filter(|_| !entity.usr.is_empty()) {
                    Some(number) => *number,
                    None => {
                        declarations.push(Vec::new());
                        known.insert(entity.usr.clone(), declarations.len() - 1);
                        declarations.len() - 1
                    }
                };
                entities.push(number);
                for node in &entity.declarations {
                    add(&mut declarations[number], &syntax, units.len(), *node);
                }
            }
            units.push(Unit { syntax, outline, entities });
        }
        Program { texts, units, declarations }
    }
}

/// Adds a declaration. The same text read by several units counts once.
fn add(declarations: &mut Vec<Declaration>, syntax: &Syntax, unit: usize, node: NodeId) {
    let found = syntax.node(node);
    let (file, start) = (found.file, found.location as usize);
    if !declarations.iter().any(|known| known.file == file && known.start == start) {
        declarations.push(Declaration { unit, node, file, start });
    }
}
