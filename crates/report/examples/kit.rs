//! Writes a page with every part of the kit, full of hostile texts: `cargo run --example kit -- FILE`.

use lapidary_report::chart::{
    Axis, Band, Bars, Bin, Histogram, LineChart, Part, Series, Shape, Tone, Unit, cumulative,
};
use lapidary_report::code::{Language, Listing, Mark};
use lapidary_report::diff::SideBySide;
use lapidary_report::maud::html;
use lapidary_report::table::{Cell, Table};
use lapidary_report::{Figure, Markup, Notice, Page, Section, fold, text};
use std::path::Path;

const HOSTILE: &str = "</code></script><script>document.title='harmed'</script><img src=x onerror=\"document.title='harmed'\">\u{202e}gpj\0\x1b[2J\u{feff}";

const CODE: &str = "#include <stdio.h>\n/* counts\n   up */\nint main(void) {\n\tfor (int i = 0; i < 10; i++) // \u{202e}reverse\n\
                    \t\tputs(\"ten </script>\");\n\treturn 0;\n}\n";

fn main() {
    let path = std::env::args().nth(1).expect("the page to write");
    let page = Page::new("kit", format!("Every part {HOSTILE}"))
        .lead(html! { "From " strong { "401 bytes" } " to " strong { "305 bytes" } " in 12 tests." })
        .notice(Notice::good(html! { p { "The result still fails." } }))
        .notice(Notice::note(html! { p { "A note." } }))
        .notice(Notice::warning(html! { p { "This run is still going on: the page shows what there is." } }))
        .notice(Notice::bad(html! { p { (text::shown(HOSTILE)) } }))
        .figure(Figure::new("left", "76.1 %").share(0.761).note("305 of 401 bytes"))
        .figure(Figure::new("tests", "12").note("3 interesting"))
        .figure(Figure::new("time", "1.4 s").note("98 % in tests"))
        .section(Section::new("charts", "Charts", charts()))
        .section(Section::new("table", "A table", table()))
        .section(Section::new("code", "Code", code()))
        .section(Section::new("diff", "Side by side", diff()))
        .section(Section::new("output", "Output", output()));
    page.write(Path::new(&path)).unwrap_or_else(|error| panic!("{error}"));
}

fn charts() -> Markup {
    let size = |at: f64| 5e6 * (-at / 60.0).exp() + 300.0;
    let best: Vec<(f64, f64)> = (0..400).map(|at| (f64::from(at), size(f64::from(at)))).collect();
    let tried: Vec<(f64, f64)> = (0..400).map(|at| (f64::from(at), size(f64::from(at)) * 0.7)).collect();
    let band = |name: &str, from: f64, to: f64| Band { name: name.to_owned(), from, to };
    let bands = vec![
        band("classes", 0.0, 80.0),
        band("items", 80.0, 300.0),
        band("x", 300.0, 303.0),
        band(HOSTILE, 303.0, 400.0),
    ];
    let curve = LineChart::new(
        "Size over tests",
        "The size falls.",
        Axis::new("tests", Unit::Number),
        Axis::new("size", Unit::Bytes).log(),
    )
    .series(Series::new("tried", tried).shape(Shape::Dots).tone(Tone::Quiet))
    .series(Series::new("best", best).shape(Shape::Step))
    .bands(bands);
    let shares = LineChart::new(
        "Two strategies",
        "Both rise.",
        Axis::new("size left", Unit::Share),
        Axis::new("runs", Unit::Share).reaching(1.0),
    )
    .series(cumulative("gbr", (1..40).map(|n| f64::from(n) / 80.0).collect()))
    .series(cumulative(HOSTILE, (1..40).map(|n| f64::from(n) / 45.0).collect()).tone(Tone::Nth(1)));
    let bins = (0..30).map(|n| Bin {
        from: 1e-3 * 1.3f64.powi(n),
        to: 1e-3 * 1.3f64.powi(n + 1),
        count: (30 - (n - 12).pow(2) / 5).max(0) as u64,
    });
    let histogram = Histogram::new(
        "Time per test",
        "Most take 20 ms.",
        Axis::new("time", Unit::Seconds).log(),
        Axis::new("tests", Unit::Number),
        bins.collect(),
    );
    let part = |name: &str, tone| Part { name: name.to_owned(), tone };
    let bars = Bars::new(
        "Tests by verdict",
        vec![part("interesting", Tone::Good), part("not interesting", Tone::Quiet), part("unresolved", Tone::Unsure)],
    )
    .row("classes", vec![12.0, 30.0, 1.0], "43 tests")
    .row("a stage with a longer name", vec![1.0, 3.0, 0.0], "4 tests")
    .row(HOSTILE, vec![9.0, 0.0, 9.0], "18 tests");
    html! { (curve) (histogram) (shares) (bars) }
}

fn table() -> Markup {
    let mut table = Table::new("methods").text("method").text("kind").number("tests").number("time");
    for number in 0..40u64 {
        let time = (number * 7919 % 41) as f64 / 10.0;
        let cells = [
            Cell::code(&format!("com.example.shop.Cart.method{number}(java.lang.String)")),
            Cell::text(if number % 3 == 0 { "method" } else { "code of a method" }),
            Cell::count(number * 7919 % 1000),
            Cell::number(time, format!("{time} s")),
        ];
        table.push_marked(if number == 3 { "bad" } else { "" }, cells);
    }
    table.push([Cell::code(HOSTILE), Cell::text(HOSTILE), Cell::count(1), Cell::empty()]);
    html! { (table.more(1234)) }
}

fn code() -> Markup {
    let long = format!("{CODE}{}\n", "x".repeat(10_000_000));
    let many: String = (1..=5000).map(|number| format!("let x{number} = {number}; // a line\n")).collect();
    html! {
        (Listing::new(&long).language(Language::named("c")).name("count.c").id("count").marks([4, 5], Mark::Kept)
            .mark(6, Mark::Fault).remark(6, html! { "without it, the test says " q { "exit code 1" } }))
        (Listing::new(&many).language(Language::named("js")).name("long.js").mark(2500, Mark::Cause).around_marks(2))
    }
}

fn diff() -> Markup {
    let before = format!("{CODE}{}", "int more;\n".repeat(40));
    let after = CODE.replace("10", "3").replace("\treturn 0;\n", "");
    html! { (SideBySide::new(("count.c", &*before), ("count.reduced.c", &*after)).language(Language::named("c"))) }
}

fn output() -> Markup {
    let output = format!("\x1b[31merror:\x1b[m {HOSTILE}\n{}\n{}", "y".repeat(10_000_000), "line\n".repeat(100));
    html! {
        (text::block(&output, 30))
        (fold(html! { "A fold " span.count { "3 items" } }, html! { ul.tree { li { "A" ul { li { "A.m()" } } } } }))
    }
}
