//! The requirements of a failure: its line must not be empty, and must be reachable from the start
//! of the program.
//!
//! Anything that stays of the failing line needs the items around the whole line. Its function must
//! be called. If all calls are in one other function, that one must be called too, and so on.
//! Functions that may be called by other means than a call in the text are not followed. These are
//! operators, functions that templates look for, and functions whose address is taken.

use crate::draft::Draft;
use crate::model::SourceLine;
use crate::outline::label;
use crate::parameters::{is_called, open_names};
use crate::presence::Presence;
use crate::program::Program;
use crate::references::LOOKED_FOR;
use lapidary_clang::{EntityId, FileId, Kind, NodeId, Syntax};
use lapidary_logic::Var;
use std::collections::BTreeSet;
use std::ops::Range;

/// Adds the clauses for a failure at a place.
pub(crate) fn reaching(program: &Program, draft: &mut Draft, presence: &Presence, place: SourceLine) {
    let Some(first) = keeping(program, draft, presence, place) else { return };
    let mut followed = BTreeSet::new();
    let mut next = innermost_function(program, place.file, &first);
    while let Some(function) = next.filter(|function| followed.insert(*function)) {
        let Some(calls) = calls(program, function) else { return };
        let item = |call: &Call| premises(program, draft, presence, call).first().copied();
        if let Some(items) = calls.iter().map(item).collect::<Option<Vec<Var>>>() {
            draft.need(&[], &items);
        }
        let callers: BTreeSet<Option<Function>> = calls.iter().map(|call| call.caller).collect();
        next = callers.into_iter().reduce(|one, other| one.filter(|_| one == other)).flatten();
    }
}

/// Adds the clauses for a line of which something must stay. Returns the start of the line's text.
pub(crate) fn keeping(
    program: &Program,
    draft: &mut Draft,
    presence: &Presence,
    place: SourceLine,
) -> Option<Range<usize>> {
    let text = program.texts.get(place.file.index())?;
    let tokens = line(&text.text, place.line).map_or(&[][..], |line| text.within(line));
    let tokens: Vec<Range<usize>> = tokens.iter().map(|token| token.range.clone()).collect();
    for item in around_all(draft, presence, place.file, &tokens) {
        draft.need(&[], &[item]);
    }
    tokens.first().cloned()
}

/// A function with a body: its unit and the node of its definition.
type Function = (usize, NodeId);

struct Call {
    unit: usize,
    node: NodeId,
    /// The calling function. `None` for code outside functions, which runs at program start.
    caller: Option<Function>,
}

/// Returns the items without which none of these tokens is kept.
fn around_all(draft: &Draft, presence: &Presence, file: FileId, tokens: &[Range<usize>]) -> BTreeSet<Var> {
    let with_parents = |token: &Range<usize>| -> BTreeSet<Var> {
        let found = presence.at(draft, file, token);
        let parents = |var: Var| std::iter::successors(Some(var), |var| draft.items[var.index()].parent);
        found.into_iter().flat_map(parents).collect()
    };
    let common = |one: BTreeSet<Var>, other: BTreeSet<Var>| one.intersection(&other).copied().collect();
    tokens.iter().map(with_parents).reduce(common).unwrap_or_default()
}

fn premises(program: &Program, draft: &Draft, presence: &Presence, call: &Call) -> Vec<Var> {
    let node = program.units[call.unit].syntax.node(call.node);
    presence.at(draft, node.file, &node.range())
}

fn line(text: &[u8], number: u32) -> Option<Range<usize>> {
    let mut start = 0;
    for (index, line) in (1..).zip(text.split(|byte| *byte == b'\n')) {
        if index == number {
            return Some(start..start + line.len());
        }
        start += line.len() + 1;
    }
    None
}

fn innermost_function(program: &Program, file: FileId, range: &Range<usize>) -> Option<Function> {
    program.units.iter().enumerate().find_map(|(unit, found)| {
        let syntax = &found.syntax;
        let is_around = |id: &NodeId| {
            let node = syntax.node(*id);
            node.kind.is_function() && node.file == file && node.range().contains(&range.start)
        };
        syntax.ids().rfind(is_around).map(|id| (unit, id))
    })
}

/// Returns all calls of a function from elsewhere. `None` if there are none, if there may be
/// others, or for `main`.
fn calls(program: &Program, function: Function) -> Option<Vec<Call>> {
    let (unit, definition) = function;
    let syntax = &program.units[unit].syntax;
    if !is_called_by_name(syntax, definition) {
        return None;
    }
    let own = syntax.node(definition).declares?;
    let mut numbers = BTreeSet::new();
    with_overridden(program, unit, own, &mut numbers)?;
    let mut calls = Vec::new();
    for (unit, found) in program.units.iter().enumerate() {
        let syntax = &found.syntax;
        let is_it = |entity: EntityId| numbers.contains(&found.entities[entity.index()]);
        if open_names(syntax).contains(label(&program.units[function.0].syntax, definition).as_bytes()) {
            return None;
        }
        for id in syntax.ids() {
            let node = syntax.node(id);
            if syntax.overloads(id).any(is_it) {
                return None;
            }
            match node.kind {
                _ if !node.refers.is_some_and(is_it) => {}
                Kind::Call => calls.push(Call { unit, node: id, caller: caller(syntax, unit, id) }),
                Kind::Name | Kind::Member | Kind::OtherExpression if is_called(syntax, id) => {}
                _ => return None,
            }
        }
    }
    calls.retain(|call| call.caller != Some(function));
    Some(calls).filter(|calls| !calls.is_empty())
}

