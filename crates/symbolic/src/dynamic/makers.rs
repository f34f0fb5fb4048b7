//! Generated methods that make inputs: one for each kind, which chooses among its alternatives, and
//! one for each field of an object that is an input. They call the natives of `lapidary.Given`, the
//! constructors of the program, and each other.

use super::emit::{self, Emitter};
use crate::engine::Engine;
use crate::input::{Alternative, Factory, KindId, Kinds};
use crate::method::Method;
use lapidary_classfile::{
    Arithmetic, ArrayKind, Class, Condition, FieldOp, Instruction, InvokeOp, Kind, Local, NumberKind, StackOp, Text,
    access,
};
use lapidary_jvm::{BaseType, FieldType, MethodType};
use std::rc::Rc;

pub(super) const GIVEN: &str = "lapidary/Given";

/// The local variables of a maker.
const DEPTH: usize = 0;
const CHOICE: u16 = 1;
const LENGTH: u16 = 2;
const INDEX: u16 = 3;

impl Engine {
    /// Generates the makers of a kind and of all its parts.
    pub(super) fn define_makers(&mut self, kind: KindId) {
        let mut waiting = vec![kind];
        while let Some(kind) = waiting.pop() {
            if self.made_kinds.insert(kind) {
                let class = maker_class(&self.kinds, kind);
                self.define(class);
                for alternative in &self.kinds.get(kind).alternatives {
                    parts(alternative, &mut waiting);
                }
            }
        }
    }

    /// Generates a method that sets a field of an input object. It takes the object and the depth
    /// of the value.
    pub(crate) fn field_maker(&mut self, owner: &Text, name: &Text, slot: usize, of: KindId) -> Option<Rc<Method>> {
        let hierarchy = self.world.hierarchy.clone();
        let declaring = hierarchy.class(hierarchy.id(owner))?;
        let field = declaring.fields.iter().find(|field| field.name == *name && field.access & access::STATIC == 0)?;
        let kind = self.kinds.of_field(&hierarchy, declaring, of, field)?;
        let types = [FieldType::parse(field.descriptor.as_bytes()).ok()?, self.kinds.get(kind).type_.clone()];
        self.define_makers(kind);
        let class_name = format!("lapidary/Given$Field${}${slot}${}", owner.as_str().replace('/', "$"), kind.0);
        Some(self.only_method_of(field_class(class_name, owner, name, slot, types, kind)))
    }
}

/// Emits a call of the maker of a kind; the depth is on the stack.
pub(super) fn make(emitter: &mut Emitter, kind: KindId, type_: &FieldType) {
    emitter.invoke(InvokeOp::Static, &maker_name(kind), "make", &format!("(I){type_}"));
}

fn maker_name(kind: KindId) -> String {
    format!("{GIVEN}$Kind${}", kind.0)
}

fn parts(alternative: &Alternative, into: &mut Vec<KindId>) {
    match alternative {
        Alternative::Array(part) | Alternative::Elements(_, part) => into.push(*part),
        Alternative::Entries(_, key, value) => into.extend([*key, *value]),
        Alternative::Made(_, parts) => into.extend(parts),
        _ => {}
    }
}

/// `declared` is the type of the field; `given` is the type of its value, which may be narrower.
fn field_class(
    name: String,
    owner: &Text,
    field: &Text,
    slot: usize,
    [declared, given]: [FieldType; 2],
    kind: KindId,
) -> Class {
    let object = FieldType::Object("java/lang/Object".into());
    let mut emitter = Emitter::new(2);
    emitter.load(&object, 0);
    emitter.int(slot as i32);
    emitter.invoke(InvokeOp::Static, GIVEN, "field", "(Ljava/lang/Object;I)V");
    emitter.load(&object, 0);
    emitter.load(&FieldType::Base(BaseType::Int), 1);
    make(&mut emitter, kind, &given);
    emitter.field(FieldOp::PutField, owner, field, &declared);
    emitter.invoke(InvokeOp::Static, GIVEN, "given", "()V");
    emitter.return_(None);
    let taken = MethodType { parameters: vec![object, FieldType::Base(BaseType::Int)], result: None };
    let mut class = emit::class(name);
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, &"make".into(), &taken));
    class
}

