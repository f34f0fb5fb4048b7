//! The formula: which items of a program need which others.
//!
//! Every clause is implied by the rules of the JVM or of Java itself (docs/concepts/java-model.md
//! lists them all). The preference holds rules that most sensible programs obey although neither
//! requires them.

mod code;
mod conflict;
mod declaration;
mod holds;
mod obligation;
mod shape;
mod subtype;

pub(crate) use code::FirstCalls;

use crate::library::Library;
use crate::member::Member;
use crate::program::Program;
use crate::vocabulary::Vocabulary;
use holds::Holds;
use lapidary_classfile::Text;
use lapidary_jvm::ClassId;
use lapidary_logic::{Cnf, Var};
use obligation::{Debts, Hidden};
use std::collections::HashMap;
use std::rc::Rc;

/// The formula of a program, and facts found while building it.
pub(crate) struct Formula {
    pub constraint: Cnf,
    pub preference: Cnf,
    pub first_calls: FirstCalls,
    /// Methods that could not be typed, with the reason.
    pub untyped: Vec<String>,
    pub missing: Vec<Text>,
}

pub(crate) struct Rules<'a> {
    program: &'a Program,
    words: &'a Vocabulary,
    library: &'a Library<'a>,
    cnf: Cnf,
    preferred: Vec<(Vec<Var>, Vec<Var>)>,
    subtypes: HashMap<(Text, Text), Holds>,
    declarations: HashMap<(Text, Member), Holds>,
    anywhere: HashMap<(Text, Member, bool), Holds>,
    implementations: HashMap<(Text, Member, Hidden), Holds>,
    debts: HashMap<usize, Rc<Debts>>,
    links: HashMap<(usize, ClassId), Holds>,
}

pub(crate) fn formula(program: &Program, words: &Vocabulary, library: &Library<'_>) -> Formula {
    let mut rules = Rules {
        program,
        words,
        library,
        cnf: Cnf::new(words.items.len()),
        preferred: Vec::new(),
        subtypes: HashMap::new(),
        declarations: HashMap::new(),
        anywhere: HashMap::new(),
        implementations: HashMap::new(),
        debts: HashMap::new(),
        links: HashMap::new(),
    };
    rules.declarations();
    rules.obligations();
    rules.conflicts();
    let learned = rules.bodies();
    let mut preference = Cnf::new(rules.cnf.variables());
    for (premises, conclusions) in &rules.preferred {
        preference.add(premises, conclusions).expect("a clause with conclusions is implicative");
    }
    Formula {
        constraint: rules.cnf.without_duplicates(),
        preference,
        first_calls: learned.first_calls,
        untyped: learned.untyped,
        missing: learned.missing.into_iter().filter(|name| program.find_closed(name).is_none()).collect(),
    }
}

impl Rules<'_> {
    fn imply(&mut self, premises: &[Var], conclusions: &[Var]) {
        if !premises.iter().any(|premise| conclusions.contains(premise)) {
            self.cnf.add(premises, conclusions).expect("a clause with conclusions is implicative");
        }
    }

    /// Adds the clause that the premises imply a condition. A condition that never holds did not
    /// hold in the original program either, so it is not required.
    fn need(&mut self, premises: &[Var], condition: Holds) {
        if let Holds::If(var) = condition {
            self.imply(premises, &[var]);
        }
    }

    fn need_class(&mut self, premise: Var, name: &Text) {
        self.need_class_if(&[premise], name);
    }

    fn need_class_if(&mut self, premises: &[Var], name: &Text) {
        let class = self.program.find(name).map(|index| self.words.classes[index].class);
        let file = || self.program.find_closed(name).map(|number| self.words.resources[number]);
        class.or_else(file).into_iter().for_each(|needed| self.imply(premises, &[needed]));
    }

    fn prefer(&mut self, premises: &[Var], conclusions: &[Var]) {
        self.preferred.push((premises.to_vec(), conclusions.to_vec()));
    }
}
