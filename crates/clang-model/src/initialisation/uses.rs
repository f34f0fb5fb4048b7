//! Finds where local variables are assigned and where they are read.

use crate::source_text::SourceText;
use lapidary_clang::{EntityId, Kind, Mark, NodeId, Syntax, TypeClass};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A local variable.
pub(super) struct Local {
    /// The node that the variable lives in.
    pub home: NodeId,
    /// The assignments in source order.
    pub givers: Vec<Giver>,
    pub reads: Vec<Read>,
}

/// A place where a variable is, or may be, assigned a value.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Giver {
    pub at: NodeId,
    /// The text that must be kept for it.
    pub text: Range<usize>,
    /// The field that is assigned, if not the whole variable.
    pub part: Option<EntityId>,
    /// Whether that text is the symbol of an assignment.
    pub is_assignment: bool,
}

pub(super) struct Read {
    pub at: NodeId,
    pub part: Option<EntityId>,
}

impl Local {
    /// Returns the fields that are used by themselves, and `None` if the whole variable is used.
    pub fn parts(&self) -> BTreeSet<Option<EntityId>> {
        let read = self.reads.iter().map(|read| read.part);
        read.chain(self.givers.iter().map(|giver| giver.part)).collect()
    }

    /// Returns the assignments of a field, including those of the whole variable. For the whole
    /// variable, returns all.
    pub fn givers_of(&self, part: Option<EntityId>) -> impl Iterator<Item = Giver> {
        let gives = move |giver: &&Giver| part.is_none() || giver.part.is_none() || giver.part == part;
        self.givers.iter().filter(gives).cloned()
    }
}

/// Returns the variables whose uses are all understood. A variable that is used in a lambda is not
/// one of them.
pub(super) fn locals(syntax: &Syntax, texts: &[SourceText]) -> Vec<Local> {
    let finder = Finder { syntax, texts };
    let mut found: BTreeMap<EntityId, Local> = BTreeMap::new();
    for id in syntax.ids() {
        let node = syntax.node(id);
        match node.kind {
            Kind::Variable => {
                let local = node.declares.and_then(|entity| Some((entity, finder.local(id)?)));
                found.extend(local);
            }
            Kind::Name => {
                let Some(entity) = node.refers else { continue };
                let Some(local) = found.get_mut(&entity) else { continue };
                if !finder.add_use(local, id) {
                    found.remove(&entity);
                }
            }
            _ => {}
        }
    }
    found.into_values().filter(|local| !local.givers.is_empty()).collect()
}

/// Returns the symbol between the two operands of an operation, and its range.
pub(super) fn operator<'t>(syntax: &Syntax, texts: &'t [SourceText], id: NodeId) -> Option<(Range<usize>, &'t [u8])> {
    let mut children = syntax.children(id).map(|child| syntax.node(child));
    let (left, right) = (children.next()?, children.next()?);
    let text = &texts[syntax.node(id).file.index()];
    match text.within(left.end as usize..right.start.max(left.end) as usize) {
        [only] => Some((only.range.clone(), text.slice(only.range.clone()))),
        _ => None,
    }
}

struct Finder<'a> {
    syntax: &'a Syntax,
    texts: &'a [SourceText],
}

