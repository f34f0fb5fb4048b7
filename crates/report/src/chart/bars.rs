//! Bars: the parts of each row, and how many values fall into each range.

use super::Tone;
use super::frame::{Frame, SIZE, legend};
use super::scale::Axis;
use crate::text;
use maud::{Markup, Render, html};

/// A chart with a horizontal bar for each row, made of parts.
#[derive(Clone, Debug)]
pub struct Bars {
    title: String,
    parts: Vec<Part>,
    rows: Vec<BarRow>,
}

/// A part that each bar has.
#[derive(Clone, Debug)]
pub struct Part {
    /// The name in the legend.
    pub name: String,
    /// The colour.
    pub tone: Tone,
}

/// A row of a chart with bars.
#[derive(Clone, Debug)]
pub struct BarRow {
    /// The name, to the left.
    pub name: String,
    /// The size of each part.
    pub values: Vec<f64>,
    /// The text to the right.
    pub note: String,
}

impl Bars {
    /// An empty chart whose bars have these parts.
    pub fn new(title: impl Into<String>, parts: Vec<Part>) -> Self {
        Bars { title: title.into(), parts, rows: Vec::new() }
    }

    /// Adds a row with a value for each part.
    pub fn row(mut self, name: impl Into<String>, values: Vec<f64>, note: impl Into<String>) -> Self {
        self.rows.push(BarRow { name: name.into(), values, note: note.into() });
        self
    }
}

impl Render for Bars {
    fn render(&self) -> Markup {
        let length = |row: &BarRow| row.values.iter().sum::<f64>();
        let longest = self.rows.iter().map(length).fold(0.0, f64::max);
        let entries: Vec<(Tone, &str)> = self.parts.iter().map(|part| (part.tone, &*part.name)).collect();
        html! {
            figure.chart.bars {
                figcaption { span.title { (text::shown(&self.title)) } }
                dl { @for row in &self.rows { div.row {
                    dt { (text::shown(&row.name)) }
                    dd.bar { (self.bar(row, longest)) }
                    dd.note { (text::shown(&row.note)) }
                } } }
                @if entries.len() > 1 { (legend(&entries)) }
            }
        }
    }
}

impl Bars {
    fn bar(&self, row: &BarRow, longest: f64) -> Markup {
        let scale = if longest > 0.0 { SIZE / longest } else { 0.0 };
        let mut at = 0.0;
        let mut place = |value: f64| {
            let width = value.max(0.0) * scale;
            at += width;
            (at - width, width)
        };
        html! {
            svg viewBox={ "0 0 " (SIZE) " 10" } preserveAspectRatio="none" role="img" {
                title { (text::plain(&row.name)) ": " (text::plain(&row.note)) }
                @for (part, value) in self.parts.iter().zip(&row.values) {
                    @let (x, width) = place(*value);
                    rect.(part.tone.class()) x=(format!("{x:.2}")) width=(format!("{width:.2}")) height="10"
                        data-name=(text::plain(&part.name)) data-value=(value) {}
                }
            }
        }
    }
}

/// A range of values with how many there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The least value of the range.
    pub from: f64,
    /// The end of the range.
    pub to: f64,
    /// How many values fall into it.
    pub count: u64,
}

/// A chart of how many values fall into each range.
#[derive(Clone, Debug)]
pub struct Histogram {
    title: String,
    says: String,
    x: Axis,
    y: Axis,
    bins: Vec<Bin>,
}

impl Histogram {
    /// A histogram of these ranges. `says` is the chart in a sentence, for those who cannot see it.
    pub fn new(title: impl Into<String>, says: impl Into<String>, x: Axis, y: Axis, bins: Vec<Bin>) -> Self {
        Histogram { title: title.into(), says: says.into(), x, y, bins }
    }
}

impl Render for Histogram {
    fn render(&self) -> Markup {
        let x = self.x.scale(self.bins.iter().flat_map(|bin| [bin.from, bin.to]));
        let y = self.y.scale(self.bins.iter().map(|bin| bin.count as f64));
        let bar = |bin: &Bin| {
            let (from, to) = (x.place(bin.from) * SIZE, x.place(bin.to) * SIZE);
            let height = y.place(bin.count as f64) * SIZE;
            html! {
                rect.bin.tone-0 x=(format!("{:.1}", from + 1.0)) width=(format!("{:.1}", (to - from - 2.0).max(0.5)))
                    y=(format!("{:.1}", SIZE - height)) height=(format!("{height:.1}"))
                    data-from=(bin.from) data-to=(bin.to) data-count=(bin.count) {}
            }
        };
        let content = html! { @for bin in self.bins.iter().filter(|bin| bin.count > 0) { (bar(bin)) } };
        let (title, says) = (&self.title, &self.says);
        let (x, y) = ((&self.x, x), (&self.y, y));
        Frame { title, says, x, y, content, legend: Vec::new(), above: html! {} }.markup()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Unit;
    use super::*;

    #[test]
    fn bars_share_one_scale_and_carry_their_numbers() {
        let parts =
            vec![Part { name: "yes".to_owned(), tone: Tone::Good }, Part { name: "no".to_owned(), tone: Tone::Quiet }];
        let bars = Bars::new("tests", parts).row("a", vec![1.0, 3.0], "4").row("<b>", vec![2.0, 0.0], "2");
        let text = bars.render().into_string();
        assert!(text.contains("x=\"250.00\" width=\"750.00\"") && text.contains("data-value=\"3\""), "{text}");
        assert!(text.contains("x=\"0.00\" width=\"500.00\"") && !text.contains("<b>"), "{text}");
    }

    #[test]
    fn a_histogram_has_a_bar_for_each_range_with_values() {
        let bin = |from: f64, count| Bin { from, to: from * 10.0, count };
        let (x, y) = (Axis::new("time", Unit::Seconds).log(), Axis::new("tests", Unit::Number));
        let bins = vec![bin(0.001, 5), bin(0.01, 0), bin(0.1, 10)];
        let text = Histogram::new("Time", "", x, y, bins).render().into_string();
        assert_eq!(text.matches("class=\"bin").count(), 2);
        assert!(text.contains("y=\"500.0\" height=\"500.0\""), "{text}");
    }
}
