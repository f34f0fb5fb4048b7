//! Random expressions of a wanted type.

use super::Choices;
use lapidary_fji::syntax::*;

pub struct Bodies<'p> {
    program: &'p Program,
}

impl<'p> Bodies<'p> {
    pub fn new(program: &'p Program) -> Self {
        Bodies { program }
    }

    /// An expression whose type is a subtype of `wanted`.
    pub fn expression(&self, choices: &mut Choices, wanted: &str, scope: &[Variable], depth: usize) -> Expression {
        let made = match choices.below(6) {
            _ if depth == 0 => None,
            0 | 1 => self.call(choices, wanted, scope, depth),
            2 => self.field(choices, wanted, scope, depth),
            3 => self.new_object(choices, wanted, scope, depth),
            4 => Some(self.cast(choices, wanted, scope, depth)),
            _ => None,
        };
        made.or_else(|| self.variable(choices, wanted, scope))
            .or_else(|| self.new_object(choices, wanted, scope, depth.min(1)))
            .unwrap_or(Expression::Opaque)
    }

    fn variable(&self, choices: &mut Choices, wanted: &str, scope: &[Variable]) -> Option<Expression> {
        let fitting: Vec<_> = scope.iter().filter(|variable| self.is_subtype(&variable.type_name, wanted)).collect();
        choices.pick(&fitting).map(|variable| Expression::Variable(variable.name.clone()))
    }

    fn call(&self, choices: &mut Choices, wanted: &str, scope: &[Variable], depth: usize) -> Option<Expression> {
        let mut callable: Vec<(&str, &Signature)> = Vec::new();
        for declaration in &self.program.declarations {
            let signatures = match declaration {
                Declaration::Class(class) => {
                    self.lineage(&class.name).flat_map(|c| &c.methods).map(|m| &m.signature).collect()
                }
                Declaration::Interface(interface) => interface.signatures.iter().collect::<Vec<_>>(),
            };
            let fitting = signatures.into_iter().filter(|signature| self.is_subtype(&signature.result, wanted));
            callable.extend(fitting.map(|signature| (declaration.name(), signature)));
        }
        let &(receiver, signature) = choices.pick(&callable)?;
        let object = Box::new(self.receiver(choices, receiver, scope, depth - 1));
        let types = signature.parameters.iter().map(|parameter| parameter.type_name.as_str());
        let arguments = types.map(|wanted| self.expression(choices, wanted, scope, depth - 1)).collect();
        Some(Expression::Call { object, method: signature.name.clone(), arguments })
    }

    fn field(&self, choices: &mut Choices, wanted: &str, scope: &[Variable], depth: usize) -> Option<Expression> {
        let mut readable: Vec<(&str, &Variable)> = Vec::new();
        for declaration in &self.program.declarations {
            let fields = self.fields(declaration.name()).into_iter();
            let fitting = fields.filter(|field| self.is_subtype(&field.type_name, wanted));
            readable.extend(fitting.map(|field| (declaration.name(), field)));
        }
        let &(receiver, field) = choices.pick(&readable)?;
        let object = Box::new(self.receiver(choices, receiver, scope, depth - 1));
        Some(Expression::Field { object, field: field.name.clone() })
    }

    /// An expression as a receiver. `...` has no members, so it is cast to the wanted type.
    fn receiver(&self, choices: &mut Choices, wanted: &str, scope: &[Variable], depth: usize) -> Expression {
        let object = self.expression(choices, wanted, scope, depth);
        let type_name = wanted.to_owned();
        match object {
            Expression::Opaque => Expression::Cast { type_name, operand: Box::new(Expression::Opaque) },
            // A subtype may declare the member again, but never with another type.
            object => object,
        }
    }

    fn new_object(&self, choices: &mut Choices, wanted: &str, scope: &[Variable], depth: usize) -> Option<Expression> {
        let classes = self.program.declarations.iter().filter(|d| matches!(d, Declaration::Class(_)));
        let names = classes.map(Declaration::name).chain([OBJECT, STRING]);
        let fitting: Vec<&str> = names.filter(|name| self.is_subtype(name, wanted)).collect();
        let class = *choices.pick(&fitting)?;
        let fields = self.fields(class);
        if depth == 0 && !fields.is_empty() {
            return None;
        }
        let types = fields.iter().map(|field| field.type_name.as_str());
        let arguments = types.map(|wanted| self.expression(choices, wanted, scope, depth - 1)).collect();
        Some(Expression::New { class: class.to_owned(), arguments })
    }

    fn cast(&self, choices: &mut Choices, wanted: &str, scope: &[Variable], depth: usize) -> Expression {
        let names = self.program.declarations.iter().map(Declaration::name).chain([OBJECT, STRING]);
        let names: Vec<&str> = names.collect();
        let inner = names[choices.below(names.len())];
        let operand = Box::new(self.expression(choices, inner, scope, depth - 1));
        Expression::Cast { type_name: wanted.to_owned(), operand }
    }

    fn class(&self, name: &str) -> Option<&'p Class> {
        self.program.declarations.iter().find_map(|declaration| match declaration {
            Declaration::Class(class) if class.name == name => Some(class),
            _ => None,
        })
    }

    fn lineage(&self, name: &str) -> impl Iterator<Item = &'p Class> + '_ {
        std::iter::successors(self.class(name), |class| self.class(&class.superclass))
    }

    fn fields(&self, name: &str) -> Vec<&'p Variable> {
        let mut lineage: Vec<_> = self.lineage(name).collect();
        lineage.reverse();
        lineage.into_iter().flat_map(|class| &class.fields).collect()
    }

    fn is_subtype(&self, found: &str, wanted: &str) -> bool {
        found == wanted
            || (found, wanted) == (STRING, OBJECT)
            || self.lineage(found).any(|class| class.superclass == wanted || class.interface == wanted)
            || (wanted == OBJECT && self.class(found).is_some())
    }
}
