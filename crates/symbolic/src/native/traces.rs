//! Stack traces, and messages of exceptions such as `NullPointerException`.

use super::{Call, Effect, Line, null, value};
use crate::Ending;
use crate::halt::Halt;
use crate::heap::Vague;
use crate::machine::Machine;
use crate::names::is_in_base;
use crate::place::CodePlace;
use crate::state::State;
use crate::step::elements_mut;
use crate::value::{Ref, Value};
use lapidary_classfile::Attribute;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Throwable.getOurStackTrace()[Ljava/lang/StackTraceElement;", stack_trace),
    ("java/lang/Throwable.getMessage()Ljava/lang/String;", message),
    // `message` handles the explanation that this method would give.
    ("java/lang/NullPointerException.getExtendedNPEMessage()Ljava/lang/String;", null),
];

const ELEMENT: &str = "java/lang/StackTraceElement";

/// The trace that the program has set, or else the one that the machine has recorded.
fn stack_trace(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    let throwable = machine.world.hierarchy.id(&"java/lang/Throwable".into());
    let throwable = machine.initialise(state, throwable)?;
    let unassigned = throwable.static_fields.iter().position(|field| field.name == "UNASSIGNED_STACK");
    let unassigned = unassigned.map_or(Value::NULL, |slot| state.static_field(throwable.id, slot));
    let slot = machine.world.instance_slot("java/lang/Throwable", "stackTrace");
    let set = slot.map_or(Value::NULL, |slot| state.heap.get(this).fields()[slot]);
    match (set, unassigned) {
        (Value::Reference(Some(set)), Value::Reference(unassigned)) if Some(set) != unassigned => value(Some(set)),
        _ => {
            let trace = kept_trace(machine, state, this)?;
            if let Some(slot) = slot {
                state.heap.get_mut(this).fields_mut()[slot] = Value::object(trace);
            }
            value(Some(trace))
        }
    }
}

fn kept_trace(machine: &mut Machine, state: &mut State, exception: Ref) -> Result<Ref, Halt> {
    let Some(element) = machine.world.type_of_constant(&ELEMENT.into()) else {
        return machine.broken("a JDK without stack traces");
    };
    let places: Vec<CodePlace> =
        machine.trace_of(state, exception).iter().filter(|place| is_shown(place)).cloned().collect();
    let array = machine.allocate_array(state, element, places.len());
    for (index, place) in places.iter().enumerate() {
        let element = trace_element(machine, state, place)?;
        elements_mut(state, array).set(index, Value::object(element));
    }
    Ok(array)
}

impl Machine {
    /// Where a throwable was created: the trace that the program has set, or else the recorded one.
    pub(crate) fn told_trace(&mut self, state: &State, exception: Ref) -> Vec<String> {
        let slot = self.world.instance_slot("java/lang/Throwable", "stackTrace");
        let set = slot.and_then(|slot| state.heap.get(exception).fields().get(slot).copied());
        let set = if let Some(Value::Reference(Some(array))) = set { state.heap.get(array).elements() } else { None };
        let told: Vec<Value> = set.map_or(Vec::new(), |set| (0..set.len()).map(|index| set.get(index)).collect());
        let told: Option<Vec<String>> = told.into_iter().map(|element| self.told_place(state, element)).collect();
        told.filter(|told| !told.is_empty()).unwrap_or_else(|| {
            self.trace_of(state, exception).iter().filter(|place| is_shown(place)).map(CodePlace::to_string).collect()
        })
    }

    /// Formats a `StackTraceElement` like a [`CodePlace`].
    fn told_place(&mut self, state: &State, element: Value) -> Option<String> {
        let Value::Reference(Some(element)) = element else { return None };
        let fields = state.heap.get(element).fields();
        let [class, method, line] = ["declaringClass", "methodName", "lineNumber"]
            .map(|name| self.world.instance_slot(ELEMENT, name).and_then(|slot| fields.get(slot).copied()));
        let (Some(Value::Reference(class)), Some(Value::Reference(method)), Some(Value::Int(line))) =
            (class, method, line)
        else {
            return None;
        };
        let [class, method] = [class?, method?].map(|text| self.text_of(state, text));
        let line = if line > 0 { format!(":{line}") } else { String::new() };
        Some(format!("{}.{}{line}", class?, method?))
    }
}

/// Hides generated classes, as a real JVM does.
fn is_shown(place: &CodePlace) -> bool {
    let class = place.method.class_name.as_str();
    !["$$Lambda$", "$$Concat$", "$$Record$", "$$Switch$", "$$Handle$"].iter().any(|made| class.contains(made))
        && !class.starts_with("lapidary/")
}

fn trace_element(machine: &mut Machine, state: &mut State, place: &CodePlace) -> Result<Ref, Halt> {
    let id = machine.world.hierarchy.id(&ELEMENT.into());
    let class = machine.load(state, id)?;
    let element = machine.allocate(state, &class);
    let name = place.method.class_name.as_str().into_owned();
    let source = source_file(machine, place);
    let own = machine.is_own(place.method.class);
    for (slot, (_, part, _)) in class.instance_fields.iter().enumerate() {
        let text = match &*part.as_str() {
            "declaringClass" => Some(name.replace('/', ".")),
            "methodName" => Some(place.method.name.as_str().into_owned()),
            "fileName" => source.clone(),
            "classLoaderName" => own.then(|| "app".to_owned()),
            "moduleName" => is_in_base(&name).then(|| "java.base".to_owned()),
            _ => None,
        };
        let part = match (text, &*part.as_str()) {
            (Some(text), _) => Value::object(machine.string(state, &text)?),
            // Shows neither the class loader nor the version of the module.
            (None, "format") => Value::Int(3),
            (None, "lineNumber") => Value::Int(i32::from(place.line())),
            (None, _) => continue,
        };
        state.heap.get_mut(element).fields_mut()[slot] = part;
    }
    Ok(element)
}

fn source_file(machine: &Machine, place: &CodePlace) -> Option<String> {
    let declared = machine.world.hierarchy.class(place.method.class)?;
    declared.attributes.iter().find_map(|attribute| match attribute {
        Attribute::SourceFile(name) => Some(name.as_str().into_owned()),
        _ => None,
    })
}

/// The message, as far as it is known. A number in it that depends on symbols becomes that of the
/// witness; messages with other numbers are not explored.
fn message(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    let slot = machine.world.instance_slot("java/lang/Throwable", "detailMessage");
    let Some(vague) = machine.vague_message(state, this) else {
        return value(slot.map_or(Value::NULL, |slot| state.heap.get(this).fields()[slot]));
    };
    if let Vague::Number { before, number, after } = vague
        && let Value::Int(number) = machine.settle(state, number)
    {
        let text = machine.string(state, &format!("{before}{number}{after}"))?;
        return value(Some(text));
    }
    let class = machine.name_of(state, this);
    let class = class.rsplit('.').next().unwrap_or_default();
    Err(Halt::End(Ending::unsupported(format!("the message of a {class}"))))
}
