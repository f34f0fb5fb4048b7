//! The graph of classes: the ones that differ in the first layer, below them those that mention a
//! class of the layer above and that they may therefore affect. Classes are in rows and edges are
//! bows beside them, so that names keep their size and the drawing fits a narrow screen.

use crate::text;
use crate::units::counted;
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// More classes are not drawn.
const NODES: usize = 60;

/// More edges are not drawn; nobody could tell them apart.
const EDGES: usize = 240;

/// The classes with those that each mentions.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

const WIDTH: usize = 340;
const ROW: usize = 22;
/// Edges are to the left of this, names to the right.
const GUTTER: usize = 100;
/// Longer names are cut. The whole one is in the title of the row.
const LETTERS: usize = 26;

/// A class in the drawing.
struct Node<'a> {
    name: &'a str,
    /// The row in the drawing.
    row: usize,
}

/// A drawing in rows.
struct Drawing<'a> {
    /// The headings with their rows.
    headings: Vec<(usize, String)>,
    nodes: Vec<Node<'a>>,
    rows: usize,
    /// Classes that would come next.
    undrawn: usize,
}

/// The drawing; `None` if no class of the graph differs. `changed` says what differs in a class.
pub fn drawing(graph: &Graph, changed: &BTreeMap<&str, String>, may_change: &BTreeSet<&str>) -> Option<Markup> {
    let Drawing { headings, nodes, rows, undrawn } = drawn(graph, changed)?;
    let row_of: BTreeMap<&str, usize> = nodes.iter().map(|node| (node.name, node.row)).collect();
    let all = edges(graph, &row_of);
    let height = rows * ROW + 8;
    let says =
        format!("{} and {} between them", counted(nodes.len() as u64, "class"), counted(all.len() as u64, "edge"));
    Some(html! {
        figure.class-graph {
            svg role="img" width=(WIDTH) height=(height) viewBox={ "0 0 " (WIDTH) " " (height) } aria-label=(says) {
                defs {
                    marker #arrow viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto" {
                        path d="M0,0 L6,3 L0,6 Z" {}
                    }
                }
                @for (from, to) in all.iter().take(EDGES) {
                    path.edge.across[may_change.contains(from) != may_change.contains(to)]
                        d=(bow(row_of[from], row_of[to])) marker-end="url(#arrow)" data-from=(text::plain(from)) data-to=(text::plain(to)) {
                        title { (text::plain(&format!("{from} mentions {to}"))) }
                    }
                }
                @for (row, heading) in &headings { text.heading x=(GUTTER + 10) y=(middle(*row) + 4) { (heading) } }
                @for node in &nodes { (marked(node, changed.get(node.name), may_change.contains(node.name))) }
            }
            figcaption {
                ul.legend {
                    li.differs { "differs" }
                    @if nodes.iter().any(|node| may_change.contains(node.name) && !changed.contains_key(node.name)) { li.affected { "may change" } }
                    @if nodes.iter().any(|node| !may_change.contains(node.name)) { li.unaffected { "must not change" } }
                    @if !all.is_empty() { li.mentions { "mentions" } }
                }
                @if undrawn > 0 { p.cut { (counted(undrawn as u64, "class")) " further away not drawn" } }
                @if all.len() > EDGES { p.cut { (counted((all.len() - EDGES) as u64, "edge")) " not drawn" } }
            }
        }
    })
}

/// Layer after layer, as long as there is room.
fn drawn<'a>(graph: &'a Graph, changed: &BTreeMap<&str, String>) -> Option<Drawing<'a>> {
    let mut seen: BTreeSet<&str> =
        graph.keys().map(String::as_str).filter(|class| changed.contains_key(class)).collect();
    let mut drawing = Drawing { headings: Vec::new(), nodes: Vec::new(), rows: 0, undrawn: 0 };
    let mut layer: Vec<&str> = seen.iter().copied().collect();
    for depth in 0.. {
        if layer.is_empty() {
            break;
        }
        let room = NODES - drawing.nodes.len();
        drawing.undrawn += layer.len().saturating_sub(room);
        layer.truncate(room);
        if !layer.is_empty() {
            drawing.headings.push((drawing.rows, heading(depth)));
            let rows = drawing.rows + 1..;
            drawing.nodes.extend(layer.iter().zip(rows).map(|(name, row)| Node { name, row }));
            drawing.rows += 1 + layer.len();
        }
        layer = users(graph, &layer, &seen);
        seen.extend(&layer);
    }
    (!drawing.nodes.is_empty()).then_some(drawing)
}

fn heading(depth: usize) -> String {
    match depth {
        0 => "differ".to_owned(),
        1 => "mention a class that differs".to_owned(),
        _ => format!("{depth} steps away"),
    }
}

