//! Determines how an expression uses a place in memory.

use crate::elements::Elements;
use crate::library::is_of_a_header;
use crate::program::{Place, Program, Thing};
use crate::text::{Operator, operator};
use foldhash::HashSet;
use lapidary_clang::{Kind, Mark, TypeClass};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Usage {
    Read,
    Write,
    /// Read and written: `++x`, `x += 1`.
    Step,
    /// Named as a whole, of which the given place is a part: the `s` of `s.field`, the `a` of
    /// `a[0]`.
    Part(Place),
    /// Its address becomes known elsewhere.
    Shared,
    /// Neither read nor written.
    Unused,
}

/// Returns how the memory that an expression denotes is used.
pub(crate) fn usage(program: &Program<'_>, place: Place) -> Usage {
    let Some(parent) = program.parent(place) else { return Usage::Unused };
    let is_first = program.children(parent).next() == Some(place);
    match program.node(parent).kind {
        Kind::Parentheses => usage(program, parent),
        Kind::OtherExpression => converted(program, place, parent),
        Kind::Binary if is_first => match operator(program, parent) {
            Operator::Assign => Usage::Write,
            Operator::Comma => Usage::Unused,
            _ => Usage::Read,
        },
        Kind::CompoundAssignment if is_first => Usage::Step,
        Kind::Unary => match operator(program, parent) {
            Operator::Step => Usage::Step,
            Operator::AddressOf => Usage::Shared,
            _ => Usage::Read,
        },
        Kind::Member => owner_of_member(program, place, parent),
        Kind::Subscript if is_first && has_class(program, place, TypeClass::Array) => Usage::Part(parent),
        Kind::Variable | Kind::Parameter if has_class(program, parent, TypeClass::Reference) => Usage::Shared,
        Kind::Call | Kind::Lambda | Kind::RangeFor => Usage::Shared,
        Kind::Conditional | Kind::Cast if has_class(program, place, TypeClass::Record) => Usage::Shared,
        // A place that is not loaded first is chosen or seen as another type, and then used.
        Kind::Conditional if !is_first => match usage(program, parent) {
            Usage::Write | Usage::Step | Usage::Shared => Usage::Shared,
            _ => Usage::Read,
        },
        Kind::Cast => usage(program, parent),
        // Only references are initialised by a place that is not loaded first.
        Kind::InitialiserList if !has_class(program, place, TypeClass::Record) => Usage::Shared,
        Kind::Return if returns_reference(program, place) => Usage::Shared,
        Kind::TypeTrait => Usage::Unused,
        kind if kind.is_statement() && kind != Kind::Return && kind != Kind::Switch => Usage::Unused,
        _ => Usage::Read,
    }
}

/// Handles implicit conversions: a value is loaded, an array decays to a pointer, or an object is
/// seen as its base.
fn converted(program: &Program<'_>, place: Place, conversion: Place) -> Usage {
    if has_class(program, place, TypeClass::Array) {
        let parent = program.parent(conversion);
        let subscript = parent.filter(|parent| program.node(*parent).kind == Kind::Subscript);
        return subscript.map_or(Usage::Shared, Usage::Part);
    }
    if has_class(program, place, TypeClass::Record) {
        return match usage(program, conversion) {
            Usage::Unused => Usage::Read,
            other => other,
        };
    }
    let before = program.type_of(place).map(|found| (found.class, found.is_const));
    let after = program.type_of(conversion).map(|found| (found.class, found.is_const));
    let only_const = before.is_some_and(|(class, is_const)| after == Some((class, true)) && !is_const);
    let is_bound = program
        .parent(conversion)
        .is_some_and(|parent| has_class(program, parent, TypeClass::Reference) || keeps_references(program, parent));
    if only_const && is_bound { Usage::Shared } else { Usage::Read }
}

/// Returns whether a call may keep references to its arguments: always in a function of the user's,
/// and in the result of a library function if that becomes a reference.
fn keeps_references(program: &Program<'_>, call: Place) -> bool {
    let is_call = program.node(call).kind == Kind::Call;
    let is_foreign = program.referred(call).is_some_and(|thing| is_of_a_header(program, thing));
    is_call && (!is_foreign || usage(program, call) == Usage::Shared)
}

