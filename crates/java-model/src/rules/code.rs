//! The needs of method bodies. Every fact that the type checker reports for an instruction becomes
//! a clause, whose premise is the item that the instruction belongs to.

use super::Rules;
use super::holds::{Holds, any_of};
use crate::member::{Member, Sort};
use crate::program::class_in;
use crate::stub::FirstCall;
use lapidary_classfile::{Attribute, Class, FieldOp, InvokeOp, MemberRef, Method, Position, Text, access};
use lapidary_jvm::typing::{self, Fact, FactKind};
use lapidary_logic::Var;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// The calls of other constructors in a constructor.
#[derive(Default)]
pub(crate) struct ConstructorCalls {
    /// The positions of `super(…)` calls, and the constructors they call.
    pub above: Vec<(Position, Arc<MemberRef>)>,
    /// The constructor call that a stub makes, if one is known.
    pub first: Option<FirstCall>,
}

/// Constructor calls by class and method. A constructor without an entry cannot do without its
/// code.
pub(crate) type FirstCalls = HashMap<(usize, usize), ConstructorCalls>;

/// Facts found in the bodies, besides clauses.
#[derive(Default)]
pub(super) struct Learned {
    pub first_calls: FirstCalls,
    pub untyped: Vec<String>,
    pub missing: BTreeSet<Text>,
    /// The items that use each synthetic method.
    users: HashMap<(usize, usize), BTreeSet<Var>>,
    /// The items that create objects of each anonymous or local class.
    makers: HashMap<usize, BTreeSet<Var>>,
}

/// One method body.
struct Body<'b> {
    owner: &'b Class,
    place: Place,
    /// Calls of superclass constructors, which matter only as long as the superclass is kept.
    above: &'b HashSet<Position>,
}

/// The owner of a body.
#[derive(Clone, Copy)]
enum Place {
    /// A method, by class and index.
    Method(usize, usize),
    /// A file that is kept or removed as a whole.
    File(Var),
}

