//! The reducer of figure 5: builds a smaller program from a program and an assignment of its
//! variables.

use crate::numbering::{DeclarationVars, MemberVars, Numbering};
use crate::syntax::*;
use lapidary_logic::VarSet;

/// *reduce(P, φ)*. The main expression always stays.
pub fn reduce(program: &Program, numbering: &Numbering, keep: &VarSet) -> Program {
    let declarations = program.declarations.iter().zip(&numbering.declarations);
    Program {
        declarations: declarations
            .filter_map(|(declaration, vars)| reduce_declaration(declaration, vars, keep))
            .collect(),
        ..program.clone()
    }
}

fn reduce_declaration(declaration: &Declaration, vars: &DeclarationVars, keep: &VarSet) -> Option<Declaration> {
    if !keep.contains(vars.declaration) {
        return None;
    }
    Some(match declaration {
        Declaration::Class(class) => Declaration::Class(reduce_class(class, vars, keep)),
        Declaration::Interface(interface) => {
            let signatures = interface.signatures.iter().zip(&vars.members);
            let kept = signatures.filter(|(_, vars)| keep.contains(vars.member));
            let signatures = kept.map(|(signature, _)| signature.clone()).collect();
            Declaration::Interface(Interface { signatures, ..interface.clone() })
        }
    })
}

fn reduce_class(class: &Class, vars: &DeclarationVars, keep: &VarSet) -> Class {
    let mut class = class.clone();
    if vars.implements.is_some_and(|implements| !keep.contains(implements)) {
        class.interface = EMPTY_INTERFACE.to_owned();
    }
    let methods = class.methods.into_iter().zip(&vars.members);
    class.methods = methods.filter_map(|(method, vars)| reduce_method(method, vars, keep)).collect();
    class
}

fn reduce_method(method: Method, vars: &MemberVars, keep: &VarSet) -> Option<Method> {
    match Fate::of(vars, keep) {
        Fate::Kept => Some(method),
        Fate::Stubbed => Some(Method { body: trivial_body(&method.signature), ..method }),
        Fate::Removed => None,
    }
}

/// The treatment of a method in a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Kept,
    Stubbed,
    Removed,
}

impl Fate {
    pub fn of(vars: &MemberVars, keep: &VarSet) -> Fate {
        if vars.code.is_some_and(|code| keep.contains(code)) {
            Fate::Kept
        } else if keep.contains(vars.member) {
            Fate::Stubbed
        } else {
            Fate::Removed
        }
    }
}

/// The body `this.m(x̄)`, which replaces a removed one.
pub(crate) fn trivial_body(signature: &Signature) -> Expression {
    Expression::Call {
        object: Box::new(Expression::Variable("this".to_owned())),
        method: signature.name.clone(),
        arguments: signature.parameters.iter().map(|parameter| Expression::Variable(parameter.name.clone())).collect(),
    }
}
