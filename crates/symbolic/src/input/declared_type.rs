//! The declared type of a parameter or field with its type arguments: a `List<String>` is filled
//! with other values than a `List<Integer>`.

use lapidary_classfile::{Attributed, Class, Field, Method, Text};
use lapidary_jvm::{
    BaseType, ClassSignature, ClassType, FieldType, GenericType, MethodSignature, MethodType, TypeArgument,
    TypeParameter,
};

/// A type with its arguments. A type variable is replaced by the argument that the class has for
/// it, or else by its bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DeclaredType {
    Base(BaseType),
    Class(Text, Vec<DeclaredType>),
    Array(Box<DeclaredType>),
}

impl DeclaredType {
    pub fn class(name: &str) -> DeclaredType {
        DeclaredType::Class(name.into(), Vec::new())
    }

    /// A type without type arguments.
    pub fn erased(type_: &FieldType) -> DeclaredType {
        match type_ {
            FieldType::Base(base) => DeclaredType::Base(*base),
            FieldType::Object(name) => DeclaredType::Class(name.clone(), Vec::new()),
            FieldType::Array(element) => DeclaredType::Array(Box::new(DeclaredType::erased(element))),
        }
    }

    /// The type as in a descriptor.
    pub fn field_type(&self) -> FieldType {
        match self {
            DeclaredType::Base(base) => FieldType::Base(*base),
            DeclaredType::Class(name, _) => FieldType::Object(name.clone()),
            DeclaredType::Array(element) => element.field_type().array(),
        }
    }

    /// The declared types of the parameters of a method.
    pub fn parameters(class: &Class, method: &Method) -> Vec<DeclaredType> {
        DeclaredType::parameters_in(class, &[], method)
    }

    /// The declared types of the parameters of a method in a class with these type arguments.
    pub fn parameters_in(class: &Class, arguments: &[DeclaredType], method: &Method) -> Vec<DeclaredType> {
        let Ok(type_) = MethodType::parse(method.descriptor.as_bytes()) else { return Vec::new() };
        let signature = method.signature().and_then(|signature| MethodSignature::parse(signature.as_bytes()).ok());
        // Constructors of inner classes and enums have parameters that the signature leaves out.
        let Some(signature) = signature.filter(|found| found.parameters.len() == type_.parameters.len()) else {
            return type_.parameters.iter().map(DeclaredType::erased).collect();
        };
        let scope = Scope::new(&signature.type_parameters, class, arguments);
        let pairs = signature.parameters.iter().zip(&type_.parameters);
        pairs.map(|(generic, erased)| DeclaredType::declared(generic, erased, &scope)).collect()
    }

    /// The declared type of a field in a class with these type arguments.
    pub fn field(class: &Class, arguments: &[DeclaredType], field: &Field) -> Option<DeclaredType> {
        let type_ = FieldType::parse(field.descriptor.as_bytes()).ok()?;
        let generic = field.signature().and_then(|signature| GenericType::parse_field(signature.as_bytes()).ok());
        Some(match generic {
            Some(generic) => DeclaredType::declared(&generic, &type_, &Scope::new(&[], class, arguments)),
            None => DeclaredType::erased(&type_),
        })
    }

    /// Uses the generic type only if its erasure agrees with the descriptor.
    fn declared(generic: &GenericType, erased: &FieldType, scope: &Scope<'_>) -> DeclaredType {
        let bounds = Scope { arguments: &[], ..scope.clone() };
        let is_true = DeclaredType::of(generic, &bounds).field_type() == *erased;
        if is_true { DeclaredType::of(generic, scope) } else { DeclaredType::erased(erased) }
    }

    fn of(generic: &GenericType, scope: &Scope<'_>) -> DeclaredType {
        match generic {
            GenericType::Base(base) => DeclaredType::Base(*base),
            GenericType::Array(element) => DeclaredType::Array(Box::new(DeclaredType::of(element, scope))),
            GenericType::Class(class) => DeclaredType::Class(class.name(), arguments(class, scope)),
            GenericType::Variable(name) => match scope.argument(name) {
                Some(argument) => argument.clone(),
                None => DeclaredType::Class(scope.bound(name), Vec::new()),
            },
        }
    }
}

