//! Probes: the code inserted into a program to make it record what it does.
//!
//! Each probe is inserted on the line it is about. A probe that the compiler would not accept (in a
//! constant expression, or in text that a macro sees) is left out where the tree shows this.

use crate::accesses::{Effect, unconverted};
use crate::aliases::initialiser;
use crate::elements::{CallableId, ElementId, Position};
use crate::flow::{ENTRY, EXIT, for_separators};
use crate::graph::Graph;
use crate::library::is_of_a_header;
use crate::program::Place;
use crate::slice::statement_end;
use crate::text::{bodies_of, header, header_from};
use crate::usage::has_class;
use lapidary_clang::{Kind, Mark, TypeClass};
use std::collections::{BTreeMap, HashMap};

/// Inserted code, at one position or around an expression or a statement.
#[derive(Clone, Debug)]
pub(crate) struct Probe {
    pub(crate) file: usize,
    pub(crate) at: usize,
    pub(crate) before: String,
    /// The position and text of the closing part.
    pub(crate) after: Option<(usize, &'static str)>,
    pub(crate) about: About,
}

/// The subject of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    Statement(ElementId),
    Function(CallableId),
    /// The value that a declaration gives, or that an expression reads or writes.
    Value(Place),
    /// The value of an expression, by its number, to be recorded for the caller.
    Given(usize),
}

/// Returns the probes of a program, outer ones first.
pub(crate) fn probes(graph: &Graph<'_>, given: &[Place]) -> Vec<Probe> {
    let mut result = Vec::new();
    let callables: Vec<_> = graph.elements.callable_ids().filter(|id| may_be_probed(graph, *id)).collect();
    callables.iter().for_each(|id| probe_function(graph, *id, &mut result));
    for id in graph.elements.ids() {
        if graph.elements.get(id).callable.is_some_and(|callable| callables.binary_search(&callable).is_ok()) {
            probe_statement(graph, id, &mut result);
        }
    }
    result.extend(given.iter().enumerate().map(|(number, place)| probe_given(graph, *place, number)));
    callables.iter().for_each(|id| probe_values(graph, *id, &mut result));
    result
}

/// Returns the expressions whose values are recorded, outer ones first.
pub(crate) fn given(graph: &Graph<'_>) -> Vec<Place> {
    let callables = graph.elements.callable_ids();
    let probed: HashMap<Place, bool> =
        callables.map(|id| (graph.elements.callable(id).place, may_be_probed(graph, id))).collect();
    let is_probed = |place: &Place| {
        let around = graph.program.syntax(*place).ancestors(place.node).map(|node| Place { node, ..*place });
        let around: Vec<bool> = around.filter_map(|outer| probed.get(&outer).copied()).collect();
        !around.is_empty() && !around.contains(&false)
    };
    let mut found = BTreeMap::new();
    for unit in 0..graph.program.units.len() {
        let places = graph.program.units[unit].given_values().into_iter().map(|node| Place { unit, node });
        for place in places.filter(|place| is_evaluated(graph, *place) && is_probed(place)) {
            let node = graph.program.node(place);
            let key = (graph.program.file_of(place), node.start, std::cmp::Reverse(node.end));
            found.entry(key).or_insert(place);
        }
    }
    found.into_values().collect()
}

fn probe_given(graph: &Graph<'_>, place: Place, number: usize) -> Probe {
    let (program, syntax) = (&graph.program, graph.program.syntax(place));
    let node = program.node(place);
    let of_type = syntax.type_of(syntax.as_written(place.node));
    let points_to_text = |found: &lapidary_clang::Type| {
        let inner = found.inner.map(|inner| syntax.get_type(inner).spelling.as_str());
        matches!(inner, Some("char" | "const char"))
    };
    let name = match of_type {
        Some(found) if found.class == TypeClass::Record && !found.is_text() => "lapidary_list",
        Some(found) if found.class == TypeClass::Record => "lapidary_string",
        Some(found) if points_to_text(found) => "lapidary_text",
        _ => "lapidary_value",
    };
    Probe {
        file: program.file_of(place),
        at: node.start as usize,
        before: format!("{name}({number}u, "),
        after: Some((node.end as usize, ")")),
        about: About::Given(number),
    }
}

/// Returns whether a function may contain probes. One that the compiler may evaluate itself must
/// not.
fn may_be_probed(graph: &Graph<'_>, id: CallableId) -> bool {
    let callable = graph.elements.callable(id);
    let file = graph.program.file_of(callable.place);
    let (node, body) = (graph.program.node(callable.place), graph.program.node(callable.body));
    let head = graph.program.tokens_in(file, node.start as usize..body.start as usize);
    let is_constant = head.iter().any(|token| {
        matches!(
            graph.program.token_text(file, token),
            b"constexpr" | b"consteval" | b"naked" | b"no_instrument_function"
        )
    });
    !is_constant && !node.in_macro && !body.in_macro
}

