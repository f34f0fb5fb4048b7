//! Lambdas and method references, recreated where all captured values are known by name.

use crate::body::Body;
use crate::names::written_name;
use crate::points_to::Source;
use crate::subject::Subject;
use crate::value::Writing;
use lapidary_classfile::{Constant, Dynamic, Handle, HandleKind, Position, Text};
use lapidary_jvm::{FieldType, MethodId, MethodType};

/// A call site that creates a function object from a method.
pub struct Lambda<'h> {
    pub interface: FieldType,
    captured: MethodType,
    /// The interface's method without type arguments, and with those of this use.
    erased: MethodType,
    used: MethodType,
    handle: &'h Handle,
    target: MethodId,
}

impl<'h> Subject<'h> {
    /// The lambda that a call site creates, if written code can create it as well.
    pub fn lambda(&self, body: &Body<'h>, position: Position, site: &Dynamic) -> Option<Lambda<'h>> {
        let bootstrap = self.class.bootstrap_methods().get(usize::from(site.bootstrap))?;
        let is_lambda = bootstrap.handle.member.owner == "java/lang/invoke/LambdaMetafactory";
        let (true, [Constant::MethodType(erased), Constant::MethodHandle(handle), Constant::MethodType(used), ..]) =
            (is_lambda, &bootstrap.arguments[..])
        else {
            return None;
        };
        let parse = |descriptor: &Text| MethodType::parse(descriptor.as_bytes()).ok();
        let (captured, erased, used) = (parse(&site.descriptor)?, parse(erased)?, parse(used)?);
        let interface = captured.result.clone()?;
        let target = self.callable(&handle.member)?;
        let thrown = self.names.hierarchy.method(target).exceptions();
        let is_quiet = thrown.iter().all(|thrown| self.is_unchecked(thrown));
        let can_be_named = used.parameters.iter().chain([&interface]).all(|type_| self.names.type_(type_).is_some());
        let count = captured.parameters.len();
        let is_known = (0..count).all(|depth| self.is_known_by_name(body, position, depth));
        let lambda = Lambda { interface, captured, erased, used, handle, target };
        (is_quiet && can_be_named && is_known && lambda.arguments_fit()).then_some(lambda)
    }

    /// Returns whether a captured value is known by name. Java lets lambdas capture only values
    /// that never change: parameters, constants, `this`.
    fn is_known_by_name(&self, body: &Body<'h>, position: Position, depth: usize) -> bool {
        let sources = body.operand(position, depth);
        let is_before = body.hand_over.is_some_and(|hand_over| position <= hand_over);
        sources.len() == 1
            && sources.iter().all(|source| match source {
                Source::This => !is_before,
                Source::Parameter(_) | Source::Number(_) | Source::Text(_) | Source::Class(_) => true,
                _ => false,
            })
    }
}

impl Lambda<'_> {
    fn is_on_object(&self) -> bool {
        !matches!(self.handle.kind, HandleKind::InvokeStatic | HandleKind::NewInvokeSpecial)
    }

    /// Returns whether the number of values passed is the number that the method takes.
    fn arguments_fit(&self) -> bool {
        let given = self.captured.parameters.len() + self.used.parameters.len();
        let taken =
            MethodType::parse(self.handle.member.descriptor.as_bytes()).map_or(0, |type_| type_.parameters.len());
        given == taken + usize::from(self.is_on_object()) && self.used.parameters.len() == self.erased.parameters.len()
    }
}

impl<'h> Writing<'_, 'h> {
    pub fn lambda_text(&self, position: Position, lambda: &Lambda<'h>) -> Option<String> {
        let count = lambda.captured.parameters.len();
        let captured =
            lambda.captured.parameters.iter().enumerate().map(|(place, wanted)| {
                self.value(position, &self.body.operand(position, count - 1 - place), wanted).text
            });
        let names: Vec<String> = (1..=lambda.used.parameters.len()).map(|number| format!("given{number}")).collect();
        let given = names.iter().zip(lambda.erased.parameters.iter().zip(&lambda.used.parameters));
        let given = given.map(|(name, (erased, used))| self.cast(name.clone(), erased, used));
        let mut arguments: Vec<String> = captured.chain(given).collect();
        let member = &lambda.handle.member;
        let is_own = lambda.target.class == self.subject.names.class;
        if is_own {
            self.subject.called.borrow_mut().insert(lambda.target.index as usize);
        }
        let owner = self.subject.names.class(&member.owner)?;
        let call = match lambda.handle.kind {
            HandleKind::NewInvokeSpecial => format!("new {owner}({})", arguments.join(", ")),
            _ => {
                let receiver = if lambda.is_on_object() { arguments.remove(0) } else { owner };
                let prefix = if is_own && (receiver == "this" || !lambda.is_on_object()) {
                    String::new()
                } else {
                    format!("{receiver}.")
                };
                format!("{prefix}{}({})", written_name(&member.name.as_str()), arguments.join(", "))
            }
        };
        let interface = self.subject.names.type_(&lambda.interface)?;
        Some(format!("(({interface}) ({}) -> {call})", names.join(", ")))
    }
}
