//! The ways in which a value of a type can be made.
//!
//! An [`InputKind`] is a list of alternatives, one of which a path takes without asking the solver.
//! The symbolic machine and the random tester use the same kinds.

use super::library::{Recipe, is_open, recipes};
use super::{DeclaredType, Factory, ProgramClasses, Restriction, java_name};
use lapidary_classfile::{Attribute, Class, Field, Text, access};
use lapidary_jvm::{Answer, BaseType, ClassId, FieldType, Hierarchy};
use std::collections::{BTreeSet, HashMap};

/// The number of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u32);

/// The values of a type that can be made as inputs.
#[derive(Clone, Debug)]
pub struct InputKind {
    pub type_: FieldType,
    /// The type arguments of its class.
    pub arguments: Vec<DeclaredType>,
    pub alternatives: Vec<Alternative>,
    /// The restriction to report if the type has other values that are not tried.
    pub left_out: Option<Restriction>,
}

/// One way to make a value.
#[derive(Clone, Debug)]
pub enum Alternative {
    Number(BaseType),
    Boxed(BaseType),
    Text,
    /// An array of numbers.
    Numbers(BaseType),
    /// An array of anything else.
    Array(KindId),
    /// A constant of an enum.
    Constant(Text, Text),
    /// An object of this class of the program, with fields that are inputs.
    Object(Text),
    Made(Factory, Vec<KindId>),
    Elements(Text, KindId),
    Entries(Text, KindId, KindId),
    Null,
    /// Other values exist, but cannot be made.
    Unsupported(String),
}

/// How objects of the program's classes are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectsBy {
    /// Each field is an input of its own.
    #[default]
    Fields,
    /// A constructor of the class is called with inputs.
    Constructors,
}

/// The largest number of subclasses that are tried for a class.
const SUBCLASSES: usize = 8;

/// The largest number of alternatives for a type that says little, such as `Object`.
const WAYS: usize = 16;

/// All kinds requested so far.
#[derive(Default)]
pub struct Kinds {
    pub objects_by: ObjectsBy,
    /// The types that the code asks about.
    pub asked: BTreeSet<FieldType>,
    /// The interfaces that lambdas of the program implement.
    pub lambdas: BTreeSet<Text>,
    kinds: Vec<InputKind>,
    numbers: HashMap<(DeclaredType, bool), KindId>,
    program: Option<ProgramClasses>,
}

impl Alternative {
    /// A name for the alternative that is the same in all versions of the program.
    pub fn label(&self, kinds: &Kinds) -> String {
        match self {
            Alternative::Number(base) | Alternative::Boxed(base) => format!("{base:?}"),
            Alternative::Numbers(base) => format!("{base:?}[]"),
            Alternative::Text => "text".into(),
            Alternative::Array(element) => format!("{}[]", kinds.get(*element).type_),
            Alternative::Constant(class, name) => format!("{class}.{name}"),
            Alternative::Object(class) | Alternative::Elements(class, _) | Alternative::Entries(class, ..) => {
                class.to_string()
            }
            Alternative::Made(call, _) => format!("{call:?}"),
            Alternative::Null => "null".into(),
            Alternative::Unsupported(what) => what.clone(),
        }
    }

    /// Its name in Java, without the package.
    fn shown(&self, kinds: &Kinds) -> Option<String> {
        let simple = |class: &Text| class.as_str().rsplit(['/', '$']).next().unwrap_or_default().to_owned();
        Some(match self {
            Alternative::Number(base) | Alternative::Boxed(base) => simple(&base.wrapper().into()),
            Alternative::Numbers(base) => java_name(&FieldType::Base(*base).array()),
            Alternative::Text => "String".into(),
            Alternative::Array(element) => {
                simple(&java_name(&kinds.get(*element).type_.clone().array()).as_str().into())
            }
            Alternative::Made(call, parts) if call.method != "<init>" => {
                let parts: Vec<String> = parts.iter().map(|part| java_name(&kinds.get(*part).type_)).collect();
                format!("{}.{}({})", simple(&call.class), call.method, parts.join(", "))
            }
            Alternative::Made(Factory { class, .. }, _)
            | Alternative::Constant(class, _)
            | Alternative::Object(class)
            | Alternative::Elements(class, _)
            | Alternative::Entries(class, ..) => simple(class),
            Alternative::Null | Alternative::Unsupported(_) => return None,
        })
    }

