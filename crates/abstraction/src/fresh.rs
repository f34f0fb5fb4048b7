//! Objects created on the spot, for bodies that remember nothing.

use crate::accessor::getter;
use crate::literal::symbol_text;
use crate::names::marker;
use crate::subject::Subject;
use lapidary_classfile::{Class, Text, access};
use lapidary_jvm::{BaseType, ClassId, FieldType, MethodId, MethodType};

impl<'h> Subject<'h> {
    /// A symbol, or an object whose parts are symbols, up to this depth; null where none can be
    /// created.
    pub fn fresh(&self, wanted: &FieldType, depth: usize) -> String {
        match wanted {
            FieldType::Base(base) => symbol_text(*base),
            FieldType::Array(element) => match **element {
                FieldType::Base(base) => format!("{}s()", symbol_text(base).trim_end_matches("()")),
                _ => "null".to_owned(),
            },
            FieldType::Object(name) => self.fresh_object(name, wanted, depth),
        }
    }

    fn fresh_object(&self, name: &Text, wanted: &FieldType, depth: usize) -> String {
        if *name == "java/lang/String" || *name == "java/lang/CharSequence" {
            return format!("{}.newString()", marker("lapidary/Symbolic"));
        }
        if let Some(boxed) = self.boxed_symbol(wanted) {
            return boxed;
        }
        if let Some(container) =
            Some(name).filter(|name| self.is_container(name)).and_then(|name| self.container(name, None))
        {
            return container;
        }
        self.creation(self.names.hierarchy.id(name), depth).unwrap_or_else(|| "null".to_owned())
    }

    /// Every way to create an object of the class, or of a subclass in the program.
    pub fn creations(&self, class: ClassId, depth: usize) -> Vec<String> {
        let hierarchy = self.names.hierarchy;
        let below = hierarchy
            .program()
            .filter(|other| *other != class && self.is_below(hierarchy.name(*other), hierarchy.name(class)));
        let all = std::iter::once(class).chain(below).take(200);
        all.filter_map(|class| self.construction_of(class, depth)).take(MOST_KINDS).collect()
    }

    fn creation(&self, class: ClassId, depth: usize) -> Option<String> {
        let texts = self.creations(class, depth);
        match &texts[..] {
            [] => None,
            [only] => Some(only.clone()),
            _ => {
                let type_ = self.names.class(self.names.hierarchy.name(class))?;
                let (symbolic, arrays) = (marker("lapidary/Symbolic"), marker("java/util/Arrays"));
                Some(format!("{symbolic}.getArgument({arrays}.<{type_}>asList({}))", texts.join(", ")))
            }
        }
    }

    /// A `new` expression with the constructor that needs the least.
    fn construction_of(&self, id: ClassId, depth: usize) -> Option<String> {
        let class = self.names.hierarchy.class(id)?;
        let cannot = access::ABSTRACT | access::INTERFACE | access::ENUM | access::SYNTHETIC;
        let is_own = id == self.names.class;
        if depth == 0 || is_own || class.access & cannot != 0 || self.is_inner_elsewhere(class) {
            return None;
        }
        let name = self.names.class(&class.name)?;
        Some(format!("new {name}({})", self.arguments_for(id, depth, access::PUBLIC)?))
    }

    /// Made-up arguments for some constructor that a subclass may call.
    pub fn constructor_arguments(&self, above: ClassId) -> Option<String> {
        self.arguments_for(above, 2, access::PUBLIC | access::PROTECTED)
    }

    fn arguments_for(&self, id: ClassId, depth: usize, open: u16) -> Option<String> {
        let class = self.names.hierarchy.class(id)?;
        let methods = self.names.hierarchy.declared_methods(id);
        let constructors = methods.filter_map(|method| self.open_constructor(class, method, open));
        let type_ = constructors.min_by_key(|type_| (type_.parameters.len(), type_.descriptor()))?;
        let argument = |wanted: &FieldType| {
            let text = self.fresh(wanted, depth - 1);
            let cast = self.names.type_(wanted).filter(|_| text == "null");
            cast.map_or(text.clone(), |cast| format!("({cast}) {text}"))
        };
        Some(type_.parameters.iter().map(argument).collect::<Vec<String>>().join(", "))
    }

