//! Places in C++ where the type of a value decides how it is used.
//!
//! `f("a")` and `f(0)` may call two different functions, or none; `auto` takes the type of its
//! value. In such a place a value can be replaced only by one of exactly the same type. In
//! particular `0` will not do, since it is a pointer as well as a number.

use lapidary_clang::{EntityId, Kind, NodeId, Syntax, TypeClass};
use std::collections::{HashMap, HashSet};

pub(super) struct Judged {
    /// Functions that share their name with others.
    overloaded: HashSet<EntityId>,
}

impl Judged {
    pub fn of(syntax: &Syntax) -> Judged {
        let mut names: HashMap<&str, Vec<EntityId>> = HashMap::new();
        let functions = syntax.ids().filter(|id| syntax.is_cpp() && syntax.node(*id).kind.is_function());
        for entity in functions.filter_map(|id| syntax.node(id).declares) {
            let same = names.entry(&syntax.entity(entity).name).or_default();
            if !same.contains(&entity) {
                same.push(entity);
            }
        }
        Judged { overloaded: names.into_values().filter(|same| same.len() > 1).flatten().collect() }
    }

    /// Returns whether the type of an expression matters, either as the value itself or as a part
    /// of it.
    pub fn holds(&self, syntax: &Syntax, id: NodeId) -> bool {
        let Some(outer) = syntax.node(id).parent.filter(|_| syntax.is_cpp()) else { return false };
        match syntax.node(outer).kind {
            Kind::OtherExpression | Kind::Parentheses | Kind::Binary | Kind::Unary | Kind::Conditional => {
                self.holds(syntax, outer)
            }
            Kind::InitialiserList => true,
            Kind::Call => self.is_chosen_by_type(syntax, outer),
            Kind::Variable => says_auto(syntax, outer),
            Kind::Return => in_lambda(syntax, outer),
            _ => false,
        }
    }

    /// Returns whether the types of the arguments decide which function is called.
    fn is_chosen_by_type(&self, syntax: &Syntax, call: NodeId) -> bool {
        let Some(called) = syntax.node(call).refers else { return !is_by_pointer(syntax, call) };
        let is_plain = |id: &NodeId| matches!(syntax.node(*id).kind, Kind::Function | Kind::Method | Kind::Constructor);
        let first = syntax.entity(called).declarations.first();
        let is_operator = syntax.entity(called).name.starts_with("operator");
        match first {
            Some(first) => !is_plain(first) || is_operator || self.overloaded.contains(&called),
            None => true,
        }
    }
}

fn is_by_pointer(syntax: &Syntax, call: NodeId) -> bool {
    let callee = syntax.children(call).next().and_then(|callee| syntax.type_of(callee));
    callee.is_some_and(|found| matches!(found.class, TypeClass::Pointer | TypeClass::Function))
}

fn says_auto(syntax: &Syntax, variable: NodeId) -> bool {
    let node = syntax.node(variable);
    let before =
        &syntax.files[node.file.index()].text[node.start as usize..(node.location as usize).max(node.start as usize)];
    before
        .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .any(|word| matches!(word, b"auto" | b"decltype"))
}

fn in_lambda(syntax: &Syntax, id: NodeId) -> bool {
    let is_function =
        |outer: &NodeId| syntax.node(*outer).kind.is_function() || syntax.node(*outer).kind == Kind::Lambda;
    syntax.ancestors(id).find(is_function).is_some_and(|outer| syntax.node(outer).kind == Kind::Lambda)
}
