//! What becomes of the values that instructions make: those that other objects make are asked for again, those that are the
//! object's own business are forgotten, and the rest can be anything that fits.

use crate::fields::Subject;
use crate::points_to::{Frame, Source, Sources, points_to};
use lapidary_classfile::{Class, Code, FieldOp, Instruction, InvokeOp, MemberRef, Method, Position, Text, access};
use lapidary_jvm::typing::{Type, Typing, has_subroutines, infer};
use lapidary_jvm::{Answer, BaseType, FieldType, Hierarchy, MethodId, MethodType, Resolution};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A method with what the analyses found.
pub struct Body<'h> {
    pub method: &'h Method,
    pub type_: MethodType,
    pub code: &'h Code,
    pub typing: Typing,
    pub frames: Vec<Option<Frame>>,
    /// Where a constructor hands over to another one. What comes before can only be part of that call.
    pub hand_over: Option<Position>,
    /// For each `new`, the call of the constructor.
    constructions: BTreeMap<Position, Position>,
    known: RefCell<BTreeMap<Position, Made>>,
}

/// What becomes of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// It is made here as well, and kept in a variable.
    Again(FieldType),
    /// Anything of the type may stand for it.
    Anything(FieldType),
    /// An object that only the concrete class knows, such as the map behind its fields. What is done with it is not seen from
    /// outside.
    Own,
}

/// Bodies that are longer are not looked at.
const MOST_INSTRUCTIONS: usize = 8_000;

impl<'h> Body<'h> {
    /// Nothing if the method has no code, or code that nobody would compile to.
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

    /// The sources of the operand so many entries below the top.
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

    /// The type that the next instruction casts a value to.
    fn cast_type(&self, position: Position) -> Option<FieldType> {
        match self.code.instructions.get(position as usize + 1)? {
            Instruction::CheckCast(name) => FieldType::of_class_constant(name).ok(),
            _ => None,
        }
    }

    pub fn is_static(&self) -> bool {
        self.method.is_static()
    }
}

impl<'h> Subject<'h> {
    pub fn made(&self, body: &Body<'h>, position: Position) -> Made {
        if let Some(known) = body.known.borrow().get(&position) {
            return known.clone();
        }
        // Values that are made of themselves, in loops, are the object's own as long as nothing speaks against it.
        body.known.borrow_mut().insert(position, Made::Own);
        let made = self.find_made(body, position);
        body.known.borrow_mut().insert(position, made.clone());
        made
    }

    /// Forgets what was found, because more is known of the fields.
    pub fn forget_made(&self) {
        self.bodies.iter().flatten().for_each(|body| body.known.borrow_mut().clear());
    }

    fn find_made(&self, body: &Body<'h>, position: Position) -> Made {
        match body.instruction(position) {
            Instruction::New(name) => {
                let type_ = FieldType::Object(name.clone());
                let is_own = self.is_own_matter(&type_) && self.goes_to_own(body, position)
                    || self.construct_target(body, position).is_none();
                if is_own { Made::Own } else { Made::Again(type_) }
            }
            Instruction::Invoke(_, member) => {
                let Some(result) = result_of(&member.descriptor) else { return Made::Own };
                let result = self.refined(body, position, result);
                if self.mirrored(body, position).is_some() {
                    return Made::Again(result);
                }
                let is_own = self.works_on_own(body, position) || self.is_factory(member);
                self.left_open(result, is_own)
            }
            Instruction::InvokeDynamic(site) => {
                let result = result_of(&site.descriptor).unwrap_or_else(object);
                let is_made = self.concatenation(body, site).is_some() || self.lambda(body, position, site).is_some();
                if is_made { Made::Again(result) } else { self.left_open(result, false) }
            }
            Instruction::Field(op, member) => self.read_field(body, position, *op, member),
            Instruction::ArrayLoad(_) => {
                let element = match body.operand_type(position, 1) {
                    Some(FieldType::Array(element)) => *element,
                    _ => return Made::Anything(FieldType::Base(BaseType::Int)),
                };
                let is_own = self.is_all_own(body, &body.operand(position, 1));
                let element = self.refined(body, position, element);
                let can_be_read = !is_own && element.is_reference() && self.names.type_(&element).is_some();
                if can_be_read { Made::Again(element) } else { self.left_open(element, is_own) }
            }
            Instruction::NewArray(_) | Instruction::ANewArray(_) => {
                let type_ = array_type(body.instruction(position));
                let is_small = self.constant_length(body, position).is_some();
                let is_ours = is_small && self.names.type_(&type_).is_some() && !self.goes_to_own(body, position);
                if is_ours { Made::Again(type_) } else { Made::Own }
            }
            _ => Made::Own,
        }
    }

