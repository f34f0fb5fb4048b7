//! Names in Java source, as seen from the written class.
//!
//! In texts, a class is a marker, and [`finish`] replaces it by a name once all are known: a short
//! name with an import where that is unambiguous, the full name elsewhere. Enclosing and nested
//! classes use their binary names (`A$B`), because the written class is compiled among classes
//! without nesting.

use lapidary_classfile::{Attribute, Method, Text, access};
use lapidary_jvm::{Answer, BaseType, ClassId, FieldType, Hierarchy, MethodType, is_keyword, package};
use std::collections::{BTreeMap, BTreeSet};

/// Names as the written class sees them.
pub struct Names<'h> {
    pub hierarchy: &'h Hierarchy,
    pub class: ClassId,
}

impl Names<'_> {
    /// The marker of a class; `None` if Java source cannot name the class from here.
    pub fn class(&self, name: &Text) -> Option<String> {
        self.path(self.hierarchy.id(name), 0).map(|_| marker(&name.as_str()))
    }

    /// The text of a type, with markers; `None` if it cannot be named.
    pub fn type_(&self, type_: &FieldType) -> Option<String> {
        match type_ {
            FieldType::Base(base) => Some(base_name(*base).to_owned()),
            FieldType::Object(name) => self.class(name),
            FieldType::Array(element) => Some(format!("{}[]", self.type_(element)?)),
        }
    }

    /// The full name in source.
    fn path(&self, id: ClassId, depth: usize) -> Option<String> {
        let (hierarchy, name) = (self.hierarchy, self.hierarchy.name(id));
        let class = hierarchy.class(id)?;
        if class.access & access::SYNTHETIC != 0 && id != self.class || depth > 20 {
            return None;
        }
        let text = name.as_str();
        if family(&text) == family(&hierarchy.name(self.class).as_str()) {
            return is_path(&text).then(|| text.replace('/', "."));
        }
        match class.inner_classes().iter().find(|inner| inner.inner == *name) {
            None => self.top_level(id, class.access & access::PUBLIC != 0).then(|| text.replace('/', ".")),
            Some(inner) => {
                let (outer, simple) = (hierarchy.id(inner.outer.as_ref()?), inner.name.as_ref()?);
                let is_visible = self.is_member_visible(inner.access, outer) && is_identifier(&simple.as_str());
                let outer = self.path(outer, depth + 1)?;
                is_visible.then(|| format!("{outer}.{simple}"))
            }
        }
    }

    fn top_level(&self, id: ClassId, is_public: bool) -> bool {
        let (name, own) = (self.hierarchy.name(id), self.hierarchy.name(self.class));
        let is_near = package(name) == package(own);
        let is_reachable = !package(name).is_empty() || is_near;
        is_path(&name.as_str()) && is_reachable && (is_near || is_public && self.is_exported(name))
    }

    fn is_member_visible(&self, flags: u16, outer: ClassId) -> bool {
        let is_near = package(self.hierarchy.name(outer)) == package(self.hierarchy.name(self.class));
        let is_below = || self.hierarchy.is_subtype(self.class, outer) == Answer::Yes;
        match flags & (access::PUBLIC | access::PRIVATE | access::PROTECTED) {
            access::PUBLIC => true,
            access::PRIVATE => false,
            access::PROTECTED => is_near || is_below(),
            _ => is_near,
        }
    }

    /// Returns whether the JDK exports the package of a class to everyone.
    fn is_exported(&self, name: &Text) -> bool {
        let text = name.as_str();
        let is_open = ["java/", "javax/", "org/w3c/", "org/xml/"].iter().any(|prefix| text.starts_with(prefix));
        let platform = self.hierarchy.class_path().platform();
        is_open || platform.is_none_or(|platform| platform.find(&text).is_none())
    }
}

/// The outermost class of a binary name, judging by the name alone.
pub fn family(name: &str) -> &str {
    let start = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[start..].find('$').filter(|place| *place > 0) {
        Some(place) => &name[..start + place],
        None => name,
    }
}

pub fn marker(class: &str) -> String {
    format!("\u{1}{class}\u{2}")
}

