//! Declares the fields of a struct as separate variables.

use crate::rewrite::program::Program;
use lapidary_clang::{EntityId, FileId, Kind, Mark, NodeId, TypeClass};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The wanted fields of a struct, in its order.
#[derive(Clone)]
pub(super) struct Fields<'p> {
    class: NodeId,
    fields: Vec<Field<'p>>,
    /// Whether fields may keep their names, because all split variables have one name.
    is_one_name: bool,
}

#[derive(Clone)]
struct Field<'p> {
    entity: EntityId,
    name: &'p str,
    /// The index among the fields of the struct.
    place: usize,
    /// `int` of `int *f[3]`.
    words: &'p [u8],
    /// `*` of `int *f[3]`.
    before: &'p [u8],
    /// `[3]` of `int *f[3]`.
    after: &'p [u8],
    /// Whether nothing else in the program has the name.
    is_unique: bool,
}

impl<'p> Fields<'p> {
    /// Returns the fields. `None` if the class has more than fields, or a field cannot be a
    /// variable.
    pub fn of(program: &'p Program<'_>, class: NodeId) -> Option<Fields<'p>> {
        let members = program.children(class).into_iter();
        let members = members.filter(|id| !matches!(program.kind(*id), Kind::AccessSpecifier | Kind::Struct));
        let names = program.declared_names();
        let fields: Option<Vec<Field<'p>>> =
            members.enumerate().map(|(place, id)| field(program, id, place, &names)).collect();
        Some(Fields { class, fields: fields?, is_one_name: false })
    }

    /// Returns only the used fields, with names that are free if all variables of a set are split.
    pub fn named_for(
        &self,
        program: &Program<'_>,
        variables: &HashSet<EntityId>,
        used: &BTreeSet<EntityId>,
    ) -> Option<Fields<'p>> {
        let names: HashSet<&str> =
            variables.iter().map(|id| program.name(*id)).filter(|name| !name.is_empty()).collect();
        let fields: Vec<Field<'p>> = self.fields.iter().filter(|field| used.contains(&field.entity)).cloned().collect();
        let chosen = Fields { class: self.class, fields, is_one_name: names.len() == 1 };
        let taken: HashSet<&str> = program.syntax.entities.iter().map(|entity| entity.name.as_str()).collect();
        let is_free = |field: &Field<'p>, name: &str| {
            let new = chosen.written(name, field);
            new == field.name || !taken.contains(new.as_str())
        };
        let are_free = names.iter().all(|name| chosen.fields.iter().all(|field| is_free(field, name)));
        (are_free && !chosen.fields.is_empty() && used.len() == chosen.fields.len()).then_some(chosen)
    }

    /// Returns the start of a declaration. libclang leaves out an unnamed class with which
    /// variables are declared.
    pub fn start_of_declaration(&self, program: &Program<'_>, file: FileId, start: usize) -> usize {
        let class = program.range(self.class);
        let is_next = program.before(file, start).is_some_and(|token| token.range.end == class.end);
        if is_next && program.file(self.class) == file { class.start } else { start }
    }

    fn written(&self, variable: &str, field: &Field<'_>) -> String {
        match self.is_one_name && field.is_unique {
            _ if variable.is_empty() => String::new(),
            true => field.name.to_owned(),
            false => format!("{variable}_{}", field.name),
        }
    }

    /// Returns the name of the variable that a member of a variable becomes.
    pub fn name(&self, variable: &str, member: EntityId) -> Option<String> {
        let field = self.fields.iter().find(|field| field.entity == member)?;
        Some(self.written(variable, field))
    }

    /// Returns the arguments that replace a variable in a call.
    pub fn arguments(&self, variable: &str) -> String {
        self.fields.iter().map(|field| self.written(variable, field)).collect::<Vec<_>>().join(", ")
    }

    /// Returns the parameters that replace a parameter, which may be unnamed.
    pub fn parameters(&self, variable: &str) -> Vec<u8> {
        let parameter = |field: &Field<'p>| [field.words, &self.declarator(variable, field, true)].concat();
        self.fields.iter().map(parameter).collect::<Vec<_>>().join(&b", "[..])
    }

    fn declarator(&self, variable: &str, field: &Field<'_>, is_first: bool) -> Vec<u8> {
        let name = self.written(variable, field);
        let blank: &[u8] = if is_first && field.before.is_empty() && !name.is_empty() { b" " } else { b"" };
        [blank, field.before, name.as_bytes(), field.after].concat()
    }

    /// Returns the text that replaces a declaration of variables. `None` if the value of one cannot
    /// be split.
    pub fn declarations(&self, program: &Program<'_>, variables: &[NodeId]) -> Option<Vec<u8>> {
        let mut lines: Vec<(&[u8], Vec<u8>)> = Vec::new();
        for variable in variables {
            let name = program.name(program.syntax.node(*variable).declares?);
            let values = values(program, *variable)?;
            for field in &self.fields {
                let value = values.get(field.place).map(|value| [b" = ", *value].concat()).unwrap_or_default();
                match lines.iter_mut().find(|(words, _)| *words == field.words) {
                    Some((_, line)) => {
                        line.extend([b",", &*self.declarator(name, field, false), &*value].concat());
                    }
                    None => lines.push((field.words, [self.declarator(name, field, true), value].concat())),
                }
            }
        }
        let lines: Vec<Vec<u8>> = lines.into_iter().map(|(words, line)| [words, &line, b";"].concat()).collect();
        Some(lines.join(&b" "[..]))
    }
}

fn field<'p>(program: &'p Program<'_>, id: NodeId, place: usize, names: &HashMap<&str, usize>) -> Option<Field<'p>> {
    let node = program.syntax.node(id);
    let entity = node.declares.filter(|_| node.kind == Kind::Field && !node.is(Mark::BitField))?;
    let (file, range, at) = (program.file(id), program.range(id), program.name_range(id)?);
    let words = range.start..program.type_words(id)?.end;
    let is_only = || program.declarators_at(id) == 1;
    let declarator = program.declarator(id).or_else(|| is_only().then_some(words.end..range.end))?;
    Some(Field {
        entity,
        name: program.name(entity),
        place,
        words: program.slice(file, words),
        before: program.slice(file, declarator.start..at.start).trim_ascii(),
        after: program.slice(file, at.end..declarator.end),
        is_unique: names.get(program.name(entity)) == Some(&1),
    })
}

/// Returns the values that a braced list gives the fields, in order. Targets of pointers have none.
fn values<'p>(program: &'p Program<'_>, variable: NodeId) -> Option<Vec<&'p [u8]>> {
    let is_pointer = program.syntax.type_of(variable).is_some_and(|found| found.class == TypeClass::Pointer);
    let Some(value) = program.initialiser(variable) else {
        let is_plain = program.name_range(variable)?.end == program.range(variable).end;
        return is_plain.then(Vec::new);
    };
    if is_pointer {
        return Some(Vec::new());
    }
    let list = program.peeled(value);
    let range = program.range(list);
    let is_list = program.kind(list) == Kind::InitialiserList && !program.in_macro(list);
    let inside = range.start + 1..range.end.checked_sub(1).filter(|end| *end > range.start && is_list)?;
    let file = program.file(list);
    let values: Vec<&[u8]> = program.list(file, inside).into_iter().map(|part| program.slice(file, part)).collect();
    values.iter().all(|value| !value.starts_with(b".")).then_some(values)
}
