//! `lapidary reduce` as documented: every option once.

use crate::support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use support::{Place, Run};

/// Reduces the numbers with a script as the test.
fn reduce(body: &str, options: &[&str]) -> (Place, Run) {
    let place = Place::with_numbers();
    place.script("check", body);
    let run = place.lapidary(&[&["reduce", "input.txt"], options, &["--", "./check", "{}"]].concat());
    (place, run)
}

/// The numbers that are left.
#[track_caller]
fn reduced(body: &str, options: &[&str]) -> String {
    let (place, run) = reduce(body, options);
    run.ends_with(0);
    place.read("input.reduced.txt")
}

#[test]
fn an_expected_exit_code_or_signal() {
    assert_eq!(reduced("grep -q 17 $1 && exit 7; exit 0", &["--expect", "exit=7"]), "17");
    assert_eq!(reduced("grep -q 17 $1 && exit 7; exit 0", &["--expect", "exit!=0"]), "17");
    assert_eq!(reduced("grep -q 17 $1 && kill -SEGV $$; exit 0", &["--expect", "exit=SEGV"]), "17");
    assert_eq!(reduced("grep -q 17 $1 && kill -SEGV $$; exit 0", &["--expect", "exit=signal:11"]), "17");
}

#[test]
fn an_expected_output() {
    assert_eq!(reduced("cat $1; exit 1", &["--expect", "stdout~^17$"]), "17");
    assert_eq!(reduced("cat $1 >&2; exit 1", &["--expect", "stderr~^17$"]), "17");
    assert_eq!(reduced("cat $1 >&2; exit 1", &["--expect", "output~^17$"]), "17");
    assert_eq!(reduced("grep -q 17 $1 || echo lost", &["--expect", "stdout!~lost"]), "17");
}

#[test]
fn several_expectations_must_all_hold() {
    let both = ["--expect", "stdout~^17$", "--expect", "exit=3"];
    assert_eq!(reduced("cat $1; grep -q 23 $1 && exit 3", &both), "17\n23");
}

/// A test that prints where it found 17, like a compiler.
const LIKE_A_COMPILER: &str = "echo \"input.txt:$(grep -n 17 $1 | cut -d: -f1): error: found\" >&2; exit 3";

#[test]
fn what_the_original_did_is_preserved() {
    let strict = reduced(LIKE_A_COMPILER, &["--preserve", "exit,stderr"]);
    assert_eq!(strict.lines().count(), 17, "17 must stay in its line: {strict:?}");
    assert_eq!(strict.lines().last(), Some("17"));
    assert_eq!(reduced(LIKE_A_COMPILER, &["--preserve", "exit,stderr", "--normalise", "lines"]), "17");
    let rule = ["--preserve", "exit,stderr", "--normalise", "s/txt:[0-9]+/txt:N/"];
    assert_eq!(reduced(LIKE_A_COMPILER, &rule), "17");
}

#[test]
fn the_directory_of_a_test_is_no_difference() {
    let body = "grep -q 17 $1 && echo \"in $PWD: $1, $TMPDIR\"";
    assert_eq!(reduced(body, &["--preserve", "exit,stdout"]), "17");
}

#[test]
fn repeated_runs_must_agree() {
    // A candidate without 23 is accepted the first time only.
    let body = |place: &Place| {
        format!(
            "grep -q 17 $1 || exit 1; grep -q 23 $1 && exit 0
             seen={}-$(cksum < $1 | tr ' ' -); test ! -e $seen && touch $seen",
            place.path("seen").display()
        )
    };
    let place = Place::with_numbers();
    place.script("check", &body(&place));
    place.lapidary(&["reduce", "input.txt", "--repeat", "2", "--", "./check", "{}"]).ends_with(0);
    let result = place.read("input.reduced.txt");
    assert!(result.contains("17") && result.contains("23") && result.len() <= 5, "{result}");
}

#[test]
fn what_is_kept_stays() {
    let place = Place::new();
    place.write("project/a.txt", "17\n");
    place.write("project/b.txt", "b\n");
    place.write("project/c.txt", "c\n");
    let keep = ["reduce", "project", "--keep", "b\\.txt$", "--", "grep", "-rq", "17", "{}"];
    place.lapidary(&keep).ends_with(0);
    assert!(place.exists("project.reduced/b.txt") && !place.exists("project.reduced/c.txt"));
}

