//! Draws a run on a whole screen: facts, the size over time, the text of the best result, the keys.
//!
//! A small terminal gets less of it: below 14 lines there is no graph, below 7 no text.

pub use crate::diff::{Row, Tag};
use crate::facts::facts;
use crate::harmless;
use crate::keys::{KEYS, Key, Panel};
use crate::state::State;
use crate::words::{clock, thousands};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::{bar, border};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Sparkline};
use std::time::Duration;

/// The abilities of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether colours may be used.
    pub colour: bool,
    /// Whether there is more than ASCII.
    pub unicode: bool,
}

/// The text part of the screen.
pub struct Body<'a> {
    /// The title of the panel.
    pub title: &'a str,
    /// The lines of the panel.
    pub rows: &'a [Row],
}

/// The parts of a screen.
struct Parts {
    head: Rect,
    facts: Rect,
    graph: Option<Rect>,
    text: Rect,
    keys: Rect,
}

/// From this width on, the graph is beside the facts.
const WIDE: u16 = 100;

/// The number of lines of text that fit on a screen of this size.
pub fn text_height(area: Rect, state: &State, now: Duration) -> usize {
    let lines = fact_lines(state, area.width, now, Look { colour: false, unicode: true });
    usize::from(parts(area, lines.len() as u16, state.searching().is_some()).text.height.saturating_sub(1))
}

/// Draws the run as it is now.
pub fn draw(frame: &mut Frame<'_>, state: &State, panel: &Panel, body: &Body<'_>, now: Duration, look: Look) {
    let area = frame.area();
    let has_search = state.searching().is_some();
    let facts = fact_lines(state, area.width, now, look);
    let parts = parts(area, facts.len() as u16, has_search);
    frame.render_widget(Paragraph::new(head(state, area.width, now, look)), parts.head);
    frame.render_widget(Paragraph::new(facts), parts.facts);
    if let Some(graph) = parts.graph {
        draw_graph(frame, state, graph, now, look);
    }
    draw_text(frame, panel, body, parts.text, look);
    frame.render_widget(Paragraph::new(keys(has_search, area.width, look)), parts.keys);
    if panel.shows_help {
        draw_help(frame, has_search, look);
    }
}

fn parts(area: Rect, facts: u16, has_search: bool) -> Parts {
    let is_wide = area.width >= WIDE;
    let left = area.height.saturating_sub(facts + 2);
    let graph_height = if has_search && !is_wide && left >= 8 { (left / 3).clamp(3, 7) } else { 0 };
    let constraints = [
        Constraint::Length(1),
        Constraint::Length(facts),
        Constraint::Length(graph_height),
        Constraint::Fill(1),
        Constraint::Length(1),
    ];
    let [head, facts, graph, text, keys] = Layout::vertical(constraints).areas(area);
    if is_wide && has_search && facts.height >= 3 {
        let [facts, graph] = Layout::horizontal([Constraint::Fill(3), Constraint::Fill(2)]).areas(facts);
        return Parts { head, facts, graph: Some(graph), text, keys };
    }
    Parts { head, facts, graph: (graph_height > 0).then_some(graph), text, keys }
}

fn head(state: &State, width: u16, now: Duration, look: Look) -> Line<'static> {
    let doing = match state {
        State { is_stopping: true, .. } => "stopping",
        State { is_paused: true, .. } => "paused",
        _ => "running",
    };
    let right = format!("{doing} {}", clock(now));
    let left = format!("lapidary {} {}", state.about.command, harmless(&state.about.input));
    let room = usize::from(width).saturating_sub(right.chars().count() + 1);
    let left: String = left.chars().take(room).collect();
    let gap = " ".repeat(usize::from(width).saturating_sub(left.chars().count() + right.chars().count()));
    let colour = if doing == "running" { Color::Green } else { Color::Yellow };
    Line::from(vec![
        Span::styled(left, Style::new().add_modifier(Modifier::BOLD)),
        Span::raw(gap),
        Span::styled(right, coloured(look, colour)),
    ])
}

fn coloured(look: Look, colour: Color) -> Style {
    if look.colour { Style::new().fg(colour) } else { Style::new() }
}

/// The width of the labels in front of the facts.
const LABEL: usize = 8;

fn fact_lines(state: &State, width: u16, now: Duration, look: Look) -> Vec<Line<'static>> {
    const MOST: usize = 3;
    let share = if width >= WIDE && state.searching().is_some() { width * 3 / 5 - 1 } else { width };
    let room = usize::from(share).saturating_sub(LABEL).max(10);
    let mut lines = Vec::new();
    for fact in facts(state, now) {
        let colour = if fact.label == "note" { Color::Yellow } else { Color::Cyan };
        for (index, text) in wrapped(&harmless(&fact.text), room, MOST).into_iter().enumerate() {
            let label = if index == 0 { fact.label } else { "" };
            lines.push(Line::from(vec![
                Span::styled(format!("{label:<LABEL$}"), coloured(look, colour)),
                Span::raw(text),
            ]));
        }
    }
    lines
}