    /// Whether the type alone determines this alternative, so that every version of the program has
    /// it as the only one.
    pub fn is_of_type(&self) -> bool {
        matches!(
            self,
            Alternative::Number(_)
                | Alternative::Boxed(_)
                | Alternative::Numbers(_)
                | Alternative::Text
                | Alternative::Array(_)
        )
    }

    /// Whether it is made of other kinds, so that its depth must be bounded.
    pub fn is_deep(&self) -> bool {
        match self {
            Alternative::Object(_) | Alternative::Array(_) | Alternative::Elements(..) | Alternative::Entries(..) => {
                true
            }
            Alternative::Made(_, parts) => !parts.is_empty(),
            _ => false,
        }
    }
}

impl InputKind {
    /// Whether values of this kind are made in the same ways as those of another version's kind.
    pub fn is_alike(&self, other: &InputKind) -> bool {
        self.type_ == other.type_ && format!("{:?}", self.alternatives) == format!("{:?}", other.alternatives)
    }

    /// The indices of the alternatives that may be taken at this depth.
    pub fn at_depth(&self, depth: i32) -> Vec<usize> {
        let all = 0..self.alternatives.len();
        let flat: Vec<usize> = all.clone().filter(|place| !self.alternatives[*place].is_deep()).collect();
        if depth > 0 || flat.is_empty() { all.collect() } else { flat }
    }

    /// Whether any value other than null can be made.
    pub fn is_supported(&self) -> bool {
        self.alternatives.iter().any(|way| !matches!(way, Alternative::Null | Alternative::Unsupported(_)))
    }

    pub fn has_objects(&self) -> bool {
        self.alternatives.iter().any(|way| matches!(way, Alternative::Object(_)))
    }
}

impl Kinds {
    pub fn get(&self, id: KindId) -> &InputKind {
        &self.kinds[id.0 as usize]
    }

    /// Like [`Kinds::get`], for a number that may not exist.
    pub fn known(&self, id: KindId) -> Option<&InputKind> {
        self.kinds.get(id.0 as usize)
    }

