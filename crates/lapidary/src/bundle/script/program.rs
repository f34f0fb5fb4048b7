//! The script for a program in C or C++: compiles it, runs it with its arguments and input, and
//! recognises the failure by the exit code and by what is on standard error.

use super::super::record::ProgramRun;
use super::super::travel::Piece;
use super::{PATIENCE, Script, Setting, reason, time_limit, unless, word, words};
use lapidary_common::shell::quoted;
use std::collections::BTreeSet;

/// The words of the commands, with the files that go along.
pub(crate) struct Commands {
    /// The flags of each source, in the order of [`ProgramRun::sources`].
    pub flags: Vec<Vec<Vec<Piece>>>,
    pub link: Vec<Vec<Piece>>,
    pub arguments: Vec<Vec<Piece>>,
    /// Whether the program runs where the files are that its arguments name.
    pub runs_with_files: bool,
    /// The directory of the program's files below `run`, if it has several.
    pub directory: Option<String>,
    /// The sources that the result still has.
    pub present: Vec<usize>,
}

/// The script. Memory errors need not show every time, so it tries a few times.
pub(crate) fn of_program(setting: &Setting<'_>, run: &ProgramRun, commands: &Commands) -> String {
    const TRIES: u32 = 5;
    let about = format!("Compiles and runs {}, and looks for: {}", setting.name, run.headline);
    let mut script = Script::begin(setting, &about);
    let compilers: BTreeSet<&String> =
        commands.present.iter().map(|&at| &run.sources[at].compiler).chain([&run.linker]).collect();
    compilers.iter().for_each(|compiler| script.add(&format!("need {}", quoted(compiler))));
    script.add(&time_limit(PATIENCE));
    script.add("prepare");
    let place = match &commands.directory {
        Some(name) => format!("\"$work/run\"/{}", quoted(name)),
        None => "\"$work/run\"".to_owned(),
    };
    script.add(&format!("build() (\n    cd {place} || exit"));
    script.add("    LC_ALL=C; export LC_ALL");
    compilation(run, commands).iter().for_each(|line| script.add(line));
    script.add(") >\"$work/build\" 2>&1");
    script.add("build || { show \"$work/build\"; not_reproduced 'it does not compile'; }");
    script.add("\n# One run of the program, and whether it shows the failure.");
    script.add("attempt() {\n    why=");
    let directory = if commands.runs_with_files { "\"$work/test\"" } else { "\"$work/run\"" };
    let arguments = words(&commands.arguments);
    let stdin = if run.stdin.is_empty() { "/dev/null" } else { "\"$here/stdin\"" };
    script.add(&format!(
        "    (cd {directory} && exec $limit \"$work/program\"{}{arguments}) >\"$work/stdout\" 2>\"$work/stderr\" <{stdin}",
        if arguments.is_empty() { "" } else { " " }
    ));
    script.add("    status=$?");
    failure(run).iter().for_each(|line| script.add(line));
    script.add("}\n");
    script.finish(TRIES, false)
}

/// The commands that make the program.
fn compilation(run: &ProgramRun, commands: &Commands) -> Vec<String> {
    let link = commands.link.iter().map(|piece| format!(" {}", word(piece))).collect::<String>();
    let flags = |at: usize| commands.flags[at].iter().map(|piece| format!(" {}", word(piece))).collect::<String>();
    if let [only] = commands.present[..] {
        let source = &run.sources[only];
        let (compiler, path) = (quoted(&source.compiler), quoted(&source.path));
        return vec![format!("    {compiler} -g{} {path} -o \"$work/program\"{link}", flags(only))];
    }
    let mut lines = Vec::new();
    let mut objects = String::new();
    for &at in &commands.present {
        let source = &run.sources[at];
        let (compiler, path) = (quoted(&source.compiler), quoted(&source.path));
        lines.push(format!("    {compiler} -g{} -c {path} -o \"$work/{at}.o\" || exit", flags(at)));
        objects.push_str(&format!(" \"$work/{at}.o\""));
    }
    lines.push(format!("    {}{objects} -o \"$work/program\"{link}", quoted(&run.linker)));
    lines
}

/// The lines that recognise the failure.
fn failure(run: &ProgramRun) -> Vec<String> {
    let status = |name: &str, code: i32| {
        unless(&format!("[ \"$status\" -eq {code} ]"), &format!("\"exit code $status instead of {code} ({name})\""))
    };
    let says = |text: &str| {
        let search = format!("grep -F -e {} \"$work/stderr\" >/dev/null", quoted(text));
        unless(&search, &reason(&format!("standard error lacks `{text}`")))
    };
    match run.kind.as_str() {
        "assertion" => vec![status("SIGABRT", 134), says(&run.message)],
        "abort" => vec![status("SIGABRT", 134)],
        "exception" => {
            let (name, what) = run.message.split_once(": ").unwrap_or((&run.message, ""));
            let name = name.split('<').next().unwrap_or(name).rsplit("::").next().unwrap_or(name);
            let first = what.lines().next().unwrap_or_default();
            let mut lines = vec![status("SIGABRT", 134), says(name)];
            lines.extend((!first.is_empty()).then(|| says(first)));
            lines
        }
        "stack-overflow" if run.message.is_empty() => {
            let search = "grep -F -e stack-overflow \"$work/stderr\" >/dev/null";
            vec![unless(
                &format!("{{ [ \"$status\" -eq 139 ] || {search}; }}"),
                "\"exit code $status instead of 139 (SIGSEGV)\"",
            )]
        }
        signal if signal.starts_with("SIG") => {
            vec![status(signal, 128 + lapidary_predicate::signal_number(signal).unwrap_or_default())]
        }
        sanitizer => {
            let ended = unless("[ \"$status\" -ne 0 ]", "'the program ended normally'");
            // UBSan does not give its name.
            let its_name = (sanitizer != "UndefinedBehaviorSanitizer").then(|| says(sanitizer));
            let sort = run.message.split([':', ',']).next().unwrap_or_default();
            let sort = sort.split("<address>").next().unwrap_or_default().split(" in ").next().unwrap_or_default();
            [Some(ended), its_name, (!sort.is_empty()).then(|| says(sort.trim_end()))].into_iter().flatten().collect()
        }
    }
}
