//! The ways in which a value of a type can be given.
//!
//! A [`Kind`] is a list of alternatives, of which a path takes one; that needs no solver. The same kinds tell the symbolic
//! machine what to make of symbols and the random tester what to make of dice.

use super::library::{Recipe, is_open, recipes};
use super::{Call, ProgramClasses, Restriction, Wanted, java_name};
use lapidary_classfile::{Class, Field, Text, access};
use lapidary_jvm::{Answer, BaseType, ClassId, FieldType, Hierarchy};
use std::collections::{BTreeSet, HashMap};

/// A kind by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u32);

#[derive(Clone, Debug)]
pub struct Kind {
    pub type_: FieldType,
    /// The type arguments of its class.
    pub arguments: Vec<Wanted>,
    pub alternatives: Vec<Alternative>,
    /// That there are other values of the type, none of which is tried.
    pub left_out: Option<Restriction>,
}

/// One way to give a value.
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
    /// An object of this class of the program, whose fields are inputs.
    Object(Text),
    Made(Call, Vec<KindId>),
    Elements(Text, KindId),
    Entries(Text, KindId, KindId),
    Null,
    /// There are other values, which cannot be made.
    Unsupported(String),
}

/// How objects of the program's classes come to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObjectsBy {
    /// Each field is an input of its own.
    #[default]
    Fields,
    /// A constructor of the class is called with inputs.
    Constructors,
}

/// Of a class with more subclasses than this, the others are not tried.
const SUBCLASSES: usize = 8;

/// Of a type that says little, such as `Object`, so many ways are tried.
const WAYS: usize = 16;

/// All kinds that were asked for.
#[derive(Default)]
pub struct Kinds {
    pub objects_by: ObjectsBy,
    /// What the code asks about values of types that say little.
    pub asked: BTreeSet<FieldType>,
    kinds: Vec<Kind>,
    numbers: HashMap<(Wanted, bool), KindId>,
    program: Option<ProgramClasses>,
}

impl Alternative {
    /// What another version of the program calls the same alternative, too.
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

    /// What it is called in Java, without its package.
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
            Alternative::Made(Call { class, .. }, _)
            | Alternative::Constant(class, _)
            | Alternative::Object(class)
            | Alternative::Elements(class, _)
            | Alternative::Entries(class, ..) => simple(class),
            Alternative::Null | Alternative::Unsupported(_) => return None,
        })
    }

    /// Whether the type alone says that this is the only way, so that every version of the program has it alone.
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

impl Kind {
    /// The places of the alternatives that may be taken at this depth.
    pub fn at_depth(&self, depth: i32) -> Vec<usize> {
        let all = 0..self.alternatives.len();
        let flat: Vec<usize> = all.clone().filter(|place| !self.alternatives[*place].is_deep()).collect();
        if depth > 0 || flat.is_empty() { all.collect() } else { flat }
    }

    /// Whether anything but null can be given.
    pub fn is_supported(&self) -> bool {
        self.alternatives.iter().any(|way| !matches!(way, Alternative::Null | Alternative::Unsupported(_)))
    }

    pub fn has_objects(&self) -> bool {
        self.alternatives.iter().any(|way| matches!(way, Alternative::Object(_)))
    }
}

impl Kinds {
    pub fn get(&self, id: KindId) -> &Kind {
        &self.kinds[id.0 as usize]
    }

