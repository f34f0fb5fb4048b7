//! The text, the JSON, the page and the exit code of `lapidary triage` agree when each is counted
//! separately.
//!
//! Random programs are triaged with random answers; programs of bench/triage with our own analyses
//! and seeded defects. `LAPIDARY_TRIAGE_CASES` says how many random corpora are tried (3 by
//! default), `LAPIDARY_TRIAGE_SEED` sets the first seed, and `LAPIDARY_TRIAGE_ALL=1` takes all
//! programs of bench/triage.

use crate::support;

use lapidary_common::Random;
use lapidary_testkit::javac;
use rustix::process::Signal;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use support::{Place, Run, wait_until};

/// Losses by verdict: bugs, features, unknown.
type Counts = [usize; 3];
const KINDS: [&str; 3] = ["bug", "feature", "unknown"];

/// The outputs of one run.
struct Said {
    run: Run,
    json: Value,
    page: String,
}

/// Runs a triage with all outputs.
fn triage(place: &Place, options: &[&str]) -> Said {
    let all = ["triage", "--others", "none", "--json", "out.json", "--report", "out.html"];
    said(place, place.lapidary(&[&all[..], options].concat()))
}

fn said(place: &Place, run: Run) -> Said {
    Said { run, json: place.json("out.json"), page: place.read("out.html") }
}

impl Said {
    /// Asserts that all outputs agree, and returns the losses.
    fn agreed(&self, what: &str) -> Counts {
        let counts = counted_in_json(&self.json);
        assert_eq!(counts, conclusion_of(&self.json), "{what}: the conclusion of the JSON\n{}", self.run);
        assert_eq!(counts, counted_on_page(&self.page), "{what}: the rows of the page\n{}", self.run);
        assert_eq!(counts, counted_on_terminal(&self.run.stdout), "{what}: the printed rows\n{}", self.run);
        let sentence = self.run.stdout.lines().rev().find(|line| !line.is_empty()).unwrap_or_default();
        assert_eq!(sentence, sentence_of(&self.page), "{what}: the sentence of the page\n{}", self.run);
        assert!(!self.page.contains("really"), "{what}: nobody gave a truth, and no column is about it");
        let numbers: Vec<usize> = sentence.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        match counts.iter().sum() {
            0 => assert!(numbers.is_empty(), "{what}: {sentence}"),
            total => assert_eq!(numbers, [&[total][..], &counts].concat(), "{what}: {sentence}"),
        }
        assert_eq!(self.run.code, Some(self.expected_code(counts)), "{what}\n{}", self.run);
        counts
    }

    fn expected_code(&self, [bugs, _, _]: Counts) -> i32 {
        let programs = self.json["programs"].as_array().unwrap();
        match (&self.json["complete"], programs.iter().all(|program| program["easiness"].is_null())) {
            (Value::Bool(false), _) => 3,
            (_, true) => 2,
            _ => i32::from(bugs > 0),
        }
    }
}

