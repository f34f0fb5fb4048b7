//! Writes one method or constructor as source.

use crate::Policy;
use crate::accessor::{getter, setter};
use crate::body::Body;
use crate::literal::default_text;
use crate::names::{fresh, is_identifier, marker, variable_name, written_name};
use crate::print::{Declaration, is_used, print};
use crate::subject::{Scope, Subject};
use crate::tree::{Expression, Node, Statement, completes};
use crate::value::Writing;
use lapidary_classfile::{Instruction, Method, access};
use lapidary_jvm::{FieldType, MethodType};
use std::collections::BTreeSet;

impl<'h> Subject<'h> {
    /// The method as text; `None` for methods that the compiler generates, that nothing calls, or
    /// that cannot be named.
    pub fn method_text(&self, index: usize) -> Option<String> {
        let method = &self.class.methods[index];
        let type_ = self.writable(index)?;
        let head = self.method_head(index, &type_)?;
        if method.access & access::ABSTRACT != 0 {
            return Some(format!("{head};"));
        }
        let (note, text) = self.body_text(index, &type_);
        let note = note.map(|note| format!("    // {note}\n")).unwrap_or_default();
        Some(if text.is_empty() && note.is_empty() {
            format!("{head} {{}}")
        } else {
            format!("{head} {{\n{note}{text}}}")
        })
    }

    /// The type of a method that is part of the written class.
    fn writable(&self, index: usize) -> Option<MethodType> {
        let method = &self.class.methods[index];
        let type_ = MethodType::parse(method.descriptor.as_bytes()).ok()?;
        let is_named = method.name == "<init>" || is_identifier(&method.name.as_str());
        let can_be =
            is_named && type_.parameters.iter().chain(&type_.result).all(|type_| self.names.type_(type_).is_some());
        let is_hidden = method.access & access::PRIVATE != 0 && method.name != "<init>";
        let is_needed = !is_hidden || self.called.borrow().contains(&index) || self.is_used_near(method);
        (can_be && is_needed && !self.is_made_by_compiler(index, &type_)).then_some(type_)
    }

    fn is_used_near(&self, method: &Method) -> bool {
        self.near_classes().iter().flat_map(|class| &class.methods).filter_map(Method::code).flat_map(|code| &code.instructions).any(
            |instruction| matches!(instruction, Instruction::Invoke(_, member) if member.owner == self.class.name && member.name == method.name && member.descriptor == method.descriptor),
        )
    }

    /// Returns whether the compiler generates the method: bridges to methods with the same
    /// parameters, and bridges that exist only because of type arguments of a supertype. With raw
    /// supertypes, the others must be written.
    fn is_made_by_compiler(&self, index: usize, type_: &MethodType) -> bool {
        let method = &self.class.methods[index];
        let has_same = |other: &Method| {
            let parameters = MethodType::parse(other.descriptor.as_bytes()).map(|other| other.parameters);
            other.name == method.name && parameters.is_ok_and(|parameters| parameters == type_.parameters)
        };
        let mut others = self.class.methods.iter().enumerate().filter(|(other, _)| *other != index);
        let is_bridge = method.access & access::BRIDGE != 0;
        if others
            .any(|(other, found)| has_same(found) && (is_bridge || other < index) && found.access & access::BRIDGE == 0)
        {
            return true;
        }
        is_bridge && !self.comes_from_raw(method)
    }

    /// Returns whether a supertype that is generic, and therefore raw in source, has the method
    /// with exactly this descriptor.
    fn comes_from_raw(&self, method: &Method) -> bool {
        let hierarchy = self.names.hierarchy;
        let is_generic = |name: &lapidary_classfile::Text| {
            let class = hierarchy.class(hierarchy.id(name));
            class.is_some_and(|class| {
                use lapidary_classfile::Attributed;
                class.signature().is_some_and(|signature| signature.as_bytes().starts_with(b"<"))
            })
        };
        let direct = self.class.superclass.iter().chain(&self.class.interfaces).filter(|name| is_generic(name));
        let mut above = direct.flat_map(|name| hierarchy.all_supertypes(hierarchy.id(name)).iter().copied());
        above.any(|id| hierarchy.declared_method(id, &method.name, &method.descriptor).is_some())
    }

