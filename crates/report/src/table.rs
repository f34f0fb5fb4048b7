//! Tables that can be sorted by each column and searched.

use crate::text;
use maud::{Markup, Render, html};

/// Tables with more rows than this have a field for searching.
const FEW: usize = 8;

/// A table in the making: first its columns, then its rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    name: String,
    columns: Vec<Column>,
    rows: Vec<Row>,
    more: u64,
}

#[derive(Clone, Debug)]
struct Column {
    name: String,
    is_number: bool,
}

#[derive(Clone, Debug)]
struct Row {
    class: &'static str,
    cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    content: Markup,
    /// The key for sorting the row, if that is not the text of the cell.
    key: Option<String>,
}

impl Cell {
    /// A text of others.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Cell { content: text::shown(text), key: None }
    }

    /// A name from a program, in the typeface of code.
    #[must_use]
    pub fn code(text: &str) -> Self {
        Cell { content: html! { code { (text::shown(text)) } }, key: None }
    }

    /// A whole number with grouped digits.
    #[must_use]
    pub fn count(number: u64) -> Self {
        Cell { content: html! { (crate::units::thousands(number)) }, key: Some(number.to_string()) }
    }

    /// A number that is shown in words of its own, such as `3.2 ms`.
    pub fn number(value: f64, shown: impl Into<String>) -> Self {
        Cell { content: html! { (shown.into()) }, key: Some(value.to_string()) }
    }

    /// Anything, sorted by its text.
    #[must_use]
    pub fn markup(content: Markup) -> Self {
        Cell { content, key: None }
    }

    /// Nothing.
    #[must_use]
    pub fn empty() -> Self {
        Cell { content: html! {}, key: None }
    }
}

impl Table {
    /// An empty table. `name` says what its rows are, in the plural: `items`, `runs`.
    pub fn new(name: impl Into<String>) -> Self {
        Table { name: name.into(), ..Table::default() }
    }

    /// Adds a column of texts.
    pub fn text(mut self, name: impl Into<String>) -> Self {
        self.columns.push(Column { name: name.into(), is_number: false });
        self
    }

    /// Adds a column of numbers.
    pub fn number(mut self, name: impl Into<String>) -> Self {
        self.columns.push(Column { name: name.into(), is_number: true });
        self
    }

    /// Adds a row with a cell for each column.
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.push(cells);
        self
    }

    /// Adds a row with a cell for each column.
    pub fn push(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.push_marked("", cells);
    }

    /// Adds a row that is marked: `good`, `bad`, `warning`.
    pub fn push_marked(&mut self, class: &'static str, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(Row { class, cells: cells.into_iter().collect() });
    }

    /// Says that so many more rows are not shown.
    pub fn more(self, more: u64) -> Self {
        Table { more, ..self }
    }

    /// Whether it has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Render for Table {
    fn render(&self) -> Markup {
        html! {
            div.table {
                @if self.rows.len() > FEW {
                    p.filter {
                        input type="search" placeholder={ "Search " (self.name) " …" } aria-label={ "Search " (self.name) };
                        output aria-live="polite" {}
                    }
                }
                table {
                    caption.hidden { (self.name) }
                    thead { tr { @for column in &self.columns {
                        th.number[column.is_number] scope="col" { button.sort type="button" { (column.name) } }
                    } } }
                    tbody { @for row in &self.rows { (self.row_markup(row)) } }
                }
                @if self.more > 0 { p.cut { "… and " (crate::units::thousands(self.more)) " more" } }
            }
        }
    }
}

impl Table {
    fn row_markup(&self, row: &Row) -> Markup {
        html! {
            tr class=[Some(row.class).filter(|class| !class.is_empty())] {
                @for (column, cell) in self.columns.iter().zip(&row.cells) {
                    td.number[column.is_number] data-label=(column.name) data-key=[cell.key.as_deref()] { (cell.content) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped_and_numbers_can_be_sorted() {
        let table = Table::new("items").text("label").number("bytes").row([Cell::code("<x>"), Cell::count(1234)]);
        let text = table.render().into_string();
        assert!(text.contains("<code>&lt;x&gt;</code>") && text.contains("data-key=\"1234\">1,234"), "{text}");
        assert!(!text.contains("type=\"search\""), "one row needs no search");
    }

    #[test]
    fn a_long_table_can_be_searched_and_says_what_is_missing() {
        let mut table = Table::new("items").text("label");
        (0..9).for_each(|number| table.push([Cell::text(&number.to_string())]));
        let text = table.more(1234).render().into_string();
        assert!(text.contains("placeholder=\"Search items …\"") && text.contains("… and 1,234 more"), "{text}");
    }
}
