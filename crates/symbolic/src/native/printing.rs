//! Standard output. The library's `PrintStream` turns everything into text before it writes; here the text is kept instead.

use super::{Call, Effect, Line, nothing};
use crate::Ending;
use crate::machine::{Halt, Machine};
use crate::state::{Printed, State};
use crate::step::elements;
use crate::value::Value;
use lapidary_jvm::ClassId;

pub(super) const TABLE: &[Line] = &[
    ("java/io/PrintStream.write(Ljava/lang/String;)V", |machine, state, call| write(machine, state, call, false)),
    ("java/io/PrintStream.writeln(Ljava/lang/String;)V", |machine, state, call| write(machine, state, call, true)),
    ("java/io/PrintStream.write([C)V", |machine, state, call| write(machine, state, call, false)),
    ("java/io/PrintStream.writeln([C)V", |machine, state, call| write(machine, state, call, true)),
    ("java/io/PrintStream.newLine()V", new_line),
    ("java/io/PrintStream.flush()V", nothing),
    ("java/io/PrintStream.close()V", nothing),
    ("java/io/PrintStream.ensureOpen()V", nothing),
];

fn write(machine: &mut Machine, state: &mut State, call: &Call<'_>, ends_line: bool) -> Result<Effect, Halt> {
    let text = machine.present(state, call, 1)?;
    let mut units = match state.heap.get(text).elements() {
        Some(_) => {
            let characters = elements(state, text);
            (0..characters.len()).map(|index| characters.get(index)).collect()
        }
        None => machine.units_of(state, text).unwrap_or_default(),
    };
    if ends_line {
        units.push(Value::Int('\n' as i32));
    }
    print(machine, state, call, units);
    Ok(Effect::Nothing)
}

fn new_line(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    print(machine, state, call, vec![Value::Int('\n' as i32)]);
    Ok(Effect::Nothing)
}

fn print(machine: &mut Machine, state: &mut State, call: &Call<'_>, units: Vec<Value>) {
    let stderr = machine.stream_slot("err").map(|(class, slot)| state.static_field(class, slot));
    let to_stderr = matches!(stderr, Some(Value::Reference(stream)) if stream == call.reference(0));
    state.printed.push(Printed { to_stderr, units: units.into() });
}

impl Machine {
    /// A static field. `System.out` and `System.err` come into being when they are first read; nobody reads `System.in` here.
    pub(crate) fn read_static(&mut self, state: &mut State, class: ClassId, slot: usize) -> Result<Value, Halt> {
        let value = state.static_field(class, slot);
        if !matches!(value, Value::Reference(None)) || *self.world.hierarchy.name(class) != "java/lang/System" {
            return Ok(value);
        }
        if self.stream_slot("in") == Some((class, slot)) {
            return Err(Halt::End(Ending::unsupported("System.in".into())));
        }
        let is_stream = ["out", "err"].iter().any(|name| self.stream_slot(name) == Some((class, slot)));
        if !is_stream {
            return Ok(value);
        }
        let id = self.world.hierarchy.id(&"java/io/PrintStream".into());
        let stream = self.load(state, id)?;
        let stream = Value::object(self.allocate(state, &stream));
        state.set_static_field(class, slot, stream);
        Ok(stream)
    }

    fn stream_slot(&mut self, name: &str) -> Option<(ClassId, usize)> {
        let system = self.world.class_named("java/lang/System").ok()?;
        let slot = system.static_fields.iter().position(|field| field.name == name)?;
        Some((system.id, slot))
    }
}
