//! The changes that the model offers for each node: removal, a smaller text, or descendants in its
//! place. Each class of changes is first tried on the parser, because node types promise too much.

use super::hoist::{self, Candidate, Hoist};
use super::probe::{Edit, Probe};
use super::shape::{Optional, Role, Shape};
use super::syntax::{NONE, Syntax};
use super::writer::dedented;
use crate::Language;
use crate::apart::keep_apart;
use crate::slots::{FieldId, KindId};
use std::collections::HashMap;
use std::ops::Range;

/// The offered changes by node.
pub(crate) struct Plan {
    pub(crate) removable: Vec<bool>,
    /// Tokens that are removed together with a removable node.
    pub(crate) companions: HashMap<u32, u32>,
    /// Texts that can replace the node, shortest first.
    pub(crate) texts: HashMap<u32, Vec<&'static str>>,
    pub(crate) hoists: HashMap<u32, Hoist>,
}

/// The kinds of changes to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offers {
    /// Removal of nodes only.
    Deletions,
    /// Removal, smaller texts, and descendants in the place of nodes.
    All,
}

/// A place in the grammar: parent kind, field, kind.
type Place = (KindId, FieldId, KindId);

pub(crate) fn plan(language: &Language, text: &[u8], syntax: &Syntax, shape: &Shape, offers: Offers) -> Option<Plan> {
    let mut planner = Planner { language, text, syntax, shape, probe: Probe::new(language, syntax, shape, text)? };
    let (removable, companions) = planner.removals();
    let (texts, hoists) = match offers {
        Offers::Deletions => Default::default(),
        Offers::All => (planner.texts(&removable), planner.hoists()),
    };
    Some(Plan { removable, companions, texts, hoists })
}

struct Planner<'a> {
    language: &'a Language,
    text: &'a [u8],
    syntax: &'a Syntax,
    shape: &'a Shape,
    probe: Probe<'a>,
}

