//! The usual mistakes of a first command line, and the words that set them right.

use crate::support;

use support::Place;

fn place_with(body: &str) -> Place {
    let place = Place::with_numbers();
    place.script("check", body);
    place
}

#[test]
fn a_test_without_dashes_or_before_the_input() {
    let place = place_with("grep -q 17 $1");
    let right = "lapidary reduce input.txt -- ./check {}";
    let complains = |arguments: &[&str]| drop(place.lapidary(arguments).ends_with(2).complains(&[right]));
    complains(&["reduce", "input.txt", "./check", "{}"]);
    complains(&["reduce", "./check", "input.txt"]);
    complains(&["reduce", "check", "input.txt"]);
    complains(&["reduce", "./check", "--", "input.txt"]);
}

#[test]
fn a_script_that_reads_its_argument_and_gets_none() {
    let place = place_with("grep -q 17 \"$1\"");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check"]).ends_with(1);
    run.complains(&["./check reads its arguments but gets no {}", "./check {}"]);
}

#[test]
fn a_test_that_means_the_opposite() {
    let place = place_with("! grep -q 17 $1");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["exit code 0 means \"still fails\"", "--expect exit=1"]);
    let place = place_with("exit 3");
    let run = place.lapidary(&["reduce", "input.txt", "--expect", "exit=4", "--", "./check", "{}"]).ends_with(1);
    assert!(!run.stderr.contains("exit code 0 means"), "{run}");
}

#[test]
fn a_script_that_needs_a_file_beside_it() {
    let place = place_with("cat words.txt && grep -q 17 $1");
    place.write("words.txt", "x");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["the test runs in a directory of its own, which has no `words.txt`: use an absolute path"]);
}

#[test]
fn a_result_that_should_go_to_standard_output_or_into_a_directory() {
    let place = place_with("grep -q 17 $1");
    let out = |path: &str| place.lapidary(&["reduce", "input.txt", "--out", path, "--", "./check", "{}"]).ends_with(2);
    out("-").complains(&["cannot go to standard output", "--out"]);
    std::fs::create_dir(place.path("results")).unwrap();
    out("new/").complains(&["new/ is no directory: make it first and name a new file in it, or leave out the slash"]);
    out("results").complains(&["results is a directory and not an earlier result", "--out"]);
    assert!(!place.exists("-") && !place.exists("results.journal.jsonl"));
}

#[test]
fn a_file_with_the_name_of_the_placeholder() {
    let place = place_with("grep -q 17 $1");
    place.write("{}", "x");
    place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(0);
    assert_eq!(place.read("input.reduced.txt"), "17");
}

