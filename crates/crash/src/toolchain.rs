//! The compiler and linker: finding them, and running them so that one test costs as little as it can.
//!
//! What one C++ test costs is mostly reading the standard headers and linking. So headers are precompiled
//! ([`crate::prefix`]), the objects of files that did not change are kept ([`crate::objects`]), debug information is
//! limited to what names a place, and the fastest linker at hand is used if it can link the original.

use crate::build::{Build, Source};
use crate::error::CrashError;
use crate::linker::{LinkCommand, LinkCommands};
use crate::objects::ObjectStore;
use crate::prefix::{Precompiled, PrefixStore};
use crate::runtime;
use lapidary_predicate::{Ending, Finished, Job, Launch, Limits, Task, run};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Under this name the candidate's directory appears in debug information, so that an object is the same in every job.
pub const CANDIDATE: &str = "/lapidary-candidate";

/// What a candidate was compiled to.
pub enum Compiled {
    Program(PathBuf),
    /// It is no valid program; the compiler says why.
    Rejected(String),
    TimedOut,
}

/// Which precompiled headers will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exactness {
    /// Those that the candidate begins with, or none.
    Exact,
    /// Those and more: what compiles may be a candidate that lacks a header.
    Borrowing,
}

pub struct Toolchain {
    build: Build,
    compilers: BTreeMap<bool, PathBuf>,
    runtime: PathBuf,
    pub(crate) linker: Option<&'static str>,
    /// Whether local variables start out filled with a pattern.
    pub(crate) fill_memory: bool,
    /// Errors that C has and the compiler, unasked, only warns of. Who leaves out a declaration fails by accident.
    strict: Vec<&'static str>,
    objects: ObjectStore,
    prefixes: PrefixStore,
    links: LinkCommands,
}

impl Toolchain {
    /// Finds the compilers that the tree needs, and compiles what is linked into every candidate.
    pub fn new(build: Build, tree: &FileTree, scratch: &Path) -> Result<Self, CrashError> {
        let sources = build.sources_of(tree);
        if sources.is_empty() {
            return Err(CrashError::NoSource(tree.name().into()));
        }
        let mut compilers = BTreeMap::new();
        for source in &sources {
            let is_cpp = build.is_cpp(source);
            compilers.insert(is_cpp, find_compiler(&build, is_cpp)?);
        }
        let any = compilers.values().next().expect("one for each source");
        let runtime = runtime::object(any, &build, scratch)?;
        let linker = if build.all_flags().any(|flag| flag.starts_with("-fuse-ld")) { None } else { fastest_linker() };
        let make = |path: PathBuf| {
            std::fs::create_dir_all(&path).map(|()| path.clone()).map_err(|error| CrashError::Write(path, error))
        };
        let objects = ObjectStore::new(make(scratch.join("objects"))?);
        let prefixes = PrefixStore::new(make(scratch.join("prefixes"))?);
        let strict = [&STRICT[..], &[STRICT_EVERYWHERE]].concat();
        let links = LinkCommands::default();
        Ok(Toolchain { build, compilers, runtime, linker, fill_memory: false, strict, objects, prefixes, links })
    }

    /// Compiles the original, once, and gives up what it cannot stand: strictness that it does not meet, a linker that
    /// cannot link it.
    pub fn calibrate(&mut self, tree: &FileTree, job: &Job, cancel: &Cancel) -> Result<Compiled, CrashError> {
        loop {
            let errors = match self.compile(tree, job, Exactness::Exact, cancel)?.0 {
                Compiled::Program(path) => return Ok(Compiled::Program(path)),
                Compiled::Rejected(errors) => errors,
                Compiled::TimedOut => format!("the compiler took more than {} s", self.build.timeout.as_secs()),
            };
            let too_strict = |name: &&str| errors.contains(&format!("-Werror={name}"));
            let before = self.strict.len();
            self.strict.retain(|name| !too_strict(name));
            if self.strict.len() == before && self.linker.take().is_none() {
                return Err(CrashError::DoesNotCompile(errors));
            }
        }
    }

