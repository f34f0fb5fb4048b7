//! The JVM's own actions: it starts, runs `main` and threads, and ends.

use super::action::{Action, Body, Value};
use super::builder::Builder;
use super::calls::Invocation;
use super::scan::new_object;
use crate::types::FilterId;
use crate::weakness::Weakness;
use crate::world::World;
use lapidary_classfile::{InvokeOp, Text};
use lapidary_jvm::{ClassId, FieldType, MethodId};

/// Classes that the JVM initialises before it runs `main`.
const INITIALISED: &[&str] = &[
    "java/lang/String",
    "java/lang/System",
    "java/lang/Class",
    "java/lang/ThreadGroup",
    "java/lang/Thread",
    "java/lang/Module",
    "java/lang/ref/Reference",
    "java/lang/ref/Finalizer",
];

/// Static methods that the JVM calls at its start, with the number of primitive arguments they
/// take.
const CALLED: &[((&str, &str, &str), usize)] = &[
    (("java/lang/System", "initializeSystemClass", "()V"), 0),
    (("java/lang/System", "initPhase1", "()V"), 0),
    (("java/lang/System", "initPhase2", "(ZZ)I"), 2),
    (("java/lang/System", "initPhase3", "()V"), 0),
];

/// Exceptions that the JVM throws.
const THROWN: &[&str] = &[
    "java/lang/NullPointerException",
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",
    "java/lang/ClassCastException",
    "java/lang/NegativeArraySizeException",
    "java/lang/IllegalMonitorStateException",
    "java/lang/InterruptedException",
    "java/lang/OutOfMemoryError",
    "java/lang/StackOverflowError",
    "java/lang/NoClassDefFoundError",
    "java/lang/ClassNotFoundException",
    "java/lang/ExceptionInInitializerError",
    "java/lang/AbstractMethodError",
    "java/lang/UnsatisfiedLinkError",
];

/// Fields that the JVM writes, with the class of the objects it writes.
const WRITTEN: &[(&str, &str, &str)] = &[
    ("java/lang/Class", "classLoader", "java/lang/ClassLoader"),
    ("java/lang/Class", "componentType", "java/lang/Class"),
    ("java/lang/Class", "module", "java/lang/Module"),
];

/// The class that the user starts, and the `main` that it declares or inherits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub class: ClassId,
    pub main: MethodId,
}

/// The actions of the JVM when it runs a program: it starts itself, calls `main`, and ends.
pub(crate) fn root_body(world: &mut World, start: Start) -> Body {
    let mut builder = Builder::new(0);
    for name in THROWN {
        let class = world.hierarchy.id(&Text::from(*name));
        let thrown = new_object(world, &mut builder, class);
        builder.act(Action::Throw(thrown));
    }
    if world.weaknesses.has(Weakness::NoStartup) {
        call_main(world, &mut builder, start);
        return builder.finish();
    }
    start_machine(world, &mut builder);
    let thread = main_thread(world, &mut builder);
    call_main(world, &mut builder, start);
    end_thread(world, &mut builder, thread);
    call_named(world, &mut builder, ("java/lang/Shutdown", "shutdown", "()V"), InvokeOp::Static, Vec::new());
    builder.finish()
}

fn main_thread(world: &mut World, builder: &mut Builder) -> Value {
    let group = world.hierarchy.id(&Text::from("java/lang/ThreadGroup"));
    let group = new_object(world, builder, group);
    call_named(world, builder, ("java/lang/ThreadGroup", "<init>", "()V"), InvokeOp::Special, vec![group]);
    let (thread, name) = (world.known.thread, world.known.string);
    let (thread, name) = (new_object(world, builder, thread), new_object(world, builder, name));
    let named = ("java/lang/Thread", "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V");
    call_named(world, builder, named, InvokeOp::Special, vec![thread, group, name]);
    builder.act(Action::StartThread(thread));
    thread
}

fn start_machine(world: &mut World, builder: &mut Builder) {
    for name in INITIALISED {
        let class = world.hierarchy.id(&Text::from(*name));
        builder.act(Action::Initialise(class));
    }
    for (row, numbers) in CALLED {
        call_named(world, builder, *row, InvokeOp::Static, vec![Value::NONE; *numbers]);
    }
    WRITTEN.iter().for_each(|row| write_any(world, builder, row));
}

fn write_any(world: &mut World, builder: &mut Builder, (class, name, type_): &(&str, &str, &str)) {
    let class: ClassId = world.hierarchy.id(&Text::from(*class));
    let written = FieldType::Object(Text::from(*type_));
    let field = world.hierarchy.declared_field(class, &Text::from(*name), &written.descriptor());
    if let (Some(field), Some(filter)) = (field, world.types.declared(&written)) {
        let from = builder.fresh();
        builder.act(Action::Instances { filter, to: from });
        builder.act(Action::WriteField { field, from });
    }
}

fn call_main(world: &mut World, builder: &mut Builder, Start { class, main }: Start) {
    let string = new_object(world, builder, world.known.string);
    let arguments = builder.fresh();
    let strings = FieldType::Object(Text::from("java/lang/String")).array();
    if let Some(filter) = world.types.declared(&strings) {
        let type_ = world.types.array(filter);
        builder.act(Action::New { type_, to: arguments });
        builder.act(Action::StoreElement { array: arguments, from: string });
    }
    builder.act(Action::Initialise(class));
    builder.name(class);
    let parameters = world.signature(&world.hierarchy.method(main).descriptor.clone());
    let count = parameters.map_or(0, |signature| signature.parameters.len());
    let is_static = world.hierarchy.method(main).is_static();
    let mut values = vec![arguments; count];
    if !is_static {
        values.insert(0, new_object(world, builder, class));
    }
    let op = if is_static { InvokeOp::Static } else { InvokeOp::Special };
    let call = Invocation { caller: main.class, op, method: main, arguments: values, result: Value::NONE };
    call.act(world, builder);
}

/// Models the life of a thread from its start to its end.
pub(super) fn start_thread(world: &mut World, builder: &mut Builder, thread: Value) {
    builder.act(Action::StartThread(thread));
    call_named(world, builder, ("java/lang/Thread", "run", "()V"), InvokeOp::Virtual, vec![thread]);
    end_thread(world, builder, thread);
}

fn end_thread(world: &mut World, builder: &mut Builder, thread: Value) {
    let exception = builder.fresh();
    builder.act(Action::Catch { filter: FilterId::ANY, to: exception });
    let dispatch = ("java/lang/Thread", "dispatchUncaughtException", "(Ljava/lang/Throwable;)V");
    call_named(world, builder, dispatch, InvokeOp::Special, vec![thread, exception]);
    call_named(world, builder, ("java/lang/Thread", "exit", "()V"), InvokeOp::Special, vec![thread]);
}

fn call_named(world: &mut World, builder: &mut Builder, row: (&str, &str, &str), op: InvokeOp, arguments: Vec<Value>) {
    if let Some(method) = world.method_named(row.0, row.1, row.2) {
        let call = Invocation { caller: method.class, op, method, arguments, result: Value::NONE };
        call.act(world, builder);
    }
}
