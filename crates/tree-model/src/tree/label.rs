//! Labels of nodes for people: the kind, the name if there is one, and the position.

use super::syntax::Syntax;
use crate::Language;
use std::borrow::Cow;

/// The number of characters of a leaf's text in its label.
const SHOWN: usize = 24;

pub(crate) struct Labels<'a> {
    language: &'a Language,
    syntax: &'a Syntax,
    text: &'a [u8],
    line: usize,
    line_start: usize,
    reached: usize,
}

impl<'a> Labels<'a> {
    pub(crate) fn new(language: &'a Language, syntax: &'a Syntax, text: &'a [u8]) -> Self {
        Labels { language, syntax, text, line: 1, line_start: 0, reached: 0 }
    }

    /// The label and kind of the item that describes `what` of a node. Nodes must be queried in
    /// order.
    pub(crate) fn of(&mut self, index: u32, what: &str) -> (String, Cow<'static, str>) {
        let node = self.syntax.node(index);
        let kind = match (node.error, node.extra) {
            (true, _) => "error",
            (_, true) => "comment",
            _ => self.language.slots().name(node.kind),
        };
        let place = self.place(node.start as usize);
        let name = self.name(index).map(|name| format!(" {name}")).unwrap_or_default();
        (format!("{what}{kind}{name} @{place}"), Cow::Owned(format!("{what}{kind}")))
    }

    fn place(&mut self, start: usize) -> String {
        for (offset, byte) in self.text[self.reached.min(start)..start].iter().enumerate() {
            if *byte == b'\n' {
                self.line += 1;
                self.line_start = self.reached + offset + 1;
            }
        }
        self.reached = self.reached.max(start);
        format!("{}:{}", self.line, start.saturating_sub(self.line_start) + 1)
    }

    /// The text of a leaf; otherwise that of the first leaf in the `name` or `declarator` field.
    fn name(&self, index: u32) -> Option<String> {
        let mut current = index;
        while !self.syntax.is_leaf(current) {
            let grammar = self.language.grammar();
            let named = self.syntax.children(current).find(|&child| {
                let field = grammar.field_name_for_id(self.syntax.node(child).field);
                matches!(field, Some("name" | "declarator"))
            });
            current = named?;
        }
        let text = String::from_utf8_lossy(&self.text[self.syntax.node(current).range()]);
        let shown: String = text.chars().take(SHOWN).collect();
        (!shown.is_empty() && !shown.contains(char::is_whitespace)).then_some(shown)
    }
}