fn figure1() -> Place {
    let place = Place::new();
    place.example("examples/fji/figure1.fji");
    place.example("examples/fji/figure1-test");
    place
}

/// A reduction of the paper's example.
fn reduce_figure1(place: &Place, options: &[&str]) -> Run {
    let (input, keep) = ("examples/fji/figure1.fji", ["--keep", r"^M\.main\(\)!code$"]);
    let test = ["--", "examples/fji/figure1-test", "{}"];
    place.lapidary(&[&["reduce", input], options, &keep[..], &test[..]].concat())
}

#[test]
fn the_run_of_the_paper() {
    let place = figure1();
    let run = reduce_figure1(&place, &["--strategy", "gbr", "--json", "summary.json"]).ends_with(0);
    run.prints(&[
        "11 items left: A, A.m(), A.m()!code, A<I, I, I.m(), M, M.x(), M.x()!code, M.main(), M.main()!code\n",
        "class A implements I {",
        "result: examples/fji/figure1.reduced.fji",
    ]);
    let summary = place.json("summary.json");
    assert_eq!(summary["tests"]["search"], 9, "{summary}");
    assert_eq!(summary["items"], serde_json::json!({"before": 20, "after": 11}));
}

#[test]
fn every_strategy_finds_an_interesting_result() {
    let help = Place::new().lapidary(&["reduce", "--help"]).ends_with(0);
    for strategy in [
        "ddmin",
        "verify",
        "closure",
        "binary",
        "binary-bytes",
        "gbr",
        "lossy-first",
        "lossy-last",
        "hdd",
        "probdd",
        "exhaustive",
        "polish",
        "gbr+polish",
        "hdd+polish",
    ] {
        assert!(help.stdout.contains(&format!("- {strategy}:")), "{strategy} is documented");
        let place = figure1();
        let summary = reduce_figure1(&place, &["--strategy", strategy, "--json", "-"]).ends_with(0).json();
        assert_eq!(summary["strategy"], strategy);
        let result = place.path("examples/fji/figure1.reduced.fji");
        assert!(
            fs::metadata(&result).unwrap().len() < fs::metadata(place.path("examples/fji/figure1.fji")).unwrap().len()
        );
        let judged = Command::new(place.path("examples/fji/figure1-test")).arg(&result).status().unwrap();
        assert!(judged.success(), "{strategy}: the result is interesting");
        if strategy != "ddmin" {
            place.lapidary(&["model", "examples/fji/figure1.reduced.fji"]).ends_with(0);
            let least = if strategy.starts_with("lossy") || strategy == "closure" { 11..=14 } else { 11..=11 };
            assert!(least.contains(&summary["items"]["after"].as_u64().unwrap()), "{strategy}: {summary}");
        }
    }
}

#[test]
fn the_summary_has_all_fields_and_they_agree() {
    let place = figure1();
    let run = reduce_figure1(&place, &["--jobs", "2", "--json", "-"]).ends_with(0);
    let summary = run.json();
    let size = |name| fs::metadata(place.path(name)).unwrap().len();
    let result = "examples/fji/figure1.reduced.fji";
    assert_eq!(summary["command"], "reduce");
    assert_eq!(summary["input"], "examples/fji/figure1.fji");
    assert_eq!(summary["model"], "fji");
    assert_eq!(summary["strategy"], "gbr+polish");
    assert_eq!(summary["result"], result);
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["reliability"], 1.0);
    assert_eq!(summary["clauses"], 31);
    assert_eq!(summary["items"], serde_json::json!({"before": 20, "after": 11}));
    assert_eq!(
        summary["bytes"],
        serde_json::json!({"before": size("examples/fji/figure1.fji"), "after": size(result)})
    );
    let tests = |name: &str| summary["tests"][name].as_u64().unwrap_or_else(|| panic!("tests.{name}: {summary}"));
    let journal = place.read(&format!("{result}.journal.jsonl"));
    let recorded = journal.lines().filter(|line| line.starts_with("{\"test\":")).count() as u64;
    assert_eq!(tests("search") + tests("confirm"), recorded);
    assert_eq!(tests("interesting"), journal.matches("\"verdict\":\"interesting\"").count() as u64);
    assert!(tests("run") >= recorded + 4, "three runs on the input, one on the result: {summary}");
    assert!(tests("cached") > 0 && tests("unresolved") == 0 && tests("timed_out") == 0, "{summary}");
    let seconds = |name: &str| summary["seconds"][name].as_f64().unwrap();
    assert!(seconds("in_tests") > 0.0 && seconds("in_tests") <= 2.0 * seconds("total"), "{summary}");
    assert_eq!(run.stderr, "checking the test on the input ...\n");
}

