//! The treatment of values that instructions create. Values obtained from other objects are
//! requested again, objects private to the class are dropped, and the rest can be anything that
//! fits.

use crate::body::{Body, Made, array_type, object, result_of};
use crate::points_to::{Source, Sources};
use crate::subject::Subject;
use lapidary_classfile::{Class, FieldOp, Instruction, InvokeOp, MemberRef, Position, Text, access};
use lapidary_jvm::{Answer, BaseType, FieldType, MethodId, MethodType, Resolution};

impl<'h> Subject<'h> {
    pub fn made(&self, body: &Body<'h>, position: Position) -> Made {
        if let Some(known) = body.known.borrow().get(&position) {
            return known.clone();
        }
        // Values that depend on themselves, in loops, count as private until something contradicts
        // it.
        body.known.borrow_mut().insert(position, Made::Own);
        let made = self.find_made(body, position);
        body.known.borrow_mut().insert(position, made.clone());
        made
    }

    /// Discards the cached results, because more is known about the fields.
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
                let is_made = self.concatenation(site).is_some() || self.lambda(body, position, site).is_some();
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

    /// The treatment of a value that is not created again.
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

    /// The type of a value, refined by casts.
    fn refined(&self, body: &Body<'h>, position: Position, type_: FieldType) -> FieldType {
        let cast = body.cast_type(position).filter(|_| type_.is_reference());
        cast.filter(|cast| self.names.type_(cast).is_some()).unwrap_or(type_)
    }

    /// The sources without null and without objects that only the class knows.
    pub fn usable(&self, body: &Body<'h>, sources: &Sources) -> Sources {
        let is_usable = |source: &&Source| match source {
            Source::Null => false,
            Source::Site(position) => self.made(body, *position) != Made::Own,
            _ => true,
        };
        sources.iter().filter(is_usable).cloned().collect()
    }

    /// Returns whether all objects among the sources are private to the concrete class.
    pub fn is_all_own(&self, body: &Body<'h>, sources: &Sources) -> bool {
        let is_site = |source: &Source| matches!(source, Source::Site(_));
        sources.iter().any(is_site) && self.usable(body, sources).is_empty()
    }

    /// Returns whether an instruction is a call on an object private to the class.
    pub fn works_on_own(&self, body: &Body<'h>, position: Position) -> bool {
        let Instruction::Invoke(op, member) = body.instruction(position) else { return false };
        let parameters = MethodType::parse(member.descriptor.as_bytes()).map_or(0, |type_| type_.parameters.len());
        *op != InvokeOp::Static && self.is_all_own(body, &body.operand(position, parameters))
    }

    /// Returns whether the value is stored in a private field, or passed to an object private to
    /// the class.
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

    /// Returns whether values of this type are internal to the class: containers, and types that
    /// cannot be named.
    pub fn is_own_matter(&self, type_: &FieldType) -> bool {
        match type_ {
            FieldType::Base(_) => false,
            FieldType::Array(_) => true,
            FieldType::Object(name) => {
                self.is_container(name) || self.is_secret(name) || self.names.class(name).is_none()
            }
        }
    }

    /// Returns whether the class is a private or anonymous one, inside or around the written one.
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

    /// Returns whether the call creates a container from nothing or from other containers.
    pub fn is_factory(&self, member: &MemberRef) -> bool {
        let is_container = match result_of(&member.descriptor) {
            Some(FieldType::Object(name)) => self.is_container(&name),
            Some(FieldType::Array(_)) => true,
            _ => false,
        };
        is_container && member.owner.as_str().starts_with("java/util/")
    }

    /// The method that a reference resolves to, if written code may call it.
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
        // Enclosing and nested classes are compiled against as if they had no private members.
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

    /// The constructor that a `new` calls, if written code may call it.
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

    /// Returns whether the class encloses or is nested in the written one, or shares its outermost
    /// class.
    pub fn is_near(&self, class: &str) -> bool {
        crate::names::family(class) == crate::names::family(&self.class.name.as_str())
    }

    /// Returns whether source can create objects of the class only inside another object.
    pub fn is_inner_elsewhere(&self, class: &Class) -> bool {
        let entry = class.inner_classes().iter().find(|inner| inner.inner == class.name);
        !self.is_near(&class.name.as_str()) && entry.is_some_and(|inner| inner.access & access::STATIC == 0)
    }

    /// Returns whether every exception that the method declares is caught or declared at this
    /// position.
    pub fn is_covered(&self, body: &Body<'h>, position: Position, id: MethodId) -> bool {
        self.names.hierarchy.method(id).exceptions().iter().all(|thrown| self.is_thrown_freely(body, position, thrown))
    }

    pub fn is_thrown_freely(&self, body: &Body<'h>, position: Position, thrown: &Text) -> bool {
        let is_caught = |above: &Text| self.is_below(thrown, above);
        let is_before = body.hand_over.is_some_and(|hand_over| position <= hand_over);
        let mut handlers =
            body.code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&position) && !is_before);
        self.is_unchecked(thrown)
            || body.method.exceptions().iter().any(is_caught)
            || handlers.any(|handler| handler.catch.as_ref().is_some_and(is_caught))
    }

    /// Returns whether the compiler lets any method throw the exception without declaring it.
    pub fn is_unchecked(&self, thrown: &Text) -> bool {
        UNCHECKED.iter().any(|above| self.is_below(thrown, &Text::from(*above)))
    }

    pub fn is_below(&self, below: &Text, above: &Text) -> bool {
        let hierarchy = self.names.hierarchy;
        hierarchy.is_subtype(hierarchy.id(below), hierarchy.id(above)) == Answer::Yes
    }

    /// The length of a new array, if it is constant and short.
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

const UNCHECKED: [&str; 2] = ["java/lang/RuntimeException", "java/lang/Error"];
