//! Finds the Java method that a user names, or explains why there is none.

use anyhow::{Context, anyhow, bail};
use lapidary_classfile::access;
use lapidary_jvm::{ClassId, Hierarchy, MethodId};
use lapidary_symbolic::{Engine, Method, Missing, NoEntry, ProgramClasses};
use std::path::Path;
use std::rc::Rc;

/// How many similar names are suggested.
const SUGGESTIONS: usize = 3;

pub fn method(engine: &mut Engine, main: &str, input: &Path) -> anyhow::Result<Rc<Method>> {
    let wanted = Wanted::parse(main).with_context(|| format!("--main {main}: expected CLASS.METHOD"))?;
    let (hierarchy, class) = (engine.world.hierarchy.clone(), &*wanted.class);
    if let Ok(whole) = engine.world.class_named(&main.replace('.', "/")) {
        let some = some_methods(&hierarchy, whole.id).join(", ");
        bail!("--main {main} is a class; name one of its methods, as in {main}.METHOD: {some}");
    }
    let loaded = engine.world.class_named(&class.replace('.', "/"));
    let loaded = loaded.map_err(|missing| anyhow!("{}", no_class(&hierarchy, class, &missing, input)))?;
    let found = wanted.declared_in(&hierarchy, loaded.id);
    match found[..] {
        [only] => Ok(engine.world.method(only)),
        [] => wanted.inherited(engine, loaded.id),
        _ => bail!(
            "several methods are called {class}.{}; choose one: --main '{}'",
            wanted.name,
            listed(&hierarchy, class, &found)
        ),
    }
}

/// The method that a user names.
struct Wanted {
    class: String,
    name: String,
    descriptor: Option<String>,
}

impl Wanted {
    /// Parses `CLASS.METHOD`, `CLASS#METHOD` or `CLASS::METHOD`, and a descriptor.
    fn parse(main: &str) -> Option<Wanted> {
        let (path, descriptor) = main.find('(').map_or((main, None), |at| (&main[..at], Some(main[at..].to_owned())));
        let path = path.replace("::", ".").replace('#', ".");
        let (class, name) = path.rsplit_once('.')?;
        Some(Wanted { class: class.to_owned(), name: name.to_owned(), descriptor })
    }

    fn declared_in(&self, hierarchy: &Hierarchy, class: ClassId) -> Vec<MethodId> {
        let fits = |id: &MethodId| {
            let method = hierarchy.method(*id);
            method.name == *self.name && self.descriptor.as_ref().is_none_or(|wanted| method.descriptor == **wanted)
        };
        hierarchy.declared_methods(class).filter(fits).collect()
    }

    /// Finds an inherited method. A static one of a superclass is taken; any other must be named in
    /// the class that declares it.
    fn inherited(&self, engine: &mut Engine, class: ClassId) -> anyhow::Result<Rc<Method>> {
        let hierarchy = engine.world.hierarchy.clone();
        let above = hierarchy.superclasses(class).skip(1).chain(hierarchy.all_supertypes(class).iter().copied());
        let found =
            above.map(|above| (above, self.declared_in(&hierarchy, above))).find(|(_, found)| !found.is_empty());
        let (name, class_name) = (&self.name, &self.class);
        match found {
            Some((_, found)) if found.len() == 1 && is_static_of_class(&hierarchy, found[0]) => {
                Ok(engine.world.method(found[0]))
            }
            Some((above, _)) => {
                let above = hierarchy.name(above).as_str().replace('/', ".");
                bail!("class {class_name} inherits {name} from {above}; name it there: --main {above}.{name}")
            }
            None => bail!(
                "class {class_name} has no method {name}{}{}",
                self.descriptor.as_deref().unwrap_or_default(),
                other_methods(&hierarchy, class, name)
            ),
        }
    }
}

fn is_static_of_class(hierarchy: &Hierarchy, id: MethodId) -> bool {
    hierarchy.method(id).access & access::STATIC != 0 && hierarchy.is_interface(id.class) == Some(false)
}

pub fn no_entry(method: &Method, problem: &NoEntry) -> String {
    match problem {
        NoEntry::Parameter(type_) => {
            format!("{method} takes a {type_}, which can only be null; docs/guide/explore.md lists possible inputs")
        }
        NoEntry::Receiver(class) => format!("{method} needs an object of {class}, which cannot be made"),
        NoEntry::NotAMethod => format!("{method} is not a method; choose one that calls it"),
    }
}

fn listed(hierarchy: &Hierarchy, class: &str, methods: &[MethodId]) -> String {
    let shown = |id: &MethodId| {
        let method = hierarchy.method(*id);
        format!("{class}.{}{}", method.name, method.descriptor)
    };
    methods.iter().map(shown).collect::<Vec<_>>().join("', '")
}

/// Explains why a class cannot be loaded: it does not exist, it cannot be read, or a supertype is
/// missing.
fn no_class(hierarchy: &Hierarchy, class: &str, missing: &Missing, input: &Path) -> String {
    let absent = missing.name.as_str().replace('/', ".");
    if let Some(problem) = hierarchy.class_path().problems().get(&missing.name) {
        return format!("class {absent} in {} cannot be read: {problem}", input.display());
    }
    if missing.is_circular() {
        return format!("class {absent} in {} is its own supertype", input.display());
    }
    if absent != class {
        return format!("class {class} needs {absent}, which is not on the class path; see --classpath");
    }
    let program = ProgramClasses::of(hierarchy.class_path());
    let names: Vec<String> = program.names().map(|name| name.replace('/', ".")).collect();
    format!("there is no class {class} in {}{}", input.display(), suggestion(class, names.iter().map(String::as_str)))
}

fn other_methods(hierarchy: &Hierarchy, class: ClassId, name: &str) -> String {
    suggestion(name, some_methods(hierarchy, class).iter().map(String::as_str))
}

/// The methods of a class that have names in its source.
fn some_methods(hierarchy: &Hierarchy, class: ClassId) -> Vec<String> {
    let methods = hierarchy.declared_methods(class).map(|id| hierarchy.method(id).name.as_str().into_owned());
    let mut names: Vec<String> =
        methods.filter(|name| !name.starts_with(['<', '$']) && !name.contains("lambda$")).collect();
    names.sort();
    names.dedup();
    names
}

/// Suggests names that the user may have meant.
fn suggestion<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    let close = |name: &&str| {
        let inner = name.rsplit(['.', '$']).next().unwrap_or(name);
        inner == wrong || distance(wrong, name) <= (wrong.len() / 3).max(1)
    };
    let mut near: Vec<&str> = names.filter(close).collect();
    near.sort_by_key(|name| distance(wrong, name));
    near.truncate(SUGGESTIONS);
    if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) }
}

/// The Levenshtein distance of two words.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], place + 1);
        for (column, found) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *found);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_suggested() {
        let names = ["shop.Prices", "shop.Places", "shop.Main"];
        assert_eq!(suggestion("shop.Prizes", names.into_iter()), "; did you mean shop.Prices or shop.Places?");
        assert_eq!(suggestion("Main", names.into_iter()), "; did you mean shop.Main?");
        assert_eq!(suggestion("elsewhere.At", names.into_iter()), "");
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
