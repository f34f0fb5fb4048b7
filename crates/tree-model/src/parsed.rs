//! The outcome of parsing a text, without any tie to the parser: a syntax tree of tree-sitter
//! points into the memory of the process that made it, and its grammar's code runs there.
//!
//! A grammar from a shared library parses in a child process, which sends this. The child may have
//! been damaged by its grammar, so everything in its message is checked.

use std::ops::Range;
use tree_sitter::{Query, QueryCursor, StreamingIterator, Tree};

/// The number of levels that a tree may have. A node that would begin a further one is a leaf, and
/// its inside becomes visible once something around it is gone. Readers of the tree may recurse.
const DEEPEST: u32 = 1_000;

/// The nodes of a syntax tree in preorder, and what else is asked about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub(crate) nodes: Vec<ParsedNode>,
    /// The number of error or missing nodes, plus one for errors that are not visible as nodes.
    pub(crate) errors: u32,
    /// The start of each defined name, and the range of its definition, if they were asked for.
    pub(crate) definitions: Vec<(u32, Range<u32>)>,
}

/// One node. What an error contains is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedNode {
    pub(crate) depth: u32,
    /// The number of its kind in the grammar.
    pub(crate) kind: u16,
    /// The number of its field in the grammar; 0 if it has none.
    pub(crate) field: u16,
    pub(crate) start: u32,
    pub(crate) end: u32,
    flags: u8,
}

const NAMED: u8 = 1;
const EXTRA: u8 = 2;
const ERROR: u8 = 4;
const MISSING: u8 = 8;

impl ParsedNode {
    pub(crate) fn is_named(&self) -> bool {
        self.flags & NAMED != 0
    }

    /// Whether it may be anywhere, as comments may.
    pub(crate) fn is_extra(&self) -> bool {
        self.flags & EXTRA != 0
    }

    pub(crate) fn is_error(&self) -> bool {
        self.flags & ERROR != 0
    }

    /// Whether the parser inserted it; it is not in the text.
    pub(crate) fn is_missing(&self) -> bool {
        self.flags & MISSING != 0
    }
}

/// The parts of a message of a child.
const HEAD: usize = 12;
const NODE: usize = 17;
const DEFINITION: usize = 12;

impl Parsed {
    /// Takes down a tree. `queries` find definitions.
    pub(crate) fn of(tree: &Tree, text: &[u8], queries: Option<&Query>) -> Parsed {
        let definitions = queries.map_or_else(Vec::new, |query| definitions(query, tree, text));
        Parsed { nodes: nodes(tree), errors: errors(tree), definitions }
    }

    /// Returns the message about a text.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.errors, self.nodes.len() as u32, self.definitions.len() as u32];
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        for node in &self.nodes {
            [node.depth, node.start, node.end].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            [node.kind, node.field].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
            bytes.push(node.flags);
        }
        for (name, whole) in &self.definitions {
            [*name, whole.start, whole.end].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        bytes
    }

    /// Reads a message about a text of this length; `None` if it is not sound.
    pub(crate) fn from_bytes(bytes: &[u8], length: usize) -> Option<Parsed> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let [errors, count, defined] = [0, 1, 2].map(|index| number(head, 4 * index));
        let (nodes, definitions) = rest.split_at_checked((count as usize).checked_mul(NODE)?)?;
        let is_sound = definitions.len() == (defined as usize).checked_mul(DEFINITION)?;
        let nodes: Vec<ParsedNode> = nodes.chunks_exact(NODE).map(node).collect();
        let definitions: Vec<_> = definitions
            .chunks_exact(DEFINITION)
            .map(|bytes| (number(bytes, 0), number(bytes, 4)..number(bytes, 8)))
            .collect();
        let parsed = Parsed { nodes, errors, definitions };
        (is_sound && parsed.is_sound(length)).then_some(parsed)
    }

    fn is_sound(&self, length: usize) -> bool {
        let fits = |range: Range<u32>| range.start <= range.end && range.end as usize <= length;
        let begins = self.nodes.first().is_some_and(|root| root.depth == 0);
        let continues = |pair: &[ParsedNode]| pair[1].depth > 0 && pair[1].depth <= pair[0].depth + 1;
        begins
            && self.nodes.windows(2).all(continues)
            && self.nodes.iter().all(|node| node.depth <= DEEPEST && fits(node.start..node.end))
            && self.definitions.iter().all(|(name, whole)| *name as usize <= length && fits(whole.clone()))
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn node(bytes: &[u8]) -> ParsedNode {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    ParsedNode {
        depth: number(bytes, 0),
        start: number(bytes, 4),
        end: number(bytes, 8),
        kind: short(12),
        field: short(14),
        flags: bytes[16],
    }
}

fn nodes(tree: &Tree) -> Vec<ParsedNode> {
    let mut cursor = tree.walk();
    let mut nodes = Vec::new();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        let flags = [
            (NAMED, node.is_named()),
            (EXTRA, node.is_extra()),
            (ERROR, node.is_error()),
            (MISSING, node.is_missing()),
        ];
        nodes.push(ParsedNode {
            depth,
            kind: node.kind_id(),
            field: cursor.field_id().map_or(0, |field| field.get()),
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            flags: flags.iter().filter(|(_, holds)| *holds).map(|(flag, _)| flag).sum(),
        });
        if !node.is_error() && depth < DEEPEST && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return nodes;
            }
            depth -= 1;
        }
    }
}

