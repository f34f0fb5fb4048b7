//! The type rules of figure 7: checks a program and generates its constraint at the same time.
//!
//! The formula π of a rule is a conjunction of disjunctions of variables. Under the premise of the
//! construct it belongs to, each disjunction is one clause, so no auxiliary variables are needed.
//!
//! The paper's assumptions without a rule are checked, too: names are unique, types exist,
//! inheritance is acyclic, a class extends a class and implements an interface.

use crate::error::{Problem, TypeError};
use crate::numbering::{DeclarationVars, MemberVars, Numbering};
use crate::syntax::*;
use crate::table::{AnyOf, Table};
use lapidary_logic::{Cnf, Var};
use std::collections::HashSet;

/// ⊢ P | π: returns the variables of the program and the constraint, each clause once.
pub fn type_check(program: &Program) -> Result<(Numbering, Cnf), TypeError> {
    let numbering = Numbering::of(program);
    let table = Table::of(program, &numbering)?;
    let mut checker = Checker { table, constraint: Cnf::new(numbering.items.len()) };
    for (declaration, vars) in program.declarations.iter().zip(&numbering.declarations) {
        match declaration {
            Declaration::Class(class) => checker.class(class, declaration, vars)?,
            Declaration::Interface(interface) => checker.interface(interface, declaration, vars)?,
        }
    }
    if let Some(main) = &program.main {
        checker.main(main, &program.main_span)?;
    }
    let constraint = checker.constraint.without_duplicates();
    Ok((numbering, constraint))
}

/// The type of an expression; `None` for `...`, which has every type.
type Type<'p> = Option<&'p str>;

struct Checker<'p> {
    table: Table<'p>,
    constraint: Cnf,
}

/// The environment Γ of a method body; the main expression has none.
#[derive(Clone, Copy)]
struct Environment<'p> {
    this: &'p str,
    parameters: &'p [Variable],
}

impl<'p> Checker<'p> {
    /// Adds `[C] ⇒ [D] ∧ [Ū] ∧ [T̄]`, `[C ◁ I] ⇒ [C] ∧ [I]`, and the requirements of methods and
    /// signatures.
    fn class(&mut self, class: &'p Class, declaration: &Declaration, vars: &DeclarationVars) -> Result<(), TypeError> {
        self.class_header(class, vars).map_err(|problem| TypeError::at(declaration, problem))?;
        for (method, member) in class.methods.iter().zip(&vars.members) {
            self.method(class, method, vars.declaration, member)
                .map_err(|problem| TypeError::in_member(&class.name, &method.signature, problem))?;
        }
        self.implementation(class, vars).map_err(|problem| TypeError::at(declaration, problem))
    }

    fn class_header(&mut self, class: &'p Class, vars: &DeclarationVars) -> Result<(), Problem> {
        let fields = self.table.fields(&class.name);
        unique(fields.iter().map(|field| &field.name))?;
        unique(class.methods.iter().map(|method| &method.signature.name))?;
        class.fields.iter().try_for_each(|field| self.table.known(&field.type_name))?;
        self.constructor(class, &fields)?;
        self.require_types(vars.declaration, &[&class.superclass]);
        self.require_types(vars.declaration, &fields.iter().map(|field| field.type_name.as_str()).collect::<Vec<_>>());
        Ok(())
    }

