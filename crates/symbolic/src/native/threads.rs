//! The only thread, and the class loader of the program. A real JVM makes both before the program
//! starts.

use super::classes::{element_of, type_of};
use super::{Call, Effect, Line, no, nothing, value, yes};
use crate::Ending;
use crate::halt::Halt;
use crate::heap::{Body, Nature, Object};
use crate::machine::Machine;
use crate::state::State;
use crate::types::Type;
use crate::value::{Ref, Value};
use lapidary_jvm::FieldType;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Thread.currentThread()Ljava/lang/Thread;", current_thread),
    ("java/lang/Thread.currentCarrierThread()Ljava/lang/Thread;", current_thread),
    ("java/lang/Thread.start()V", threads),
    ("java/lang/Thread.start0()V", threads),
    ("java/lang/Thread.isAlive()Z", yes),
    ("java/lang/Thread.isInterrupted()Z", no),
    ("java/lang/Thread.interrupted()Z", no),
    ("java/lang/Thread.sleep(J)V", sleep),
    ("java/lang/Thread.sleepNanos0(J)V", nothing),
    ("java/lang/Thread.yield()V", nothing),
    ("java/lang/Thread.setNativeName(Ljava/lang/String;)V", nothing),
    ("java/lang/Thread.onSpinWait()V", nothing),
    ("java/lang/Thread.getId()J", |_, _, _| value(1i64)),
    ("java/lang/Thread.threadId()J", |_, _, _| value(1i64)),
    ("java/util/concurrent/locks/LockSupport.park(Ljava/lang/Object;)V", threads),
    ("java/util/concurrent/ForkJoinTask.fork()Ljava/util/concurrent/ForkJoinTask;", fork),
    ("java/lang/Class.getClassLoader()Ljava/lang/ClassLoader;", class_loader),
    ("java/lang/Class.getClassLoader0()Ljava/lang/ClassLoader;", class_loader),
];

const THREAD: &str = "java/lang/Thread";
/// Newer versions of Java keep some fields of a thread in an object of this class.
const HOLDER: &str = "java/lang/Thread$FieldHolder";
const LOADER: &str = "jdk/internal/loader/ClassLoaders$AppClassLoader";

/// The fields of the first thread that are null on a real JVM, too.
const NULL_IN_THREAD: [&str; 10] = [
    "target",
    "threadLocals",
    "inheritableThreadLocals",
    "terminatingThreadLocals",
    "uncaughtExceptionHandler",
    "parkBlocker",
    "blocker",
    "nioBlocker",
    "container",
    "headStackableScopes",
];

/// `Thread.threadStatus` of a thread that is alive and runnable.
const RUNNABLE: i32 = 5;

pub(super) fn threads(_: &mut Machine, _: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    Err(Halt::End(Ending::unsupported("threads".into())))
}

fn fork(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let task = machine.present(state, call, 0)?;
    Ok(Effect::Call(machine.task_runner(), vec![Value::object(task)]))
}

fn current_thread(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    value(Some(machine.thread(state)?))
}

/// The loader of the program for its classes and their arrays; null for those of the library.
fn class_loader(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    match machine.world.types.get(element_of(machine, type_)) {
        Type::Class(class) if machine.is_own(class) => value(Some(machine.program_loader(state)?)),
        _ => value(Value::NULL),
    }
}

/// Sleeping takes no time, but a negative duration is an error.
fn sleep(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(time) = call.value(0).term(&mut machine.terms) else { return machine.broken("a time that is no long") };
    let zero = machine.terms.long(0);
    let negative = machine.terms.slt(time, zero);
    match machine.split(state, negative)? {
        true => machine.throw(state, "java/lang/IllegalArgumentException", Some("timeout value is negative")),
        false => Ok(Effect::Nothing),
    }
}

impl Machine {
    /// The first thread; the same each time.
    fn thread(&mut self, state: &mut State) -> Result<Ref, Halt> {
        if let Some(thread) = state.thread {
            return Ok(thread);
        }
        let (name, loader) = (self.string(state, "main")?, self.program_loader(state)?);
        let mut known = NULL_IN_THREAD.map(|field| (field, Value::NULL)).to_vec();
        known.extend([("name", Value::object(name)), ("contextClassLoader", Value::object(loader))]);
        known.extend([("priority", Value::Int(5)), ("tid", Value::Long(1)), ("threadStatus", Value::Int(RUNNABLE))]);
        if self.world.class_named(HOLDER).is_ok() {
            let holder = self.set_up(state, HOLDER, &known)?;
            known.push(("holder", Value::object(holder)));
        }
        let thread = self.set_up(state, THREAD, &known)?;
        state.thread = Some(thread);
        Ok(thread)
    }

    /// The loader of the program's classes; the same each time.
    fn program_loader(&mut self, state: &mut State) -> Result<Ref, Halt> {
        if let Some(loader) = state.loader {
            return Ok(loader);
        }
        let name = self.string(state, "app")?;
        let loader = self.set_up(state, LOADER, &[("name", Value::object(name))])?;
        state.loader = Some(loader);
        Ok(loader)
    }

    /// Makes an object that a real JVM has set up. References that are not known here are unset, and
    /// reading one of them ends the path.
    pub(super) fn set_up(&mut self, state: &mut State, class: &str, known: &[(&str, Value)]) -> Result<Ref, Halt> {
        let id = self.world.hierarchy.id(&class.into());
        let class = self.load(state, id)?;
        let mut fields = class.defaults.clone();
        for (field, (_, name, type_)) in fields.iter_mut().zip(&class.instance_fields) {
            match known.iter().find(|(known, _)| *name == **known) {
                Some((_, value)) => *field = *value,
                None if !matches!(type_, FieldType::Base(_)) => *field = Value::Nothing,
                None => {}
            }
        }
        Ok(state.heap.allocate(Object { type_: class.type_, body: Body::Fields(fields, Nature::SetUp) }))
    }
}
