//! The contents of a bundle, by the kind of failure: the script, the files that go along, and the
//! words for the issue.

use super::record::{AnalysisRun, CallRun, DecompilerRun, How, ProgramRun, Reproduction, TestRun};
use super::script::{
    Commands, DECOMPILE, ENTERED, Setting, inexpressible, of_analysis, of_call, of_decompiler, of_program, of_test,
};
use super::secrets;
use super::travel::{Placed, Travellers};
use super::versions;
use lapidary_common::shell::quoted;
use lapidary_java_workers::Decompiler;
use lapidary_predicate::{Aspect, Preserve};
use lapidary_reduce::{Entry, FileTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The contents of a bundle before it was tried.
#[derive(Default)]
pub(crate) struct Contents {
    /// Files by their paths in the bundle.
    pub entries: BTreeMap<PathBuf, Entry>,
    pub script: Option<String>,
    /// The programs to ask for their versions.
    pub tools: BTreeSet<String>,
    pub missing: BTreeSet<String>,
    /// Files of which the test may need more than goes along, in words.
    pub partly: Vec<String>,
    /// The failing command as a person would type it.
    pub command: String,
    /// The script that the command runs, with its name in the bundle.
    pub called: Option<(String, String)>,
    /// The meaning of the exit code 0 of the command, where it is the sign of the failure.
    pub zero_means: &'static str,
    pub title: Option<String>,
    pub summary: String,
    pub expected: &'static str,
    /// Whether what runs is a program that nobody has written.
    pub is_foreign: bool,
    /// The jars that the script would fetch, with their paths in Maven's repository.
    pub jars: Vec<(PathBuf, PathBuf)>,
}

impl Contents {
    /// The contents for a reproduction on this input.
    pub fn of(reproduction: &Reproduction, input: &FileTree) -> Contents {
        let making = Making { reproduction, input, here: Path::new(&reproduction.directory) };
        match &reproduction.how {
            How::Test(run) => making.test(run),
            How::Decompiler(run) => making.decompiler(run),
            How::Program(run) => making.program(run),
            How::Analysis(run) => making.analysis(run),
            How::Call(run) => making.call(run),
            How::Nothing => Contents {
                command: "(see the journal)".into(),
                summary: "<!-- What goes wrong? -->".into(),
                expected: "What should happen instead?",
                ..Contents::default()
            },
        }
    }

    fn add(&mut self, path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) {
        self.entries.insert(path.into(), Entry::file(content.into()));
    }

    /// Says whether secrets were left out of the commands.
    fn lacks_secrets(&mut self, has_any: bool) {
        if has_any {
            self.missing.insert("arguments of the command that look like secrets".into());
        }
    }

    /// Takes the files that go along, and what could not.
    fn take(&mut self, placed: Placed) {
        for (path, entry) in placed.entries {
            if let Entry::File { content, .. } = &entry
                && content.starts_with(b"#!")
            {
                self.tools.extend(versions::mentioned(&String::from_utf8_lossy(content)));
            }
            self.entries.insert(Path::new("test").join(path), entry);
        }
        self.missing.extend(placed.missing);
    }
}

struct Making<'a> {
    reproduction: &'a Reproduction,
    input: &'a FileTree,
    /// The directory of the run.
    here: &'a Path,
}