impl Planner<'_> {
    fn place(&self, index: u32) -> Place {
        let node = self.syntax.node(index);
        (self.syntax.node(node.parent).kind, node.field, node.kind)
    }

    /// Finds the nodes that can be removed, and the tokens that are removed with them.
    fn removals(&mut self) -> (Vec<bool>, HashMap<u32, u32>) {
        let neighbours = Neighbours::new(self.syntax);
        let (syntax, text, shape) = (self.syntax, self.text, self.shape);
        let class = |node: u32| {
            let beside = [neighbours.before(node, 0), neighbours.after(node)];
            let kinds = beside.map(|token| token.map(|token| syntax.node(token).kind));
            let first = shape.run(node).is_some_and(|run| run.elements[0] == node);
            (self.place(node), kinds, shape.optional[node as usize], first)
        };
        let at_top = |node: u32| syntax.node(node).parent == 0;
        let asks =
            |node: &u32| !at_top(*node) && matches!(shape.optional[*node as usize], Optional::Alone | Optional::InRun);
        let members: Vec<_> = (0..syntax.nodes.len() as u32).filter(asks).map(|node| (class(node), node)).collect();
        let removal = Removal { syntax, text, shape, neighbours: &neighbours };
        let settled = self.probe.settle(members.iter().copied(), |node| node, |node| removal.edits(node));
        let freely = |optional: &Optional| matches!(optional, Optional::Comment | Optional::Error);
        let mut removable: Vec<bool> = shape.optional.iter().map(freely).collect();
        for node in syntax.children(0).filter(|&node| shape.optional[node as usize] != Optional::No) {
            removable[node as usize] = true;
        }
        let mut companions = HashMap::new();
        for (_, node) in members {
            let Some(&option) = settled.get(&node) else { continue };
            let company = neighbours.companions(node, option);
            // A token is removed with one node only; two nodes never share a separator.
            let is_free = |token: &u32| shape.role[*token as usize] == Role::Plain && !companions.contains_key(token);
            if company.iter().all(is_free) {
                removable[node as usize] = true;
                companions.extend(company.into_iter().map(|token| (token, node)));
            }
        }
        (removable, companions)
    }

    fn texts(&mut self, removable: &[bool]) -> HashMap<u32, Vec<&'static str>> {
        let smallest = Smallest::new(self.language);
        let mut known: HashMap<Place, &[&'static str]> = HashMap::new();
        let mut members = Vec::new();
        for index in 1..self.syntax.nodes.len() as u32 {
            let node = self.syntax.node(index);
            if !node.named || node.extra || node.error || node.missing {
                continue;
            }
            let place = self.place(index);
            for &text in *known.entry(place).or_insert_with(|| smallest.of(place)) {
                let pointless = removable[index as usize] && matches!(text, ";" | "pass" | ":");
                // In code, a name of one letter is as long as a number, but the number needs no
                // definition.
                let is_code = self.language.knowledge().names.is_empty();
                let frees =
                    is_code && node.len() == 1 && text == "0" && self.text[node.range().start].is_ascii_alphabetic();
                if (text.len() < node.len() || frees) && !pointless {
                    members.push(((place, text), index));
                }
            }
        }
        let (syntax, text) = (self.syntax, self.text);
        let mut classes: Vec<&str> = members.iter().map(|((_, text), _)| *text).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut offered: HashMap<u32, Vec<&'static str>> = HashMap::new();
        for replacement in classes {
            let of_text = || members.iter().filter(|((_, text), _)| *text == replacement);
            let edit = |node: u32| vec![Some(replace(text, syntax.node(node).range(), replacement.as_bytes()))];
            let settled = self.probe.settle(of_text().copied(), |node| node, edit);
            for (class, node) in of_text().filter(|(_, node)| settled.contains_key(node)) {
                offered.entry(*node).or_default().push(class.1);
            }
        }
        offered.values_mut().for_each(|texts| texts.sort_by_key(|text| (text.len(), *text)));
        offered
    }

    fn hoists(&mut self) -> HashMap<u32, Hoist> {
        let (language, syntax, text, shape) = (self.language, self.syntax, self.text, self.shape);
        let all: Vec<(u32, Hoist)> = (1..syntax.nodes.len() as u32)
            .filter_map(|node| Some((node, hoist::candidates(language, syntax, shape, node)?)))
            .collect();
        let mut pairs = Vec::new();
        let mut members = Vec::new();
        for (node, hoist) in &all {
            for candidate in &hoist.candidates {
                members.push(((self.place(*node), self.place(candidate.node)), pairs.len() as u32));
                pairs.push((*node, *candidate));
            }
        }
        let edit = |pair: u32| {
            let (node, candidate) = pairs[pair as usize];
            let inner = hoisted_text(language, syntax, text, node, &[candidate]);
            vec![Some(replace(text, syntax.node(node).range(), &inner))]
        };
        let settled = self.probe.settle(members.iter().copied(), |pair| pairs[pair as usize].0, edit);
        let mut accepted = members.iter().map(|(_, pair)| settled.contains_key(pair));
        let mut hoists = HashMap::new();
        for (node, mut hoist) in all {
            hoist.candidates.retain(|_| accepted.next() == Some(true));
            if !hoist.candidates.is_empty() {
                hoists.insert(node, hoist);
            }
        }
        self.separate(&mut hoists);
        hoists
    }

    /// Restricts hoists whose descendants cannot stand together after all: only one may replace the
    /// node.
    fn separate(&mut self, hoists: &mut HashMap<u32, Hoist>) {
        let (language, syntax, text) = (self.language, self.syntax, self.text);
        let several = |hoist: &Hoist| hoist.together && hoist.candidates.len() > 1;
        let members = hoists.iter().filter(|(_, hoist)| several(hoist));
        let mut members: Vec<_> = members.map(|(&node, _)| (self.place(node), node)).collect();
        members.sort_unstable();
        let edit = |node: u32| {
            let inner = hoisted_text(language, syntax, text, node, &hoists[&node].candidates);
            vec![Some(replace(text, syntax.node(node).range(), &inner))]
        };
        let settled = self.probe.settle(members.iter().copied(), |node| node, edit);
        for (_, node) in members.iter().filter(|(_, node)| !settled.contains_key(node)) {
            if let Some(hoist) = hoists.get_mut(node) {
                hoist.restrict(syntax);
            }
        }
    }
}

/// The number of columns by which the lines of `inner` move to the left when it replaces `node`.
pub(crate) fn dedent_of(language: &Language, syntax: &Syntax, text: &[u8], node: u32, inner: u32) -> usize {
    if !language.knowledge().indented {
        return 0;
    }
    let column = |index: u32| {
        let start = syntax.node(index).start as usize;
        start - text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1)
    };
    column(inner).saturating_sub(column(node))
}

/// The text that replaces a node when some of its descendants are hoisted.
fn hoisted_text(language: &Language, syntax: &Syntax, text: &[u8], node: u32, inner: &[Candidate]) -> Vec<u8> {
    let end = language.knowledge().statement_end.unwrap_or_default();
    let mut result = Vec::new();
    for (index, candidate) in inner.iter().enumerate() {
        let dedent = dedent_of(language, syntax, text, node, candidate.node);
        if index > 0 {
            let gaps = [node, candidate.node].map(|node| &text[syntax.node(node).gap()]);
            let [first, own] = gaps.map(|gap| gap.contains(&b'\n'));
            result.extend(if own && !first { dedented(gaps[1], dedent) } else { gaps[0].to_vec() });
            result.extend(keep_apart(&result, &text[syntax.node(candidate.node).range()]).then_some(b' '));
        }
        result.extend(dedented(&text[syntax.node(candidate.node).range()], dedent));
        result.extend_from_slice(if candidate.as_statement { end.as_bytes() } else { b"" });
    }
    result
}