fn owner_of_member(program: &Program<'_>, place: Place, member: Place) -> Usage {
    if !has_class(program, place, TypeClass::Record) {
        return Usage::Read;
    }
    let declared = program.referred(member).and_then(|thing| program.declarations(thing).first().copied());
    match declared.map(|declared| program.node(declared).kind) {
        Some(Kind::Field) => Usage::Part(member),
        _ => Usage::Shared,
    }
}

/// Returns whether the function around a place returns a reference rather than a value.
fn returns_reference(program: &Program<'_>, place: Place) -> bool {
    let mut around = program.syntax(place).ancestors(place.node).map(|node| Place { unit: place.unit, node });
    let function = around.find(|place| program.node(*place).kind.is_function());
    let result = function.and_then(|function| program.type_of(function)).and_then(|found| found.inner);
    result.is_some_and(|result| program.syntax(place).get_type(result).class == TypeClass::Reference)
}

pub(crate) fn has_class(program: &Program<'_>, place: Place, class: TypeClass) -> bool {
    program.type_of(place).is_some_and(|found| found.class == class)
}

/// Returns the local variables that can be reached only through their own names.
pub(crate) fn private_variables(program: &Program<'_>, elements: &Elements) -> HashSet<Thing> {
    let mut private = HashSet::default();
    let is_local = |thing: &Thing| match program.declarations(*thing) {
        [place] => is_plain_local(program, elements, *place),
        _ => false,
    };
    private.extend(program.things().filter(is_local));
    for (unit, syntax) in program.units.iter().enumerate() {
        for place in syntax.ids().map(|node| Place { unit, node }) {
            let Some(thing) = program.referred(place).filter(|thing| private.contains(thing)) else { continue };
            let is_shared = match program.node(place).kind {
                Kind::Name => is_shared(program, place),
                Kind::VariableReference => true,
                _ => false,
            };
            if is_shared || is_used_elsewhere(program, elements, place, thing) {
                private.remove(&thing);
            }
        }
    }
    private
}

fn is_plain_local(program: &Program<'_>, elements: &Elements, place: Place) -> bool {
    let node = program.node(place);
    let is_variable =
        matches!(node.kind, Kind::Variable | Kind::Parameter) && !node.is(Mark::Static) && !node.is(Mark::Extern);
    let Some(owner) = elements.owner(place) else { return false };
    let is_inside = elements.get(owner).callable.is_some() || node.kind == Kind::Parameter;
    let is_constructed = has_class(program, place, TypeClass::Record)
        && program
            .syntax(place)
            .subtree(place.node)
            .any(|inner| program.units[place.unit].node(inner).kind == Kind::Call);
    is_variable && is_inside && !is_constructed && !has_class(program, place, TypeClass::Reference)
}

fn is_shared(program: &Program<'_>, place: Place) -> bool {
    match usage(program, place) {
        Usage::Shared => true,
        Usage::Part(whole) => is_shared(program, whole),
        _ => false,
    }
}

/// Returns whether a lambda uses a variable of the function around it. The text does not show when
/// such a use happens.
fn is_used_elsewhere(program: &Program<'_>, elements: &Elements, place: Place, thing: Thing) -> bool {
    let callable = |place: Place| elements.owner(place).and_then(|owner| elements.get(owner).callable);
    let is_elsewhere =
        |declared: &Place| program.node(*declared).kind != Kind::Parameter && callable(*declared) != callable(place);
    program.declarations(thing).iter().any(is_elsewhere) || is_parameter_of_lambda(program, thing)
}

/// Returns whether this is a lambda parameter. Such a parameter belongs to the statement that
/// contains the lambda, but the lambda's flow does not.
fn is_parameter_of_lambda(program: &Program<'_>, thing: Thing) -> bool {
    program
        .declarations(thing)
        .iter()
        .any(|place| program.parent(*place).is_some_and(|parent| program.node(parent).kind == Kind::Lambda))
}