    /// Whether all kinds requested so far are the same as those of another version.
    pub fn are_alike(&self, other: &Kinds) -> bool {
        self.iter().len() == other.iter().len() && self.iter().zip(other.iter()).all(|(one, other)| one.is_alike(other))
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &InputKind> {
        self.kinds.iter()
    }

    /// The kind of a type, including null.
    pub fn of(&mut self, hierarchy: &Hierarchy, wanted: &DeclaredType) -> KindId {
        self.number(hierarchy, wanted, true)
    }

    /// The kind of a type, without null.
    pub fn present(&mut self, hierarchy: &Hierarchy, wanted: &DeclaredType) -> KindId {
        self.number(hierarchy, wanted, false)
    }

    /// The kind of the arguments of `main`: strings, none of them null.
    pub fn arguments_of_main(&mut self, hierarchy: &Hierarchy) -> KindId {
        let text = self.present(hierarchy, &DeclaredType::class("java/lang/String"));
        let type_ = self.get(text).type_.clone().array();
        let alternatives = vec![Alternative::Array(text)];
        self.add(InputKind { type_, arguments: Vec::new(), alternatives, left_out: None })
    }

    /// The instance fields of an object of this class and kind, those of superclasses first:
    /// declaring class, name and kind.
    pub fn fields(&mut self, hierarchy: &Hierarchy, class: &Text, kind: KindId) -> Vec<(Text, Text, KindId)> {
        let classes: Vec<ClassId> = hierarchy.superclasses(hierarchy.id(class)).collect();
        let mut fields = Vec::new();
        for class in classes.into_iter().rev().filter_map(|id| hierarchy.class(id)) {
            for field in class.fields.iter().filter(|field| field.access & access::STATIC == 0) {
                if let Some(kind) = self.of_field(hierarchy, class, kind, field) {
                    fields.push((class.name.clone(), field.name.clone(), kind));
                }
            }
        }
        fields
    }

    /// The kind of a field that this class declares, in an object of kind `of`. The enclosing
    /// object of an inner class, which the compiler keeps in a field, is never null.
    pub fn of_field(&mut self, hierarchy: &Hierarchy, class: &Class, of: KindId, field: &Field) -> Option<KindId> {
        let arguments = self.arguments_for(class, of);
        let wanted = DeclaredType::field(class, &arguments, field)?;
        let is_outer = field.access & access::SYNTHETIC != 0 && field.name.as_bytes().starts_with(b"this$");
        Some(self.number(hierarchy, &wanted, !is_outer))
    }

    /// The type arguments of a kind, if the kind is of this very class. Those of superclasses are
    /// not derived.
    fn arguments_for(&self, class: &Class, kind: KindId) -> Vec<DeclaredType> {
        let kind = self.get(kind);
        match &kind.type_ {
            FieldType::Object(name) if *name == class.name => kind.arguments.clone(),
            _ => Vec::new(),
        }
    }

    fn number(&mut self, hierarchy: &Hierarchy, wanted: &DeclaredType, or_null: bool) -> KindId {
        let key = (wanted.clone(), or_null);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        // The kind gets its number before its parts are made, since it may be a part of itself.
        let arguments = if let DeclaredType::Class(_, arguments) = wanted { arguments.clone() } else { Vec::new() };
        let id =
            self.add(InputKind { type_: wanted.field_type(), arguments, alternatives: Vec::new(), left_out: None });
        self.numbers.insert(key, id);
        let mut alternatives = self.alternatives(hierarchy, wanted);
        if or_null && !matches!(wanted, DeclaredType::Base(_)) {
            alternatives.push(Alternative::Null);
        }
        let left_out = self.left_out(hierarchy, wanted, &alternatives);
        let kind = &mut self.kinds[id.0 as usize];
        (kind.alternatives, kind.left_out) = (alternatives, left_out);
        id
    }

    /// The restriction for a type that has more values than are made: a library type, or one of the
    /// program that asks to be implemented and does not say by whom.
    fn left_out(
        &self,
        hierarchy: &Hierarchy,
        wanted: &DeclaredType,
        alternatives: &[Alternative],
    ) -> Option<Restriction> {
        let DeclaredType::Class(name, _) = wanted else { return None };
        let mut tried: Vec<String> = alternatives.iter().filter_map(|way| way.shown(self)).collect();
        tried.dedup();
        let type_ = name.as_str().rsplit('/').next().unwrap_or_default().to_owned();
        let is_left_out = is_open(name) || self.lambdas.contains(name) || can_be_implemented(hierarchy, name);
        (is_left_out && !tried.is_empty()).then_some(Restriction::Kinds { type_, tried })
    }

    fn add(&mut self, kind: InputKind) -> KindId {
        self.kinds.push(kind);
        KindId(self.kinds.len() as u32 - 1)
    }

    fn alternatives(&mut self, hierarchy: &Hierarchy, wanted: &DeclaredType) -> Vec<Alternative> {
        match wanted {
            DeclaredType::Base(base) => vec![Alternative::Number(*base)],
            DeclaredType::Array(element) => match &**element {
                DeclaredType::Base(base) => vec![Alternative::Numbers(*base)],
                element => vec![Alternative::Array(self.of(hierarchy, element))],
            },
            DeclaredType::Class(name, arguments) => self.of_class(hierarchy, name, arguments),
        }
    }

    fn of_class(&mut self, hierarchy: &Hierarchy, name: &Text, arguments: &[DeclaredType]) -> Vec<Alternative> {
        let known = recipes(name, arguments);
        if !known.is_empty() {
            let known = known.into_iter().map(|recipe| self.cooked(hierarchy, recipe)).collect();
            return if is_open(name) { self.with_asked(hierarchy, name, arguments, known) } else { known };
        }
        let id = hierarchy.id(name);
        let shown = name.as_str().replace('/', ".");
        let Some(class) = hierarchy.class(id).cloned() else {
            return vec![Alternative::Unsupported(format!("an input of class {shown}, which is missing"))];
        };
        if !is_own(hierarchy, name) && class.superclass.as_ref().is_none_or(|above| *above != "java/lang/Enum") {
            return vec![Alternative::Unsupported(format!("an input of class {shown}"))];
        }
        let candidates = self.concrete(hierarchy, &class, id);
        let mut alternatives = Vec::new();
        for candidate in candidates.iter().take(SUBCLASSES) {
            let arguments = if candidate.name == *name { arguments } else { &[] };
            alternatives.extend(self.of_concrete(hierarchy, candidate, arguments));
        }
        if candidates.len() > SUBCLASSES {
            let others = candidates.len() - SUBCLASSES;
            alternatives.push(Alternative::Unsupported(format!("{others} more subclasses of {shown} as inputs")));
        }
        if alternatives.is_empty() {
            alternatives
                .push(Alternative::Unsupported(format!("an input of class {shown}, of which none can be made")));
        }
        alternatives
    }

    /// The alternatives for a type that says little, extended by the classes that the code asks
    /// about.
    fn with_asked(
        &mut self,
        hierarchy: &Hierarchy,
        name: &Text,
        arguments: &[DeclaredType],
        mut known: Vec<Alternative>,
    ) -> Vec<Alternative> {
        let wanted = FieldType::Object(name.clone());
        for type_ in self.asked.clone() {
            if type_ == wanted || hierarchy.is_assignable(&type_, &wanted) != Answer::Yes {
                continue;
            }
            for way in self.asked_about(hierarchy, &type_, arguments) {
                let label = way.label(self);
                let is_new = known.len() < WAYS && known.iter().all(|known| known.label(self) != label);
                if is_new && !matches!(way, Alternative::Unsupported(_)) {
                    known.push(way);
                }
            }
        }
        known
    }

    fn asked_about(
        &mut self,
        hierarchy: &Hierarchy,
        type_: &FieldType,
        arguments: &[DeclaredType],
    ) -> Vec<Alternative> {
        let FieldType::Object(name) = type_ else { return self.alternatives(hierarchy, &DeclaredType::erased(type_)) };
        let known = recipes(name, arguments);
        if !known.is_empty() {
            return known.into_iter().map(|recipe| self.cooked(hierarchy, recipe)).collect();
        }
        let Some(class) = hierarchy.class(hierarchy.id(name)).cloned() else { return Vec::new() };
        if is_own(hierarchy, name) {
            return self.of_class(hierarchy, name, &[]);
        }
        // A library class without a recipe is made by its public constructor without parameters.
        let can_be_made = is_concrete(&class) && class.access & access::PUBLIC != 0;
        let is_it = |method: &&lapidary_classfile::Method| {
            method.name == "<init>" && method.descriptor == "()V" && method.access & access::PUBLIC != 0
        };
        let constructor = class.methods.iter().filter(|_| can_be_made).find(is_it);
        let call = constructor.map(|constructor| Factory {
            class: name.clone(),
            method: constructor.name.clone(),
            descriptor: constructor.descriptor.clone(),
        });
        call.into_iter().map(|call| Alternative::Made(call, Vec::new())).collect()
    }

    fn cooked(&mut self, hierarchy: &Hierarchy, recipe: Recipe) -> Alternative {
        match recipe {
            Recipe::Box(base) => Alternative::Boxed(base),
            Recipe::Text => Alternative::Text,
            Recipe::Call { class, method, descriptor, takes } => {
                let parts = takes.iter().map(|wanted| self.of(hierarchy, wanted)).collect();
                let call = Factory { class: class.into(), method: method.into(), descriptor: descriptor.into() };
                Alternative::Made(call, parts)
            }
            Recipe::Elements(class, element) => Alternative::Elements(class.into(), self.of(hierarchy, &element)),
            Recipe::Entries(class, key, value) => {
                Alternative::Entries(class.into(), self.of(hierarchy, &key), self.of(hierarchy, &value))
            }
        }
    }

    /// The class itself and its subclasses in the program, as far as they can have instances.
    fn concrete(&mut self, hierarchy: &Hierarchy, class: &Class, id: ClassId) -> Vec<Class> {
        let mut found: Vec<Class> = is_concrete(class).then(|| class.clone()).into_iter().collect();
        if class.access & access::FINAL != 0 || is_enum(class) {
            return if is_enum(class) { vec![class.clone()] } else { found };
        }
        let program = self.program.get_or_insert_with(|| ProgramClasses::of(hierarchy.class_path()));
        for name in program.names() {
            let below = hierarchy.id(&name.into());
            if below != id
                && hierarchy.is_subtype(below, id) == Answer::Yes
                && let Some(class) = hierarchy.class(below).filter(|class| is_concrete(class))
            {
                found.push((**class).clone());
            }
        }
        found
    }

    fn of_concrete(&mut self, hierarchy: &Hierarchy, class: &Class, arguments: &[DeclaredType]) -> Vec<Alternative> {
        if is_enum(class) {
            return constants(class);
        }
        if let Some(components) = class.record_components() {
            let types: String = components.iter().map(|component| component.descriptor.as_str().into_owned()).collect();
            return self.made(hierarchy, class, arguments, Some(&format!("({types})V")));
        }
        let id = hierarchy.id(&class.name);
        let extends_library = hierarchy
            .superclasses(id)
            .any(|above| above != hierarchy.object() && !is_own(hierarchy, hierarchy.name(above)));
        if extends_library || self.objects_by == ObjectsBy::Constructors {
            return self.made(hierarchy, class, arguments, None);
        }
        vec![Alternative::Object(class.name.clone())]
    }

    /// One alternative for the constructor with this descriptor, or for each constructor that is
    /// neither private nor synthetic.
    fn made(
        &mut self,
        hierarchy: &Hierarchy,
        class: &Class,
        arguments: &[DeclaredType],
        descriptor: Option<&str>,
    ) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        for constructor in class.methods.iter().filter(|method| method.name == "<init>") {
            let is_wanted = match descriptor {
                Some(descriptor) => constructor.descriptor == *descriptor,
                None => constructor.access & (access::PRIVATE | access::SYNTHETIC) == 0,
            };
            if is_wanted {
                let wanted = DeclaredType::parameters_in(class, arguments, constructor);
                let parts = wanted.iter().map(|wanted| self.of(hierarchy, wanted)).collect();
                let (class, method, descriptor) =
                    (class.name.clone(), constructor.name.clone(), constructor.descriptor.clone());
                alternatives.push(Alternative::Made(Factory { class, method, descriptor }, parts));
            }
        }
        alternatives
    }
}

