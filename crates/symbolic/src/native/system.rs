//! `System`, and what the library asks of the virtual machine while it initialises itself.

use super::{Call, Effect, Line, long_zero, no, nothing, null, value, zero};
use crate::Ending;
use crate::frame::Then;
use crate::heap::{Elements, Nature, Variable};
use crate::machine::{Halt, Machine};
use crate::state::State;
use crate::step::{elements, elements_mut};
use crate::types::Type;
use crate::value::{Ref, Value};
use lapidary_jvm::Resolution;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V", array_copy),
    ("java/lang/System.currentTimeMillis()J", long_zero),
    ("java/lang/System.nanoTime()J", long_zero),
    ("java/lang/System.exit(I)V", exit),
    ("java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;", null),
    ("java/lang/System.getenv(Ljava/lang/String;)Ljava/lang/String;", null),
    ("java/lang/System.getProperty(Ljava/lang/String;)Ljava/lang/String;", property),
    ("java/lang/System.getProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", property),
    ("java/lang/System.lineSeparator()Ljava/lang/String;", line_separator),
    ("java/lang/System.getProperties()Ljava/util/Properties;", properties),
    ("sun/security/action/GetPropertyAction.privilegedGetProperties()Ljava/util/Properties;", properties),
    ("sun/security/action/GetPropertyAction.privilegedGetProperty(Ljava/lang/String;)Ljava/lang/String;", property),
    (
        "sun/security/action/GetPropertyAction.privilegedGetProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;",
        property,
    ),
    ("jdk/internal/misc/VM.getSavedProperty(Ljava/lang/String;)Ljava/lang/String;", property),
    ("jdk/internal/access/SharedSecrets.getJavaLangAccess()Ljdk/internal/access/JavaLangAccess;", language_access),
    ("jdk/internal/misc/VM.initialize()V", nothing),
    ("jdk/internal/misc/VM.initializeFromArchive(Ljava/lang/Class;)V", nothing),
    ("jdk/internal/misc/VM.isBooted()Z", super::yes),
    ("jdk/internal/misc/CDS.initializeFromArchive(Ljava/lang/Class;)V", nothing),
    ("jdk/internal/misc/CDS.getRandomSeedForDumping()J", long_zero),
    ("jdk/internal/misc/CDS.isDumpingClassList0()Z", no),
    ("jdk/internal/misc/CDS.isDumpingArchive0()Z", no),
    ("jdk/internal/misc/CDS.isSharingEnabled0()Z", no),
    ("jdk/internal/misc/CDS.getCDSConfigStatus()I", zero),
    ("java/lang/Runtime.availableProcessors()I", one),
    ("java/lang/Runtime.maxMemory()J", gigabyte),
    ("java/lang/Runtime.totalMemory()J", gigabyte),
    ("java/lang/Runtime.freeMemory()J", gigabyte),
    ("java/lang/Runtime.gc()V", nothing),
    ("java/security/AccessController.doPrivileged(Ljava/security/PrivilegedAction;)Ljava/lang/Object;", run),
    ("java/security/AccessController.doPrivileged(Ljava/security/PrivilegedExceptionAction;)Ljava/lang/Object;", run),
    ("java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;", null),
    ("java/security/AccessController.getContext()Ljava/security/AccessControlContext;", null),
    ("java/lang/invoke/MethodHandles.lookup()Ljava/lang/invoke/MethodHandles$Lookup;", lookup),
    (
        "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        variable,
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        variable,
    ),
    (
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        element_variable,
    ),
    ("java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z", super::yes),
    ("java/lang/invoke/VarHandle.fullFence()V", nothing),
    ("java/lang/invoke/VarHandle.acquireFence()V", nothing),
    ("java/lang/invoke/VarHandle.releaseFence()V", nothing),
    ("java/lang/invoke/VarHandle.storeStoreFence()V", nothing),
    ("java/util/concurrent/ThreadLocalRandom.<clinit>()V", nothing),
];

