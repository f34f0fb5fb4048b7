//! Points-to: a forward data-flow analysis of one method that finds where values come from (thesis
//! §6.2.3).
//!
//! Every local and operand has the set of places that may have created it. A call, a `new` or a
//! read is the source of its result; the result of arithmetic has no source worth tracking.

use crate::literal::Number;
use lapidary_classfile::{Code, Constant, Conversion, FieldOp, Instruction, InvokeOp, Method, Position, StackOp, Text};
use lapidary_jvm::MethodType;
use lapidary_jvm::typing::{Type, Typing};
use std::collections::BTreeSet;
use std::rc::Rc;

/// An origin of a value in a method body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Null,
    Number(Number),
    Text(Text),
    /// A class constant.
    Class(Text),
    This,
    /// A parameter, by index in the descriptor.
    Parameter(usize),
    /// The value created by the instruction at this position.
    Site(Position),
    /// The exception caught by the handler at this position.
    Caught(Position),
    /// A computed value, or one with too many sources.
    Unknown,
}

/// All origins that a value may have.
pub type Sources = BTreeSet<Source>;

/// The limit on sources; a value with more counts as unknown.
const MOST_SOURCES: usize = 8;

/// The sources of locals and operands before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    locals: Vec<Rc<Sources>>,
    /// The operand stack with the top last; a long or double is one entry.
    pub stack: Vec<Rc<Sources>>,
}

impl Frame {
    /// The operand `depth` entries below the top.
    pub fn operand(&self, depth: usize) -> Sources {
        let unknown = || BTreeSet::from([Source::Unknown]);
        self.stack.iter().rev().nth(depth).map_or_else(unknown, |sources| (**sources).clone())
    }

    fn entry(method: &Method, type_: &MethodType, slots: usize) -> Frame {
        let mut locals = vec![one(Source::Unknown); slots];
        let mut put = |slot: usize, source: Source| {
            if let Some(local) = locals.get_mut(slot) {
                *local = one(source);
            }
        };
        let mut slot = 0;
        if !method.is_static() {
            put(0, Source::This);
            slot = 1;
        }
        for (place, parameter) in type_.parameters.iter().enumerate() {
            put(slot, Source::Parameter(place));
            slot += parameter.slots();
        }
        Frame { locals, stack: Vec::new() }
    }

    fn pop(&mut self) -> Rc<Sources> {
        self.stack.pop().unwrap_or_else(|| one(Source::Unknown))
    }

    fn pop_many(&mut self, count: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(count));
    }

    fn push(&mut self, source: Source) {
        self.stack.push(one(source));
    }

    fn set(&mut self, slot: u16, sources: Rc<Sources>) {
        if let Some(local) = self.locals.get_mut(usize::from(slot)) {
            *local = sources;
        }
    }

    /// Merges the sources of another frame. Returns whether that changed anything.
    fn merge(&mut self, other: &Frame) -> bool {
        let pairs = self.locals.iter_mut().zip(&other.locals).chain(self.stack.iter_mut().zip(&other.stack));
        pairs.fold(false, |changed, (mine, theirs)| merge_sources(mine, theirs) | changed)
    }
}

fn one(source: Source) -> Rc<Sources> {
    Rc::new(BTreeSet::from([source]))
}

fn merge_sources(mine: &mut Rc<Sources>, theirs: &Rc<Sources>) -> bool {
    if Rc::ptr_eq(mine, theirs) || theirs.is_subset(mine) || mine.contains(&Source::Unknown) {
        return false;
    }
    let union: Sources = mine.union(theirs).cloned().collect();
    let is_vague = union.len() > MOST_SOURCES || union.contains(&Source::Unknown);
    *mine = if is_vague { one(Source::Unknown) } else { Rc::new(union) };
    true
}

/// The frame before every reachable instruction.
pub fn points_to(method: &Method, type_: &MethodType, code: &Code, typing: &Typing) -> Vec<Option<Frame>> {
    let mut frames: Vec<Option<Frame>> = vec![None; code.instructions.len()];
    let slots = usize::from(code.max_locals);
    let mut work = BTreeSet::new();
    arrive(&mut frames, &mut work, 0, &Frame::entry(method, type_, slots));
    while let Some(position) = work.pop_first() {
        let Some(before) = frames[position].clone() else { continue };
        for handler in &code.handlers {
            if (handler.start..handler.end).contains(&(position as Position)) {
                let caught = Frame { locals: before.locals.clone(), stack: vec![one(Source::Caught(handler.target))] };
                arrive(&mut frames, &mut work, handler.target as usize, &caught);
            }
        }
        let instruction = &code.instructions[position];
        let mut after = before;
        step(instruction, position as Position, &mut after, &wide(typing, position));
        for target in instruction.targets() {
            arrive(&mut frames, &mut work, target as usize, &after);
        }
        if instruction.falls_through() {
            arrive(&mut frames, &mut work, position + 1, &after);
        }
    }
    frames
}

fn arrive(frames: &mut [Option<Frame>], work: &mut BTreeSet<usize>, position: usize, frame: &Frame) {
    let Some(present) = frames.get_mut(position) else { return };
    let has_changed = match present {
        Some(present) => present.merge(frame),
        None => {
            *present = Some(frame.clone());
            true
        }
    };
    if has_changed {
        work.insert(position);
    }
}

/// Whether each operand is a long or double.
fn wide(typing: &Typing, position: usize) -> Vec<bool> {
    let stack = typing.before(position as Position).map_or(&[][..], |state| &state.stack[..]);
    stack.iter().map(Type::is_wide).collect()
}

