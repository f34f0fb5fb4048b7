//! `Unsafe`, with which the library reads and writes fields and elements by offset. Here the offset
//! of a field is its slot in the object, and that of an element is its index times the width that
//! `Unsafe` reports for it.

use super::wide_access::width_of;
use super::{Call, Effect, Native, long_zero, no, nothing, value};
use crate::Ending;
use crate::halt::Halt;
use crate::heap::Nature;
use crate::machine::Machine;
use crate::state::State;
use crate::step::elements;
use crate::types::Type;
use crate::value::{Ref, Value};
use crate::variable::{Location, write};
use lapidary_jvm::{BaseType, ClassId, FieldType};

/// The offset of the first element of an array.
const ARRAY_BASE: i64 = 16;

/// The index of a long or double at an offset into its array.
pub(super) fn index_of_wide(offset: i64) -> usize {
    ((offset - ARRAY_BASE) / width(Type::Base(BaseType::Long))) as usize
}

/// The methods by name; the last row handles all reads and writes.
pub(super) const IMPLEMENTATIONS: [(&[&str], Native); 13] = [
    (&["registerNatives", "fullFence", "loadFence", "storeFence", "park", "unpark"], nothing),
    (&["isBigEndian0", "isBigEndian", "unalignedAccess0", "shouldBeInitialized0"], no),
    (&["addressSize0"], |_, _, _| value(8)),
    (&["pageSize"], |_, _, _| value(4096)),
    (&["arrayBaseOffset0", "arrayBaseOffset"], array_base),
    (&["arrayIndexScale0", "arrayIndexScale"], scale_of_array),
    (&["staticFieldBase0"], static_base),
    (&["staticFieldOffset0"], static_offset),
    (&["objectFieldOffset", "objectFieldOffset1"], field_offset),
    (&["ensureClassInitialized0", "ensureClassInitialized"], initialise),
    (&["allocateInstance"], allocate),
    (&["getLoadAverage0"], long_zero),
    (&[], access),
];

/// The row of a method of `Unsafe` in the table.
pub(super) fn find(name: &str) -> Option<u16> {
    let named = IMPLEMENTATIONS.iter().position(|(names, _)| names.contains(&name));
    let verbs = ["get", "put", "compareAnd", "weakCompareAnd"];
    let access = || verbs.iter().any(|verb| name.starts_with(verb)) && is_access(name);
    named.or_else(|| access().then_some(IMPLEMENTATIONS.len() - 1)).map(|place| place as u16)
}

/// Whether a name is a plain access, such as `getIntVolatile` or `compareAndSetReference`. Methods
/// that combine accesses have code of their own.
fn is_access(name: &str) -> bool {
    let combined = ["getAndAdd", "getAndSet", "getAndBitwise", "getUnsafe", "getAddress", "putAddress"];
    let unaligned = ["Unaligned", "Memory", "Parts"].iter().any(|part| name.contains(part));
    !combined.iter().any(|verb| name.starts_with(verb)) && !unaligned
}

/// The base offset, which is an int until Java 24 and a long since.
fn array_base(_: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.method.type_.result {
        Some(FieldType::Base(BaseType::Long)) => value(ARRAY_BASE),
        _ => value(ARRAY_BASE as i32),
    }
}

fn scale_of_array(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let mirror = machine.present(state, call, 1)?;
    let Nature::Mirror(type_) = *state.heap.get(mirror).nature() else {
        return machine.broken("a class object that is none");
    };
    let Type::Array(element) = machine.world.types.get(type_) else { return value(0) };
    value(width(machine.world.types.get(element)) as i32)
}

fn width(element: Type) -> i64 {
    match element {
        Type::Base(BaseType::Boolean | BaseType::Byte) => 1,
        Type::Base(BaseType::Char | BaseType::Short) => 2,
        Type::Base(BaseType::Long | BaseType::Double) => 8,
        _ => 4,
    }
}

fn field_offset(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (Some(mirror), Some(name)) = field_named(machine, state, call)? else {
        return machine.throw(state, "java/lang/NullPointerException", None);
    };
    let Nature::Mirror(type_) = *state.heap.get(mirror).nature() else {
        return machine.broken("a class object that is none");
    };
    let Type::Class(class) = machine.world.types.get(type_) else { return machine.broken("a field of an array") };
    let name = machine.text_of(state, name).unwrap_or_default();
    let loaded = machine.load(state, class)?;
    match loaded.instance_fields.iter().rposition(|(_, field, _)| *field == *name) {
        Some(slot) => value(slot as i64),
        None => machine.throw(state, "java/lang/InternalError", Some(&name)),
    }
}

/// Static fields are accessed through the class object, at offsets that no object has.
const STATIC_BASE: i64 = 1 << 32;

fn static_base(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (mirror, _) = field_named(machine, state, call)?;
    if let Some(class) = mirror.and_then(|mirror| mirrored(machine, state, mirror)) {
        machine.initialise(state, class)?;
    }
    value(mirror)
}

fn static_offset(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (Some(mirror), Some(name)) = field_named(machine, state, call)? else {
        return machine.throw(state, "java/lang/NullPointerException", None);
    };
    let name = machine.text_of(state, name).unwrap_or_default();
    let Some(class) = mirrored(machine, state, mirror) else { return machine.broken("a field of no class") };
    let loaded = machine.load(state, class)?;
    match loaded.static_fields.iter().position(|field| field.name == *name) {
        Some(slot) => value(STATIC_BASE + slot as i64),
        None => machine.throw(state, "java/lang/InternalError", Some(&name)),
    }
}

