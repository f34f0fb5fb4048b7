//! Charts as SVG.
//!
//! A chart is laid out by the browser: curves are stretched to the place there is, texts are not, so
//! that the same chart can be read on a telephone and on paper. Every curve, bar and band carries
//! the numbers it was drawn from in `data-` attributes, where the page's script finds them for the
//! read-out under the pointer, and tests find them, too.
//!
//! - [`LineChart`]: curves, steps and dots over a linear or logarithmic axis, with bands behind;
//! - [`Histogram`]: how many values fall into each range;
//! - [`Bars`]: one bar for each row, made of parts;
//! - [`cumulative`]: the share of values up to each value, as a curve.

mod bars;
mod frame;
mod line;
mod scale;

pub use bars::{BarRow, Bars, Bin, Histogram, Part};
pub use line::{Band, LineChart, Series, Shape, cumulative};
pub use scale::{Axis, Unit};

/// The role of something in a chart, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The first, second, … of several that are alike; there are six colours.
    Nth(usize),
    /// Something wanted: an interesting candidate, a sound analysis.
    Good,
    /// Something wrong or lost.
    Bad,
    /// Something undecided.
    Unsure,
    /// Something that does not matter.
    Quiet,
}

impl Tone {
    fn class(self) -> &'static str {
        const NTH: [&str; 6] = ["tone-0", "tone-1", "tone-2", "tone-3", "tone-4", "tone-5"];
        match self {
            Tone::Nth(number) => NTH[number % NTH.len()],
            Tone::Good => "tone-good",
            Tone::Bad => "tone-bad",
            Tone::Unsure => "tone-unsure",
            Tone::Quiet => "tone-quiet",
        }
    }
}