impl Rules<'_> {
    pub(super) fn bodies(&mut self) -> Learned {
        let mut learned = Learned::default();
        for class in 0..self.words.classes.len() {
            for method in 0..self.program.class(class).methods.len() {
                self.body(class, method, &mut learned);
            }
        }
        for ((path, entry), file) in self.program.resources().zip(&self.words.resources) {
            if let Some(Ok(class)) = class_in(path, entry) {
                self.whole_file(&class, *file, &mut learned);
            }
        }
        self.hidden_methods(&learned);
        self.local_classes(&learned);
        learned
    }

    fn body(&mut self, class: usize, method: usize, learned: &mut Learned) {
        let owner = self.program.class(class);
        let declaration = &owner.methods[method];
        if declaration.code().is_none() {
            return;
        }
        let facts = self.facts(owner, declaration, learned);
        let calls = constructor_calls(&facts);
        let above: HashSet<Position> = calls.above.iter().map(|(position, _)| *position).collect();
        let body = Body { owner, place: Place::Method(class, method), above: &above };
        facts.iter().for_each(|fact| self.fact(&body, fact, learned));
        self.stores(class, method);
        if declaration.name == "<init>" {
            self.constructor(class, method, calls, learned);
        }
    }

    /// Adds the needs of a class file that is kept or removed whole (a version for another release,
    /// for example): it needs everything that its bodies need.
    fn whole_file(&mut self, class: &Class, file: Var, learned: &mut Learned) {
        for method in class.methods.iter().filter(|method| method.code().is_some()) {
            let facts = self.facts(class, method, learned);
            let body = Body { owner: class, place: Place::File(file), above: &HashSet::new() };
            facts.iter().for_each(|fact| self.fact(&body, fact, learned));
        }
    }

    fn facts(&self, owner: &Class, method: &Method, learned: &mut Learned) -> Vec<Fact> {
        match typing::infer(owner, method, self.library.hierarchy) {
            Ok(typed) => {
                learned.missing.extend(typed.missing.iter().cloned());
                typing::facts(owner, method, &typed, self.library.hierarchy)
            }
            Err(untypable) => {
                learned.untyped.push(format!("{}: {untypable}", crate::label::method(owner, method)));
                typing::names(owner, method)
            }
        }
    }

    /// A piece that reads a local variable needs the statements that store it.
    fn stores(&mut self, class: usize, method: usize) {
        let vars = &self.words.classes[class].methods[method];
        let Some(statements) = &vars.statements else { return };
        for (reader, writer) in &statements.uses {
            if let (Some(reader), Some(writer)) = (vars.piece(*reader), vars.piece(Some(*writer))) {
                self.imply(&[reader], &[writer]);
            }
        }
    }

    /// A constructor that loses its code still calls the constructor it has always called, with
    /// zeros and nulls.
    fn constructor(&mut self, class: usize, method: usize, calls: ConstructorCalls, learned: &mut Learned) {
        let vars = &self.words.classes[class].methods[method];
        let (var, Some(code)) = (vars.method, vars.code) else { return };
        match &calls.first {
            None => self.cnf.imply(var, code),
            Some(FirstCall::Object) => {}
            Some(FirstCall::Constructor(member)) => {
                let edge = self.words.classes[class].extends.filter(|_| !calls.above.is_empty());
                let premises: Vec<Var> = [var].into_iter().chain(edge).collect();
                let found = self.declared_at_first(&member.owner, &method_of(member));
                self.need(&premises, found);
            }
        }
        learned.first_calls.insert((class, method), calls);
    }

    /// The item that a fact belongs to, and also the superclass if the instruction calls its
    /// constructor.
    fn premises(&self, body: &Body<'_>, fact: &Fact) -> Vec<Var> {
        let (class, method) = match body.place {
            Place::File(file) => return vec![file],
            Place::Method(class, method) => (class, method),
        };
        let vars = &self.words.classes[class];
        let method = &vars.methods[method];
        let own = match &fact.kind {
            FactKind::Handler { index, .. } => method.handler(usize::from(*index)),
            _ if fact.flow => method.code,
            _ => method.owner(fact.at),
        };
        let edge = vars.extends.filter(|_| body.above.contains(&fact.at) && !fact.flow);
        own.into_iter().chain(edge).collect()
    }

    fn fact(&mut self, body: &Body<'_>, fact: &Fact, learned: &mut Learned) {
        let premises = self.premises(body, fact);
        match &fact.kind {
            FactKind::Names(name) => self.need_class_if(&premises, name),
            FactKind::ClassConstant(name) => {
                self.need_class_if(&premises, name);
                self.prefer_supertypes(&premises, name, &mut HashSet::new());
            }
            FactKind::FieldAccess { op, member, .. } => self.field_access(&premises, *op, member),
            FactKind::Call { op, member, .. } => self.call(body, &premises, *op, member, learned),
            FactKind::Implements { interface, name, descriptor } => {
                let method = Member { sort: Sort::Method, name: name.clone(), descriptor: descriptor.clone() };
                // Another declaration could have a body, and then there would be nothing to
                // implement.
                let found = self.declared_at_first(interface, &method);
                self.need(&premises, found);
                self.functional(&premises, interface, &method);
            }
            FactKind::Assignable { from, to, .. } => self.need_subtype(&premises, from, to),
            FactKind::Cast { from, to } => self.cast(&premises, from, to),
            FactKind::ProtectedAccess { receiver, declaring } => {
                self.need_subtype(&premises, receiver, &body.owner.name);
                self.need_subtype(&premises, &body.owner.name, declaring);
            }
            FactKind::PrivateAccess { owner } => self.same_nest(body.owner, &premises, owner),
            FactKind::Handler { catch: Some(name), .. } => {
                self.need_class_if(&premises, name);
                self.need_subtype(&premises, name, &"java/lang/Throwable".into());
            }
            FactKind::Handler { catch: None, .. } | FactKind::SuperCall { .. } => {}
        }
    }

    fn need_subtype(&mut self, premises: &[Var], from: &Text, to: &Text) {
        let subtype = self.subtype(from, to);
        self.need(premises, subtype);
    }

    /// Adds the needs of a field access. A final field of another class can be read, but not
    /// written.
    fn field_access(&mut self, premises: &[Var], op: FieldOp, member: &MemberRef) {
        let field = Member { sort: Sort::Field, name: member.name.clone(), descriptor: member.descriptor.clone() };
        let found = match op.is_put() {
            true => self.declared_at_first(&member.owner, &field),
            false => self.declared(&member.owner, &field),
        };
        self.need(premises, found);
    }

    fn call(&mut self, body: &Body<'_>, premises: &[Var], op: InvokeOp, member: &MemberRef, learned: &mut Learned) {
        let method = method_of(member);
        let exact = op == InvokeOp::Special;
        let found =
            if exact { self.declared_at_first(&member.owner, &method) } else { self.declared(&member.owner, &method) };
        self.need(premises, found);
        if exact && *member.name.as_bytes() != *b"<init>" {
            self.need_subtype(premises, &body.owner.name, &member.owner);
        }
        let target = self.declaring_class(&member.owner, &method);
        let target = target.and_then(|class| self.program.find_method(&class, &member.name, &member.descriptor));
        if let Some((class, place)) = target {
            let declared = &self.program.class(class).methods[place];
            if declared.access & access::SYNTHETIC != 0 && declared.access & access::BRIDGE == 0 {
                learned.users.entry((class, place)).or_default().extend(premises);
            }
            if declared.name == "<init>" {
                learned.makers.entry(class).or_default().extend(premises);
            }
            let throws: Vec<Var> = self.words.classes[class].methods[place].throws.clone();
            throws.iter().for_each(|entry| self.prefer(premises, &[*entry]));
        }
    }

    /// Adds the needs of a cast. A cast between classes goes up or down; interfaces can be cast to
    /// and from anything.
    fn cast(&mut self, premises: &[Var], from: &Text, to: &Text) {
        if self.is_interface(from) || self.is_interface(to) {
            return;
        }
        let up = self.subtype(from, to);
        let down = self.subtype(to, from);
        let either = any_of(&mut self.cnf, [(up, Holds::Always), (down, Holds::Always)]);
        self.need(premises, either);
    }

    fn is_interface(&self, name: &Text) -> bool {
        match self.program.find(name) {
            Some(class) => self.program.class(class).is_interface(),
            None => self.library.is_interface(name),
        }
    }

    /// Private members of another class of the nest can be used as long as the nest host is kept.
    fn same_nest(&mut self, class: &Class, premises: &[Var], owner: &Text) {
        let other = self.program.find(owner).and_then(|other| self.program.class(other).nest_host());
        for host in [class.nest_host(), other].into_iter().flatten().cloned().collect::<Vec<_>>() {
            self.need_class_if(premises, &host);
        }
    }

    /// Code that uses a class as a value may rely on its supertypes (`Class<? extends B>` is
    /// erased).
    fn prefer_supertypes(&mut self, premises: &[Var], name: &Text, seen: &mut HashSet<Text>) {
        let Some(class) = self.program.find(name).filter(|_| seen.insert(name.clone())) else { return };
        for (edge, supertype) in self.supertypes(class) {
            if let Holds::If(edge) = edge {
                self.prefer(premises, &[edge]);
            }
            self.prefer_supertypes(premises, &supertype, seen);
        }
    }

    /// Accessors and bodies of lambda expressions stay only together with a user.
    fn hidden_methods(&mut self, learned: &Learned) {
        let mut hidden: Vec<_> = learned.users.iter().collect();
        hidden.sort();
        for ((class, method), users) in hidden {
            let vars = &self.words.classes[*class].methods[*method];
            let (var, code) = (vars.method, vars.code);
            let users: Vec<Var> = users.iter().copied().filter(|user| Some(*user) != code).collect();
            if !users.is_empty() {
                self.imply(&[var], &users);
            }
        }
    }

    /// Anonymous and local classes stay only together with code that creates objects of them.
    fn local_classes(&mut self, learned: &Learned) {
        for class in 0..self.words.classes.len() {
            let owner = self.program.class(class);
            let local = owner.attributes.iter().any(|attribute| matches!(attribute, Attribute::EnclosingMethod(_)));
            let own = self.words.classes[class].own.clone();
            let makers = learned.makers.get(&class).filter(|_| local && !owner.is_interface());
            let makers: Vec<Var> =
                makers.into_iter().flatten().copied().filter(|maker| !own.contains(&maker.index())).collect();
            if !makers.is_empty() {
                self.imply(&[self.words.classes[class].class], &makers);
            }
        }
    }
}

fn constructor_calls(facts: &[Fact]) -> ConstructorCalls {
    let mut calls = ConstructorCalls::default();
    for fact in facts {
        if let FactKind::SuperCall { member, this_call, .. } = &fact.kind {
            let first = match *member.owner.as_bytes() == *b"java/lang/Object" {
                true => FirstCall::Object,
                false => FirstCall::Constructor(member.clone()),
            };
            calls.first.get_or_insert(first);
            if !this_call {
                calls.above.push((fact.at, member.clone()));
            }
        }
    }
    calls
}

fn method_of(member: &MemberRef) -> Member {
    Member { sort: Sort::Method, name: member.name.clone(), descriptor: member.descriptor.clone() }
}
