//! Names and numbers of runs for people.

use super::figures::Measure;
use crate::text;
use crate::units::{percent, seconds, thousands};
use maud::{Markup, html};

/// A value of a measure for people.
pub(super) fn shown(measure: Measure, value: f64) -> String {
    match measure {
        Measure::Left => percent(value),
        Measure::Tests if value < 100.0 && value.fract() != 0.0 => format!("{value:.1}"),
        Measure::Tests => thousands(value.round() as u64),
        Measure::Time => seconds(value),
    }
}

/// A name of others for a chart.
pub(super) fn in_chart(name: &str) -> String {
    name.chars().take(60).collect()
}

/// A name of others, cut if it is very long.
pub(super) fn named(name: &str) -> Markup {
    html! { code { (text::short(name, 300)) } }
}
