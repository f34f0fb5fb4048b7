//! The effect of each instruction, with one file per family of instructions.

mod arithmetic;
mod arrays;
pub(crate) use arrays::{elements, elements_mut};
mod branches;
mod calls;
mod constants;
mod fields;
mod objects;
mod overflow;
mod stack;

use crate::halt::{Halt, Next, Step};
use crate::heap::Vague;
use crate::machine::Machine;
use crate::method::Method;
use crate::state::State;
use crate::value::{Ref, Value};
use lapidary_classfile::Instruction;
use std::rc::Rc;

impl Machine {
    pub(crate) fn execute(
        &mut self,
        state: &mut State,
        method: &Rc<Method>,
        at: usize,
        instruction: &Instruction,
    ) -> Step {
        use Instruction::*;
        match instruction {
            Nop => Ok(Next::Advance),
            AConstNull => push(state, Value::NULL),
            IConst(number) => push(state, Value::Int((*number).into())),
            LConst(number) => push(state, Value::Long((*number).into())),
            FConst(number) => push(state, Value::Float((*number).into())),
            DConst(number) => push(state, Value::Double((*number).into())),
            BiPush(number) => push(state, Value::Int((*number).into())),
            SiPush(number) => push(state, Value::Int((*number).into())),
            Ldc(constant) | LdcW(constant) | Ldc2W(constant) => self.constant(state, method, at, constant),
            Load(_, local) => {
                let value = state.top().local(local.index);
                push(state, value)
            }
            Store(_, local) => {
                let frame = state.top_mut();
                let value = frame.peek(0);
                frame.drop(1);
                frame.set_local(local.index, value);
                Ok(Next::Advance)
            }
            Stack(operation) => stack::shuffle(state, *operation),
            Increment(local, by) => self.increment(state, local.index, *by),
            Arithmetic(operation, kind) => self.arithmetic(state, *operation, *kind),
            Negate(kind) => self.negate(state, *kind),
            Shift(operation, kind) => self.shift(state, *operation, *kind),
            Logic(operation, kind) => self.logic(state, *operation, *kind),
            Convert(conversion) => self.convert(state, *conversion),
            Compare(comparison) => self.compare(state, *comparison),
            If(condition, target) => self.branch(state, *condition, *target as usize),
            Goto(target) | GotoW(target) => Ok(Next::Jump(*target as usize)),
            Jsr(target) | JsrW(target) => {
                state.top_mut().push(Value::Address(at as u32 + 1));
                Ok(Next::Jump(*target as usize))
            }
            Ret(local) => match state.top().local(local.index) {
                Value::Address(target) => Ok(Next::Jump(target as usize)),
                _ => self.broken("ret without an address"),
            },
            TableSwitch(switch) => self.table_switch(state, switch),
            LookupSwitch(switch) => self.lookup_switch(state, switch),
            Return(kind) => {
                let result = kind.map(|_| state.top().peek(0));
                self.return_from(state, method, result)
            }
            Field(operation, member) => self.field(state, method, at, *operation, member),
            Invoke(operation, member) => self.invoke(state, method, at, *operation, member),
            InvokeDynamic(site) => self.invoke_dynamic(state, method, at, site),
            New(name) => self.new_object(state, method, at, name),
            NewArray(element) => self.new_array(state, *element),
            ANewArray(name) => self.new_reference_array(state, method, at, name),
            MultiANewArray(name, dimensions) => self.new_nested_array(state, method, at, name, *dimensions),
            ArrayLength => self.array_length(state),
            ArrayLoad(_) => self.array_load(state),
            ArrayStore(kind) => self.array_store(state, *kind),
            AThrow => Err(Halt::Throw(self.not_null(state, 0)?)),
            CheckCast(name) => self.check_cast(state, method, at, name),
            InstanceOf(name) => self.instance_of(state, method, at, name),
            MonitorEnter | MonitorExit => {
                self.not_null(state, 0)?;
                state.top_mut().drop(1);
                Ok(Next::Advance)
            }
        }
    }

    /// The object `below` places under the top of the stack. Throws if it is null.
    pub(crate) fn not_null(&mut self, state: &mut State, below: usize) -> Result<Ref, Halt> {
        match state.top().peek(below) {
            Value::Reference(Some(object)) => Ok(object),
            // A real JVM explains in the message what was null.
            Value::Reference(None) => self.throw_vague(state, "java/lang/NullPointerException", Vague::Explained),
            _ => self.broken("an object was expected"),
        }
    }

    /// Ends a path with code that no verifier would accept.
    pub(crate) fn broken<T>(&self, what: &str) -> Result<T, Halt> {
        Err(Halt::End(crate::Ending::unsupported(format!("invalid code: {what}"))))
    }
}

pub(crate) fn push(state: &mut State, value: Value) -> Step {
    state.top_mut().push(value);
    Ok(Next::Advance)
}
