//! A concise builder of small programs for tests.

use crate::{ClassPath, Hierarchy};
use lapidary_classfile::{Class, Field, Method, Text, Version, access};
use std::sync::Arc;

/// A public class with members that have no code.
pub struct Sample(Class);

impl Sample {
    pub fn class(name: &str, superclass: &str) -> Sample {
        Sample(Class::new(Version { major: 61, minor: 0 }, name, Some(Text::from(superclass))))
    }

    pub fn interface(name: &str) -> Sample {
        Sample::class(name, "java/lang/Object").flags(access::PUBLIC | access::INTERFACE | access::ABSTRACT)
    }

    /// `java/lang/Object` with one public method.
    pub fn object() -> Sample {
        let object = Class::new(Version { major: 61, minor: 0 }, "java/lang/Object", None);
        Sample(object).method(access::PUBLIC, "hashCode", "()I")
    }

    pub fn flags(mut self, access: u16) -> Sample {
        self.0.access = access;
        self
    }

    pub fn implementing(mut self, interfaces: &[&str]) -> Sample {
        self.0.interfaces = interfaces.iter().copied().map(Text::from).collect();
        self
    }

    pub fn method(mut self, access: u16, name: &str, descriptor: &str) -> Sample {
        let (name, descriptor) = (Text::from(name), Text::from(descriptor));
        self.0.methods.push(Method { access, name, descriptor, attributes: Vec::new() });
        self
    }

    pub fn field(mut self, access: u16, name: &str, descriptor: &str) -> Sample {
        let (name, descriptor) = (Text::from(name), Text::from(descriptor));
        self.0.fields.push(Field { access, name, descriptor, attributes: Vec::new() });
        self
    }

    pub fn change(mut self, change: impl FnOnce(&mut Class)) -> Sample {
        change(&mut self.0);
        self
    }
}

/// The hierarchy of these classes, `java/lang/Object`, and nothing else.
pub fn hierarchy(samples: impl IntoIterator<Item = Sample>) -> Hierarchy {
    let classes = samples.into_iter().chain([Sample::object()]).map(|sample| Arc::new(sample.0));
    Hierarchy::new(classes, Arc::new(ClassPath::default()))
}