fn maker_class(kinds: &Kinds, id: KindId) -> Class {
    let kind = kinds.get(id);
    let mut maker = Maker { emitter: Emitter::new(4), kinds, id };
    if let [only] = &kind.alternatives[..]
        && only.is_of_type()
    {
        maker.alternative(0, only);
    } else {
        maker.chosen();
    }
    let type_ = MethodType { parameters: vec![FieldType::Base(BaseType::Int)], result: Some(kind.type_.clone()) };
    let mut class = emit::class(maker_name(id));
    class.methods.push(maker.emitter.method(access::PUBLIC | access::STATIC, &"make".into(), &type_));
    class
}

struct Maker<'a> {
    emitter: Emitter,
    kinds: &'a Kinds,
    id: KindId,
}

impl Maker<'_> {
    /// Emits the choice of an alternative. Numbers beyond the last alternative mean existing
    /// objects.
    fn chosen(&mut self) {
        self.load_int(DEPTH as u16);
        self.emitter.int(self.id.0 as i32);
        self.native("select", "(II)I");
        self.store_int(CHOICE);
        let kinds = self.kinds;
        for (place, alternative) in kinds.get(self.id).alternatives.iter().enumerate() {
            self.load_int(CHOICE);
            self.emitter.int(place as i32);
            let next = self.emitter.jump_if(Condition::IntNe);
            self.alternative(place, alternative);
            self.emitter.land(next);
        }
        self.load_int(CHOICE);
        self.emitter.int(self.id.0 as i32);
        self.native("same", "(II)Ljava/lang/Object;");
        self.return_object();
    }

    /// Emits code that makes a value in one way and returns it.
    fn alternative(&mut self, place: usize, alternative: &Alternative) {
        match alternative {
            Alternative::Number(base) => {
                self.number(*base);
                self.emitter.return_(Some(&FieldType::Base(*base)));
            }
            Alternative::Boxed(base) => self.boxed(place, *base),
            Alternative::Text => self.by_native("text", "()Ljava/lang/String;"),
            Alternative::Numbers(_) => self.by_numbered(place, "numbers"),
            Alternative::Array(element) => self.array(place, *element),
            Alternative::Constant(class, name) => self.constant(place, class, name),
            Alternative::Object(_) => {
                self.numbers_of(place);
                self.load_int(DEPTH as u16);
                self.by_native("object", "(III)Ljava/lang/Object;");
            }
            Alternative::Made(call, arguments) => self.made(place, call, arguments),
            Alternative::Elements(class, element) => self.filled(place, class, &[*element]),
            Alternative::Entries(class, key, value) => self.filled(place, class, &[*key, *value]),
            Alternative::Null => self.by_native("nothing", "()Ljava/lang/Object;"),
            Alternative::Unsupported(_) => self.by_numbered(place, "unsupported"),
        }
    }

    fn number(&mut self, base: BaseType) {
        let name = crate::names::base_name(base);
        let (first, rest) = name.split_at(1);
        let name = format!("new{}{rest}", first.to_uppercase());
        self.emitter.invoke(InvokeOp::Static, "lapidary/Symbolic", &name, &format!("(){}", base.letter() as char));
    }

    /// Emits a fresh wrapper object. The caches of `valueOf` would fork over every number in them.
    fn boxed(&mut self, place: usize, base: BaseType) {
        self.open(place);
        let (class, letter) = (base.wrapper(), base.letter() as char);
        if base == BaseType::Boolean {
            self.number(base);
            self.emitter.invoke(InvokeOp::Static, class, "valueOf", &format!("({letter})L{class};"));
        } else {
            self.new_object(class);
            self.number(base);
            self.emitter.invoke(InvokeOp::Special, class, "<init>", &format!("({letter})V"));
        }
        self.done();
    }

    fn constant(&mut self, place: usize, class: &Text, name: &Text) {
        self.open(place);
        self.emitter.field(FieldOp::GetStatic, class, name, &FieldType::Object(class.clone()));
        self.return_object();
    }

    fn made(&mut self, place: usize, call: &Factory, arguments: &[KindId]) {
        self.open(place);
        let is_constructor = call.method == "<init>";
        if is_constructor {
            self.new_object(&call.class.as_str());
        }
        arguments.iter().for_each(|argument| self.part(*argument));
        let operation = if is_constructor { InvokeOp::Special } else { InvokeOp::Static };
        let (class, method, descriptor) = (call.class.as_str(), call.method.as_str(), call.descriptor.as_str());
        self.allowed(|emitter| emitter.invoke(operation, &class, &method, &descriptor));
        self.done();
    }

    fn array(&mut self, place: usize, element: KindId) {
        self.length(place);
        self.load_int(LENGTH);
        if let Some(name) = self.kinds.get(element).type_.class_constant() {
            self.emitter.push(Instruction::ANewArray(name));
        }
        self.each(|maker| {
            maker.emitter.push(Instruction::Stack(StackOp::Dup));
            maker.load_int(INDEX);
            maker.part(element);
            maker.emitter.push(Instruction::ArrayStore(ArrayKind::Reference));
        });
        self.done();
    }

    /// Emits a collection or a map with all its elements.
    fn filled(&mut self, place: usize, class: &Text, parts: &[KindId]) {
        self.length(place);
        self.new_object(&class.as_str());
        self.emitter.invoke(InvokeOp::Special, &class.as_str(), "<init>", "()V");
        self.each(|maker| {
            maker.emitter.push(Instruction::Stack(StackOp::Dup));
            parts.iter().for_each(|part| maker.part(*part));
            maker.allowed(|emitter| match parts {
                [_] => emitter.invoke(InvokeOp::Interface, "java/util/Collection", "add", "(Ljava/lang/Object;)Z"),
                _ => {
                    let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
                    emitter.invoke(InvokeOp::Interface, "java/util/Map", "put", put);
                }
            });
            maker.emitter.push(Instruction::Stack(StackOp::Pop));
        });
        self.done();
    }

    /// Emits a loop that runs `body` for each index below the length.
    fn each(&mut self, body: impl FnOnce(&mut Self)) {
        self.emitter.int(0);
        self.store_int(INDEX);
        let start = self.emitter.here();
        self.load_int(INDEX);
        self.load_int(LENGTH);
        let end = self.emitter.jump_if(Condition::IntGe);
        body(self);
        self.emitter.push(Instruction::Increment(Local::new(INDEX), 1));
        self.emitter.push(Instruction::Goto(start));
        self.emitter.land(end);
    }

    /// Emits a call that may reject its arguments with an exception; such an input does not exist.
    /// Linkage and virtual machine errors are no rejections and propagate.
    fn allowed(&mut self, call: impl FnOnce(&mut Emitter)) {
        let start = self.emitter.here();
        call(&mut self.emitter);
        let end = self.emitter.here();
        self.emitter.push(Instruction::Goto(0));
        let after = end as usize;
        for error in ["java/lang/LinkageError", "java/lang/VirtualMachineError"] {
            self.emitter.handle(start, end, Some(error));
        }
        self.emitter.push(Instruction::AThrow);
        self.emitter.handle(start, end, None);
        self.native("impossible", "()V");
        self.emitter.land(after);
    }

    fn part(&mut self, kind: KindId) {
        self.load_int(DEPTH as u16);
        self.emitter.int(1);
        self.emitter.push(Instruction::Arithmetic(Arithmetic::Sub, NumberKind::Int));
        let type_ = self.kinds.get(kind).type_.clone();
        make(&mut self.emitter, kind, &type_);
    }

    fn length(&mut self, place: usize) {
        self.numbers_of(place);
        self.native("length", "(II)I");
        self.store_int(LENGTH);
    }

    fn open(&mut self, place: usize) {
        self.numbers_of(place);
        self.native("open", "(II)V");
    }

    fn numbers_of(&mut self, place: usize) {
        self.emitter.int(self.id.0 as i32);
        self.emitter.int(place as i32);
    }

    fn by_numbered(&mut self, place: usize, name: &str) {
        self.numbers_of(place);
        self.by_native(name, "(II)Ljava/lang/Object;");
    }

    fn by_native(&mut self, name: &str, descriptor: &str) {
        self.native(name, descriptor);
        self.return_object();
    }

    fn native(&mut self, name: &str, descriptor: &str) {
        self.emitter.invoke(InvokeOp::Static, GIVEN, name, descriptor);
    }

    fn new_object(&mut self, class: &str) {
        self.emitter.push(Instruction::New(class.into()));
        self.emitter.push(Instruction::Stack(StackOp::Dup));
    }

    fn load_int(&mut self, local: u16) {
        self.emitter.push(Instruction::Load(Kind::Int, Local::new(local)));
    }

    fn store_int(&mut self, local: u16) {
        self.emitter.push(Instruction::Store(Kind::Int, Local::new(local)));
    }

    /// Emits the return of a value that was made in parts.
    fn done(&mut self) {
        self.by_native("done", "(Ljava/lang/Object;)Ljava/lang/Object;");
    }

    fn return_object(&mut self) {
        self.emitter.push(Instruction::Return(Some(Kind::Reference)));
    }
}
