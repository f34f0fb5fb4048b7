//! The class that is written, and its state: which fields stay, which are its own business, and the lists in which it
//! remembers what it was given (thesis §6.2.1).

use crate::Policy;
use crate::fresh::{getter, setter};
use crate::names::{Names, fresh, is_identifier, plural, variable_name};
use crate::points_to::Source;
use crate::site::{Body, Made};
use lapidary_classfile::{Attribute, Class, Field, FieldOp, Instruction, InvokeOp, MemberRef, Method, Text, access};
use lapidary_jvm::{Answer, FieldType, MethodType, Resolution};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// A class on its way into source.
pub struct Subject<'h> {
    pub names: Names<'h>,
    pub class: &'h Class,
    pub policy: Policy,
    /// By place in the class file.
    pub bodies: Vec<Option<Body<'h>>>,
    /// Fields that the written class has as well.
    pub kept: BTreeSet<usize>,
    /// Fields that only ever hold containers which the class makes itself.
    pub own_fields: BTreeSet<usize>,
    pub lists: RefCell<BTreeMap<(Scope, FieldType), String>>,
    /// Methods of the class that written bodies call.
    pub called: RefCell<BTreeSet<usize>>,
    /// Whether a body throws what the compiler would want declared.
    pub throws_freely: Cell<bool>,
    live: RefCell<BTreeSet<String>>,
    /// By method: the names of its parameters.
    pub parameters: Vec<Vec<String>>,
    taken: RefCell<BTreeSet<String>>,
}

/// Whose memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    Class,
    Object,
}