/// Returns whether a function is called only by calls in the text.
fn is_called_by_name(syntax: &Syntax, id: NodeId) -> bool {
    let name = label(syntax, id);
    let is_called_at_start = |child: NodeId| {
        syntax.node(child).kind == Kind::Attribute && syntax.text(child).windows(8).any(|word| word == b"structor")
    };
    matches!(syntax.node(id).kind, Kind::Function | Kind::Method)
        && name != "main"
        && !name.starts_with("operator")
        && !syntax.children(id).any(is_called_at_start)
        && !(syntax.is_cpp() && LOOKED_FOR.contains(&name.as_str()))
}

/// Collects the numbers of a method and of all methods it overrides. `None` if code outside the
/// program can call one of them.
fn with_overridden(program: &Program, unit: usize, entity: EntityId, numbers: &mut BTreeSet<usize>) -> Option<()> {
    let found = &program.units[unit];
    let about = found.syntax.entity(entity);
    if about.is_foreign || about.declarations.is_empty() {
        return None;
    }
    if !numbers.insert(found.entities[entity.index()]) {
        return Some(());
    }
    about.overrides.iter().try_for_each(|overridden| with_overridden(program, unit, *overridden, numbers))
}

fn caller(syntax: &Syntax, unit: usize, id: NodeId) -> Option<Function> {
    let mut around = syntax.ancestors(id);
    around.find(|outer| syntax.node(*outer).kind.is_function()).map(|function| (unit, function))
}

#[cfg(test)]
mod tests {
    use crate::{ClangModel, Demands, Detail, Layout, Project, SourceLine, View};
    use lapidary_clang::FileId;
    use lapidary_logic::{Reasoner, VarSet};
    use lapidary_reduce::{FileTree, Model};
    use std::path::Path;

    /// Returns the smallest valid program in which a line may be run, on one line.
    fn smallest(name: &str, text: &str, line: u32) -> String {
        let project = Project::single(&Path::new("/nowhere").join(name), Vec::new());
        let view = View { detail: Detail::Statements, layout: Layout::Compact };
        let reached = Some(SourceLine { file: FileId::new(0), line });
        let demands = Demands { linked: true, reached, ..Demands::default() };
        let model = ClangModel::meeting(&project, &FileTree::file(name, text), view, demands).unwrap();
        let all = VarSet::full(model.constraint().variables());
        let smallest = Reasoner::new(model.constraint()).minimal_solution(&all, &[]);
        let tree = model.render(&smallest).unwrap();
        let content = tree.only_file().expect("a file stays a file");
        String::from_utf8_lossy(content).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_line_is_called_from_where_the_program_begins() {
        let text = "int g;\nint f(int n) {\ng = 1;\nreturn n;\n}\nint twice(int n) { g++; return f(n); }\n\
                    int main(void) { g = 2; twice(3); return 0; }\n";
        let found = smallest("a.c", text, 3);
        assert!(["g = ", "return f(", "twice("].iter().all(|part| found.contains(part)), "{found}");
        assert!(!found.contains("g++"), "{found}");
    }

    #[test]
    fn one_of_several_calls_is_enough() {
        let text = "int g;\nvoid f(void) {\ng = 1;\n}\nint main(void) { f(); if (g) f(); return 0; }\n";
        assert_eq!(smallest("a.c", text, 3).matches("f()").count(), 1);
        let recursive = "int g;\nvoid f(void) {\nif (g) { g = 1;\n} f(); }\nint main(void) { f(); return 0; }\n";
        assert!(smallest("a.c", recursive, 3).contains("main(void) { f();"));
    }

    #[test]
    fn a_method_is_called_through_the_one_it_overrides() {
        let text = "int g;\nstruct A { virtual void f() = 0; };\nstruct B : A { void f() override {\ng = 1;\n} };\n\
                    int main() { B b; A &a = b; a.f(); }\n";
        assert!(smallest("a.cpp", text, 4).contains("a.f()"));
    }

    #[test]
    fn functions_that_may_be_called_indirectly_need_no_call() {
        let text = "int g;\nvoid f(void) {\ng = 1;\n}\nint main(void) { void (*h)(void) = f; f(); h(); }\n";
        assert!(!smallest("a.c", text, 3).contains("f()"));
        let at_start = "int g;\n__attribute__((constructor)) void f(void) {\ng = 1;\n}\nint main(void) { f(); }\n";
        assert!(smallest("a.c", at_start, 3).contains("main(void) { }"));
        let operator = "int g;\nstruct A {};\nvoid operator+(A, A) {\ng = 1;\n}\nint main() { A a; a + a; }\n";
        assert!(!smallest("a.cpp", operator, 4).contains("a + a"));
    }

    #[test]
    fn a_line_without_text_adds_no_clauses() {
        let text = "int f(void) { return 1; }\n\nint main(void) { return f(); }\n";
        assert_eq!(smallest("a.c", text, 2), smallest("a.c", text, 99));
    }
}