/// The text in lines of this width, broken between words where possible; at most so many lines.
fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        let used = line.chars().count();
        if used > 0 && used + 1 + word.chars().count() > width {
            if lines.len() == most {
                lines.last_mut().expect("there is a line").push('…');
                break;
            }
            lines.push(word.chars().take(width).collect());
        } else {
            let gap = if used > 0 { " " } else { "" };
            line.push_str(gap);
            line.extend(word.chars().take(width));
        }
    }
    lines
}

fn draw_graph(frame: &mut Frame<'_>, state: &State, area: Rect, now: Duration, look: Look) {
    let Some(search) = state.searching() else { return };
    let title = format!(" size over {} ", clock(now.saturating_sub(search.since)));
    let block = titled(title, look).borders(Borders::TOP);
    let inside = block.inner(area);
    let columns = search.history.columns(usize::from(inside.width), now);
    let bars = if look.unicode { bar::NINE_LEVELS } else { ASCII };
    let line = Sparkline::default().data(columns).max(search.original.max(1)).bar_set(bars);
    frame.render_widget(line.block(block).style(coloured(look, Color::Green)), area);
}

/// Bars for terminals without more than ASCII.
const ASCII: bar::Set<'static> = bar::Set {
    full: "#",
    seven_eighths: "#",
    three_quarters: "#",
    five_eighths: "#",
    half: "=",
    three_eighths: "-",
    one_quarter: "-",
    one_eighth: ".",
    empty: " ",
};

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

fn titled(title: String, look: Look) -> Block<'static> {
    let border = if look.unicode { border::PLAIN } else { ASCII_BORDER };
    Block::new().border_set(border).title(title).style(Style::new())
}

fn draw_text(frame: &mut Frame<'_>, panel: &Panel, body: &Body<'_>, area: Rect, look: Look) {
    let height = usize::from(area.height.saturating_sub(1));
    let first = panel.scrolled.min(body.rows.len().saturating_sub(height));
    let last = (first + height).min(body.rows.len());
    let mut title = format!(" {} ", harmless(body.title));
    if body.rows.len() > height {
        let (from, to, of) = (thousands(first as u64 + 1), thousands(last as u64), thousands(body.rows.len() as u64));
        title += &format!("| {from}-{to} of {of} lines ");
    }
    let rows = body.rows[first..last].iter().map(|row| Line::styled(row.text.as_str(), of_tag(row.tag, look)));
    let block = titled(title, look).borders(Borders::TOP);
    frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()).block(block), area);
}

fn of_tag(tag: Tag, look: Look) -> Style {
    match tag {
        Tag::Plain => Style::new(),
        Tag::Added => coloured(look, Color::Green),
        Tag::Removed => coloured(look, Color::Red),
        Tag::Heading => coloured(look, Color::Cyan).add_modifier(Modifier::BOLD),
    }
}

/// The keys that fit into a line.
fn keys(has_search: bool, width: u16, look: Look) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut used = 0;
    let offered = KEYS.iter().filter(|(.., needs_search)| has_search || !needs_search);
    // Where there is little room, the help is what must not be missing.
    let (help, others): (Vec<&Key>, Vec<&Key>) = offered.partition(|(key, ..)| *key == "?");
    for &(key, name, ..) in help.into_iter().chain(others) {
        let key = if look.unicode { key } else { ascii_key(key) };
        let length = key.chars().count() + name.len() + 3;
        if used + length > usize::from(width) + 2 {
            break;
        }
        used += length;
        spans.push(Span::styled(key, Style::new().add_modifier(Modifier::BOLD)));
        spans.push(Span::raw(format!(" {name}  ")));
    }
    Line::from(spans)
}

fn ascii_key(key: &str) -> &str {
    if key == "↑↓" { "arrows" } else { key }
}

fn draw_help(frame: &mut Frame<'_>, has_search: bool, look: Look) {
    let offered = KEYS.iter().filter(|(.., needs_search)| has_search || !needs_search);
    let mut lines = Vec::new();
    let area = frame.area();
    let width = area.width.min(64);
    for (key, _, meaning, _) in offered {
        let key = if look.unicode { key } else { ascii_key(key) };
        for (index, text) in wrapped(meaning, usize::from(width).saturating_sub(11).max(10), 4).into_iter().enumerate()
        {
            lines.push(Line::raw(format!(" {:<7}{text}", if index == 0 { key } else { "" })));
        }
    }
    let height = area.height.min(lines.len() as u16 + 2);
    let at = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    let block = titled(" keys ".to_owned(), look).borders(Borders::ALL);
    frame.render_widget(Clear, at);
    frame.render_widget(Paragraph::new(lines).block(block), at);
}