impl Making<'_> {
    fn setting<'s>(&'s self, placed: &'s Placed) -> Setting<'s> {
        Setting { name: self.input.name(), environment: &self.reproduction.environment, placed }
    }

    fn test(&self, run: &TestRun) -> Contents {
        let mut contents = Contents {
            summary: "<!-- What goes wrong, in one or two sentences? -->".into(),
            expected: "What should the command do instead?",
            ..Contents::default()
        };
        let (words, has_secrets) = secrets::without(&run.words);
        contents.lacks_secrets(has_secrets);
        let mut travellers = Travellers::new(self.input.name());
        let words = travellers.words(&words, self.here);
        travellers.needed_by(self.input);
        contents.partly = travellers.partly();
        let placed = travellers.placed();
        let pieces = placed.pieces(&words);
        contents.missing.extend(unchecked(run));
        contents.missing.extend(inexpressible(&run.expect));
        match of_test(&self.setting(&placed), run, &pieces) {
            Some((script, expected)) => {
                contents.script = Some(script);
                expected.into_iter().for_each(|(path, text)| contents.add(path, text));
            }
            None => _ = contents.missing.insert("reproduce.sh: nothing is left that it could check".into()),
        }
        contents.command = shown(&pieces, self.input.name());
        contents.called = called(&pieces, &placed);
        if run.expect.is_empty() && run.preserve.is_empty() {
            contents.zero_means = ", by which the test says that the input still fails";
        }
        contents.tools.extend(versions::mentioned(&contents.command));
        contents.take(placed);
        contents
    }

    fn libraries(&self, paths: &[String]) -> (Placed, Vec<PathBuf>) {
        let mut travellers = Travellers::new(self.input.name());
        let paths: Vec<PathBuf> = paths.iter().map(|path| self.here.join(path)).collect();
        paths.iter().for_each(|path| travellers.library(path));
        let placed = travellers.placed();
        let libraries = paths.iter().filter_map(|path| placed.place(path).cloned()).collect();
        (placed, libraries)
    }

    fn decompiler(&self, run: &DecompilerRun) -> Contents {
        let Ok(decompiler) = Decompiler::parse(&run.decompiler) else { return Contents::default() };
        let (placed, libraries) = self.libraries(&run.libraries);
        let script = of_decompiler(&self.setting(&placed), run, &decompiler, &libraries);
        let (name, version) = (decompiler.name(), decompiler.version());
        let first = run.errors.lines().next().map(|error| format!(": {error}")).unwrap_or_default();
        let coordinates: Vec<String> = decompiler
            .artifacts()
            .iter()
            .map(|artifact| format!("{}:{}:{version}", artifact.group, artifact.name))
            .collect();
        let mut contents = Contents {
            title: Some(format!("{name} {version} writes code that does not compile{first}")),
            summary: format!(
                "{name} {version} decompiles the input to sources that `javac` rejects. Maven Central has it as\n{}.\n\
                 The sources are in `decompiled/`, the errors of the compiler in `decompiled/errors.txt`.",
                coordinates.iter().map(|name| super::plain::code(name)).collect::<Vec<_>>().join(" and ")
            ),
            expected: "The decompiled sources compile, and mean what the classes mean.",
            command: decompiling(&decompiler, self.input.name()),
            tools: ["java", "javac", "mvn"].map(str::to_owned).into(),
            script: Some(script),
            ..Contents::default()
        };
        contents.missing.extend(inexpressible(&run.expect));
        if decompiler.main_class().is_none() {
            contents.add("Decompile.java", DECOMPILE);
        }
        if !run.errors.is_empty() {
            contents.add("decompiled/errors.txt", run.errors.clone());
        }
        match decompiler.install(&mut |_| {}) {
            Ok(installed) => contents.jars = repository(&decompiler, installed.jars()),
            Err(error) => _ = contents.missing.insert(format!("{name} is not installed here: {error}")),
        }
        contents.take(placed);
        contents
    }

    fn program(&self, run: &ProgramRun) -> Contents {
        let (run, has_secrets) = &without_secrets(run);
        let mut travellers = Travellers::new(self.input.name());
        // First, so that they keep their places relative to where the program runs.
        let relative = |word: &&String| !word.is_empty() && !word.starts_with('/') && self.here.join(word).is_file();
        let runs_with_files = run.arguments.iter().any(|word| relative(&word));
        run.arguments.iter().filter(relative).for_each(|word| travellers.file(&self.here.join(word), self.here));
        let mut given = |words: &[String]| {
            let all = [vec!["cc".to_owned()], words.to_vec()].concat();
            travellers.words(&all, Path::new("/nonexistent"))
        };
        let flags: Vec<_> = run.sources.iter().map(|source| given(&source.flags)).collect();
        let (link, arguments) = (given(&run.link), given(&run.arguments));
        let (headers, missing) = super::headers::of(self.input, Path::new(&run.origin));
        let placed = travellers.placed();
        let rest = |words| placed.pieces(words).split_off(1);
        let is_there = |path: &str| !self.input.is_directory() || self.input.entry(Path::new(path)).is_some();
        let commands = Commands {
            flags: flags.iter().map(rest).collect(),
            link: rest(&link),
            arguments: rest(&arguments),
            runs_with_files,
            directory: self.input.is_directory().then(|| self.input.name().to_owned()),
            present: (0..run.sources.len()).filter(|&at| is_there(&run.sources[at].path)).collect(),
        };
        let mut contents = Contents {
            title: Some(run.headline.clone()),
            summary: format!(
                "The program fails at run time: {}.\n\n<!-- Why should it not? -->",
                super::plain::code(&run.headline)
            ),
            expected: "What should the program do instead?",
            command: building(run, &commands, self.input.name()),
            is_foreign: run.sandbox,
            ..Contents::default()
        };
        contents.tools = run.sources.iter().map(|source| source.compiler.clone()).chain([run.linker.clone()]).collect();
        contents.missing.extend(missing);
        contents.lacks_secrets(*has_secrets);
        let base = if self.input.is_directory() { Path::new("input").join(self.input.name()) } else { "input".into() };
        for (path, entry) in headers {
            contents.entries.insert(base.join(path), entry);
        }
        if !run.stdin.is_empty() {
            contents.add("stdin", run.stdin.bytes());
        }
        if commands.present.is_empty() {
            contents.missing.insert("reproduce.sh: no source is left that could be compiled".into());
        } else {
            contents.script = Some(of_program(&self.setting(&placed), run, &commands));
        }
        contents.take(placed);
        contents
    }

    fn analysis(&self, run: &AnalysisRun) -> Contents {
        let (arguments, in_arguments) = secrets::without(&run.arguments);
        let (command, in_command) = secrets::without_in_line(&run.command);
        let run = &AnalysisRun { arguments, command, ..run.clone() };
        let mut travellers = Travellers::new(self.input.name());
        let libraries: Vec<PathBuf> = run.libraries.iter().map(|path| self.here.join(path)).collect();
        if !run.command.is_empty() {
            travellers.line(&run.command, self.here);
        }
        libraries.iter().for_each(|path| travellers.library(path));
        let mut placed = travellers.placed();
        if !run.command.is_empty() {
            let filled = run.command.replace("{classpath}", "\"$1\"").replace("{main}", "\"$2\"");
            placed.script("analysis.sh", &filled.replace("{out}", "\"$3\"").replace("{input}", "\"$4\""));
        }
        let libraries: Vec<PathBuf> = libraries.iter().filter_map(|path| placed.place(path).cloned()).collect();
        let script = of_analysis(&self.setting(&placed), run, &libraries);
        let analysis = super::plain::code(&run.analysis);
        let mut contents = Contents {
            title: Some(format!("{} misses {}, which runs", run.analysis, run.method)),
            summary: format!(
                "The program enters {}, and {analysis} does not find it reachable from `main` of {}.\n{}",
                super::plain::code(&run.method),
                super::plain::code(&run.main),
                match run.finders.is_empty() {
                    true => String::new(),
                    false => format!(
                        "Found by {}.",
                        run.finders.iter().map(|name| super::plain::code(name)).collect::<Vec<_>>().join(", ")
                    ),
                }
            ),
            expected: "The analysis finds every method that can run.",
            command: match run.command.is_empty() {
                true => format!(
                    "the analysis {}, asked by lapidary triage {} --main {}",
                    run.analysis,
                    self.input.name(),
                    run.main
                ),
                false => run.command.clone(),
            },
            tools: ["java".to_owned()].into(),
            script: Some(script),
            ..Contents::default()
        };
        contents.lacks_secrets(in_arguments || in_command);
        if run.command.is_empty() {
            contents.missing.insert(format!(
                "{}: reproduce.sh shows that the method runs, and cannot ask this analysis",
                run.analysis
            ));
        }
        contents.add("Entered.java", ENTERED);
        if !run.stdin.is_empty() {
            contents.add("stdin", run.stdin.bytes());
        }
        contents.take(placed);
        contents
    }

    fn call(&self, run: &CallRun) -> Contents {
        let (placed, libraries) = self.libraries(&run.libraries);
        let script = of_call(&self.setting(&placed), run, &libraries);
        let seen: String = run
            .versions
            .iter()
            .zip(&run.seen)
            .enumerate()
            .map(|(at, (version, seen))| {
                let name = run.names.get(at).map(|name| format!(" ({})", super::issue::escaped(name)));
                format!("- {version}{}: {}\n", name.unwrap_or_default(), super::plain::code(seen))
            })
            .collect();
        let mut contents = Contents {
            title: Some(run.what.clone()),
            summary: format!(
                "The call\n\n{}\nends like this:\n\n{seen}",
                super::plain::fenced("java", &super::plain::harmless(&run.call))
            ),
            is_foreign: true,
            expected: match run.versions.len() {
                1 => "How should the call end?",
                _ => "The new version behaves like the old one, unless the change was meant.",
            },
            command: run.call.clone(),
            tools: ["java", "javac"].map(str::to_owned).into(),
            script: Some(script),
            ..Contents::default()
        };
        if !run.watched.is_empty() {
            contents.add("Entered.java", ENTERED);
        }
        if run.compared.is_empty() && run.versions.len() > 1 {
            contents.missing.insert("what differs, which a run alone does not show".into());
        }
        for (path, text) in lapidary_java_workers::replay_sources() {
            contents.add(Path::new("driver").join(path), text);
        }
        contents.take(placed);
        contents
    }
}