/// The meaning of type variables.
#[derive(Clone)]
struct Scope<'a> {
    /// The type parameters of the method.
    own: &'a [TypeParameter],
    /// The type parameters of its class, and the arguments for them.
    of_class: Vec<TypeParameter>,
    arguments: &'a [DeclaredType],
}

impl<'a> Scope<'a> {
    fn new(own: &'a [TypeParameter], class: &Class, arguments: &'a [DeclaredType]) -> Scope<'a> {
        Scope { own, of_class: type_parameters(class), arguments }
    }

    /// The argument for a variable of the class. A wildcard says less than the bound of the
    /// variable, so `Object` is ignored.
    fn argument(&self, name: &Text) -> Option<&DeclaredType> {
        if self.own.iter().any(|parameter| parameter.name == *name) {
            return None;
        }
        let place = self.of_class.iter().position(|parameter| parameter.name == *name)?;
        self.arguments.get(place).filter(|argument| **argument != DeclaredType::class("java/lang/Object"))
    }

    /// The class that bounds a variable. If the bound is itself a variable, it is looked up in
    /// turn.
    fn bound(&self, name: &Text) -> Text {
        let mut name = name;
        for _ in 0..=self.own.len() + self.of_class.len() {
            let found = self.own.iter().chain(&self.of_class).find(|parameter| parameter.name == *name);
            let first = found.and_then(|found| found.class_bound.as_ref().or(found.interface_bounds.first()));
            match first {
                Some(GenericType::Class(class)) => return class.name(),
                Some(GenericType::Variable(other)) => name = other,
                _ => break,
            }
        }
        "java/lang/Object".into()
    }
}

fn type_parameters(class: &Class) -> Vec<TypeParameter> {
    let signature = class.signature().and_then(|signature| ClassSignature::parse(signature.as_bytes()).ok());
    signature.map_or(Vec::new(), |signature| signature.type_parameters)
}

fn arguments(class: &ClassType, scope: &Scope<'_>) -> Vec<DeclaredType> {
    let last = class.segments.last().map_or(&[][..], |segment| &segment.arguments);
    let argument = |argument: &TypeArgument| match argument {
        TypeArgument::Any => DeclaredType::class("java/lang/Object"),
        TypeArgument::Exact(type_) | TypeArgument::Extends(type_) | TypeArgument::Super(type_) => {
            DeclaredType::of(type_, scope)
        }
    };
    last.iter().map(argument).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_classfile::{Attribute, Version};

    fn wanted(descriptor: &str, signature: &str) -> Vec<DeclaredType> {
        let class = Class::new(Version { major: 61, minor: 0 }, "A", None);
        let attributes = vec![Attribute::Signature(signature.into())];
        let method = Method { access: 0, name: "m".into(), descriptor: descriptor.into(), attributes };
        DeclaredType::parameters(&class, &method)
    }

    #[test]
    fn type_arguments_count() {
        let list = |element| DeclaredType::Class("java/util/List".into(), vec![element]);
        let [first, second] = &wanted(
            "(Ljava/util/List;Ljava/lang/Comparable;)V",
            "<T::Ljava/lang/Comparable<TT;>;>(Ljava/util/List<+Ljava/lang/String;>;TT;)V",
        )[..] else {
            panic!("two parameters")
        };
        assert_eq!(*first, list(DeclaredType::class("java/lang/String")));
        assert_eq!(*second, DeclaredType::class("java/lang/Comparable"));
    }

    #[test]
    fn a_signature_that_lies_is_not_believed() {
        assert_eq!(wanted("(I)V", "(Ljava/util/List<TT;>;)V"), [DeclaredType::Base(BaseType::Int)]);
        assert_eq!(wanted("(I)V", "()V"), [DeclaredType::Base(BaseType::Int)]);
    }

    #[test]
    fn variables_that_bound_each_other_end_at_object() {
        let found = wanted("(Ljava/lang/Object;)V", "<A:TB;B:TA;>(TA;)V");
        assert_eq!(found, [DeclaredType::class("java/lang/Object")]);
    }
}
