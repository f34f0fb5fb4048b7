//! The fields of a written class: those that stay, and those that are private to the concrete one.

use crate::Policy;
use crate::accessor::{getter, setter};
use crate::body::{Body, Made};
use crate::literal::constant_text;
use crate::names::{is_identifier, marker};
use crate::points_to::Source;
use crate::subject::{Scope, Subject};
use lapidary_classfile::{Attribute, Field, FieldOp, Instruction, InvokeOp, MemberRef, Method, Text, access};
use lapidary_jvm::{Answer, FieldType, Resolution};
use std::collections::BTreeSet;

impl<'h> Subject<'h> {
    /// Finds the fields that other classes may use, and those of plain getters and setters.
    pub fn find_kept(&self) -> BTreeSet<usize> {
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

    /// The names of fields that enclosing and nested classes use directly.
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

    pub fn own_candidates(&self) -> BTreeSet<usize> {
        let all = self.class.fields.iter().enumerate();
        let own = all.filter(|(index, field)| !self.kept.contains(index) && self.is_own_matter_field(field));
        own.map(|(index, _)| index).collect()
    }

    /// Drops fields that receive objects from elsewhere, which are not private to the class.
    pub fn drop_shared_fields(&mut self) -> bool {
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

    /// The index of a field that this class itself declares.
    pub fn own_field(&self, member: &MemberRef) -> Option<usize> {
        let owner = self.names.hierarchy.owner(&member.owner);
        match self.names.hierarchy.resolve_field(owner, &member.name, &member.descriptor) {
            Resolution::Found(id) if id.class == self.names.class => Some(id.index as usize),
            _ => None,
        }
    }

    /// Returns whether the field has a compile-time constant value.
    pub fn is_constant(&self, field: usize) -> bool {
        let field = &self.class.fields[field];
        let has_value = field.attributes.iter().any(|attribute| matches!(attribute, Attribute::ConstantValue(_)));
        has_value && field.access & (access::STATIC | access::FINAL) == access::STATIC | access::FINAL
    }

    /// Returns whether written code may use a field of another class.
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

    /// The declarations of the lists and the kept fields.
    pub fn declarations(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for ((scope, type_), name) in self.live_lists() {
            let Some(type_) = self.names.type_(&type_) else { continue };
            let word = if scope == Scope::Class { "static " } else { "" };
            let list = marker("java/util/ArrayList");
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
            Attribute::ConstantValue(constant) => Some(constant_text(constant, &type_)),
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
}
