//! The classes of the program and of the library, prepared for the machine. All states share them;
//! what differs between states is in [`crate::state::State`].

use crate::method::{FindNative, Method, MethodBody, NativeId, Prepared, Signature};
use crate::types::{Type, TypeId, Types};
use crate::value::Value;
use lapidary_classfile::{Attribute, Constant, Field, Text, access};
use lapidary_jvm::{ClassId, FieldId, FieldType, Hierarchy, MethodId, MethodType, Selection};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The loaded classes and methods of one version of a program.
pub struct World {
    pub hierarchy: Arc<Hierarchy>,
    pub types: Types,
    find_native: FindNative,
    classes: HashMap<ClassId, Result<Rc<LoadedClass>, Missing>>,
    methods: HashMap<MethodId, Rc<Method>>,
    /// Methods with their original code, for those that the machine implements only in some cases.
    originals: HashMap<MethodId, Rc<Method>>,
    /// Every method used so far, by number.
    pub all_methods: Vec<Rc<Method>>,
    selections: HashMap<(ClassId, MethodId), Result<Rc<Method>, &'static str>>,
    literals: Rc<RefCell<Literals>>,
    /// Tells the worlds of two versions of a program apart.
    version: u32,
    /// How many generated classes of the other version were taken over.
    adopted: usize,
}

/// String literals by number, shared by the worlds of two versions.
#[derive(Default)]
struct Literals {
    numbers: HashMap<Text, u32>,
    texts: Vec<Text>,
}

/// A class that does not exist, lacks a superclass, or is its own superclass.
#[derive(Clone, Debug)]
pub struct Missing {
    pub name: Text,
    /// The error that is thrown where the class is needed.
    pub error: &'static str,
}

impl Missing {
    fn not_found(name: Text) -> Missing {
        Missing { name, error: "java/lang/NoClassDefFoundError" }
    }

    pub fn is_circular(&self) -> bool {
        self.error == "java/lang/ClassCircularityError"
    }

    fn circular(name: Text) -> Missing {
        Missing { name, error: "java/lang/ClassCircularityError" }
    }
}

/// A step of linking a class and everything above it.
enum Linking {
    Begins,
    Ends,
}

/// A linked class.
pub struct LoadedClass {
    pub id: ClassId,
    pub name: Text,
    pub type_: TypeId,
    pub access: u16,
    pub superclass: Option<ClassId>,
    /// All instance fields, those of superclasses first: declaring class, name and type.
    pub instance_fields: Vec<(ClassId, Text, FieldType)>,
    pub defaults: Box<[Value]>,
    pub static_fields: Vec<StaticField>,
    slots: HashMap<u32, usize>,
    pub initialiser: Option<Rc<Method>>,
    /// The superinterfaces with default methods, which are initialised with the class (JVMS 5.5).
    pub initialised_interfaces: Vec<ClassId>,
}

/// A static field, with its constant value if it has one.
pub struct StaticField {
    pub name: Text,
    pub type_: FieldType,
    pub constant: Option<Constant>,
}

impl World {
    pub fn new(hierarchy: Arc<Hierarchy>, find_native: FindNative) -> World {
        World {
            hierarchy,
            find_native,
            types: Types::default(),
            classes: HashMap::new(),
            methods: HashMap::new(),
            originals: HashMap::new(),
            all_methods: Vec::new(),
            selections: HashMap::new(),
            literals: Rc::default(),
            version: 0,
            adopted: 0,
        }
    }

    /// The world of another version. Types and literals have the same numbers in both, and so do
    /// classes if the hierarchy was created beside that of this world.
    pub fn beside(&self, hierarchy: Arc<Hierarchy>) -> World {
        let (types, literals) = (self.types.beside(), self.literals.clone());
        World { types, literals, version: self.version + 1, ..World::new(hierarchy, self.find_native) }
    }

    /// This version's method of the same class, name and descriptor.
    pub fn own(&mut self, method: &Rc<Method>) -> Rc<Method> {
        if method.version == self.version {
            return method.clone();
        }
        let class = self.hierarchy.id(&method.class_name);
        let id = self.hierarchy.declared_method(class, &method.name, &method.type_.descriptor());
        let Some(id) = id else { return method.clone() };
        let own = self.method(id);
        // Where the machine has left a method to its own code, it does so here, too.
        if matches!((&method.body, &own.body), (MethodBody::Code(_), MethodBody::Native(_))) {
            self.original(id)
        } else {
            own
        }
    }

    /// Whether classes, types and literals have the same numbers in both worlds of different
    /// versions.
    pub fn is_beside(&self, other: &World) -> bool {
        self.version != other.version && self.shares_numbers_with(other)
    }