/// Replaces markers by names, and adds the `package` line and the imports that these names need.
pub fn finish(text: &str, names: &Names<'_>) -> String {
    let mut classes = BTreeSet::new();
    let mut rest = text;
    while let Some((_, from)) = rest.split_once('\u{1}') {
        let Some((class, behind)) = from.split_once('\u{2}') else { break };
        classes.insert(class.to_owned());
        rest = behind;
    }
    let own = names.hierarchy.name(names.class).as_str().into_owned();
    let own_package = own.rsplit_once('/').map_or("", |(package, _)| package).to_owned();
    let paths: BTreeMap<String, String> =
        classes.into_iter().map(|class| (full_name(names, &class), class)).map(|(path, class)| (class, path)).collect();
    let taken = taken_names(names);
    let (mut result, mut imports) = (text.to_owned(), BTreeSet::new());
    for (class, path) in &paths {
        let family_path = top_of(path, class);
        let simple = family_path.rsplit('.').next().unwrap_or(&family_path).to_owned();
        let is_only = paths.iter().all(|(other_class, other)| {
            let other = top_of(other, other_class);
            other == family_path || other.rsplit('.').next() != Some(&simple)
        });
        let inside = family_path.rsplit_once('.').map_or("", |(package, _)| package);
        let needs_import = inside != own_package.replace('/', ".") && inside != "java.lang";
        let is_short = *class == own
            || is_only && !taken.contains(&simple) && !(needs_import && exists_near(names, &own_package, &simple));
        if is_short && needs_import {
            imports.insert(format!("import {family_path};\n"));
        }
        let shown = if is_short { path[inside.len()..].trim_start_matches('.').to_owned() } else { path.clone() };
        result = result.replace(&marker(class), &shown);
    }
    let package =
        if own_package.is_empty() { String::new() } else { format!("package {};\n\n", own_package.replace('/', ".")) };
    let gap = if imports.is_empty() { "" } else { "\n" };
    format!("{package}{}{gap}{result}", imports.into_iter().collect::<String>())
}

/// Returns whether a class of this simple name is in the package of the written class. An import
/// would hide it, and other code may refer to it.
fn exists_near(names: &Names<'_>, package: &str, simple: &str) -> bool {
    let name = if package.is_empty() { simple.to_owned() } else { format!("{package}/{simple}") };
    names.hierarchy.class_path().find(&Text::from(name)).is_some()
}

fn full_name(names: &Names<'_>, class: &str) -> String {
    let id = names.hierarchy.id(&Text::from(class));
    names.path(id, 0).unwrap_or_else(|| class.replace('/', "."))
}

/// The part of a full name that can be imported: the outermost class.
fn top_of(path: &str, class: &str) -> String {
    let depth = class.matches('/').count();
    path.split('.').take(depth + 1).collect::<Vec<_>>().join(".")
}

/// Simple names with another meaning inside the class: member classes of its supertypes.
fn taken_names(names: &Names<'_>) -> BTreeSet<String> {
    let hierarchy = names.hierarchy;
    let mut taken = BTreeSet::new();
    for id in hierarchy.all_supertypes(names.class) {
        let Some(class) = hierarchy.class(*id) else { continue };
        let members = class.inner_classes().iter().filter(|inner| inner.outer.as_ref() == Some(&class.name));
        taken.extend(members.filter_map(|inner| inner.name.as_ref()).map(|name| name.to_string()));
        // A field hides a class of the same name in expressions.
        taken.extend(class.fields.iter().map(|field| field.name.to_string()));
    }
    taken
}

pub fn base_name(base: BaseType) -> &'static str {
    ["boolean", "byte", "char", "short", "int", "long", "float", "double"][base as usize]
}

fn is_path(name: &str) -> bool {
    name.split('/').all(is_identifier)
}

/// Returns whether a word is a valid Java identifier.
pub fn is_identifier(word: &str) -> bool {
    let is_start = |first: char| first.is_alphabetic() || first == '_' || first == '$';
    let is_part = |other: char| other.is_alphanumeric() || other == '_' || other == '$';
    word.chars().next().is_some_and(is_start) && word.chars().all(is_part) && !is_keyword(word)
}

