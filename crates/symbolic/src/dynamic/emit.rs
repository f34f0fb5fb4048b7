//! An emitter of bytecode with the few instruction patterns that generated methods need.

use lapidary_classfile::{
    Attribute, Class, Code, Condition, Constant, Conversion, FieldOp, Handler, Instruction, InvokeOp, Local, MemberRef,
    Method, Text, Version, access,
};
use lapidary_jvm::{BaseType, FieldType, MethodType};
use std::sync::Arc;

/// The code of a method that is being generated.
pub struct Emitter {
    instructions: Vec<Instruction>,
    handlers: Vec<Handler>,
    locals: u16,
}

impl Emitter {
    /// Creates an emitter for a method whose parameters take this many local variable slots.
    pub fn new(places: usize) -> Emitter {
        Emitter { instructions: Vec::new(), handlers: Vec::new(), locals: places as u16 }
    }

    pub fn push(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    pub fn here(&self) -> u32 {
        self.instructions.len() as u32
    }

    pub fn load(&mut self, type_: &FieldType, place: usize) {
        self.push(Instruction::Load(crate::method::kind_of(type_), Local::new(place as u16)));
    }

    pub fn int(&mut self, number: i32) {
        self.push(Instruction::int(number));
    }

    pub fn text(&mut self, text: &str) {
        self.push(Instruction::Ldc(Constant::String(text.into())));
    }

    pub fn invoke(&mut self, operation: InvokeOp, owner: &str, name: &str, descriptor: &str) {
        let interface = operation == InvokeOp::Interface;
        let (owner, name, descriptor) = (owner.into(), name.into(), descriptor.into());
        self.push(Instruction::Invoke(operation, Arc::new(MemberRef { owner, name, descriptor, interface })));
    }

    pub fn field(&mut self, operation: FieldOp, owner: &Text, name: &Text, type_: &FieldType) {
        let member =
            MemberRef { owner: owner.clone(), name: name.clone(), descriptor: type_.descriptor(), interface: false };
        self.push(Instruction::Field(operation, Arc::new(member)));
    }

    /// Emits a jump whose target is not known yet; [`Emitter::land`] sets it.
    pub fn jump_if(&mut self, condition: Condition) -> usize {
        self.push(Instruction::If(condition, 0));
        self.instructions.len() - 1
    }

    /// Makes an earlier jump land here.
    pub fn land(&mut self, jump: usize) {
        let here = self.here();
        self.instructions[jump].map_targets(|_| here);
    }

    /// Catches exceptions of the class thrown between `start` and `end`; the handler begins here.
    pub fn handle(&mut self, start: u32, end: u32, class: Option<&str>) {
        self.handlers.push(Handler { start, end, target: self.here(), catch: class.map(Into::into) });
    }

    pub fn return_(&mut self, type_: Option<&FieldType>) {
        self.push(Instruction::Return(type_.map(crate::method::kind_of)));
    }

    /// Converts the value on top of the stack to another type, as an assignment or a cast would.
    pub fn convert(&mut self, from: &FieldType, to: &FieldType) {
        match (from, to) {
            (FieldType::Base(from), FieldType::Base(to)) => self.widen(*from, *to),
            (FieldType::Base(from), _) => self.box_(*from),
            (_, FieldType::Base(to)) => self.unbox(from, *to),
            _ => self.cast(to),
        }
    }

    pub fn cast(&mut self, to: &FieldType) {
        if let Some(name) = to.class_constant().filter(|name| *name != "java/lang/Object") {
            self.push(Instruction::CheckCast(name));
        }
    }

    fn widen(&mut self, from: BaseType, to: BaseType) {
        use BaseType::*;
        let conversion = match (from, to) {
            (Long, Float) => Conversion::LongToFloat,
            (Long, Double) => Conversion::LongToDouble,
            (Float, Double) => Conversion::FloatToDouble,
            (Long | Float | Double, _) => return,
            (_, Long) => Conversion::IntToLong,
            (_, Float) => Conversion::IntToFloat,
            (_, Double) => Conversion::IntToDouble,
            _ => return,
        };
        self.push(Instruction::Convert(conversion));
    }

    fn box_(&mut self, base: BaseType) {
        let wrapper = base.wrapper();
        let descriptor = format!("({})L{wrapper};", base.letter() as char);
        self.invoke(InvokeOp::Static, wrapper, "valueOf", &descriptor);
    }

    /// Unboxes from `from` if it is a wrapper class, else from the wrapper class of the target
    /// type.
    fn unbox(&mut self, from: &FieldType, to: BaseType) {
        let known = BaseType::ALL.into_iter().find(|base| *from == FieldType::Object(base.wrapper().into()));
        let base = known.unwrap_or(to);
        let wrapper = base.wrapper();
        self.push(Instruction::CheckCast(wrapper.into()));
        let name = format!("{}Value", crate::names::base_name(base));
        self.invoke(InvokeOp::Virtual, wrapper, &name, &format!("(){}", base.letter() as char));
        self.widen(base, to);
    }

    /// The finished method.
    pub fn method(self, flags: u16, name: &Text, type_: &MethodType) -> Method {
        let code = Code {
            max_stack: 255,
            max_locals: self.locals,
            instructions: self.instructions,
            handlers: self.handlers,
            attributes: Vec::new(),
        };
        Method {
            access: flags | access::SYNTHETIC,
            name: name.clone(),
            descriptor: type_.descriptor(),
            attributes: vec![Attribute::Code(Box::new(code))],
        }
    }
}

/// A class for generated methods.
pub fn class(name: String) -> Class {
    let version = Version { major: 61, minor: 0 };
    let mut class = Class::new(version, name, Some("java/lang/Object".into()));
    class.access |= access::SYNTHETIC | access::FINAL;
    class
}