/// The run without secrets on its command lines, and whether there were any.
fn without_secrets(run: &ProgramRun) -> (ProgramRun, bool) {
    let mut safe = run.clone();
    let sources = safe.sources.iter_mut().map(|source| &mut source.flags);
    for words in sources.chain([&mut safe.link, &mut safe.arguments]) {
        *words = secrets::without(words).0;
    }
    let has_any = safe != *run;
    (safe, has_any)
}

/// The behaviour that `--preserve` asks for and the journal does not have, in words.
fn unchecked(run: &TestRun) -> Vec<String> {
    let baseline = run.baseline.clone().unwrap_or_default();
    let aspects = run.preserve.parse::<Preserve>().map(|preserve| preserve.0).unwrap_or_default();
    let lacks = |aspect: Aspect| match aspect {
        Aspect::Exit if baseline.exit.is_none() => {
            Some("the exit code that --preserve asks for, which the journal does not have")
        }
        Aspect::Stdout if baseline.stdout.is_none() => {
            Some("the standard output that --preserve asks for, which was too long for the journal")
        }
        Aspect::Stderr if baseline.stderr.is_none() => {
            Some("the standard error that --preserve asks for, which was too long for the journal")
        }
        _ => None,
    };
    aspects.into_iter().filter_map(lacks).map(str::to_owned).collect()
}

