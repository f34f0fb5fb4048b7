//! `java.lang.Class`.

use super::{Call, Effect, Line, nothing, value};
use crate::Ending;
use crate::halt::Halt;
use crate::heap::Nature;
use crate::machine::Machine;
use crate::state::State;
use crate::types::{Type, TypeId};
use crate::value::Value;
use lapidary_classfile::{InnerClass, Text, access};
use lapidary_jvm::{BaseType, ClassId, FieldType};

pub(super) const TABLE: &[Line] = &[
    ("java/lang/Class.getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;", primitive_class),
    ("java/lang/Class.desiredAssertionStatus()Z", assertions),
    ("java/lang/Class.isArray()Z", is_array),
    ("java/lang/Class.isPrimitive()Z", is_primitive),
    ("java/lang/Class.isInterface()Z", is_interface),
    ("java/lang/Class.isHidden()Z", is_hidden),
    ("java/lang/Class.isRecord()Z", is_record),
    ("java/lang/Class.isInstance(Ljava/lang/Object;)Z", is_instance),
    ("java/lang/Class.isAssignableFrom(Ljava/lang/Class;)Z", is_assignable_from),
    ("java/lang/Class.getSuperclass()Ljava/lang/Class;", superclass),
    ("java/lang/Class.getModifiers()I", modifiers),
    ("java/lang/Class.getName()Ljava/lang/String;", name),
    ("java/lang/Class.getTypeName()Ljava/lang/String;", type_name),
    ("java/lang/Class.getSimpleName()Ljava/lang/String;", simple_name),
    ("java/lang/Class.getEnumConstantsShared()[Ljava/lang/Object;", enum_constants),
    ("java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;", for_name),
    ("java/lang/Class.forName(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;", for_name),
    ("java/lang/Class.getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;", declared_field),
    ("java/util/EnumMap.getKeyUniverse(Ljava/lang/Class;)[Ljava/lang/Enum;", enum_constants),
    ("java/util/EnumSet.getUniverse(Ljava/lang/Class;)[Ljava/lang/Enum;", enum_constants),
    ("jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;", caller_class),
    (
        "jdk/internal/reflect/Reflection.ensureMemberAccess(Ljava/lang/Class;Ljava/lang/Class;Ljava/lang/Class;I)V",
        nothing,
    ),
    ("java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;", new_array),
];

const FIELD: &str = "java/lang/reflect/Field";

pub(super) fn type_of(machine: &mut Machine, state: &mut State, call: &Call<'_>, place: usize) -> Result<TypeId, Halt> {
    let mirror = machine.present(state, call, place)?;
    match state.heap.get(mirror).nature() {
        Nature::Mirror(type_) => Ok(*type_),
        _ => machine.broken("a class object that is none"),
    }
}

pub(super) fn class_of(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Option<ClassId>, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    Ok(match machine.world.types.get(type_) {
        Type::Class(class) => Some(class),
        _ => None,
    })
}

fn primitive_class(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let name = machine.present(state, call, 0)?;
    let name = machine.text_of(state, name).unwrap_or_default();
    let base = BaseType::ALL.into_iter().find(|base| crate::names::base_name(*base) == name);
    let type_ = machine.world.types.number(base.map_or(Type::Void, Type::Base));
    value(Some(machine.mirror(state, type_)?))
}

/// Assertions are enabled in the program and disabled in the library.
fn assertions(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let class = class_of(machine, state, call)?;
    let own = class.is_some_and(|class| machine.is_own(class));
    value(Value::boolean(own))
}

fn is_array(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    value(Value::boolean(matches!(machine.world.types.get(type_), Type::Array(_))))
}

fn is_primitive(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    value(Value::boolean(matches!(machine.world.types.get(type_), Type::Base(_) | Type::Void)))
}

fn flags(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<u16, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    flags_of(machine, state, type_)
}