    /// What is left of a value that is not made again.
    fn left_open(&self, type_: FieldType, is_own: bool) -> Made {
        let is_own = is_own && self.is_own_matter(&type_) || self.names.type_(&type_).is_none();
        if is_own { Made::Own } else { Made::Anything(type_) }
    }

    fn read_field(&self, body: &Body<'h>, position: Position, op: FieldOp, member: &MemberRef) -> Made {
        let Ok(type_) = FieldType::parse(member.descriptor.as_bytes()) else { return Made::Own };
        let type_ = self.refined(body, position, type_);
        if let Some(field) = self.own_field(member) {
            return match () {
                () if self.kept.contains(&field) => Made::Again(type_),
                () if self.own_fields.contains(&field) => Made::Own,
                () => self.left_open(type_, false),
            };
        }
        let is_on_own = op == FieldOp::GetField && self.is_all_own(body, &body.operand(position, 0));
        let can_be_read = !is_on_own && self.foreign_field(member) && self.names.type_(&type_).is_some();
        let has_receiver = op == FieldOp::GetStatic || !self.usable(body, &body.operand(position, 0)).is_empty();
        if can_be_read && has_receiver { Made::Again(type_) } else { self.left_open(type_, is_on_own) }
    }

    /// The type that a value turns out to have.
    fn refined(&self, body: &Body<'h>, position: Position, type_: FieldType) -> FieldType {
        let cast = body.cast_type(position).filter(|_| type_.is_reference());
        cast.filter(|cast| self.names.type_(cast).is_some()).unwrap_or(type_)
    }

    /// The sources without null and without objects that nobody else knows.
    pub fn usable(&self, body: &Body<'h>, sources: &Sources) -> Sources {
        let is_usable = |source: &&Source| match source {
            Source::Null => false,
            Source::Site(position) => self.made(body, *position) != Made::Own,
            _ => true,
        };
        sources.iter().filter(is_usable).cloned().collect()
    }

    /// Whether the value is an object of the concrete class's own, if it is one at all.
    pub fn is_all_own(&self, body: &Body<'h>, sources: &Sources) -> bool {
        let is_site = |source: &Source| matches!(source, Source::Site(_));
        sources.iter().any(is_site) && self.usable(body, sources).is_empty()
    }

    /// Whether a call is one on such an object.
    pub fn works_on_own(&self, body: &Body<'h>, position: Position) -> bool {
        let Instruction::Invoke(op, member) = body.instruction(position) else { return false };
        let parameters = MethodType::parse(member.descriptor.as_bytes()).map_or(0, |type_| type_.parameters.len());
        *op != InvokeOp::Static && self.is_all_own(body, &body.operand(position, parameters))
    }

