//! `System`, and what the library asks of the JVM while it initialises itself.

use super::{Call, Effect, Line, long_zero, no, nothing, null, value, zero};
use crate::Ending;
use crate::frame::Then;
use crate::halt::Halt;
use crate::heap::Vague;
use crate::machine::Machine;
use crate::method::Method;
use crate::state::State;
use crate::value::{Ref, Value};
use std::rc::Rc;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/System.currentTimeMillis()J", |_, _, _| value(MILLISECONDS_SINCE_1970)),
    ("java/lang/System.nanoTime()J", |_, _, _| value(NANOSECONDS_RUNNING)),
    ("java/lang/System.exit(I)V", |_, _, call| exit(call.value(0))),
    ("java/lang/Runtime.exit(I)V", |_, _, call| exit(call.value(1))),
    ("java/lang/Runtime.halt(I)V", |_, _, call| exit(call.value(1))),
    ("java/lang/System.getSecurityManager()Ljava/lang/SecurityManager;", null),
    ("java/lang/System.getenv(Ljava/lang/String;)Ljava/lang/String;", variable),
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
    ("java/lang/Runtime.maxMemory()J", |_, _, _| value(4 * GIGABYTE)),
    ("java/lang/Runtime.totalMemory()J", |_, _, _| value(GIGABYTE)),
    ("java/lang/Runtime.freeMemory()J", |_, _, _| value(GIGABYTE / 2)),
    ("java/lang/Runtime.gc()V", nothing),
    ("java/security/AccessController.doPrivileged(Ljava/security/PrivilegedAction;)Ljava/lang/Object;", run),
    ("java/security/AccessController.doPrivileged(Ljava/security/PrivilegedExceptionAction;)Ljava/lang/Object;", run),
    ("java/security/AccessController.getStackAccessControlContext()Ljava/security/AccessControlContext;", null),
    ("java/security/AccessController.getContext()Ljava/security/AccessControlContext;", null),
    ("java/util/concurrent/atomic/AtomicLong.VMSupportsCS8()Z", super::yes),
    ("java/lang/invoke/VarHandle.fullFence()V", nothing),
    ("java/lang/invoke/VarHandle.acquireFence()V", nothing),
    ("java/lang/invoke/VarHandle.releaseFence()V", nothing),
    ("java/lang/invoke/VarHandle.storeStoreFence()V", nothing),
];

// Different questions have different answers, so that a program that asks another one differs.

/// The start of the year 2024.
const MILLISECONDS_SINCE_1970: i64 = 1_704_067_200_000;
const NANOSECONDS_RUNNING: i64 = 1_000_000_000;
const GIGABYTE: i64 = 1 << 30;

/// The system properties: those of a generic computer with an English locale.
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
    ("os.version", "1"),
    ("java.library.path", ""),
    ("sun.boot.library.path", ""),
    ("java.home", "/"),
];

fn one(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(1)
}

fn exit(code: Value) -> Result<Effect, Halt> {
    Err(Halt::End(Ending::Exited(code)))
}

/// Looks up a property. Once the program has the properties as an object, that object answers.
fn property(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(name) = call.reference(0) else {
        return machine.throw(state, "java/lang/NullPointerException", Some("key can't be null"));
    };
    if made_properties(machine, state)?.is_some() && call.method.name != "getSavedProperty" {
        return Ok(Effect::OwnCode);
    }
    let Some(name) = machine.text_of(state, name) else {
        return Err(Halt::End(Ending::unsupported("a property whose name depends on symbols".into())));
    };
    if name.is_empty() {
        return machine.throw(state, "java/lang/IllegalArgumentException", Some("key can't be empty"));
    }
    let fallback = if call.arguments.len() > 1 { call.value(1) } else { Value::NULL };
    match PROPERTIES.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => literal(machine, state, text),
        None => value(fallback),
    }
}

/// The system properties as an object, if it was made.
fn made_properties(machine: &mut Machine, state: &mut State) -> Result<Option<Ref>, Halt> {
    let system = machine.world.hierarchy.id(&"java/lang/System".into());
    let system = machine.initialise(state, system)?;
    let slot = system.static_fields.iter().position(|field| field.name == "props");
    match slot.map(|slot| state.static_field(system.id, slot)) {
        Some(Value::Reference(made)) => Ok(made),
        _ => Ok(None),
    }
}

/// The system properties as an object, which a generated method makes and stores in `System.props`.
fn properties(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    match made_properties(machine, state)? {
        Some(made) => value(Some(made)),
        None => Ok(Effect::Call(machine.system_properties(), Vec::new())),
    }
}

/// There are no environment variables.
fn variable(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    match call.reference(0) {
        Some(_) => value(Value::NULL),
        None => machine.throw_vague(state, "java/lang/NullPointerException", Vague::Explained),
    }
}

/// The interface through which other packages access `java.lang`. `System` sets it while a JVM
/// starts, which never happens here.
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

/// `doPrivileged` runs its action; there are no privileges here.
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

impl Machine {
    /// The method that makes the system properties and stores them.
    pub(super) fn system_properties(&mut self) -> Rc<Method> {
        self.generated_properties(PROPERTIES)
    }
}