    fn constructor(&self, class: &Class, fields: &[&Variable]) -> Result<(), Problem> {
        let inherited = &fields[..fields.len() - class.fields.len()];
        let canonical = Constructor {
            class: class.name.clone(),
            parameters: fields.iter().map(|&field| field.clone()).collect(),
            super_arguments: inherited.iter().map(|field| field.name.clone()).collect(),
            assignments: class.fields.iter().map(|field| (field.name.clone(), field.name.clone())).collect(),
        };
        match &class.constructor {
            Some(constructor) if *constructor != canonical => {
                Err(Problem::Constructor { expected: canonical.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// Adds `[C ◁ I] ∧ [I.m()] ⇒ mAny(P, m, C)` for each signature of the interface.
    fn implementation(&mut self, class: &'p Class, vars: &DeclarationVars) -> Result<(), Problem> {
        let Some(implements) = vars.implements else { return Ok(()) };
        self.table.known(&class.interface)?;
        let Some(interface) = self.table.interface(&class.interface) else {
            return Err(Problem::NotAnInterface(class.interface.clone()));
        };
        self.constraint.imply(implements, vars.declaration);
        self.require_types(implements, &[&class.interface]);
        for signature in &interface.signatures {
            let wanted = self.table.methods(&interface.name, &signature.name);
            let choices = self.table.methods(&class.name, &signature.name);
            if !choices.first().is_some_and(|choice| same_type(choice.signature, signature)) {
                return Err(Problem::NotImplemented {
                    interface: interface.name.clone(),
                    signature: signature.to_string(),
                });
            }
            let any: AnyOf = choices.iter().map(|choice| choice.var).collect();
            let premises: Vec<Var> = wanted.iter().map(|found| found.var).chain([implements]).collect();
            self.add(&premises, &any);
        }
        Ok(())
    }

    /// Adds `[C.m()] ⇒ [C] ∧ [T] ∧ [T̄]` and `[C.m()!code] ⇒ [C.m()] ∧ π₁ ∧ π₂`.
    fn method(&mut self, class: &'p Class, method: &'p Method, owner: Var, vars: &MemberVars) -> Result<(), Problem> {
        let signature = &method.signature;
        self.signature(signature, owner, vars)?;
        if let Some(inherited) = self.table.methods(&class.superclass, &signature.name).first()
            && !same_type(inherited.signature, signature)
        {
            return Err(Problem::Override {
                superclass: class.superclass.clone(),
                inherited: inherited.signature.to_string(),
            });
        }
        let environment = Environment { this: &class.name, parameters: &signature.parameters };
        let mut required = vars.code.map(|_| vec![vec![vars.member]]).unwrap_or_default();
        let found = self.expression(&method.body, Some(environment), &mut required)?;
        self.subtype(found, &signature.result, &mut required)?;
        let premises: Vec<Var> = vars.code.into_iter().collect();
        required.iter().for_each(|any| self.add(&premises, any));
        Ok(())
    }

    fn interface(
        &mut self,
        interface: &Interface,
        declaration: &Declaration,
        vars: &DeclarationVars,
    ) -> Result<(), TypeError> {
        unique(interface.signatures.iter().map(|signature| &signature.name))
            .map_err(|problem| TypeError::at(declaration, problem))?;
        for (signature, member) in interface.signatures.iter().zip(&vars.members) {
            self.signature(signature, vars.declaration, member)
                .map_err(|problem| TypeError::in_member(&interface.name, signature, problem))?;
        }
        Ok(())
    }

    /// Adds `[T₀.m()] ⇒ [T₀] ∧ [T] ∧ [T̄]`.
    fn signature(&mut self, signature: &Signature, owner: Var, vars: &MemberVars) -> Result<(), Problem> {
        let this = "this".to_owned();
        unique(signature.parameters.iter().map(|parameter| &parameter.name).chain([&this]))?;
        let types: Vec<&str> = signature.types().collect();
        types.iter().try_for_each(|name| self.table.known(name))?;
        self.constraint.imply(vars.member, owner);
        self.require_types(vars.member, &types);
        Ok(())
    }

    fn main(&mut self, main: &'p Expression, span: &Span) -> Result<(), TypeError> {
        let mut required = Vec::new();
        self.expression(main, None, &mut required).map_err(|problem| TypeError {
            place: "the main expression".to_owned(),
            offset: span.0.start,
            problem,
        })?;
        required.iter().for_each(|any| self.add(&[], any));
        Ok(())
    }

    /// P, Γ ⊢ e : T | π, where π is added to `required`.
    fn expression(
        &self,
        expression: &'p Expression,
        environment: Option<Environment<'p>>,
        required: &mut Vec<AnyOf>,
    ) -> Result<Type<'p>, Problem> {
        match expression {
            Expression::Variable(name) => lookup(name, environment).map(Some),
            Expression::Field { object, field } => {
                let object = self.receiver(object, environment, required)?;
                let found = self.table.fields(object).into_iter().find(|candidate| candidate.name == *field);
                let missing = || Problem::NoField { type_name: object.to_owned(), field: field.clone() };
                Ok(Some(&found.ok_or_else(missing)?.type_name))
            }
            Expression::Call { object, method, arguments } => {
                let object = self.receiver(object, environment, required)?;
                self.call(object, method, arguments, environment, required).map(Some)
            }
            Expression::New { class, arguments } => {
                self.table.known(class)?;
                if !self.table.is_class(class) {
                    return Err(Problem::NotAClass(class.clone()));
                }
                required.extend(self.table.var(class).map(|var| vec![var]));
                let types: Vec<&str> = self.table.fields(class).iter().map(|field| field.type_name.as_str()).collect();
                self.arguments(&format!("new {class}"), arguments, &types, environment, required)?;
                Ok(Some(class))
            }
            Expression::Cast { type_name, operand } => {
                self.table.known(type_name)?;
                required.extend(self.table.var(type_name).map(|var| vec![var]));
                self.expression(operand, environment, required)?;
                Ok(Some(type_name))
            }
            Expression::Opaque => Ok(None),
        }
    }

    fn receiver(
        &self,
        object: &'p Expression,
        environment: Option<Environment<'p>>,
        required: &mut Vec<AnyOf>,
    ) -> Result<&'p str, Problem> {
        self.expression(object, environment, required)?.ok_or(Problem::MemberOfOpaque)
    }

    /// Adds `[T] ∧ mAny(P, m, T)` and the requirements of the arguments.
    fn call(
        &self,
        object: &'p str,
        method: &str,
        arguments: &'p [Expression],
        environment: Option<Environment<'p>>,
        required: &mut Vec<AnyOf>,
    ) -> Result<&'p str, Problem> {
        let choices = self.table.methods(object, method);
        let Some(chosen) = choices.first() else {
            return Err(Problem::NoMethod { type_name: object.to_owned(), method: method.to_owned() });
        };
        required.extend(self.table.var(object).map(|var| vec![var]));
        required.push(choices.iter().map(|choice| choice.var).collect());
        let types: Vec<&str> = chosen.signature.parameters.iter().map(|p| p.type_name.as_str()).collect();
        self.arguments(&format!("{object}.{method}"), arguments, &types, environment, required)?;
        Ok(&chosen.signature.result)
    }

    fn arguments(
        &self,
        callee: &str,
        arguments: &'p [Expression],
        expected: &[&str],
        environment: Option<Environment<'p>>,
        required: &mut Vec<AnyOf>,
    ) -> Result<(), Problem> {
        if arguments.len() != expected.len() {
            let (callee, expected, found) = (callee.to_owned(), expected.len(), arguments.len());
            return Err(Problem::ArgumentCount { callee, expected, found });
        }
        for (argument, expected) in arguments.iter().zip(expected) {
            let found = self.expression(argument, environment, required)?;
            self.subtype(found, expected, required)?;
        }
        Ok(())
    }

    fn subtype(&self, found: Type<'_>, expected: &str, required: &mut Vec<AnyOf>) -> Result<(), Problem> {
        let Some(found) = found else { return Ok(()) };
        let Some(formula) = self.table.subtype(found, expected) else {
            return Err(Problem::Mismatch { expected: expected.to_owned(), found: found.to_owned() });
        };
        required.extend(formula);
        Ok(())
    }

    fn require_types(&mut self, premise: Var, types: &[&str]) {
        for var in types.iter().filter_map(|name| self.table.var(name)) {
            self.constraint.imply(premise, var);
        }
    }

    fn add(&mut self, premises: &[Var], any: &[Var]) {
        self.constraint.add(premises, any).expect("a disjunction is made of what the whole program has");
    }
}

fn lookup<'p>(name: &str, environment: Option<Environment<'p>>) -> Result<&'p str, Problem> {
    let unknown = || Problem::UnknownVariable(name.to_owned());
    let environment = environment.ok_or_else(unknown)?;
    if name == "this" {
        return Ok(environment.this);
    }
    let parameter = environment.parameters.iter().find(|parameter| parameter.name == name);
    parameter.map(|parameter| parameter.type_name.as_str()).ok_or_else(unknown)
}

fn same_type(one: &Signature, other: &Signature) -> bool {
    one.types().eq(other.types())
}

fn unique<'n>(names: impl Iterator<Item = &'n String>) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Problem::Duplicate(name.clone()));
        }
    }
    Ok(())
}
