//! Standard output. The library's `PrintStream` converts everything to strings before writing.
//! Strings written to `System.out` and `System.err` are recorded instead; other streams run
//! unchanged, even if they write to one of these two in the end.

use super::{Call, Effect, Line, value};
use crate::Ending;
use crate::frame::Then;
use crate::halt::Halt;
use crate::heap::{Body, Nature};
use crate::machine::Machine;
use crate::state::{Printed, State};
use crate::step::elements;
use crate::value::Value;
use lapidary_classfile::Kind;
use lapidary_jvm::ClassId;
use std::ops::Range;

pub(super) const TABLE: &[Line] = &[
    ("java/io/PrintStream.write(Ljava/lang/String;)V", |machine, state, call| write(machine, state, call, false)),
    ("java/io/PrintStream.writeln(Ljava/lang/String;)V", |machine, state, call| write(machine, state, call, true)),
    ("java/io/PrintStream.write([C)V", |machine, state, call| write(machine, state, call, false)),
    ("java/io/PrintStream.writeln([C)V", |machine, state, call| write(machine, state, call, true)),
    ("java/io/PrintStream.write(I)V", write_byte),
    ("java/io/PrintStream.write([BII)V", write_bytes),
    ("java/io/PrintStream.newLine()V", new_line),
    ("java/io/PrintStream.flush()V", keep_open),
    ("java/io/PrintStream.close()V", close),
    ("java/io/PrintStream.checkError()Z", check_error),
    ("java/io/PrintStream.charset()Ljava/nio/charset/Charset;", charset),
    ("java/io/PrintStream.ensureOpen()V", keep_open),
];

fn write(machine: &mut Machine, state: &mut State, call: &Call<'_>, ends_line: bool) -> Result<Effect, Halt> {
    let Some(is_stderr) = console(state, call) else { return Ok(Effect::OwnCode) };
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
    print(state, is_stderr, units)
}

fn new_line(_: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match console(state, call) {
        Some(is_stderr) => print(state, is_stderr, vec![Value::Int('\n' as i32)]),
        None => Ok(Effect::OwnCode),
    }
}

fn keep_open(_: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    Ok(console(state, call).map_or(Effect::OwnCode, |_| Effect::Nothing))
}

/// Makes a closed stream of the console, to which the library writes nothing.
fn close(_: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    if console(state, call).is_none() {
        return Ok(Effect::OwnCode);
    }
    if let Some(stream) = call.reference(0)
        && let Body::Fields(fields, nature) = &mut state.heap.get_mut(stream).body
    {
        *nature = Nature::Plain;
        fields.iter_mut().filter(|field| matches!(field, Value::Nothing)).for_each(|field| *field = Value::NULL);
    }
    Ok(Effect::Nothing)
}

/// The console uses the default character set.
fn charset(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    if console(state, call).is_none() {
        return Ok(Effect::OwnCode);
    }
    let id = machine.world.hierarchy.id(&"java/nio/charset/Charset".into());
    machine.initialise(state, id)?;
    match machine.world.declared(id, "defaultCharset", "()Ljava/nio/charset/Charset;") {
        Some(default) => Ok(Effect::Call(default, Vec::new())),
        None => machine.broken("a JDK without a default character set"),
    }
}

fn check_error(_: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match console(state, call) {
        Some(_) => value(Value::boolean(false)),
        None => Ok(Effect::OwnCode),
    }
}

fn write_byte(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(is_stderr) = console(state, call) else { return Ok(Effect::OwnCode) };
    let unit = match call.value(1) {
        Value::Int(byte) => Value::Int(i32::from(byte as i8)),
        Value::Symbolic(_, term) => machine.narrowed_term(lapidary_jvm::BaseType::Byte, term),
        other => other,
    };
    let unit = machine.character(state, unit)?;
    print(state, is_stderr, vec![unit])
}

