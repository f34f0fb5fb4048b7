//! The lists in which a written class remembers the objects it was given (thesis §6.2.1).

use crate::names::{fresh, plural, simple_name, variable_name};
use crate::subject::{Scope, Subject};
use lapidary_jvm::{Answer, FieldType};

impl Subject<'_> {
    /// The list that remembers objects of the type.
    pub fn list(&self, scope: Scope, type_: &FieldType) -> String {
        let key = (scope, type_.clone());
        if let Some(known) = self.lists.borrow().get(&key) {
            return known.clone();
        }
        let plural = match type_ {
            FieldType::Array(_) => format!("{}Arrays", variable_name(type_.innermost())),
            FieldType::Object(name) => plural(&simple_name(name)),
            FieldType::Base(_) => plural(&variable_name(type_)),
        };
        let wanted = match scope {
            Scope::Object => plural,
            Scope::Class => format!("shared{}{}", plural[..1].to_uppercase(), &plural[1..]),
        };
        let name = fresh(&wanted, &mut self.taken.borrow_mut());
        self.lists.borrow_mut().insert(key, name.clone());
        name
    }

    /// The lists that are read.
    pub fn live_lists(&self) -> Vec<((Scope, FieldType), String)> {
        let live = self.live.borrow();
        let is_live = |(_, name): &(_, &String)| live.contains(*name);
        self.lists.borrow().iter().filter(is_live).map(|(key, name)| (key.clone(), name.clone())).collect()
    }

    /// Keeps only the lists that the text reads.
    pub fn keep_lists_read_in(&self, text: &str) {
        let is_read = |name: &&String| {
            let ways = [format!("({name})"), format!("{name}.toArray(")];
            ways.iter().any(|way| text.contains(&way[..]))
        };
        let live = self.lists.borrow().values().filter(is_read).cloned().collect();
        *self.live.borrow_mut() = live;
    }

    /// The statements that add an object to every list it may belong to.
    pub fn remembering(&self, scope: Scope, text: &str, type_: &FieldType) -> Vec<String> {
        let hierarchy = self.names.hierarchy;
        let mut steps = Vec::new();
        for ((list_scope, remembered), list) in self.live_lists() {
            let Some(name) = self.names.type_(&remembered).filter(|_| list_scope == scope) else { continue };
            let remembered = &remembered;
            if hierarchy.is_assignable(type_, remembered) == Answer::Yes {
                steps.push(format!("{list}.add({text})"));
            } else if hierarchy.is_assignable(remembered, type_) == Answer::Yes {
                steps.push(format!("if ({text} instanceof {name}) {{ {list}.add(({name}) {text}); }}"));
            }
        }
        steps
    }
}
