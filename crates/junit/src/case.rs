//! One test: a call, and assertions about it.

use crate::Unwritable;
use crate::arguments::{direct, listed, passed};
use crate::assertions::{Aspects, Call};
use crate::inputs::{Expression, Making};
use crate::literal;
use crate::names::SourceNames;
use crate::test_class::TestClass;
use lapidary_classfile::Text;
use lapidary_symbolic::{Input, Method, Number, Witnessed};

/// A call of a method on given inputs, with what was seen of it.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The display name of the test.
    pub title: &'a str,
    pub inputs: &'a [Input<Number>],
    pub seen: &'a Witnessed,
    /// The aspects to assert.
    pub aspects: &'a Aspects,
    /// Whether the call may run forever where the test fails.
    pub may_hang: bool,
}

impl Case<'_> {
    /// The statements of the test. `printed` is the name of the class that catches output.
    pub(crate) fn body(&self, class: &TestClass<'_>, printed: &str) -> Result<Vec<String>, Unwritable> {
        let TestClass { names, method, unseen, .. } = *class;
        if self.inputs.len() > method.arguments() {
            return Err(Unwritable("the program asks for more inputs while it runs".to_owned()));
        }
        let mut making = Making::new(names);
        let mut values = Vec::new();
        for (at, input) in self.inputs.iter().enumerate() {
            let is_asserted = self.aspects.arguments.contains(&at);
            values.push(if is_asserted { making.variable(input)? } else { making.value(input)? });
        }
        let is_exact = self.inputs.first().is_some_and(|receiver| is_of_class(receiver, &method.class_name));
        let call = called(names, method, &values, is_exact);
        let mut statements = making.statements;
        statements.extend(self.aspects.ending(&call, names, self.seen)?);
        statements.extend(self.aspects.arguments(&values, self.seen)?);
        if !unseen.is_empty() && statements.iter().any(|statement| statement.contains("contents(")) {
            let fields: Vec<String> = unseen.iter().map(|field| literal::title(field)).collect();
            statements.insert(0, format!("ignoring({});", fields.join(", ")));
        }
        if !self.aspects.is_silent() {
            statements.extend(self.aspects.output(self.seen)?);
            statements = statements.into_iter().map(|statement| format!("    {statement}")).collect();
            statements.insert(0, format!("try ({printed} printed = new {printed}()) {{"));
            statements.push("}".to_owned());
        }
        Ok(statements)
    }
}

/// Whether an input is an object of exactly this class.
fn is_of_class(input: &Input<Number>, class: &Text) -> bool {
    match input {
        Input::Object(object) => object.class == *class,
        Input::Made(call, _) => call.method == "<init>" && call.class == *class,
        Input::Shared(_, input) => is_of_class(input, class),
        _ => false,
    }
}

/// The expression that calls the method. The receiver of a subclass is cast, because the subclass
/// may have other methods of the name.
fn called<'m>(names: &SourceNames<'_>, method: &'m Method, values: &[Expression], is_exact: bool) -> Call<'m> {
    let callable = names.callable(&method.class_name, &method.name, &method.type_);
    let text = match (callable, names.class(&method.class_name)) {
        (Some(callable), Some(class)) if callable.is_static => {
            format!("{class}.{}({})", method.name, direct(names, values, &method.type_, callable))
        }
        (Some(callable), Some(class)) if !values.is_empty() => {
            let (receiver, arguments) = (&values[0], &values[1..]);
            let object = passed(receiver, &class, !is_exact);
            let object = if object == receiver.text { object } else { format!("({object})") };
            format!("{object}.{}({})", method.name, direct(names, arguments, &method.type_, callable))
        }
        _ => {
            let class = crate::inputs::class_object(names, &method.class_name);
            let [name, descriptor] =
                [&method.name, &method.type_.descriptor()].map(|text| literal::title(&text.as_str()));
            let text = format!("call({})", listed(format!("{class}, {name}, {descriptor}"), values));
            return Call { text, result: method.type_.result.as_ref(), is_typed: false };
        }
    };
    Call { text, result: method.type_.result.as_ref(), is_typed: true }
}
