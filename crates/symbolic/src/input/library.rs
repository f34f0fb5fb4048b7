//! Library classes that can be inputs, and how they are made, with one table row each.

use super::declared_type::DeclaredType;
use lapidary_classfile::Text;
use lapidary_jvm::BaseType::{self, *};

/// How an object of a library class is made.
pub enum Recipe {
    /// An object of a wrapper class.
    Box(BaseType),
    Text,
    /// A constructor or static method, and the types of its arguments.
    Call {
        class: &'static str,
        method: &'static str,
        descriptor: &'static str,
        takes: Vec<DeclaredType>,
    },
    /// A collection of this class, filled with `add`.
    Elements(&'static str, DeclaredType),
    /// A map of this class.
    Entries(&'static str, DeclaredType, DeclaredType),
}

/// The recipes for a class of the library with these type arguments.
pub fn recipes(class: &Text, arguments: &[DeclaredType]) -> Vec<Recipe> {
    let name = class.as_str();
    if let Some(base) = BaseType::ALL.into_iter().find(|base| base.wrapper() == name) {
        return vec![Recipe::Box(base)];
    }
    if let Some((_, made)) = COLLECTIONS.iter().find(|(wanted, _)| *wanted == name) {
        return vec![Recipe::Elements(made, argument(arguments, 0))];
    }
    if let Some((_, made)) = MAPS.iter().find(|(wanted, _)| *wanted == name) {
        return vec![Recipe::Entries(made, argument(arguments, 0), argument(arguments, 1))];
    }
    if let Some((class, method, descriptor, takes)) = CALLS.iter().find(|(wanted, ..)| *wanted == name) {
        let takes = takes.iter().map(|wanted| taken(wanted, arguments)).collect();
        return vec![Recipe::Call { class, method, descriptor, takes }];
    }
    match &*name {
        "java/lang/String" | "java/lang/CharSequence" => vec![Recipe::Text],
        "java/lang/Number" => vec![Recipe::Box(Int), Recipe::Box(Long), Recipe::Box(Double)],
        "java/lang/Comparable" => vec![Recipe::Box(Int), Recipe::Text],
        "java/lang/Object" | "java/io/Serializable" => {
            let plain = Recipe::Call { class: "java/lang/Object", method: "<init>", descriptor: "()V", takes: vec![] };
            let mut recipes = vec![Recipe::Box(Int), Recipe::Text];
            recipes.extend((name == "java/lang/Object").then_some(plain));
            recipes
        }
        _ => Vec::new(),
    }
}

/// Whether a class with a recipe has values that the recipe does not make.
pub fn is_open(class: &Text) -> bool {
    let name = class.as_str();
    let (collections, maps) = (COLLECTIONS.iter(), MAPS.iter());
    let made = collections.chain(maps).find(|(wanted, _)| *wanted == name);
    OPEN.contains(&&*name) || made.is_some_and(|(wanted, made)| wanted != made)
}

const OPEN: [&str; 8] = [
    "java/lang/Object",
    "java/io/Serializable",
    "java/lang/Comparable",
    "java/lang/Number",
    "java/lang/CharSequence",
    "java/math/BigInteger",
    "java/math/BigDecimal",
    "java/util/OptionalInt",
];

const COLLECTIONS: &[(&str, &str)] = &[
    ("java/lang/Iterable", "java/util/ArrayList"),
    ("java/util/Collection", "java/util/ArrayList"),
    ("java/util/List", "java/util/ArrayList"),
    ("java/util/ArrayList", "java/util/ArrayList"),
    ("java/util/LinkedList", "java/util/LinkedList"),
    ("java/util/Queue", "java/util/LinkedList"),
    ("java/util/Deque", "java/util/LinkedList"),
    ("java/util/ArrayDeque", "java/util/ArrayDeque"),
    ("java/util/PriorityQueue", "java/util/PriorityQueue"),
    ("java/util/Set", "java/util/HashSet"),
    ("java/util/HashSet", "java/util/HashSet"),
    ("java/util/LinkedHashSet", "java/util/LinkedHashSet"),
    ("java/util/SortedSet", "java/util/TreeSet"),
    ("java/util/NavigableSet", "java/util/TreeSet"),
    ("java/util/TreeSet", "java/util/TreeSet"),
];

const MAPS: &[(&str, &str)] = &[
    ("java/util/Map", "java/util/HashMap"),
    ("java/util/HashMap", "java/util/HashMap"),
    ("java/util/LinkedHashMap", "java/util/LinkedHashMap"),
    ("java/util/SortedMap", "java/util/TreeMap"),
    ("java/util/NavigableMap", "java/util/TreeMap"),
    ("java/util/TreeMap", "java/util/TreeMap"),
];

/// The class, the method that makes an object, its descriptor, and its arguments: a class name or a
/// descriptor, or `*` for the type argument.
type Line = (&'static str, &'static str, &'static str, &'static [&'static str]);

const CALLS: &[Line] = &[
    ("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V", &["java/lang/String"]),
    ("java/lang/StringBuffer", "<init>", "(Ljava/lang/String;)V", &["java/lang/String"]),
    ("java/math/BigInteger", "valueOf", "(J)Ljava/math/BigInteger;", &["J"]),
    ("java/math/BigDecimal", "valueOf", "(J)Ljava/math/BigDecimal;", &["J"]),
    ("java/util/Optional", "ofNullable", "(Ljava/lang/Object;)Ljava/util/Optional;", &["*"]),
    ("java/util/OptionalInt", "of", "(I)Ljava/util/OptionalInt;", &["I"]),
    ("java/util/concurrent/atomic/AtomicBoolean", "<init>", "(Z)V", &["Z"]),
    ("java/util/concurrent/atomic/AtomicInteger", "<init>", "(I)V", &["I"]),
    ("java/util/concurrent/atomic/AtomicLong", "<init>", "(J)V", &["J"]),
    ("java/util/concurrent/atomic/AtomicReference", "<init>", "(Ljava/lang/Object;)V", &["*"]),
];

fn taken(wanted: &str, arguments: &[DeclaredType]) -> DeclaredType {
    match wanted.as_bytes() {
        b"*" => argument(arguments, 0),
        [letter] => BaseType::from_letter(*letter).map_or(DeclaredType::class(wanted), DeclaredType::Base),
        _ => DeclaredType::class(wanted),
    }
}

/// The type argument at an index. Raw types contain objects.
fn argument(arguments: &[DeclaredType], place: usize) -> DeclaredType {
    arguments.get(place).cloned().unwrap_or(DeclaredType::class("java/lang/Object"))
}
