//! The facts that a lambda or method reference relies on, beyond those its call site names.
//!
//! `LambdaMetafactory` receives the erased descriptor of the interface's method, the implementation
//! method, and the descriptor with the types of this use. When the call site is linked, it checks
//! that the arguments can be passed on. A compiler checks the results, too.

use super::shape::{Shape, reference};
use lapidary_classfile::{Class, Constant, Dynamic, Handle, HandleKind, Text};

/// A call site that creates a function object from a method.
pub(super) struct Lambda<'a> {
    pub interface: Text,
    pub name: &'a Text,
    pub erased: &'a Text,
    captured: Shape<'a>,
    erased_shape: Shape<'a>,
    used: Shape<'a>,
    implementation: &'a Handle,
}

/// A requirement that one class be a subtype of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub from: Text,
    pub to: Text,
    pub strict: bool,
}

impl<'a> Lambda<'a> {
    /// Recognises a lambda. `None` for call sites of other kinds, and for malformed ones.
    pub fn of(class: &'a Class, site: &'a Dynamic) -> Option<Self> {
        let bootstrap = class.bootstrap_methods().get(usize::from(site.bootstrap))?;
        let factory = &bootstrap.handle.member;
        let makes_lambdas = factory.owner.as_bytes() == b"java/lang/invoke/LambdaMetafactory"
            && matches!(factory.name.as_bytes(), b"metafactory" | b"altMetafactory");
        let (true, [Constant::MethodType(erased), Constant::MethodHandle(handle), Constant::MethodType(used), ..]) =
            (makes_lambdas, &bootstrap.arguments[..])
        else {
            return None;
        };
        let captured = Shape::parse(&site.descriptor).ok()?;
        let interface = Text::from_bytes(reference(captured.result()?)?);
        let (erased_shape, used) = (Shape::parse(erased).ok()?, Shape::parse(used).ok()?);
        Some(Lambda { interface, name: &site.name, erased, captured, erased_shape, used, implementation: handle })
    }

    /// The subtype relations that the lambda requires; arrays are given as descriptors.
    pub fn needs(&self) -> Vec<Need> {
        let Some((parameters, result)) = self.implementation_types() else { return Vec::new() };
        let given = self.captured.parameters().chain(self.used.parameters()).map(descriptor_class);
        let handed = given.zip(parameters).map(|(from, to)| (from, to, true));
        let specialised = self.used.parameters().map(descriptor_class);
        let erased = self.erased_shape.parameters().map(descriptor_class);
        let bridged = specialised.zip(erased).map(|(from, to)| (from, to, true));
        let used_result = self.used.result().and_then(descriptor_class);
        let erased_result = self.erased_shape.result().and_then(descriptor_class);
        let results = [(result, used_result.clone(), false), (used_result, erased_result, true)];
        let all = handed.chain(bridged).chain(results);
        all.filter_map(|(from, to, strict)| Some(Need { from: from?, to: to?, strict })).collect()
    }

    /// The parameter and result classes of the implementation method, with the receiver first.
    /// `None` for primitive types.
    fn implementation_types(&self) -> Option<(Vec<Option<Text>>, Option<Text>)> {
        let member = &self.implementation.member;
        let shape = Shape::parse(&member.descriptor).ok()?;
        let constructor = self.implementation.kind == HandleKind::NewInvokeSpecial;
        let on_object = !constructor && self.implementation.kind != HandleKind::InvokeStatic;
        let receiver = on_object.then(|| Some(member.owner.clone()));
        let parameters = receiver.into_iter().chain(shape.parameters().map(descriptor_class)).collect();
        let result = if constructor { Some(member.owner.clone()) } else { shape.result().and_then(descriptor_class) };
        Some((parameters, result))
    }
}

fn descriptor_class(descriptor: &[u8]) -> Option<Text> {
    reference(descriptor).map(Text::from_bytes)
}