/// The class that a class object represents.
fn mirrored(machine: &Machine, state: &State, mirror: Ref) -> Option<ClassId> {
    match *state.heap.get(mirror).nature() {
        Nature::Mirror(type_) => match machine.world.types.get(type_) {
            Type::Class(class) => Some(class),
            _ => None,
        },
        _ => None,
    }
}

/// The class and the name of a field, which are given directly or as a `Field`.
fn field_named(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<(Option<Ref>, Option<Ref>), Halt> {
    if call.arguments.len() > 2 {
        return Ok((call.reference(1), call.reference(2)));
    }
    let field = machine.present(state, call, 1)?;
    let part = |machine: &mut Machine, name| {
        let slot = machine.world.instance_slot("java/lang/reflect/Field", name)?;
        match state.heap.get(field).fields().get(slot) {
            Some(Value::Reference(part)) => *part,
            _ => None,
        }
    };
    Ok((part(machine, "clazz"), part(machine, "name")))
}

fn initialise(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    if let Some(class) = class_argument(machine, state, call)? {
        machine.initialise(state, class)?;
    }
    Ok(Effect::Nothing)
}

fn allocate(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(class) = class_argument(machine, state, call)? else { return value(Value::NULL) };
    let class = machine.initialise(state, class)?;
    value(Some(machine.allocate(state, &class)))
}

fn class_argument(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Option<ClassId>, Halt> {
    let mirror = machine.present(state, call, 1)?;
    let Nature::Mirror(type_) = *state.heap.get(mirror).nature() else { return Ok(None) };
    Ok(match machine.world.types.get(type_) {
        Type::Class(class) => Some(class),
        _ => None,
    })
}

fn access(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let name = call.method.name.as_str().into_owned();
    let (Some(object), Value::Long(offset)) = (call.reference(1), call.value(2)) else {
        return Err(Halt::End(Ending::unsupported(format!("Unsafe.{name} outside of objects"))));
    };
    let operands = call.arguments.get(3..).unwrap_or_default();
    let Ok(location) = locate(machine, state, object, offset, accessed(&name)) else {
        return access_bytes(machine, state, object, offset, &name, operands);
    };
    if name.starts_with("get") {
        return value(machine.held(state, location)?);
    }
    if name.starts_with("put") {
        write(state, location, operands.first().copied().unwrap_or(Value::Nothing));
        return Ok(Effect::Nothing);
    }
    let result = machine.atomically(state, location, &name, operands)?;
    value(result)
}

/// The primitive type in the name of an access; `None` for references.
fn accessed(name: &str) -> Option<BaseType> {
    BaseType::ALL.into_iter().find(|base| {
        let (first, rest) = crate::names::base_name(*base).split_at(1);
        name.contains(&(first.to_uppercase() + rest))
    })
}

/// Accesses a number that is not exactly one element.
fn access_bytes(
    machine: &mut Machine,
    state: &mut State,
    array: Ref,
    offset: i64,
    name: &str,
    operands: &[Value],
) -> Result<Effect, Halt> {
    let is_array = state.heap.get(array).elements().is_some();
    let offset = usize::try_from(offset - ARRAY_BASE).ok().filter(|_| is_array);
    let done = match (offset, accessed(name), operands) {
        (Some(offset), Some(type_), []) => machine.read_bytes(state, array, offset, type_).map(Effect::Value),
        (Some(offset), Some(type_), [number]) if name.starts_with("put") => {
            machine.write_bytes(state, array, offset, type_, *number).map(|()| Effect::Nothing)
        }
        _ => None,
    };
    done.ok_or_else(|| Halt::End(Ending::unsupported(format!("Unsafe.{name} across elements"))))
}

/// The field or element at an offset. Elements must be accessed as a whole.
fn locate(
    machine: &Machine,
    state: &State,
    object: Ref,
    offset: i64,
    accessed: Option<BaseType>,
) -> Result<Location, ()> {
    let found = state.heap.get(object);
    if offset >= STATIC_BASE
        && let Some(class) = mirrored(machine, state, object)
    {
        let slot = (offset - STATIC_BASE) as usize;
        let is_there = !matches!(state.static_field(class, slot), Value::Nothing);
        return if is_there { Ok(Location::Static(class, slot)) } else { Err(()) };
    }
    if found.elements().is_none() {
        let slot = usize::try_from(offset).map_err(|_| ())?;
        return if slot < found.fields().len() { Ok(Location::Field(object, slot)) } else { Err(()) };
    }
    let Type::Array(element) = machine.world.types.get(found.type_) else { return Err(()) };
    let (distance, width) = (offset - ARRAY_BASE, width(machine.world.types.get(element)));
    let index = usize::try_from(distance / width).map_err(|_| ())?;
    let is_float = |base| matches!(base, BaseType::Float | BaseType::Double);
    let is_like = |accessed| match machine.world.types.get(element) {
        Type::Base(base) => width_of(accessed) as i64 == width && is_float(base) == is_float(accessed),
        _ => false,
    };
    let is_whole = accessed.is_none_or(is_like);
    if !is_whole || distance % width != 0 || index >= elements(state, object).len() {
        return Err(());
    }
    Ok(Location::Element(object, index))
}
