//! Splits a variable of a struct or union that is used only through its members into one variable
//! for each used member: `struct s x; x.a` → `int a; a`. A pointer that is only dereferenced to
//! members is treated like its target. Parameters change with their arguments. When all variables
//! of a struct are split, the struct is removed as well.

mod fields;
mod leftovers;

use crate::Edit;
use crate::rewrite::Opportunity;
use crate::rewrite::program::Program;
use fields::Fields;
use lapidary_clang::{EntityId, FileId, Kind, Mark, NodeId, TypeClass};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

pub(crate) const KIND: &str = "struct to variables";

pub(crate) fn opportunities(program: &Program<'_>) -> Vec<Opportunity> {
    let classes = program.nodes().filter(|id| matches!(program.kind(*id), Kind::Struct | Kind::Union | Kind::Class));
    let defined = classes.filter(|id| program.syntax.node(*id).is(Mark::Definition));
    defined.flat_map(|id| of_class(program, id)).collect()
}

fn of_class(program: &Program<'_>, class: NodeId) -> Vec<Opportunity> {
    let Some((entity, fields)) = program.syntax.node(class).declares.zip(Fields::of(program, class)) else {
        return Vec::new();
    };
    let objects: Vec<NodeId> = program.nodes().filter(|id| is_object(program, *id, entity)).collect();
    let whole = split(program, &fields, &objects).map(|split| {
        let leftovers = leftovers::of(program, entity, &split.rewritten);
        program.opportunity(KIND, class, "split variables of", [split.edits, leftovers].concat())
    });
    let each = objects.iter().filter(|_| objects.len() > 1).filter_map(|id| {
        let family = if program.kind(*id) == Kind::Parameter { program.same_parameters(*id)? } else { vec![*id] };
        Some(program.opportunity(KIND, *id, "split", split(program, &fields, &family)?.edits))
    });
    whole.into_iter().chain(each).collect()
}

/// Returns whether a variable has the class as its type, or points to an object of it.
fn is_object(program: &Program<'_>, id: NodeId, class: EntityId) -> bool {
    let is_of_class = || {
        let found = program.syntax.type_of(id)?;
        let pointee = found.inner.filter(|_| found.class == TypeClass::Pointer);
        let object = pointee.map_or(found, |inner| program.syntax.get_type(inner));
        Some(object.class == TypeClass::Record && object.declaration == Some(class))
    };
    matches!(program.kind(id), Kind::Variable | Kind::Parameter) && is_of_class() == Some(true)
}

struct Split {
    edits: Vec<Edit>,
    /// The declarations that were rewritten.
    rewritten: Vec<(FileId, Range<usize>)>,
}

fn split(program: &Program<'_>, fields: &Fields<'_>, objects: &[NodeId]) -> Option<Split> {
    let entities: HashSet<EntityId> = objects.iter().filter_map(|id| program.syntax.node(*id).declares).collect();
    let used = used_fields(program, &entities);
    let splitter = Splitter { program, fields: fields.named_for(program, &entities, &used)?, entities };
    let (parameters, variables): (Vec<NodeId>, Vec<NodeId>) =
        objects.iter().partition(|id| program.kind(**id) == Kind::Parameter);
    let mut split = Split { edits: Vec::new(), rewritten: Vec::new() };
    for edit in splitter.declarations(&variables)? {
        split.rewritten.push((edit.file, edit.range.clone()));
        split.edits.push(edit);
    }
    let mut passed = HashSet::new();
    for parameter in parameters {
        split.edits.push(program.replace(parameter, splitter.parameter(parameter)?));
        split.rewritten.push((program.file(parameter), program.range(parameter)));
        let (function, at) = program.position(parameter).filter(|(id, _)| program.has_free_parameters(*id))?;
        for arguments in program.calls_of(function)? {
            let (name, edit) = splitter.argument(*arguments.get(at)?)?;
            passed.insert(name);
            split.edits.push(edit);
        }
    }
    split.edits.extend(splitter.accesses(&variables, &passed)?);
    Some(split)
}

