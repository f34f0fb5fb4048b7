//! The common parts of charts with two axes: the grid of texts around the area, ticks, the legend.

use super::Tone;
use super::scale::{Axis, Scale};
use crate::text;
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// The area of a chart is so many units wide and high; the browser stretches it.
pub(super) const SIZE: f64 = 1000.0;

/// The frame of a chart with its content.
pub(super) struct Frame<'a> {
    pub title: &'a str,
    /// The chart in a sentence, for those who cannot see it.
    pub says: &'a str,
    pub x: (&'a Axis, Scale),
    pub y: (&'a Axis, Scale),
    /// The content of the area.
    pub content: Markup,
    pub legend: Vec<(Tone, &'a str)>,
    /// A row of names above the area.
    pub above: Markup,
}

impl Frame<'_> {
    pub fn markup(&self) -> Markup {
        let ((x, across), (y, up)) = (&self.x, &self.y);
        html! {
            figure.chart {
                figcaption { span.title { (text::shown(self.title)) } output.readout {} }
                div.plot {
                    (self.above)
                    svg.ticks-y aria-hidden="true" { (ticks_up(up)) }
                    svg.area role="img" viewBox={ "0 0 " (SIZE) " " (SIZE) } preserveAspectRatio="none"
                        data-x-least=(across.least) data-x-most=(across.most) data-x-log=(across.is_log)
                        data-x-unit=(across.unit.name()) data-y-unit=(up.unit.name())
                        data-y-least=(up.least) data-y-most=(up.most) data-y-log=(up.is_log) {
                        title { (text::plain(self.title)) }
                        desc { (text::plain(self.says)) }
                        (grid(across, up))
                        (self.content)
                        line.cursor x1="0" x2="0" y1="0" y2=(SIZE) {}
                    }
                    svg.ticks-x aria-hidden="true" { (ticks_across(across)) }
                    p.label-x { (x.label) }
                    p.label-y { (y.label) }
                }
                @if self.legend.len() > 1 { (legend(&self.legend)) }
            }
        }
    }
}

/// The meaning of each colour.
pub(super) fn legend(entries: &[(Tone, &str)]) -> Markup {
    html! {
        ul.legend { @for (tone, name) in entries { li.(tone.class()) { (text::shown(name)) } } }
    }
}

fn grid(x: &Scale, y: &Scale) -> Markup {
    let mut path = String::new();
    for (place, _) in y.ticks() {
        let _ = write!(path, "M0 {:.1}H{SIZE}", SIZE - place * SIZE);
    }
    for (place, _) in x.ticks() {
        let _ = write!(path, "M{:.1} {SIZE}v-12", place * SIZE);
    }
    html! { path.grid d=(path) {} }
}

fn ticks_up(scale: &Scale) -> Markup {
    let mut out = String::new();
    for (place, text) in scale.ticks() {
        let _ = write!(out, "<text x=\"100%\" y=\"{:.2}%\" dy=\".32em\">{text}</text>", 100.0 - place * 100.0);
    }
    PreEscaped(out)
}

fn ticks_across(scale: &Scale) -> Markup {
    let mut out = String::new();
    for (place, text) in scale.ticks() {
        let anchor = match place {
            p if p < 0.04 => "start",
            p if p > 0.96 => "end",
            _ => "middle",
        };
        let x = place * 100.0;
        let _ = write!(out, "<text x=\"{x:.2}%\" y=\"1.1em\" text-anchor=\"{anchor}\">{text}</text>");
    }
    PreEscaped(out)
}