/// A variable name for a value of the type: `route` for `Route`, `strings` for `String[]`.
pub fn variable_name(type_: &FieldType) -> String {
    match type_ {
        FieldType::Base(base) => base_name(*base)[..1].to_owned(),
        FieldType::Array(element) => plural(&variable_name(element)),
        FieldType::Object(name) => {
            let simple = simple_name(name);
            if is_identifier(&simple) { simple } else { format!("some{}{}", simple[..1].to_uppercase(), &simple[1..]) }
        }
    }
}

/// The last part of a class name, with a lower-case first letter. It may be a keyword.
pub fn simple_name(name: &Text) -> String {
    let text = name.as_str();
    let is_plain = |part: &&str| part.starts_with(|first: char| first.is_ascii_alphabetic());
    let simple = text.rsplit(['/', '$']).find(is_plain).unwrap_or("value");
    lower_case(simple)
}

/// Converts the start of a word to lower case: `URLReader` becomes `urlReader`.
fn lower_case(word: &str) -> String {
    let upper = word.chars().take_while(|letter| letter.is_uppercase()).count();
    let length = word.chars().count();
    let lowered = if upper > 1 && upper < length { upper - 1 } else { upper.max(1) };
    word.chars()
        .enumerate()
        .map(|(place, letter)| if place < lowered { letter.to_ascii_lowercase() } else { letter })
        .collect()
}

pub fn plural(word: &str) -> String {
    match word.as_bytes() {
        [.., b's' | b'x'] => format!("{word}es"),
        [.., before, b'y'] if !b"aeiou".contains(before) => format!("{}ies", &word[..word.len() - 1]),
        _ => format!("{word}s"),
    }
}

/// A name that is not in the set; it is added.
pub fn fresh(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let candidates = std::iter::once(wanted.to_owned()).chain((2..).map(|number| format!("{wanted}{number}")));
    let name = candidates.into_iter().find(|name| !taken.contains(name)).unwrap_or_else(|| wanted.to_owned());
    taken.insert(name.clone());
    name
}

/// The names of a method's parameters: those in its debug information, otherwise names derived from
/// their types.
pub fn parameter_names(method: &Method) -> Vec<String> {
    let Ok(type_) = MethodType::parse(method.descriptor.as_bytes()) else { return Vec::new() };
    let mut taken = BTreeSet::new();
    let mut slot = u16::from(!method.is_static());
    let mut names = Vec::new();
    for parameter in &type_.parameters {
        let known = debug_name(method, slot).filter(|name| is_identifier(name));
        let wanted = known.unwrap_or_else(|| variable_name(parameter));
        names.push(fresh(&wanted, &mut taken));
        slot = slot.saturating_add(parameter.slots() as u16);
    }
    names
}

fn debug_name(method: &Method, slot: u16) -> Option<String> {
    let code = method.code()?;
    code.attributes.iter().find_map(|attribute| match attribute {
        Attribute::LocalVariableTable(variables) => {
            let variable = variables.iter().find(|variable| variable.start == 0 && variable.index == slot)?;
            Some(variable.name.to_string())
        }
        _ => None,
    })
}

/// The name of a method in written code. The compiler's own lambdas would otherwise get names that
/// the class file already uses.
pub fn written_name(name: &str) -> String {
    if name.starts_with("lambda$") { name.replace('$', "_") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_named_after_their_types() {
        let name = |descriptor: &str| variable_name(&FieldType::parse(descriptor).unwrap());
        assert_eq!(name("Lshop/Route;"), "route");
        assert_eq!(name("[Ljava/lang/String;"), "strings");
        assert_eq!(name("Ljava/util/Map$Entry;"), "entry");
        assert_eq!(name("Lnet/URLReader;"), "urlReader");
        assert_eq!(name("La/Class;"), "someClass");
        assert_eq!(plural("entry"), "entries");
        assert_eq!(plural("box"), "boxes");
    }

    #[test]
    fn a_family_is_what_a_binary_name_begins_with() {
        assert_eq!(family("p/A$B$C"), "p/A");
        assert_eq!(family("p/$A"), "p/$A");
        assert_eq!(family("A"), "A");
    }
}