/// The script that a command runs, if it goes along, as it is in the directory of the bundle.
fn called(pieces: &[Vec<super::travel::Piece>], placed: &Placed) -> Option<(String, String)> {
    use super::travel::{MARK, Piece};
    let script = |word: &Vec<Piece>| {
        let [Piece::File(path)] = &word[..] else { return None };
        let Entry::File { content, .. } = placed.entries.get(path)? else { return None };
        let text = super::mentions::script_text(content, path)?;
        Some((format!("test/{}", path.display()), text.replace(MARK, "test")))
    };
    pieces.iter().find_map(script)
}

/// The command as a person would type it in the directory of the bundle.
fn shown(pieces: &[Vec<super::travel::Piece>], name: &str) -> String {
    use super::travel::Piece;
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Input => format!("input/{name}"),
        Piece::File(path) => format!("test/{}", path.display()),
    };
    let words = pieces.iter().map(|word| quoted(&word.iter().map(part).collect::<String>()));
    super::plain::without_home(&words.collect::<Vec<_>>().join(" "))
}

/// The commands that build and run a program, as a person would type them.
fn building(run: &ProgramRun, commands: &Commands, name: &str) -> String {
    let text = |pieces: &[Vec<super::travel::Piece>]| match pieces.is_empty() {
        true => String::new(),
        false => format!(" {}", shown(pieces, name)),
    };
    let place = if commands.directory.is_some() { format!("input/{name}") } else { "input".to_owned() };
    let sources =
        commands.present.iter().map(|&at| format!(" {}", quoted(&format!("{place}/{}", run.sources[at].path))));
    let flags = commands.present.first().map_or_else(String::new, |&at| text(&commands.flags[at]));
    let stdin = if run.stdin.is_empty() { "" } else { " < stdin" };
    format!(
        "{} -g{flags}{} -o program{}\n./program{}{stdin}",
        quoted(&run.linker),
        sources.collect::<String>(),
        text(&commands.link),
        text(&commands.arguments)
    )
}