    /// Makes a program of a candidate that is in the job's directory, and says how exactly it was done.
    pub fn compile(
        &self,
        tree: &FileTree,
        job: &Job,
        wanted: Exactness,
        cancel: &Cancel,
    ) -> Result<(Compiled, Exactness), PredicateError> {
        let has_borrowed = AtomicBool::new(false);
        let workshop = Workshop { toolchain: self, tree, job, wanted, has_borrowed: &has_borrowed, cancel };
        let compiled = workshop.program(&self.build.sources_of(tree))?;
        let exactness = if has_borrowed.into_inner() { Exactness::Borrowing } else { Exactness::Exact };
        Ok((compiled, exactness))
    }
}

/// One candidate on its way to a program.
struct Workshop<'a> {
    toolchain: &'a Toolchain,
    tree: &'a FileTree,
    job: &'a Job,
    wanted: Exactness,
    has_borrowed: &'a AtomicBool,
    cancel: &'a Cancel,
}

impl Workshop<'_> {
    fn program(&self, sources: &[Source]) -> Result<Compiled, PredicateError> {
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
        self.link(&paths, sources.iter().any(|source| self.is_cpp(source)))
    }

    /// Several files, on several cores, those that did not change taken from the store.
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
        std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
    }

    fn stored_object(&self, source: &Source, number: usize) -> Result<Compiled, PredicateError> {
        let store = &self.toolchain.objects;
        let flags = self.flags(source).into_iter().filter(|flag| !flag.starts_with("-fdebug-prefix-map"));
        let identity = Source { path: source.path.clone(), flags: flags.collect() };
        if let Some(object) = store.find(&identity, self.tree) {
            return Ok(Compiled::Program(object));
        }
        let dependencies = self.job.temporary().join(format!("{number}.d"));
        let flags = [OsString::from("-MD"), "-MF".into(), dependencies.clone().into()];
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
        let mut arguments: Vec<OsString> = self.flags(source).into_iter().map(OsString::from).collect();
        let mut exactness = Exactness::Exact;
        if self.is_cpp(source)
            && let Some(header) = self.precompiled(source, &arguments)?
        {
            exactness = header.exactness;
            arguments.splice(0..0, header.flags());
        }
        if exactness == Exactness::Borrowing {
            self.has_borrowed.store(true, Ordering::Relaxed);
        }
        arguments.extend(more.iter().cloned());
        arguments.extend(["-c".into(), source.path.clone().into(), "-o".into(), object.clone().into()]);
        let finished = self.run(self.is_cpp(source), &arguments)?;
        Ok((self.outcome(&finished, object), exactness))
    }

    fn precompiled(&self, source: &Source, flags: &[OsString]) -> Result<Option<Precompiled>, PredicateError> {
        let make = |arguments: &[OsString]| Ok(self.run(true, arguments)?.ending == Ending::Exited(0));
        self.toolchain.prefixes.header(source, self.tree, self.wanted, flags, make)
    }

    fn flags(&self, source: &Source) -> Vec<String> {
        let Toolchain { build, strict, fill_memory, .. } = self.toolchain;
        let mut flags = vec!["-O0".to_owned()];
        let given = build.flags.iter().chain(&source.flags).filter(|flag| !is_ours(flag));
        flags.extend(given.cloned());
        if let Some(origin) = &build.origin {
            // A header that is not part of the candidate is where it was.
            let beside = source.path.parent().filter(|_| self.tree.is_directory());
            flags.push(format!("-iquote{}", origin.join(beside.unwrap_or(Path::new(""))).display()));
        }
        if build.all_flags().any(is_sanitizing) {
            flags.push("-fno-sanitize-recover=all".into());
        }
        let is_cpp = self.is_cpp(source);
        let names = strict.iter().filter(|name| !is_cpp || **name == STRICT_EVERYWHERE);
        flags.extend(names.map(|name| format!("-Werror={name}")));
        flags.extend(fill_memory.then(|| "-ftrivial-auto-var-init=pattern".into()));
        flags.push(format!("-fdebug-prefix-map={}={CANDIDATE}", self.root().display()));
        flags.extend(["-g1", "-gno-strict-dwarf", "-fno-omit-frame-pointer", "-pipe"].map(String::from));
        flags
    }

    fn link(&self, objects: &[PathBuf], cpp: bool) -> Result<Compiled, PredicateError> {
        let program = self.job.temporary().join("program");
        if let Some(command) = self.link_command(objects, &program, cpp)? {
            let finished = self.execute(&command.program, &command.arguments(objects, &program))?;
            if finished.ending == Ending::Exited(0) {
                return Ok(Compiled::Program(program));
            }
        }
        // What cannot be linked is explained by the compiler.
        let finished = self.run(cpp, &self.link_arguments(objects, &program))?;
        Ok(self.outcome(&finished, program))
    }

    fn link_command(
        &self,
        objects: &[PathBuf],
        program: &Path,
        cpp: bool,
    ) -> Result<Option<Arc<LinkCommand>>, PredicateError> {
        let language = if cpp { "c++" } else { "c" };
        let flags = [self.link_arguments(&[], Path::new("")), vec![language.into()]].concat();
        self.toolchain.links.get(flags, || {
            let arguments = [vec!["-###".into()], self.link_arguments(objects, program)].concat();
            let said = self.run(cpp, &arguments)?.stderr.head;
            Ok(LinkCommand::of(&String::from_utf8_lossy(&said), self.toolchain.linker, objects, program))
        })
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

    fn is_cpp(&self, source: &Source) -> bool {
        self.toolchain.build.is_cpp(source)
    }

    fn run(&self, cpp: bool, arguments: &[OsString]) -> Result<Finished, PredicateError> {
        let compilers = &self.toolchain.compilers;
        self.execute(compilers.get(&cpp).or_else(|| compilers.values().next()).expect("there is one"), arguments)
    }

    fn execute(&self, program: &Path, arguments: &[OsString]) -> Result<Finished, PredicateError> {
        let environment = [("LC_ALL".into(), "C".into())];
        let launch = Launch {
            program,
            arguments,
            directory: &self.root(),
            temporary: self.job.temporary(),
            environment: &environment,
            marker: &self.job.marker,
            limits: &Limits::default(),
        };
        run(&Task { launch, stdin: None, timeout: self.toolchain.build.timeout, keep: 1 << 16 }, self.cancel)
    }

    fn outcome(&self, finished: &Finished, made: PathBuf) -> Compiled {
        match finished.ending {
            Ending::Exited(0) => Compiled::Program(made),
            Ending::TimedOut(_) => Compiled::TimedOut,
            ending => Compiled::Rejected(self.errors(&finished.stderr.head, ending)),
        }
    }

    /// The first lines of what a compiler complains of.
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

    /// The directory the compiler works in: the candidate itself, or what it lies in if it is a file.
    fn root(&self) -> PathBuf {
        root(self.tree, self.job)
    }
}

