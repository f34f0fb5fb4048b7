//! Disguises that move code: statements that change places, and calls that become the called code.

use super::disguise::codes;
use lapidary_classfile::{Arithmetic, Class, Code, Instruction, InvokeOp, Kind, Local, Position, access};
use lapidary_jvm::MethodType;
use std::collections::{BTreeMap, BTreeSet};

/// Swaps neighbouring assignments to local variables that have nothing to do with each other.
pub fn reorder(class: &mut Class) {
    for code in codes(class) {
        let targets = targets(code);
        let mut at = 0;
        while at < code.instructions.len() {
            match neighbours(code, at, &targets) {
                Some((middle, end)) => {
                    code.instructions[at..end].rotate_left(middle - at);
                    at = end;
                }
                None => at += 1,
            }
        }
    }
}

/// The positions where control or a handler arrives from elsewhere.
fn targets(code: &mut Code) -> BTreeSet<Position> {
    let mut targets: BTreeSet<Position> =
        code.handlers.iter().flat_map(|handler| [handler.start, handler.end, handler.target]).collect();
    for instruction in &mut code.instructions {
        instruction.map_targets(|target| {
            targets.insert(target);
            target
        });
    }
    targets.extend(code.frames().iter().map(|frame| frame.position));
    targets
}

/// Two assignments in a row, the first from `start` on, that can be swapped: where the second begins
/// and where it ends.
fn neighbours(code: &Code, start: usize, targets: &BTreeSet<Position>) -> Option<(usize, usize)> {
    let first = assignment(code, start)?;
    let second = assignment(code, first.end)?;
    let touches = |one: &Assignment, other: &Assignment| one.slots().any(|slot| other.reads.contains(&slot));
    let is_apart = !touches(&first, &second) && !touches(&second, &first);
    let writes_apart = first.slots().all(|slot| second.slots().all(|other| other != slot));
    let is_entered = targets.range(start as Position + 1..second.end as Position).next().is_some();
    (is_apart && writes_apart && !is_entered).then_some((first.end, second.end))
}

/// `local = expression`, whose expression cannot fail and reads only local variables.
struct Assignment {
    reads: BTreeSet<u16>,
    kind: Kind,
    local: Local,
    end: usize,
}

impl Assignment {
    fn slots(&self) -> impl Iterator<Item = u16> {
        let slots = if matches!(self.kind, Kind::Long | Kind::Double) { 2 } else { 1 };
        self.local.index..self.local.index + slots
    }
}

fn assignment(code: &Code, start: usize) -> Option<Assignment> {
    let (mut reads, mut depth) = (BTreeSet::new(), 0_usize);
    for (at, instruction) in code.instructions.iter().enumerate().skip(start) {
        // Values are counted, not slots.
        let (takes, leaves) = match instruction {
            Instruction::Load(kind, local) => {
                reads.insert(local.index);
                reads.extend(matches!(kind, Kind::Long | Kind::Double).then(|| local.index + 1));
                (0, 1)
            }
            Instruction::IConst(_)
            | Instruction::LConst(_)
            | Instruction::FConst(_)
            | Instruction::DConst(_)
            | Instruction::BiPush(_)
            | Instruction::SiPush(_)
            | Instruction::AConstNull => (0, 1),
            Instruction::Arithmetic(Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul, _)
            | Instruction::Shift(..)
            | Instruction::Logic(..)
            | Instruction::Compare(_) => (2, 1),
            Instruction::Negate(_) | Instruction::Convert(_) => (1, 1),
            Instruction::Store(kind, local) if depth == 1 => {
                return Some(Assignment { reads, kind: *kind, local: *local, end: at + 1 });
            }
            _ => return None,
        };
        depth = depth.checked_sub(takes)? + leaves;
    }
    None
}

/// Puts the code of short static methods of the same class in the place of calls.
pub fn inline(class: &mut Class) {
    let owner = class.name.clone();
    let short: BTreeMap<(String, String), (Code, Vec<Kind>)> = class
        .methods
        .iter()
        .filter(|method| method.access & access::STATIC != 0 && method.access & access::SYNCHRONIZED == 0)
        .filter_map(|method| {
            let kinds = MethodType::parse(method.descriptor.as_bytes()).ok()?;
            let kinds = kinds.parameters.iter().map(super::disguise::kind_of).collect();
            let code = method.code().filter(|code| is_straight(code))?.clone();
            Some(((method.name.to_string(), method.descriptor.to_string()), (code, kinds)))
        })
        .collect();
    for code in codes(class) {
        let first = code.max_locals;
        let (mut locals, mut stack) = (code.max_locals, code.max_stack);
        super::disguise::replace(code, |instruction| {
            let Instruction::Invoke(InvokeOp::Static, called) = instruction else { return None };
            let key = (called.name.to_string(), called.descriptor.to_string());
            let (body, parameters) = short.get(&key).filter(|_| called.owner == owner)?;
            locals = locals.max(first.checked_add(body.max_locals)?);
            stack = stack.checked_add(body.max_stack)?;
            Some(inlined(body, parameters, first))
        });
        (code.max_locals, code.max_stack) = (locals, stack);
    }
}

/// Whether the code runs from its first instruction to a return at its end.
fn is_straight(code: &Code) -> bool {
    const SHORT: usize = 30;
    let is_plain = |instruction: &Instruction| {
        let mut jumps = false;
        instruction.clone().map_targets(|target| {
            jumps = true;
            target
        });
        !jumps && !matches!(instruction, Instruction::Return(_) | Instruction::AThrow | Instruction::Ret(_))
    };
    let Some((Instruction::Return(_), rest)) = code.instructions.split_last() else { return false };
    rest.len() <= SHORT && code.handlers.is_empty() && rest.iter().all(is_plain)
}

/// The code of a method with its variables from `first` on, behind instructions that store the
/// arguments there.
fn inlined(body: &Code, parameters: &[Kind], first: u16) -> Vec<Instruction> {
    let moved = |local: Local| Local::new(first + local.index);
    let mut slots = Vec::new();
    let mut next = 0;
    for kind in parameters {
        slots.push((*kind, Local::new(next)));
        next += if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 };
    }
    let stored = slots.into_iter().rev().map(|(kind, local)| Instruction::Store(kind, moved(local)));
    let (_, rest) = body.instructions.split_last().expect("there is a return");
    let rest = rest.iter().map(|instruction| match instruction {
        Instruction::Load(kind, local) => Instruction::Load(*kind, moved(*local)),
        Instruction::Store(kind, local) => Instruction::Store(*kind, moved(*local)),
        Instruction::Increment(local, by) => Instruction::Increment(moved(*local), *by),
        other => other.clone(),
    });
    stored.chain(rest).collect()
}
