//! The effect of each instruction on the types of locals and operands (JVMS §4.10.1.9).
//!
//! The kinds of values (int, reference, …) are always checked. Whether one class is assignable to
//! another is left to an [`Observer`], so the same walk can check a body, rebuild its frames, and
//! list its facts.

mod member;
mod shuffle;

use super::known;
use super::shape::{component, is_bad_class, reference};
use super::state::{State, Type};
use super::untypable::Trouble;
use lapidary_classfile::{
    ArrayKind, Class, Code, Comparison, Condition, Constant, Instruction, IntegerKind, Kind, Local, Method, NumberKind,
    Position, PrimitiveType, Text,
};

/// Receives the subtype relations that instructions require.
pub(super) trait Observer {
    /// A value of one class is used where the verifier requires another. Neither is null; arrays
    /// are given as descriptors.
    fn assign(&mut self, from: &Text, to: &[u8]) -> Result<(), Trouble>;

    /// The current class calls a method of a superclass on itself.
    fn inherit(&mut self, from: &Text, to: &[u8]) -> Result<(), Trouble> {
        self.assign(from, to)
    }

    /// A value is stored in an array of these elements. The verifier checks neither class.
    fn store_element(&mut self, _value: &Text, _component: &[u8]) {}

    /// A value is cast or tested.
    fn cast(&mut self, _from: &Text, _to: &Text) {}
}

/// One instruction that is about to change a state.
pub(super) struct Step<'a, O> {
    pub class: &'a Class,
    pub method: &'a Method,
    pub code: &'a Code,
    pub position: usize,
    pub state: &'a mut State,
    pub observer: &'a mut O,
}