    /// Whether the value is stored in a field of the object's own, or given to an object of its own.
    pub fn goes_to_own(&self, body: &Body<'h>, made: Position) -> bool {
        let is_it = |sources: &Sources| sources.contains(&Source::Site(made));
        body.positions().filter(|position| body.is_reached(*position)).any(|position| {
            match body.instruction(position) {
                Instruction::Field(FieldOp::PutField | FieldOp::PutStatic, member) => {
                    self.own_field(member).is_some_and(|field| self.own_fields.contains(&field))
                        && is_it(&body.operand(position, 0))
                }
                Instruction::ArrayStore(_) => {
                    is_it(&body.operand(position, 0)) && self.is_all_own(body, &body.operand(position, 2))
                }
                Instruction::Invoke(op, member) if *op != InvokeOp::Static && member.name != "<init>" => {
                    let parameters =
                        MethodType::parse(member.descriptor.as_bytes()).map_or(0, |type_| type_.parameters.len());
                    (0..parameters).any(|depth| is_it(&body.operand(position, depth)))
                        && self.works_on_own(body, position)
                }
                _ => false,
            }
        })
    }

    /// Whether what the class keeps in values of this type is its own business: containers, and what cannot be named.
    pub fn is_own_matter(&self, type_: &FieldType) -> bool {
        match type_ {
            FieldType::Base(_) => false,
            FieldType::Array(_) => true,
            FieldType::Object(name) => {
                self.is_container(name) || self.is_secret(name) || self.names.class(name).is_none()
            }
        }
    }

    /// Whether the class is a private one, or one without a name, inside or around the written one.
    fn is_secret(&self, name: &Text) -> bool {
        let class = self.names.hierarchy.class(self.names.hierarchy.id(name)).filter(|_| self.is_near(&name.as_str()));
        let entry = class.and_then(|class| class.inner_classes().iter().find(|inner| inner.inner == *name));
        entry.is_some_and(|inner| inner.access & access::PRIVATE != 0 || inner.outer.is_none())
    }

    pub fn is_container(&self, name: &Text) -> bool {
        let text = name.as_str();
        if *name == "java/lang/Iterable" {
            return true;
        }
        let id = self.names.hierarchy.id(name);
        let is_below = |above: &str| {
            self.names.hierarchy.is_subtype(id, self.names.hierarchy.id(&Text::from(above))) == Answer::Yes
        };
        text.starts_with("java/util/") && CONTAINERS.iter().any(|above| is_below(above))
    }

    /// Whether the call makes a container out of nothing, or out of others.
    pub fn is_factory(&self, member: &MemberRef) -> bool {
        let is_container = match result_of(&member.descriptor) {
            Some(FieldType::Object(name)) => self.is_container(&name),
            Some(FieldType::Array(_)) => true,
            _ => false,
        };
        is_container && member.owner.as_str().starts_with("java/util/")
    }

    /// The method that a reference means, if written code may call it.
    pub fn callable(&self, member: &MemberRef) -> Option<MethodId> {
        let hierarchy = self.names.hierarchy;
        if member.owner.as_bytes().first() == Some(&b'[') || self.names.class(&member.owner).is_none() {
            return None;
        }
        let owner = hierarchy.id(&member.owner);
        let found = match member.interface {
            true => hierarchy.resolve_interface_method(owner, &member.name, &member.descriptor),
            false => hierarchy.resolve_method(owner, &member.name, &member.descriptor),
        };
        let Resolution::Found(id) = found else { return None };
        let method = hierarchy.method(id);
        let type_ = MethodType::parse(member.descriptor.as_bytes()).ok()?;
        let can_be_named = type_.parameters.iter().chain(&type_.result).all(|type_| self.names.type_(type_).is_some());
        // Near classes are compiled against as if nothing in them were private.
        let is_near = self.is_near(&hierarchy.name(id.class).as_str());
        let is_private_elsewhere = method.access & access::PRIVATE != 0 && !is_near;
        let is_synthetic = method.access & access::SYNTHETIC != 0 && !is_near;
        let is_open = hierarchy.can_access_method(self.names.class, owner, id) == Answer::Yes;
        let is_plain = crate::names::is_identifier(&member.name.as_str()) || member.name == "<init>";
        let can_be = is_open
            && is_plain
            && can_be_named
            && !is_private_elsewhere
            && !is_synthetic
            && !hierarchy.is_signature_polymorphic(id);
        can_be.then_some(id)
    }

