//! The positions at which the arguments of a call are complete, so that one can be dropped
//! immediately.

use crate::stub::{parameter_kinds, result_kind, slots};
use lapidary_classfile::{
    ArrayKind, Code, Comparison, FieldOp, Instruction, IntegerKind, InvokeOp, Kind, MemberRef, NumberKind, Position,
    StackOp, Text,
};
use lapidary_jvm::typing::Typing;
use std::ops::Range;

/// A body whose calls are examined.
pub(super) struct Calls<'a> {
    code: &'a Code,
    /// The number of operand slots before each instruction; `None` where the code is unreachable.
    heights: Vec<Option<usize>>,
    /// The sources and targets of jumps.
    jumps: Vec<(Position, Position)>,
}

impl<'a> Calls<'a> {
    pub fn of(code: &'a Code, typing: &Typing) -> Self {
        let heights = typing.frames.iter().map(|state| Some(state.as_ref()?.stack_slots())).collect();
        let instructions = code.instructions.iter().enumerate();
        let jumps =
            instructions.flat_map(|(from, instruction)| instruction.targets().map(move |to| (from as Position, to)));
        Calls { code, heights, jumps: jumps.collect() }
    }

    /// Returns whether the call is reachable.
    pub fn is_reached(&self, call: Position) -> bool {
        self.height(call).is_some()
    }

    /// For each argument of a call, the last position before which it is on top of the stack and
    /// after which only the call touches it. `None` if there is no such position, or if several
    /// paths lead past it.
    pub fn ends(&self, call: Position, member: &MemberRef) -> Vec<Option<Position>> {
        let kinds = parameter_kinds(&member.descriptor);
        let above = |place: usize| kinds[place + 1..].iter().map(|kind| usize::from(slots(*kind))).sum::<usize>();
        (0..kinds.len()).map(|place| self.end(call, self.height(call)?.checked_sub(above(place))?)).collect()
    }

    fn height(&self, position: Position) -> Option<usize> {
        self.heights.get(position as usize).copied().flatten()
    }

    /// The last position at or before the call that has exactly this stack height and from which
    /// all paths lead to the call, provided that nothing on them touches the operands below that
    /// height.
    fn end(&self, call: Position, height: usize) -> Option<Position> {
        let untouched = |at: &Position| {
            let reach = if *at == call { 0 } else { reach(&self.code.instructions[*at as usize]) };
            self.height(*at).is_some_and(|there| there >= height + reach)
        };
        let mut candidates = (0..=call).rev().take_while(untouched).filter(|at| self.height(*at) == Some(height));
        candidates.find(|start| self.is_closed(&(*start..call)))
    }

    /// Returns whether control reaches the call only from the start of the region, and leaves the
    /// region only for the call or by leaving the method.
    fn is_closed(&self, region: &Range<Position>) -> bool {
        let after_start = |position: Position| region.start < position && position <= region.end;
        let handled = self.code.handlers.iter().any(|handler| after_start(handler.target));
        let crosses = |(from, to): &(Position, Position)| region.contains(from) != after_start(*to);
        !handled && !self.jumps.iter().any(crosses)
    }
}

/// The number of operand slots that an instruction accesses, from the top of the stack.
fn reach(instruction: &Instruction) -> usize {
    use Instruction as I;
    match instruction {
        I::Store(kind, _) => width(*kind),
        I::ArrayLoad(_) => 2,
        I::ArrayStore(ArrayKind::Long | ArrayKind::Double) => 4,
        I::ArrayStore(_) => 3,
        I::Stack(op) => stack_reach(*op),
        I::Arithmetic(_, kind) => 2 * number(*kind),
        I::Negate(kind) => number(*kind),
        I::Shift(_, kind) => 1 + integer(*kind),
        I::Logic(_, kind) => 2 * integer(*kind),
        I::Convert(conversion) => number(conversion.from()),
        I::Compare(Comparison::FloatLess | Comparison::FloatGreater) => 2,
        I::Compare(_) => 4,
        I::If(condition, _) => condition.operands(),
        I::TableSwitch(_) | I::LookupSwitch(_) => 1,
        I::Return(kind) => kind.map_or(0, width),
        I::Field(op, member) => field_reach(*op, member),
        I::Invoke(op, member) => usize::from(*op != InvokeOp::Static) + arguments(&member.descriptor),
        I::InvokeDynamic(site) => arguments(&site.descriptor),
        I::NewArray(_) | I::ANewArray(_) | I::ArrayLength | I::AThrow => 1,
        I::CheckCast(_) | I::InstanceOf(_) | I::MonitorEnter | I::MonitorExit => 1,
        I::MultiANewArray(_, dimensions) => usize::from(*dimensions),
        _ => 0,
    }
}

fn stack_reach(op: StackOp) -> usize {
    match op {
        StackOp::Pop | StackOp::Dup => 1,
        StackOp::Pop2 | StackOp::DupX1 | StackOp::Dup2 | StackOp::Swap => 2,
        StackOp::DupX2 | StackOp::Dup2X1 => 3,
        StackOp::Dup2X2 => 4,
    }
}

fn field_reach(op: FieldOp, member: &MemberRef) -> usize {
    let value = if op.is_put() { result_kind(&member.descriptor).map_or(0, width) } else { 0 };
    value + usize::from(!op.is_static())
}

fn arguments(descriptor: &Text) -> usize {
    parameter_kinds(descriptor).into_iter().map(width).sum()
}

fn width(kind: Kind) -> usize {
    slots(kind).into()
}

fn number(kind: NumberKind) -> usize {
    if matches!(kind, NumberKind::Long | NumberKind::Double) { 2 } else { 1 }
}

fn integer(kind: IntegerKind) -> usize {
    if kind == IntegerKind::Long { 2 } else { 1 }
}
