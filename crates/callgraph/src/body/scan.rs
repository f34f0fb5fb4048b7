//! The body of a method with code: interprets its instructions one by one, with values on the stack
//! and in local variables.
//!
//! Every instruction is visited once. Where control flow joins, the variables that meet are unified
//! to one value, which also applies to earlier actions. Therefore nothing has to be visited again.
//! Operands that meet are copied first: `c ? x : y` does not unify `x` and `y`. Code that cannot be
//! followed (subroutines, malformed code) is read from top to bottom with one value for everything.

use super::action::{Action, Body, Value};
use super::builder::Builder;
use super::stack::{Confused, Stack};
use super::walk::{MOST_SLOTS, Walk};
use crate::types::FilterId;
use crate::weakness::Weakness;
use crate::world::World;
use lapidary_classfile::{
    ArrayKind, Class, Code, Comparison, Constant, FieldOp, Instruction, Kind, MemberRef, Method, NumberKind, Text,
};
use lapidary_jvm::{ClassId, FieldType};

/// Builds the body of a method that has code.
pub(crate) fn scan(world: &mut World, class: ClassId, method: &Method, code: &Code) -> Body {
    let Some(file) = world.hierarchy.class(class).cloned() else { return Body::default() };
    let Some(signature) = world.signature(&method.descriptor) else { return Body::default() };
    let parameters = signature.parameters.len() + usize::from(!method.is_static());
    let mut scanner =
        Scanner { world, class, file: &file, code, builder: Builder::new(parameters), stack: Stack::default() };
    if scanner.is_reasonable() && scanner.follow(method).is_ok() {
        return scanner.builder.finish();
    }
    scanner.builder = Builder::with_one_value(parameters);
    scanner.read_through();
    scanner.builder.finish()
}

pub(super) struct Scanner<'a> {
    pub world: &'a mut World,
    pub class: ClassId,
    pub file: &'a Class,
    code: &'a Code,
    pub builder: Builder,
    pub stack: Stack,
}