/// Returns the members that are accessed through some of the variables.
fn used_fields(program: &Program<'_>, entities: &HashSet<EntityId>) -> BTreeSet<EntityId> {
    let uses = entities.iter().flat_map(|entity| program.uses(*entity));
    let members = uses.filter_map(|id| program.context(*id)).filter(|id| program.kind(*id) == Kind::Member);
    members.filter_map(|id| program.syntax.node(id).refers).collect()
}

/// Rewrites the places where variables are declared and used.
struct Splitter<'p, 's> {
    program: &'p Program<'s>,
    fields: Fields<'p>,
    entities: HashSet<EntityId>,
}

impl Splitter<'_, '_> {
    /// Returns the replacements of the variables' declarations. `None` if another variable is
    /// declared with them.
    fn declarations(&self, variables: &[NodeId]) -> Option<Vec<Edit>> {
        let mut groups: BTreeMap<(FileId, usize), Vec<NodeId>> = BTreeMap::new();
        for id in variables {
            groups.entry((self.program.file(*id), self.program.range(*id).start)).or_default().push(*id);
        }
        let rewritten = |((file, start), group): ((FileId, usize), Vec<NodeId>)| {
            let last = *group.last()?;
            let end = self.program.next_is(file, self.program.range(last).end, ";")?.range.end;
            let is_whole = self.program.declarators_at(last) == group.len();
            let range = self.fields.start_of_declaration(self.program, file, start)..end;
            let with = self.fields.declarations(self.program, &group).filter(|_| is_whole)?;
            Some(Edit { file, range, with })
        };
        groups.into_iter().map(rewritten).collect()
    }

    fn parameter(&self, parameter: NodeId) -> Option<Vec<u8>> {
        let entity = self.program.syntax.node(parameter).declares;
        let name = entity.map_or("", |entity| self.program.name(entity));
        let is_plain = self.program.name_range(parameter).is_none_or(|at| at.end == self.program.range(parameter).end);
        is_plain.then(|| self.fields.parameters(name))
    }

    /// Replaces a variable or its address in a call by its members. Also returns the place where
    /// the variable was named.
    fn argument(&self, argument: NodeId) -> Option<(NodeId, Edit)> {
        let mut inner = self.program.peeled(argument);
        if self.program.kind(inner) == Kind::Unary && self.program.sign(inner) == Some(b"&") {
            inner = self.program.peeled(self.program.syntax.children(inner).next()?);
        }
        let entity = self.program.syntax.node(inner).refers.filter(|_| self.program.kind(inner) == Kind::Name)?;
        let is_split = self.entities.contains(&entity) && !self.program.in_macro(argument);
        let members = self.fields.arguments(self.program.name(entity));
        is_split.then(|| (inner, self.program.replace(argument, members)))
    }

    /// Replaces the members by the new variables. `None` if one of the old variables is needed as a
    /// whole.
    fn accesses(&self, variables: &[NodeId], passed: &HashSet<NodeId>) -> Option<Vec<Edit>> {
        let mut edits = Vec::new();
        for entity in &self.entities {
            for usage in self.program.editable_uses(*entity)? {
                let is_dropped = variables.iter().any(|id| self.program.syntax.contains(*id, *usage));
                if !passed.contains(usage) && !is_dropped {
                    edits.push(self.access(*usage)?);
                }
            }
        }
        Some(edits)
    }

    fn access(&self, usage: NodeId) -> Option<Edit> {
        let member = self.program.context(usage).filter(|id| self.program.kind(*id) == Kind::Member)?;
        let node = self.program.syntax.node(member);
        let name = self.fields.name(self.program.name(self.program.syntax.node(usage).refers?), node.refers?)?;
        Some(self.program.replace(member, name))
    }
}

#[cfg(test)]
mod tests;
