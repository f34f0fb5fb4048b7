//! The environment in which bodies are built: classes, types, signatures, and enabled weaknesses.

use crate::types::{FilterId, Types};
use crate::weakness::{EXCLUDED_PACKAGES, IGNORED_CALLS, LOST_RESULTS, Weakness, Weaknesses};
use foldhash::fast::RandomState;
use lapidary_classfile::{MemberRef, Text, access};
use lapidary_jvm::{ClassId, FieldId, FieldType, Hierarchy, MethodId, MethodType, Resolution};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) struct World {
    pub hierarchy: Arc<Hierarchy>,
    pub types: Types,
    pub weaknesses: Weaknesses,
    pub known: Known,
    /// Classes that were looked up and not found.
    pub missing: BTreeSet<Text>,
    signatures: HashMap<Text, Option<Rc<Signature>>, RandomState>,
    origins: HashMap<ClassId, ClassOrigin, RandomState>,
}

/// The parameters and the result of a method as filters; `None` for primitive types.
#[derive(Debug)]
pub(crate) struct Signature {
    pub parameters: Vec<Parameter>,
    pub result: Option<FilterId>,
    /// The number of slots that the result takes.
    pub result_slots: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub slots: usize,
    pub filter: Option<FilterId>,
}

/// The part of the program to which a class belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassOrigin {
    Application,
    Platform,
    /// A class in an excluded package, or a subclass of one.
    Excluded,
}

/// Classes that the model of the JVM refers to.
pub(crate) struct Known {
    pub object: ClassId,
    pub string: ClassId,
    pub class: ClassId,
    pub method_type: ClassId,
    pub system: ClassId,
    pub thread: ClassId,
    pub enum_: ClassId,
    pub var_handle: ClassId,
    pub method_handle: ClassId,
    pub unsafes: [ClassId; 2],
}

impl Known {
    fn new(hierarchy: &Hierarchy) -> Self {
        let id = |name: &str| hierarchy.id(&Text::from(name));
        Known {
            object: hierarchy.object(),
            string: id("java/lang/String"),
            class: id("java/lang/Class"),
            method_type: id("java/lang/invoke/MethodType"),
            system: id("java/lang/System"),
            thread: id("java/lang/Thread"),
            enum_: id("java/lang/Enum"),
            var_handle: id("java/lang/invoke/VarHandle"),
            method_handle: id("java/lang/invoke/MethodHandle"),
            unsafes: [id("jdk/internal/misc/Unsafe"), id("sun/misc/Unsafe")],
        }
    }
}

impl World {
    pub fn new(hierarchy: Hierarchy, weaknesses: Weaknesses) -> Self {
        let hierarchy = Arc::new(hierarchy);
        World {
            types: Types::new(hierarchy.clone(), weaknesses.clone()),
            known: Known::new(&hierarchy),
            hierarchy,
            weaknesses,
            missing: BTreeSet::new(),
            signatures: HashMap::default(),
            origins: HashMap::default(),
        }
    }

    /// The signature of a method; `None` for a malformed descriptor.
    pub fn signature(&mut self, descriptor: &Text) -> Option<Rc<Signature>> {
        if let Some(known) = self.signatures.get(descriptor) {
            return known.clone();
        }
        let signature = MethodType::parse(descriptor.as_bytes()).ok().map(|parsed| Rc::new(self.read(&parsed)));
        self.signatures.insert(descriptor.clone(), signature.clone());
        signature
    }

    fn read(&mut self, parsed: &MethodType) -> Signature {
        let parameter = |type_: &FieldType| Parameter { slots: type_.slots(), filter: self.types.declared(type_) };
        let parameters = parsed.parameters.iter().map(parameter).collect();
        let result = parsed.result.as_ref().and_then(|type_| self.types.declared(type_));
        Signature { parameters, result, result_slots: parsed.result.as_ref().map_or(0, FieldType::slots) }
    }

