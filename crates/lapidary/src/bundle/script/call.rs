//! The script for a call of a Java method with values: compiles the small driver that goes along,
//! calls the method in each version, and compares how the calls end and what they print.

use super::super::record::CallRun;
use super::{Script, Setting, in_test, reason, time_limit};
use lapidary_common::shell::quoted;
use lapidary_java_workers::Replay;
use std::path::PathBuf;

/// The script. `libraries` are those that go along.
pub(crate) fn of_call(setting: &Setting<'_>, run: &CallRun, libraries: &[PathBuf]) -> String {
    const PATIENCE: f64 = 60.0;
    let mut script = Script::begin(setting, &format!("Calls {}.", run.call));
    ["java", "javac"].iter().for_each(|tool| script.add(&format!("need {tool}")));
    script.add(&time_limit(PATIENCE));
    script.add(&format!("options='{}'", Replay::JVM_OPTIONS.join(" ")));
    script.add(DRIVER);
    let libraries: String = libraries.iter().map(|path| format!(":{}", in_test(path))).collect();
    let [class, method, descriptor] = run.method.each_ref().map(|word| quoted(word));
    let words: String = run.words.iter().map(|word| format!(" {}", quoted(word))).collect();
    script
        .add("\n# Calls the method in one version. How the call ends is in NAME.report, without the lines of a stack.");
    script.add("call() {");
    script.add(&format!("    classpath=$work/driver:$input/$1{libraries}"));
    script.add(&format!(
        "    (cd \"$work/run\" && exec $limit java $options -cp \"$classpath\" \\\n        \
         lapidary.replay.Replay \"$work/$1.full\" {class} {method} {descriptor}{words}) >\"$work/$1.stdout\" 2>\"$work/$1.stderr\" </dev/null"
    ));
    script.add("    echo \"exit code $?\" >\"$work/$1.report\"");
    script.add("    [ ! -f \"$work/$1.full\" ] || cut -f 1-3 \"$work/$1.full\" >\"$work/$1.report\"");
    if !run.watched.is_empty() {
        script.add(&format!(
            "    # The calls of one method, as the debugger sees them.\n    \
             (cd \"$work/run\" && exec $limit java \"-Dentered.options=$options\" \"$here/Entered.java\" \"$classpath\" {} \\\n        \
             lapidary.replay.Replay \"$work/$1.again\" {class} {method} {descriptor}{words}) >\"$work/$1.calls\" 2>/dev/null </dev/null",
            quoted(&run.watched)
        ));
    }
    script.add("}\n\nattempt() {\n    prepare\n    why=");
    run.versions.iter().for_each(|name| script.add(&format!("    call {name}")));
    script.add("    : >\"$work/stderr\"");
    let calls = |name: &str| if run.watched.is_empty() { String::new() } else { format!(" \"$work/{name}.calls\"") };
    let shown = run.versions.iter().map(|name| {
        let calls = calls(name);
        format!(
            "echo \"--- {name}: $(cut -f 1-2 \"$work/{name}.report\")\"; cat{calls} \"$work/{name}.stdout\" \"$work/{name}.stderr\";"
        )
    });
    script.add(&format!("    {{ {} }} >\"$work/stdout\"", shown.collect::<Vec<_>>().join(" ")));
    match &run.versions[..] {
        [old, new] => script
            .add(&COMPARED.replace("@OLD@", old).replace("@NEW@", new).replace("@PARTS@", &run.compared.join(" "))),
        versions => {
            let only = versions.first().map_or("program", String::as_str);
            script.add(&format!("    expected={}", quoted(&run.report)));
            script.add(&format!("    case $(cat \"$work/{only}.report\") in \"$expected\"*) ;;"));
            script.add(&format!("    *) why={}; return 1;; esac", reason("the call ends in another way")));
        }
    }
    script.add("}\n");
    script.finish(1, true)
}

const DRIVER: &str = r#"
# The driver calls a method with values that are given as words.
mkdir "$work/driver"
(cd "$here/driver" && javac -nowarn -d "$work/driver" lapidary/replay/*.java lapidary/*.java) >"$work/build" 2>&1 ||
    { show "$work/build"; not_reproduced 'the driver does not compile'; }
"#;

const COMPARED: &str = r#"    for part in @PARTS@; do
        cmp -s "$work/@OLD@.$part" "$work/@NEW@.$part" || return 0
    done
    why='the versions do not differ in: @PARTS@'
    return 1
"#;

#[cfg(test)]
mod tests {
    use super::super::super::travel::Travellers;
    use super::*;

    #[test]
    fn the_call_runs_with_the_options_of_the_replay() {
        let placed = Travellers::new("versions").placed();
        let setting = Setting { name: "versions", environment: &Default::default(), placed: &placed };
        let run = CallRun { versions: vec!["program".into()], ..CallRun::default() };
        let script = of_call(&setting, &run, &[]);
        assert!(script.contains("java $options -cp"), "{script}");
        let given = script.lines().find_map(|line| line.strip_prefix("options='")?.strip_suffix('\''));
        assert_eq!(given.unwrap().split(' ').collect::<Vec<_>>(), Replay::JVM_OPTIONS);
    }
}