impl<O: Observer> Step<'_, O> {
    pub fn run(&mut self) -> Result<(), Trouble> {
        let code = self.code;
        match &code.instructions[self.position] {
            Instruction::Nop | Instruction::Goto(_) | Instruction::GotoW(_) => Ok(()),
            Instruction::AConstNull => self.push(Type::Null),
            Instruction::IConst(_) | Instruction::BiPush(_) | Instruction::SiPush(_) => self.push(Type::Int),
            Instruction::LConst(_) => self.push(Type::Long),
            Instruction::FConst(_) => self.push(Type::Float),
            Instruction::DConst(_) => self.push(Type::Double),
            Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                let type_ = constant_type(constant);
                self.push_checked(type_)
            }
            Instruction::Load(kind, local) => self.load(*kind, *local),
            Instruction::Store(kind, local) => self.store(*kind, *local),
            Instruction::Increment(local, _) => self.local(Kind::Int, *local).map(drop),
            Instruction::Ret(local) => self.ret(*local),
            Instruction::ArrayLoad(kind) => self.array_load(*kind),
            Instruction::ArrayStore(kind) => self.array_store(*kind),
            Instruction::ArrayLength => self.array_length(),
            Instruction::NewArray(element) => self.new_array(*element),
            Instruction::ANewArray(class) => self.new_object_array(class),
            Instruction::MultiANewArray(class, dimensions) => self.new_nested_array(class, *dimensions),
            Instruction::Stack(op) => shuffle::apply(&mut self.state.stack, *op),
            Instruction::CheckCast(class) => self.check_cast(class),
            Instruction::InstanceOf(class) => self.instance_of(class),
            Instruction::Field(op, member) => self.field(*op, member),
            Instruction::Invoke(op, member) => self.invoke(*op, member),
            Instruction::InvokeDynamic(site) => self.invoke_dynamic(site),
            Instruction::New(class) => self.new_object(class),
            Instruction::Return(kind) => self.leave(*kind),
            Instruction::AThrow => self.pop_class(known::THROWABLE),
            Instruction::MonitorEnter | Instruction::MonitorExit => self.pop_any_reference(),
            Instruction::If(condition, _) => self.branch(*condition),
            Instruction::Jsr(_) | Instruction::JsrW(_) => self.push(Type::ReturnAddress(self.position as Position + 1)),
            Instruction::TableSwitch(_) | Instruction::LookupSwitch(_) => self.pop_number(Type::Int),
            numeric => self.compute(numeric),
        }
    }

    fn compute(&mut self, instruction: &Instruction) -> Result<(), Trouble> {
        match instruction {
            Instruction::Arithmetic(_, kind) => self.binary(number(*kind), number(*kind)),
            Instruction::Negate(kind) => self.unary(number(*kind), number(*kind)),
            Instruction::Shift(_, kind) => {
                self.pop_number(Type::Int)?;
                self.unary(integer(*kind), integer(*kind))
            }
            Instruction::Logic(_, kind) => self.binary(integer(*kind), integer(*kind)),
            Instruction::Convert(conversion) => self.unary(number(conversion.from()), number(conversion.to())),
            Instruction::Compare(comparison) => self.binary(compared(*comparison), Type::Int),
            _ => Ok(()),
        }
    }

    fn unary(&mut self, operand: Type, result: Type) -> Result<(), Trouble> {
        self.pop_number(operand)?;
        self.push(result)
    }

    fn binary(&mut self, operand: Type, result: Type) -> Result<(), Trouble> {
        self.pop_number(operand.clone())?;
        self.unary(operand, result)
    }

    fn branch(&mut self, condition: Condition) -> Result<(), Trouble> {
        for _ in 0..condition.operands() {
            if condition < Condition::ReferenceEq {
                self.pop_number(Type::Int)?;
            } else {
                self.pop_any_reference()?;
            }
        }
        Ok(())
    }

    fn load(&mut self, kind: Kind, local: Local) -> Result<(), Trouble> {
        let value = self.local(kind, local)?.clone();
        self.push(value)
    }

    /// The type of a local, if it is of the kind that the instruction requires.
    fn local(&mut self, kind: Kind, local: Local) -> Result<&Type, Trouble> {
        let found = self.state.local(local.index.into());
        if fits(kind, found) && !matches!(found, Type::ReturnAddress(_)) {
            return Ok(found);
        }
        Err(Trouble::Local { slot: local.index, wanted: kind_name(kind), found: found.clone() })
    }

    fn store(&mut self, kind: Kind, local: Local) -> Result<(), Trouble> {
        let value = self.pop()?;
        if !fits(kind, &value) {
            return Err(Trouble::Expected { wanted: kind_name(kind), found: value });
        }
        self.state.set_local(local.index.into(), value);
        Ok(())
    }

    fn ret(&mut self, local: Local) -> Result<(), Trouble> {
        match self.state.local(local.index.into()) {
            Type::ReturnAddress(_) => Ok(()),
            found => Err(Trouble::Local { slot: local.index, wanted: "a return address", found: found.clone() }),
        }
    }

    fn array_load(&mut self, kind: ArrayKind) -> Result<(), Trouble> {
        self.pop_number(Type::Int)?;
        match self.pop_array(kind)? {
            None if kind == ArrayKind::Reference => self.push(Type::Null),
            Some(array) if kind == ArrayKind::Reference => {
                self.push(Type::of_descriptor(component(array.as_bytes()).unwrap_or_default()))
            }
            _ => self.push(element(kind)),
        }
    }

    fn array_store(&mut self, kind: ArrayKind) -> Result<(), Trouble> {
        if kind != ArrayKind::Reference {
            self.pop_number(element(kind))?;
            self.pop_number(Type::Int)?;
            return self.pop_array(kind).map(drop);
        }
        let value = self.pop_reference()?;
        self.pop_number(Type::Int)?;
        let array = self.pop_array(kind)?;
        if let (Some(value), Some(array)) = (value, array) {
            let class = component(array.as_bytes()).and_then(reference).unwrap_or_default();
            self.observer.store_element(&value, class);
        }
        Ok(())
    }

    fn array_length(&mut self) -> Result<(), Trouble> {
        match self.pop_reference()? {
            Some(name) if name.as_bytes().first() != Some(&b'[') => {
                Err(Trouble::Expected { wanted: "an array", found: Type::Object(name) })
            }
            _ => self.push(Type::Int),
        }
    }

    fn new_array(&mut self, element: PrimitiveType) -> Result<(), Trouble> {
        self.pop_number(Type::Int)?;
        let descriptor: &[u8] = match element {
            PrimitiveType::Boolean => b"[Z",
            PrimitiveType::Char => b"[C",
            PrimitiveType::Float => b"[F",
            PrimitiveType::Double => b"[D",
            PrimitiveType::Byte => b"[B",
            PrimitiveType::Short => b"[S",
            PrimitiveType::Int => b"[I",
            PrimitiveType::Long => b"[J",
        };
        self.push(Type::Object(Text::from_bytes(descriptor)))
    }

    fn new_object_array(&mut self, class: &Text) -> Result<(), Trouble> {
        self.pop_number(Type::Int)?;
        self.push_checked(Type::Object(array_of(class)))
    }

    fn new_nested_array(&mut self, class: &Text, dimensions: u8) -> Result<(), Trouble> {
        for _ in 0..dimensions {
            self.pop_number(Type::Int)?;
        }
        self.push_checked(Type::Object(class.clone()))
    }

    fn check_cast(&mut self, class: &Text) -> Result<(), Trouble> {
        if let Some(from) = self.pop_reference()? {
            self.observer.cast(&from, class);
        }
        self.push_checked(Type::Object(class.clone()))
    }

    fn instance_of(&mut self, class: &Text) -> Result<(), Trouble> {
        if let Some(from) = self.pop_reference()? {
            self.observer.cast(&from, class);
        }
        self.push(Type::Int)
    }

    /// Pops an array of this kind; `None` for null.
    fn pop_array(&mut self, kind: ArrayKind) -> Result<Option<Text>, Trouble> {
        let Some(name) = self.pop_reference()? else { return Ok(None) };
        let right = matches!(
            (kind, name.as_bytes()),
            (ArrayKind::Reference, [b'[', b'L' | b'[', ..])
                | (ArrayKind::Int, b"[I")
                | (ArrayKind::Long, b"[J")
                | (ArrayKind::Float, b"[F")
                | (ArrayKind::Double, b"[D")
                | (ArrayKind::Byte, b"[B" | b"[Z")
                | (ArrayKind::Char, b"[C")
                | (ArrayKind::Short, b"[S")
        );
        if right { Ok(Some(name)) } else { Err(Trouble::Expected { wanted: "an array", found: Type::Object(name) }) }
    }

    fn push(&mut self, value: Type) -> Result<(), Trouble> {
        self.state.stack.push(value);
        Ok(())
    }

    /// Pushes a value whose class name comes from a constant and is not checked yet.
    fn push_checked(&mut self, value: Type) -> Result<(), Trouble> {
        match value {
            Type::Object(name) if is_bad_class(name.as_bytes()) => Err(Trouble::Malformed(name)),
            value => self.push(value),
        }
    }

    fn pop(&mut self) -> Result<Type, Trouble> {
        self.state.stack.pop().ok_or(Trouble::Underflow)
    }

    fn pop_number(&mut self, wanted: Type) -> Result<(), Trouble> {
        let found = self.pop()?;
        if found == wanted { Ok(()) } else { Err(Trouble::Expected { wanted: number_name(&wanted), found }) }
    }

    /// Pops a constructed object and returns its class; `None` for null.
    fn pop_reference(&mut self) -> Result<Option<Text>, Trouble> {
        match self.pop()? {
            Type::Null => Ok(None),
            Type::Object(name) => Ok(Some(name)),
            found => Err(Trouble::Expected { wanted: "an object", found }),
        }
    }

    /// Pops an object, constructed or not.
    fn pop_any_reference(&mut self) -> Result<(), Trouble> {
        let found = self.pop()?;
        if found.is_reference() || found.is_uninitialized() {
            return Ok(());
        }
        Err(Trouble::Expected { wanted: "an object", found })
    }

    fn pop_class(&mut self, class: &[u8]) -> Result<(), Trouble> {
        match self.pop_reference()? {
            Some(name) if name.as_bytes() != class && class != known::OBJECT => self.observer.assign(&name, class),
            _ => Ok(()),
        }
    }

    fn pop_descriptor(&mut self, descriptor: &[u8]) -> Result<(), Trouble> {
        let value = self.pop()?;
        check_value(self.observer, &value, descriptor)
    }
}