fn probe_statement(graph: &Graph<'_>, id: ElementId, result: &mut Vec<Probe>) {
    let element = graph.elements.get(id);
    let (file, at) = (element.file, element.range.start);
    let note = format!("__lapidary_s({}u); ", id.0);
    let about = About::Statement(id);
    let inserted = |at, before, after| Probe { file, at, before, after, about };
    match (element.kind, element.position) {
        (Kind::Empty, _) | (_, Position::Declaration) => return,
        (Kind::Label | Kind::Case | Kind::Default, _) => {
            let body = bodies_of(&graph.program, element.places[0]).first().copied();
            let start = body.map(|body| graph.program.node(body).start as usize);
            let start = start.filter(|_| stands_in_block(graph, id));
            result.extend(start.map(|start| inserted(start, note, None)));
        }
        (_, Position::Block) => result.push(inserted(at, note, None)),
        _ if is_labelled(graph, id) => {
            if stands_in_block(graph, id) {
                result.push(inserted(at, note, None));
            }
        }
        _ => result.push(inserted(at, format!("{{ {note}"), Some((statement_end(graph, id), " }")))),
    }
    probe_condition(graph, id, result);
    if element.position == Position::Block {
        probe_declared(graph, id, result);
    }
}

fn is_labelled(graph: &Graph<'_>, id: ElementId) -> bool {
    let parent = graph.elements.get(id).parent.map(|parent| graph.elements.get(parent).kind);
    matches!(parent, Some(Kind::Label | Kind::Case | Kind::Default))
}

/// Returns whether a labelled statement and its labels are in a block, so that a statement can be
/// added between them.
fn stands_in_block(graph: &Graph<'_>, id: ElementId) -> bool {
    let mut outer = std::iter::once(id).chain(graph.elements.around(id));
    let first = outer.find(|outer| !is_labelled(graph, *outer));
    first.is_some_and(|first| graph.elements.get(first).position == Position::Block)
}

/// Adds a probe inside the condition of a loop, which is evaluated in each iteration.
fn probe_condition(graph: &Graph<'_>, id: ElementId, result: &mut Vec<Probe>) {
    let element = graph.elements.get(id);
    let (place, file) = (element.places[0], element.file);
    let program = &graph.program;
    let declares = program.children(place).any(|child| program.node(child).kind == Kind::Variable);
    let bodies = bodies_of(program, place);
    let at = match element.kind {
        _ if declares || bodies.is_empty() => None,
        Kind::While => header(program, place).map(|header| header.start + 1),
        Kind::Do => header_from(program, place, program.node(bodies[0]).end as usize).map(|header| header.start + 1),
        Kind::For => for_separators(program, place)
            .filter(|(first, second)| !program.tokens_in(file, first + 1..*second).is_empty())
            .map(|(first, _)| first + 1),
        _ => None,
    };
    let before = format!("__lapidary_s({}u), ", id.0);
    result.extend(at.map(|at| Probe { file, at, before, after: None, about: About::Statement(id) }));
}

/// Adds a probe after a declaration, which records the values of its variables.
fn probe_declared(graph: &Graph<'_>, id: ElementId, result: &mut Vec<Probe>) {
    let element = graph.elements.get(id);
    if element.kind != Kind::DeclarationStatement || graph.program.node(element.places[0]).in_macro {
        return;
    }
    for place in graph.program.children(element.places[0]) {
        let node = graph.program.node(place);
        let is_excluded =
            node.is(Mark::Static) || node.is(Mark::Extern) || has_class(&graph.program, place, TypeClass::Reference);
        let is_register = graph.program.text(place).starts_with(b"register");
        let name = graph.program.declared(place).map(|thing| graph.program.name(thing));
        let Some(name) = name.filter(|name| !name.is_empty() && node.kind == Kind::Variable) else { continue };
        if is_excluded || is_register || is_constructed(graph, place) {
            continue;
        }
        let before = format!(" __lapidary_w({}u, LAPIDARY_ADDRESS({name}), sizeof({name}));", id.0);
        let at = statement_end(graph, id);
        result.push(Probe { file: element.file, at, before, after: None, about: About::Value(place) });
    }
}

/// Returns whether a constructor initialises the variable. Its contents then count as written by
/// the constructor.
fn is_constructed(graph: &Graph<'_>, place: Place) -> bool {
    let is_object = has_class(&graph.program, place, TypeClass::Record);
    let is_known = graph.program.type_of(place).is_some_and(|found| found.class != TypeClass::Other);
    let value =
        initialiser(&graph.program, place).map(|value| graph.program.node(unconverted(&graph.program, value)).kind);
    !is_known || is_object && value == Some(Kind::Call)
}