/// The edit that replaces a range by `with`, with a blank where tokens would merge.
fn replace(text: &[u8], range: Range<usize>, with: &[u8]) -> Edit {
    let before = &text[..range.start];
    let after = &text[range.end..];
    let next = if with.is_empty() { after } else { with };
    let mut result = Vec::with_capacity(with.len() + 2);
    if keep_apart(before, next) {
        result.push(b' ');
    }
    result.extend_from_slice(with);
    if !with.is_empty() && keep_apart(with, after) {
        result.push(b' ');
    }
    Edit { range, with: result }
}

/// The tokens beside a node, ignoring comments.
struct Neighbours<'a> {
    syntax: &'a Syntax,
    previous: Vec<u32>,
    following: Vec<u32>,
}

impl<'a> Neighbours<'a> {
    fn new(syntax: &'a Syntax) -> Self {
        let count = syntax.nodes.len();
        let (mut previous, mut following) = (vec![NONE; count], vec![NONE; count]);
        for parent in (0..count as u32).filter(|&node| !syntax.is_leaf(node)) {
            let mut last = NONE;
            for child in syntax.children(parent).filter(|&child| !syntax.node(child).extra) {
                previous[child as usize] = last;
                if last != NONE {
                    following[last as usize] = child;
                }
                last = child;
            }
        }
        Neighbours { syntax, previous, following }
    }

    fn token(&self, index: u32) -> Option<u32> {
        (index != NONE && !self.syntax.node(index).named && !self.syntax.node(index).error).then_some(index)
    }

    /// The token `distance` places before the one preceding the node.
    fn before(&self, node: u32, distance: usize) -> Option<u32> {
        let mut token = self.token(self.previous[node as usize])?;
        for _ in 0..distance {
            token = self.token(self.previous[token as usize])?;
        }
        Some(token)
    }

    fn after(&self, node: u32) -> Option<u32> {
        self.token(self.following[node as usize])
    }

    /// The tokens that are removed with a node, by option: none, the one before, the two before,
    /// the one behind, or one on each side.
    fn companions(&self, node: u32, option: usize) -> Vec<u32> {
        let (before, second, after) = (self.before(node, 0), self.before(node, 1), self.after(node));
        let tokens = match option {
            1 => vec![before],
            2 => vec![second, before],
            3 => vec![after],
            4 => vec![before, after],
            _ => vec![],
        };
        if tokens.iter().all(Option::is_some) { tokens.into_iter().flatten().collect() } else { vec![] }
    }
}

const COMPANY: usize = 5;

struct Removal<'a> {
    syntax: &'a Syntax,
    text: &'a [u8],
    shape: &'a Shape,
    neighbours: &'a Neighbours<'a>,
}

impl Removal<'_> {
    fn edits(&self, index: u32) -> Vec<Option<Edit>> {
        if self.shape.optional[index as usize] == Optional::InRun {
            return vec![Some(self.out_of_run(index))];
        }
        (0..COMPANY).map(|option| self.with_company(index, option)).collect()
    }

    /// The edit that removes an element with the separator before it, or for the first one, with
    /// the separator behind it.
    fn out_of_run(&self, index: u32) -> Edit {
        let node = self.syntax.node(index);
        let run = self.shape.run(index).expect("an element of a run has a run");
        let position = run.elements.binary_search(&index).unwrap_or(0);
        let start = run.separators[position].first().map_or(node.gap, |&token| self.syntax.node(token).gap);
        let behind = run.separators.get(position + 1).filter(|_| position == 0);
        let end = behind.and_then(|tokens| tokens.last()).map_or(node.end, |&token| self.syntax.node(token).end);
        replace(self.text, start as usize..end as usize, b"")
    }

    fn with_company(&self, index: u32, option: usize) -> Option<Edit> {
        let node = self.syntax.node(index);
        let company = self.neighbours.companions(index, option);
        if option > 0 && company.is_empty() {
            return None;
        }
        let start = company.iter().map(|&token| self.syntax.node(token).gap).min().unwrap_or(node.gap).min(node.gap);
        let end = company.iter().map(|&token| self.syntax.node(token).end).max().unwrap_or(node.end).max(node.end);
        Some(replace(self.text, start as usize..end as usize, b""))
    }
}

/// The table of smallest texts, by place, kind or supertype.
struct Smallest<'a> {
    language: &'a Language,
    by_name: HashMap<&'static str, &'static [&'static str]>,
}

impl<'a> Smallest<'a> {
    fn new(language: &'a Language) -> Self {
        Smallest { language, by_name: language.knowledge().smallest.iter().copied().collect() }
    }

    fn of(&self, (parent, field, kind): Place) -> &'static [&'static str] {
        let slots = self.language.slots();
        let field = self.language.grammar().field_name_for_id(field);
        let place = field.map(|field| format!("{}/{field}", slots.name(parent)));
        let by_place = place.and_then(|place| self.by_name.get(place.as_str()));
        let kinds = std::iter::once(&kind).chain(slots.supertypes(kind));
        by_place.or_else(|| kinds.filter_map(|&kind| self.by_name.get(slots.name(kind))).next()).copied().unwrap_or(&[])
    }
}
