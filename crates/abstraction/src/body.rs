//! A method body with the results of the analyses that the treatment of its values relies on.

use crate::points_to::{Frame, Source, Sources, points_to};
use lapidary_classfile::{Attribute, Class, Code, Instruction, InvokeOp, Method, Position, Text};
use lapidary_jvm::typing::{Type, Typing, has_subroutines, infer};
use lapidary_jvm::{FieldType, GenericType, Hierarchy, MethodSignature, MethodType, TypeArgument, TypeScope};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A method with the results of the analyses.
pub struct Body<'h> {
    pub method: &'h Method,
    pub type_: MethodType,
    pub code: &'h Code,
    pub typing: Typing,
    pub frames: Vec<Option<Frame>>,
    /// The position at which a constructor calls another one. Everything before it can only be part
    /// of that call.
    pub hand_over: Option<Position>,
    /// For each `new`, the call of the constructor.
    constructions: BTreeMap<Position, Position>,
    /// The treatment of values, by the position that creates them, as far as it is known.
    pub known: RefCell<BTreeMap<Position, Made>>,
}

/// The treatment of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// The value is created again and kept in a variable.
    Again(FieldType),
    /// Any value of the type may replace it.
    Anything(FieldType),
    /// An object that only the concrete class knows, such as the map behind its fields. Operations
    /// on it are not visible from outside.
    Own,
}

/// The limit on instructions; longer bodies are not analysed.
const MOST_INSTRUCTIONS: usize = 8_000;

impl<'h> Body<'h> {
    /// Analyses a method. `None` if it has no code, or code that no compiler would write.
    pub fn of(class: &'h Class, method: &'h Method, hierarchy: &Hierarchy) -> Option<Body<'h>> {
        let code =
            method.code().filter(|code| code.instructions.len() <= MOST_INSTRUCTIONS && !has_subroutines(code))?;
        let type_ = MethodType::parse(method.descriptor.as_bytes()).ok()?;
        let typing = infer(class, method, hierarchy).ok()?;
        let frames = points_to(method, &type_, code, &typing);
        let (hand_over, constructions, known) = (None, BTreeMap::new(), RefCell::default());
        let mut body = Body { method, type_, code, typing, frames, hand_over, constructions, known };
        body.find_constructions();
        let is_constructor = method.name == "<init>";
        (!is_constructor || body.hand_over.is_some() || class.superclass.is_none()).then_some(body)
    }

    fn find_constructions(&mut self) {
        for position in 0..self.code.instructions.len() as Position {
            let Instruction::Invoke(InvokeOp::Special, member) = self.instruction(position) else { continue };
            let Some(type_) = MethodType::parse(member.descriptor.as_bytes()).ok().filter(|_| member.name == "<init>")
            else {
                continue;
            };
            let receiver = self.operand(position, type_.parameters.len());
            let is_this =
                self.typing.before(position).and_then(|state| state.stack.iter().rev().nth(type_.parameters.len()))
                    == Some(&Type::UninitializedThis);
            if is_this {
                self.hand_over = self.hand_over.or(Some(position));
            } else if let Some(Source::Site(made)) = receiver.first() {
                self.constructions.entry(*made).or_insert(position);
            }
        }
    }

    pub fn instruction(&self, position: Position) -> &'h Instruction {
        &self.code.instructions[position as usize]
    }

    /// The sources of the operand `depth` entries below the top.
    pub fn operand(&self, position: Position, depth: usize) -> Sources {
        let frame = self.frames.get(position as usize).and_then(Option::as_ref);
        frame.map_or_else(|| Sources::from([Source::Unknown]), |frame| frame.operand(depth))
    }

    pub fn is_reached(&self, position: Position) -> bool {
        self.frames.get(position as usize).is_some_and(Option::is_some) && self.typing.before(position).is_some()
    }

    pub fn construction(&self, made: Position) -> Option<Position> {
        self.constructions.get(&made).copied()
    }

    /// The static type of an operand that is an object.
    pub fn operand_type(&self, position: Position, depth: usize) -> Option<FieldType> {
        match self.typing.before(position)?.stack.iter().rev().nth(depth)? {
            Type::Object(name) => FieldType::of_class_constant(name).ok(),
            _ => None,
        }
    }

    pub fn positions(&self) -> impl Iterator<Item = Position> + use<'h> {
        0..self.code.instructions.len() as Position
    }

    /// The type to which the next instruction casts a value.
    pub fn cast_type(&self, position: Position) -> Option<FieldType> {
        match self.code.instructions.get(position as usize + 1)? {
            Instruction::CheckCast(name) => FieldType::of_class_constant(name).ok(),
            _ => None,
        }
    }

    pub fn is_static(&self) -> bool {
        self.method.is_static()
    }

    /// The element type of the container that the method returns, according to its signature.
    pub fn element_type(&self) -> Option<FieldType> {
        let signature = self.method.attributes.iter().find_map(|attribute| match attribute {
            Attribute::Signature(signature) => Some(signature),
            _ => None,
        })?;
        let GenericType::Class(class) = MethodSignature::parse(signature.as_bytes()).ok()?.result? else { return None };
        match &class.segments.last()?.arguments[..] {
            [TypeArgument::Exact(element) | TypeArgument::Extends(element)] => TypeScope::default().erase(element),
            _ => None,
        }
    }
}

pub fn object() -> FieldType {
    FieldType::Object("java/lang/Object".into())
}

pub fn result_of(descriptor: &Text) -> Option<FieldType> {
    MethodType::parse(descriptor.as_bytes()).ok()?.result
}

/// The type of the array that the instruction creates.
pub fn array_type(instruction: &Instruction) -> FieldType {
    match instruction {
        Instruction::ANewArray(element) => FieldType::of_class_constant(element).unwrap_or_else(|_| object()).array(),
        Instruction::NewArray(element) => FieldType::Base((*element).into()).array(),
        Instruction::MultiANewArray(name, _) => FieldType::of_class_constant(name).unwrap_or_else(|_| object().array()),
        _ => object().array(),
    }
}