    fn method_head(&self, index: usize, type_: &MethodType) -> Option<String> {
        let method = &self.class.methods[index];
        let is_constructor = method.name == "<init>";
        let mut head = self.visibility(method.access).to_owned();
        for (flag, word) in [(access::STATIC, "static "), (access::ABSTRACT, "abstract "), (access::FINAL, "final ")] {
            if method.access & flag != 0 {
                head.push_str(word);
            }
        }
        if is_constructor {
            head.push_str(self.class.name.as_str().rsplit('/').next()?);
        } else {
            let result = type_.result.as_ref().map_or(Some("void".to_owned()), |type_| self.names.type_(type_))?;
            head.push_str(&format!("{result} {}", written_name(&method.name.as_str())));
        }
        let parameters = type_.parameters.iter().zip(&self.parameters[index]);
        let parameters: Option<Vec<String>> =
            parameters.map(|(type_, name)| Some(format!("{} {name}", self.names.type_(type_)?))).collect();
        head.push_str(&format!("({})", parameters?.join(", ")));
        let thrown: Vec<String> = method.exceptions().iter().filter_map(|name| self.names.class(name)).collect();
        if !thrown.is_empty() {
            head.push_str(&format!(" throws {}", thrown.join(", ")));
        }
        Some(head)
    }

    /// A comment on the body, and its lines.
    fn body_text(&self, index: usize, type_: &MethodType) -> (Option<String>, String) {
        let method = &self.class.methods[index];
        let mut first = String::new();
        if let Some(body) = &self.bodies[index] {
            if let Some(hand_over) = self.hand_over_text(index, body) {
                first = hand_over;
            }
            if let Some(text) = self.mirrored_text(index, body) {
                return (None, format!("{first}{text}"));
            }
        } else if method.name == "<init>" {
            first = self.any_hand_over();
        }
        let is_large = self.bodies[index].is_some().then(|| "Too large to be mirrored.".to_owned());
        let mut lines: Vec<Node> = self.remembered_parameters(index, type_);
        lines.extend(
            type_.result.as_ref().map(|result| Node::Return(Some(Expression::new(self.any_result(index, result))))),
        );
        (is_large, format!("{first}{}", print(&lines, &[], 1)))
    }

    /// The body with its calls.
    pub fn mirrored_text(&self, index: usize, body: &Body<'h>) -> Option<String> {
        let writing = Writing::new(self, body, &self.parameters[index]);
        let mut tree = self.remembered_parameters(index, &body.type_);
        tree.extend(writing.tree()?);
        if let Some(result) = body.type_.result.as_ref().filter(|_| completes(&tree)) {
            tree.push(Node::Return(Some(Expression::new(self.any_result(index, result)))));
        }
        let mut taken: BTreeSet<String> = self.parameters[index].iter().cloned().collect();
        taken.extend(self.kept.iter().map(|field| self.class.fields[*field].name.to_string()));
        taken.extend(self.live_lists().into_iter().map(|(_, name)| name));
        let declare = |(variable, (_, type_)): (usize, &(_, FieldType))| Declaration {
            type_: self.names.type_(type_).unwrap_or_else(|| marker("java/lang/Object")),
            initial: default_text(type_),
            name: if is_used(&tree, variable) { fresh(&variable_name(type_), &mut taken) } else { String::new() },
        };
        let variables: Vec<Declaration> = writing.variables.borrow().iter().enumerate().map(declare).collect();
        Some(print(&tree, &variables, 1))
    }

    /// The first statements of a method that others call: they remember its arguments.
    fn remembered_parameters(&self, index: usize, type_: &MethodType) -> Vec<Node> {
        let method = &self.class.methods[index];
        let is_plain = getter(method).or_else(|| setter(method)).is_some();
        if self.policy != Policy::Mnemonic
            || is_plain
            || method.access & access::PRIVATE != 0 && method.name != "<init>"
        {
            return Vec::new();
        }
        let scope = if method.is_static() { Scope::Class } else { Scope::Object };
        let parameters = type_.parameters.iter().zip(&self.parameters[index]).filter(|(type_, _)| type_.is_reference());
        let steps = parameters.flat_map(|(type_, name)| self.remembering(scope, name, type_));
        steps.map(|step| Node::Statement(Statement::plain(Expression::new(step)))).collect()
    }