/// The modifiers of a type. An array is as accessible as its elements.
fn flags_of(machine: &mut Machine, state: &mut State, type_: TypeId) -> Result<u16, Halt> {
    const ACCESS: u16 = access::PUBLIC | access::PROTECTED | access::PRIVATE;
    match machine.world.types.get(type_) {
        Type::Class(class) => {
            let loaded = machine.load(state, class)?;
            let inner = machine.inner_entry(class).map(|entry| entry.access);
            Ok(inner.unwrap_or(loaded.access & !access::SUPER))
        }
        Type::Array(element) => Ok(flags_of(machine, state, element)? & ACCESS | access::FINAL | access::ABSTRACT),
        _ => Ok(access::PUBLIC | access::FINAL | access::ABSTRACT),
    }
}

fn is_interface(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let flags = flags(machine, state, call)?;
    value(Value::boolean(flags & access::INTERFACE != 0))
}

fn modifiers(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    value(i32::from(flags(machine, state, call)?))
}

/// The classes of lambda expressions and method references are hidden.
fn is_hidden(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let class = class_of(machine, state, call)?;
    let is_lambda = |class| machine.world.hierarchy.name(class).as_str().contains("$$Lambda$");
    value(Value::boolean(class.is_some_and(is_lambda)))
}

fn is_record(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let class = class_of(machine, state, call)?;
    let class = class.and_then(|class| machine.world.hierarchy.class(class).cloned());
    value(Value::boolean(class.is_some_and(|class| class.record_components().is_some())))
}

fn is_instance(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    let object = call.reference(1).map(|object| state.heap.get(object).type_);
    value(Value::boolean(object.is_some_and(|object| machine.world.is_subtype(object, type_))))
}

fn is_assignable_from(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (above, below) = (type_of(machine, state, call, 0)?, type_of(machine, state, call, 1)?);
    value(Value::boolean(machine.world.is_subtype(below, above)))
}

fn superclass(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    let above = match machine.world.types.get(type_) {
        Type::Class(class) if machine.world.hierarchy.is_interface(class) == Some(false) => {
            machine.world.hierarchy.superclass(class)
        }
        Type::Array(_) => Some(machine.world.hierarchy.object()),
        _ => None,
    };
    let Some(above) = above else { return value(Value::NULL) };
    let above = machine.world.type_of_class(above);
    value(Some(machine.mirror(state, above)?))
}

fn name(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    let name = machine.type_name(type_);
    interned(machine, state, &name)
}

/// The name of a type as in the source, such as `int[][]`.
fn type_name(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let mut type_ = type_of(machine, state, call, 0)?;
    let mut brackets = String::new();
    while let Type::Array(element) = machine.world.types.get(type_) {
        type_ = element;
        brackets.push_str("[]");
    }
    let name = machine.type_name(type_) + &brackets;
    interned(machine, state, &name)
}

pub(super) fn interned(machine: &mut Machine, state: &mut State, text: &str) -> Result<Effect, Halt> {
    let number = machine.world.literal(&text.into());
    value(Some(machine.literal(state, number)?))
}

fn simple_name(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let type_ = type_of(machine, state, call, 0)?;
    let name = simple(machine, type_);
    interned(machine, state, &name)
}

fn simple(machine: &Machine, type_: TypeId) -> String {
    match machine.world.types.get(type_) {
        Type::Array(element) => simple(machine, element) + "[]",
        Type::Class(class) => machine.simple_name(machine.world.hierarchy.name(class)),
        _ => machine.type_name(type_),
    }
}

impl Machine {
    /// The name of a class as in its source; empty for an anonymous class.
    pub(crate) fn simple_name(&self, class: &Text) -> String {
        match self.inner_entry(self.world.hierarchy.id(class)) {
            Some(entry) => entry.name.map_or(String::new(), |name| name.as_str().into_owned()),
            None => class.as_str().rsplit('/').next().unwrap_or_default().to_owned(),
        }
    }

    /// The entry of a nested class that describes the class itself.
    pub(super) fn inner_entry(&self, class: ClassId) -> Option<InnerClass> {
        let declared = self.world.hierarchy.class(class)?;
        declared.inner_classes().iter().find(|entry| entry.inner == declared.name).cloned()
    }
}

/// The constants of an enum, from its method `values`.
fn enum_constants(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let Some(class) = class_of(machine, state, call)? else { return value(Value::NULL) };
    let declared = machine.world.hierarchy.name(class).clone();
    let descriptor = format!("()[L{declared};");
    let Some(values) = machine.world.declared(class, "values", &descriptor) else { return value(Value::NULL) };
    machine.initialise(state, class)?;
    Ok(Effect::Call(values, Vec::new()))
}