/// The classes that mention one of a layer, in the order of the first that they mention: edges then
/// cross less often.
fn users<'a>(graph: &'a Graph, layer: &[&str], seen: &BTreeSet<&str>) -> Vec<&'a str> {
    let first = |others: &BTreeSet<String>| layer.iter().position(|class| others.contains(*class));
    let found = graph.iter().filter(|(class, _)| !seen.contains(class.as_str()));
    let mut found: Vec<(usize, &str)> =
        found.filter_map(|(class, others)| Some((first(others)?, class.as_str()))).collect();
    found.sort();
    found.into_iter().map(|(_, class)| class).collect()
}

/// Edges between classes that are drawn, from the one that mentions to the one that is mentioned.
fn edges<'a>(graph: &'a Graph, row_of: &BTreeMap<&'a str, usize>) -> Vec<(&'a str, &'a str)> {
    let from = row_of.keys().filter_map(|from| graph.get_key_value(*from));
    let pairs = from.flat_map(|(from, others)| others.iter().map(move |to| (from.as_str(), to.as_str())));
    pairs.filter(|(from, to)| from != to && row_of.contains_key(to)).collect()
}

fn middle(row: usize) -> usize {
    row * ROW + ROW / 2
}

/// A curve from row to row, further out the further they are apart. An edge up and one down between
/// two rows are side by side.
fn bow(from: usize, to: usize) -> String {
    let (right, out) = (GUTTER - 8, (10 + 5 * from.abs_diff(to)).min(GUTTER - 14));
    let bend = right - out + if from < to { 4 } else { 0 };
    let (from, to) = (middle(from) + 3, middle(to) - 3);
    format!("M{right},{from} C{bend},{from} {bend},{to} {right},{to}")
}

fn marked(node: &Node<'_>, differs: Option<&String>, may_change: bool) -> Markup {
    let simple = node.name.rsplit(['.', '/']).next().unwrap_or(node.name);
    let (x, y) = (GUTTER, middle(node.row));
    let what = differs.map_or_else(String::new, |what| format!(": {what}"));
    html! {
        g.node.differs[differs.is_some()].affected[may_change].unaffected[!may_change] data-name=(text::plain(node.name)) {
            title { (text::plain(&format!("{}{what}", node.name))) }
            // A shape besides the colour: a square differs.
            @if differs.is_some() { rect x=(x - 5) y=(y - 5) width="10" height="10" {} }
            @else { circle cx=(x) cy=(y) r="4.5" {} }
            text x=(x + 10) y=(y + 4) { (text::plain(&cut(simple))) }
        }
    }
}

fn cut(name: &str) -> String {
    match name.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &[&str])]) -> Graph {
        edges.iter().map(|(from, to)| ((*from).to_owned(), to.iter().map(|to| (*to).to_owned()).collect())).collect()
    }

    fn rows<'a>(graph: &'a Graph, changed: &[&'static str]) -> Option<Vec<(usize, &'a str)>> {
        let changed = changed.iter().map(|class| (*class, String::new())).collect();
        drawn(graph, &changed).map(|drawing| drawing.nodes.iter().map(|node| (node.row, node.name)).collect())
    }

    #[test]
    fn classes_are_in_layers_above_those_that_mention_them() {
        let graph = graph(&[
            ("Changed", &["Below"]),
            ("Below", &[]),
            ("User", &["Changed", "Other"]),
            ("Main", &["User", "Main"]),
            ("Other", &["Main"]),
        ]);
        let expected = [(1, "Changed"), (3, "User"), (5, "Main"), (7, "Other")];
        assert_eq!(rows(&graph, &["Changed"]).unwrap(), expected);
        assert!(rows(&graph, &["Elsewhere"]).is_none());
        let row_of = expected.iter().map(|(row, name)| (*name, *row)).collect();
        let expected = [("Main", "User"), ("Other", "Main"), ("User", "Changed"), ("User", "Other")];
        assert_eq!(edges(&graph, &row_of), expected);
    }

    #[test]
    fn a_large_graph_is_cut_and_says_so() {
        let names: Vec<String> = (0..500).map(|number| format!("p.User{number:03}")).collect();
        let mut graph: Graph = names.iter().map(|name| (name.clone(), names.iter().cloned().collect())).collect();
        graph.insert("p.Changed".to_owned(), BTreeSet::new());
        for others in graph.values_mut() {
            others.insert("p.Changed".to_owned());
        }
        let changed = BTreeMap::from([("p.Changed", "method f".to_owned())]);
        let page = drawing(&graph, &changed, &BTreeSet::from(["p.Changed"])).unwrap().into_string();
        assert_eq!((page.matches("<g class=\"node").count(), page.matches("class=\"edge").count()), (NODES, EDGES));
        assert!(page.contains("441 classes further away not drawn"), "{page}");
        assert!(page.contains("<title>p.Changed: method f</title>"));
    }
}
