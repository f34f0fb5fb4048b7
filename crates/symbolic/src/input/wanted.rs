//! What a parameter or field is declared as, type arguments included: a `List<String>` is filled with other things than a
//! `List<Integer>`.

use lapidary_classfile::{Attributed, Class, Field, Method, Text};
use lapidary_jvm::{
    BaseType, ClassSignature, ClassType, FieldType, GenericType, MethodSignature, MethodType, TypeArgument,
    TypeParameter,
};

/// A type with its arguments. Type variables are what the class has for them, else what they are bounded by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    Base(BaseType),
    Class(Text, Vec<Wanted>),
    Array(Box<Wanted>),
}

impl Wanted {
    pub fn class(name: &str) -> Wanted {
        Wanted::Class(name.into(), Vec::new())
    }

    /// Without type arguments.
    pub fn erased(type_: &FieldType) -> Wanted {
        match type_ {
            FieldType::Base(base) => Wanted::Base(*base),
            FieldType::Object(name) => Wanted::Class(name.clone(), Vec::new()),
            FieldType::Array(element) => Wanted::Array(Box::new(Wanted::erased(element))),
        }
    }

    /// The type as descriptors have it.
    pub fn field_type(&self) -> FieldType {
        match self {
            Wanted::Base(base) => FieldType::Base(*base),
            Wanted::Class(name, _) => FieldType::Object(name.clone()),
            Wanted::Array(element) => element.field_type().array(),
        }
    }

    /// What the parameters of a method want.
    pub fn parameters(class: &Class, method: &Method) -> Vec<Wanted> {
        Wanted::parameters_in(class, &[], method)
    }

    /// The same where the class has these type arguments.
    pub fn parameters_in(class: &Class, arguments: &[Wanted], method: &Method) -> Vec<Wanted> {
        let Ok(type_) = MethodType::parse(method.descriptor.as_bytes()) else { return Vec::new() };
        let signature = method.signature().and_then(|signature| MethodSignature::parse(signature.as_bytes()).ok());
        // Constructors of inner classes and enums have parameters that the signature leaves out.
        let Some(signature) = signature.filter(|found| found.parameters.len() == type_.parameters.len()) else {
            return type_.parameters.iter().map(Wanted::erased).collect();
        };
        let scope = Scope::new(&signature.type_parameters, class, arguments);
        let pairs = signature.parameters.iter().zip(&type_.parameters);
        pairs.map(|(generic, erased)| Wanted::declared(generic, erased, &scope)).collect()
    }

    /// What a field wants where its class has these type arguments.
    pub fn field(class: &Class, arguments: &[Wanted], field: &Field) -> Option<Wanted> {
        let type_ = FieldType::parse(field.descriptor.as_bytes()).ok()?;
        let generic = field.signature().and_then(|signature| GenericType::parse_field(signature.as_bytes()).ok());
        Some(match generic {
            Some(generic) => Wanted::declared(&generic, &type_, &Scope::new(&[], class, arguments)),
            None => Wanted::erased(&type_),
        })
    }

    /// A signature that does not say the same as the descriptor is not trusted.
    fn declared(generic: &GenericType, erased: &FieldType, scope: &Scope<'_>) -> Wanted {
        let bounds = Scope { arguments: &[], ..scope.clone() };
        let is_true = Wanted::of(generic, &bounds).field_type() == *erased;
        if is_true { Wanted::of(generic, scope) } else { Wanted::erased(erased) }
    }

    fn of(generic: &GenericType, scope: &Scope<'_>) -> Wanted {
        match generic {
            GenericType::Base(base) => Wanted::Base(*base),
            GenericType::Array(element) => Wanted::Array(Box::new(Wanted::of(element, scope))),
            GenericType::Class(class) => Wanted::Class(class.name(), arguments(class, scope)),
            GenericType::Variable(name) => match scope.argument(name) {
                Some(argument) => argument.clone(),
                None => Wanted::Class(scope.bound(name), Vec::new()),
            },
        }
    }
}

/// What type variables stand for.
#[derive(Clone)]
struct Scope<'a> {
    /// Of a method.
    own: &'a [TypeParameter],
    /// Of its class, and what they are.
    of_class: Vec<TypeParameter>,
    arguments: &'a [Wanted],
}

impl<'a> Scope<'a> {
    fn new(own: &'a [TypeParameter], class: &Class, arguments: &'a [Wanted]) -> Scope<'a> {
        Scope { own, of_class: type_parameters(class), arguments }
    }

    /// The argument for a variable of the class. A wildcard says less than the bound of the variable does.
    fn argument(&self, name: &Text) -> Option<&Wanted> {
        if self.own.iter().any(|parameter| parameter.name == *name) {
            return None;
        }
        let place = self.of_class.iter().position(|parameter| parameter.name == *name)?;
        self.arguments.get(place).filter(|argument| **argument != Wanted::class("java/lang/Object"))
    }

    /// The class that bounds a variable; a bound that is itself a variable is looked up once more.
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

fn arguments(class: &ClassType, scope: &Scope<'_>) -> Vec<Wanted> {
    let last = class.segments.last().map_or(&[][..], |segment| &segment.arguments);
    let argument = |argument: &TypeArgument| match argument {
        TypeArgument::Any => Wanted::class("java/lang/Object"),
        TypeArgument::Exact(type_) | TypeArgument::Extends(type_) | TypeArgument::Super(type_) => {
            Wanted::of(type_, scope)
        }
    };
    last.iter().map(argument).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_classfile::{Attribute, Version};

    fn wanted(descriptor: &str, signature: &str) -> Vec<Wanted> {
        let class = Class::new(Version { major: 61, minor: 0 }, "A", None);
        let attributes = vec![Attribute::Signature(signature.into())];
        let method = Method { access: 0, name: "m".into(), descriptor: descriptor.into(), attributes };
        Wanted::parameters(&class, &method)
    }

    #[test]
    fn type_arguments_count() {
        let list = |element| Wanted::Class("java/util/List".into(), vec![element]);
        let [first, second] = &wanted(
            "(Ljava/util/List;Ljava/lang/Comparable;)V",
            "<T::Ljava/lang/Comparable<TT;>;>(Ljava/util/List<+Ljava/lang/String;>;TT;)V",
        )[..] else {
            panic!("two parameters")
        };
        assert_eq!(*first, list(Wanted::class("java/lang/String")));
        assert_eq!(*second, Wanted::class("java/lang/Comparable"));
    }

    #[test]
    fn a_signature_that_lies_is_not_believed() {
        assert_eq!(wanted("(I)V", "(Ljava/util/List<TT;>;)V"), [Wanted::Base(BaseType::Int)]);
        assert_eq!(wanted("(I)V", "()V"), [Wanted::Base(BaseType::Int)]);
    }

    #[test]
    fn variables_that_bound_each_other_end_at_object() {
        let found = wanted("(Ljava/lang/Object;)V", "<A:TB;B:TA;>(TA;)V");
        assert_eq!(found, [Wanted::class("java/lang/Object")]);
    }
}
