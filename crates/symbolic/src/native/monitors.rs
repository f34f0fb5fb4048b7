//! Monitors. With one thread, nothing has to be recorded when a monitor is entered: it is owned as
//! long as a synchronized method or a synchronized block of the object runs, which the calls in
//! progress and their exception handlers tell.

use super::{Call, Effect, Line, threads, value};
use crate::Ending;
use crate::frame::Frame;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::method::Prepared;
use crate::state::State;
use crate::value::{Ref, Value};
use lapidary_classfile::{Instruction, access};

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Object.notify()V", notify),
    ("java/lang/Object.notifyAll()V", notify),
    ("java/lang/Object.wait(J)V", wait),
    ("java/lang/Object.wait0(J)V", wait),
    ("java/lang/Thread.holdsLock(Ljava/lang/Object;)Z", holds_lock),
];

fn notify(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    check_owner(machine, state, call)?;
    Ok(Effect::Nothing)
}

fn wait(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    check_owner(machine, state, call)?;
    threads::threads(machine, state, call)
}

fn holds_lock(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let object = machine.present(state, call, 0)?;
    value(Value::boolean(machine.owns_monitor(state, object)?))
}

fn check_owner(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<(), Halt> {
    let object = machine.present(state, call, 0)?;
    match machine.owns_monitor(state, object)? {
        true => Ok(()),
        false => machine.throw(state, "java/lang/IllegalMonitorStateException", Some("current thread is not owner")),
    }
}

impl Machine {
    fn owns_monitor(&mut self, state: &mut State, object: Ref) -> Result<bool, Halt> {
        let (mut next, mut has_advanced, mut is_certain) = (state.frame.clone(), false, true);
        while let Some(frame) = next {
            let at = frame.pc - usize::from(has_advanced);
            if self.monitor_of_method(state, &frame)? == Some(object) {
                return Ok(true);
            }
            if let Some(prepared) = frame.method.prepared() {
                if blocks_at(prepared, at).any(|local| is_in(&frame, local, object)) {
                    return Ok(true);
                }
                is_certain &= has_usual_blocks(prepared);
            }
            has_advanced = frame.then.is_ordinary();
            next = frame.caller.clone();
        }
        if is_certain {
            return Ok(false);
        }
        Err(Halt::End(Ending::unsupported("a monitor in code that no usual compiler writes".into())))
    }

    /// The object whose monitor a synchronized method holds.
    fn monitor_of_method(&mut self, state: &mut State, frame: &Frame) -> Result<Option<Ref>, Halt> {
        let method = &frame.method;
        if method.access & access::SYNCHRONIZED == 0 {
            return Ok(None);
        }
        if method.access & access::STATIC != 0 {
            let type_ = self.world.type_of_class(method.class);
            return self.mirror(state, type_).map(Some);
        }
        Ok(match frame.locals.first() {
            Some(Value::Reference(this)) => *this,
            _ => None,
        })
    }
}

fn is_in(frame: &Frame, local: usize, object: Ref) -> bool {
    matches!(frame.locals.get(local), Some(Value::Reference(Some(lock))) if *lock == object)
}

/// The local variables with the objects of the synchronized blocks around an instruction. Compilers
/// protect such a block with a handler that leaves the monitor.
fn blocks_at(prepared: &Prepared, at: usize) -> impl Iterator<Item = usize> {
    let handlers = prepared.handlers_at(at).filter(|handler| handler.catch.is_none());
    handlers.filter_map(|handler| left_by(&prepared.code.instructions, handler.target as usize))
}

/// The local variable with the object whose monitor the handler at an instruction leaves first.
fn left_by(instructions: &[Instruction], handler: usize) -> Option<usize> {
    let first = instructions.get(handler..)?.iter().take(3).collect::<Vec<_>>();
    first.windows(2).find_map(|pair| match pair {
        [Instruction::Load(_, local), Instruction::MonitorExit] => Some(usize::from(local.index)),
        _ => None,
    })
}

/// Whether all monitors that the code enters belong to blocks with such handlers.
fn has_usual_blocks(prepared: &Prepared) -> bool {
    let code = &prepared.code;
    let enters = code.instructions.contains(&Instruction::MonitorEnter);
    !enters || code.handlers.iter().any(|handler| left_by(&code.instructions, handler.target as usize).is_some())
}