#[test]
fn a_test_that_gets_too_little_memory() {
    let place = place_with("head -c 300000000 /dev/zero | tail -n 1 > all; grep -q 17 $1");
    let run = place.lapidary(&["reduce", "input.txt", "--limit-memory", "1M", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["the test may need more memory than --limit-memory 1048576 allows"]);
}

#[test]
fn a_test_that_ignores_its_input() {
    let place = place_with("exit 0");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check"]).ends_with(0);
    run.complains(&[
        "accepts even the smallest candidate",
        "or ignore its input, which {} in its arguments stands for",
    ]);
    let run = place.lapidary(&["reduce", "input.txt", "--force", "--", "./check", "{}"]).ends_with(0);
    run.complains(&["the test accepts even the smallest candidate, so it seems to accept everything"]);
}

#[test]
fn a_program_that_waits_for_an_input() {
    let place = Place::new();
    place.write(
        "reads.c",
        "#include <stdio.h>\nint main(void) { int n; if (scanf(\"%d\", &n) == 1) *(int *)0 = 1; return 0; }\n",
    );
    let run = place.lapidary(&["crash", "reads.c"]).ends_with(1);
    run.complains(&["the program does not fail", "note: its standard input was empty", "< FILE"]);
    place.write("quiet.c", "int main(void) { return 0; }\n");
    let run = place.lapidary(&["crash", "quiet.c"]).ends_with(1);
    assert!(!run.stderr.contains("standard input"), "{run}");
}

#[test]
fn headers_beside_the_named_files_are_part_of_the_program() {
    let place = Place::new();
    place.write("src/main.c", "#include \"find.h\"\nint main(void) { return *find(3); }\n");
    place.write("src/find.c", "#include \"find.h\"\nint *find(int x) { return (int *)(long)(x - 3); }\n");
    place.write("src/find.h", "#include \"../outside.h\"\nint *find(int x);\nstruct unused { int a; };\n");
    place.write("outside.h", "\n");
    let run = place.lapidary(&["crash", "src/main.c", "src/find.c"]).ends_with(0);
    run.complains(&["outside.h is outside of", "read but not reduced"]);
    let header = place.read("src.reduced/find.h");
    assert!(header.contains("find(int") && !header.contains("unused"), "{header}");
}

#[test]
fn a_header_that_libclang_does_not_find() {
    let place = Place::new();
    place
        .write("uses.cpp", "#include \"missing.h\"\nMissing g() { Missing m; return m; }\nint main() { return 17; }\n");
    let words = ["uses.cpp:1: 'missing.h' file not found", "--cflags -IDIR"];
    place.lapidary(&["model", "uses.cpp"]).ends_with(0).complains(&words);
    place.lapidary(&["reduce", "uses.cpp", "--", "grep", "-q", "17", "{}"]).ends_with(0).complains(&words);
    place.write("include/missing.h", "struct Missing {};\n");
    let run = place.lapidary(&["model", "uses.cpp", "--cflags", "-Iinclude"]).ends_with(0);
    assert!(!run.stderr.contains("file not found"), "{run}");
}

#[test]
fn the_first_words_come_before_the_test() {
    let place = place_with("echo running >&2; exit 1");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    assert!(run.stderr.starts_with("checking the test on the input ...\n"), "{run}");
    let run = place.lapidary(&["reduce", "input.txt", "--quiet", "--", "./check", "{}"]).ends_with(1);
    assert!(!run.stderr.contains("checking the test"), "{run}");
}

#[test]
fn one_is_not_many() {
    let place = Place::new();
    place.write("one.txt", "x");
    place.script("check", "grep -q x $1");
    let run = place.lapidary(&["reduce", "one.txt", "--", "./check", "{}"]).ends_with(0);
    run.prints(&["1 of 1 byte left"]);
    let run = place.lapidary(&["model", "one.txt", "--check", "1", "--", "./check", "{}"]);
    run.prints(&["1 byte\n", "1 item\n", "of 1 random valid sub-input of"]);
}

#[test]
fn names_and_outputs_do_not_command_the_terminal() {
    let place = Place::with_numbers();
    place.write("\x1b[2Jbad.txt", "1\n17\n");
    place.script("check", "printf '\\033]0;title\\007\\033[31mred\\033[m' >&2; exit 1");
    let run = place.lapidary(&["reduce", "\x1b[2Jbad.txt", "--", "./check", "{}"]).ends_with(1);
    assert!(!run.stderr.contains('\x1b') && run.stderr.contains("\\u{1b}]0;title\\u{7}red"), "{run}");
    let model =
        r#"{"items": [{"label": "a\u001b]0;x", "text": "one"}, {"label": "b", "text": "two"}], "name": "m.txt"}"#;
    place.write("model.json", model);
    for command in [&["model", "\x1b[2Jbad.txt"][..], &["model", "--model", "model.json"]] {
        let run = place.lapidary(command);
        assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'), "{run}");
    }
}

#[test]
fn one_line_is_not_called_lines() {
    let place = place_with("seq 21; exit 1");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["--- stdout of the test\n… (1 line before)\n2\n3\n"]);
    let place = place_with("seq 22; exit 1");
    let run = place.lapidary(&["reduce", "input.txt", "--", "./check", "{}"]).ends_with(1);
    run.complains(&["\n… (2 lines before)\n3\n"]);
}