/// Where the paths of a candidate's files start.
pub fn root(tree: &FileTree, job: &Job) -> PathBuf {
    if tree.is_directory() { job.directory().join(tree.name()) } else { job.directory().to_path_buf() }
}

pub fn is_sanitizing(flag: &str) -> bool {
    flag.starts_with("-fsanitize=")
}

const STRICT: [&str; 4] =
    ["implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types"];
/// The same for both languages. What a variable holds that was never set is an accident.
const STRICT_EVERYWHERE: &str = "uninitialized";

fn take<'a>(next: &AtomicUsize, sources: &'a [Source]) -> Option<(usize, &'a Source)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    sources.get(number).map(|source| (number, source))
}

/// Flags that are ours to decide. What the user's warnings are is no concern of a test's.
fn is_ours(flag: &str) -> bool {
    let debug = flag.strip_prefix("-g").is_some_and(|level| level.len() <= 1 || level.starts_with("gdb"));
    debug || flag == "-w" || flag == "-Werror" || flag.starts_with("-Werror=") || flag == "-s" || flag.starts_with("-l")
}

/// Flags of the compilation that the linker must see too.
fn is_for_linking(flag: &str) -> bool {
    const PREFIXES: [&str; 11] =
        ["-l", "-L", "-fsanitize", "-static", "-pthread", "-m", "--target", "-no-pie", "-pie", "-flto", "-fopenmp"];
    flag.starts_with("--sysroot")
        || flag.starts_with("-stdlib")
        || PREFIXES.iter().any(|prefix| flag.starts_with(prefix))
}