/// What the machine says about itself: a small English computer of no particular make.
const PROPERTIES: &[(&str, &str)] = &[
    ("java.version", "17"),
    ("java.specification.version", "17"),
    ("java.vm.name", "Lapidary"),
    ("line.separator", "\n"),
    ("file.separator", "/"),
    ("path.separator", ":"),
    ("file.encoding", "UTF-8"),
    ("native.encoding", "UTF-8"),
    ("sun.jnu.encoding", "UTF-8"),
    ("user.language", "en"),
    ("user.country", "US"),
    ("user.dir", "/"),
    ("user.home", "/"),
    ("user.name", "user"),
    ("java.io.tmpdir", "/tmp"),
    ("os.name", "Linux"),
    ("os.arch", "amd64"),
    ("java.home", "/"),
];

fn one(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(1)
}

fn gigabyte(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(1i64 << 30)
}

fn exit(_: &mut Machine, _: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    Err(Halt::End(Ending::Exited(call.value(0))))
}

fn property(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let name = machine.present(state, call, 0)?;
    let name = machine.text_of(state, name).unwrap_or_default();
    let fallback = if call.arguments.len() > 1 { call.value(1) } else { Value::NULL };
    match PROPERTIES.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => literal(machine, state, text),
        None => value(fallback),
    }
}

/// The same as an object, which a generated method makes and leaves in `System.props`.
fn properties(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let system = machine.world.hierarchy.id(&"java/lang/System".into());
    let system = machine.initialise(state, system)?;
    let slot = system.static_fields.iter().position(|field| field.name == "props");
    match slot.map(|slot| state.static_field(system.id, slot)) {
        Some(made @ Value::Reference(Some(_))) => value(made),
        _ => Ok(Effect::Call(machine.generated_properties(PROPERTIES), Vec::new())),
    }
}

/// The door through which other packages reach into `java.lang`. `System` opens it while it starts, which it never does here.
fn language_access(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let secrets = machine.initialise(state, call.method.class)?;
    let slot = secrets.static_fields.iter().position(|field| field.name == "javaLangAccess");
    if let Some(open @ Value::Reference(Some(_))) = slot.map(|slot| state.static_field(secrets.id, slot)) {
        return value(open);
    }
    let system = machine.world.hierarchy.id(&"java/lang/System".into());
    machine.initialise(state, system)?;
    match machine.world.declared(system, "setJavaLangAccess", "()V") {
        Some(opener) => machine.run_first(state, &opener, &[], Then::Forget),
        None => value(Value::NULL),
    }
}

fn line_separator(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    literal(machine, state, "\n")
}

fn literal(machine: &mut Machine, state: &mut State, text: &str) -> Result<Effect, Halt> {
    let number = machine.world.literal(&text.into());
    value(Some(machine.literal(state, number)?))
}

fn array_copy(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (source, target) = (machine.present(state, call, 0)?, machine.present(state, call, 2)?);
    let (Some(from_length), Some(to_length)) =
        (state.heap.get(source).elements().map(Elements::len), state.heap.get(target).elements().map(Elements::len))
    else {
        return machine.throw(state, "java/lang/ArrayStoreException", None);
    };
    let [from, to, count] = [1, 3, 4].map(|place| call.value(place));
    let from = machine.concrete_int(state, from)?;
    let to = machine.concrete_int(state, to)?;
    let count = machine.concrete_int(state, count)?;
    let fits =
        |start: i32, length: usize| start >= 0 && count >= 0 && i64::from(start) + i64::from(count) <= length as i64;
    if !fits(from, from_length) || !fits(to, to_length) {
        return machine.throw(
            state,
            "java/lang/ArrayIndexOutOfBoundsException",
            Some(&outside(from, from_length, to, to_length, count)),
        );
    }
    let (from, to, count) = (from as usize, to as usize, count as usize);
    check_copied(machine, state, source, target, from, count)?;
    let copied = elements(state, source).clone();
    elements_mut(state, target).copy_from(to, &copied, from, count);
    Ok(Effect::Nothing)
}

