//! Expressions that may become the value they had in a run.

use crate::draft::Draft;
use crate::outline::label;
use crate::presence::Presence;
use lapidary_clang::{NodeId, Syntax, tokens};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The values of expressions, as literals. An expression is identified by its line and its tokens,
/// so that it is found in a program from which parts have been removed.
#[derive(Clone, Debug, Default)]
pub struct KnownValues {
    literals: HashMap<(PathBuf, u32), Vec<(Tokens, String)>>,
}

type Tokens = Vec<Vec<u8>>;

impl KnownValues {
    /// Adds a value. If an expression is on the line twice, only the first counts.
    pub fn add(&mut self, file: &Path, line: u32, expression: &[u8], literal: String) {
        let on_line = self.literals.entry((file.to_owned(), line)).or_default();
        let tokens = spelled(expression);
        if on_line.iter().all(|(known, _)| *known != tokens) {
            on_line.push((tokens, literal));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    fn literal(&self, syntax: &Syntax, id: NodeId) -> Option<&str> {
        let node = syntax.node(id);
        let file = &syntax.files[node.file.index()];
        let before = &file.text[..node.start as usize];
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
        let on_line = self.literals.get(&(file.path.clone(), line))?;
        let tokens = spelled(syntax.text(id));
        on_line.iter().find(|(known, _)| *known == tokens).map(|(_, literal)| literal.as_str())
    }
}

/// Makes an item of each expression whose value is known.
pub(crate) fn known_values(syntax: &Syntax, values: &KnownValues, files: usize, draft: &mut Draft) {
    let around = Presence::of(draft, files);
    let mut outer = Vec::new();
    for id in syntax.given_values() {
        let Some(literal) = values.literal(syntax, id) else { continue };
        outer.retain(|(outer, _)| syntax.contains(*outer, id));
        let (file, range) = (syntax.node(id).file, syntax.node(id).range());
        let inside = outer.last().map(|(_, var)| *var);
        let parent = inside.or_else(|| around.at(draft, file, &range).first().copied());
        let (var, is_new) = draft.item(file, range.clone(), "known value", parent, || label(syntax, id));
        if is_new {
            draft.patch(var, file, range, literal.to_owned());
        }
        outer.push((id, var));
    }
}

fn spelled(text: &[u8]) -> Tokens {
    tokens(text).into_iter().map(|token| text[token.range].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClangModel, Demands, Detail, Knowledge, Layout, Project, Readers, View};
    use lapidary_logic::{Reasoner, VarSet};
    use lapidary_reduce::{FileTree, Model};

    #[test]
    fn an_expression_that_becomes_its_value_needs_nothing() {
        let text = "int twice(int x) { return 2 * x; }\nint main(void)\n{\n    int b = twice(3);\n    return b;\n}\n";
        let path = Path::new("/nowhere/a.c");
        let mut values = KnownValues::default();
        values.add(path, 4, b"twice( 3 )", "6".into());
        values.add(path, 5, b"b + 1", "7".into());
        let (project, tree) = (Project::single(path, Vec::new()), FileTree::file("a.c", text));
        let view = View { detail: Detail::Statements, layout: Layout::Compact };
        let demands = Demands { linked: true, initialised: true, returned: true, reached: None };
        let knowledge = Knowledge { kept: &[], values: Some(&values) };
        let model = ClangModel::read_by(&Readers::default(), &project, &tree, view, demands, knowledge).unwrap();
        let labels = model.items().iter().filter(|item| item.kind == "known value").count();
        assert_eq!(labels, 1, "the other line has no such expression");
        let wanted = model.items_with(|_, at| text[at..].starts_with("return b"));
        let all = VarSet::full(model.constraint().variables());
        let least = Reasoner::new(model.constraint()).minimal_solution(&all, &wanted);
        let least = model.render(&least).unwrap();
        let content = least.only_file().expect("a file stays a file");
        let words: Vec<&str> = std::str::from_utf8(content).unwrap().split_whitespace().collect();
        assert_eq!(words.join(" "), "int main(void) { int b = 6; return b; }");
    }
}