fn add(counts: &mut Counts, verdict: &str) {
    let place = KINDS.iter().position(|kind| *kind == verdict).unwrap_or_else(|| panic!("`{verdict}` is no verdict"));
    counts[place] += 1;
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Every verdict in the JSON of the programs, one by one.
fn counted_in_json(found: &Value) -> Counts {
    let mut counts = [0; 3];
    for program in list(&found["programs"]) {
        let by_tool = program["verdicts"].as_object().into_iter().flat_map(|verdicts| verdicts.values());
        let analyses = list(&program["analyses"]);
        let first = analyses.iter().map(|analysis| &analysis["verdict"]);
        let further = analyses.iter().flat_map(|analysis| list(&analysis["further"])).map(|one| &one["verdict"]);
        let all = by_tool.chain(first).chain(further);
        all.filter_map(Value::as_str).for_each(|verdict| add(&mut counts, verdict));
    }
    counts
}

fn conclusion_of(found: &Value) -> Counts {
    KINDS.map(|kind| found["conclusion"]["losses"][kind].as_u64().unwrap_or(u64::MAX) as usize)
}

/// The verdicts on the page, input by input.
fn counted_on_page(page: &str) -> Counts {
    let (_, rows) = page.split_once("<section id=\"inputs\"").expect("the page has all inputs");
    let (rows, _) = rows.split_once("</section>").expect("an end");
    KINDS.map(|kind| rows.matches(&format!("<span class=\"verdict {kind}\">{kind}</span>")).count())
}

fn sentence_of(page: &str) -> &str {
    let (_, rest) = page.split_once("id=\"conclusion\">").expect("the page has a conclusion");
    rest.split_once('<').expect("an end").0
}

/// The printed verdicts: a table for a single program, one line each for many.
fn counted_on_terminal(text: &str) -> Counts {
    let mut counts = [0; 3];
    let first_part = text.split("\n\n").next().unwrap_or_default();
    for line in first_part.lines() {
        match line.starts_with("  ") {
            true => count_row(line, &mut counts),
            false => count_line(line, &mut counts),
        }
    }
    counts
}

/// `  name  bug  misses …`, or `  further losses: 2 feature, 1 unknown; …` of the analysis above.
fn count_row(line: &str, counts: &mut Counts) {
    if let Some((_, others)) = line.split_once("further losses: ") {
        return count_others(others.split(';').next().unwrap_or_default(), counts);
    }
    let words: Vec<&str> = line.split_whitespace().take(2).collect();
    words.iter().find(|word| KINDS.contains(word)).into_iter().for_each(|verdict| add(counts, verdict));
}

/// `program: easiness 0.50, name: bug Cls.method (cause), then bug (cause), then 1 feature; name:
/// …`.
fn count_line(line: &str, counts: &mut Counts) {
    for part in line.split("; ").flat_map(|part| part.split(", then ")) {
        match part.split(' ').next() {
            Some("bug") => add(counts, "bug"),
            Some(number) if number.parse::<usize>().is_ok() => count_others(part, counts),
            _ => {
                let verdict = part.split(' ').find(|word| KINDS.contains(word));
                verdict.into_iter().for_each(|verdict| add(counts, verdict));
            }
        }
    }
}

/// `2 feature, 1 unknown`.
fn count_others(text: &str, counts: &mut Counts) {
    for (number, kind) in text.split(", ").filter_map(|part| part.split_once(' ')) {
        let number: usize = number.parse().unwrap_or_else(|_| panic!("`{text}` has no number"));
        (0..number).for_each(|_| add(counts, kind));
    }
}

const METHODS: usize = 6;
const ANALYSES: [&str; 4] = ["one", "two", "three", "four"];

/// A class whose `main` calls methods plainly, by reflection, from each other, and through objects.
fn source(name: &str, random: &mut Random) -> String {
    let mut body = String::new();
    for number in 0..METHODS {
        let call = match random.below(4) {
            0 => format!("{name}.class.getMethod(\"m{number}\").invoke(null);"),
            1 => format!("((Runnable) {name}::m{number}).run();"),
            _ => format!("m{number}();"),
        };
        body += &call;
    }
    let mut methods = String::new();
    for number in 0..METHODS {
        let nested = match random.below(3) {
            0 if number + 1 < METHODS => format!("m{}();", number + 1),
            _ => String::new(),
        };
        let _ = write!(methods, "public static void m{number}() {{ {nested} }} ");
    }
    format!(
        "public class {name} {{ public static void main(String[] args) throws Exception {{ {body} }} {methods} }}\n"
    )
}

/// The methods that an analysis answers with: all but the one that every analysis misses, some of
/// them, or garbage.
fn answer(name: &str, unknown: usize, random: &mut Random) -> String {
    let method = |number: usize| format!("{name}.m{number}:()V\n");
    let knowable = (0..METHODS).filter(|number| *number != unknown);
    let methods: String = match random.below(12) {
        0 => return "this is no method\n".to_owned(),
        1 | 2 => knowable.map(method).collect(),
        _ => knowable.filter(|_| random.below(3) > 0).map(method).collect(),
    };
    format!("{name}.main:([Ljava/lang/String;)V\n{methods}")
}

/// Compiles programs with random answers. Returns their names and the options for the analyses.
fn random_corpus(place: &Place, seed: u64, programs: usize) -> (Vec<String>, Vec<String>) {
    let mut random = Random::new(seed);
    let names: Vec<String> = (0..programs).map(|number| format!("P{number}")).collect();
    let mut sources = Vec::new();
    for name in &names {
        sources.push(place.write(&format!("{name}.java"), source(name, &mut random)));
        let unknown = random.below(2 * METHODS);
        for analysis in ANALYSES {
            place.write(&format!("answers/{analysis}/{name}"), answer(name, unknown, &mut random));
        }
    }
    javac(&[], &place.path("classes"), &sources);
    let asked = ANALYSES.map(|name| {
        ["--analysis".to_owned(), format!("{name}=cat {}/{{main}}", place.path("answers").join(name).display())]
    });
    (names, [&["--own".to_owned(), "none".to_owned()][..], &asked.concat()].concat())
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn random_answers_are_told_the_same_everywhere() {
    let first = number("LAPIDARY_TRIAGE_SEED", 1);
    let (mut all, mut runs) = ([0; 3], 0);
    for seed in first..first + number("LAPIDARY_TRIAGE_CASES", 3) {
        let place = Place::new();
        let (names, asked) = random_corpus(&place, seed, 8);
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let mut corpus = String::new();
        for name in &names {
            let _ = writeln!(corpus, "[[program]]\nname = \"{name}\"\nclasspath = [\"classes\"]\nmain = \"{name}\"");
        }
        place.write("programs.toml", corpus);
        let together = triage(&place, &[&["--corpus", "programs.toml"], &asked[..]].concat());
        let counts = together.agreed(&format!("seed {seed}, all programs"));
        let mut sum = [0; 3];
        for name in &names[..3] {
            let alone = triage(&place, &[&["classes", "--main", name], &asked[..]].concat());
            let own = alone.agreed(&format!("seed {seed}, {name}"));
            sum = [0, 1, 2].map(|kind| sum[kind] + own[kind]);
        }
        assert!((0..3).all(|kind| sum[kind] <= counts[kind]), "seed {seed}: a part has {sum:?} and all {counts:?}");
        all = [0, 1, 2].map(|kind| all[kind] + counts[kind]);
        runs += 4;
    }
    println!("{runs} runs, losses {all:?}");
    assert!(all.iter().all(|count| *count > 0), "the random corpora have losses of each kind: {all:?}");
}

/// Programs of bench/triage that show different weaknesses, with their defects seeded.
const PROGRAMS: [&str; 5] = ["shutdown_hook", "lambda", "default_method", "reflective_method", "printed_object"];
const SEEDED: &str = "cha+no-default-methods,rta+no-lambdas,xta+no-shutdown-hooks+no-threads,0-cfa+no-printed-objects";

#[test]
fn seeded_defects_are_told_the_same_everywhere() {
    let place = Place::new();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/triage/programs");
    let all = std::fs::read_dir(&programs).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = match number("LAPIDARY_TRIAGE_ALL", 0) {
        0 => PROGRAMS.map(str::to_owned).to_vec(),
        _ => all.collect(),
    };
    names.sort();
    let sources: Vec<PathBuf> = names.iter().map(|name| programs.join(name).join("Main.java")).collect();
    javac(&[], &place.path("classes"), &sources);
    let mut corpus = String::new();
    for name in &names {
        let _ = writeln!(corpus, "[[program]]\nname = \"{name}\"\nclasspath = [\"classes\"]\nmain = \"{name}.Main\"");
    }
    place.write("programs.toml", corpus);
    let said = triage(&place, &["--corpus", "programs.toml", "--own", SEEDED]);
    let [bugs, features, _] = said.agreed("bench/triage");
    println!("{} programs, {bugs} bugs, {features} features", names.len());
    assert!(bugs >= 3 && features >= 4, "{}", said.run);
    let alone = triage(&place, &["classes", "--main", "lambda.Main", "--own", SEEDED]);
    assert_eq!(alone.agreed("lambda"), [1, 0, 0]);
}

#[test]
fn tools_of_another_kind_are_told_the_same_everywhere() {
    let place = Place::new();
    place.write("easy.txt", "one");
    place.write("hard.txt", "none");
    let tool =
        |name: &str, pattern: &str| format!("[[tool]]\nname = \"{name}\"\ncommand = \"grep -q {pattern} {{input}}\"\n");
    place.write("tools.toml", tool("a", "on") + &tool("b", "one") + &tool("c", "^o.e") + &tool("d", "two"));
    place.write(
        "inputs.toml",
        "[[program]]\nname = \"easy\"\ninput = \"easy.txt\"\n[[program]]\nname = \"hard\"\ninput = \"hard.txt\"\n",
    );
    for input in [&["easy.txt"][..], &["hard.txt"], &["--corpus", "inputs.toml"]] {
        triage(&place, &[&["--tools", "tools.toml"], input].concat()).agreed(&format!("{input:?}"));
    }
}

/// An interrupted run reports its findings so far, and does not call them complete.
#[test]
fn an_interrupted_triage_reports_what_it_has() {
    let place = Place::new();
    let (names, _) = random_corpus(&place, 7, 1);
    let class = &names[0];
    let known = |methods: &[&str]| {
        let lines = methods.iter().map(|method| format!("echo '{class}.{method}'; "));
        lines.collect::<String>()
    };
    let all: Vec<String> = (0..METHODS).map(|number| format!("m{number}:()V")).collect();
    let all: Vec<&str> = ["main:([Ljava/lang/String;)V"].into_iter().chain(all.iter().map(String::as_str)).collect();
    let (good, bad) = (format!("good={}", known(&all)), format!("bad={}", known(&all[..3])));
    let slow = format!("slow=touch {}; sleep 1000", place.path("started").display());
    let options = ["triage", "classes", "--main", class, "--own", "none", "--others", "none", "--jobs", "1"];
    let asked =
        ["--analysis", &good, "--analysis", &bad, "--analysis", &slow, "--json", "out.json", "--report", "out.html"];
    let running = place.start(&[&options[..], &asked].concat());
    wait_until("the last analysis is asked", || place.exists("started"));
    running.signal(Signal::INT);
    let said = said(&place, running.wait());
    let [bugs, ..] = said.agreed("interrupted");
    assert!(bugs > 0, "{}", said.run);
    assert_eq!(said.json["conclusion"]["says"], "interrupted");
    said.run.ends_with(3).prints(&["good  sound", "slow  failed: interrupted", "interrupted; so far"]);
}