impl Scanner<'_> {
    fn is_reasonable(&self) -> bool {
        let joins = self.code.instructions.iter().flat_map(Instruction::targets).count() + self.code.handlers.len();
        let looks = self.code.handlers.len() * self.code.instructions.len();
        joins.saturating_mul(usize::from(self.code.max_locals) + 8) < MOST_SLOTS && looks < 10 * MOST_SLOTS
    }

    fn follow(&mut self, method: &Method) -> Result<(), Confused> {
        let code = self.code;
        let mut walk = Walk::new(code);
        self.stack = self.entry(method)?;
        walk.arrive(0, &self.stack, &mut self.builder)?;
        while let Some(start) = walk.work.pop() {
            let mut position = start;
            self.stack = walk.states[position].clone().ok_or(Confused)?;
            loop {
                self.enter_handlers(&mut walk, position)?;
                let instruction = code.instructions.get(position).ok_or(Confused)?;
                self.instruction(instruction)?;
                for target in instruction.targets() {
                    let state = self.stack.with_copied_operands(&mut self.builder);
                    walk.arrive(target as usize, &state, &mut self.builder)?;
                }
                position += 1;
                if !instruction.falls_through() {
                    break;
                }
                if walk.joins.get(position) == Some(&true) {
                    let state = self.stack.with_copied_operands(&mut self.builder);
                    walk.arrive(position, &state, &mut self.builder)?;
                    break;
                }
            }
        }
        Ok(())
    }

    fn read_through(&mut self) {
        self.stack = Stack::of_one_value(self.builder.only().unwrap_or(Value::NONE));
        for handler in &self.code.handlers {
            let caught = self.caught(handler.catch.as_ref());
            self.stack.push(caught);
        }
        for instruction in &self.code.instructions {
            // With a single value, only a malformed descriptor can cause an error, and that has no
            // effect.
            let _: Result<(), Confused> = self.instruction(instruction);
        }
    }

    fn entry(&mut self, method: &Method) -> Result<Stack, Confused> {
        let signature = self.world.signature(&method.descriptor).ok_or(Confused)?;
        let mut locals = Vec::new();
        if !method.is_static() {
            locals.push(Value(0));
        }
        for (index, parameter) in signature.parameters.iter().enumerate() {
            let value = Value((index + usize::from(!method.is_static())) as u32);
            locals.push(if parameter.filter.is_some() { value } else { Value::NONE });
            locals.resize(locals.len() + parameter.slots - 1, Value::NONE);
        }
        Ok(Stack::with_locals(locals))
    }

    /// Enters the handlers, which see the variables as they are before each guarded instruction.
    fn enter_handlers(&mut self, walk: &mut Walk, position: usize) -> Result<(), Confused> {
        for (index, handler) in self.code.handlers.iter().enumerate() {
            let guards = (handler.start as usize..handler.end as usize).contains(&position);
            if !guards || walk.seen[index] == Some(self.stack.version) {
                continue;
            }
            walk.seen[index] = Some(self.stack.version);
            let caught = match walk.caught[index] {
                Some(caught) => caught,
                None => self.caught(handler.catch.as_ref()),
            };
            walk.caught[index] = Some(caught);
            let state = self.stack.in_handler(caught);
            walk.arrive(handler.target as usize, &state, &mut self.builder)?;
        }
        Ok(())
    }

    fn caught(&mut self, catch: Option<&Text>) -> Value {
        let to = self.builder.fresh();
        let filter = match catch {
            Some(name) => self.class_constant(name),
            None => FilterId::ANY,
        };
        if !self.world.weaknesses.has(Weakness::NoCaughtExceptions) {
            self.builder.act(Action::Catch { filter, to });
        }
        to
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), Confused> {
        match instruction {
            Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                self.constant(constant)?;
            }
            Instruction::Load(Kind::Reference, local) => self.stack.load(local.index.into()),
            Instruction::Store(Kind::Reference, local) => {
                let value = self.stack.pop()?;
                let own = self.builder.bind(value);
                self.stack.store(local.index.into(), own);
            }
            Instruction::ArrayLoad(ArrayKind::Reference) => self.load_element()?,
            Instruction::ArrayStore(ArrayKind::Reference) => self.store_element()?,
            Instruction::Return(Some(Kind::Reference)) => {
                let value = self.stack.pop()?;
                self.builder.move_to(value, self.builder.result());
            }
            Instruction::AThrow => {
                let thrown = self.stack.pop()?;
                self.builder.act(Action::Throw(thrown));
            }
            Instruction::Field(op, member) => self.field(*op, member)?,
            Instruction::Invoke(op, member) => self.call(*op, member)?,
            Instruction::InvokeDynamic(site) => self.dynamic_call(site)?,
            Instruction::New(_)
            | Instruction::NewArray(_)
            | Instruction::ANewArray(_)
            | Instruction::MultiANewArray(..) => {
                let made = self.made(instruction)?;
                self.stack.push(made);
            }
            Instruction::CheckCast(name) => {
                let (from, to) = (self.stack.pop()?, self.builder.fresh());
                let filter = self.class_constant(name);
                self.builder.move_filtered(from, to, filter);
                self.stack.push(to);
            }
            Instruction::InstanceOf(name) => {
                self.class_constant(name);
                self.stack.drop(1)?;
                self.stack.push_numbers(1);
            }
            other => self.plain(other)?,
        }
        self.stack.check()
    }

    fn load_element(&mut self) -> Result<(), Confused> {
        self.stack.drop(1)?;
        let (array, to) = (self.stack.pop()?, self.builder.fresh());
        self.builder.act(Action::LoadElement { array, to });
        self.stack.push(to);
        Ok(())
    }

    fn store_element(&mut self) -> Result<(), Confused> {
        let from = self.stack.pop()?;
        self.stack.drop(1)?;
        let array = self.stack.pop()?;
        self.builder.act(Action::StoreElement { array, from });
        Ok(())
    }

    /// The object or array that an instruction creates.
    fn made(&mut self, instruction: &Instruction) -> Result<Value, Confused> {
        match instruction {
            Instruction::New(name) => {
                let class = self.world.hierarchy.id(name);
                self.builder.act(Action::Initialise(class));
                Ok(self.new_object(class))
            }
            Instruction::ANewArray(name) => {
                self.stack.drop(1)?;
                let component = FieldType::of_class_constant(name).map_err(|_| Confused)?;
                self.class_constant(name);
                Ok(self.new_array(&component.array()))
            }
            Instruction::MultiANewArray(name, dimensions) => {
                self.stack.drop(usize::from(*dimensions))?;
                let type_ = FieldType::of_class_constant(name).map_err(|_| Confused)?;
                self.class_constant(name);
                Ok(self.new_arrays(&type_, (*dimensions).into()))
            }
            // An array of primitive values holds no objects.
            _ => {
                self.stack.drop(1)?;
                Ok(self.builder.fresh())
            }
        }
    }

    /// Interprets instructions that move operands or compute numbers.
    fn plain(&mut self, instruction: &Instruction) -> Result<(), Confused> {
        let (takes, gives) = match instruction {
            Instruction::AConstNull => {
                let null = self.builder.fresh();
                self.stack.push(null);
                (0, 0)
            }
            Instruction::Stack(op) => {
                self.stack.shuffle(*op)?;
                (0, 0)
            }
            Instruction::Store(kind, local) => {
                let slots = if is_wide(*kind) { 2 } else { 1 };
                (0..slots).for_each(|slot| self.stack.store(usize::from(local.index) + slot, Value::NONE));
                (slots, 0)
            }
            Instruction::Load(kind, _) => (0, if is_wide(*kind) { 2 } else { 1 }),
            Instruction::IConst(_) | Instruction::FConst(_) | Instruction::BiPush(_) | Instruction::SiPush(_) => (0, 1),
            Instruction::LConst(_) | Instruction::DConst(_) => (0, 2),
            Instruction::ArrayLoad(kind) => (2, element_slots(*kind)),
            Instruction::ArrayStore(kind) => (2 + element_slots(*kind), 0),
            Instruction::Arithmetic(_, kind) => (number_slots(*kind), 0),
            Instruction::Logic(_, kind) => (1 + *kind as usize, 0),
            Instruction::Shift(..) => (1, 0),
            Instruction::Convert(conversion) => (number_slots(conversion.from()), number_slots(conversion.to())),
            Instruction::Compare(Comparison::FloatLess | Comparison::FloatGreater) => (2, 1),
            Instruction::Compare(_) => (4, 1),
            Instruction::If(condition, _) => (condition.operands(), 0),
            Instruction::TableSwitch(_) | Instruction::LookupSwitch(_) => (1, 0),
            Instruction::ArrayLength => (1, 1),
            Instruction::MonitorEnter | Instruction::MonitorExit => (1, 0),
            Instruction::Jsr(_) | Instruction::JsrW(_) | Instruction::Ret(_) => return Err(Confused),
            _ => (0, 0),
        };
        self.stack.drop(takes)?;
        self.stack.push_numbers(gives);
        Ok(())
    }

    fn constant(&mut self, constant: &Constant) -> Result<(), Confused> {
        let known = &self.world.known;
        let class = match constant {
            Constant::Int(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_) => {
                self.stack.push_numbers(if constant.is_wide() { 2 } else { 1 });
                return Ok(());
            }
            Constant::Dynamic(dynamic) => return self.dynamic_constant(dynamic),
            Constant::String(_) => known.string,
            Constant::Class(name) => {
                self.class_constant(name);
                if let Some(class) = self.world.enum_named(name) {
                    self.builder.act(Action::MirrorEnum(class));
                }
                self.world.known.class
            }
            Constant::MethodType(_) => known.method_type,
            Constant::MethodHandle(_) => known.method_handle,
        };
        let made = self.new_object(class);
        self.stack.push(made);
        Ok(())
    }

    fn field(&mut self, op: FieldOp, member: &MemberRef) -> Result<(), Confused> {
        let type_ = FieldType::parse(member.descriptor.as_bytes()).map_err(|_| Confused)?;
        let owner = self.world.hierarchy.owner(&member.owner);
        self.builder.name(owner);
        let field = self.world.resolve_field(member);
        if let (true, Some(field)) = (op.is_static(), field) {
            self.builder.act(Action::Initialise(field.class));
        }
        let lost = op.is_static() && self.world.weaknesses.has(Weakness::NoStaticFields);
        let field = field.filter(|_| type_.is_reference() && !lost);
        if op.is_put() {
            let from = if type_.is_reference() { self.stack.pop()? } else { Value::NONE };
            self.stack.drop(if type_.is_reference() { 0 } else { type_.slots() })?;
            self.stack.drop(usize::from(!op.is_static()))?;
            if let Some(field) = field.filter(|_| from.is_object()) {
                self.builder.act(Action::WriteField { field, from });
            }
            return Ok(());
        }
        self.stack.drop(usize::from(!op.is_static()))?;
        if !type_.is_reference() {
            self.stack.push_numbers(type_.slots());
            return Ok(());
        }
        let to = self.builder.fresh();
        if let Some(field) = field {
            self.builder.act(Action::ReadField { field, to });
        }
        self.stack.push(to);
        Ok(())
    }

    pub(super) fn new_object(&mut self, class: ClassId) -> Value {
        new_object(self.world, &mut self.builder, class)
    }

    fn new_array(&mut self, type_: &FieldType) -> Value {
        let to = self.builder.fresh();
        if let Some(filter) = self.world.types.declared(type_) {
            let type_ = self.world.types.array(filter);
            self.builder.act(Action::New { type_, to });
        }
        to
    }

    /// Creates an array of arrays, and the arrays in it.
    fn new_arrays(&mut self, type_: &FieldType, dimensions: usize) -> Value {
        let array = self.new_array(type_);
        if let (FieldType::Array(component), true) = (type_, dimensions > 1) {
            let from = self.new_arrays(component, dimensions - 1);
            self.builder.act(Action::StoreElement { array, from });
        }
        array
    }

    /// The filter of a class constant; the class counts as named.
    fn class_constant(&mut self, name: &Text) -> FilterId {
        let Ok(type_) = FieldType::of_class_constant(name) else { return FilterId::ANY };
        if let Some(class) = type_.class() {
            let class = self.world.hierarchy.id(class);
            self.builder.name(class);
        }
        self.world.types.declared(&type_).unwrap_or(FilterId::ANY)
    }
}

/// Creates a new object of a class. If the class cannot be instantiated, only names it.
pub(super) fn new_object(world: &mut World, builder: &mut Builder, class: ClassId) -> Value {
    let to = builder.fresh();
    builder.name(class);
    match world.hierarchy.class(class) {
        None => {
            world.missing.insert(world.hierarchy.name(class).clone());
        }
        Some(file)
            if file.access & (lapidary_classfile::access::ABSTRACT | lapidary_classfile::access::INTERFACE) == 0 =>
        {
            let type_ = world.types.class(class);
            builder.act(Action::New { type_, to });
        }
        Some(_) => {}
    }
    to
}

fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::Long | Kind::Double)
}

fn element_slots(kind: ArrayKind) -> usize {
    if matches!(kind, ArrayKind::Long | ArrayKind::Double) { 2 } else { 1 }
}

fn number_slots(kind: NumberKind) -> usize {
    if matches!(kind, NumberKind::Long | NumberKind::Double) { 2 } else { 1 }
}
