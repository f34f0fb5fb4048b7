//! Removal of parameters and arguments from bodies.

use super::Gone;
use super::arguments::Calls;
use super::families::{Families, FamilyId, Parameter};
use super::{declaration, fixed, slots};
use crate::peephole;
use crate::stub::{drop_value, parameter_kinds};
use lapidary_classfile::{Code, Instruction, MemberRef, Method, Position};
use lapidary_jvm::typing::{self, Edits};
use lapidary_jvm::{Hierarchy, MethodId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The calls in a method that lose arguments. A method without such calls may still lose parameters
/// of its own.
pub(super) struct Body {
    calls: Vec<Call>,
}

struct Call {
    at: Position,
    family: FamilyId,
    /// For each argument, the instruction before which it can be dropped. `None` for an unreachable
    /// call.
    ends: Option<Vec<Option<Position>>>,
}

impl Body {
    pub fn called(&self) -> impl Iterator<Item = FamilyId> + '_ {
        self.calls.iter().map(|call| call.family)
    }

    /// Returns whether anything in the method can be removed.
    pub fn changes(&self, families: &Families, own: Option<FamilyId>) -> bool {
        self.called().chain(own).any(|family| families.is_open(family))
    }
}

/// The methods that change with their parameters or with those of methods they call. Parameters
/// that cannot be edited out become fixed.
pub(super) fn bodies(families: &mut Families, hierarchy: &Hierarchy) -> BTreeMap<MethodId, Body> {
    let mut bodies = BTreeMap::new();
    for class in hierarchy.program() {
        for method in hierarchy.declared_methods(class) {
            let body = body(families, hierarchy, method);
            bodies.extend(body.map(|body| (method, body)));
        }
    }
    bodies
}

fn body(families: &mut Families, hierarchy: &Hierarchy, id: MethodId) -> Option<Body> {
    let own = families.of_method(id).filter(|own| families.is_open(*own));
    let class = hierarchy.class(id.class)?;
    let method = hierarchy.method(id);
    let Some(code) = method.code() else { return own.map(|_| Body { calls: Vec::new() }) };
    let called = called(families, hierarchy, code);
    if own.is_none() && called.is_empty() {
        return None;
    }
    let typing = typing::infer(class, method, hierarchy).ok().filter(|_| !typing::has_subroutines(code));
    let kinds = parameter_kinds(&method.descriptor);
    let layout = slots::Layout { first: u16::from(!method.is_static()), kinds: &kinds };
    if typing.is_none() || !layout.is_respected_by(code) {
        own.into_iter().for_each(|own| families.fix(own));
    }
    let Some(typing) = typing else {
        called.into_iter().for_each(|(_, family, _)| families.fix(family));
        return None;
    };
    let calls = Calls::of(code, &typing);
    let call = |(at, family, member): (Position, FamilyId, &Arc<MemberRef>)| {
        let ends = calls.is_reached(at).then(|| calls.ends(at, member));
        Call { at, family, ends }
    };
    let calls: Vec<Call> = called.into_iter().map(call).collect();
    for call in &calls {
        let ends = call.ends.iter().flatten().enumerate();
        ends.filter(|(_, end)| end.is_none()).for_each(|(place, _)| families.fix_parameter((call.family, place)));
    }
    Some(Body { calls })
}

/// The calls of families that can lose parameters.
fn called<'a>(
    families: &Families,
    hierarchy: &Hierarchy,
    code: &'a Code,
) -> Vec<(Position, FamilyId, &'a Arc<MemberRef>)> {
    let calls = code.instructions.iter().enumerate().filter_map(|(at, instruction)| {
        let Instruction::Invoke(_, member) = instruction else { return None };
        let family = families.of_method(fixed::resolved(hierarchy, member)?)?;
        families.is_open(family).then_some((at as Position, family, member))
    });
    calls.collect()
}