/// Counts errors. Only branches with errors are visited.
fn errors(tree: &Tree) -> u32 {
    let mut cursor = tree.walk();
    let mut count = u32::from(tree.root_node().has_error());
    loop {
        let node = cursor.node();
        count += u32::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

/// The names whose definitions a grammar's queries report, with the range of each definition.
fn definitions(query: &Query, tree: &Tree, text: &[u8]) -> Vec<(u32, Range<u32>)> {
    let captures = query.capture_names();
    let is = |index: u32, what: &str| captures[index as usize].contains(what);
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text);
    let mut found = Vec::new();
    while let Some(one) = matches.next() {
        if let Some(definition) = one.captures.iter().find(|capture| is(capture.index, "definition")) {
            let whole = definition.node.start_byte() as u32..definition.node.end_byte() as u32;
            let named = one.captures.iter().filter(|capture| {
                is(capture.index, "name") || captures[capture.index as usize].starts_with("local.definition")
            });
            found.extend(named.map(|capture| (capture.node.start_byte() as u32, whole.clone())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language_named;
    use std::sync::Arc;

    const TEXT: &[u8] = b"int f(int x) { return x + ; }\n/* a */ struct s { int y; };\n";

    #[test]
    fn a_message_says_all_that_was_parsed() {
        let parsed = language_named("c").unwrap().parse(TEXT).unwrap();
        assert!(parsed.errors > 0 && parsed.nodes.len() > 20 && !parsed.definitions.is_empty());
        assert_eq!(Parsed::from_bytes(&parsed.to_bytes(), TEXT.len()), Some(Arc::unwrap_or_clone(parsed)));
    }

    #[test]
    fn a_message_that_is_not_sound_is_none() {
        let parsed = || Arc::unwrap_or_clone(language_named("c").unwrap().parse(TEXT).unwrap());
        let read = |parsed: &Parsed| Parsed::from_bytes(&parsed.to_bytes(), TEXT.len());
        assert_eq!(Parsed::from_bytes(&parsed().to_bytes(), 7), None, "it is about a longer text");
        let bytes = parsed().to_bytes();
        assert!((0..bytes.len()).all(|length| Parsed::from_bytes(&bytes[..length], TEXT.len()).is_none()));
        let broken: [fn(&mut Parsed); 5] = [
            |parsed| parsed.nodes[1].depth = 2,
            |parsed| parsed.nodes[1].depth = 0,
            |parsed| parsed.nodes[3].end = parsed.nodes[3].start - 1,
            |parsed| parsed.nodes.clear(),
            |parsed| parsed.definitions.push((0, 5..u32::MAX)),
        ];
        for (number, breaks) in broken.iter().enumerate() {
            let mut parsed = parsed();
            parsed.nodes[3].start += 1;
            breaks(&mut parsed);
            assert_eq!(read(&parsed), None, "broken in way {number}");
        }
    }

    #[test]
    fn what_is_nested_too_deeply_is_left_out() {
        let text = [vec![b'['; 5000], vec![b']'; 5000]].concat();
        let parsed = language_named("json").unwrap().parse(&text).unwrap();
        assert_eq!(parsed.nodes.iter().map(|node| node.depth).max(), Some(DEEPEST));
        assert_eq!(Parsed::from_bytes(&parsed.to_bytes(), text.len()), Some(Arc::unwrap_or_clone(parsed)));
    }
}