fn step(instruction: &Instruction, position: Position, frame: &mut Frame, wide: &[bool]) {
    match instruction {
        Instruction::Load(_, local) => {
            let sources = frame.locals.get(usize::from(local.index)).cloned();
            frame.stack.push(sources.unwrap_or_else(|| one(Source::Unknown)));
        }
        Instruction::Store(_, local) => {
            let sources = frame.pop();
            frame.set(local.index, sources);
        }
        Instruction::Increment(local, _) => frame.set(local.index, one(Source::Unknown)),
        Instruction::Stack(op) => rearrange(*op, frame, wide),
        Instruction::CheckCast(_)
        | Instruction::Convert(Conversion::IntToLong | Conversion::IntToDouble | Conversion::FloatToDouble) => {}
        _ => match constant(instruction) {
            Some(source) => frame.push(source),
            None => {
                let (taken, made) = effect(instruction, position);
                frame.pop_many(taken);
                made.into_iter().for_each(|source| frame.push(source));
            }
        },
    }
}

/// The constant that an instruction pushes, if it does nothing else.
fn constant(instruction: &Instruction) -> Option<Source> {
    Some(match instruction {
        Instruction::AConstNull => Source::Null,
        Instruction::IConst(value) | Instruction::BiPush(value) => Source::Number(Number::Int((*value).into())),
        Instruction::SiPush(value) => Source::Number(Number::Int((*value).into())),
        Instruction::LConst(value) => Source::Number(Number::Long((*value).into())),
        Instruction::FConst(value) => Source::Number(Number::Float(f32::from(*value).to_bits())),
        Instruction::DConst(value) => Source::Number(Number::Double(f64::from(*value).to_bits())),
        Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => match constant {
            Constant::Int(value) => Source::Number(Number::Int(*value)),
            Constant::Long(value) => Source::Number(Number::Long(*value)),
            Constant::Float(bits) => Source::Number(Number::Float(*bits)),
            Constant::Double(bits) => Source::Number(Number::Double(*bits)),
            Constant::String(text) => Source::Text(text.clone()),
            Constant::Class(name) => Source::Class(name.clone()),
            _ => Source::Unknown,
        },
        _ => return None,
    })
}

/// The number of operands that an instruction pops, and the source of its result.
fn effect(instruction: &Instruction, position: Position) -> (usize, Option<Source>) {
    let (computed, site) = (Some(Source::Unknown), Some(Source::Site(position)));
    match instruction {
        Instruction::ArrayLoad(_) => (2, site),
        Instruction::ArrayStore(_) => (3, None),
        Instruction::Arithmetic(..) | Instruction::Shift(..) | Instruction::Logic(..) | Instruction::Compare(_) => {
            (2, computed)
        }
        Instruction::Negate(_) | Instruction::Convert(_) | Instruction::ArrayLength | Instruction::InstanceOf(_) => {
            (1, computed)
        }
        Instruction::If(condition, _) => (condition.operands(), None),
        Instruction::TableSwitch(_) | Instruction::LookupSwitch(_) | Instruction::AThrow => (1, None),
        Instruction::MonitorEnter | Instruction::MonitorExit => (1, None),
        Instruction::Return(kind) => (usize::from(kind.is_some()), None),
        Instruction::Field(FieldOp::GetStatic, _) => (0, site),
        Instruction::Field(FieldOp::GetField, _) => (1, site),
        Instruction::Field(FieldOp::PutStatic, _) => (1, None),
        Instruction::Field(FieldOp::PutField, _) => (2, None),
        Instruction::Invoke(op, member) => {
            let (parameters, has_result) = shape(&member.descriptor);
            (parameters + usize::from(*op != InvokeOp::Static), site.filter(|_| has_result))
        }
        Instruction::InvokeDynamic(dynamic) => {
            let (parameters, has_result) = shape(&dynamic.descriptor);
            (parameters, site.filter(|_| has_result))
        }
        Instruction::New(_) => (0, site),
        Instruction::NewArray(_) | Instruction::ANewArray(_) => (1, site),
        Instruction::MultiANewArray(_, dimensions) => (usize::from(*dimensions), site),
        _ => (0, None),
    }
}

fn shape(descriptor: &Text) -> (usize, bool) {
    MethodType::parse(descriptor.as_bytes())
        .map_or((0, false), |type_| (type_.parameters.len(), type_.result.is_some()))
}

/// Applies `dup` and its variants: copies slots to below others.
fn rearrange(op: StackOp, frame: &mut Frame, wide: &[bool]) {
    let entries = |from_top: usize, slots: usize| {
        let mut left = slots as isize;
        let mut count = 0;
        for is_wide in wide.iter().rev().skip(from_top) {
            if left <= 0 {
                break;
            }
            left -= if *is_wide { 2 } else { 1 };
            count += 1;
        }
        count
    };
    let (copied, under) = match op {
        StackOp::Pop => return frame.pop_many(1),
        StackOp::Pop2 => return frame.pop_many(entries(0, 2)),
        StackOp::Swap => {
            let (top, below) = (frame.pop(), frame.pop());
            return frame.stack.extend([top, below]);
        }
        StackOp::Dup => (1, 0),
        StackOp::DupX1 => (1, 1),
        StackOp::DupX2 => (1, 2),
        StackOp::Dup2 => (2, 0),
        StackOp::Dup2X1 => (2, 1),
        StackOp::Dup2X2 => (2, 2),
    };
    let copied = entries(0, copied);
    let under = if under == 0 { 0 } else { entries(copied, under) };
    let length = frame.stack.len();
    if copied + under > length {
        return;
    }
    let top: Vec<Rc<Sources>> = frame.stack[length - copied..].to_vec();
    let place = length - copied - under;
    frame.stack.splice(place..place, top);
}
