//! The linker's requirements: anything that is used must be defined in one of the units, not only
//! declared.

use crate::draft::Draft;
use crate::parameters::{handed_over, is_class_template};
use crate::presence::Presence;
use crate::program::{Declaration, Program, Unit};
use lapidary_clang::{EntityId, Kind, Mark, NodeId};
use lapidary_logic::Var;
use std::collections::HashSet;

/// Adds the clauses of all units.
pub(crate) fn linking(program: &Program, draft: &mut Draft, presence: &Presence) {
    let definitions: Vec<Option<Vec<Var>>> =
        program.declarations.iter().map(|declarations| definitions(program, declarations)).collect();
    entry(program, &definitions).into_iter().for_each(|main| draft.need(&[], main));
    let mut seen = HashSet::new();
    for unit in &program.units {
        let handed_over = handed_over(&unit.syntax);
        for id in unit.syntax.ids() {
            made_unseen(unit, id, &handed_over, draft);
            for number in used(unit, id) {
                let Some(definitions) = &definitions[number] else { continue };
                let node = unit.syntax.node(id);
                let mut premises = presence.at(draft, node.file, &node.range());
                premises.extend(declared_constructor(program, unit, id, number));
                if premises.len() != 1 || seen.insert((premises[0], number)) {
                    draft.need(&premises, definitions);
                }
            }
        }
    }
}

/// Keeps the body of a constructor or conversion that a template may use. Templates create and
/// convert objects of their own class and of their argument classes, and no reference says which
/// function they call.
fn made_unseen(unit: &Unit, id: NodeId, handed_over: &HashSet<EntityId>, draft: &mut Draft) {
    let (syntax, outline) = (&unit.syntax, &unit.outline);
    let node = syntax.node(id);
    let Some(class) = node.parent.map(|outer| syntax.node(outer)).filter(|outer| outer.kind.is_class()) else { return };
    let is_given = class.declares.is_some_and(|class| handed_over.contains(&class));
    let name = |entity: Option<EntityId>| entity.map_or("", |entity| &syntax.entity(entity).name);
    // A constructor template is called `Class<T>`.
    let is_of_class = || name(node.declares).split('<').next() == Some(name(class.declares));
    let is_unnamed = match node.kind {
        Kind::Constructor | Kind::Conversion => true,
        Kind::FunctionTemplate => is_of_class(),
        _ => false,
    };
    if !is_unnamed || !(is_given || syntax.ancestors(id).any(|outer| is_class_template(syntax, outer))) {
        return;
    }
    let definition = node.declares.and_then(|entity| syntax.definition(entity));
    let body = definition.and_then(|definition| outline.bodies[definition.index()]);
    if let (Some(declared), Some(body)) = (outline.declared[id.index()], body) {
        draft.need(&[declared], &[body]);
    }
}

/// Returns the definitions of `main`, which must be kept.
fn entry<'d>(program: &Program, definitions: &'d [Option<Vec<Var>>]) -> Option<&'d Vec<Var>> {
    let mut entities = program.units.iter().flat_map(|unit| unit.syntax.entities.iter().zip(&unit.entities));
    let (_, number) = entities.find(|(entity, number)| entity.name == "main" && definitions[**number].is_some())?;
    definitions[*number].as_ref()
}

/// Returns the items that hold the definitions of an entity. `None` if it has no definition here,
/// or one that always stays.
fn definitions(program: &Program, declarations: &[Declaration]) -> Option<Vec<Var>> {
    let is_definition = |found: &&Declaration| {
        let node = program.units[found.unit].syntax.node(found.node);
        node.is(Mark::Definition) && (node.kind.is_function() || node.kind == Kind::Variable)
    };
    let item = |found: &Declaration| {
        let outline = &program.units[found.unit].outline;
        outline.bodies[found.node.index()].or(outline.declared[found.node.index()])
    };
    let items: Vec<Var> = declarations.iter().filter(is_definition).map(item).collect::<Option<_>>()?;
    Some(items).filter(|items| !items.is_empty())
}

/// Returns the declaration of a constructor that is called without arguments. The linker looks for
/// such a constructor only if it is declared.
fn declared_constructor(program: &Program, unit: &Unit, id: NodeId, number: usize) -> Option<Var> {
    let node = unit.syntax.node(id);
    let first = program.declarations[number].first()?;
    let declared = &program.units[first.unit];
    let is_bare = node.kind == Kind::Call && node.arguments == 0;
    let is_constructor = declared.syntax.node(first.node).kind == Kind::Constructor;
    declared.outline.declared[first.node.index()].filter(|_| is_bare && is_constructor)
}

/// Returns the entities that the linker needs because of a node: those it names, and those that its
/// class uses implicitly.
fn used(unit: &Unit, id: NodeId) -> impl Iterator<Item = usize> {
    let node = unit.syntax.node(id);
    let names = matches!(node.kind, Kind::Call | Kind::Name | Kind::Member);
    let is_called_unseen = node.kind == Kind::Destructor || (node.is(Mark::Virtual) && !node.is(Mark::PureVirtual));
    let named = node.refers.filter(|_| names);
    let declared = node.declares.filter(|_| is_called_unseen);
    named.into_iter().chain(declared).map(|entity| unit.entities[entity.index()])
}
