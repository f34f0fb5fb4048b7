//! The script for a test of the user: the command, and what `--expect` and `--preserve` ask for, in
//! plain shell.

use super::super::ere::{self, Ere};
use super::super::perl;
use super::super::record::TestRun;
use super::super::travel::Piece;
use super::{PATIENCE, Script, Setting, reason, time_limit, unless, words};
use lapidary_common::shell::quoted;
use lapidary_predicate::Normaliser;

/// The files that the script compares with, by their paths in the bundle.
pub(crate) type Expected = Vec<(&'static str, String)>;

/// The script, and the files that it compares with; `None` if it could not check anything, and would
/// show the failure of any input.
pub(crate) fn of_test(setting: &Setting<'_>, run: &TestRun, command: &[Vec<Piece>]) -> Option<(String, Expected)> {
    let mut script = Script::begin(setting, &format!("Shows the failure on input/{}.", setting.name));
    let mut expected = Expected::new();
    script.add(&time_limit(run.timeout.unwrap_or(PATIENCE)));
    if let [Piece::Text(program)] = &command.first().map(Vec::as_slice).unwrap_or_default() {
        script.add(&format!("need {}", quoted(program)));
    }
    let normalised = normalisation(run, &mut expected);
    script.add(&normalised);
    script.add("\n# One run of the command, and whether it shows the failure.");
    script.add("attempt() {\n    prepare\n    why=");
    let limits = limits(run);
    script.add(&format!(
        "    (cd \"$work/run\" && {limits}exec $limit {}) >\"$work/stdout\" 2>\"$work/stderr\" </dev/null",
        words(command)
    ));
    script.add("    status=$?");
    let conditions = [conditions(run), preserved(run, &mut expected)].concat();
    conditions.iter().for_each(|line| script.add(line));
    script.add("}\n");
    (!conditions.is_empty()).then(|| (script.finish(run.runs, !run.any), expected))
}

/// The limits on resources.
fn limits(run: &TestRun) -> String {
    let limit = |option: &str, value: Option<u64>| value.map(|value| format!("ulimit -{option} {value} && "));
    let all = [
        limit("t", run.cpu_seconds),
        limit("v", run.memory.map(|bytes| bytes.div_ceil(1024))),
        limit("f", run.file_size.map(|bytes| bytes.div_ceil(512))),
    ];
    all.into_iter().flatten().collect()
}

/// The lines that check the expectations.
fn conditions(run: &TestRun) -> Vec<String> {
    if run.expect.is_empty() && run.preserve.is_empty() {
        return vec![unless("[ \"$status\" -eq 0 ]", "\"exit code $status instead of 0\"")];
    }
    run.expect.iter().filter_map(|expectation| condition(expectation)).collect()
}

/// The line for one expectation, if the script can check it. Its syntax was checked when the run
/// began.
pub(super) fn condition(expectation: &str) -> Option<String> {
    let at = expectation.find(['!', '=', '~'])?;
    let (subject, rest) = expectation.split_at(at);
    let (holds, rest) = rest.strip_prefix('!').map_or((true, rest), |rest| (false, rest));
    let value = rest.get(1..).unwrap_or_default();
    match subject.trim() {
        "exit" => Some(exit(value.trim(), holds)),
        stream => matches(stream, value, holds),
    }
}

fn exit(value: &str, holds: bool) -> String {
    let signal = |name: &str| lapidary_predicate::signal_number(name).map(|number| 128 + number);
    let code = match value.strip_prefix("signal:") {
        Some(name) => signal(name),
        None => value.parse().ok().or_else(|| signal(value)),
    };
    let code = code.unwrap_or_default();
    let remark = if value.parse::<i32>() == Ok(code) { String::new() } else { format!(" ({value})") };
    match holds {
        true => unless(
            &format!("[ \"$status\" -eq {code} ]"),
            &format!("\"exit code $status instead of {code}\"{}", quoted_unless_empty(&remark)),
        ),
        false => unless(&format!("[ \"$status\" -ne {code} ]"), &format!("\"exit code {code}\"")),
    }
}

fn quoted_unless_empty(text: &str) -> String {
    if text.is_empty() { String::new() } else { quoted(text) }
}

/// Whether a stream has a match. Of `output`, each stream is searched on its own.
fn matches(stream: &str, regex: &str, holds: bool) -> Option<String> {
    let files = match stream {
        "output" => "\"$work/stdout\" \"$work/stderr\"".to_owned(),
        stream => format!("\"$work/{stream}\""),
    };
    let search = search(regex, &files)?;
    let verb = if holds { "does not match" } else { "matches" };
    // The other codes of both programs mean that they could not search.
    let code = if holds { 0 } else { 1 };
    Some(unless(&format!("{{ {search}; [ \"$?\" -eq {code} ]; }}"), &reason(&format!("{stream} {verb} /{regex}/"))))
}

/// A command that ends with 0 if an expression matches in one of the files, and with 1 if it does
/// not; `None` if neither grep nor Perl can express it.
fn search(regex: &str, files: &str) -> Option<String> {
    match ere::translated(regex) {
        Some(Ere { pattern, folds_case }) => {
            let case = if folds_case { "i" } else { "" };
            Some(format!("LC_ALL=C grep -E{case} -e {} {files} >/dev/null", quoted(&pattern)))
        }
        None => {
            let pattern = quoted(&perl::translated(regex)?);
            Some(format!("need perl && PATTERN={pattern} perl -e '{SEARCH}' {files}"))
        }
    }
}

/// The expectations that neither grep nor Perl can express, in words.
pub(crate) fn inexpressible(expectations: &[String]) -> impl Iterator<Item = String> {
    let lost = expectations.iter().filter(|expectation| condition(expectation).is_none());
    lost.map(|expectation| format!("the condition {expectation}, which neither grep nor Perl can express"))
}

/// Searches files for the pattern in the environment.
const SEARCH: &str = r#"local $/; my $pattern = $ENV{PATTERN};
        for my $file (@ARGV) {
            open(my $in, "<", $file) or exit 2;
            my $text = <$in> // q();
            my $sought = $pattern;
            utf8::decode($text) and utf8::decode($sought);
            exit 0 if $text =~ /$sought/m;
        }
        exit 1"#;

/// A function that normalises a stream of the run; empty if nothing has to be normalised but the
/// directories of the run.
fn normalisation(run: &TestRun, expected: &mut Expected) -> String {
    let has_output =
        run.baseline.as_ref().is_some_and(|baseline| baseline.stdout.is_some() || baseline.stderr.is_some());
    if !has_output {
        return String::new();
    }
    let rules = run.normalise.parse::<Normaliser>().ok().filter(|_| !run.normalise.is_empty());
    match rules {
        None => "# Paths of the run's own directories differ from run to run.\n\
             escaped_run=$(printf '%s\\n' \"$work/run\" | sed 's/[][\\\\.*^$|]/\\\\&/g')\n\
             escaped_tmp=$(printf '%s\\n' \"$work/tmp\" | sed 's/[][\\\\.*^$|]/\\\\&/g')\n\
             normalised() { sed -e \"s|$escaped_run|<job>|g\" -e \"s|$escaped_tmp|<job>|g\" \"$1\"; }"
            .to_owned(),
        Some(rules) => {
            expected.push(("expected/normalise.pl", rules.as_perl()));
            format!(
                "# --normalise {}\nneed perl\nnormalised() {{ perl \"$here/expected/normalise.pl\" \"$work/run\" \"$work/tmp\" <\"$1\"; }}",
                super::super::plain::one_line(&run.normalise)
            )
        }
    }
}

/// The lines that check what must be preserved.
fn preserved(run: &TestRun, expected: &mut Expected) -> Vec<String> {
    let Some(baseline) = &run.baseline else { return Vec::new() };
    let mut lines = Vec::new();
    if let Some(code) = baseline.exit {
        lines.push(unless(&format!("[ \"$status\" -eq {code} ]"), &format!("\"exit code $status instead of {code}\"")));
    }
    let streams = [("stdout", "expected/stdout", &baseline.stdout), ("stderr", "expected/stderr", &baseline.stderr)];
    for (stream, file, text) in streams {
        let Some(text) = text else { continue };
        expected.push((file, text.clone()));
        let why = format!("'{stream} differs from {file}'");
        lines.push(unless(&format!("normalised \"$work/{stream}\" | cmp -s - \"$here/{file}\""), &why));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::Path;
    use std::process::{Command, Stdio};

    #[test]
    fn perl_normalises_like_we_do() {
        let text = "/tmp/job/a.c:12:3: error: x at 0xdeadbeef\nA warning: none\n   7 |  int {x};\n(in Main.java(4, 5))\n\
            on line 12, column: 3\n/usr/lib/x.so/ it's  $5\tid=7 {\n\nb\na";
        let rules = [
            "paths",
            "lines",
            "addresses",
            "numbers",
            "warnings",
            "space",
            "sort",
            "paths,lines,sort,space",
            r"s/id=(\w+)/<$1>'$$x/",
            r"s/(?P<who>it)'s/${who} is{}/",
            r"s|/usr|\{|,numbers",
            "s/error/$0/",
        ];
        for rule in rules {
            let normaliser: Normaliser = rule.parse().unwrap();
            let place = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(place.path(), normaliser.as_perl()).unwrap();
            let mut perl = Command::new("perl")
                .arg(place.path())
                .arg("/tmp/job")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            perl.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
            let printed = String::from_utf8(perl.wait_with_output().unwrap().stdout).unwrap();
            let ours = String::from_utf8(normaliser.apply(text.as_bytes(), &[Path::new("/tmp/job")])).unwrap();
            assert_eq!(printed, ours, "{rule}: {}", normaliser.as_perl());
        }
    }

    /// Whether a line for an expectation lets streams pass.
    fn passes(expectation: &str, stdout: &str, stderr: &str) -> Option<bool> {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("stdout"), stdout).unwrap();
        std::fs::write(place.path().join("stderr"), stderr).unwrap();
        let line = condition(expectation)?;
        let script = format!("need() {{ :; }}\nstatus=1\nattempt() {{\n{line}\n}}\nattempt");
        let mut command = Command::new("sh");
        Some(command.args(["-c", &script]).env("work", place.path()).status().unwrap().success())
    }

    #[test]
    fn conditions_mean_what_they_mean_in_a_reduction() {
        let regexes =
            ["error$", "^error", r"\berror\b", r"\<error", r"error\>", r"\s\<or", "a.b", "a\\sb", "ä+b", r"\b\w!$"];
        let texts =
            ["", "a", "b\n", "an error", "error\n", "errors\n", "<error>", "an or", "ab\n", "a b", "ääb", "ä!\n"];
        for (regex, stdout, stderr) in regexes
            .iter()
            .flat_map(|regex| texts.iter().flat_map(move |stdout| ["", "error"].map(|stderr| (regex, stdout, stderr))))
        {
            let real = regex::bytes::RegexBuilder::new(regex).multi_line(true).build().unwrap();
            let is_match = real.is_match(stdout.as_bytes()) || real.is_match(stderr.as_bytes());
            let shown = format!("/{regex}/ on {stdout:?} and {stderr:?}");
            assert_eq!(passes(&format!("output~{regex}"), stdout, stderr), Some(is_match), "{shown}");
            assert_eq!(passes(&format!("output!~{regex}"), stdout, stderr), Some(!is_match), "{shown}");
        }
    }

    #[test]
    fn what_neither_grep_nor_perl_can_express_is_not_checked() {
        assert_eq!(passes("stdout~[a&&b]", "a", ""), None);
        let expectations = ["stdout~[a&&b]", "exit=1", "stdout~a"].map(str::to_owned);
        assert_eq!(inexpressible(&expectations).count(), 1);
    }
}
