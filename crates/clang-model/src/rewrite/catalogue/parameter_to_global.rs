//! Turns parameters into global variables where that is shorter: one next to a global variable of
//! its type, or several of one type together. Arguments that are names or literals are removed. A
//! function that is called with other arguments is left alone.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use crate::rewrite::program::Variable;
use lapidary_clang::{Kind, NodeId};
use std::collections::BTreeMap;

pub(crate) const KIND: &str = "parameter to global";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let movable = movable(program);
    let beside = movable.iter().filter_map(|id| Some((*id, beside_global(program, *id)?)));
    let mut found: Vec<(NodeId, Vec<Edit>)> = beside.collect();
    found.extend(groups(program, &movable).into_iter().filter_map(|ids| Some((ids[0], together(program, &ids)?))));
    found.into_iter().map(|(id, edits)| program.opportunity(KIND, id, "make global", edits)).collect()
}

/// Returns parameters of functions with a body whose names nothing else has.
fn movable(program: &Program<'_>) -> Vec<NodeId> {
    let variables = program.variables();
    let names = program.declared_names();
    let is_unique = |variable: &&Variable| names.get(program.name(variable.entity)) == Some(&1);
    let is_inside = |id: &NodeId| {
        program.position(*id).is_some_and(|(function, at)| {
            program.kind(function) == Kind::Function
                && program.body(function).is_some()
                && program.has_free_parameters(function)
                && has_trivial_arguments(program, function, at)
        })
    };
    let parameters = variables.iter().filter(|variable| program.kind(variable.id) == Kind::Parameter);
    parameters.filter(is_unique).map(|variable| variable.id).filter(is_inside).collect()
}

fn has_trivial_arguments(program: &Program<'_>, function: NodeId, at: usize) -> bool {
    let is_trivial = |id: &NodeId| matches!(program.kind(program.peeled(*id)), Kind::Name | Kind::Literal);
    let calls = program.calls_of(function);
    calls.is_some_and(|calls| calls.iter().all(|arguments| arguments.get(at).is_some_and(is_trivial)))
}

/// Declares the parameter together with a global variable that precedes its function and has the
/// same type words.
fn beside_global(program: &Program<'_>, parameter: NodeId) -> Option<Vec<Edit>> {
    let (function, _) = program.position(parameter)?;
    let words = words(program, parameter)?;
    let is_fitting = |id: &NodeId| {
        let (file, end) = (program.file(*id), program.range(*id).end);
        program.syntax.node(*id).parent == program.syntax.node(function).parent
            && (file, end <= program.range(function).start) == (program.file(function), true)
            && program.next_is(file, end, ";").is_some()
            && self::words(program, *id) == Some(words)
    };
    let global = program.nodes_of(Kind::Variable).filter(is_fitting).last()?;
    let end = program.range(global).end;
    let text = [b",", program.slice(program.file(parameter), program.declarator(parameter)?)].concat();
    let mut edits = program.without_parameter(parameter)?;
    edits.push(program.put(global, end..end, text));
    Some(edits)
}

fn words<'p>(program: &'p Program<'_>, id: NodeId) -> Option<&'p [u8]> {
    let words = program.type_words(id)?;
    let is_all = words.start == program.range(id).start;
    is_all.then(|| program.slice(program.file(id), words))
}

/// Groups parameters of one function whose types start with the same words, if there are several.
fn groups(program: &Program<'_>, movable: &[NodeId]) -> Vec<Vec<NodeId>> {
    let mut groups: BTreeMap<(NodeId, &[u8]), Vec<NodeId>> = BTreeMap::new();
    for id in movable {
        let key = program.position(*id).map(|(function, _)| function).zip(words(program, *id));
        if let Some(key) = key {
            groups.entry(key).or_default().push(*id);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Declares a group of parameters before their function. Lists are rewritten, since the removed
/// elements may be adjacent.
fn together(program: &Program<'_>, group: &[NodeId]) -> Option<Vec<Edit>> {
    let (function, _) = program.position(group[0])?;
    let places: Vec<usize> = group.iter().filter_map(|id| Some(program.position(*id)?.1)).collect();
    let declarations = program.declarations(program.syntax.node(function).declares?)?;
    let mut lists: Vec<Vec<NodeId>> = declarations.into_iter().map(|id| program.parameters(id)).collect();
    lists.extend(program.calls_of(function)?);
    let mut edits: Vec<Edit> = lists.iter().filter_map(|list| shortened_list(program, list, &places)).collect();
    let file = program.file(function);
    let declarators: Option<Vec<&[u8]>> =
        group.iter().map(|id| Some(program.slice(file, program.declarator(*id)?))).collect();
    let text = [words(program, group[0])?, b" ", &declarators?.join(&b","[..]), b"; "].concat();
    let start = program.range(function).start;
    edits.push(program.put(function, start..start, text));
    Some(edits)
}

fn shortened_list(program: &Program<'_>, list: &[NodeId], without: &[usize]) -> Option<Edit> {
    let whole = program.range(*list.first()?).start..program.range(*list.last()?).end;
    let stays = list.iter().enumerate().filter(|(at, _)| !without.contains(at));
    let texts: Vec<&[u8]> = stays.map(|(_, id)| program.text(*id)).collect();
    Some(program.put(list[0], whole, texts.join(&b", "[..])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn one_joins_a_global() {
        check_c(
            opportunities,
            &[(
                "char x; int f(char *p, int i) { return *p; } int g(void) { return f(0, 1); }",
                &["char x,*p; int f(int i) { return *p; } int g(void) { return f(1); }"],
            )],
        );
    }

    #[test]
    fn several_are_declared_together() {
        check_c(
            opportunities,
            &[
                ("int f(int a, long b, int *c) { return a; }", &["int a,*c; int f(long b) { return a; }"]),
                (
                    "int f(char, char); int f(char a, char b) { return a; } int g(int i) { return f(1, i); }",
                    &["int f(); char a,b; int f() { return a; } int g(int i) { return f(); }"],
                ),
            ],
        );
    }

    #[test]
    fn what_has_to_stay() {
        check_c(
            opportunities,
            &[
                ("int x; int f(int a) { return a; } int g(long b) { return f(b + 1); }", &[]),
                ("int x; int f(int a) { return a; } int g(long a) { return a; }", &[]),
                ("int f(int a) { return a; } int x;", &[]),
                ("int x; int f(int a) { return a; } int (*p)(int) = f;", &[]),
                ("int f(int a) { return a; }", &[]),
            ],
        );
    }
}