    /// The constructor that a `new` ends in, if written code may call it.
    pub fn construct_target(&self, body: &Body<'h>, made: Position) -> Option<(Position, MethodId)> {
        let position = body.construction(made)?;
        let Instruction::Invoke(_, member) = body.instruction(position) else { return None };
        let id = self.callable(member)?;
        let class = self.names.hierarchy.class(id.class)?;
        let is_exact = *self.names.hierarchy.name(id.class) == member.owner;
        let can_be = is_exact
            && class.access & access::ABSTRACT == 0
            && !self.is_inner_elsewhere(class)
            && self.is_covered(body, position, id);
        can_be.then_some((position, id))
    }

    /// Whether the class is around or inside the written one.
    pub fn is_near(&self, class: &str) -> bool {
        crate::names::family(class) == crate::names::family(&self.class.name.as_str())
    }

    /// Whether source makes objects of the class only inside another object.
    pub fn is_inner_elsewhere(&self, class: &Class) -> bool {
        let entry = class.inner_classes().iter().find(|inner| inner.inner == class.name);
        !self.is_near(&class.name.as_str()) && entry.is_some_and(|inner| inner.access & access::STATIC == 0)
    }

    /// Whether the compiler finds everything that the method declares to throw caught or declared.
    pub fn is_covered(&self, body: &Body<'h>, position: Position, id: MethodId) -> bool {
        self.names.hierarchy.method(id).exceptions().iter().all(|thrown| self.is_thrown_freely(body, position, thrown))
    }

    pub fn is_thrown_freely(&self, body: &Body<'h>, position: Position, thrown: &Text) -> bool {
        let is_caught = |above: &Text| self.is_below(thrown, above);
        let is_before = body.hand_over.is_some_and(|hand_over| position <= hand_over);
        let mut handlers =
            body.code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&position) && !is_before);
        UNCHECKED.iter().any(|above| is_caught(&Text::from(*above)))
            || body.method.exceptions().iter().any(is_caught)
            || handlers.any(|handler| handler.catch.as_ref().is_some_and(is_caught))
    }

    pub fn is_below(&self, below: &Text, above: &Text) -> bool {
        let hierarchy = self.names.hierarchy;
        hierarchy.is_subtype(hierarchy.id(below), hierarchy.id(above)) == Answer::Yes
    }

    /// How long a new array is, if the code says so and it is short.
    pub fn constant_length(&self, body: &Body<'h>, position: Position) -> Option<i32> {
        match body.operand(position, 0).first() {
            Some(Source::Number(crate::literal::Number::Int(length @ 0..=16)))
                if body.operand(position, 0).len() == 1 =>
            {
                Some(*length)
            }
            _ => None,
        }
    }
}

const CONTAINERS: [&str; 4] = ["java/util/Collection", "java/util/Map", "java/util/Iterator", "java/util/Map$Entry"];

pub const UNCHECKED: [&str; 2] = ["java/lang/RuntimeException", "java/lang/Error"];

pub fn object() -> FieldType {
    FieldType::Object("java/lang/Object".into())
}

pub fn result_of(descriptor: &Text) -> Option<FieldType> {
    MethodType::parse(descriptor.as_bytes()).ok()?.result
}

/// The type of the array that the instruction makes.
pub fn array_type(instruction: &Instruction) -> FieldType {
    match instruction {
        Instruction::ANewArray(element) => FieldType::of_class_constant(element).unwrap_or_else(|_| object()).array(),
        Instruction::NewArray(element) => FieldType::Base((*element).into()).array(),
        Instruction::MultiANewArray(name, _) => FieldType::of_class_constant(name).unwrap_or_else(|_| object().array()),
        _ => object().array(),
    }
}