    /// The same for a number that there may be none of.
    pub(crate) fn known(&self, id: KindId) -> Option<&Kind> {
        self.kinds.get(id.0 as usize)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Kind> {
        self.kinds.iter()
    }

    /// The kind of what is wanted, or null.
    pub fn of(&mut self, hierarchy: &Hierarchy, wanted: &Wanted) -> KindId {
        self.number(hierarchy, wanted, true)
    }

    /// The same without null.
    pub fn present(&mut self, hierarchy: &Hierarchy, wanted: &Wanted) -> KindId {
        self.number(hierarchy, wanted, false)
    }

    /// The arguments of `main`: texts, none of them null.
    pub fn arguments_of_main(&mut self, hierarchy: &Hierarchy) -> KindId {
        let text = self.present(hierarchy, &Wanted::class("java/lang/String"));
        let type_ = self.get(text).type_.clone().array();
        let alternatives = vec![Alternative::Array(text)];
        self.add(Kind { type_, arguments: Vec::new(), alternatives, left_out: None })
    }

    /// The instance fields of an object of this class and kind, superclasses first: who declares it, its name, its kind.
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

    /// The kind of a field that this class declares, in an object of a kind. The object around an inner one, which the compiler keeps
    /// in a field, is always there.
    pub fn of_field(&mut self, hierarchy: &Hierarchy, class: &Class, of: KindId, field: &Field) -> Option<KindId> {
        let arguments = self.arguments_for(class, of);
        let wanted = Wanted::field(class, &arguments, field)?;
        let is_outer = field.access & access::SYNTHETIC != 0 && field.name.as_bytes().starts_with(b"this$");
        Some(self.number(hierarchy, &wanted, !is_outer))
    }

    /// The type arguments of a kind, if it is one of this class and not of one above it: whose they are below is not looked up.
    fn arguments_for(&self, class: &Class, kind: KindId) -> Vec<Wanted> {
        let kind = self.get(kind);
        match &kind.type_ {
            FieldType::Object(name) if *name == class.name => kind.arguments.clone(),
            _ => Vec::new(),
        }
    }

    fn number(&mut self, hierarchy: &Hierarchy, wanted: &Wanted, or_null: bool) -> KindId {
        let key = (wanted.clone(), or_null);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        // It has a number before its parts are looked at, since it may be a part of itself.
        let arguments = if let Wanted::Class(_, arguments) = wanted { arguments.clone() } else { Vec::new() };
        let id = self.add(Kind { type_: wanted.field_type(), arguments, alternatives: Vec::new(), left_out: None });
        self.numbers.insert(key, id);
        let mut alternatives = self.alternatives(hierarchy, wanted);
        if or_null && !matches!(wanted, Wanted::Base(_)) {
            alternatives.push(Alternative::Null);
        }
        let left_out = self.left_out(wanted, &alternatives);
        let kind = &mut self.kinds[id.0 as usize];
        (kind.alternatives, kind.left_out) = (alternatives, left_out);
        id
    }

    /// What is not tried of a type of the library that others can extend or make otherwise.
    fn left_out(&self, wanted: &Wanted, alternatives: &[Alternative]) -> Option<Restriction> {
        let Wanted::Class(name, _) = wanted else { return None };
        let mut tried: Vec<String> = alternatives.iter().filter_map(|way| way.shown(self)).collect();
        tried.dedup();
        let type_ = name.as_str().rsplit('/').next().unwrap_or_default().to_owned();
        is_open(name).then_some(Restriction::Kinds { type_, tried })
    }

    fn add(&mut self, kind: Kind) -> KindId {
        self.kinds.push(kind);
        KindId(self.kinds.len() as u32 - 1)
    }

    fn alternatives(&mut self, hierarchy: &Hierarchy, wanted: &Wanted) -> Vec<Alternative> {
        match wanted {
            Wanted::Base(base) => vec![Alternative::Number(*base)],
            Wanted::Array(element) => match &**element {
                Wanted::Base(base) => vec![Alternative::Numbers(*base)],
                element => vec![Alternative::Array(self.of(hierarchy, element))],
            },
            Wanted::Class(name, arguments) => self.of_class(hierarchy, name, arguments),
        }
    }

    fn of_class(&mut self, hierarchy: &Hierarchy, name: &Text, arguments: &[Wanted]) -> Vec<Alternative> {
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

    /// The ways to make a value of a type that says little, with those of the classes that the code asks about.
    fn with_asked(
        &mut self,
        hierarchy: &Hierarchy,
        name: &Text,
        arguments: &[Wanted],
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

    fn asked_about(&mut self, hierarchy: &Hierarchy, type_: &FieldType, arguments: &[Wanted]) -> Vec<Alternative> {
        let FieldType::Object(name) = type_ else { return self.alternatives(hierarchy, &Wanted::erased(type_)) };
        let known = recipes(name, arguments);
        if !known.is_empty() {
            return known.into_iter().map(|recipe| self.cooked(hierarchy, recipe)).collect();
        }
        let Some(class) = hierarchy.class(hierarchy.id(name)).cloned() else { return Vec::new() };
        if is_own(hierarchy, name) {
            return self.of_class(hierarchy, name, &[]);
        }
        // A class of the library without a recipe is made by the constructor that takes nothing, if everybody may call it.
        let can_be_made = is_concrete(&class) && class.access & access::PUBLIC != 0;
        let is_it = |method: &&lapidary_classfile::Method| {
            method.name == "<init>" && method.descriptor == "()V" && method.access & access::PUBLIC != 0
        };
        let constructor = class.methods.iter().filter(|_| can_be_made).find(is_it);
        let call = constructor.map(|constructor| Call {
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
                let call = Call { class: class.into(), method: method.into(), descriptor: descriptor.into() };
                Alternative::Made(call, parts)
            }
            Recipe::Elements(class, element) => Alternative::Elements(class.into(), self.of(hierarchy, &element)),
            Recipe::Entries(class, key, value) => {
                Alternative::Entries(class.into(), self.of(hierarchy, &key), self.of(hierarchy, &value))
            }
        }
    }

    /// The class itself and those of the program below it, as far as they can have objects.
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

    fn of_concrete(&mut self, hierarchy: &Hierarchy, class: &Class, arguments: &[Wanted]) -> Vec<Alternative> {
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

    /// One alternative for each constructor, or for the one with this descriptor. The private ones are not for others.
    fn made(
        &mut self,
        hierarchy: &Hierarchy,
        class: &Class,
        arguments: &[Wanted],
        descriptor: Option<&str>,
    ) -> Vec<Alternative> {
        let mut alternatives = Vec::new();
        for constructor in class.methods.iter().filter(|method| method.name == "<init>") {
            let is_wanted = match descriptor {
                Some(descriptor) => constructor.descriptor == *descriptor,
                None => constructor.access & (access::PRIVATE | access::SYNTHETIC) == 0,
            };
            if is_wanted {
                let wanted = Wanted::parameters_in(class, arguments, constructor);
                let parts = wanted.iter().map(|wanted| self.of(hierarchy, wanted)).collect();
                let (class, method, descriptor) =
                    (class.name.clone(), constructor.name.clone(), constructor.descriptor.clone());
                alternatives.push(Alternative::Made(Call { class, method, descriptor }, parts));
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

/// Whether `new` can make one. The bodies of enum constants are made by their enum.
fn is_concrete(class: &Class) -> bool {
    let not = access::ABSTRACT | access::INTERFACE | access::SYNTHETIC | access::MODULE;
    class.access & not == 0 && (class.access & access::ENUM == 0 || is_enum(class))
}

/// Whether a class is the program's and not the platform's.
fn is_own(hierarchy: &Hierarchy, class: &Text) -> bool {
    hierarchy.class_path().platform().is_none_or(|platform| platform.find(&class.as_str()).is_none())
}