#[test]
fn the_result_goes_where_it_is_told() {
    let place = Place::with_numbers();
    fs::create_dir(place.path("out")).unwrap();
    let run = place.lapidary(&["reduce", "input.txt", "-o", "out/small.txt", "--", "grep", "-q", "17", "input.txt"]);
    run.ends_with(0).prints(&["result: out/small.txt", "2 of 111 bytes left"]);
    assert_eq!(place.read("out/small.txt"), "17");
    assert!(place.exists("out/small.txt.journal.jsonl"));
    assert!(!place.exists("input.reduced.txt"));
}

#[test]
fn quiet_prints_nothing() {
    for body in ["grep -q 17 $1", "true"] {
        let (place, run) = reduce(body, &["--quiet"]);
        let run = run.ends_with(0);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
        assert!(place.exists("input.reduced.txt"));
    }
    let (_, run) = reduce("exit 1", &["--quiet"]);
    assert_ne!(run.ends_with(1).stderr, "", "errors are said");
}

#[test]
fn the_candidate_stands_where_the_braces_are() {
    let place = Place::with_numbers();
    for (number, test) in [
        &["sh", "-c", "grep -q 17 \"$0\"", "{}"][..],
        &["sh", "-c", "grep -q 17 {}"],
        &["sh", "-c", "case $1 in file=/*/input.txt) grep -q 17 \"${1#file=}\";; *) exit 1;; esac", "sh", "file={}"],
        &["sh", "-c", "test $1 = $2 && grep -q 17 $2", "sh", "{}", "{}"],
        &["sh", "-c", "test $(ls) = input.txt && grep -q 17 input.txt"],
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("result-{number}");
        place.lapidary(&[&["reduce", "input.txt", "--out", &out, "--"], test].concat()).ends_with(0);
        assert_eq!(place.read(&out), "17", "{test:?}");
    }
}

#[test]
fn kinds_can_be_asked_for() {
    for (kind, name) in [
        ("lines", "lines"),
        ("tokens", "tokens"),
        ("bytes", "bytes"),
        ("c", "c"),
        ("tree:c", "tree:c"),
        ("tree:json", "tree:json"),
    ] {
        let (place, run) = reduce("grep -q 17 $1", &["--as", kind, "--json", "-"]);
        let run = run.ends_with(0);
        assert_eq!(place.read("input.reduced.txt"), "17", "{kind}");
        assert_eq!(run.json()["model"], name);
    }
    let place = figure1();
    fs::rename(place.path("examples/fji/figure1.fji"), place.path("figure1.java")).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_lapidary"))
        .args(["reduce", "figure1.java", "--as", "fji", "--json", "-", "--", "examples/fji/figure1-test", "{}"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    let summary: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&summary["model"], &summary["items"]["after"]), (&"fji".into(), &11.into()));
}

#[test]
fn binary_files_reduce_byte_by_byte() {
    let place = Place::new();
    place.write("data.bin", [&[0u8; 100][..], b"\xff17\xfe", &[1; 100]].concat());
    let run = place.lapidary(&["reduce", "data.bin", "--json", "-", "--", "grep", "-qa", "17", "{}"]).ends_with(0);
    assert_eq!(run.json()["model"], "bytes");
    assert_eq!(place.read("data.reduced.bin"), "17");
}

#[test]
fn files_of_a_directory_are_removed() {
    let place = Place::new();
    place.write("project/src/bug.c", "int a;\nint bug = 17;\nint b;\n");
    place.write("project/src/other.c", "int main(void) { return 0; }\n");
    place.write("project/docs/deep/down/README", "17 is not here as a bug\n");
    place.write("project/Makefile", "all:\n\ttrue\n");
    let tool = place.script("project/tool", "exit 0");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("src/bug.c", place.path("project/link.c")).unwrap();
    let body = "test -x $1/tool && test -L $1/link.c && grep -q 'bug = 17' $1/link.c";
    place.script("check", body);
    let run = place.lapidary(&["reduce", "project", "--json", "-", "--", "./check", "{}"]).ends_with(0);
    let summary = run.json();
    assert_eq!((&summary["model"], &summary["result"]), (&"dir".into(), &"project.reduced".into()));
    assert_eq!(place.read("project.reduced/src/bug.c"), "bug = 17");
    assert_eq!(fs::read_link(place.path("project.reduced/link.c")).unwrap().to_str(), Some("src/bug.c"));
    assert!(fs::metadata(place.path("project.reduced/tool")).unwrap().permissions().mode() & 0o100 != 0);
    for gone in ["src/other.c", "docs", "Makefile"] {
        assert!(!place.exists(&format!("project.reduced/{gone}")), "{gone}");
    }
    let bytes: u64 =
        ["src/bug.c", "tool"].map(|name| place.read(&format!("project.reduced/{name}")).len() as u64).iter().sum();
    assert_eq!(summary["bytes"]["after"], bytes);
}