fn write_bytes(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(is_stderr) = console(state, call) else { return Ok(Effect::OwnCode) };
    let bytes = machine.present(state, call, 1)?;
    let (start, count) = (call.value(2), call.value(3));
    let (start, count) = (machine.concrete_int(state, start)?, machine.concrete_int(state, count)?);
    let length = elements(state, bytes).len();
    let Some(range) = range_within(start, count, length) else {
        let message = format!("Range [{start}, {start} + {count}) out of bounds for length {length}");
        return machine.throw(state, "java/lang/IndexOutOfBoundsException", Some(&message));
    };
    let bytes: Vec<Value> = range.map(|index| elements(state, bytes).get(index)).collect();
    let mut units = Vec::with_capacity(bytes.len());
    for byte in bytes {
        units.push(machine.character(state, byte)?);
    }
    print(state, is_stderr, units)
}

fn range_within(start: i32, count: i32, length: usize) -> Option<Range<usize>> {
    let (start, count) = (usize::try_from(start).ok()?, usize::try_from(count).ok()?);
    (start + count <= length).then(|| start..start + count)
}

/// `true` for standard error, `false` for standard output, and `None` for any other stream.
fn console(state: &State, call: &Call<'_>) -> Option<bool> {
    match state.heap.get(call.reference(0)?).nature() {
        Nature::Console { is_stderr } => Some(*is_stderr),
        _ => None,
    }
}

fn print(state: &mut State, to_stderr: bool, units: Vec<Value>) -> Result<Effect, Halt> {
    state.printed.push(Printed { to_stderr, units: units.into() });
    Ok(Effect::Nothing)
}

impl Machine {
    /// Reads a static field. `System.out`, `System.err` and the properties are made when first read.
    /// Other fields of `System` that a real JVM sets are not supported.
    pub(crate) fn read_static(&mut self, state: &mut State, class: ClassId, slot: usize) -> Result<Value, Halt> {
        let value = state.static_field(class, slot);
        if !matches!(value, Value::Reference(None)) {
            return Ok(value);
        }
        let owner = self.world.hierarchy.name(class);
        if *owner != "java/lang/System" && *owner != "jdk/internal/misc/VM" {
            return Ok(value);
        }
        let field = self.load(state, class)?.static_fields.get(slot).map(|field| field.name.clone());
        let name = match field.as_ref().map(|field| field.as_str()).as_deref() {
            Some("out") => "out",
            Some("err") => "err",
            Some("props") => {
                let maker = self.system_properties();
                return self.run_first(state, &maker, &[], Then::Forget);
            }
            Some("security" | "cons" | "notSupportedJNUEncoding") | None => return Ok(value),
            Some("in") => return Err(Halt::End(Ending::unsupported("System.in".into()))),
            Some(field) => {
                let owner = self.world.hierarchy.name(class).as_str().replace('/', ".");
                return Err(Halt::End(Ending::unsupported(format!("the field {owner}.{field}, which a JVM sets up"))));
            }
        };
        let stream = self.set_up(state, "java/io/PrintStream", &[("formatter", Value::NULL)])?;
        if let Body::Fields(_, nature) = &mut state.heap.get_mut(stream).body {
            *nature = Nature::Console { is_stderr: name == "err" };
        }
        state.set_static_field(class, slot, Value::object(stream));
        Ok(Value::object(stream))
    }

    /// The character for a byte. Multi-byte characters are not supported.
    fn character(&mut self, state: &mut State, byte: Value) -> Result<Value, Halt> {
        let is_whole = match byte {
            Value::Int(byte) => byte >= 0,
            Value::Symbolic(Kind::Int, term) => {
                let zero = self.terms.int(0);
                let is_whole = self.terms.sle(zero, term);
                self.split(state, is_whole)?
            }
            _ => return self.broken("a byte that is no int"),
        };
        match is_whole {
            true => Ok(byte),
            false => Err(Halt::End(Ending::unsupported("bytes above 127 on standard output".into()))),
        }
    }
}
