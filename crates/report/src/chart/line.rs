//! Curves, steps and dots over two axes, with bands behind.

use super::Tone;
use super::frame::{Frame, SIZE};
use super::scale::{Axis, Scale};
use crate::text;
use maud::{Markup, PreEscaped, Render, html};
use std::fmt::Write;

/// A curve with more points is thinned to about as many: more could not be seen.
const POINTS: usize = 1_200;

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Straight from point to point.
    Line,
    /// Each value holds until the next point.
    Step,
    /// Dots that are not connected.
    Dots,
    /// Larger dots, of which there are few.
    Mark,
}

impl Shape {
    fn is_connected(self) -> bool {
        matches!(self, Shape::Line | Shape::Step)
    }
}

/// Points with a name.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    shape: Shape,
    tone: Tone,
}

impl Series {
    /// A curve through points that are sorted by their first number. One without a name is not in
    /// the legend.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series { name: name.into(), points, shape: Shape::Line, tone: Tone::Nth(0) }
    }

    /// Sets how its points are drawn.
    pub fn shape(self, shape: Shape) -> Self {
        Series { shape, ..self }
    }

    /// Sets its colour.
    pub fn tone(self, tone: Tone) -> Self {
        Series { tone, ..self }
    }

    /// The points that are drawn.
    fn thinned(&self) -> Vec<(f64, f64)> {
        let points = &self.points;
        if points.len() <= POINTS {
            return points.clone();
        }
        // The first and last of each group stay, with the lowest and the highest.
        let group = points.len().div_ceil(POINTS / 4);
        points.chunks(group).flat_map(|group| landmarks(group, self.shape)).collect()
    }
}