impl Finder<'_> {
    /// Returns a variable that starts without a value: a local one, and in C++ not an object.
    fn local(&self, id: NodeId) -> Option<Local> {
        let node = self.syntax.node(id);
        let class = self.innermost(id)?;
        let can_be_empty = class.has_zero()
            || class == TypeClass::Enumeration
            || (class == TypeClass::Record && !self.syntax.is_cpp());
        let is_kept = node.is(Mark::Static) || node.is(Mark::Extern);
        let statement = node.parent.filter(|outer| self.syntax.node(*outer).kind == Kind::DeclarationStatement)?;
        let home = self.syntax.node(statement).parent.filter(|_| can_be_empty && !is_kept)?;
        let value = self.syntax.children(id).find(|child| {
            let child = self.syntax.node(*child);
            child.kind.is_expression() && child.end == node.end && child.start > node.location
        });
        // Anything after the symbol is a value.
        let sign = |value: NodeId| {
            let start = self.syntax.node(value).start as usize;
            start - 1..start
        };
        let giver = |value: NodeId| Giver { at: id, text: sign(value), part: None, is_assignment: false };
        Some(Local { home, givers: value.map(giver).into_iter().collect(), reads: Vec::new() })
    }

    /// Returns the class of a variable's type, or of an array's elements.
    fn innermost(&self, id: NodeId) -> Option<TypeClass> {
        let mut found = self.syntax.type_of(id)?;
        while let (TypeClass::Array, Some(inner)) = (found.class, found.inner) {
            found = self.syntax.get_type(inner);
        }
        Some(found.class)
    }

    /// Records a use. Returns false if its effect is unknown.
    fn add_use(&self, local: &mut Local, id: NodeId) -> bool {
        let inside = || self.syntax.ancestors(id).take_while(|outer| *outer != local.home);
        if inside().any(|outer| self.syntax.node(outer).kind == Kind::Lambda) {
            return false;
        }
        if inside().any(|outer| self.syntax.node(outer).kind == Kind::TypeTrait) {
            return true;
        }
        let (whole, part) = self.denoted(id);
        match self.text_of_giver(whole) {
            Some(text) => {
                let is_assignment = text.start >= self.syntax.node(whole).end as usize;
                local.givers.push(Giver { at: id, text, part, is_assignment });
            }
            None => local.reads.push(Read { at: id, part }),
        }
        true
    }

    /// Returns the largest expression around a name that still denotes the variable or a part of
    /// it, and the field.
    fn denoted(&self, id: NodeId) -> (NodeId, Option<EntityId>) {
        let (mut whole, mut part) = (id, None);
        while let Some(outer) = self.syntax.node(whole).parent {
            let is_first = |of: NodeId| self.syntax.children(of).next() == Some(whole);
            let node = self.syntax.node(outer);
            match node.kind {
                Kind::Parentheses => whole = outer,
                Kind::Member if is_first(outer) && self.class(whole) == Some(TypeClass::Record) => {
                    part = part.or(node.refers);
                    whole = outer;
                }
                Kind::OtherExpression if self.class(whole) == Some(TypeClass::Array) => {
                    let element = node.parent.filter(|above| {
                        self.syntax.node(*above).kind == Kind::Subscript
                            && self.syntax.children(*above).next() == Some(outer)
                    });
                    let Some(element) = element else { break };
                    whole = element;
                }
                _ => break,
            }
        }
        (whole, part)
    }

    /// Returns the text by which an expression assigns to what it denotes, or `None` if it reads
    /// it. A value that is read is converted, which libclang shows as a separate expression.
    fn text_of_giver(&self, id: NodeId) -> Option<Range<usize>> {
        let own = self.syntax.node(id).range();
        let Some(outer) = self.syntax.node(id).parent else { return Some(own) };
        let node = self.syntax.node(outer);
        let is_first = self.syntax.children(outer).next() == Some(id);
        match node.kind {
            _ if node.in_macro => Some(own),
            Kind::Binary if is_first => operator(self.syntax, self.texts, outer).map(|(place, _)| place).or(Some(own)),
            Kind::CompoundAssignment if is_first => None,
            Kind::Unary if !self.syntax.text(outer).starts_with(b"&") => None,
            Kind::Unary => Some(own).filter(|_| !self.is_only_looked_at(outer)),
            Kind::OtherExpression if self.class(id) == Some(TypeClass::Array) => {
                Some(own).filter(|_| !self.is_only_looked_at(outer))
            }
            Kind::OtherExpression => None,
            _ => Some(own),
        }
    }

    /// Returns whether an address is passed to a function that promises not to change the target.
    fn is_only_looked_at(&self, address: NodeId) -> bool {
        let is_call = |id: &NodeId| self.syntax.node(*id).kind == Kind::Call;
        let mut argument = address;
        let call = self.syntax.ancestors(address).find(|outer| {
            let stops = self.syntax.node(*outer).kind != Kind::OtherExpression;
            argument = if stops { argument } else { *outer };
            stops
        });
        let Some(call) = call.filter(is_call) else { return false };
        let place = self.syntax.children(call).skip(1).position(|child| child == argument);
        let function = self.syntax.node(call).refers.and_then(|entity| self.syntax.entity(entity).declarations.first());
        let Some((place, function)) = place.zip(function) else { return false };
        let is_parameter = |id: &NodeId| self.syntax.node(*id).kind == Kind::Parameter;
        let parameter = self.syntax.children(*function).filter(is_parameter).nth(place);
        let pointed = parameter.and_then(|parameter| self.syntax.type_of(parameter)?.inner);
        pointed.is_some_and(|inner| self.syntax.get_type(inner).is_const)
    }

    fn class(&self, id: NodeId) -> Option<TypeClass> {
        self.syntax.type_of(id).map(|found| found.class)
    }
}