    fn hand_over_text(&self, index: usize, body: &Body<'h>) -> Option<String> {
        let position = body.hand_over?;
        let Instruction::Invoke(_, member) = body.instruction(position) else { return None };
        if self.callable(member).is_none() {
            return Some(self.any_hand_over());
        }
        let arguments = Writing::new(self, body, &self.parameters[index]).arguments(position);
        let word = if member.owner == self.class.name { "this" } else { "super" };
        let is_silent = word == "super" && arguments.is_empty();
        Some(if is_silent { String::new() } else { format!("    {word}({arguments});\n") })
    }

    /// A call of some superclass constructor, where it is unknown which.
    fn any_hand_over(&self) -> String {
        let above = self.class.superclass.as_ref().map(|name| self.names.hierarchy.id(name));
        let arguments = above.and_then(|above| self.constructor_arguments(above)).unwrap_or_default();
        if arguments.is_empty() { String::new() } else { format!("    super({arguments});\n") }
    }

    /// Any value that fits the result type of the method.
    fn any_result(&self, index: usize, result: &FieldType) -> String {
        let method = &self.class.methods[index];
        if self.policy == Policy::Mnemonic && result.is_reference() && self.boxed_symbol(result).is_none() {
            let scope = if method.is_static() { Scope::Class } else { Scope::Object };
            return format!("{}.getPassedParameter({})", marker("lapidary/Symbolic"), self.list(scope, result));
        }
        let made_up = self.fresh(result, 2);
        if made_up.contains("Symbolic") && !made_up.contains("new ")
            || !result.is_reference()
            || self.policy == Policy::Deep
        {
            return made_up;
        }
        self.passed_or(index, result, made_up)
    }

    /// A choice of a parameter of the type, null, or a made-up value.
    fn passed_or(&self, index: usize, result: &FieldType, made_up: String) -> String {
        let method = &self.class.methods[index];
        let Ok(type_) = MethodType::parse(method.descriptor.as_bytes()) else { return made_up };
        let fits = |type_: &FieldType| self.names.hierarchy.is_assignable(type_, result) == lapidary_jvm::Answer::Yes;
        let passed = type_
            .parameters
            .iter()
            .zip(&self.parameters[index])
            .filter(|(type_, _)| fits(type_))
            .map(|(_, name)| name.clone());
        let this =
            (!method.is_static() && *result == FieldType::Object(self.class.name.clone())).then(|| "this".to_owned());
        let mut texts: Vec<String> = passed.chain(this).chain(["null".to_owned()]).collect();
        if !texts.contains(&made_up) {
            texts.push(made_up);
        }
        match &texts[..] {
            [only] => only.clone(),
            _ => {
                let (symbolic, arrays) = (marker("lapidary/Symbolic"), marker("java/util/Arrays"));
                let name = self.names.type_(result).unwrap_or_default();
                format!("{symbolic}.getArgument({arrays}.<{name}>asList({}))", texts.join(", "))
            }
        }
    }

    /// The static initialiser, if anything of it is left.
    pub fn initialiser_text(&self) -> Option<String> {
        let index = self.class.methods.iter().position(|method| method.name == "<clinit>")?;
        let body = self.bodies[index].as_ref()?;
        let text = self.mirrored_text(index, body).filter(|text| !text.is_empty())?;
        let is_plain = !text.contains("return;") && !text.trim_end().ends_with("throw");
        let ends_badly =
            text.lines().any(|line| line.trim_start().starts_with("throw ")) || text.contains("while (true)");
        Some(if is_plain && !ends_badly {
            format!("static {{\n{text}}}")
        } else {
            format!("static {{\n    initialise();\n}}\n\nprivate static void initialise() {{\n{text}}}")
        })
    }
}
