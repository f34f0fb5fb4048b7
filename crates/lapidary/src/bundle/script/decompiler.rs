//! The script for a decompiler: fetches it with Maven, decompiles the input, compiles the sources,
//! and compares the compiler's errors.

use super::super::record::DecompilerRun;
use super::{PATIENCE, Script, Setting, in_test, time_limit};
use lapidary_java_workers::Decompiler;
use std::path::PathBuf;

/// The script. `libraries` are those that go along.
pub(crate) fn of_decompiler(
    setting: &Setting<'_>,
    run: &DecompilerRun,
    decompiler: &Decompiler,
    libraries: &[PathBuf],
) -> String {
    let about = format!(
        "Decompiles {} with {} {} and compiles the result.",
        setting.name,
        decompiler.name(),
        decompiler.version()
    );
    let mut script = Script::begin(setting, &about);
    ["java", "javac", "jar"].iter().for_each(|tool| script.add(&format!("need {tool}")));
    script.add(&time_limit(PATIENCE));
    fetch(&mut script, decompiler);
    let libraries: Vec<String> = libraries.iter().map(|path| in_test(path)).collect();
    script.add(&format!("libraries={}", libraries.join(":")));
    script.add(ATTEMPT.replace("@DECOMPILE@", &command(decompiler)).as_str());
    if run.expect.is_empty() && !run.errors.is_empty() {
        script.add("    while IFS= read -r error; do");
        script.add("        grep -Fx -e \"$error\" \"$work/stdout\" >/dev/null || { why=\"there is no error $error\"; return 1; }");
        script.add("    done <\"$here/decompiled/errors.txt\"");
    }
    script.add("    [ -s \"$work/stdout\" ] || { why='what was decompiled compiles'; return 1; }");
    let expectations = run.expect.iter().filter(|expectation| !expectation.starts_with("exit"));
    expectations.filter_map(|text| super::test::condition(text)).for_each(|line| script.add(&line));
    script.add("}\n");
    script.finish(1, true)
}

/// Finds the jars in Maven's own cache, or fetches them.
fn fetch(script: &mut Script, decompiler: &Decompiler) {
    script.add("\n# The decompiler: from Maven's repository on this machine, else from Maven Central.");
    script.add("repository=${M2_REPOSITORY:-$HOME/.m2/repository}");
    script.add("jars=");
    for artifact in decompiler.artifacts() {
        let (group, name, version) = (artifact.group, artifact.name, decompiler.version());
        let inside = format!("{}/{name}/{version}/{name}-{version}.jar", group.replace('.', "/"));
        script.add(&format!("jar=$repository/{inside}"));
        script.add(&format!(
            "if [ ! -f \"$jar\" ]; then\n    need mvn\n    \
             (cd \"$work\" && mvn -q -B dependency:copy -Dartifact={group}:{name}:{version} -DoutputDirectory=\"$work/lib\") ||\n        \
             not_reproduced 'Maven cannot fetch {group}:{name}:{version}'\n    jar=$work/lib/{name}-{version}.jar\nfi"
        ));
        script.add("jars=${jars:+$jars:}$jar");
    }
}

/// The command that decompiles `$archive` into `$work/decompiled`.
fn command(decompiler: &Decompiler) -> String {
    let java = "$limit java -Duser.language=en -cp \"$jars\"";
    match (decompiler.main_class(), decompiler.name()) {
        (None, _) => format!("{java} \"$here/Decompile.java\" \"$archive\" \"$work/decompiled\""),
        (Some(main), "cfr") => format!("{java} {main} \"$archive\" --outputdir \"$work/decompiled\""),
        (Some(main), _) => format!("{java} {main} \"$archive\" \"$work/decompiled\""),
    }
}

/// A command line for Procyon, whose artifacts have none, as a source file.
pub(crate) const DECOMPILE: &str = include_str!("Decompile.java");

const ATTEMPT: &str = r#"
# Decompiles and compiles. The compiler's errors go to stdout, one a line, without line numbers.
attempt() {
    prepare
    why=
    rm -rf "$work/decompiled" "$work/classes"
    mkdir "$work/decompiled" "$work/classes" || exit 2
    archive=$input
    if [ -d "$input" ]; then
        archive=$work/tmp/classes.jar
        (cd "$input" && jar cf "$archive" .) || exit 2
    fi
    @DECOMPILE@ >"$work/decompiler" 2>&1
    # Some decompilers pack what they write.
    for packed in "$work/decompiled"/*.jar; do
        [ -f "$packed" ] && (cd "$work/decompiled" && jar xf "$packed" && rm -f "$packed")
    done
    (cd "$work/decompiled" && find . -name '*.java' | sed 's|^\./||' | LC_ALL=C sort | sed 's/.*/"&"/' >"$work/sources")
    [ -s "$work/sources" ] || { show "$work/decompiler"; why='the decompiler wrote no source'; return 1; }
    (cd "$work/decompiled" && $limit javac -J-Duser.language=en -proc:none -nowarn -Xmaxwarns 1 -Xmaxerrs 1000 \
        -encoding UTF-8 -cp "$libraries" -d "$work/classes" "@$work/sources") >"$work/stderr" 2>&1 </dev/null
    sed -n 's/^\([^ :]*\.java\):[0-9]*: error: \(.*\)/\1: \2/p' "$work/stderr" | LC_ALL=C sort >"$work/stdout"
"#;