/// The words of the real machine.
fn outside(from: i32, from_length: usize, to: i32, to_length: usize, count: i32) -> String {
    if count < 0 {
        return format!("arraycopy: length {count} is negative");
    }
    let (name, index, length) = if i64::from(from) + i64::from(count) > from_length as i64 || from < 0 {
        ("source", from, from_length)
    } else {
        ("destination", to, to_length)
    };
    let last = if name == "source" { "last source index" } else { "last destination index" };
    if index < 0 {
        return format!("arraycopy: {name} index {index} out of bounds for length {length}");
    }
    format!("arraycopy: {last} {} out of bounds for length {length}", i64::from(index) + i64::from(count))
}

/// Every reference must fit where it goes.
fn check_copied(
    machine: &mut Machine,
    state: &mut State,
    source: Ref,
    target: Ref,
    from: usize,
    count: usize,
) -> Result<(), Halt> {
    let (source_type, target_type) = (state.heap.get(source).type_, state.heap.get(target).type_);
    if source_type == target_type {
        return Ok(());
    }
    let (Type::Array(one), Type::Array(other)) =
        (machine.world.types.get(source_type), machine.world.types.get(target_type))
    else {
        return Ok(());
    };
    let bases = [one, other].map(|type_| matches!(machine.world.types.get(type_), Type::Base(_)));
    if bases != [false, false] {
        return machine.throw(state, "java/lang/ArrayStoreException", None);
    }
    for place in from..from + count {
        if let Value::Reference(Some(object)) = elements(state, source).get(place) {
            let type_ = state.heap.get(object).type_;
            if !machine.world.is_subtype(type_, other) {
                return machine.throw(state, "java/lang/ArrayStoreException", None);
            }
        }
    }
    Ok(())
}

/// `doPrivileged` runs its action; nobody is more privileged than another.
fn run(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let action = machine.present(state, call, 0)?;
    let interface = match &call.method.type_.parameters[0] {
        lapidary_jvm::FieldType::Object(name) => name.clone(),
        _ => return machine.broken("an action that is no object"),
    };
    let interface = machine.world.hierarchy.id(&interface);
    let Some(resolved) = machine.world.declared(interface, "run", "()Ljava/lang/Object;") else {
        return value(Value::NULL);
    };
    let target = machine.selected(state, action, &resolved)?;
    Ok(Effect::Call(target, vec![Value::object(action)]))
}

/// A lookup that is asked for variables only.
fn lookup(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let id = machine.world.hierarchy.id(&"java/lang/invoke/MethodHandles$Lookup".into());
    let class = machine.load(state, id)?;
    value(Some(machine.allocate(state, &class)))
}

fn variable(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let [owner, type_] =
        [1, 3].map(|place| call.reference(place).map(|mirror| state.heap.get(mirror).nature().clone()));
    let (Some(Nature::Mirror(owner)), Some(Nature::Mirror(type_))) = (owner, type_) else {
        return machine.throw(state, "java/lang/NullPointerException", None);
    };
    let name = machine.present(state, call, 2)?;
    let name = machine.text_of(state, name).unwrap_or_default();
    let hierarchy = machine.world.hierarchy.clone();
    let (Type::Class(class), Some(field_type)) =
        (machine.world.types.get(owner), machine.world.types.to_field(type_, &hierarchy))
    else {
        return machine.broken("a variable of no class");
    };
    let Resolution::Found(field) = hierarchy.resolve_field(class, &name.as_str().into(), &field_type.descriptor())
    else {
        return machine.throw(state, "java/lang/NoSuchFieldException", Some(&name));
    };
    let is_static = hierarchy.field(field).access & lapidary_classfile::access::STATIC != 0;
    if is_static {
        machine.initialise(state, field.class)?;
    }
    let Ok(slot) = machine.world.slot(field) else { return machine.broken("a field without a type") };
    let found = if is_static { Variable::Static(field.class, slot) } else { Variable::Instance(slot) };
    handle(machine, state, found)
}

fn element_variable(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    handle(machine, state, Variable::Element)
}

fn handle(machine: &mut Machine, state: &mut State, variable: Variable) -> Result<Effect, Halt> {
    let id = machine.world.hierarchy.id(&"java/lang/invoke/VarHandle".into());
    let class = machine.load(state, id)?;
    let body = crate::heap::Body::Fields(class.defaults.clone(), Nature::Variable(variable));
    value(Some(state.heap.allocate(crate::heap::Object { type_: class.type_, body })))
}
