//! Replaces a type by `int`: in one declaration, together with others of the same function that
//! must agree; in one cast; or at once everywhere it is written like this.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, FileId, Kind, NodeId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const KIND: &str = "type to int";

type Place = (FileId, usize, usize);

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let mut groups = Vec::new();
    let mut by_text: BTreeMap<&[u8], Vec<Place>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for id in program.nodes().filter(|id| has_type(program, *id) && !program.is_fixed(*id)) {
        let Some(words) = words(program, id) else { continue };
        let text = program.slice(program.file(id), words.clone());
        by_text.entry(text).or_default().push((program.file(id), words.start, words.end));
        if seen.insert(agreement(program, id)) {
            groups.push((id, together(program, id)));
        }
    }
    let each = groups.into_iter().map(|(id, places)| program.opportunity(KIND, id, "write int in", edits(&places)));
    let all = by_text.into_values().filter(|places| places.len() > 1).map(|places| everywhere(program, &places));
    each.chain(all).collect()
}

fn has_type(program: &Program<'_>, id: NodeId) -> bool {
    matches!(program.kind(id), Kind::Variable | Kind::Parameter | Kind::Field | Kind::Function | Kind::Method)
        || (program.kind(id) == Kind::Cast && program.text(id).starts_with(b"("))
}

/// Returns the range of the written type. `None` if it is `int`, or missing.
fn words(program: &Program<'_>, id: NodeId) -> Option<Range<usize>> {
    let mut range = program.range(id);
    if program.kind(id) == Kind::Cast {
        range.start += 1;
    }
    let words = program.type_words_in(program.file(id), range)?;
    let text = program.slice(program.file(id), words.clone());
    let is_name = program.name_range(id).is_some_and(|name| words.contains(&name.start));
    (!matches!(text, b"int" | b"auto" | b"void") && !is_name && !program.is_in_expansion(program.file(id), words.start))
        .then_some(words)
}

/// A key that is equal for declarations that must agree.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    Alone(usize, usize),
    Result(EntityId),
    Parameter(EntityId, usize),
}

fn agreement(program: &Program<'_>, id: NodeId) -> Agreement {
    let alone = Agreement::Alone(program.file(id).index(), program.range(id).start);
    match program.kind(id) {
        Kind::Cast | Kind::Field => alone,
        Kind::Parameter => parameter(program, id).map_or(alone, |(function, at)| Agreement::Parameter(function, at)),
        _ => program.syntax.node(id).declares.map_or(alone, Agreement::Result),
    }
}

fn parameter(program: &Program<'_>, id: NodeId) -> Option<(EntityId, usize)> {
    let function = program.syntax.node(id).parent.filter(|id| program.kind(*id).is_function())?;
    let at = program.parameters(function).iter().position(|other| *other == id)?;
    Some((program.syntax.node(function).declares?, at))
}

fn together(program: &Program<'_>, id: NodeId) -> Vec<Place> {
    let declarations = |entity| program.declarations(entity).unwrap_or_default();
    let nodes: Vec<NodeId> = match agreement(program, id) {
        Agreement::Alone(..) => vec![id],
        Agreement::Result(entity) => declarations(entity),
        Agreement::Parameter(entity, at) => {
            let functions = declarations(entity).into_iter();
            functions.filter_map(|function| program.parameters(function).get(at).copied()).collect()
        }
    };
    let places = nodes.into_iter().filter_map(|id| Some((program.file(id), words(program, id)?)));
    places.map(|(file, range)| (file, range.start, range.end)).collect()
}

fn edits(places: &[Place]) -> Vec<Edit> {
    places.iter().map(|(file, start, end)| Edit { file: *file, range: *start..*end, with: b"int".to_vec() }).collect()
}

fn everywhere(program: &Program<'_>, places: &[Place]) -> Opportunity {
    let (file, start, end) = places[0];
    Opportunity {
        label: program.label_at(file, start..end, "write int everywhere for"),
        kind: KIND,
        edits: edits(places),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::{check_c, check_cpp};

    #[test]
    fn each_and_all() {
        check_c(
            opportunities,
            &[
                (
                    "unsigned long x; static unsigned long y;",
                    &["int x; static unsigned long y;", "unsigned long x; static int y;", "int x; static int y;"],
                ),
                ("int x; void f(void);", &[]),
                (
                    "int f(float a) { return (char)a; }",
                    &["int f(int a) { return (char)a; }", "int f(float a) { return (int)a; }"],
                ),
                ("struct s { int a; } x, y;", &[]),
            ],
        );
    }

    #[test]
    fn declarations_that_must_agree_change_together() {
        check_c(
            opportunities,
            &[(
                "char f(long a); char f(long a) { return 1; }",
                &["int f(long a); int f(long a) { return 1; }", "char f(int a); char f(int a) { return 1; }"],
            )],
        );
    }

    #[test]
    fn names_of_classes_too() {
        check_cpp(
            opportunities,
            &[(
                "namespace n { template <class T> struct V {}; } n::V<char> x;",
                &["namespace n { template <class T> struct V {}; } int x;"],
            )],
        );
    }
}
