//! Texts that a macro uses more than once.
//!
//! A macro argument that is a value in one place can be a variable in another, or the name of a
//! declaration. It can become `0` only if it is a value in all of them.

use lapidary_clang::{FileId, Kind, NodeId, Syntax};
use std::collections::HashSet;
use std::ops::Range;

#[derive(Default)]
pub(super) struct Shared {
    /// The positions where macro arguments are names of declarations.
    names: HashSet<(FileId, usize)>,
    /// The arguments that are used as variables anywhere.
    variables: HashSet<(FileId, Range<usize>)>,
}

impl Shared {
    pub fn of(syntax: &Syntax) -> Shared {
        let mut shared = Shared::default();
        let mut reached = (FileId::new(0), 0);
        let mut called: Vec<(FileId, Range<usize>)> = Vec::new();
        for node in syntax.nodes.iter().filter(|node| node.kind == Kind::MacroExpansion) {
            if node.file != reached.0 || node.range().end > reached.1 {
                reached = (node.file, node.range().end);
                called.push((node.file, node.range()));
            }
        }
        called.sort_by_key(|(file, range)| (*file, range.start));
        let is_called = |file: FileId, place: usize| {
            let next = called.partition_point(|(other, range)| (*other, range.start) <= (file, place));
            let last = next.checked_sub(1).map(|at| &called[at]);
            last.is_some_and(|(other, range)| *other == file && range.contains(&place))
        };
        for id in syntax.ids().filter(|id| is_called(syntax.node(*id).file, syntax.node(*id).location as usize)) {
            let node = syntax.node(id);
            if node.kind.is_declaration() {
                shared.names.insert((node.file, node.location as usize));
            } else if is_variable(syntax, id) {
                shared.variables.insert((node.file, node.range()));
            }
        }
        shared
    }

    pub fn holds(&self, file: FileId, range: &Range<usize>) -> bool {
        self.names.contains(&(file, range.start)) || self.variables.contains(&(file, range.clone()))
    }
}

/// Returns whether an expression is used as more than its value, because nothing around it loads
/// it.
fn is_variable(syntax: &Syntax, id: NodeId) -> bool {
    let node = syntax.node(id);
    let is_read = |outer: NodeId| {
        let outer = syntax.node(outer);
        outer.kind == Kind::OtherExpression && outer.range() == node.range()
    };
    let is_place = matches!(node.kind, Kind::Name | Kind::Member | Kind::Subscript | Kind::Unary);
    is_place && !node.parent.is_some_and(is_read)
}