pub(crate) fn find_compiler(build: &Build, cpp: bool) -> Result<PathBuf, CrashError> {
    let named = build.compiler.as_deref().unwrap_or("gcc");
    let name = match &build.cpp_compiler {
        Some(name) if cpp => name.clone(),
        _ if cpp => for_cpp(named),
        _ => for_c(named),
    };
    let here = std::env::current_dir().unwrap_or_default();
    let found = lapidary_predicate::resolve(name.as_ref(), &here);
    found.map_err(|_| CrashError::NoCompiler { package: package(&name), compiler: name })
}

/// The sibling of a C compiler that links C++: gcc-12 and g++-12, clang and clang++.
fn for_cpp(name: &str) -> String {
    let (directory, file) = name.rsplit_once('/').map_or(("", name), |(directory, file)| (directory, file));
    let sibling = match file {
        "cc" => "c++".to_owned(),
        "tcc" => file.to_owned(),
        _ if file.contains("++") => file.to_owned(),
        _ if file.contains("clang") => file.replacen("clang", "clang++", 1),
        _ => file.replacen("gcc", "g++", 1),
    };
    if directory.is_empty() { sibling } else { format!("{directory}/{sibling}") }
}

fn for_c(name: &str) -> String {
    let (directory, file) = name.rsplit_once('/').map_or(("", name), |(directory, file)| (directory, file));
    let sibling =
        if file == "c++" { "cc".into() } else { file.replacen("clang++", "clang", 1).replacen("g++", "gcc", 1) };
    if directory.is_empty() { sibling } else { format!("{directory}/{sibling}") }
}

fn package(compiler: &str) -> String {
    let file = compiler.rsplit('/').next().unwrap_or(compiler);
    match file {
        "gcc" | "cc" => "the package gcc".into(),
        "g++" | "c++" => "the package g++".into(),
        _ if file.starts_with("clang") => format!("the package {}", file.replacen("++", "", 1)),
        _ => "the package that has it".into(),
    }
}

fn fastest_linker() -> Option<&'static str> {
    let installed = |name: &&str| lapidary_predicate::resolve(format!("ld.{name}").as_ref(), Path::new("/")).is_ok();
    ["mold", "lld", "gold"].into_iter().find(installed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_has_a_sibling_for_the_other_language() {
        assert_eq!(for_cpp("gcc-12"), "g++-12");
        assert_eq!(for_cpp("/opt/gcc/bin/gcc"), "/opt/gcc/bin/g++");
        assert_eq!(for_cpp("clang-19"), "clang++-19");
        assert_eq!(for_cpp("g++"), "g++");
        assert_eq!(for_c("clang++-19"), "clang-19");
        assert_eq!(for_c("/usr/bin/c++"), "/usr/bin/cc");
    }

    #[test]
    fn debug_flags_are_ours_and_others_are_not() {
        let ours = ["-g", "-g3", "-ggdb3", "-w", "-Werror", "-Werror=all"];
        assert!(ours.iter().all(|flag| is_ours(flag)));
        assert!(["-gdwarf-4", "-Wall", "-O2", "-std=c99"].iter().all(|flag| !is_ours(flag)));
    }
}