/// Tries every body with everything removable removed, and fixes the parameters of those that are
/// not valid then.
pub(super) fn fix_what_fails(families: &mut Families, hierarchy: &Hierarchy, bodies: &BTreeMap<MethodId, Body>) {
    for (id, body) in bodies {
        let own = families.of_method(*id);
        let involved: BTreeSet<FamilyId> = body.called().chain(own).collect();
        let places = |family: FamilyId| families.get(family).removable_places().map(move |place| (family, place));
        let parameters: Vec<Parameter> = involved.into_iter().flat_map(places).collect();
        let passes = |gone: &[Parameter]| passes(families, hierarchy, *id, body, gone);
        if parameters.is_empty() || passes(&parameters) {
            continue;
        }
        let failing: Vec<Parameter> = parameters.iter().filter(|parameter| !passes(&[**parameter])).copied().collect();
        let left: Vec<Parameter> =
            parameters.iter().filter(|parameter| !failing.contains(parameter)).copied().collect();
        let fixed = if passes(&left) { failing } else { parameters };
        fixed.into_iter().for_each(|parameter| families.fix_parameter(parameter));
    }
}

fn passes(families: &Families, hierarchy: &Hierarchy, id: MethodId, body: &Body, gone: &[Parameter]) -> bool {
    let of_family = |family: FamilyId| {
        gone.iter().filter(|(owner, _)| *owner == family).map(|(_, place)| *place).collect::<Vec<usize>>()
    };
    Edit { families, hierarchy, gone: &of_family }.method(id, body).is_some()
}

/// The parameters to remove from the methods of a program.
pub(super) struct Edit<'a> {
    pub families: &'a Families,
    pub hierarchy: &'a Hierarchy,
    pub gone: Gone<'a>,
}

impl Edit<'_> {
    /// The method without the removed parameters. `None` if it would not be valid.
    pub fn method(&self, id: MethodId, body: &Body) -> Option<Method> {
        let class = self.hierarchy.class(id.class)?;
        let original = self.hierarchy.method(id);
        let mut method = original.clone();
        let own = self.families.of_method(id).map(|own| (own, (self.gone)(own)));
        let own = own.filter(|(_, places)| !places.is_empty());
        let mut changed = false;
        if let Some(code) = method.code_mut() {
            changed |= drop_arguments(code, body, self.families, self.gone)?;
            if let Some((_, places)) = &own {
                let kinds = parameter_kinds(&original.descriptor);
                let layout = slots::Layout { first: u16::from(!original.is_static()), kinds: &kinds };
                slots::remove(code, &layout, places)?;
                changed = true;
            }
        }
        if let Some((own, places)) = own {
            let family = self.families.get(own);
            method.descriptor = family.descriptor(&places);
            declaration::remove(&mut method, family.parameters.len(), &places);
        }
        if changed {
            typing::repair(class, &mut method, self.hierarchy).ok()?;
        }
        Some(method)
    }
}

/// Drops arguments right after they are computed. Returns whether any call has changed.
fn drop_arguments(code: &mut Code, body: &Body, families: &Families, gone: Gone<'_>) -> Option<bool> {
    let mut edits = Edits::new();
    let mut changed = false;
    for call in &body.calls {
        let places = gone(call.family);
        let Instruction::Invoke(_, member) = &mut code.instructions[call.at as usize] else { return None };
        if places.is_empty() {
            continue;
        }
        let kinds = parameter_kinds(&member.descriptor);
        Arc::make_mut(member).descriptor = families.get(call.family).descriptor(&places);
        changed = true;
        for (place, ends) in places.into_iter().filter_map(|place| Some((place, call.ends.as_ref()?))) {
            let end = ends[place]?;
            edits.replace(end..end, vec![drop_value(kinds[place])]).ok()?;
        }
    }
    if !edits.is_empty() {
        edits.apply(code).ok()?;
        peephole::tidy(code);
    }
    Some(changed)
}