/// Checks that a value may be used where a descriptor gives its type.
fn check_value(observer: &mut impl Observer, value: &Type, descriptor: &[u8]) -> Result<(), Trouble> {
    match (reference(descriptor), value) {
        (Some(class), Type::Object(name)) if name.as_bytes() != class && class != known::OBJECT => {
            observer.assign(name, class)
        }
        (Some(_), Type::Object(_) | Type::Null) => Ok(()),
        (None, value) if *value == Type::of_descriptor(descriptor) => Ok(()),
        (_, found) => Err(Trouble::Expected { wanted: descriptor_name(descriptor), found: found.clone() }),
    }
}

/// The class of arrays with elements of this class.
pub(super) fn array_of(element: &Text) -> Text {
    let name = element.as_bytes();
    let parts: [&[u8]; 3] = if name.first() == Some(&b'[') { [b"[", name, b""] } else { [b"[L", name, b";"] };
    Text::from_bytes(&parts.concat())
}

fn constant_type(constant: &Constant) -> Type {
    match constant {
        Constant::Int(_) => Type::Int,
        Constant::Float(_) => Type::Float,
        Constant::Long(_) => Type::Long,
        Constant::Double(_) => Type::Double,
        Constant::String(_) => Type::Object(known::string()),
        Constant::Class(_) => Type::Object(known::class()),
        Constant::MethodType(_) => Type::Object(known::method_type()),
        Constant::MethodHandle(_) => Type::Object(known::method_handle()),
        Constant::Dynamic(dynamic) => Type::of_descriptor(dynamic.descriptor.as_bytes()),
    }
}