fn landmarks(group: &[(f64, f64)], shape: Shape) -> Vec<(f64, f64)> {
    let by_height = |one: &&(f64, f64), other: &&(f64, f64)| one.1.total_cmp(&other.1);
    let lowest = group.iter().min_by(by_height);
    let highest = group.iter().max_by(by_height);
    let mut found: Vec<(f64, f64)> =
        [group.first(), lowest, highest, group.last()].into_iter().flatten().copied().collect();
    if shape.is_connected() {
        found.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    found.dedup();
    found
}

/// A part of the horizontal axis with a name, such as a stage of a search.
#[derive(Clone, Debug)]
pub struct Band {
    /// The name, shown above.
    pub name: String,
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// A chart of one or more series.
#[derive(Clone, Debug)]
pub struct LineChart {
    title: String,
    says: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    bands: Vec<Band>,
}

impl LineChart {
    /// An empty chart. `says` is the chart in a sentence, for those who cannot see it.
    pub fn new(title: impl Into<String>, says: impl Into<String>, x: Axis, y: Axis) -> Self {
        LineChart { title: title.into(), says: says.into(), x, y, series: Vec::new(), bands: Vec::new() }
    }

    /// Adds a series.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Sets the bands behind the curves.
    pub fn bands(self, bands: Vec<Band>) -> Self {
        LineChart { bands, ..self }
    }
}

impl Render for LineChart {
    fn render(&self) -> Markup {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let ends = self.bands.iter().flat_map(|band| [band.from, band.to]);
        let x = self.x.scale(points().map(|point| point.0).chain(ends));
        let y = self.y.scale(points().map(|point| point.1));
        let content = html! {
            @for (number, band) in self.bands.iter().enumerate() { (band_markup(band, number, &x)) }
            @for series in &self.series { (series_markup(series, &x, &y)) }
        };
        let named = self.series.iter().filter(|series| !series.name.is_empty());
        let legend = named.map(|series| (series.tone, &*series.name)).collect();
        let above = bands_named(&self.bands, &x);
        let (title, says) = (&self.title, &self.says);
        Frame { title, says, x: (&self.x, x), y: (&self.y, y), content, legend, above }.markup()
    }
}

fn band_markup(band: &Band, number: usize, x: &Scale) -> Markup {
    let (from, to) = (x.place(band.from) * SIZE, x.place(band.to) * SIZE);
    let parity = if number.is_multiple_of(2) { "even" } else { "odd" };
    html! {
        rect.band.(parity) x=(format!("{from:.1}")) width=(format!("{:.1}", to - from)) y="0" height=(SIZE)
            data-name=(text::plain(&band.name)) data-from=(band.from) data-to=(band.to) {}
    }
}

/// The names of the bands that are wide enough for theirs, above the area.
fn bands_named(bands: &[Band], x: &Scale) -> Markup {
    // On a page of the usual width, a letter takes about this share of the area.
    const LETTER: f64 = 0.0095;
    let fits = |band: &&Band| {
        let width = x.place(band.to) - x.place(band.from);
        width >= LETTER * band.name.chars().count() as f64 + 0.01
    };
    let named: Vec<&Band> = bands.iter().filter(fits).collect();
    html! {
        @if !named.is_empty() {
            svg.bands aria-hidden="true" { @for band in named {
                text x=(format!("{:.2}%", 50.0 * (x.place(band.from) + x.place(band.to)))) y="1.1em" text-anchor="middle" {
                    (text::shown(&band.name))
                }
            } }
        }
    }
}

fn series_markup(series: &Series, x: &Scale, y: &Scale) -> Markup {
    let points = series.thinned();
    let (mut path, mut data) = (String::new(), String::new());
    for (index, (right, up)) in points.iter().enumerate() {
        let (at, height) = (x.place(*right) * SIZE, SIZE - y.place(*up) * SIZE);
        let _ = match (index, series.shape) {
            (0, Shape::Line | Shape::Step) => write!(path, "M{at:.1} {height:.1}"),
            (_, Shape::Line) => write!(path, "L{at:.1} {height:.1}"),
            (_, Shape::Step) => write!(path, "H{at:.1}V{height:.1}"),
            (_, Shape::Dots | Shape::Mark) => write!(path, "M{at:.1} {height:.1}h0"),
        };
        let separator = if index == 0 { "" } else { " " };
        let _ = write!(data, "{separator}{},{}", rounded(*right), rounded(*up));
    }
    let shape = match series.shape {
        Shape::Line => "line",
        Shape::Step => "step",
        Shape::Dots => "dots",
        Shape::Mark => "mark",
    };
    html! {
        path.series.(shape).(series.tone.class()) d=(PreEscaped(path)) data-name=(text::plain(&series.name))
            data-shape=(shape) data-count=(series.points.len()) data-points=(PreEscaped(data)) {}
    }
}

/// The number to a millionth, which is what journals hold.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// The share of values up to each value, as a series over the values. Infinite values are never
/// reached, so that the curve ends below 1.
pub fn cumulative(name: impl Into<String>, mut values: Vec<f64>) -> Series {
    values.retain(|value| !value.is_nan());
    let all = values.len() as f64;
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let begin = values.first().map(|first| (*first, 0.0));
    let steps = values.iter().enumerate().map(|(index, value)| (*value, (index + 1) as f64 / all));
    Series::new(name, begin.into_iter().chain(steps).collect()).shape(Shape::Step)
}

#[cfg(test)]
mod tests {
    use super::super::Unit;
    use super::*;

    fn chart(series: Series) -> String {
        let (x, y) = (Axis::new("tests", Unit::Number), Axis::new("size", Unit::Bytes));
        LineChart::new("Size", "It falls.", x, y).series(series).render().into_string()
    }

    #[test]
    fn the_numbers_of_a_curve_are_on_it() {
        let text = chart(Series::new("best", vec![(0.0, 401.0), (3.0, 305.0)]).shape(Shape::Step));
        assert!(text.contains("data-points=\"0,401 3,305\"") && text.contains("<desc>It falls.</desc>"), "{text}");
        assert!(text.contains("d=\"M0.0 0.0H1000.0V239.4\""), "{text}");
    }

    #[test]
    fn a_million_points_are_thinned_and_keep_their_ends_and_peaks() {
        let mut points: Vec<(f64, f64)> = (0..1_000_000).map(|number| (f64::from(number), 5.0)).collect();
        points[765_432].1 = 99.0;
        let series = Series::new("all", points);
        let thin = series.thinned();
        assert!(thin.len() <= 2 * POINTS, "{}", thin.len());
        assert_eq!((thin[0].0, thin[thin.len() - 1].0), (0.0, 999_999.0));
        assert!(thin.contains(&(765_432.0, 99.0)));
        assert!(chart(series).contains("data-count=\"1000000\""));
    }

    #[test]
    fn names_of_series_and_bands_are_escaped() {
        let (x, y) = (Axis::new("tests", Unit::Number), Axis::new("size", Unit::Bytes));
        let bands = vec![Band { name: "<b>".to_owned(), from: 0.0, to: 9.0 }];
        let series = Series::new("\"><script>", vec![(0.0, 1.0)]);
        let text = LineChart::new("<i>", "</desc>", x, y).series(series).bands(bands).render().into_string();
        assert!(!text.contains("<b>") && !text.contains("<script>") && !text.contains("<i>"), "{text}");
    }

    #[test]
    fn a_cumulative_curve_ends_at_one() {
        let series = cumulative("size", vec![3.0, 1.0, f64::NAN, 2.0, 2.0]);
        assert_eq!(series.points, [(1.0, 0.0), (1.0, 0.25), (2.0, 0.5), (2.0, 0.75), (3.0, 1.0)]);
        let series = cumulative("time", vec![5.0, f64::INFINITY, 2.0, f64::INFINITY]);
        assert_eq!(series.points, [(2.0, 0.0), (2.0, 0.25), (5.0, 0.5)], "half of them are never reached");
    }
}
