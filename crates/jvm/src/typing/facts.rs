//! Lists every fact that a typed body relies on.

use super::fact::{Fact, FactKind};
use super::flow;
use super::infer::{Body, Typing, distinct_handlers, handler_entry};
use super::known;
use super::lambda::Lambda;
use super::names::Collector;
use super::relation::{Link, Relation};
use super::shape::{Shape, component, reference};
use super::state::{State, Type};
use super::transfer::Observer;
use super::untypable::Trouble;
use crate::{Hierarchy, package};
use lapidary_classfile::{
    ArrayKind, Class, FieldOp, Instruction, InvokeOp, Kind, MemberRef, Method, Position, Text, access,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the facts that the body relies on, in order of position and without repetition at one
/// position.
///
/// A flow into a frame is a fact of the instruction it comes from. If many instructions flow into
/// one handler with the same types, only the first has the fact.
pub fn facts(class: &Class, method: &Method, typing: &Typing, hierarchy: &Hierarchy) -> Vec<Fact> {
    let Ok(body) = Body::of(class, method) else { return Vec::new() };
    let mut collector = Collector::new(class);
    collector.code(body.code);
    let mut walk = Walk { body, typing, meeting: meeting_points(body), recorder: Recorder::new(hierarchy, collector) };
    for (position, state) in typing.frames.iter().enumerate().take(body.len()) {
        if let Some(state) = state {
            walk.instruction(position, state);
        }
    }
    walk.handlers();
    walk.recorder.collector.finish()
}

/// The positions whose state may differ from the one that the preceding instruction left.
fn meeting_points(body: Body<'_>) -> Vec<bool> {
    let mut points = flow::joins(body);
    for frame in body.code.frames() {
        if let Some(point) = points.get_mut(frame.position as usize) {
            *point = true;
        }
    }
    points
}

struct Walk<'a, 'h> {
    body: Body<'a>,
    typing: &'a Typing,
    meeting: Vec<bool>,
    recorder: Recorder<'a, 'h>,
}

impl Walk<'_, '_> {
    fn instruction(&mut self, position: usize, before: &State) {
        let body = self.body;
        let instruction = &body.code.instructions[position];
        let meets = self.meeting.get(position + 1) == Some(&true);
        if !meets && !relies_on_operands(instruction) {
            return;
        }
        self.recorder.at = position as Position;
        self.members(instruction, before);
        let mut after = before.clone();
        // A typing of this very body accepts every instruction; a typing of another body has no
        // facts here.
        if body.step(position, &mut after, &mut self.recorder).is_err() {
            return;
        }
        for target in instruction.targets() {
            self.flow(&after, target as usize);
        }
        let subroutine = matches!(instruction, Instruction::Jsr(_) | Instruction::JsrW(_));
        if instruction.falls_through() && !subroutine && meets {
            self.flow(&after, position + 1);
        }
    }

    fn flow(&mut self, state: &State, target: usize) {
        if let Some(Some(declared)) = self.typing.frames.get(target) {
            self.recorder.state(state, declared);
        }
    }

    fn handlers(&mut self) {
        for handler in distinct_handlers(self.body.code) {
            if let Some(catch) = &handler.catch {
                self.recorder.at = handler.target;
                self.recorder.class(catch, known::THROWABLE);
            }
            let Some(Some(declared)) = self.typing.frames.get(handler.target as usize) else { continue };
            let mut seen = BTreeSet::new();
            let mut last: Option<&State> = None;
            for position in handler.start..handler.end {
                let Some(before) = self.typing.before(position) else { continue };
                // Few instructions change locals, and only locals flow into a handler.
                if last.replace(before).is_some_and(|last| Arc::ptr_eq(&last.locals, &before.locals)) {
                    continue;
                }
                self.recorder.at = position;
                self.recorder.new_pairs(&handler_entry(handler.catch.as_ref(), before), declared, &mut seen);
            }
        }
    }

    fn members(&mut self, instruction: &Instruction, before: &State) {
        match instruction {
            Instruction::Field(op, member) => self.field(*op, member, before),
            Instruction::Invoke(op, member) => self.call(*op, member, before),
            Instruction::InvokeDynamic(site) => {
                if let Some(lambda) = Lambda::of(self.body.class, site) {
                    self.lambda(&lambda);
                }
            }
            _ => {}
        }
    }

    fn field(&mut self, op: FieldOp, member: &MemberRef, before: &State) {
        let depth = match op {
            FieldOp::GetStatic | FieldOp::PutStatic => None,
            FieldOp::GetField => Some(0),
            FieldOp::PutField => Some(1),
        };
        let resolved = self.recorder.relation.resolve_field(member);
        self.access(resolved, depth.and_then(|depth| operand(before, depth)));
    }

    fn call(&mut self, op: InvokeOp, member: &Arc<MemberRef>, before: &State) {
        let Ok(shape) = Shape::parse(&member.descriptor) else { return };
        let receiver = (op != InvokeOp::Static).then(|| operand(before, shape.parameters().count())).flatten();
        if receiver == Some(&Type::UninitializedThis) {
            let this_call = member.owner == self.body.class.name;
            self.recorder.add(FactKind::SuperCall { member: member.clone(), this_call });
        }
        let resolved = self.recorder.relation.resolve_method(member);
        self.access(resolved, receiver);
    }

    /// Records uses of private members of other classes, and of protected members of superclasses
    /// in other packages (JVMS §4.10.1.8).
    fn access(&mut self, resolved: Option<(Text, u16)>, receiver: Option<&Type>) {
        let Some((declaring, flags)) = resolved else { return };
        let class = self.body.class;
        if flags & access::PRIVATE != 0 && declaring != class.name {
            self.recorder.add(FactKind::PrivateAccess { owner: declaring });
        } else if flags & access::PROTECTED != 0 && package(&declaring) != package(&class.name) {
            let receiver = match receiver {
                Some(Type::Object(name)) if name.as_bytes().first() == Some(&b'[') => return,
                Some(Type::Object(name)) => name.clone(),
                Some(Type::Null) => return,
                _ => class.name.clone(),
            };
            self.recorder.add(FactKind::ProtectedAccess { receiver, declaring });
        }
    }

    fn lambda(&mut self, lambda: &Lambda<'_>) {
        self.recorder.add(FactKind::Implements {
            interface: lambda.interface.clone(),
            name: lambda.name.clone(),
            descriptor: lambda.erased.clone(),
        });
        for need in lambda.needs() {
            self.recorder.link(need.from.as_bytes(), need.to.as_bytes(), Some(need.strict));
        }
    }
}

/// Returns whether an instruction requires anything of the classes of its operands, or transfers
/// them elsewhere. Most do neither.
fn relies_on_operands(instruction: &Instruction) -> bool {
    let uses = matches!(
        instruction,
        Instruction::Field(..)
            | Instruction::Invoke(..)
            | Instruction::InvokeDynamic(_)
            | Instruction::ArrayStore(ArrayKind::Reference)
            | Instruction::CheckCast(_)
            | Instruction::InstanceOf(_)
            | Instruction::Return(Some(Kind::Reference))
            | Instruction::AThrow
    );
    uses || instruction.targets().next().is_some()
}

/// The value `depth` entries below the top of the stack.
fn operand(state: &State, depth: usize) -> Option<&Type> {
    state.stack.iter().rev().nth(depth)
}

/// Turns the events of the walk into facts at the current position.
struct Recorder<'a, 'h> {
    relation: Relation<'h>,
    collector: Collector<'a>,
    at: Position,
}

impl<'a, 'h> Recorder<'a, 'h> {
    fn new(hierarchy: &'h Hierarchy, collector: Collector<'a>) -> Self {
        Recorder { relation: Relation::new(hierarchy), collector, at: 0 }
    }

    fn add(&mut self, kind: FactKind) {
        self.collector.add(self.at, kind);
    }

    fn class(&mut self, from: &Text, to: &[u8]) {
        self.link(from.as_bytes(), to, None);
    }

    /// Records that one class must be a subtype of the other, unless that always holds. If `strict`
    /// is not given, it follows from whether the other class is an interface.
    fn link(&mut self, from: &[u8], to: &[u8], strict: Option<bool>) {
        if let Some(Link { from, to, interface }) = self.relation.link(from, to) {
            self.add(FactKind::Assignable { from, to, strict: strict.unwrap_or(!interface) });
        }
    }

    fn state(&mut self, state: &State, declared: &State) {
        self.new_pairs(state, declared, &mut BTreeSet::new());
    }

    /// Records the facts of a flow into a frame, without the pairs that were seen before.
    fn new_pairs(&mut self, state: &State, declared: &State, seen: &mut BTreeSet<(Text, Text)>) {
        let locals = declared.locals.iter().enumerate().map(|(slot, to)| (state.local(slot), to));
        for pair in state.stack.iter().zip(&declared.stack).chain(locals) {
            if let (Type::Object(from), Type::Object(to)) = pair
                && from != to
                && seen.insert((from.clone(), to.clone()))
                && let Some(Link { from, to, interface }) = self.relation.link(from.as_bytes(), to.as_bytes())
            {
                self.collector.add_flow(self.at, FactKind::Assignable { from, to, strict: !interface });
            }
        }
    }
}

impl Observer for Recorder<'_, '_> {
    fn assign(&mut self, from: &Text, to: &[u8]) -> Result<(), Trouble> {
        self.class(from, to);
        Ok(())
    }

    fn inherit(&mut self, from: &Text, to: &[u8]) -> Result<(), Trouble> {
        self.link(from.as_bytes(), to, Some(true));
        Ok(())
    }

    fn store_element(&mut self, value: &Text, element: &[u8]) {
        self.link(value.as_bytes(), element, Some(false));
    }

    fn cast(&mut self, from: &Text, to: &Text) {
        if let Some((from, to)) = element_pair(from, to) {
            self.add(FactKind::Cast { from, to });
        }
    }
}

/// The classes that a cast depends on. For arrays these are the classes of their elements. A cast
/// between an array and a class that is not an array depends on nothing.
fn element_pair(from: &Text, to: &Text) -> Option<(Text, Text)> {
    let (mut from, mut to) = (from.as_bytes(), to.as_bytes());
    while let (Some(left), Some(right)) = (component(from), component(to)) {
        (from, to) = (reference(left)?, reference(right)?);
    }
    let plain = component(from).is_none() && component(to).is_none() && from != to;
    plain.then(|| (Text::from_bytes(from), Text::from_bytes(to)))
}
