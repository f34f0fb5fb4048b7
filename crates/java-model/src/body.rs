//! The code of a method in a candidate.

use crate::kept::{Bits, Kept};
use crate::label;
use crate::peephole;
use crate::statements::{Change, Statements};
use crate::stub::{self, FirstCall};
use crate::vocabulary::{MethodVars, is_debug, is_locals};
use lapidary_classfile::{Attribute, Class, Code, Instruction, Method, Position};
use lapidary_jvm::typing::{self, Below, Cut, EditError, Edits, Untypable};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The number of edited bodies, and of those that had to be replaced by the smallest body.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub edited: usize,
    pub replaced: usize,
    /// Some of the replaced bodies, with the reason for each.
    pub reasons: Vec<String>,
}

/// The limit on reasons kept, well above what anyone reads.
const REASONS: usize = 1000;

/// The body in the candidate; `None` if the method has no code.
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
        return Some(with_tables(kept, code, class, vars));
    }
    let key = (class, method, changes.state(class));
    let known = kept.edited.bodies().known.get(&key).cloned();
    let body = known.unwrap_or_else(|| {
        let body = Arc::new(changes.body(class, method, &|_| false));
        kept.edited.bodies().remember(key, &body);
        body
    });
    if body.relies.iter().all(|below| kept.is_below(below)) {
        kept.reliance.borrow_mut().below.extend(&body.relies);
        return Some(body.code.clone());
    }
    kept.reliance.borrow_mut().this_candidate = true;
    let body = changes.body(class, method, &|class| kept.is_cut(class));
    let holds = body.relies.iter().all(|below| kept.is_below(below));
    Some(if holds { body.code } else { stubbed(kept, class, method) })
}

/// An edited body, and the subtype relations that a candidate must keep for the body to be valid.
/// The clauses describe the control flow of the original body. Where a jump was removed, control
/// can take other paths, and values come to be used in ways the original never used them.
struct EditedBody {
    code: Code,
    relies: Vec<Below>,
}

/// A cache of edited bodies, because editing one takes longer than copying it.
#[derive(Default)]
pub(crate) struct Edited {
    tally: Mutex<Tally>,
    bodies: Mutex<Bodies>,
}

/// A class, a method, and the kept items that decide how the method's body is edited.
type Key = (usize, usize, Bits);

#[derive(Default)]
struct Bodies {
    known: HashMap<Key, Arc<EditedBody>>,
    instructions: usize,
}

/// The number of instructions of edited bodies to cache, some hundred megabytes.
const REMEMBERED: usize = 2_000_000;

impl Edited {
    pub fn tally(&self) -> Tally {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn bodies(&self) -> MutexGuard<'_, Bodies> {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, owner: &Class, method: &Method, edited: &Result<EditedBody, Failure>) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.edited += 1;
        if let Err(failure) = edited {
            tally.replaced += 1;
            if tally.reasons.len() < REASONS {
                tally.reasons.push(format!("{}: {failure}", label::method(owner, method)));
            }
        }
    }
}

impl Bodies {
    fn remember(&mut self, key: Key, body: &Arc<EditedBody>) {
        if self.instructions >= REMEMBERED {
            *self = Bodies::default();
        }
        self.instructions += body.code.instructions.len();
        self.known.insert(key, body.clone());
    }
}

/// The reason why a body cannot be edited as requested.
#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Untypable(#[from] Untypable),
    #[error("it has no code")]
    NoCode,
}

/// The code with only those of its tables that are kept: line numbers and names of variables.
fn with_tables(kept: &Kept<'_>, code: &Code, class: usize, vars: &MethodVars) -> Code {
    let debug = kept.has_if_any(kept.vocabulary.classes[class].debug);
    let locals = kept.has_if_any(vars.locals);
    let stays = |attribute: &&Attribute| (debug || !is_debug(attribute)) && (locals || !is_locals(attribute));
    Code {
        max_stack: code.max_stack,
        max_locals: code.max_locals,
        instructions: code.instructions.clone(),
        handlers: code.handlers.clone(),
        attributes: code.attributes.iter().filter(stays).cloned().collect(),
    }
}

