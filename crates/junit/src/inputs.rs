//! Inputs as statements and expressions of Java.
//!
//! Whatever runs code of the program, or can be referred to again, gets a variable of its own. So
//! everything happens in the order in which the replay does it.

use crate::Unwritable;
use crate::arguments::{listed, passed};
use crate::literal;
use crate::names::SourceNames;
use lapidary_classfile::Text;
use lapidary_jvm::{BaseType, FieldType, MethodType};
use lapidary_symbolic::{Factory, GivenObject, Input, Number};
use std::collections::BTreeMap;

/// The statements that make the inputs of a test.
pub struct Making<'a> {
    names: &'a SourceNames<'a>,
    pub statements: Vec<String>,
    numbered: BTreeMap<u32, Expression>,
    counts: BTreeMap<String, usize>,
}

/// An expression for a value.
#[derive(Clone, Debug)]
pub struct Expression {
    pub text: String,
    pub sort: ExpressionSort,
}

/// The type of an expression, as the compiler knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionSort {
    Number,
    Null,
    Array,
    /// Some other object, of its own class.
    Object,
    /// An object whose class source cannot name.
    Untyped,
}

impl<'a> Making<'a> {
    pub fn new(names: &'a SourceNames<'a>) -> Making<'a> {
        Making { names, statements: Vec::new(), numbered: BTreeMap::new(), counts: BTreeMap::new() }
    }

    /// An expression for an input. Statements that it needs are added.
    pub fn value(&mut self, input: &Input<Number>) -> Result<Expression, Unwritable> {
        Ok(match input {
            Input::Number(base, number) => {
                Expression { text: literal::number(*base, *number), sort: ExpressionSort::Number }
            }
            Input::Boxed(BaseType::Boolean, number) => {
                Expression { text: literal::number(BaseType::Boolean, *number), sort: ExpressionSort::Number }
            }
            Input::Boxed(base, number) => object(format!("boxed({})", literal::number(*base, *number))),
            Input::Null => Expression { text: "null".to_owned(), sort: ExpressionSort::Null },
            // The program may compare it with a literal, which is another object.
            Input::Text(units) => {
                object(format!("new {}({})", self.library("java/lang/String")?, literal::text(&characters(units))))
            }
            Input::Array(FieldType::Base(_), _) => Expression { text: input.to_string(), sort: ExpressionSort::Array },
            Input::Array(element, parts) => self.array(element, parts)?,
            Input::Choice(..) => return Err(Unwritable("the program asks for choices while it runs".to_owned())),
            Input::Constant(class, name) => match self.names.constant(class, name) {
                Some(constant) => object(constant),
                None => untyped(format!("constant({}, {})", self.class(class), literal::title(&name.as_str()))),
            },
            Input::Made(call, parts) => self.made(call, parts)?,
            Input::Elements(class, parts) => self.filled("filled", class, parts)?,
            Input::Entries(class, parts) => self.filled("mapped", class, parts)?,
            Input::Object(given) => self.object(given)?,
            Input::Shared(number, input) => {
                let value = self.variable(input)?;
                self.numbered.insert(*number, value.clone());
                value
            }
            Input::Same(number) => {
                let known = self.numbered.get(number).cloned();
                known.ok_or_else(|| Unwritable("an input refers to one that is missing".to_owned()))?
            }
        })
    }

    /// An input in a variable.
    pub fn variable(&mut self, input: &Input<Number>) -> Result<Expression, Unwritable> {
        let value = self.value(input)?;
        let is_variable = value.text.chars().all(|character| character.is_ascii_alphanumeric());
        if is_variable && value.sort != ExpressionSort::Null && value.sort != ExpressionSort::Number {
            return Ok(value);
        }
        let type_ = match input {
            Input::Array(element, _) => self.names.type_(&element.clone().array()),
            Input::Text(_) => Some(self.library("java/lang/String")?),
            Input::Boxed(base, _) => Some(self.library(base.wrapper())?),
            Input::Constant(class, _) => self.names.class(class),
            _ => None,
        };
        let name = match input {
            Input::Array(..) => self.name("array"),
            Input::Text(_) => self.name("text"),
            _ => self.name("value"),
        };
        Ok(self.declared(name, type_.as_deref().filter(|_| value.sort != ExpressionSort::Untyped), value))
    }

    /// Declares a variable. Without a type, only the JVM knows the class of its value.
    fn declared(&mut self, name: String, type_: Option<&str>, value: Expression) -> Expression {
        self.statements.push(format!("{} {name} = {};", type_.unwrap_or("Object"), value.text));
        let sort = match value.sort {
            ExpressionSort::Array if type_.is_some() => ExpressionSort::Array,
            _ if type_.is_some() => ExpressionSort::Object,
            _ => ExpressionSort::Untyped,
        };
        Expression { text: name, sort }
    }

    fn array(&mut self, element: &FieldType, parts: &[Input<Number>]) -> Result<Expression, Unwritable> {
        let parts = self.values(parts)?;
        Ok(match self.names.type_(element) {
            Some(name) => {
                let cast = |part: &Expression| passed(part, &name, false);
                let parts: Vec<String> = parts.iter().map(cast).collect();
                let (base, brackets) = name.split_at(name.find('[').unwrap_or(name.len()));
                Expression {
                    text: format!("new {base}[]{brackets} {{{}}}", parts.join(", ")),
                    sort: ExpressionSort::Array,
                }
            }
            None => {
                let named = literal::title(&binary(element));
                untyped(format!("array({})", listed(format!("named({named})"), &parts)))
            }
        })
    }

    fn made(&mut self, call: &Factory, parts: &[Input<Number>]) -> Result<Expression, Unwritable> {
        let Factory { class, method, descriptor } = call;
        let parts = self.values(parts)?;
        let type_ = MethodType::parse(descriptor.as_bytes())
            .map_err(|_| Unwritable(format!("{method} has a wrong descriptor")))?;
        let is_constructor = *method == "<init>";
        let result = match &type_.result {
            Some(FieldType::Object(result)) => result.clone(),
            _ => class.clone(),
        };
        let shown = self.names.class(&result);
        let name = self.name_after(&result);
        let made = match (self.names.callable(class, method, &type_), self.names.class(class)) {
            (Some(callable), Some(owner)) if callable.is_static || is_constructor => {
                let arguments = crate::arguments::direct(self.names, &parts, &type_, callable);
                let maker = if is_constructor { format!("new {owner}") } else { format!("{owner}.{method}") };
                object(format!("{maker}({arguments})"))
            }
            _ => {
                let cast = shown.as_ref().map_or_else(String::new, |shown| format!("({shown}) "));
                let first = format!(
                    "{}, {}, {}",
                    self.class(class),
                    literal::title(&method.as_str()),
                    literal::title(&descriptor.as_str())
                );
                object(format!("{cast}made({})", listed(first, &parts)))
            }
        };
        Ok(self.declared(name, shown.as_deref(), made))
    }

    fn filled(&mut self, with: &str, class: &Text, parts: &[Input<Number>]) -> Result<Expression, Unwritable> {
        let shown = self.library(&class.as_str())?;
        let parts = self.values(parts)?;
        let name = self.name_after(class);
        let filled = object(format!("{with}({})", listed(format!("new {shown}()"), &parts)));
        Ok(self.declared(name, Some(&shown), filled))
    }

    fn object(&mut self, given: &GivenObject<Number>) -> Result<Expression, Unwritable> {
        let shown = self.names.class(&given.class);
        let name = self.name_after(&given.class);
        let made = object(format!("object({})", self.class(&given.class)));
        let variable = self.declared(name, shown.as_deref(), made);
        self.numbered.insert(given.number, variable.clone());
        for field in &given.fields {
            let value = self.value(&field.value)?;
            let (owner, name) = (self.class(&field.owner), literal::title(&field.name.as_str()));
            self.statements.push(format!("set({}, {owner}, {name}, {});", variable.text, value.text));
        }
        Ok(variable)
    }

    fn values(&mut self, inputs: &[Input<Number>]) -> Result<Vec<Expression>, Unwritable> {
        inputs.iter().map(|input| self.value(input)).collect()
    }

    /// An expression for the class object of a class.
    pub fn class(&self, name: &Text) -> String {
        class_object(self.names, name)
    }

    /// A class of the library that every source can name.
    fn library(&self, name: &str) -> Result<String, Unwritable> {
        let missing = || Unwritable(format!("class {} has no name in Java", name.replace('/', ".")));
        self.names.class(&name.into()).ok_or_else(missing)
    }

    /// A fresh name for a variable that holds an object of a class.
    fn name_after(&mut self, class: &Text) -> String {
        let shown = class.as_str();
        let simple = shown.rsplit(['/', '$']).next().unwrap_or_default();
        let letters: String = simple.chars().filter(char::is_ascii_alphabetic).collect();
        let start = letters.get(..1).unwrap_or_default().to_ascii_lowercase();
        let name = format!("{start}{}", letters.get(1..).unwrap_or_default());
        self.name(if name.is_empty() { "object" } else { &name })
    }

    fn name(&mut self, stem: &str) -> String {
        let count = self.counts.entry(stem.to_owned()).or_default();
        *count += 1;
        format!("{stem}{count}")
    }
}

/// An expression for the class object of a class.
pub fn class_object(names: &SourceNames<'_>, name: &Text) -> String {
    match names.class(name) {
        Some(shown) => format!("{shown}.class"),
        None => format!("named({})", literal::title(&name.as_str().replace('/', "."))),
    }
}

fn object(text: String) -> Expression {
    Expression { text, sort: ExpressionSort::Object }
}

fn untyped(text: String) -> Expression {
    Expression { text, sort: ExpressionSort::Untyped }
}

/// The name by which the JVM finds a type that is not primitive.
fn binary(type_: &FieldType) -> String {
    match type_ {
        FieldType::Object(name) => name.as_str().replace('/', "."),
        other => other.descriptor().as_str().replace('/', "."),
    }
}

fn characters(units: &[Number]) -> Vec<u16> {
    units.iter().map(|unit| if let Number::Integer(unit) = unit { *unit as u16 } else { 0 }).collect()
}