fn fits(kind: Kind, type_: &Type) -> bool {
    match kind {
        Kind::Int => *type_ == Type::Int,
        Kind::Long => *type_ == Type::Long,
        Kind::Float => *type_ == Type::Float,
        Kind::Double => *type_ == Type::Double,
        Kind::Reference => type_.is_reference() || type_.is_uninitialized() || matches!(type_, Type::ReturnAddress(_)),
    }
}

fn number(kind: NumberKind) -> Type {
    match kind {
        NumberKind::Int => Type::Int,
        NumberKind::Long => Type::Long,
        NumberKind::Float => Type::Float,
        NumberKind::Double => Type::Double,
    }
}

fn integer(kind: IntegerKind) -> Type {
    if kind == IntegerKind::Int { Type::Int } else { Type::Long }
}

fn compared(comparison: Comparison) -> Type {
    match comparison {
        Comparison::Long => Type::Long,
        Comparison::FloatLess | Comparison::FloatGreater => Type::Float,
        Comparison::DoubleLess | Comparison::DoubleGreater => Type::Double,
    }
}

fn element(kind: ArrayKind) -> Type {
    match kind {
        ArrayKind::Long => Type::Long,
        ArrayKind::Float => Type::Float,
        ArrayKind::Double => Type::Double,
        _ => Type::Int,
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "an int",
        Kind::Long => "a long",
        Kind::Float => "a float",
        Kind::Double => "a double",
        Kind::Reference => "an object",
    }
}

fn descriptor_name(descriptor: &[u8]) -> &'static str {
    if reference(descriptor).is_some() { "an object" } else { number_name(&Type::of_descriptor(descriptor)) }
}

fn number_name(type_: &Type) -> &'static str {
    match type_ {
        Type::Long => "a long",
        Type::Float => "a float",
        Type::Double => "a double",
        _ => "an int",
    }
}