    pub fn resolve_method(&mut self, member: &MemberRef) -> Option<MethodId> {
        let owner = self.hierarchy.owner(&member.owner);
        let resolution = if member.interface {
            self.hierarchy.resolve_interface_method(owner, &member.name, &member.descriptor)
        } else {
            self.hierarchy.resolve_method(owner, &member.name, &member.descriptor)
        };
        self.found(resolution)
    }

    pub fn resolve_field(&mut self, member: &MemberRef) -> Option<FieldId> {
        let owner = self.hierarchy.owner(&member.owner);
        let resolution = self.hierarchy.resolve_field(owner, &member.name, &member.descriptor);
        self.found(resolution)
    }

    fn found<T>(&mut self, resolution: Resolution<T>) -> Option<T> {
        if let Resolution::Unknown(class) = resolution {
            self.missing.insert(self.hierarchy.name(class).clone());
        }
        resolution.found()
    }

    pub fn method_named(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodId> {
        let class = self.hierarchy.id(&Text::from(class));
        self.hierarchy.declared_method(class, &Text::from(name), &Text::from(descriptor))
    }

    /// The enum of this name, if it is one. The class of a constant with a body of its own does not
    /// count.
    pub fn enum_named(&self, name: &Text) -> Option<ClassId> {
        let class = self.hierarchy.id(name);
        self.is_enum(class).then_some(class)
    }

    pub fn is_enum(&self, class: ClassId) -> bool {
        let has_flag = self.hierarchy.class(class).is_some_and(|file| file.access & access::ENUM != 0);
        has_flag && self.hierarchy.superclass(class) == Some(self.known.enum_)
    }

    /// Returns whether a call of the method has no effect.
    pub fn ignores_call(&self, method: MethodId) -> bool {
        IGNORED_CALLS.iter().any(|row| self.is_weak_row(method, row))
    }

    pub fn loses_result(&self, method: MethodId) -> bool {
        LOST_RESULTS.iter().any(|row| self.is_weak_row(method, row))
    }

    fn is_weak_row(&self, method: MethodId, row: &(Weakness, &str, &str)) -> bool {
        self.weaknesses.has(row.0) && self.is_row(method, (row.1, row.2))
    }

    /// Returns whether a method matches a row of a table: its class, and a prefix of its name and
    /// descriptor that includes the whole name.
    pub fn is_row(&self, method: MethodId, (class, wanted): (&str, &str)) -> bool {
        let declared = self.hierarchy.method(method);
        *self.hierarchy.name(method.class) == class
            && wanted
                .as_bytes()
                .strip_prefix(declared.name.as_bytes())
                .is_some_and(|rest| declared.descriptor.as_bytes().starts_with(rest))
    }

    pub fn is_excluded(&mut self, class: ClassId) -> bool {
        self.weaknesses.has(Weakness::NoExcludedSuperclasses) && self.origin(class) == ClassOrigin::Excluded
    }

    pub fn origin(&mut self, class: ClassId) -> ClassOrigin {
        if let Some(known) = self.origins.get(&class) {
            return *known;
        }
        let origin = self.find_origin(class);
        self.origins.insert(class, origin);
        origin
    }

    fn find_origin(&self, class: ClassId) -> ClassOrigin {
        let in_excluded = |class: ClassId| {
            let name = self.hierarchy.name(class).as_bytes();
            EXCLUDED_PACKAGES.iter().any(|package| name.starts_with(package.as_bytes()))
        };
        if self.weaknesses.has(Weakness::NoExcludedSuperclasses) && self.hierarchy.superclasses(class).any(in_excluded)
        {
            return ClassOrigin::Excluded;
        }
        let name = self.hierarchy.name(class);
        let platform = self.hierarchy.class_path().platform();
        let is_platform = name.as_bytes().starts_with(b"java/")
            || platform.is_some_and(|platform| platform.find(&name.as_str()).is_some());
        if is_platform { ClassOrigin::Platform } else { ClassOrigin::Application }
    }
}