    /// Takes over the classes that were generated for the other version. Generated classes of the
    /// same name do the same.
    pub fn adopt_classes(&mut self, other: &World) {
        for class in other.hierarchy.class_path().made_after(self.adopted) {
            self.adopted += 1;
            self.hierarchy.class_path().define(class);
        }
    }

    fn shares_numbers_with(&self, other: &World) -> bool {
        Rc::ptr_eq(&self.literals, &other.literals) && self.hierarchy.numbers_like(&other.hierarchy)
    }

    pub fn class_named(&mut self, name: &str) -> Result<Rc<LoadedClass>, Missing> {
        let id = self.hierarchy.id(&name.into());
        self.load(id)
    }

    /// The linked class. Its supertypes are linked first, without recursion, since a chain of them
    /// may be longer than the stack.
    pub fn load(&mut self, id: ClassId) -> Result<Rc<LoadedClass>, Missing> {
        if let Some(known) = self.classes.get(&id) {
            return known.clone();
        }
        let mut open = vec![(id, Linking::Begins)];
        while let Some((id, linking)) = open.pop() {
            match linking {
                // Only a class that has itself as a superclass is seen again before it is linked.
                Linking::Begins if self.classes.contains_key(&id) => {}
                Linking::Begins => {
                    self.classes.insert(id, Err(Missing::circular(self.hierarchy.name(id).clone())));
                    open.push((id, Linking::Ends));
                    let above = self.hierarchy.interfaces(id).iter().rev().copied();
                    open.extend(above.chain(self.hierarchy.superclass(id)).map(|above| (above, Linking::Begins)));
                }
                Linking::Ends => {
                    let linked = self.link(id).map(Rc::new);
                    self.classes.insert(id, linked);
                }
            }
        }
        self.known(id)
    }

    /// A class that was loaded.
    fn known(&self, id: ClassId) -> Result<Rc<LoadedClass>, Missing> {
        self.classes[&id].clone()
    }

    pub fn type_of_class(&mut self, id: ClassId) -> TypeId {
        self.types.number(Type::Class(id))
    }

    /// The type that a class constant names.
    pub fn type_of_constant(&mut self, name: &Text) -> Option<TypeId> {
        let type_ = FieldType::of_class_constant(name).ok()?;
        Some(self.types.of_field(&type_, &self.hierarchy))
    }

    pub fn is_subtype(&mut self, below: TypeId, above: TypeId) -> bool {
        self.types.is_subtype(below, above, &self.hierarchy)
    }

    pub fn method(&mut self, id: MethodId) -> Rc<Method> {
        if let Some(known) = self.methods.get(&id) {
            return known.clone();
        }
        let method = Rc::new(self.prepare(id));
        self.methods.insert(id, method.clone());
        self.all_methods.push(method.clone());
        method
    }

    /// The method with its original code, even if the machine implements it.
    pub fn original(&mut self, id: MethodId) -> Rc<Method> {
        if let Some(known) = self.originals.get(&id) {
            return known.clone();
        }
        let method = Rc::new(self.with_body(id, None));
        self.originals.insert(id, method.clone());
        self.all_methods.push(method.clone());
        method
    }

    /// A method that the class itself declares.
    pub fn declared(&mut self, class: ClassId, name: &str, descriptor: &str) -> Option<Rc<Method>> {
        let id = self.hierarchy.declared_method(class, &name.into(), &descriptor.into())?;
        Some(self.method(id))
    }