#[test]
fn the_directory_one_is_in_can_be_the_input() {
    let place = Place::new();
    place.write("project/a.txt", "17\n");
    place.write("project/b.txt", "b\n");
    let mut command = place.command();
    command.current_dir(place.path("project")).args(["reduce", ".", "--", "grep", "-rq", "17", "{}"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(place.read("project.reduced/a.txt"), "17");
    assert!(!place.exists("project.reduced/b.txt"));
    place.assert_clean("reduce .");
}

#[test]
fn names_are_shortened_unless_forbidden() {
    let program = "int counter_of_things = 7;\nint main(void) { return counter_of_things; }\n";
    let same_name =
        "name=$(sed -n 's/.*int \\([a-z_]*\\) *= *7;.*/\\1/p' $1); test -n \"$name\" && grep -q \"return $name;\" $1";
    let reduce = |options: &[&str]| {
        let place = Place::new();
        place.write("in.c", program);
        place.script("check", same_name);
        place.lapidary(&[&["reduce", "in.c"], options, &["--", "./check", "{}"]].concat()).ends_with(0);
        place.read("in.reduced.c")
    };
    let (renamed, kept) = (reduce(&[]), reduce(&["--no-rename"]));
    assert!(!renamed.contains("counter"), "{renamed}");
    assert!(renamed.len() < kept.len(), "{renamed} {kept}");
}

#[test]
fn limits_hold_for_tests() {
    let fails = |body: &str, options: &[&str]| {
        let (_, run) = reduce(body, options);
        run.ends_with(1)
    };
    fails("head -c 100000 /dev/zero > big || exit 1; test $(wc -c < big) -eq 100000", &["--limit-file", "10K"]);
    assert_eq!(reduced("head -c 5000 /dev/zero > big && grep -q 17 $1", &["--limit-file", "10K"]), "17");
    fails("head -c 200000000 /dev/zero | tail -c 200000000 > /dev/null", &["--limit-memory", "60M"]);
    fails("while :; do :; done", &["--limit-cpu", "1"]).complains(&["killed by SIG"]);
}

#[test]
fn a_model_made_elsewhere() {
    let place = Place::new();
    place.example("examples/model/packages.json");
    place.example("examples/model/conflict-test");
    let model = ["reduce", "--model", "examples/model/packages.json"];
    let test = ["--", "examples/model/conflict-test", "{}"];
    let run = place.lapidary(&[&model[..], &["--json", "summary.json"], &test].concat()).ends_with(0);
    run.prints(&[
        "13 items left: base, libc, sh-full, libterm, net, crypto-old, display, fonts-core, toolkit-ore, dialog-ore, \
         browser, printd, spool",
    ]);
    let summary = place.json("summary.json");
    assert_eq!((&summary["model"], &summary["items"]["before"]), (&"json".into(), &27.into()));
    let packages = place.read("examples/model/installed.reduced");
    assert!(packages.contains("Package: browser") && !packages.contains("Package: mailer"));
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let keys = |seed: &str| {
        let (place, run) = reduce("grep -q 17 $1 && grep -q 31 $1", &["--strategy", "probdd", "--seed", seed]);
        run.ends_with(0);
        let journal = place.read("input.reduced.txt.journal.jsonl");
        let key = |line: &str| serde_json::from_str::<Value>(line).unwrap()["key"].as_str().map(str::to_owned);
        (place.read("input.reduced.txt"), journal.lines().filter_map(key).collect::<Vec<_>>())
    };
    assert_eq!(keys("5"), keys("5"));
    assert_eq!(keys("5").0, keys("6").0);
}
