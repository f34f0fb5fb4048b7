//! The local variables of a method that loses parameters: later variables move down, and a removed
//! parameter that is still used becomes a variable initialised to zero or null.

use crate::stub::{slots, zero};
use lapidary_classfile::{Attribute, Code, Frame, Instruction, Kind, Local, LocalVariable, TypeAnnotation};
use lapidary_jvm::typing::{Edits, State, Type};
use std::sync::Arc;

/// The parameters of a method as its code sees them.
pub(super) struct Layout<'a> {
    /// 1 if there is a receiver, otherwise 0.
    pub first: u16,
    pub kinds: &'a [Kind],
}

impl Layout<'_> {
    fn end(&self) -> u16 {
        self.kinds.iter().fold(self.first, |end, kind| end.saturating_add(slots(*kind)))
    }

    fn start(&self, place: usize) -> u16 {
        Layout { first: self.first, kinds: &self.kinds[..place] }.end()
    }

    /// Returns whether no long or double crosses the boundary of a parameter. It may where a
    /// compiler reuses the slots of parameters for other variables.
    pub fn is_respected_by(&self, code: &Code) -> bool {
        let starts: Vec<(u16, Kind)> =
            self.kinds.iter().enumerate().map(|(place, kind)| (self.start(place), *kind)).collect();
        code.instructions.iter().all(|instruction| match instruction {
            Instruction::Load(kind, local) | Instruction::Store(kind, local) if slots(*kind) == 2 => {
                let fits = |(start, kind): &(u16, Kind)| *start == local.index && slots(*kind) == 2;
                local.index >= self.end() || starts.iter().any(fits)
            }
            _ => true,
        })
    }
}

/// Removes parameters from code. `None` if the code would need more variables than the format
/// allows.
pub(super) fn remove(code: &mut Code, layout: &Layout<'_>, gone: &[usize]) -> Option<()> {
    let moves = Moves::of(code, layout, gone)?;
    for instruction in &mut code.instructions {
        if let Some(local) = local_mut(instruction) {
            *local = Local::new(moves.target(local.index)?);
        }
    }
    code.attributes.iter_mut().for_each(|attribute| moves.attribute(attribute));
    set_at_start(code, &moves.initial)
}

/// The new place of each slot.
struct Moves {
    /// The new slot for each slot of a parameter; `None` for a removed parameter that is not used.
    parameters: Vec<Option<u16>>,
    /// The distance by which the other variables move.
    shift: u16,
    /// The instructions that initialise removed parameters that are still read.
    initial: Vec<Instruction>,
}

impl Moves {
    fn of(code: &Code, layout: &Layout<'_>, gone: &[usize]) -> Option<Moves> {
        let mut moves = Moves { parameters: Vec::new(), shift: 0, initial: Vec::new() };
        moves.parameters = (0..layout.first).map(Some).collect();
        for (place, kind) in layout.kinds.iter().enumerate() {
            let is_gone = gone.contains(&place);
            for _ in 0..slots(*kind) {
                let slot = moves.parameters.len() as u16;
                moves.parameters.push((!is_gone).then(|| slot - moves.shift));
            }
            moves.shift += if is_gone { slots(*kind) } else { 0 };
        }
        moves.add_variables(code, layout, gone)?;
        Some(moves)
    }

    /// Assigns slots behind all other variables to removed parameters that are still used.
    fn add_variables(&mut self, code: &Code, layout: &Layout<'_>, gone: &[usize]) -> Option<()> {
        let mut next = code.max_locals.max(layout.end()) - self.shift;
        for place in gone {
            let (start, kind) = (layout.start(*place), *layout.kinds.get(*place)?);
            let own = start..start + slots(kind);
            let mut uses = code
                .instructions
                .iter()
                .filter(|instruction| local(instruction).is_some_and(|local| own.contains(&local.index)));
            let is_read = |instruction: &Instruction| !matches!(instruction, Instruction::Store(..));
            let read = uses.clone().any(is_read);
            if uses.next().is_none() {
                continue;
            }
            for slot in own {
                self.parameters[usize::from(slot)] = Some(next + (slot - start));
            }
            if read {
                self.initial.extend([zero(kind), Instruction::Store(kind, Local::new(next))]);
            }
            next = next.checked_add(slots(kind))?;
        }
        Some(())
    }

    fn target(&self, slot: u16) -> Option<u16> {
        self.parameters.get(usize::from(slot)).copied().unwrap_or_else(|| Some(slot - self.shift))
    }

    fn attribute(&self, attribute: &mut Attribute) {
        match attribute {
            Attribute::StackMapTable(frames) => frames.iter_mut().for_each(|frame| *frame = self.frame(frame)),
            Attribute::LocalVariableTable(table) | Attribute::LocalVariableTypeTable(table) => {
                table.retain_mut(|variable| self.variable(variable));
            }
            Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
                list.retain_mut(|annotation| self.annotation(annotation));
            }
            _ => {}
        }
    }

    /// Moves a frame. It only guides the construction of a new one, so it need not be right about
    /// moved parameters.
    fn frame(&self, frame: &Frame) -> Frame {
        let declared = State::declared(frame);
        let mut state = State { locals: Arc::new(Vec::new()), stack: declared.stack.clone() };
        for (slot, type_) in declared.locals.iter().enumerate().filter(|(_, type_)| **type_ != Type::Top) {
            if let Some(target) = self.target(slot as u16) {
                state.set_local(target.into(), type_.clone());
            }
        }
        state.to_frame(frame.position)
    }

    fn variable(&self, variable: &mut LocalVariable) -> bool {
        let target = self.target(variable.index);
        target.into_iter().for_each(|target| variable.index = target);
        target.is_some()
    }

    fn annotation(&self, annotation: &mut TypeAnnotation) -> bool {
        let Some(ranges) = annotation.target.ranges_mut() else { return true };
        ranges.retain_mut(|range| {
            let target = self.target(range.index);
            target.into_iter().for_each(|target| range.index = target);
            target.is_some()
        });
        !ranges.is_empty()
    }
}

/// Inserts instructions at the start. A loop that begins with the method does not run them again.
fn set_at_start(code: &mut Code, initial: &[Instruction]) -> Option<()> {
    if initial.is_empty() {
        return Some(());
    }
    let mut edits = Edits::new();
    edits.replace(0..0, initial.to_vec()).ok()?;
    edits.apply(code).ok()?;
    let start = initial.len() as u32;
    for instruction in &mut code.instructions {
        instruction.map_targets(|target| if target == 0 { start } else { target });
    }
    Some(())
}

fn local(instruction: &Instruction) -> Option<&Local> {
    match instruction {
        Instruction::Load(_, local)
        | Instruction::Store(_, local)
        | Instruction::Increment(local, _)
        | Instruction::Ret(local) => Some(local),
        _ => None,
    }
}

fn local_mut(instruction: &mut Instruction) -> Option<&mut Local> {
    match instruction {
        Instruction::Load(_, local)
        | Instruction::Store(_, local)
        | Instruction::Increment(local, _)
        | Instruction::Ret(local) => Some(local),
        _ => None,
    }
}
