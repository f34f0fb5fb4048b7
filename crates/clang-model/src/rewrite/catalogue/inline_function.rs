//! Inlines a function that is called once: the value of a single `return` in an expression, or its
//! statements in place of a statement. Arguments replace parameters. A parameter stays as a
//! variable if its argument is needed twice or if it is assigned to. Nothing is inlined if a name
//! would be captured.

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, Kind, Mark, NodeId, TypeClass};
use std::collections::{BTreeMap, HashSet};

pub(crate) const KIND: &str = "inline function";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let functions = program.nodes_of(Kind::Function).filter(|id| program.syntax.node(*id).is(Mark::Definition));
    let found = functions.filter_map(|id| Some((id, inlined(program, id)?)));
    found.map(|(id, edits)| program.opportunity(KIND, id, "inline", edits)).collect()
}

fn inlined(program: &Program<'_>, definition: NodeId) -> Option<Vec<Edit>> {
    let entity = program.syntax.node(definition).declares?;
    let [usage] = program.editable_uses(entity)? else { return None };
    let call = program.context(*usage).filter(|id| program.kind(*id) == Kind::Call)?;
    let (callee, arguments) = program.call_parts(call)?;
    let is_recursive = program.syntax.contains(definition, call);
    if callee != program.outermost(*usage) || is_recursive || program.in_macro(call) {
        return None;
    }
    let routine = Routine::of(program, definition)?;
    let mut edits = routine.expanded(program, call, &arguments)?;
    edits.extend(removal(program, entity)?);
    Some(edits)
}

/// Returns the written result type of a function, if it is a pointer.
fn returned_pointer(program: &Program<'_>, function: NodeId) -> Option<Vec<u8>> {
    let result = program.syntax.get_type(program.syntax.type_of(function)?.inner?);
    let (words, name) = (program.type_words(function)?, program.name_range(function)?);
    let text = program.slice(program.file(function), words.start..name.start).trim_ascii();
    (result.class == TypeClass::Pointer && text.ends_with(b"*")).then(|| text.to_vec())
}

/// Removes all declarations of a function.
pub(super) fn removal(program: &Program<'_>, entity: EntityId) -> Option<Vec<Edit>> {
    let declarations = program.declarations(entity)?;
    let edit = |id: NodeId| {
        let is_defined = program.syntax.node(id).is(Mark::Definition);
        (is_defined || program.is_alone(id)).then(|| {
            let range = if is_defined { program.range(id) } else { program.whole_declaration(id) };
            program.delete(id, range)
        })
    };
    declarations.into_iter().map(edit).collect()
}

/// Something with parameters and a body: a function or a lambda.
pub(crate) struct Routine {
    parameters: Vec<NodeId>,
    body: NodeId,
    /// The result type, if it is a pointer. A 0 in its place would be a number.
    pointer: Option<Vec<u8>>,
}

impl Routine {
    /// Returns the routine. `None` if it is variadic, or if parameters are declared after the
    /// parameter list.
    pub fn of(program: &Program<'_>, id: NodeId) -> Option<Routine> {
        let body = program.body(id)?;
        let is_plain =
            program.has_parameter_list(id) && !program.syntax.node(id).is(Mark::Variadic) && !program.in_macro(body);
        is_plain.then(|| Routine { parameters: program.parameters(id), body, pointer: returned_pointer(program, id) })
    }

    /// Returns the edits that replace a call by the body.
    pub fn expanded(&self, program: &Program<'_>, call: NodeId, arguments: &[NodeId]) -> Option<Vec<Edit>> {
        let is_safe = arguments.len() == self.parameters.len() && !self.captures(program, call, arguments);
        if !is_safe || arguments.iter().any(|id| program.in_macro(*id)) {
            return None;
        }
        match program.children(self.body)[..] {
            [only] if program.kind(only) == Kind::Return => self.as_value(program, only, call, arguments),
            _ if program.is_statement(call) => self.as_statements(program, call, arguments),
            _ => None,
        }
    }

    fn captures(&self, program: &Program<'_>, call: NodeId, arguments: &[NodeId]) -> bool {
        let parameters: HashSet<_> =
            self.parameters.iter().filter_map(|id| program.syntax.node(*id).declares).collect();
        let mut free = program.free_entities(self.body);
        free.retain(|entity| !parameters.contains(entity));
        let given: HashSet<_> = arguments.iter().flat_map(|id| program.free_entities(*id)).collect();
        !program.are_visible_at(&free, call) || program.declares_name_of(self.body, &given)
    }

    fn as_value(&self, program: &Program<'_>, value: NodeId, call: NodeId, arguments: &[NodeId]) -> Option<Vec<Edit>> {
        let value = program.syntax.children(value).next().filter(|id| program.kind(*id).is_expression())?;
        let mut texts = BTreeMap::new();
        for (parameter, argument) in self.parameters.iter().zip(arguments) {
            texts.extend(self.substitution(program, *parameter, *argument)?);
        }
        let text = program.substituted(value, program.range(value), &texts);
        let place = program.peeled(value);
        let names_parameter = |id: &&NodeId| program.syntax.node(**id).declares == program.syntax.node(place).refers;
        let is_name = program.kind(place) == Kind::Name;
        let shown =
            self.parameters.iter().position(|id| is_name && names_parameter(&id)).map_or(value, |at| arguments[at]);
        let text = match &self.pointer {
            Some(pointer) if program.kind(place) == Kind::Literal => [b"((", &pointer[..], b")", &text, b")"].concat(),
            _ => program.text_in_place_of(shown, text, call),
        };
        Some(vec![program.replace(call, text)])
    }

