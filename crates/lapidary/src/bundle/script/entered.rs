//! The script for an analysis that misses a method: shows with the JDK's debugger interface that
//! the program enters the method, and asks the analysis again.

use super::super::record::AnalysisRun;
use super::{PATIENCE, Script, Setting, in_test, time_limit, unless};
use lapidary_common::shell::quoted;
use std::path::PathBuf;

/// The program that tells whether a method is entered, as a source file.
pub(crate) const ENTERED: &str = include_str!("Entered.java");

/// The script. `libraries` are those that go along.
pub(crate) fn of_analysis(setting: &Setting<'_>, run: &AnalysisRun, libraries: &[PathBuf]) -> String {
    let about = format!("Shows that {} runs, and that {} misses it.", run.method, run.analysis);
    let mut script = Script::begin(setting, &about);
    script.add("need java");
    script.add(&time_limit(PATIENCE));
    let libraries: String = libraries.iter().map(|path| format!(":{}", in_test(path))).collect();
    script.add(&format!("classpath=$input{libraries}"));
    let arguments: String = run.arguments.iter().map(|word| format!(" {}", quoted(word))).collect();
    let (main, method) = (quoted(&run.main), quoted(&run.method));
    let stdin = if run.stdin.is_empty() { "/dev/null" } else { "\"$here/stdin\"" };
    script.add("\nattempt() {\n    prepare\n    why=\n    : >\"$work/stdout\"");
    script.add(&format!(
        "    (cd \"$work/run\" && exec $limit java \"$here/Entered.java\" \"$classpath\" {method} {main}{arguments}) \\\n        \
         >\"$work/entered\" 2>\"$work/stderr\" <{stdin}"
    ));
    script.add(&unless(
        &format!("grep -Fx -e {} \"$work/entered\" >/dev/null", quoted(&format!("entered {}", run.method))),
        "'the program does not enter the method'",
    ));
    script.add(&format!("    echo {} >>\"$work/stdout\"", quoted(&format!("the program enters {}", run.method))));
    match run.command.is_empty() {
        true => script.add(&format!(
            "    echo {} >>\"$work/stdout\"",
            quoted(&format!("(the analysis {} is not asked here: it needs Lapidary)", run.analysis))
        )),
        false => ask(&mut script, &main, &method, &run.analysis),
    }
    script.add("}\n");
    script.finish(1, true)
}

/// Asks the user's own command.
fn ask(script: &mut Script, main: &str, method: &str, analysis: &str) {
    script.add(&format!(
        "    # The analysis writes the methods that it finds to the last argument, or prints them.\n    \
         (cd \"$work/test\" && exec $limit sh ./analysis.sh \"$classpath\" {main} \"$work/found\" \"$input\") >\"$work/printed\" 2>>\"$work/stderr\" </dev/null"
    ));
    script.add(&unless("[ \"$?\" -eq 0 ]", "'the analysis fails'"));
    script.add("    [ -f \"$work/found\" ] || mv \"$work/printed\" \"$work/found\"");
    script.add(&unless("[ -s \"$work/found\" ]", "'the analysis finds nothing at all'"));
    script.add(&unless(
        &format!(
            "{{ ! sed 's/^[[:space:]]*//; s/[[:space:]]*$//' \"$work/found\" | grep -Fx -e {method} >/dev/null; }}"
        ),
        "'the analysis finds the method'",
    ));
    script.add(&format!("    echo {}' misses '{method} >>\"$work/stdout\"", quoted(analysis)));
}
