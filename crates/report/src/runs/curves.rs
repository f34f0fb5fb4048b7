//! Cumulative frequency diagrams, as in figure 8a of *Logical Bytecode Reduction* (PLDI 2021) and
//! figure 9 of *Binary Reduction of Dependency Graphs* (ESEC/FSE 2019).

use super::figures::Measure;
use super::groups::{Group, Grouping};
use super::run::{Ending, Run};
use super::words::in_chart;
use crate::chart::{Axis, LineChart, Series, Shape, Tone, Unit, cumulative};
use crate::units::counted;
use maud::{Markup, html};

/// As many curves can be told apart by their colours.
pub(super) const CURVES: usize = 6;

/// A diagram for each measure, with a curve for each group.
pub(super) fn section(grouping: &Grouping<'_>) -> Markup {
    let hidden = grouping.groups.len().saturating_sub(CURVES);
    html! {
        p { "How many of the runs come so far: the steeper, the better. In the diagrams of candidates and time, a run that was
            stopped never arrives, so its curve ends below 100 %. The dots are the geometric means of all runs." }
        @if hidden > 0 { p.cut { "Curves of " (counted(hidden as u64, "more group")) " are left out." } }
        @for measure in Measure::ALL { (diagram(measure, &grouping.groups)) }
    }
}

fn diagram(measure: Measure, groups: &[Group<'_>]) -> LineChart {
    let groups = &groups[..groups.len().min(CURVES)];
    let (title, axis) = match measure {
        Measure::Left => ("Runs by share left", shares(groups)),
        Measure::Tests => ("Runs by candidates judged", Axis::new("candidates judged", Unit::Number).log()),
        Measure::Time => ("Runs by time", Axis::new("time", Unit::Seconds).log()),
    };
    let says = format!("For each {}, the share of the runs that need at most as much.", measure.name());
    let share = Axis::new("runs", Unit::Share).reaching(1.0);
    groups.iter().enumerate().fold(LineChart::new(title, says, axis, share), |chart, (place, group)| {
        let tone = Tone::Nth(place);
        let reached: Vec<f64> = group.runs.iter().map(|run| reached(measure, run)).collect();
        let chart = chart.series(cumulative(in_chart(&group.name), reached.clone()).tone(tone));
        match measure.mean(group.runs.iter().copied()) {
            Some(mean) => {
                let below = reached.iter().filter(|value| **value <= mean).count() as f64 / reached.len() as f64;
                chart.series(Series::new("", vec![(mean, below)]).shape(Shape::Mark).tone(tone))
            }
            None => chart,
        }
    })
}

/// The axis of the shares that are left: logarithmic if some are so small that a linear one would
/// not tell them apart.
fn shares(groups: &[Group<'_>]) -> Axis {
    let mut all = groups.iter().flat_map(|group| &group.runs).map(|run| Measure::Left.of(run));
    let axis = Axis::new("share left", Unit::Share);
    if all.any(|left| left < 0.05) { axis.log() } else { axis.reaching(1.0) }
}

/// The value at which a run joins the curve.
fn reached(measure: Measure, run: &Run) -> f64 {
    match (measure, run.ending) {
        (Measure::Left, _) | (_, Ending::Done) => measure.of(run),
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::sample;
    use super::*;
    use maud::Render;

    #[test]
    fn a_run_that_was_stopped_counts_but_never_arrives() {
        let done = sample("a", 100, 10);
        let stopped = Run { ending: Ending::Stopped, ..sample("b", 100, 40) };
        let groups = [Group { name: "g".to_owned(), runs: vec![&done, &stopped] }];
        let text = |measure| diagram(measure, &groups).render().into_string();
        assert!(text(Measure::Left).contains("data-points=\"0.1,0 0.1,0.5 0.4,1\""), "{}", text(Measure::Left));
        assert!(text(Measure::Tests).contains("data-points=\"3,0 3,0.5\""), "{}", text(Measure::Tests));
        assert!(text(Measure::Left).contains("data-points=\"0.2,0.5\""), "the mean of 10 % and 40 %");
    }
}
