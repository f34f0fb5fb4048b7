//! A readable trace: what crossed the boundary, with a name for every object.

use crate::matching::settled;
use crate::verdict::TraceStep;
use crate::watch::{Crossing, Event, Variable, is_value_class};
use lapidary_classfile::Text;
use lapidary_jvm::FieldType;
use lapidary_symbolic::{Machine, Method, Ref, State, Value};
use lapidary_terms::Assignment;
use std::collections::HashMap;

/// The trace of a path for one input. Objects are numbered by class in the order in which they
/// appear.
pub fn steps(machine: &mut Machine, state: &State, witness: &Assignment) -> Vec<TraceStep> {
    let mut state = state.clone();
    state.path.witness = witness.clone();
    let events: Vec<Event> = settled(&state).into_iter().cloned().collect();
    let mut names = Names { machine, state, aliases: HashMap::new(), counts: HashMap::new() };
    let step = |event: &Event| {
        let text = names.event(event);
        TraceStep { text, place: event.place.to_string(), to: event.to, depth: event.depth }
    };
    events.iter().map(step).collect()
}

struct Names<'a> {
    machine: &'a mut Machine,
    state: State,
    aliases: HashMap<Ref, String>,
    counts: HashMap<String, u32>,
}

impl Names<'_> {
    fn event(&mut self, event: &Event) -> String {
        self.state.heap = event.heap.clone();
        match &event.what {
            Crossing::Called(method, arguments) => {
                let shown = self.arguments(method, arguments);
                if method.name == "<init>" {
                    let class = method.class_name.as_str().replace('/', ".");
                    return format!("new {class}({}) = {}", shown[1..].join(", "), shown[0]);
                }
                match method.is_static() {
                    true => format!("{method}({})", shown.join(", ")),
                    false => format!("{}.{}({})", shown[0], method.name, shown[1..].join(", ")),
                }
            }
            Crossing::Returned(method, Some(value)) => {
                format!("{} returns {}", method.name, self.typed(*value, method.type_.result.as_ref()))
            }
            Crossing::Returned(method, None) if method.name == "<init>" => "made".to_owned(),
            Crossing::Returned(method, None) => format!("{} returns", method.name),
            Crossing::Threw(method, exception) => format!("{} throws {}", method.name, self.object(*exception)),
            Crossing::Entered(_) => "a loop".to_owned(),
            Crossing::Wrote(object, variable, value) => {
                format!("{} = {}", self.variable(*object, variable), self.value(*value))
            }
            Crossing::Read(object, variable, value) => {
                format!("{} is {}", self.variable(*object, variable), self.value(*value))
            }
        }
    }

    /// The arguments of a call; the receiver comes first, if there is one.
    fn arguments(&mut self, method: &Method, arguments: &[Value]) -> Vec<String> {
        let objects = arguments.len().saturating_sub(method.type_.parameters.len());
        let types = std::iter::repeat_n(None, objects).chain(method.type_.parameters.iter().map(Some));
        arguments.iter().zip(types).map(|(argument, type_)| self.typed(*argument, type_)).collect()
    }

    /// A value according to its type; to the machine, booleans and characters are numbers.
    fn typed(&mut self, value: Value, type_: Option<&FieldType>) -> String {
        match (value, type_) {
            (Value::Reference(Some(object)), _) => self.object(object),
            (value, Some(type_)) => self.machine.valued(&self.state, value).of_type(type_).to_string(),
            (value, None) => self.value(value),
        }
    }

    fn variable(&mut self, object: Option<Ref>, variable: &Variable) -> String {
        match (object, variable) {
            (Some(object), Variable::Field(name)) => {
                let (owner, name) = name.rsplit_once('.').unwrap_or(("", name));
                let is_hidden = self.is_hidden(object, owner, name);
                let object = self.object(object);
                if is_hidden { format!("(({owner}) {object}).{name}") } else { format!("{object}.{name}") }
            }
            (Some(object), Variable::Element(index)) => format!("{}[{}]", self.object(object), self.value(*index)),
            (None, Variable::Field(name)) => name.clone(),
            (None, Variable::Element(_)) => "an element".to_owned(),
        }
    }

    /// Whether a class between that of the object and the declaring class has another field of that
    /// name.
    fn is_hidden(&self, object: Ref, owner: &str, name: &str) -> bool {
        let class_path = self.machine.world.hierarchy.class_path();
        let mut next = Some(self.machine.name_of(&self.state, object));
        while let Some(class) = next.take_if(|class| class != owner) {
            let Some(class) = class_path.class(&Text::from(class.replace('.', "/").as_str())) else { return false };
            if class.fields.iter().any(|field| field.name == name) {
                return true;
            }
            next = class.superclass.as_ref().map(|above| above.as_str().replace('/', "."));
        }
        false
    }

    fn value(&mut self, value: Value) -> String {
        match value {
            Value::Reference(Some(object)) => self.object(object),
            value => self.machine.valued(&self.state, value).to_string(),
        }
    }

    fn object(&mut self, object: Ref) -> String {
        let class = self.machine.name_of(&self.state, object);
        if is_value_class(&class.replace('.', "/")) {
            return self.machine.valued(&self.state, Value::object(object)).to_string();
        }
        let counts = &mut self.counts;
        let alias = self.aliases.entry(object).or_insert_with(|| {
            let short = simple_name(&class);
            let count = counts.entry(short.clone()).or_default();
            *count += 1;
            format!("{short}@{count}")
        });
        alias.clone()
    }
}

/// The name of a class without its package; arrays are written as in Java.
fn simple_name(class: &str) -> String {
    let element = class.trim_start_matches('[');
    let brackets = "[]".repeat(class.len() - element.len());
    let is_array = !brackets.is_empty();
    let name = match element {
        "Z" if is_array => "boolean",
        "B" if is_array => "byte",
        "C" if is_array => "char",
        "S" if is_array => "short",
        "I" if is_array => "int",
        "J" if is_array => "long",
        "F" if is_array => "float",
        "D" if is_array => "double",
        _ => element.strip_prefix('L').and_then(|name| name.strip_suffix(';')).filter(|_| is_array).unwrap_or(element),
    };
    format!("{}{brackets}", name.rsplit('.').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::simple_name;

    #[test]
    fn arrays_are_called_as_in_source() {
        let names = ["shop.Account", "I", "[I", "[[J", "[Ljava.lang.Integer;", "[[LL;"];
        assert_eq!(names.map(simple_name), ["Account", "I", "int[]", "long[][]", "Integer[]", "L[][]"]);
    }
}