    /// The method that runs when `resolved` is called on an object of this class, or the error that
    /// is thrown.
    pub fn select(&mut self, receiver: ClassId, resolved: &Method) -> Result<Rc<Method>, &'static str> {
        let key = (receiver, resolved.id);
        if let Some(known) = self.selections.get(&key) {
            return known.clone();
        }
        let selected = match self.hierarchy.select_method(receiver, resolved.id) {
            Selection::Found(method) => Ok(self.method(method)),
            Selection::Nothing => Err("java/lang/AbstractMethodError"),
            Selection::Conflict => Err("java/lang/IncompatibleClassChangeError"),
            Selection::Unknown(_) => Err("java/lang/NoClassDefFoundError"),
        };
        self.selections.insert(key, selected.clone());
        selected
    }

    /// The index of a field among the fields of an object or the static fields of its class.
    pub fn slot(&mut self, field: FieldId) -> Result<usize, Missing> {
        let class = self.load(field.class)?;
        class.slots.get(&field.index).copied().ok_or_else(|| Missing::not_found(class.name.clone()))
    }

    /// The index of an instance field that the machine itself reads or writes.
    pub fn instance_slot(&mut self, class: &str, field: &str) -> Option<usize> {
        let loaded = self.class_named(class).ok()?;
        loaded.instance_fields.iter().rposition(|(_, name, _)| *name == field)
    }

    /// The number of a string literal, by which a state finds its object.
    pub fn literal(&mut self, text: &Text) -> u32 {
        let Literals { numbers, texts } = &mut *self.literals.borrow_mut();
        if let Some(known) = numbers.get(text) {
            return *known;
        }
        let number = texts.len() as u32;
        texts.push(text.clone());
        numbers.insert(text.clone(), number);
        number
    }

    pub fn literal_text(&self, number: u32) -> Text {
        self.literals.borrow().texts[number as usize].clone()
    }

    fn prepare(&mut self, id: MethodId) -> Method {
        let (declared, class_name) = (self.hierarchy.method(id), self.hierarchy.name(id.class));
        let signature = Signature {
            class: class_name,
            name: &declared.name,
            descriptor: &declared.descriptor,
            is_native: declared.access & access::NATIVE != 0,
        };
        let native = (self.find_native)(&signature);
        self.with_body(id, native)
    }

    fn with_body(&self, id: MethodId, native: Option<NativeId>) -> Method {
        let (declared, class_name) = (self.hierarchy.method(id), self.hierarchy.name(id.class).clone());
        let type_ = MethodType::parse(declared.descriptor.as_bytes());
        let type_ = type_.unwrap_or(MethodType { parameters: Vec::new(), result: None });
        let body = match native {
            Some(native) => MethodBody::Native(native),
            None if declared.access & access::NATIVE != 0 => MethodBody::Unmodelled,
            None => declared.code().map_or(MethodBody::Abstract, |code| MethodBody::Code(Prepared::new(code.clone()))),
        };
        let (number, access, name) = (self.all_methods.len() as u32, declared.access, declared.name.clone());
        Method { id, version: self.version, number, class: id.class, class_name, name, type_, access, body }
    }

    fn link(&mut self, id: ClassId) -> Result<LoadedClass, Missing> {
        let hierarchy = self.hierarchy.clone();
        let class = hierarchy.class(id).ok_or_else(|| Missing::not_found(hierarchy.name(id).clone()))?;
        let superclass = hierarchy.superclass(id);
        let above = superclass.map(|above| self.known(above)).transpose()?;
        for interface in hierarchy.interfaces(id) {
            self.known(*interface)?;
        }
        let mut instance_fields = above.map_or(Vec::new(), |above| above.instance_fields.clone());
        let (mut static_fields, mut slots) = (Vec::new(), HashMap::new());
        for (index, field) in class.fields.iter().enumerate() {
            let Ok(type_) = FieldType::parse(field.descriptor.as_bytes()) else { continue };
            if field.access & access::STATIC != 0 {
                slots.insert(index as u32, static_fields.len());
                static_fields.push(StaticField { name: field.name.clone(), type_, constant: constant_of(field) });
            } else {
                slots.insert(index as u32, instance_fields.len());
                instance_fields.push((id, field.name.clone(), type_));
            }
        }
        let initialiser = hierarchy.declared_method(id, &"<clinit>".into(), &"()V".into());
        Ok(LoadedClass {
            id,
            name: class.name.clone(),
            type_: self.type_of_class(id),
            access: class.access,
            superclass,
            defaults: instance_fields.iter().map(|(_, _, type_)| Value::default_of(type_)).collect(),
            instance_fields,
            static_fields,
            slots,
            initialiser: initialiser.map(|method| self.method(method)),
            initialised_interfaces: self.interfaces_with_code(id),
        })
    }

    /// The interfaces with default methods, each after those it extends. Those of superclasses are
    /// left out.
    fn interfaces_with_code(&self, id: ClassId) -> Vec<ClassId> {
        let mut found = Vec::new();
        if self.hierarchy.is_interface(id) != Some(true) {
            self.hierarchy.interfaces(id).iter().for_each(|interface| self.add_interfaces(*interface, &mut found));
        }
        found.retain(|interface| self.has_default(*interface));
        found
    }

    fn add_interfaces(&self, interface: ClassId, found: &mut Vec<ClassId>) {
        if !found.contains(&interface) {
            self.hierarchy.interfaces(interface).iter().for_each(|above| self.add_interfaces(*above, found));
            found.push(interface);
        }
    }

    fn has_default(&self, interface: ClassId) -> bool {
        let methods = self.hierarchy.class(interface).map_or(&[][..], |class| &class.methods);
        methods.iter().any(|method| method.access & (access::ABSTRACT | access::STATIC) == 0)
    }
}

fn constant_of(field: &Field) -> Option<Constant> {
    field.attributes.iter().find_map(|attribute| match attribute {
        Attribute::ConstantValue(constant) => Some(constant.clone()),
        _ => None,
    })
}
