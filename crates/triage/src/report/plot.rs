//! Plots as SVG inside the page. Easiness is always on the horizontal axis, from 0 to 1.

use lapidary_common::html::escaped;
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 130.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 34.0;

/// Colours that most readers can distinguish, also in print.
const COLOURS: [&str; 8] = ["#0b6fa4", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93", "#008b8b", "#8b4513", "#555555"];

/// A named series of points.
pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// A bar chart of the number of inputs by easiness.
pub fn histogram(bars: &[(f64, usize)]) -> String {
    let highest = bars.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1) as f64;
    let mut svg = frame(&format!("{highest}"));
    for (easiness, count) in bars {
        let (x, y) = (across(*easiness), up(*count as f64 / highest));
        let _ = write!(
            svg,
            "<rect x='{:.1}' y='{y:.1}' width='14' height='{:.1}' fill='{}'><title>{count} at {easiness:.2}</title></rect>\
             <text x='{x:.1}' y='{:.1}' text-anchor='middle'>{count}</text>",
            x - 7.0,
            up(0.0) - y,
            COLOURS[0],
            y - 3.0
        );
    }
    svg + "</svg>"
}

/// A line chart of shares between 0 and 1.
pub fn shares(lines: &[Line]) -> String {
    let mut svg = frame("100 %");
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<String> = line.points.iter().map(|(x, y)| format!("{:.1},{:.1}", across(*x), up(*y))).collect();
        let _ = write!(svg, "<polyline points='{}' fill='none' stroke='{colour}' stroke-width='2'/>", points.join(" "));
        for (x, y) in &line.points {
            let _ = write!(
                svg,
                "<circle cx='{:.1}' cy='{:.1}' r='3' fill='{colour}'><title>{}: {:.0} % at {x:.2}</title></circle>",
                across(*x),
                up(*y),
                escaped(&line.name),
                y * 100.0
            );
        }
        let y = TOP + 14.0 + 17.0 * index as f64;
        let _ = write!(
            svg,
            "<rect x='{:.1}' y='{:.1}' width='10' height='10' fill='{colour}'/><text x='{:.1}' y='{y:.1}'>{}</text>",
            WIDTH - RIGHT + 14.0,
            y - 9.0,
            WIDTH - RIGHT + 30.0,
            escaped(&line.name)
        );
    }
    svg + "</svg>"
}

/// The start of the picture with its axes.
fn frame(top: &str) -> String {
    let mut svg = format!(
        "<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' xmlns='http://www.w3.org/2000/svg'>\
         <path d='M{LEFT} {TOP} V{bottom} H{right}' fill='none' stroke='#888'/>\
         <text x='{label}' y='{y}' text-anchor='end'>{top}</text><text x='{label}' y='{bottom}' text-anchor='end'>0</text>\
         <text x='{middle}' y='{below}' text-anchor='middle'>easiness</text>",
        bottom = up(0.0),
        right = WIDTH - RIGHT + 10.0,
        label = LEFT - 6.0,
        y = TOP + 8.0,
        middle = across(0.5),
        below = HEIGHT - 3.0,
    );
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let _ =
            write!(svg, "<text x='{:.1}' y='{:.1}' text-anchor='middle'>{tick}</text>", across(tick), up(0.0) + 15.0);
    }
    svg
}

fn across(easiness: f64) -> f64 {
    LEFT + 12.0 + easiness * (WIDTH - LEFT - RIGHT - 24.0)
}

fn up(share: f64) -> f64 {
    HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM - 10.0)
}
