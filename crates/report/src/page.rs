//! The frame of a page: title, headline figures, notices, sections, navigation.
//!
//! Invariant: a page is one file that loads nothing. Its content security policy allows the style
//! and the script inside, by a number that nothing inside the page can know in advance.

use crate::text;
use lapidary::DocumentKind;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::path::Path;

const STYLE: &str = concat!(include_str!("assets/style.css"), include_str!("assets/findings.css"));
const SCRIPT: &str = concat!(include_str!("assets/page.js"), include_str!("assets/classes.js"));

/// A page in the making.
#[derive(Clone, Debug)]
pub struct Page {
    command: String,
    title: String,
    lead: Option<Markup>,
    figures: Vec<Figure>,
    notices: Vec<Notice>,
    sections: Vec<Section>,
}

/// A number in the headline, with its name.
#[derive(Clone, Debug)]
pub struct Figure {
    name: String,
    value: String,
    note: Option<String>,
    share: Option<f64>,
}

impl Figure {
    /// A figure such as `tests: 1,234`.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Figure { name: name.into(), value: value.into(), note: None, share: None }
    }

    /// Adds a line in small print below.
    pub fn note(self, note: impl Into<String>) -> Self {
        Figure { note: Some(note.into()), ..self }
    }

    /// Adds a bar that is filled by this share, from 0 to 1.
    pub fn share(self, share: f64) -> Self {
        Figure { share: Some(share.clamp(0.0, 1.0)), ..self }
    }
}

/// A remark at the top of a page.
#[derive(Clone, Debug)]
pub struct Notice {
    class: &'static str,
    content: Markup,
}

impl Notice {
    /// All is well.
    pub fn good(content: Markup) -> Self {
        Notice { class: "good", content }
    }

    /// Something to know.
    pub fn note(content: Markup) -> Self {
        Notice { class: "note", content }
    }

    /// Something is missing or needs care.
    pub fn warning(content: Markup) -> Self {
        Notice { class: "warning", content }
    }

    /// Something is wrong: a bug was found, a difference is forbidden.
    pub fn bad(content: Markup) -> Self {
        Notice { class: "bad", content }
    }
}

/// A part of a page with a heading, reached from the navigation.
#[derive(Clone, Debug)]
pub struct Section {
    id: &'static str,
    title: String,
    content: Markup,
}

impl Section {
    /// A section. `id` is its address in the page, of small letters and hyphens.
    pub fn new(id: &'static str, title: impl Into<String>, content: Markup) -> Self {
        Section { id, title: title.into(), content }
    }
}

/// A part that is folded away behind its summary.
#[must_use]
pub fn fold(summary: Markup, content: Markup) -> Markup {
    html! { details { summary { (summary) } div.folded { (content) } } }
}

impl Page {
    /// A page about a run of a command. The title usually names the input.
    pub fn new(command: impl Into<String>, title: impl Into<String>) -> Self {
        Page {
            command: command.into(),
            title: title.into(),
            lead: None,
            figures: Vec::new(),
            notices: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Sets the sentence below the title, which says what happened.
    pub fn lead(self, lead: Markup) -> Self {
        Page { lead: Some(lead), ..self }
    }

    /// Adds a headline figure.
    pub fn figure(mut self, figure: Figure) -> Self {
        self.figures.push(figure);
        self
    }

    /// Adds a remark below the headline.
    pub fn notice(mut self, notice: Notice) -> Self {
        self.notices.push(notice);
        self
    }

    /// Adds a section.
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// The whole file.
    #[must_use]
    pub fn render(&self) -> String {
        let body = self.body();
        // Foreign text is part of the hashed body, so it cannot contain the hash.
        let nonce = &blake3::hash(body.0.as_bytes()).to_hex()[..32];
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; img-src data:; \
             base-uri 'none'; form-action 'none'"
        );
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content={ "lapidary " (env!("CARGO_PKG_VERSION")) };
                    title { (text::plain(&self.title)) " – lapidary " (self.command) }
                    link rel="icon" href="data:,";
                    style nonce=(nonce) { (PreEscaped(STYLE)) }
                }
                (body)
                script nonce=(nonce) { (PreEscaped(SCRIPT)) }
            }
        };
        page.into_string()
    }

    fn body(&self) -> Markup {
        html! {
            body {
                a.skip href="#content" { "Skip to the content" }
                header.top {
                    span.brand { (gem()) "lapidary " (self.command) }
                    div.tools {
                        button #help-button type="button" title="Keys (?)" aria-label="Keys" { "?" }
                        button #theme-button type="button" title="Light or dark (t)" aria-label="Light or dark" { "◐" }
                    }
                }
                div.layout {
                    nav aria-label="Sections" {
                        ol { @for section in &self.sections { li { a href={ "#" (section.id) } { (section.title) } } } }
                    }
                    main #content {
                        (self.headline())
                        @for section in &self.sections { (self.section_markup(section)) }
                        footer { "Made by lapidary " (env!("CARGO_PKG_VERSION")) "." }
                    }
                }
                (keys())
            }
        }
    }

    fn headline(&self) -> Markup {
        html! {
            h1 { (text::shown(&self.title)) }
            @if let Some(lead) = &self.lead { div.lead { (lead) } }
            @for notice in &self.notices { div.notice.(notice.class) { (notice.content) } }
            @if !self.figures.is_empty() {
                dl.figures { @for figure in &self.figures { (figure_markup(figure)) } }
            }
        }
    }

    fn section_markup(&self, section: &Section) -> Markup {
        html! {
            section id=(section.id) tabindex="-1" {
                h2 { a.anchor href={ "#" (section.id) } { (section.title) } }
                (section.content)
            }
        }
    }

    /// Writes the page to a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> lapidary::Result<()> {
        DocumentKind::Page.write(path, &self.render())
    }
}