impl<'h> Subject<'h> {
    pub fn new(names: Names<'h>, class: &'h Class, policy: Policy) -> Subject<'h> {
        let bodies = match policy {
            Policy::Deep | Policy::Mnemonic => {
                class.methods.iter().map(|method| Body::of(class, method, names.hierarchy)).collect()
            }
            Policy::None | Policy::Shallow => class.methods.iter().map(|_| None).collect(),
        };
        let parameters: Vec<Vec<String>> = class.methods.iter().map(crate::method::parameter_names).collect();
        let taken = RefCell::new(parameters.iter().flatten().cloned().collect());
        let (kept, own_fields) = Default::default();
        let (lists, called, throws_freely, live) = Default::default();
        let mut subject = Subject {
            names,
            class,
            policy,
            bodies,
            kept,
            own_fields,
            lists,
            called,
            throws_freely,
            live,
            parameters,
            taken,
        };
        subject.kept = subject.find_kept();
        subject.taken.borrow_mut().extend(subject.kept.iter().map(|field| class.fields[*field].name.to_string()));
        subject.own_fields = subject.own_candidates();
        while subject.drop_shared_fields() {}
        subject
    }

    /// Fields that others may use, and those of plain getters and setters.
    fn find_kept(&self) -> BTreeSet<usize> {
        let near = self.used_by_near();
        let plain = self.class.methods.iter().filter(|method| method.access & access::PRIVATE == 0);
        let accessed: BTreeSet<usize> = plain
            .filter_map(|method| getter(method).or_else(|| setter(method)))
            .filter_map(|member| self.own_field(member))
            .collect();
        let is_kept = |(index, field): &(usize, &Field)| {
            let is_hidden = field.access & (access::PRIVATE | access::SYNTHETIC) != 0;
            let is_accessed = self.policy == Policy::Mnemonic && accessed.contains(index);
            let is_constant = field.access & (access::STATIC | access::FINAL) == access::STATIC | access::FINAL;
            let is_fixed = is_constant
                && self.policy != Policy::Shallow
                && field.access & access::SYNTHETIC == 0
                && !self.is_own_matter_field(field);
            !is_hidden || is_accessed || is_fixed || near.contains(&field.name)
        };
        let can_be = |field: &Field| {
            let type_ = FieldType::parse(field.descriptor.as_bytes()).ok();
            is_identifier(&field.name.as_str()) && type_.is_some_and(|type_| self.names.type_(&type_).is_some())
        };
        self.class
            .fields
            .iter()
            .enumerate()
            .filter(is_kept)
            .filter(|(_, field)| can_be(field))
            .map(|(index, _)| index)
            .collect()
    }

    fn is_own_matter_field(&self, field: &Field) -> bool {
        FieldType::parse(field.descriptor.as_bytes()).is_ok_and(|type_| self.is_own_matter(&type_))
    }

    /// The names of fields that classes around and inside this one use directly.
    fn used_by_near(&self) -> BTreeSet<Text> {
        let mut used = BTreeSet::new();
        for near in self.near_classes() {
            for instruction in near.methods.iter().filter_map(Method::code).flat_map(|code| &code.instructions) {
                if let Instruction::Field(_, member) = instruction
                    && member.owner == self.class.name
                {
                    used.insert(member.name.clone());
                }
            }
        }
        used
    }

    /// Classes that may use private members of this one.
    pub fn near_classes(&self) -> Vec<&'h Class> {
        let hierarchy = self.names.hierarchy;
        let host = hierarchy.nest_host(self.names.class);
        let members = hierarchy.class(host).map_or(&[][..], |class| class.nest_members());
        let ids = members.iter().map(|name| hierarchy.id(name)).chain([host]).filter(|id| *id != self.names.class);
        ids.filter_map(|id| hierarchy.class(id)).map(|class| &**class).collect()
    }

    fn own_candidates(&self) -> BTreeSet<usize> {
        let all = self.class.fields.iter().enumerate();
        let own = all.filter(|(index, field)| !self.kept.contains(index) && self.is_own_matter_field(field));
        own.map(|(index, _)| index).collect()
    }

    /// A field that gets something from elsewhere is not the class's own business.
    fn drop_shared_fields(&mut self) -> bool {
        self.forget_made();
        let shared: Vec<usize> = self.bodies.iter().flatten().flat_map(|body| self.shared_by(body)).collect();
        self.forget_made();
        let before = self.own_fields.len();
        let left =
            self.own_fields.iter().copied().filter(|field| !shared.contains(field) || self.cannot_be_named(*field));
        self.own_fields = left.collect();
        self.own_fields.len() < before
    }

    fn cannot_be_named(&self, field: usize) -> bool {
        let type_ = FieldType::parse(self.class.fields[field].descriptor.as_bytes());
        type_.is_ok_and(|type_| self.names.type_(&type_).is_none())
    }

    fn shared_by(&self, body: &Body<'h>) -> Vec<usize> {
        let reached = body.positions().filter(|position| body.is_reached(*position));
        let shared = reached.filter_map(|position| match body.instruction(position) {
            Instruction::Field(FieldOp::PutField | FieldOp::PutStatic, member) => {
                let is_own = |source: &Source| match source {
                    Source::Null => true,
                    Source::Site(made) => {
                        let is_factory = matches!(body.instruction(*made), Instruction::Invoke(InvokeOp::Static, member) if self.is_factory(member));
                        let is_new = matches!(body.instruction(*made), Instruction::New(_) | Instruction::NewArray(_) | Instruction::ANewArray(_) | Instruction::MultiANewArray(..));
                        is_new || is_factory || self.made(body, *made) == Made::Own
                    }
                    _ => false,
                };
                self.own_field(member).filter(|_| !body.operand(position, 0).iter().all(is_own))
            }
            _ => None,
        });
        shared.collect()
    }

    /// The place of a field that this class itself declares.
    pub fn own_field(&self, member: &MemberRef) -> Option<usize> {
        let owner = self.names.hierarchy.owner(&member.owner);
        match self.names.hierarchy.resolve_field(owner, &member.name, &member.descriptor) {
            Resolution::Found(id) if id.class == self.names.class => Some(id.index as usize),
            _ => None,
        }
    }

    /// Whether the field has a value that the compiler knows.
    pub fn is_constant(&self, field: usize) -> bool {
        let field = &self.class.fields[field];
        let has_value = field.attributes.iter().any(|attribute| matches!(attribute, Attribute::ConstantValue(_)));
        has_value && field.access & (access::STATIC | access::FINAL) == access::STATIC | access::FINAL
    }

    /// Whether written code may use a field of another class.
    pub fn foreign_field(&self, member: &MemberRef) -> bool {
        let hierarchy = self.names.hierarchy;
        if self.names.class(&member.owner).is_none() || !is_identifier(&member.name.as_str()) {
            return false;
        }
        let owner = hierarchy.id(&member.owner);
        let Resolution::Found(id) = hierarchy.resolve_field(owner, &member.name, &member.descriptor) else {
            return false;
        };
        let flags = hierarchy.field(id).access;
        let is_private = flags & access::PRIVATE != 0 && !self.is_near(&hierarchy.name(id.class).as_str());
        !is_private
            && flags & access::SYNTHETIC == 0
            && hierarchy.can_access_field(self.names.class, owner, id) == Answer::Yes
    }

    /// Whether the compiler has several methods of this name to choose from.
    pub fn is_overloaded(&self, owner: &Text, name: &Text, parameters: usize) -> bool {
        let hierarchy = self.names.hierarchy;
        let mut found: BTreeSet<Vec<FieldType>> = BTreeSet::new();
        let supertypes = hierarchy.all_supertypes(hierarchy.id(owner)).iter().copied();
        let classes = supertypes.filter(|class| *name != "<init>" || hierarchy.name(*class) == owner);
        for method in classes.flat_map(|class| hierarchy.declared_methods(class)).map(|id| hierarchy.method(id)) {
            let type_ = MethodType::parse(method.descriptor.as_bytes()).ok().filter(|_| method.name == *name);
            let is_open = method.access & access::VARARGS != 0;
            found.extend(
                type_.filter(|type_| type_.parameters.len() == parameters || is_open).map(|type_| type_.parameters),
            );
        }
        found.len() > 1
    }

    /// The list in which objects of the type are remembered.
    pub fn list(&self, scope: Scope, type_: &FieldType) -> String {
        let key = (scope, type_.clone());
        if let Some(known) = self.lists.borrow().get(&key) {
            return known.clone();
        }
        let plural = match type_ {
            FieldType::Array(_) => format!("{}Arrays", variable_name(type_.innermost())),
            FieldType::Object(name) => plural(&crate::names::simple_name(name)),
            FieldType::Base(_) => plural(&variable_name(type_)),
        };
        let wanted = match scope {
            Scope::Object => plural,
            Scope::Class => format!("shared{}{}", plural[..1].to_uppercase(), &plural[1..]),
        };
        let name = fresh(&wanted, &mut self.taken.borrow_mut());
        self.lists.borrow_mut().insert(key, name.clone());
        name
    }

    /// The lists that something is taken from.
    pub fn live_lists(&self) -> Vec<((Scope, FieldType), String)> {
        let live = self.live.borrow();
        let is_live = |(_, name): &(_, &String)| live.contains(*name);
        self.lists.borrow().iter().filter(is_live).map(|(key, name)| (key.clone(), name.clone())).collect()
    }

    /// Lists that the text takes from are those that count from now on.
    pub fn keep_lists_read_in(&self, text: &str) {
        let is_read = |name: &&String| {
            let ways = [format!("({name})"), format!("{name}.toArray(")];
            ways.iter().any(|way| text.contains(&way[..]))
        };
        let live = self.lists.borrow().values().filter(is_read).cloned().collect();
        *self.live.borrow_mut() = live;
    }

    /// What puts an object into every list that it may belong to.
    pub fn remembering(&self, scope: Scope, text: &str, type_: &FieldType) -> Vec<String> {
        let hierarchy = self.names.hierarchy;
        let mut steps = Vec::new();
        for ((list_scope, remembered), list) in self.live_lists() {
            let Some(name) = self.names.type_(&remembered).filter(|_| list_scope == scope) else { continue };
            let remembered = &remembered;
            if hierarchy.is_assignable(type_, remembered) == Answer::Yes {
                steps.push(format!("{list}.add({text})"));
            } else if hierarchy.is_assignable(remembered, type_) == Answer::Yes {
                steps.push(format!("if ({text} instanceof {name}) {{ {list}.add(({name}) {text}); }}"));
            }
        }
        steps
    }

    /// The lists and the fields that stay, as declarations.
    pub fn declarations(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for ((scope, type_), name) in self.live_lists() {
            let Some(type_) = self.names.type_(&type_) else { continue };
            let word = if scope == Scope::Class { "static " } else { "" };
            let list = crate::names::marker("java/util/ArrayList");
            lines.push(format!("private {word}final {list}<{type_}> {name} = new {list}<>();"));
        }
        lines.sort();
        let fields = self.kept.iter().filter_map(|index| self.field_declaration(&self.class.fields[*index]));
        fields.chain(lines).collect()
    }

    fn field_declaration(&self, field: &Field) -> Option<String> {
        let type_ = FieldType::parse(field.descriptor.as_bytes()).ok()?;
        let name = self.names.type_(&type_)?;
        let constant = field.attributes.iter().find_map(|attribute| match attribute {
            Attribute::ConstantValue(constant) => Some(crate::header::constant_text(constant, &type_)),
            _ => None,
        });
        let is_static = field.access & access::STATIC != 0;
        let mut words = self.visibility(field.access).to_owned();
        if is_static {
            words.push_str("static ");
        }
        if constant.is_some() && field.access & access::FINAL != 0 && is_static {
            words.push_str("final ");
        }
        let initial = constant.or_else(|| (self.policy == Policy::Shallow).then(|| self.fresh(&type_, 2)));
        let initial = initial.map(|text| format!(" = {text}")).unwrap_or_default();
        Some(format!("{words}{name} {}{initial};", field.name))
    }

    /// Private members stay private unless classes around or inside use them, which the written class is no longer
    /// nested with.
    pub fn visibility(&self, flags: u16) -> &'static str {
        match flags & (access::PUBLIC | access::PROTECTED | access::PRIVATE) {
            access::PUBLIC => "public ",
            access::PROTECTED => "protected ",
            access::PRIVATE if self.near_classes().is_empty() => "private ",
            _ => "",
        }
    }
}