    fn open_constructor(&self, class: &Class, id: MethodId, open: u16) -> Option<MethodType> {
        let hierarchy = self.names.hierarchy;
        let method = hierarchy.method(id);
        let type_ = MethodType::parse(method.descriptor.as_bytes()).ok()?;
        let is_near = lapidary_jvm::package(&class.name) == lapidary_jvm::package(&self.class.name);
        let is_open = method.access & open != 0
            || is_near && (method.access & access::PRIVATE == 0 || self.is_near(&class.name.as_str()));
        let is_plain = method.name == "<init>" && method.access & access::SYNTHETIC == 0;
        let can_be_named = type_.parameters.iter().all(|type_| self.names.type_(type_).is_some());
        (is_plain && is_open && can_be_named && method.exceptions().iter().all(|thrown| self.is_unchecked(thrown)))
            .then_some(type_)
    }

    /// A boxed symbol.
    pub fn boxed_symbol(&self, wanted: &FieldType) -> Option<String> {
        let FieldType::Object(name) = wanted else { return None };
        let simple = name.as_str().strip_prefix("java/lang/")?.to_owned();
        let boxes = ["Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"];
        let base = BaseType::ALL[boxes.iter().position(|box_| *box_ == simple)?];
        Some(format!("{}.valueOf({})", marker(&name.as_str()), symbol_text(base)))
    }

    /// A new container with the elements of a list; `None` for a type that is not a known
    /// container.
    pub fn container(&self, name: &Text, list: Option<&str>) -> Option<String> {
        let text = name.as_str();
        let elements = list.unwrap_or_default();
        let make = |class: &str| Some(format!("new {}<>({elements})", marker(class)));
        match text.strip_prefix("java/util/").or_else(|| text.strip_prefix("java/lang/"))? {
            "Iterable" | "Collection" | "List" | "AbstractList" | "AbstractCollection" | "ArrayList" => {
                make("java/util/ArrayList")
            }
            "Set" | "AbstractSet" | "LinkedHashSet" => make("java/util/LinkedHashSet"),
            "HashSet" => make("java/util/HashSet"),
            "Queue" | "Deque" | "ArrayDeque" => make("java/util/ArrayDeque"),
            "Map" | "AbstractMap" | "HashMap" => Some(format!("new {}<>()", marker("java/util/HashMap"))),
            "Iterator" => make("java/util/ArrayList").map(|list| format!("{list}.iterator()")),
            _ => None,
        }
    }

    /// Returns whether a call of the method has no side effects. This holds for the methods of
    /// numbers and strings, and for plain getters.
    pub fn is_pure(&self, id: MethodId) -> bool {
        let hierarchy = self.names.hierarchy;
        let owner = hierarchy.name(id.class).as_str().into_owned();
        let is_value = owner.strip_prefix("java/lang/").is_some_and(|simple| VALUES.contains(&simple))
            || owner == "java/util/Objects";
        let method = hierarchy.method(id);
        let is_final = hierarchy.class(id.class).is_some_and(|class| class.access & access::FINAL != 0)
            || method.access & (access::FINAL | access::PRIVATE | access::STATIC) != 0;
        let is_overridden = || {
            let below = hierarchy
                .program()
                .filter(|other| *other != id.class && self.is_below(hierarchy.name(*other), hierarchy.name(id.class)));
            below.into_iter().any(|other| hierarchy.declared_method(other, &method.name, &method.descriptor).is_some())
        };
        let throws = !method.exceptions().is_empty();
        !throws && (is_value || getter(method).is_some() && (is_final || !is_overridden()))
    }
}

/// The number of kinds of objects to try for one value.
const MOST_KINDS: usize = 4;

const VALUES: &[&str] = &[
    "String",
    "Boolean",
    "Byte",
    "Character",
    "Short",
    "Integer",
    "Long",
    "Float",
    "Double",
    "Number",
    "Math",
    "StrictMath",
    "CharSequence",
    "Class",
    "Enum",
];