fn constants(class: &Class) -> Vec<Alternative> {
    let fields = class.fields.iter().filter(|field| field.access & access::ENUM != 0);
    fields.map(|field| Alternative::Constant(class.name.clone(), field.name.clone())).collect()
}

fn is_enum(class: &Class) -> bool {
    class.access & access::ENUM != 0 && class.superclass.as_ref().is_some_and(|above| *above == "java/lang/Enum")
}

/// Whether `new` can make an instance. The bodies of enum constants are made by their enum.
fn is_concrete(class: &Class) -> bool {
    let not = access::ABSTRACT | access::INTERFACE | access::SYNTHETIC | access::MODULE;
    class.access & not == 0 && (class.access & access::ENUM == 0 || is_enum(class))
}

/// Whether a class belongs to the program and not to the platform.
fn is_own(hierarchy: &Hierarchy, class: &Text) -> bool {
    hierarchy.class_path().platform().is_none_or(|platform| platform.find(&class.as_str()).is_none())
}
/// Whether a type of the program is an interface or an abstract class that any class may implement.
fn can_be_implemented(hierarchy: &Hierarchy, name: &Text) -> bool {
    let Some(class) = hierarchy.class(hierarchy.id(name)).filter(|_| is_own(hierarchy, name)) else { return false };
    let is_sealed = class.attributes.iter().any(|attribute| matches!(attribute, Attribute::PermittedSubclasses(_)));
    class.access & access::ABSTRACT != 0 && class.access & access::ENUM == 0 && !is_sealed
}
