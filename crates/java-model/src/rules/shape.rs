//! The needs of declarations: the classes they name, and the parts that belong together
//! (dissertation §4.3.3).

use super::Rules;
use super::holds::Holds;
use crate::generics::{self, Demands};
use crate::member::{Member, Sort};
use crate::names;
use crate::program::class_in;
use crate::vocabulary::{Annotations, is_finer_annotation, is_locals};
use lapidary_classfile::{Annotation, Attribute, Attributed, Class, Field, Method, Text, access};
use lapidary_logic::Var;
use std::collections::BTreeSet;

impl Rules<'_> {
    pub(super) fn declarations(&mut self) {
        let parents: Vec<_> = self.words.items.iter().map(|item| item.parent).collect();
        for (index, parent) in parents.into_iter().enumerate() {
            parent.into_iter().for_each(|parent| self.cnf.imply(Var::new(index), parent));
        }
        for class in 0..self.words.classes.len() {
            self.class(class);
            self.kinds_of_class(class);
            self.constructors(class);
            self.fields(class);
            self.methods(class);
        }
        self.other_versions();
    }

    fn class(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let var = vars.class;
        self.edges(class);
        self.unknown_attributes(class);
        self.annotations(owner, &vars.annotations);
        if let Some(entry) = owner.inner_classes().iter().find(|entry| entry.inner == owner.name) {
            entry.outer.iter().for_each(|outer| self.need_class(var, outer));
        }
        for attribute in &owner.attributes {
            match attribute {
                Attribute::EnclosingMethod(enclosing) => {
                    self.need_class(var, &enclosing.class);
                    let method = enclosing.method.as_ref().and_then(|method| {
                        self.program.find_method(&enclosing.class, &method.name, &method.descriptor)
                    });
                    let code = method.and_then(|(class, method)| self.words.classes[class].methods[method].code);
                    code.into_iter().for_each(|code| self.cnf.imply(var, code));
                }
                Attribute::Record(components) => {
                    let record = vars.record.unwrap_or(var);
                    let generic = components.iter().filter_map(Attributed::signature).filter_map(generics::of_field);
                    generic.for_each(|demands| self.need_generic(&[record], &demands, class));
                    names::in_attributes(std::slice::from_ref(attribute), &mut |name| self.need_class(record, &name));
                    components.iter().for_each(|component| self.annotations_in(component.attributes(), record));
                }
                _ => {}
            }
        }
    }

    /// An attribute of unknown meaning may refer to anything in the class file, so it stays only if
    /// the file stays unchanged.
    fn unknown_attributes(&mut self, class: usize) {
        let vars = &self.words.classes[class];
        let whole = match vars.others.as_slice() {
            [] => return,
            [(_, only)] => *only,
            // One variable for all of them keeps the clauses from multiplying.
            _ => self.cnf.add_variable(),
        };
        vars.others.iter().for_each(|(_, attribute)| self.imply(&[*attribute], &[whole]));
        vars.own.clone().for_each(|own| self.imply(&[whole], &[Var::new(own)]));
        for named in self.program.named_in_pool(class) {
            self.imply(&[whole], &[self.words.classes[named].class]);
        }
    }

    fn edges(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let extended = owner.superclass.iter().filter_map(|name| Some((vars.extends?, name)));
        let implemented = vars.implements.iter().copied().zip(&owner.interfaces);
        for (edge, name) in extended.chain(implemented) {
            self.need_class(edge, name);
        }
        let (Some(signature), Some(var)) = (owner.signature(), vars.signature) else { return };
        let Some((parameters, supertypes)) = generics::of_class(signature) else { return };
        self.need_generic(&[var], &parameters, class);
        for (place, supertype) in supertypes.iter().enumerate() {
            let edge = if place == 0 { vars.extends } else { vars.implements.get(place - 1).copied() };
            let premises: Vec<Var> = [var].into_iter().chain(edge).collect();
            self.need_generic(&premises, supertype, class);
        }
    }

    /// Adds the needs of a signature: the classes it names, the signatures of those used with type
    /// arguments, and the enclosing signatures that declare its type variables.
    fn need_generic(&mut self, premises: &[Var], demands: &Demands, class: usize) {
        demands.classes.iter().for_each(|name| self.need_class_if(premises, name));
        for name in &demands.generic {
            let signature = self.program.find(name).and_then(|index| self.words.classes[index].signature);
            signature.into_iter().for_each(|signature| self.imply(premises, &[signature]));
        }
        let mut around = Some(class).filter(|_| demands.outer_variables);
        let mut seen = BTreeSet::new();
        while let Some(index) = around.filter(|index| seen.insert(*index)) {
            let signature = self.words.classes[index].signature;
            signature.into_iter().for_each(|var| self.imply(premises, &[var]));
            around = self.outer(index);
        }
    }

    fn outer(&self, class: usize) -> Option<usize> {
        let owner = self.program.class(class);
        let entry = owner.inner_classes().iter().find(|entry| entry.inner == owner.name)?;
        self.program.find(entry.outer.as_ref()?)
    }

    /// Adds the parts by which enums, records and annotation types are recognised.
    fn kinds_of_class(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        if owner.access & access::ENUM != 0 {
            self.enumeration(class);
            self.enum_by_its_code(class);
        }
        if owner.access & access::ANNOTATION != 0 {
            vars.implements.iter().for_each(|edge| self.cnf.imply(vars.class, *edge));
        }
        if let Some(record) = vars.record {
            self.record(class, record);
        }
    }

    fn enumeration(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let var = vars.class;
        vars.extends.into_iter().for_each(|edge| self.cnf.imply(var, edge));
        let is_highest = owner.superclass.as_ref().is_some_and(|name| *name == "java/lang/Enum");
        let made = |method: &Method| {
            let takes_a_name = method.descriptor.as_bytes().starts_with(b"(Ljava/lang/String;)");
            is_highest && (method.name == "values" || method.name == "valueOf" && takes_a_name)
        };
        let methods = owner.methods.iter().zip(&vars.methods).filter(|(method, _)| made(method));
        methods.for_each(|(_, method)| self.cnf.imply(var, method.method));
        let values = owner.fields.iter().zip(&vars.fields).filter(|(field, _)| field.name == "$VALUES");
        values.for_each(|(_, field)| self.cnf.imply(var, field.field));
    }

    /// A record needs its superclass, its constructor, and the field and accessor of each
    /// component.
    fn record(&mut self, class: usize, record: Var) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let components = owner.record_components().unwrap_or_default();
        vars.extends.into_iter().for_each(|edge| {
            self.cnf.imply(record, edge);
            self.cnf.imply(edge, record);
        });
        let mut parameters = Vec::new();
        for component in components {
            parameters.extend_from_slice(component.descriptor.as_bytes());
            let field = |field: &Field| field.name == component.name && field.descriptor == component.descriptor;
            if let Some(place) = owner.fields.iter().position(field) {
                let vars = &vars.fields[place];
                [Some(vars.field), vars.fixed].into_iter().flatten().for_each(|var| self.cnf.imply(record, var));
            }
            let accessor = Text::from_bytes(&[b"()", component.descriptor.as_bytes()].concat());
            let accessor = self.program.find_method(&owner.name, &component.name, &accessor);
            accessor.into_iter().for_each(|(_, method)| self.cnf.imply(record, vars.methods[method].method));
        }
        let canonical = Text::from_bytes(&[b"(", parameters.as_slice(), b")V"].concat());
        let constructor = self.program.find_method(&owner.name, &"<init>".into(), &canonical);
        constructor.into_iter().for_each(|(_, place)| self.cnf.imply(record, vars.methods[place].method));
    }

    /// An enum needs the code that creates its constants. Decompilers recognise enums by it;
    /// without it they write a class that extends `Enum`, which no compiler accepts.
    fn enum_by_its_code(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let makes_constants =
            |name: &Text| ["<clinit>", "<init>", "$values", "values"].iter().any(|made| *name == *made);
        for (method, method_vars) in owner.methods.iter().zip(&vars.methods) {
            if makes_constants(&method.name) {
                let parts = std::iter::once(method_vars.method).chain(method_vars.code);
                parts.for_each(|part| self.prefer(&[vars.class], &[part]));
            }
        }
    }

    /// A class without a constructor of its own needs a superclass constructor without parameters,
    /// unless the superclass has no constructors left.
    fn constructors(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let (Some(edge), Some(superclass)) = (vars.extends, owner.superclass.as_ref()) else { return };
        let is_constructor = |(method, _): &(&Method, _)| method.name == "<init>";
        let own: Vec<Var> =
            owner.methods.iter().zip(&vars.methods).filter(is_constructor).map(|(_, vars)| vars.method).collect();
        let Some(above) = self.program.find(superclass) else {
            if !own.is_empty() && !self.library.has_plain_constructor(superclass) {
                self.imply(&[edge], &own);
            }
            return;
        };
        let (base, base_vars) = (self.program.class(above), &self.words.classes[above]);
        let others: Vec<_> = base.methods.iter().zip(&base_vars.methods).filter(is_constructor).collect();
        let plain =
            others.iter().find(|(method, _)| method.descriptor == "()V" && method.access & access::PRIVATE == 0);
        let conclusions: Vec<Var> = own.iter().copied().chain(plain.map(|(_, vars)| vars.method)).collect();
        if conclusions.is_empty() {
            return;
        }
        for (_, other) in others {
            if !conclusions.contains(&other.method) {
                self.imply(&[edge, other.method], &conclusions);
            }
        }
    }

    fn fields(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        for (field, field_vars) in owner.fields.iter().zip(&vars.fields) {
            names::in_descriptor(&field.descriptor, &mut |name| self.need_class(field_vars.field, &name));
            self.annotations(field, &field_vars.annotations);
            if let (Some(signature), Some(text)) = (field_vars.signature, field.signature()) {
                generics::of_field(text).iter().for_each(|demands| self.need_generic(&[signature], demands, class));
            }
            let constant = field.attributes.iter().any(|attribute| matches!(attribute, Attribute::ConstantValue(_)));
            let flag = field_vars.fixed.unwrap_or(field_vars.field);
            if field.access & access::FINAL != 0 && !constant {
                self.initialised(class, field, flag);
            }
            if field.access & access::SYNTHETIC != 0 {
                self.prefer(&[vars.class], &[field_vars.field]);
            }
        }
    }

    /// A final field needs the code that sets it: the class initialiser, or every remaining
    /// constructor.
    fn initialised(&mut self, class: usize, field: &Field, flag: Var) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        let is_static = field.access & access::STATIC != 0;
        let name = if is_static { "<clinit>" } else { "<init>" };
        for (_, method_vars) in owner.methods.iter().zip(&vars.methods).filter(|(method, _)| method.name == name) {
            let Some(code) = method_vars.code else { continue };
            if is_static {
                self.cnf.imply(flag, method_vars.method);
                self.cnf.imply(flag, code);
            } else {
                self.imply(&[flag, method_vars.method], &[code]);
            }
        }
    }

    fn methods(&mut self, class: usize) {
        let (owner, vars) = (self.program.class(class), &self.words.classes[class]);
        for (method, method_vars) in owner.methods.iter().zip(&vars.methods) {
            let var = method_vars.method;
            names::in_descriptor(&method.descriptor, &mut |name| self.need_class(var, &name));
            for (thrown, entry) in method.exceptions().iter().zip(&method_vars.throws) {
                self.need_class(*entry, thrown);
                let throwable = self.subtype(thrown, &"java/lang/Throwable".into());
                self.need(&[*entry], throwable);
            }
            self.annotations(method, &method_vars.annotations);
            self.method_signature(class, method, method_vars);
            if let (Some(default), Some(value)) = (method_vars.default, annotation_default(method)) {
                names::in_element_value(value, &mut |name| self.need_class(default, &name));
                self.enum_constants(value, default);
            }
            if let Some(code) = method_vars.code {
                self.bound_to_code(owner, method, var, code);
                method_vars.throws.iter().for_each(|entry| self.prefer(&[code], &[*entry]));
            }
            if let Some(locals) = method_vars.locals {
                let code = method.code().map_or(&[][..], |code| &code.attributes);
                for attribute in code.iter().filter(|attribute| is_locals(attribute)) {
                    let attribute = std::slice::from_ref(attribute);
                    names::in_attributes(attribute, &mut |name| self.need_class(locals, &name));
                    self.annotations_in(attribute, locals);
                }
                if method.attributes.iter().all(|attribute| !matches!(attribute, Attribute::MethodParameters(_))) {
                    method_vars.code.into_iter().for_each(|code| self.cnf.imply(locals, code));
                }
            }
        }
    }

    fn method_signature(&mut self, class: usize, method: &Method, vars: &crate::vocabulary::MethodVars) {
        let (Some(signature), Some(text)) = (vars.signature, method.signature()) else { return };
        generics::of_method(text).iter().for_each(|demands| self.need_generic(&[signature], demands, class));
        if text.as_bytes().contains(&b'^') {
            vars.throws.iter().for_each(|entry| self.cnf.imply(signature, *entry));
        }
    }

    /// A synthetic method needs its code. A class initialiser is one item with its code.
    fn bound_to_code(&mut self, owner: &Class, method: &Method, var: Var, code: Var) {
        let is_synthetic = method.access & access::SYNTHETIC != 0 || method.attributes.contains(&Attribute::Synthetic);
        if method.name == "<clinit>" || is_synthetic && method.name != "<init>" {
            self.cnf.imply(var, code);
        }
        if method.access & access::BRIDGE != 0 {
            let signature = self.words.classes[self.program.find(&owner.name).expect("an own class")].signature;
            signature.into_iter().for_each(|signature| self.prefer(&[var], &[signature]));
        }
    }

    fn annotations(&mut self, owner: &impl Attributed, vars: &Annotations) {
        for (annotation, var) in owner.annotations().zip(&vars.each) {
            self.annotation(annotation, *var);
        }
        let Some(finer) = vars.finer else { return };
        for attribute in owner.attributes().iter().filter(|attribute| is_finer_annotation(attribute)) {
            self.annotations_in(std::slice::from_ref(attribute), finer);
        }
    }

    /// Adds the needs of annotations that are kept or removed with another item.
    fn annotations_in(&mut self, attributes: &[Attribute], var: Var) {
        for attribute in attributes {
            names::each_annotation(attribute, &mut |annotation| self.annotation(annotation, var));
        }
    }

    /// An annotation needs the elements it gives values to, and the default values of the others.
    fn annotation(&mut self, annotation: &Annotation, var: Var) {
        names::in_annotation(annotation, &mut |name| self.need_class(var, &name));
        let [b'L', name @ .., b';'] = annotation.descriptor.as_bytes() else { return };
        let Some(index) = self.program.find(&Text::from_bytes(name)) else { return };
        let given: BTreeSet<_> = annotation.elements.iter().map(|element| &element.name).collect();
        let (owner, vars) = (self.program.class(index), &self.words.classes[index]);
        for (method, method_vars) in owner.methods.iter().zip(&vars.methods) {
            if given.contains(&method.name) {
                self.cnf.imply(var, method_vars.method);
            } else if let Some(default) = method_vars.default {
                self.imply(&[var, method_vars.method], &[default]);
            }
        }
        for value in &annotation.elements {
            self.enum_constants(&value.value, var);
        }
    }

    fn enum_constants(&mut self, value: &lapidary_classfile::ElementValue, var: Var) {
        use lapidary_classfile::ElementValue;
        match value {
            ElementValue::Enum { descriptor, constant } => {
                let [b'L', name @ .., b';'] = descriptor.as_bytes() else { return };
                let member = Member { sort: Sort::Field, name: constant.clone(), descriptor: descriptor.clone() };
                if let Some(index) = self.program.find(&Text::from_bytes(name)) {
                    let own = self.own(index, &member).map_or(Holds::Always, |(own, _)| own);
                    self.need(&[var], own);
                }
            }
            ElementValue::Array(values) => values.iter().for_each(|value| self.enum_constants(value, var)),
            ElementValue::Annotation(annotation) => self.annotation(annotation, var),
            _ => {}
        }
    }

    /// A class file that is not analysed (a version for another release, for example) needs every
    /// class it names.
    fn other_versions(&mut self) {
        for ((path, entry), var) in self.program.resources().zip(&self.words.resources) {
            if let Some(Ok(class)) = class_in(path, entry) {
                names::in_class(&class, &mut |name| self.need_class(*var, &name));
            }
        }
        for (one, other) in self.program.inseparable_resources() {
            self.cnf.imply(self.words.resources[one], self.words.resources[other]);
        }
    }
}

fn annotation_default(method: &Method) -> Option<&lapidary_classfile::ElementValue> {
    method.attributes.iter().find_map(|attribute| match attribute {
        Attribute::AnnotationDefault(value) => Some(value),
        _ => None,
    })
}