/// The smallest body of a method.
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

/// Replacements for calls of superclass constructors, if the superclass was removed.
fn super_calls(kept: &Kept<'_>, class: usize, method: usize) -> Vec<(Position, Vec<Instruction>)> {
    let calls = kept.first_calls.get(&(class, method)).filter(|_| superclass_is_gone(kept, class));
    let above = calls.map(|calls| calls.above.as_slice()).unwrap_or_default();
    above.iter().map(|(position, member)| (*position, stub::object_instead_of(member))).collect()
}

/// The changes to make to a body.
struct Changes<'a> {
    kept: &'a Kept<'a>,
    vars: &'a MethodVars,
    above: Vec<(Position, Vec<Instruction>)>,
}

impl Changes<'_> {
    fn none(&self) -> bool {
        self.above.is_empty() && self.vars.pieces.iter().all(|piece| self.kept.has(*piece))
    }

    /// The kept items that decide how the body is edited.
    fn state(&self, class: usize) -> Bits {
        let owner = &self.kept.vocabulary.classes[class];
        let others = [owner.debug, self.vars.locals, owner.extends];
        let pieces = self.vars.pieces.iter().map(|piece| self.kept.has(*piece));
        Bits::of(others.into_iter().map(|var| self.kept.has_if_any(var)).chain(pieces))
    }

    /// Edits the body. The clauses rule out all but a few edits that the JVM would reject; in those
    /// cases the body is replaced by the smallest one.
    fn body(&self, class: usize, method: usize, cut: Cut<'_>) -> EditedBody {
        let owner = self.kept.program.class(class);
        let declaration = &owner.methods[method];
        let edited = self.apply(class, declaration, cut);
        self.kept.edited.count(owner, declaration, &edited);
        edited.unwrap_or_else(|_| EditedBody { code: stubbed(self.kept, class, method), relies: Vec::new() })
    }

    fn apply(&self, class: usize, declaration: &Method, cut: Cut<'_>) -> Result<EditedBody, Failure> {
        let code = declaration.code().ok_or(Failure::NoCode)?;
        let mut code = with_tables(self.kept, code, class, self.vars);
        let mut edits = Edits::new();
        for (position, instead) in &self.above {
            edits.replace(*position..*position + 1, instead.clone())?;
        }
        if let Some(statements) = &self.vars.statements {
            self.pieces(statements, &mut code, &mut edits)?;
        }
        edits.apply(&mut code)?;
        peephole::tidy(&mut code);
        let mut method = Method {
            access: declaration.access,
            name: declaration.name.clone(),
            descriptor: declaration.descriptor.clone(),
            attributes: vec![Attribute::Code(Box::new(code))],
        };
        let relies = typing::repair_within(&self.owner(class), &mut method, self.kept.hierarchy, cut)?;
        match method.attributes.pop() {
            Some(Attribute::Code(code)) => Ok(EditedBody { code: *code, relies }),
            _ => Err(Failure::NoCode),
        }
    }

    /// The parts of the class that types depend on. A constructor may call those of the superclass,
    /// which is `Object` if the original one was removed.
    fn owner(&self, class: usize) -> Class {
        let owner = self.kept.program.class(class);
        let superclass = match superclass_is_gone(self.kept, class) {
            true => Some("java/lang/Object".into()),
            false => owner.superclass.clone(),
        };
        Class::new(owner.version, owner.name.clone(), superclass)
    }

    /// Applies the changes of the pieces, outer ones first. A piece inside a removed one is removed
    /// with it.
    fn pieces(&self, statements: &Statements, code: &mut Code, edits: &mut Edits) -> Result<(), EditError> {
        let mut gone = vec![false; statements.pieces.len()];
        let mut handlers = HashSet::new();
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
                Change::Handler(handler) => _ = handlers.insert(*handler),
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
