//! The names that Java source can use within a package.

use lapidary_classfile::{Attribute, Class, Method, Text, access};
use lapidary_jvm::{ClassPath, FieldType, MethodType, is_keyword, package};
use lapidary_symbolic::base_name;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Knows the names of classes and methods as source in one package writes them.
pub struct SourceNames<'a> {
    class_path: &'a ClassPath,
    /// With slashes; empty for the default package.
    package: String,
}

/// A method or constructor that source can call by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceCall {
    pub is_static: bool,
    /// Whether arguments must have exactly the types of the parameters, because other methods have
    /// the same name or the types are generic.
    pub needs_casts: bool,
}

impl<'a> SourceNames<'a> {
    /// The names for source in the package of a class. If Java cannot name the package, the source is
    /// in the default package.
    pub fn beside(class: &Text, class_path: &'a ClassPath) -> SourceNames<'a> {
        let package = String::from_utf8_lossy(package(class)).into_owned();
        let is_name = package.is_empty() || package.split('/').all(is_identifier);
        SourceNames { class_path, package: if is_name { package } else { String::new() } }
    }

    /// The package, with slashes.
    pub fn package(&self) -> &str {
        &self.package
    }

    /// Whether the package has a class of this name, which hides all others of the name.
    pub fn is_taken(&self, simple: &str) -> bool {
        self.class_path.find(&self.in_package(simple)).is_some()
    }

    fn in_package(&self, simple: &str) -> Text {
        let name = if self.package.is_empty() { simple.to_owned() } else { format!("{}/{simple}", self.package) };
        name.as_str().into()
    }

    /// The name of a class, if source can use it.
    pub fn class(&self, name: &Text) -> Option<String> {
        let class = self.class_path.class(name).filter(|_| self.is_exported(name))?;
        let entry = class.inner_classes().iter().find(|entry| entry.inner == *name);
        if let Some(entry) = entry {
            let (outer, simple) = (entry.outer.as_ref()?, entry.name.as_ref()?.as_str());
            let outer = (self.is_accessible(entry.access, name) && is_identifier(&simple)).then_some(outer)?;
            return Some(format!("{}.{simple}", self.class(outer)?));
        }
        let shown = name.as_str();
        let is_named = shown.split('/').all(is_identifier) && self.is_accessible(class.access, name);
        if !is_named {
            return None;
        }
        let simple = shown.rsplit('/').next().unwrap_or_default();
        match shown.strip_prefix("java/lang/") {
            _ if self.is_own(name) => Some(simple.to_owned()),
            Some(library) if !library.contains('/') && !self.is_taken(library) => Some(library.to_owned()),
            // Source in a package cannot name a class without one.
            _ => shown.contains('/').then(|| shown.replace('/', ".")),
        }
    }

    /// The name of a type, if source can use it.
    pub fn type_(&self, type_: &FieldType) -> Option<String> {
        match type_ {
            FieldType::Base(base) => Some(base_name(*base).to_owned()),
            FieldType::Object(name) => self.class(name),
            FieldType::Array(element) => Some(self.type_(element)? + "[]"),
        }
    }

    /// How source can call a method or a constructor, named `<init>`; `None` if it cannot.
    pub fn callable(&self, class_name: &Text, name: &Text, type_: &MethodType) -> Option<SourceCall> {
        self.class(class_name)?;
        let class = self.class_path.class(class_name)?;
        let method = class.method(&name.as_str(), &type_.descriptor().as_str())?;
        let is_constructor = *name == "<init>";
        let is_named = if is_constructor { can_be_made(&class) } else { is_identifier(&name.as_str()) };
        let hidden = method.access & (access::SYNTHETIC | access::BRIDGE) != 0;
        let is_visible = self.is_accessible(method.access, class_name) && !hidden;
        let types = type_.parameters.iter().chain(type_.result.as_ref());
        let signature = signature(method);
        // The type that javac infers for a type parameter may not fit, though the JVM does not care.
        let is_generic = signature.as_ref().is_some_and(|signature| signature.as_bytes().first() == Some(&b'<'));
        let is_callable = is_named && is_visible && !is_generic;
        if !is_callable || !types.into_iter().all(|type_| self.type_(type_).is_some()) {
            return None;
        }
        let needs_casts =
            signature.is_some() || method.access & access::VARARGS != 0 || self.is_overloaded(&class, name, type_);
        Some(SourceCall { is_static: method.access & access::STATIC != 0, needs_casts })
    }

    /// Whether the constant of an enum, or the class that declares it, has a name in source.
    pub fn constant(&self, class: &Text, name: &Text) -> Option<String> {
        is_identifier(&name.as_str()).then(|| self.class(class)).flatten().map(|class| format!("{class}.{name}"))
    }

    fn is_accessible(&self, flags: u16, class: &Text) -> bool {
        flags & access::PUBLIC != 0 || flags & access::PRIVATE == 0 && self.is_own(class)
    }

    /// Whether the modules of the JDK let other code use a class.
    fn is_exported(&self, class: &Text) -> bool {
        let name = class.as_str();
        let is_of_jdk = || self.class_path.platform().is_some_and(|platform| platform.find(&name).is_some());
        name.starts_with("java/") || name.starts_with("javax/") || !is_of_jdk()
    }

    fn is_own(&self, class: &Text) -> bool {
        package(class) == self.package.as_bytes()
    }

    fn is_overloaded(&self, class: &Arc<Class>, name: &Text, type_: &MethodType) -> bool {
        let descriptor = type_.descriptor();
        let parameters = |descriptor: &Text| descriptor.as_str().split(')').next().unwrap_or_default().to_owned();
        let (mut open, mut seen) = (vec![class.clone()], BTreeSet::new());
        while let Some(class) = open.pop() {
            let differs = |method: &&Method| parameters(&method.descriptor) != parameters(&descriptor);
            if class.methods.iter().filter(|method| method.name == *name).any(|method| differs(&method)) {
                return true;
            }
            // Constructors are not inherited.
            let above = class.superclass.iter().chain(&class.interfaces).filter(|_| *name != "<init>");
            let above = above.filter(|name| seen.insert((*name).clone()));
            open.extend(above.filter_map(|name| self.class_path.class(name)));
        }
        false
    }
}

/// Whether `new` can make objects of a class without an object around them.
fn can_be_made(class: &Class) -> bool {
    let entry = class.inner_classes().iter().find(|entry| entry.inner == class.name);
    let not = access::ABSTRACT | access::INTERFACE | access::ENUM;
    class.access & not == 0 && entry.is_none_or(|entry| entry.access & access::STATIC != 0)
}

fn signature(method: &Method) -> Option<Text> {
    method.attributes.iter().find_map(|attribute| match attribute {
        Attribute::Signature(signature) => Some(signature.clone()),
        _ => None,
    })
}

/// Whether a text is a name that any source file can contain, whatever its encoding.
pub fn is_identifier(text: &str) -> bool {
    let is_letter = |character: char| character.is_ascii_alphabetic() || "_$".contains(character);
    let mut characters = text.chars();
    characters.next().is_some_and(is_letter)
        && characters.all(|character| is_letter(character) || character.is_ascii_digit())
        && !is_keyword(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_jvm::Platform;
    use lapidary_testkit::javac;

    const SOURCE: &str = "package p; public class A<T> {
        public static class Open { Open(int n) { } private Open() { } }
        private static class Closed { }
        class Inner { }
        enum Level { LOW }
        static void one(int n) { } static void one(long n) { }
        static <E extends Comparable<E>> E most(E a, E b) { return a; }
        static void list(java.util.List<String> list) { }
        private static void hidden() { } static void takes(Closed c) { } void plain() { } }
        class String { }";

    fn with_names(test: impl Fn(&SourceNames<'_>)) {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("A.java");
        std::fs::write(&file, SOURCE).unwrap();
        javac(&[], place.path(), [file]);
        let class_path = ClassPath::open(&[place.path().to_owned()], Some(Platform::installed().unwrap())).unwrap();
        test(&SourceNames::beside(&"p/A".into(), &class_path));
    }

    #[test]
    fn classes_have_the_names_that_source_can_use() {
        with_names(|names| {
            let class = |name: &str| names.class(&name.into());
            assert_eq!(class("p/A$Open").as_deref(), Some("A.Open"));
            for name in ["p/A$Closed", "p/Missing", "java/util/ArrayList$Itr", "sun/security/x509/X500Name"] {
                assert_eq!(class(name), None);
            }
            assert_eq!(class("java/util/Map$Entry").as_deref(), Some("java.util.Map.Entry"));
            assert_eq!(class("java/lang/Integer").as_deref(), Some("Integer"));
            assert_eq!(class("java/lang/String").as_deref(), Some("java.lang.String"), "p.String hides it");
            assert_eq!(names.constant(&"p/A$Level".into(), &"LOW".into()).as_deref(), Some("A.Level.LOW"));
        });
    }

    #[test]
    fn methods_are_called_by_name_where_that_is_safe() {
        with_names(|names| {
            let callable = |class: &str, name: &str, descriptor: &str| {
                names.callable(&class.into(), &name.into(), &MethodType::parse(descriptor).unwrap())
            };
            let casts = |found: Option<SourceCall>| found.map(|found| found.needs_casts);
            assert_eq!(callable("p/A", "plain", "()V"), Some(SourceCall { is_static: false, needs_casts: false }));
            assert_eq!(casts(callable("p/A", "one", "(J)V")), Some(true));
            assert_eq!(casts(callable("p/A", "list", "(Ljava/util/List;)V")), Some(true));
            assert_eq!(casts(callable("p/A$Open", "<init>", "(I)V")), Some(true));
            let comparables = "(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;";
            for (class, name, descriptor) in [
                ("p/A", "most", comparables),
                ("p/A", "hidden", "()V"),
                ("p/A", "takes", "(Lp/A$Closed;)V"),
                ("p/A$Open", "<init>", "()V"),
                ("p/A$Inner", "<init>", "(Lp/A;)V"),
            ] {
                assert_eq!(callable(class, name, descriptor), None, "{class}.{name}");
            }
        });
    }

    #[test]
    fn keywords_are_no_names() {
        assert!(is_identifier("a_1$") && !["", "1a", "if", "a-b", "é", "_"].iter().any(|text| is_identifier(text)));
    }
}
