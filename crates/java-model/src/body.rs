//! What a candidate leaves of a method's code.

use crate::peephole;
use crate::statements::{Change, Statements};
use crate::stub::{self, FirstCall};
use crate::trim::Kept;
use crate::vocabulary::MethodVars;
use lapidary_classfile::{Class, Code, Instruction, Method, Position};
use lapidary_jvm::typing::{self, EditError, Edits};

/// The body as the candidate has it; none if there was none.
pub(crate) fn trimmed(kept: &Kept<'_>, class: usize, method: usize) -> Option<Code> {
    let owner = kept.program.class(class);
    let declaration = &owner.methods[method];
    let vars = &kept.vocabulary.classes[class].methods[method];
    let code = declaration.code()?;
    if vars.code.is_some_and(|code| !kept.has(code)) {
        return Some(stubbed(kept, class, method));
    }
    let changes = Changes { kept, vars, above: super_calls(kept, class, method) };
    if changes.none() {
        return Some(code.clone());
    }
    // The clauses rule out all but a few edits that the machine would not accept; those leave the smallest body.
    Some(changes.apply(class, declaration).unwrap_or_else(|| stubbed(kept, class, method)))
}

/// The smallest body.
fn stubbed(kept: &Kept<'_>, class: usize, method: usize) -> Code {
    let owner = kept.program.class(class);
    let declaration = &owner.methods[method];
    let calls = kept.first_calls.get(&(class, method));
    match calls.and_then(|calls| calls.first.as_ref()).filter(|_| declaration.name == "<init>") {
        Some(FirstCall::Constructor(member)) if superclass_is_gone(kept, class) && member.owner != owner.name => {
            stub::constructor(declaration, &FirstCall::Object)
        }
        Some(first) => stub::constructor(declaration, first),
        None => stub::returning(declaration),
    }
}

fn superclass_is_gone(kept: &Kept<'_>, class: usize) -> bool {
    kept.vocabulary.classes[class].extends.is_some_and(|extends| !kept.has(extends))
}

/// Calls of superclass constructors, where there is no such superclass any more.
fn super_calls(kept: &Kept<'_>, class: usize, method: usize) -> Vec<(Position, Vec<Instruction>)> {
    let calls = kept.first_calls.get(&(class, method)).filter(|_| superclass_is_gone(kept, class));
    let above = calls.map(|calls| calls.above.as_slice()).unwrap_or_default();
    above.iter().map(|(position, member)| (*position, stub::object_instead_of(member))).collect()
}

/// What is to be done to a body.
struct Changes<'a> {
    kept: &'a Kept<'a>,
    vars: &'a MethodVars,
    above: Vec<(Position, Vec<Instruction>)>,
}

impl Changes<'_> {
    fn none(&self) -> bool {
        self.above.is_empty() && self.vars.pieces.iter().all(|piece| self.kept.has(*piece))
    }

    fn apply(&self, class: usize, declaration: &Method) -> Option<Code> {
        let mut method = declaration.clone();
        let code = method.code_mut()?;
        let mut edits = Edits::new();
        for (position, instead) in &self.above {
            edits.replace(*position..*position + 1, instead.clone()).ok()?;
        }
        if let Some(statements) = &self.vars.statements {
            self.pieces(statements, code, &mut edits).ok()?;
        }
        edits.apply(code).ok()?;
        peephole::tidy(code);
        typing::repair(&self.owner(class), &mut method, self.kept.hierarchy).ok()?;
        method.code().cloned()
    }

    /// The class as far as types depend on it: a constructor may call those of the superclass that is left.
    fn owner(&self, class: usize) -> Class {
        let owner = self.kept.program.class(class);
        let superclass = match superclass_is_gone(self.kept, class) {
            true => Some("java/lang/Object".into()),
            false => owner.superclass.clone(),
        };
        Class::new(owner.version, owner.name.clone(), superclass)
    }

    /// Outer pieces first; what is inside one that goes is gone with it.
    fn pieces(&self, statements: &Statements, code: &mut Code, edits: &mut Edits) -> Result<(), EditError> {
        let mut gone = vec![false; statements.pieces.len()];
        let mut handlers = Vec::new();
        for (index, piece) in statements.pieces.iter().enumerate() {
            gone[index] = piece.parent.is_some_and(|parent| gone[parent]);
            if gone[index] || self.kept.has(self.vars.pieces[index]) {
                continue;
            }
            match &piece.change {
                Change::Run(instead) => {
                    gone[index] = true;
                    edits.replace(piece.range.clone(), instead.clone())?;
                }
                Change::Branch { target } => {
                    gone[index] = true;
                    let jumps = !self.falls_through(statements, index);
                    let instead = jumps.then_some(Instruction::Goto(*target)).into_iter().collect();
                    edits.replace(piece.range.clone(), instead)?;
                }
                Change::Value(instead) => edits.replace(piece.range.clone(), instead.clone())?,
                Change::Creation { call, instead } => {
                    edits.remove(piece.range.start..piece.range.start + 2)?;
                    edits.replace(*call..*call + 1, instead.clone())?;
                }
                Change::Case(case) => drop_case(&mut code.instructions[piece.range.end as usize - 1], *case),
                Change::Handler(handler) => handlers.push(*handler),
                Change::FallThrough => {}
            }
        }
        let mut place = 0..;
        code.handlers.retain(|_| place.next().is_none_or(|place| !handlers.contains(&place)));
        Ok(())
    }

    fn falls_through(&self, statements: &Statements, branch: usize) -> bool {
        let choice = statements.choice(branch);
        choice.is_none_or(|choice| self.kept.has(self.vars.pieces[choice]))
    }
}

fn drop_case(switch: &mut Instruction, case: usize) {
    match switch {
        Instruction::TableSwitch(table) => table.targets[case] = table.default,
        Instruction::LookupSwitch(lookup) => lookup.pairs[case].1 = lookup.default,
        _ => {}
    }
}
