//! The compiler and linker, called so that one test costs as little as possible.
//!
//! Most of the cost of a test is starting the compiler, reading the standard headers, and linking.
//! Therefore:
//!
//! - headers are read once ([`crate::prefix`]) by a compiler that stays running
//!   ([`crate::compile_server`]);
//! - objects of unchanged files are kept ([`crate::objects`]), and so are functions of the library
//!   ([`crate::instances`]);
//! - debug information is limited to what is needed to name a place;
//! - the fastest available linker is used if it can link the original.

use crate::build::Build;
use crate::compile_server::CompileServers;
use crate::compilers::find_compiler;
use crate::error::CrashError;
use crate::flags::{STRICT, STRICT_EVERYWHERE};
use crate::instances::{Instances, definitions, shared_classes};
use crate::leading::prefix;
use crate::linker::{LinkCommands, fastest_linker};
use crate::objects::ObjectStore;
use crate::prefix::PrefixStore;
use crate::runtime;
use crate::workshop::Workshop;
use lapidary_clang::Language;
use lapidary_predicate::{Job, Scratch};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// The name of the candidate's directory in debug information, so that an object is the same in
/// every job.
pub const CANDIDATE: &str = "/lapidary-candidate";

/// The result of compiling a candidate.
pub enum Compiled {
    Program(PathBuf),
    /// The candidate is not a valid program; the text is the compiler's output.
    Rejected(String),
    TimedOut,
}

/// How closely a compilation must match the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exactness {
    /// By the compiler's driver, as the user would, with nothing kept from other candidates.
    Plain,
    /// With precompiled versions of the headers that it begins with.
    Exact,
    /// With those and further headers. A candidate that lacks a header may compile.
    Borrowing,
}

pub struct Toolchain {
    pub(crate) build: Build,
    pub(crate) compilers: BTreeMap<Language, PathBuf>,
    pub(crate) runtime: PathBuf,
    pub(crate) linker: Option<&'static str>,
    /// Whether local variables are initialised with a pattern.
    pub(crate) fill_memory: bool,
    /// Whether the program calls our runtime at the start of each block.
    pub(crate) follow_steps: bool,
    /// Warnings of the C compiler for what the language forbids. They are made errors, since a
    /// program without a declaration fails only by accident.
    pub(crate) strict: Vec<&'static str>,
    pub(crate) objects: ObjectStore,
    pub(crate) prefixes: PrefixStore,
    pub(crate) links: LinkCommands,
    /// The directory in which linkers find libraries, with a subdirectory for each way to link.
    pub(crate) libraries: PathBuf,
    pub(crate) library_places: AtomicUsize,
    pub(crate) servers: Option<CompileServers>,
    pub(crate) instances: Option<Instances>,
}

impl Toolchain {
    /// Finds the compilers that the tree needs, and compiles the runtime that is linked into every
    /// candidate.
    pub fn new(build: Build, tree: &FileTree, scratch: &Arc<Scratch>) -> Result<Self, CrashError> {
        let sources = build.sources_of(tree);
        if sources.is_empty() {
            return Err(CrashError::NoSource(tree.name().into()));
        }
        let mut compilers = BTreeMap::new();
        for source in &sources {
            let language = build.language(source);
            compilers.insert(language, find_compiler(&build, language)?);
        }
        let any = compilers.values().next().expect("one for each source");
        let runtime = runtime::object(any, &build, scratch.path())?;
        // Servers are optional: without them compiling only takes longer.
        let library = match runtime::compile_server(any, scratch.path()) {
            Err(CrashError::Predicate(killed)) => return Err(killed.into()),
            made => made.ok(),
        };
        let servers = library.and_then(|library| CompileServers::new(library, scratch).ok());
        let linker = if build.all_flags().any(|flag| flag.starts_with("-fuse-ld")) { None } else { fastest_linker() };
        let make = |path: PathBuf| {
            std::fs::create_dir_all(&path).map(|()| path.clone()).map_err(|error| CrashError::Write(path, error))
        };
        let objects = ObjectStore::new(make(scratch.path().join("objects"))?);
        let prefixes = PrefixStore::new(make(scratch.path().join("prefixes"))?);
        let strict = [&STRICT[..], &STRICT_EVERYWHERE].concat();
        Ok(Toolchain {
            build,
            compilers,
            runtime,
            linker,
            fill_memory: false,
            follow_steps: false,
            strict,
            objects,
            prefixes,
            links: LinkCommands::default(),
            libraries: scratch.path().join("libraries"),
            library_places: AtomicUsize::new(0),
            servers,
            instances: None,
        })
    }

    /// Compiles the original, and turns off everything it does not tolerate: strict errors that it
    /// triggers, or a linker that cannot link it.
    pub fn calibrate(&mut self, tree: &FileTree, job: &Job, cancel: &Cancel) -> Result<Compiled, CrashError> {
        loop {
            let errors = match self.compile(tree, job, Exactness::Plain, cancel)?.0 {
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

    /// Stops sharing between candidates and everything else that speeds up compilation.
    pub fn compile_plainly(&mut self) {
        self.instances = None;
        self.objects.forget();
        self.servers = None;
    }

    /// Compiles the library instances that all candidates share with this program, if there are
    /// any.
    pub fn share_instances(
        &mut self,
        program: &Path,
        tree: &FileTree,
        job: &Job,
        cancel: &Cancel,
    ) -> Result<(), PredicateError> {
        let sources = self.build.sources_of(tree);
        let Some(source) = sources.iter().find(|source| self.build.language(source).is_cpp()) else { return Ok(()) };
        let classes = shared_classes(program);
        if self.servers.is_none() || classes.is_empty() {
            return Ok(());
        }
        let workshop = Workshop::new(self, tree, job, Exactness::Plain, cancel);
        let headers = sources.iter().flat_map(|source| prefix(source, tree)).collect::<String>();
        let object = job.temporary().join("instances.o");
        self.instances = workshop
            .instances(source, &(headers + &definitions(&classes)), &object)?
            .then(|| Instances::new(classes, object));
        Ok(())
    }

    /// Compiles and links a candidate in the job's directory. Also returns how exactly this was
    /// done.
    pub fn compile(
        &self,
        tree: &FileTree,
        job: &Job,
        wanted: Exactness,
        cancel: &Cancel,
    ) -> Result<(Compiled, Exactness), PredicateError> {
        let workshop = Workshop::new(self, tree, job, wanted, cancel);
        let compiled = workshop.program(&self.build.sources_of(tree))?;
        let exactness =
            if workshop.has_borrowed.into_inner() { Exactness::Borrowing } else { wanted.min(Exactness::Exact) };
        Ok((compiled, exactness))
    }
}