fn figure_markup(figure: &Figure) -> Markup {
    html! {
        div.figure {
            dt { (text::shown(&figure.name)) }
            dd.value { (text::shown(&figure.value)) }
            @if let Some(share) = figure.share {
                dd.gauge { svg viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true" {
                    rect.empty width="100" height="2" {}
                    // A little is not nothing.
                    rect.full width=(format!("{:.2}", (share * 100.0).max(f64::from(share > 0.0)))) height="2" {}
                } }
            }
            @if let Some(note) = &figure.note { dd.small { (text::shown(note)) } }
        }
    }
}

/// The sign of Lapidary: a cut stone.
fn gem() -> Markup {
    html! {
        svg.gem viewBox="0 0 24 24" aria-hidden="true" {
            path d="M6 3h12l4 6-10 12L2 9z M2 9h20 M6 3l3 6 3-6 3 6 3-6 M9 9l3 12 3-12" {}
        }
    }
}

/// The help about keys, shown by `?`.
fn keys() -> Markup {
    let keys = [
        ("j / k", "next, previous section"),
        ("/", "search in the table of the section"),
        ("e", "unfold everything"),
        ("c", "fold everything"),
        ("t", "light, dark, or as the system says"),
        ("?", "this list"),
    ];
    html! {
        dialog #keys aria-label="Keys" {
            h2 { "Keys" }
            dl { @for (key, does) in keys { div { dt { kbd { (key) } } dd { (does) } } } }
            form method="dialog" { button { "Close" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_loads_nothing_and_lets_only_its_own_script_run() {
        let page = Page::new("reduce", "<script>alert(1)</script>")
            .figure(Figure::new("left", "\u{202e}</dd>").note("of <b>"))
            .section(Section::new("a", "A", html! { ("</section>") }));
        let text = page.render();
        assert_eq!(text.matches("<script").count(), 1);
        assert_eq!(text.matches("</script>").count(), 1);
        assert!(!text.contains("http://") && !text.contains("https://") && !text.contains("style=\""));
        let nonce = text.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
        assert!(text.contains(&format!("<script nonce=\"{nonce}\">")) && nonce.len() == 32);
    }

    #[test]
    fn the_policy_changes_with_what_is_inside() {
        let of = |title: &str| Page::new("reduce", title).render().split("'nonce-").nth(1).unwrap()[..32].to_owned();
        assert_ne!(of("a"), of("b"));
        assert_eq!(of("a"), of("a"), "the same run gives the same page");
    }

    #[test]
    fn a_page_that_cannot_be_written_says_where() {
        let error = Page::new("reduce", "x").write(Path::new("/nowhere/at/all.html")).unwrap_err().to_string();
        assert!(error.starts_with("cannot write /nowhere/at/all.html: "), "{error}");
    }
}
