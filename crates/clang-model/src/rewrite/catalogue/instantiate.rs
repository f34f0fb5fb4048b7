//! Replaces a template with a single instance by that instance: arguments replace its parameters,
//! and `template <…>` and the argument lists are removed.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{FileId, Kind, NodeId};
use std::ops::Range;

pub(crate) const KIND: &str = "instantiate template";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let templates =
        program.nodes().filter(|id| matches!(program.kind(*id), Kind::ClassTemplate | Kind::FunctionTemplate));
    let found = templates.filter_map(|id| Some((id, instantiated(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "instantiate", edits)).collect()
}

fn instantiated(program: &Program<'_>, template: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(template).declares?;
    if program.declarations(entity)?.len() != 1 {
        return None;
    }
    let parameters = parameters(program, template)?;
    let mut edits = vec![program.delete(template, header(program, template)?)];
    let mut instance: Option<Vec<Vec<u8>>> = None;
    let mut lists = Vec::new();
    for usage in program.editable_uses(entity)? {
        let list = list_after(program, *usage);
        lists.extend(list.clone());
        edits.extend(list.clone().map(|range| program.delete(*usage, range)));
        if program.syntax.contains(template, *usage) {
            continue;
        }
        let arguments = arguments(program, template, &parameters, *usage, list)?;
        if *instance.get_or_insert_with(|| arguments.clone()) != arguments {
            return None;
        }
    }
    for (parameter, argument) in parameters.iter().zip(instance?) {
        let uses = program.editable_uses(program.syntax.node(*parameter).declares?)?;
        let is_left = |id: &&NodeId| !lists.iter().any(|list| list.contains(&program.range(**id).start));
        edits.extend(uses.iter().filter(is_left).map(|id| program.replace(*id, argument.clone())));
    }
    Some(edits)
}

/// Returns the parameters of a template. `None` if one stands for several arguments.
pub(crate) fn parameters(program: &Program<'_>, template: NodeId) -> Option<Vec<NodeId>> {
    let is_parameter = |id: &NodeId| {
        matches!(program.kind(*id), Kind::TemplateTypeParameter | Kind::TemplateValueParameter)
            || program.kind(*id) == Kind::TemplateTemplateParameter
    };
    let all: Vec<NodeId> = program.syntax.children(template).filter(is_parameter).collect();
    let is_pack = |id: &NodeId| program.text(*id).windows(3).any(|part| part == b"...");
    (!all.is_empty() && !all.iter().any(is_pack)).then_some(all)
}

/// Returns the range of `template <…>` up to the declaration it belongs to.
pub(crate) fn header(program: &Program<'_>, template: NodeId) -> Option<Range<usize>> {
    let (file, range) = (program.file(template), program.range(template));
    let word = program.next_is(file, range.start, "template")?;
    let list = program.angle_brackets(file, word.range.end)?;
    Some(range.start..program.after(file, list.end)?.range.start)
}

/// Returns the arguments written after the name of a template.
pub(crate) fn list_after(program: &Program<'_>, usage: NodeId) -> Option<Range<usize>> {
    let (file, range) = (program.file(usage), program.range(usage));
    let name = program.name(program.syntax.node(usage).refers?).as_bytes();
    let tokens = program.tokens_in(file, range.clone());
    let end =
        tokens.iter().find(|token| program.spelled(file, token) == name).map_or(range.end, |token| token.range.end);
    program.angle_brackets(file, end)
}

fn arguments(
    program: &Program<'_>,
    template: NodeId,
    parameters: &[NodeId],
    usage: NodeId,
    list: Option<Range<usize>>,
) -> Option<Vec<Vec<u8>>> {
    let file = program.file(usage);
    let written = list.map(|list| program.list(file, list.start + 1..list.end - 1)).unwrap_or_default();
    let texts = parameters.iter().enumerate().map(|(at, parameter)| match written.get(at) {
        Some(range) => Some(normalised(program, file, range.clone())),
        None => deduced(program, template, *parameter, usage).or_else(|| default(program, *parameter)),
    });
    texts.collect()
}

/// Removes white space except between words, so that equal arguments look equal.
fn normalised(program: &Program<'_>, file: FileId, range: Range<usize>) -> Vec<u8> {
    let pieces = program.slice(file, range).split(u8::is_ascii_whitespace).filter(|piece| !piece.is_empty());
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    pieces.fold(Vec::new(), |mut text, piece| {
        if is_word(text.last()) && is_word(piece.first()) {
            text.push(b' ');
        }
        text.extend_from_slice(piece);
        text
    })
}

fn default(program: &Program<'_>, parameter: NodeId) -> Option<Vec<u8>> {
    let (file, range) = (program.file(parameter), program.range(parameter));
    let sign = program.tokens_in(file, range.clone()).iter().find(|token| program.spelled(file, token) == b"=")?;
    Some(normalised(program, file, sign.range.end..range.end))
}

/// Returns the type of the call's argument for the function parameter that has the template
/// parameter's type.
fn deduced(program: &Program<'_>, template: NodeId, parameter: NodeId, usage: NodeId) -> Option<Vec<u8>> {
    let wanted = program.syntax.node(parameter).of_type?;
    let functional = program.parameters(template);
    let at = functional.iter().position(|id| program.syntax.node(*id).of_type == Some(wanted))?;
    let call = program.context(usage).filter(|id| program.kind(*id) == Kind::Call)?;
    let (_, arguments) = program.call_parts(call)?;
    let spelling = &program.syntax.type_of(*arguments.get(at)?)?.spelling;
    let is_sayable = !spelling.contains(['(', '[']);
    is_sayable.then(|| spelling.strip_prefix("const ").unwrap_or(spelling).as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_cpp;

    #[test]
    fn the_only_instance_takes_the_place_of_the_template() {
        check_cpp(
            opportunities,
            &[
                (
                    "template <class T, int N = 3> struct B { T t[N]; B<T> *next; };\nB<int> b; B< int > c;",
                    &["struct B { int t[3]; B *next; };\nB b; B c;"],
                ),
                (
                    "template <class T> T id(T t) { return t; } int f() { return id(2) + id<int>(3); }",
                    &["int id(int t) { return t; } int f() { return id(2) + id(3); }"],
                ),
            ],
        );
    }

    #[test]
    fn lists_inside_of_lists_end_too() {
        let source =
            "template <class T> struct A { T t; }; template <class T> struct B { T t; char c; T u; }; B<A<int>> b;";
        let expected: &[&str] = &[
            "struct A { int t; }; template <class T> struct B { T t; char c; T u; }; B<A> b;",
            "template <class T> struct A { T t; }; struct B { A<int> t; char c; A<int> u; }; B b;",
        ];
        check_cpp(opportunities, &[(source, expected)]);
    }

    #[test]
    fn two_instances_are_two() {
        check_cpp(
            opportunities,
            &[
                ("template <class T> struct B { T t; }; B<int> b; B<char> c;", &[]),
                ("template <class T> T id(T t) { return t; } int f() { return id(2) + id('a'); }", &[]),
                ("template <class... T> struct B { }; B<int> b;", &[]),
                ("template <class T> struct B { T t; };", &[]),
            ],
        );
    }
}