fn probe_function(graph: &Graph<'_>, id: CallableId, result: &mut Vec<Probe>) {
    let callable = graph.elements.callable(id);
    if graph.program.node(callable.body).kind != Kind::Compound {
        return;
    }
    let file = graph.program.file_of(callable.place);
    let mut before = format!(
        " int lapidary_frame __attribute__((cleanup(__lapidary_leave), unused)) = __lapidary_enter({}u, {}u);",
        id.0, callable.element.0
    );
    for parameter in graph.program.children(callable.place) {
        let name = graph.program.declared(parameter).map(|thing| graph.program.name(thing)).unwrap_or_default();
        if graph.program.node(parameter).kind == Kind::Parameter && !name.is_empty() && is_scalar(graph, parameter) {
            before += &format!(" __lapidary_w({}u, &{name}, sizeof({name}));", callable.element.0);
        }
    }
    let at = graph.program.node(callable.body).start as usize + 1;
    result.push(Probe { file, at, before: before + " ", after: None, about: About::Function(id) });
}

fn probe_values(graph: &Graph<'_>, id: CallableId, result: &mut Vec<Probe>) {
    let mut found: BTreeMap<Place, (ElementId, bool, bool)> = BTreeMap::new();
    for (index, node) in graph.flow(id).nodes.iter().enumerate() {
        for access in node.facts.accesses.iter().filter(|_| index != ENTRY && index != EXIT) {
            let Some(place) = access.place.filter(|place| may_be_wrapped(graph, *place)) else { continue };
            let (_, reads, writes) = found.entry(place).or_insert((node.element, false, false));
            *(if access.effect == Effect::Read { reads } else { writes }) = true;
        }
    }
    for (place, (element, reads, writes)) in found {
        let node = graph.program.node(place);
        let name = match (reads, writes) {
            (true, true) => "lapidary_step",
            (true, false) => "lapidary_read",
            (false, _) => "lapidary_write",
        };
        result.push(Probe {
            file: graph.program.file_of(place),
            at: node.start as usize,
            before: format!("{name}({}u, ", element.0),
            after: Some((node.end as usize, ")")),
            about: About::Value(place),
        });
    }
}

/// Returns whether an expression has an address and may be replaced by a call that returns it.
fn may_be_wrapped(graph: &Graph<'_>, place: Place) -> bool {
    let program = &graph.program;
    let node = program.node(place);
    let is_place = matches!(node.kind, Kind::Name | Kind::Member | Kind::Subscript | Kind::Unary);
    is_place
        && !node.in_macro
        && node.end > node.start
        && program.expansion_around(place).is_none()
        && is_scalar(graph, place)
        && !program.type_of(place).is_some_and(|found| found.is_const)
        && has_address(graph, place)
        && is_evaluated(graph, place)
}

fn is_scalar(graph: &Graph<'_>, place: Place) -> bool {
    graph.program.type_of(place).is_some_and(|found| found.class.is_arithmetic() || found.class == TypeClass::Pointer)
}

fn has_address(graph: &Graph<'_>, place: Place) -> bool {
    let program = &graph.program;
    let mut at = place;
    loop {
        let first = program.children(at).find(|child| program.node(*child).kind.is_expression());
        let thing = program.referred(at);
        match program.node(at).kind {
            Kind::Name => return thing.is_some_and(|thing| is_ordinary_variable(graph, thing)),
            Kind::Member => {
                let field = thing.filter(|thing| !is_of_a_header(program, *thing));
                let declared = field.and_then(|field| program.declarations(field).first());
                if declared.is_none_or(|declared| program.node(*declared).is(Mark::BitField)) {
                    return false;
                }
                match first {
                    Some(first) if has_class(program, first, TypeClass::Record) => at = first,
                    _ => return true,
                }
            }
            Kind::Subscript => match first.map(|first| unconverted(program, first)) {
                Some(first) if has_class(program, first, TypeClass::Array) => at = first,
                _ => return true,
            },
            Kind::Unary => return true,
            Kind::Parentheses => match first {
                Some(first) => at = first,
                None => return false,
            },
            _ => return false,
        }
    }
}

fn is_ordinary_variable(graph: &Graph<'_>, thing: crate::program::Thing) -> bool {
    let declarations = graph.program.declarations(thing);
    let is_register = |place: &Place| graph.program.text(*place).starts_with(b"register");
    !declarations.is_empty() && !declarations.iter().any(is_register)
}

/// Returns whether an expression is evaluated at run time. Array bounds and constant initialisers
/// are not.
fn is_evaluated(graph: &Graph<'_>, place: Place) -> bool {
    let program = &graph.program;
    let around = program.syntax(place).ancestors(place.node).map(|node| Place { unit: place.unit, node });
    for outer in around {
        let node = program.node(outer);
        match node.kind {
            Kind::Variable => {
                let value = initialiser(program, outer);
                let is_inside = value.is_some_and(|value| program.syntax(outer).contains(value.node, place.node));
                let is_constant =
                    node.is(Mark::Static) || program.text(outer).windows(9).any(|word| word == b"constexpr");
                if !is_inside || is_constant {
                    return false;
                }
            }
            Kind::TypeTrait | Kind::Case | Kind::Attribute | Kind::StatementExpression => return false,
            Kind::Compound => return true,
            _ => {}
        }
    }
    true
}
