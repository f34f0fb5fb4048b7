//! Pages: one self-contained HTML file that shows what a command of Lapidary did.
//!
//! # The kit
//!
//! A page is a [`Page`] with [`Section`]s. Their content is [`Markup`] made by [`maud`]'s `html!`,
//! which escapes every text that is put into it. Ready-made parts: charts ([`chart`]), tables
//! ([`table`]), source code with line numbers and colours ([`code`]), two texts side by side
//! ([`diff`]), outputs and names of others ([`text`]), and numbers for people ([`units`]).
//!
//! ```
//! use lapidary_report::maud::html;
//! use lapidary_report::{Figure, Page, Section, table::{Cell, Table}};
//!
//! let table = Table::new("methods").text("method").number("tests").row([Cell::text("A.m()"), Cell::count(12)]);
//! let page = Page::new("compare", "v2 → v3")
//!     .lead(html! { "Both versions do the same on every input that was tried." })
//!     .figure(Figure::new("paths", "17"))
//!     .section(Section::new("methods", "Methods", html! { (table) }));
//! assert!(page.render().starts_with("<!DOCTYPE html>"));
//! ```
//!
//! # What holds for every page
//!
//! - Nothing is loaded: style and script are inside, and a content security policy forbids anything
//!   else, so even markup that slipped through could not run.
//! - Text from outside never becomes markup, and what would change how other text is shown (control
//!   characters, marks of writing direction) is made visible. Use [`text::shown`] for such text;
//!   plain `(text)` in `html!` escapes it but keeps such characters.
//! - No `style` attributes: the policy forbids them. Colours and places are classes of
//!   `assets/style.css`.
//! - Everything can be read without JavaScript, from 400 px on, in light and dark, and on paper.
#![warn(missing_docs)]

pub mod chart;
pub mod code;
pub mod comparison;
pub mod diff;
pub mod exploration;
mod page;
pub mod reduction;
pub mod runs;
pub mod sources;
pub mod table;
pub mod text;
pub mod triage;
pub mod units;

pub use maud;
pub use maud::{Markup, PreEscaped, Render};
pub use page::{Figure, Notice, Page, Section, fold};