/// The commands that fetch and run a decompiler.
fn decompiling(decompiler: &Decompiler, name: &str) -> String {
    let version = decompiler.version();
    let mut text = String::new();
    let mut jars = Vec::new();
    for artifact in decompiler.artifacts() {
        text.push_str(&format!(
            "mvn dependency:copy -Dartifact={}:{}:{version} -DoutputDirectory=.\n",
            artifact.group, artifact.name
        ));
        jars.push(format!("{}-{version}.jar", artifact.name));
    }
    let input = quoted(&format!("input/{name}"));
    let java = format!("java -cp {}", jars.join(":"));
    text.push_str(&match (decompiler.main_class(), decompiler.name()) {
        (None, _) => format!("{java} Decompile.java {input} decompiled\n"),
        (Some(main), "cfr") => format!("{java} {main} {input} --outputdir decompiled\n"),
        (Some(main), _) => format!("{java} {main} {input} decompiled\n"),
    });
    text + "javac -d classes $(find decompiled -name '*.java')"
}

/// The jars of a decompiler with their paths in Maven's repository.
fn repository(decompiler: &Decompiler, jars: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
    let version = decompiler.version();
    let place = |artifact: &lapidary_java_workers::Artifact| {
        let (group, name) = (artifact.group.replace('.', "/"), artifact.name);
        PathBuf::from(format!("{group}/{name}/{version}/{name}-{version}.jar"))
    };
    jars.iter().cloned().zip(decompiler.artifacts().iter().map(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::{Baseline, SourceFile};
    use super::*;

    fn contents(how: How) -> Contents {
        let reproduction = Reproduction { how, ..Reproduction::default() };
        Contents::of(&reproduction, &FileTree::file("in.txt", "x"))
    }

    #[test]
    fn a_script_that_could_check_nothing_is_not_written() {
        let words = vec!["cat".to_owned(), "{}".to_owned()];
        let run = TestRun { words, preserve: "exit,stdout".into(), ..TestRun::default() };
        let checked = contents(How::Test(TestRun {
            baseline: Some(Baseline { exit: Some(0), ..Baseline::default() }),
            ..run.clone()
        }));
        assert!(checked.script.is_some_and(|script| script.contains("exit code $status instead of 0")));
        assert!(checked.missing.iter().any(|line| line.starts_with("the standard output")), "{:?}", checked.missing);
        for baseline in [None, Some(Baseline::default())] {
            let unchecked = contents(How::Test(TestRun { baseline, ..run.clone() }));
            assert_eq!(unchecked.script, None);
            assert!(unchecked.missing.iter().any(|line| line.starts_with("reproduce.sh: ")), "{:?}", unchecked.missing);
        }
    }

    #[test]
    fn secrets_stay_out_of_every_command() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let source = SourceFile {
            path: "in.txt".into(),
            compiler: "gcc".into(),
            flags: words(&["-DURL=https://me:5eCr3t@host/"]),
        };
        let program = ProgramRun {
            sources: vec![source],
            link: words(&["--secret=5eCr3t"]),
            arguments: words(&["--token", "5eCr3t"]),
            ..ProgramRun::default()
        };
        let analysis = AnalysisRun {
            command: "ask --api-key '5eCr3t' {out}".into(),
            arguments: words(&["--password=5eCr3t"]),
            ..AnalysisRun::default()
        };
        for how in [How::Program(program), How::Analysis(analysis)] {
            let contents = contents(how);
            let texts = contents.entries.values().filter_map(|entry| match entry {
                Entry::File { content, .. } => Some(String::from_utf8_lossy(content).into_owned()),
                _ => None,
            });
            let texts = texts.chain(contents.script.clone()).chain([contents.command.clone()]).collect::<String>();
            assert!(texts.contains(secrets::HIDDEN) && !texts.contains("5eCr3t"), "{texts}");
            assert!(contents.missing.iter().any(|line| line.contains("secrets")), "{:?}", contents.missing);
        }
    }
}