    fn as_statements(&self, program: &Program<'_>, call: NodeId, arguments: &[NodeId]) -> Option<Vec<Edit>> {
        let leaves = |id| program.kind(id) == Kind::Return;
        if program.syntax.subtree(self.body).any(leaves) {
            return None;
        }
        let mut texts = BTreeMap::new();
        let mut text = b"{".to_vec();
        for (parameter, argument) in self.parameters.iter().zip(arguments) {
            match self.substitution(program, *parameter, *argument) {
                Some(found) => texts.extend(found),
                None => text.extend(self.variable(program, *parameter, *argument, arguments)?),
            }
        }
        let body = program.range(self.body);
        text.extend(program.substituted(self.body, body.start + 1..body.end, &texts));
        Some(vec![program.put(call, program.statement_range(call), text)])
    }

    /// Returns the uses of a parameter, each with the text of the argument. `None` if the argument
    /// would be evaluated twice or assigned to.
    fn substitution(
        &self,
        program: &Program<'_>,
        parameter: NodeId,
        argument: NodeId,
    ) -> Option<Vec<(NodeId, Vec<u8>)>> {
        let Some(entity) = program.syntax.node(parameter).declares else { return Some(Vec::new()) };
        let uses = program.editable_uses(entity)?;
        let is_simple = matches!(program.kind(program.peeled(argument)), Kind::Name | Kind::Literal);
        let is_kept = uses.iter().all(|id| !program.is_changed_at(*id));
        let is_inside = uses.iter().all(|id| program.syntax.contains(self.body, *id));
        let text = |id: NodeId| (id, program.text_in_place_of(argument, program.text(argument).to_vec(), id));
        (is_inside && is_kept && (uses.len() < 2 || is_simple)).then(|| uses.iter().map(|id| text(*id)).collect())
    }

    /// Returns a declaration of the parameter as a variable. `None` if an argument names something
    /// else of that name.
    fn variable(
        &self,
        program: &Program<'_>,
        parameter: NodeId,
        argument: NodeId,
        arguments: &[NodeId],
    ) -> Option<Vec<u8>> {
        let given: HashSet<_> = arguments.iter().flat_map(|id| program.free_entities(*id)).collect();
        let has_default = program.initialisation(parameter).is_some();
        let is_clear = !has_default && !program.declares_name_of(parameter, &given);
        is_clear.then(|| [b" ", program.text(parameter), b" = ", program.text(argument), b";"].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::testing::check_c;

    #[test]
    fn a_returned_value_takes_the_place_of_the_call() {
        check_c(
            opportunities,
            &[
                (
                    "static int add(int a, int b) { return a + b; }\nint f(int x) { return 2 * add(x, x - 1); }",
                    &["int f(int x) { return 2 * (x + (x - 1)); }"],
                ),
                (
                    "int id(int a) { return a; }\nint f(int x) { return 2 * id(x + 1); }",
                    &["int f(int x) { return 2 * (x + 1); }"],
                ),
                (
                    "struct s { int n; };\nstatic struct s *g(void) { return 0; }\nint f(void) { return g()->n; }",
                    &["struct s { int n; };\nint f(void) { return ((struct s *)0)->n; }"],
                ),
                (
                    "int g(void);\nint f(void) { return g(); }\nint g(void) { return 1; }\n",
                    &["int f(void) { return 1; }\n"],
                ),
            ],
        );
    }

    #[test]
    fn statements_take_the_place_of_a_statement() {
        check_c(
            opportunities,
            &[
                (
                    "int x;\nvoid g(int a) { x = a; x++; }\nvoid f(void) { g(x + 1); }",
                    &["int x;\nvoid f(void) { { x = x + 1; x++; } }"],
                ),
                (
                    "int x;\nvoid g(int a) { a++; x = a; }\nvoid f(void) { g(x); }",
                    &["int x;\nvoid f(void) { { int a = x; a++; x = a; } }"],
                ),
            ],
        );
    }

    #[test]
    fn no_name_is_captured() {
        check_c(
            opportunities,
            &[
                ("int x; int g(void) { return x; } int f(int x) { return g() + x; }", &[]),
                ("int x; void g(int a) { int y = 1; x = a + y; } void f(int y) { g(y); }", &[]),
                ("int x; void g(int a) { a++; x = a; } void f(int a) { g(a); }", &[]),
            ],
        );
    }

    #[test]
    fn what_cannot_be_inlined() {
        check_c(
            opportunities,
            &[
                ("int g(int a) { return a; } int f(void) { return g(1) + g(2); }", &[]),
                ("int g(int a) { return a * a; } int h(void); int f(void) { return g(h()); }", &[]),
                ("int g(int a) { return a ? g(0) : 1; }", &[]),
                ("int g(int a) { return a; } int (*p)(int) = g;", &[]),
                ("int g(a) int a; { return a; } int f(void) { return g(1); }", &[]),
                ("int g(void) { if (1) return 1; return 2; } int f(void) { return g(); }", &[]),
            ],
        );
    }
}
