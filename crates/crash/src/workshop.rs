//! Turns one candidate into a program: compiles, assembles and links it.

use crate::build::Source;
use crate::compile_server::{Answer, Order};
use crate::disturbance::{Try, is_killed, undisturbed};
use crate::flags::{STRICT_EVERYWHERE, is_for_linking, is_ours, is_prefix_map, is_read_first, is_sanitizing};
use crate::instances::Instances;
use crate::linker::LinkCommand;
use crate::prefix::Precompiled;
use crate::toolchain::{CANDIDATE, Compiled, Exactness, Toolchain};
use lapidary_clang::Language;
use lapidary_predicate::{Ending, Finished, Job, Kills, Launch, Task, run};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The context for compiling, assembling and linking one candidate.
pub struct Workshop<'a> {
    toolchain: &'a Toolchain,
    tree: &'a FileTree,
    job: &'a Job,
    wanted: Exactness,
    pub has_borrowed: AtomicBool,
    cancel: &'a Cancel,
}

impl<'a> Workshop<'a> {
    pub fn new(
        toolchain: &'a Toolchain,
        tree: &'a FileTree,
        job: &'a Job,
        wanted: Exactness,
        cancel: &'a Cancel,
    ) -> Workshop<'a> {
        Workshop { toolchain, tree, job, wanted, has_borrowed: AtomicBool::new(false), cancel }
    }

    /// Compiles a text to an object in the way the source is compiled. Returns whether that
    /// succeeded.
    pub fn instances(&self, source: &Source, text: &str, object: &Path) -> Result<bool, PredicateError> {
        let file = object.with_extension("cpp");
        if std::fs::write(&file, text).is_err() {
            return Ok(false);
        }
        let mut arguments: Vec<OsString> = self.flags(source).into_iter().map(OsString::from).collect();
        // Lines in the library do not matter, and debug information takes long to link.
        arguments.extend(["-g0".into(), "-c".into(), file.into(), "-o".into(), object.into()]);
        Ok(self.run(Language::Cpp, &arguments)?.ending == Ending::Exited(0))
    }

    pub fn program(&self, sources: &[Source]) -> Result<Compiled, PredicateError> {
        let objects = match sources {
            [only] => vec![self.object(only, 0, &[])?.0],
            _ => self.objects(sources)?,
        };
        let mut paths = Vec::new();
        for object in objects {
            match object {
                Compiled::Program(path) => paths.push(path),
                other => return Ok(other),
            }
        }
        let language = sources.iter().map(|source| self.language(source)).max().unwrap_or_default();
        let shared = self.toolchain.instances.iter().filter(|_| language.is_cpp() && self.wanted > Exactness::Plain);
        paths.extend(shared.map(|instances| instances.object.clone()));
        self.link(&paths, language)
    }

    /// Compiles several files on several cores. Objects of unchanged files are taken from the
    /// store.
    fn objects(&self, sources: &[Source]) -> Result<Vec<Compiled>, PredicateError> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(BTreeMap::new());
        let work = || {
            while let Some((number, source)) = take(&next, sources) {
                let result = self.stored_object(source, number);
                results.lock().unwrap_or_else(PoisonError::into_inner).insert(number, result);
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(sources.len());
        std::thread::scope(|scope| {
            // If the system has no thread to spare, this one compiles everything.
            (1..threads).for_each(|_| _ = std::thread::Builder::new().spawn_scoped(scope, work));
            work();
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
    }

    fn stored_object(&self, source: &Source, number: usize) -> Result<Compiled, PredicateError> {
        // Stored objects may have been compiled in other ways.
        if self.wanted == Exactness::Plain {
            return Ok(self.object(source, number, &[])?.0);
        }
        let store = &self.toolchain.objects;
        let flags = self.flags(source).into_iter().filter(|flag| !is_prefix_map(flag.as_ref()));
        let identity = Source { path: source.path.clone(), flags: flags.collect() };
        if let Some(object) = store.find(&identity, self.tree) {
            return Ok(Compiled::Program(object));
        }
        // The file lies beside the candidate, whatever its directory is.
        let name = format!("lapidary-{number}.d");
        let dependencies = self.job.directory().join(&name);
        let flags = [OsString::from("-MD"), "-MF".into(), Path::new("..").join(name).into()];
        Ok(match self.object(source, number, &flags)? {
            (Compiled::Program(object), Exactness::Exact) => {
                Compiled::Program(store.keep(&identity, self.tree, &object, &dependencies))
            }
            (other, _) => other,
        })
    }

    fn object(
        &self,
        source: &Source,
        number: usize,
        more: &[OsString],
    ) -> Result<(Compiled, Exactness), PredicateError> {
        let object = self.job.temporary().join(format!("{number}.o"));
        let flags: Vec<OsString> = self.flags(source).into_iter().map(OsString::from).collect();
        let plain = [&flags, more].concat();
        if self.wanted == Exactness::Plain {
            return Ok((self.driven_object(source, plain, object)?, Exactness::Plain));
        }
        // A file that is read first, and may be part of the candidate, cannot be read once for all
        // candidates.
        if flags.iter().any(|flag| is_read_first(flag)) {
            return Ok((self.driven_object(source, plain, object)?, Exactness::Exact));
        }
        let header = self.header(source, &flags)?;
        let exactness = header.as_ref().map_or(Exactness::Exact, |header| header.exactness);
        let mut arguments = plain.clone();
        arguments.splice(0..0, header.iter().flat_map(Precompiled::flags));
        if let Some(compiled) = self.served_object(source, &arguments, &object)? {
            self.note(exactness);
            return Ok((compiled, exactness));
        }
        // A header that is not precompiled saves the driver nothing.
        let (arguments, exactness) =
            if self.language(source).is_cpp() { (arguments, exactness) } else { (plain, Exactness::Exact) };
        self.note(exactness);
        Ok((self.driven_object(source, arguments, object)?, exactness))
    }

    /// Makes an object with the driver, which calls the compiler and the assembler.
    fn driven_object(
        &self,
        source: &Source,
        mut arguments: Vec<OsString>,
        object: PathBuf,
    ) -> Result<Compiled, PredicateError> {
        arguments.extend(["-c".into(), source.path.clone().into(), "-o".into(), object.clone().into()]);
        let finished = self.run(self.language(source), &arguments)?;
        Ok(self.outcome(&finished, object))
    }

    fn note(&self, exactness: Exactness) {
        if exactness == Exactness::Borrowing {
            self.has_borrowed.store(true, Ordering::Relaxed);
        }
    }

    /// Makes an object with a compiler that has already read the headers.
    fn served_object(
        &self,
        source: &Source,
        arguments: &[OsString],
        object: &Path,
    ) -> Result<Option<Compiled>, PredicateError> {
        let Some(servers) = &self.toolchain.servers else { return Ok(None) };
        let language = self.language(source);
        let flags: Vec<OsString> = arguments.iter().filter(|flag| !is_prefix_map(flag)).cloned().collect();
        let assembly = object.with_extension("s");
        let timeout = self.toolchain.build.timeout;
        let (tree, job) = (self.tree, self.job);
        let order = Order { tree, source, language, flags: &flags, job, assembly: &assembly, timeout };
        let ask = |arguments: &[OsString]| {
            Ok(String::from_utf8_lossy(&self.run(language, arguments)?.stderr.head).into_owned())
        };
        Ok(match servers.compile(&order, ask, self.cancel)? {
            None => None,
            Some(Answer::TimedOut) => Some(Compiled::TimedOut),
            Some(Answer::Rejected(errors)) => Some(Compiled::Rejected(self.errors(&errors, Ending::Exited(1)))),
            Some(Answer::Compiled(passes)) => {
                let finished = self.execute(&passes.assembler, &passes.assembling(&assembly, object))?;
                (finished.ending == Ending::Exited(0)).then(|| Compiled::Program(object.to_path_buf()))
            }
        })
    }

    fn header(&self, source: &Source, flags: &[OsString]) -> Result<Option<Precompiled>, PredicateError> {
        let precompile = |arguments: &[OsString]| Ok(self.run(Language::Cpp, arguments)?.ending == Ending::Exited(0));
        let make =
            |arguments: &[OsString]| if self.language(source).is_cpp() { precompile(arguments) } else { Ok(true) };
        let shared = self.toolchain.instances.as_ref().filter(|_| self.language(source).is_cpp());
        let shared = shared.map(Instances::declarations).unwrap_or_default();
        self.toolchain.prefixes.header(source, self.tree, self.wanted, flags, &shared, make)
    }

    fn flags(&self, source: &Source) -> Vec<String> {
        let Toolchain { build, strict, fill_memory, follow_steps, .. } = self.toolchain;
        let mut flags = vec!["-O0".to_owned()];
        let given = build.flags.iter().chain(&source.flags).filter(|flag| !is_ours(flag));
        flags.extend(given.cloned());
        if let Some(origin) = &build.origin {
            // A header that is not part of the candidate is in its original place.
            let beside = source.path.parent().filter(|_| self.tree.is_directory());
            flags.push(format!("-iquote{}", origin.join(beside.unwrap_or(Path::new(""))).display()));
        }
        if build.all_flags().any(is_sanitizing) {
            flags.push("-fno-sanitize-recover=all".into());
        }
        let is_cpp = self.language(source).is_cpp();
        let names = strict.iter().filter(|name| !is_cpp || STRICT_EVERYWHERE.contains(name));
        flags.extend(names.map(|name| format!("-Werror={name}")));
        let is_filled = *fill_memory && self.wanted > Exactness::Plain;
        flags.extend(is_filled.then(|| "-ftrivial-auto-var-init=pattern".into()));
        flags.push(format!("-fdebug-prefix-map={}={CANDIDATE}", self.root().display()));
        let is_followed = *follow_steps && self.wanted > Exactness::Plain;
        flags.extend(is_followed.then(|| "-fsanitize-coverage=trace-pc".into()));
        // Naming variables takes full debug information; naming lines takes little.
        flags.push(if is_followed { "-g" } else { "-g1" }.into());
        flags.extend(["-gno-strict-dwarf", "-fno-omit-frame-pointer", "-pipe"].map(String::from));
        flags
    }

    fn link(&self, objects: &[PathBuf], language: Language) -> Result<Compiled, PredicateError> {
        let program = self.job.temporary().join("program");
        if let Some(command) = self.link_command(objects, &program, language)? {
            let finished = self.execute(&command.program, &command.arguments(objects, &program))?;
            if finished.ending == Ending::Exited(0) {
                return Ok(Compiled::Program(program));
            }
        }
        // If linking fails, let the compiler explain why.
        let finished = self.run(language, &self.link_arguments(objects, &program))?;
        Ok(self.outcome(&finished, program))
    }

    fn link_command(
        &self,
        objects: &[PathBuf],
        program: &Path,
        language: Language,
    ) -> Result<Option<Arc<LinkCommand>>, PredicateError> {
        let name = if language.is_cpp() { "c++" } else { "c" };
        let flags = [self.link_arguments(&[], Path::new("")), vec![name.into()]].concat();
        self.toolchain.links.get(flags, || {
            let arguments = [vec!["-###".into()], self.link_arguments(objects, program)].concat();
            let said = self.run(language, &arguments)?.stderr.head;
            let command = LinkCommand::of(&String::from_utf8_lossy(&said), self.toolchain.linker, objects, program);
            let Some(command) = command else { return Ok(None) };
            Ok(Some(self.faster(&command, objects, program)?.unwrap_or(command)))
        })
    }

    /// Returns a command that makes the same program in less time.
    fn faster(
        &self,
        command: &LinkCommand,
        objects: &[PathBuf],
        program: &Path,
    ) -> Result<Option<LinkCommand>, PredicateError> {
        let number = self.toolchain.library_places.fetch_add(1, Ordering::Relaxed);
        let Some(other) = command.with_libraries_in(&self.toolchain.libraries.join(number.to_string())) else {
            return Ok(None);
        };
        let mut made = Vec::new();
        for command in [command, &other] {
            let finished = self.execute(&command.program, &command.arguments(objects, program))?;
            made.push(std::fs::read(program).ok().filter(|_| finished.ending == Ending::Exited(0)));
        }
        Ok((made[0].is_some() && made[0] == made[1]).then_some(other))
    }

    fn link_arguments(&self, objects: &[PathBuf], program: &Path) -> Vec<OsString> {
        let Toolchain { build, runtime, linker, .. } = self.toolchain;
        let mut arguments: Vec<OsString> = objects.iter().map(OsString::from).collect();
        arguments.push(runtime.into());
        let own = build.sources.iter().flat_map(|source| &source.flags);
        let given = build.flags.iter().chain(own).filter(|flag| is_for_linking(flag));
        let for_linker = build.link_flags.iter().filter(|flag| *flag != "-s");
        arguments.extend(given.chain(for_linker).map(OsString::from));
        arguments.extend(linker.map(|name| format!("-fuse-ld={name}").into()));
        arguments.extend(["-ldl".into(), "-o".into(), program.into()]);
        arguments
    }

    fn language(&self, source: &Source) -> Language {
        self.toolchain.build.language(source)
    }

    fn run(&self, language: Language, arguments: &[OsString]) -> Result<Finished, PredicateError> {
        let compilers = &self.toolchain.compilers;
        self.execute(compilers.get(&language).or_else(|| compilers.values().next()).expect("there is one"), arguments)
    }

    fn execute(&self, program: &Path, arguments: &[OsString]) -> Result<Finished, PredicateError> {
        let environment = [("LC_ALL".into(), "C".into())];
        let root = self.root();
        let launch =
            Launch { directory: &root, environment: &environment, ..Launch::in_job(self.job, program, arguments) };
        let task = Task { launch, stdin: None, timeout: self.toolchain.build.timeout, keep: 1 << 16 };
        undisturbed(&program.display().to_string(), self.cancel, || {
            let kills = Kills::so_far();
            let finished = run(&task, self.cancel)?;
            let is_killed = is_killed(finished.ending, &finished.stderr.head, &kills);
            Ok(if is_killed { Try::Killed(finished) } else { Try::Done(finished) })
        })
    }

    fn outcome(&self, finished: &Finished, made: PathBuf) -> Compiled {
        match finished.ending {
            Ending::Exited(0) => Compiled::Program(made),
            Ending::TimedOut(_) => Compiled::TimedOut,
            ending => Compiled::Rejected(self.errors(&finished.stderr.head, ending)),
        }
    }

    /// Returns the first lines of the compiler's complaints.
    fn errors(&self, output: &[u8], ending: Ending) -> String {
        const SHOWN: usize = 12;
        let text = String::from_utf8_lossy(output);
        let place = format!("{}/", self.job.temporary().display());
        let own = format!("{CANDIDATE}/");
        let telling = |line: &&str| !line.contains("collect2:") && !line.starts_with("make:");
        let lines: Vec<String> =
            text.lines().filter(telling).map(|line| line.replace(&place, "").replace(&own, "")).collect();
        let start = lines.iter().position(|line| line.contains("error") || line.contains("undefined")).unwrap_or(0);
        match lines.is_empty() {
            true => ending.to_string(),
            false => lines[start..].iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n"),
        }
    }

    /// Returns the compiler's working directory: the candidate itself, or the directory that
    /// contains it if it is a file.
    fn root(&self) -> PathBuf {
        root(self.tree, self.job)
    }
}

/// Returns the directory that the paths of a candidate's files are relative to.
pub fn root(tree: &FileTree, job: &Job) -> PathBuf {
    if tree.is_directory() { job.directory().join(tree.name()) } else { job.directory().to_path_buf() }
}

fn take<'a>(next: &AtomicUsize, sources: &'a [Source]) -> Option<(usize, &'a Source)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    sources.get(number).map(|source| (number, source))
}
