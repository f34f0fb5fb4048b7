//! The Boolean variables V(P) of a program and their numbers.
//!
//! Declarations are numbered in file order. Inside a class come the class itself, its methods, each
//! followed by its code, and last the implements clause. With this order the variable order of
//! appendix B.2 gives the progressions that section 4.5 prints.

use crate::syntax::*;
use lapidary_logic::Var;
use lapidary_reduce::Item;

/// The variables of a program, laid out like its declarations and members.
#[derive(Clone, Debug)]
pub struct Numbering {
    pub items: Vec<Item>,
    pub declarations: Vec<DeclarationVars>,
}

#[derive(Clone, Debug)]
pub struct DeclarationVars {
    pub declaration: Var,
    /// One per method of a class or signature of an interface, in order.
    pub members: Vec<MemberVars>,
    /// `[C ◁ I]`, unless I is the empty interface.
    pub implements: Option<Var>,
}

#[derive(Clone, Copy, Debug)]
pub struct MemberVars {
    /// `[C.m()]` or `[I.m()]`
    pub member: Var,
    /// `[C.m()!code]`; a signature has none.
    pub code: Option<Var>,
}

impl Numbering {
    pub fn of(program: &Program) -> Numbering {
        let mut numbering = Numbering { items: Vec::new(), declarations: Vec::new() };
        for declaration in &program.declarations {
            let vars = match declaration {
                Declaration::Class(class) => numbering.class(class),
                Declaration::Interface(interface) => numbering.interface(interface),
            };
            numbering.declarations.push(vars);
        }
        numbering
    }

    fn class(&mut self, class: &Class) -> DeclarationVars {
        let name = &class.name;
        let declaration = self.add(Item::new(name, "class"));
        let mut members = Vec::with_capacity(class.methods.len());
        for method in &class.methods {
            let label = format!("{name}.{}()", method.signature.name);
            let member = self.add(Item::new(&label, "method").inside(declaration));
            let code = self.add(Item::new(format!("{label}!code"), "code").inside(member));
            members.push(MemberVars { member, code: Some(code) });
        }
        let implements = (class.interface != EMPTY_INTERFACE)
            .then(|| self.add(Item::new(format!("{name}<{}", class.interface), "implements").inside(declaration)));
        DeclarationVars { declaration, members, implements }
    }

    fn interface(&mut self, interface: &Interface) -> DeclarationVars {
        let declaration = self.add(Item::new(&interface.name, "interface"));
        let mut members = Vec::with_capacity(interface.signatures.len());
        for signature in &interface.signatures {
            let label = format!("{}.{}()", interface.name, signature.name);
            members
                .push(MemberVars { member: self.add(Item::new(label, "signature").inside(declaration)), code: None });
        }
        DeclarationVars { declaration, members, implements: None }
    }

    fn add(&mut self, item: Item) -> Var {
        self.items.push(item);
        Var::new(self.items.len() - 1)
    }
}