fn for_name(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let name = machine.present(state, call, 0)?;
    let Some(name) = machine.text_of(state, name) else {
        return Err(Halt::End(Ending::unsupported("Class.forName of a text that depends on symbols".into())));
    };
    // `Class.forName` does not accept slashes.
    let constant = (!name.contains('/')).then(|| Text::from(name.replace('.', "/")));
    let Some(type_) = constant.and_then(|constant| machine.world.type_of_constant(&constant)) else {
        return machine.throw(state, "java/lang/ClassNotFoundException", Some(&name));
    };
    let Type::Class(class) = machine.world.types.get(element_of(machine, type_)) else {
        return value(Some(machine.mirror(state, type_)?));
    };
    let has_no_loader = call.arguments.len() > 1 && call.reference(2).is_none();
    if machine.world.load(class).is_err() || has_no_loader && machine.is_own(class) {
        let missing = machine.world.hierarchy.name(class).as_str().replace('/', ".");
        return machine.throw(state, "java/lang/ClassNotFoundException", Some(&missing));
    }
    let initialises = call.arguments.len() == 1 || !matches!(call.value(1), Value::Int(0));
    if initialises && matches!(machine.world.types.get(type_), Type::Class(_)) {
        machine.initialise(state, class)?;
    }
    value(Some(machine.mirror(state, type_)?))
}

/// The type of the elements of an array of any dimension; any other type is its own.
pub(super) fn element_of(machine: &Machine, type_: TypeId) -> TypeId {
    match machine.world.types.get(type_) {
        Type::Array(element) => element_of(machine, element),
        _ => type_,
    }
}

/// Makes a `Field` that has its class, its name, its type and its modifiers.
fn declared_field(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (class, name) = (class_of(machine, state, call)?, machine.present(state, call, 1)?);
    let Some(text) = machine.text_of(state, name) else {
        return Err(Halt::End(Ending::unsupported("a field whose name depends on symbols".into())));
    };
    let declared = class.and_then(|class| machine.world.hierarchy.class(class).cloned());
    let Some(field) = declared.and_then(|class| class.fields.iter().find(|field| field.name == *text).cloned()) else {
        return machine.throw(state, "java/lang/NoSuchFieldException", Some(&text));
    };
    let Ok(type_) = FieldType::parse(field.descriptor.as_bytes()) else {
        return machine.broken("a field that has no type");
    };
    let world = &mut machine.world;
    let type_ = world.types.of_field(&type_, &world.hierarchy);
    let type_ = Value::object(machine.mirror(state, type_)?);
    let (name, modifiers) = (machine.world.literal(&field.name), Value::Int(field.access.into()));
    let name = Value::object(machine.literal(state, name)?);
    let id = machine.world.hierarchy.id(&FIELD.into());
    machine.initialise(state, id)?;
    let known = [("clazz", call.value(0)), ("name", name), ("type", type_), ("modifiers", modifiers)];
    value(Some(machine.set_up(state, FIELD, &known)?))
}

/// The class whose method called the method that asks.
fn caller_class(machine: &mut Machine, state: &mut State, _: &Call<'_>) -> Result<Effect, Halt> {
    let asking = state.top();
    let class = asking.caller.as_ref().map_or(asking.method.class, |caller| caller.method.class);
    let type_ = machine.world.type_of_class(class);
    value(Some(machine.mirror(state, type_)?))
}

fn new_array(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let element = type_of(machine, state, call, 0)?;
    if matches!(machine.world.types.get(element), Type::Void) {
        return machine.throw(state, "java/lang/IllegalArgumentException", None);
    }
    let length = machine.concrete_int(state, call.value(1))?;
    match usize::try_from(length) {
        Ok(length) => {
            machine.room(state, length as u64)?;
            value(Some(machine.allocate_array(state, element, length)))
        }
        Err(_) => machine.throw(state, "java/lang/NegativeArraySizeException", Some(&length.to_string())),
    }
}
