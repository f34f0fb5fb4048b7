//! The compiler and linker, called so that one test costs as little as it can.
//!
//! What a test costs is mostly starting the compiler, reading the standard headers, and linking. So headers are read once
//! ([`crate::prefix`]) by a compiler that stays ([`crate::compile_server`]), the objects of files that did not change are
//! kept ([`crate::objects`]), so are functions of the library ([`crate::instances`]), debug information is limited to what
//! names a place, and the fastest linker at hand is used if it can link the original.

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
use lapidary_predicate::{Job, Scratch};
use lapidary_reduce::{Cancel, FileTree, PredicateError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// Under this name the candidate's directory appears in debug information, so that an object is the same in every job.
pub const CANDIDATE: &str = "/lapidary-candidate";

/// What a candidate was compiled to.
pub enum Compiled {
    Program(PathBuf),
    /// It is no valid program; the compiler says why.
    Rejected(String),
    TimedOut,
}

/// How a candidate may be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exactness {
    /// As its user would do it.
    Plain,
    /// With the headers that it begins with read beforehand.
    Exact,
    /// With those and more: what compiles may be a candidate that lacks a header.
    Borrowing,
}

pub struct Toolchain {
    pub(crate) build: Build,
    pub(crate) compilers: BTreeMap<bool, PathBuf>,
    pub(crate) runtime: PathBuf,
    pub(crate) linker: Option<&'static str>,
    /// Whether local variables start out filled with a pattern.
    pub(crate) fill_memory: bool,
    /// Whether the program calls a function of ours at the start of every block.
    pub(crate) follow_steps: bool,
    /// Errors that C has and the compiler, unasked, only warns of. Who leaves out a declaration fails by accident.
    pub(crate) strict: Vec<&'static str>,
    pub(crate) objects: ObjectStore,
    pub(crate) prefixes: PrefixStore,
    pub(crate) links: LinkCommands,
    /// Where linkers find libraries, a directory for each way to link.
    pub(crate) libraries: PathBuf,
    pub(crate) library_places: AtomicUsize,
    pub(crate) servers: Option<CompileServers>,
    pub(crate) instances: Option<Instances>,
}

impl Toolchain {
    /// Finds the compilers that the tree needs, and compiles what is linked into every candidate.
    pub fn new(build: Build, tree: &FileTree, scratch: &Arc<Scratch>) -> Result<Self, CrashError> {
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
        let runtime = runtime::object(any, &build, scratch.path())?;
        // Without them it only takes longer.
        let library = runtime::compile_server(any, scratch.path()).ok();
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

    /// Compiles the original, once, and gives up what it cannot stand: strictness that it does not meet, a linker that
    /// cannot link it.
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

    /// Gives up what candidates have in common and what makes it faster to compile them.
    pub fn compile_plainly(&mut self) {
        self.instances = None;
        self.objects.forget();
        self.servers = None;
    }

    /// Compiles what all candidates will have in common with this program, if there is anything.
    pub fn share_instances(
        &mut self,
        program: &Path,
        tree: &FileTree,
        job: &Job,
        cancel: &Cancel,
    ) -> Result<(), PredicateError> {
        let sources = self.build.sources_of(tree);
        let Some(source) = sources.iter().find(|source| self.build.is_cpp(source)) else { return Ok(()) };
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

    /// Makes a program of a candidate that is in the job's directory, and says how exactly it was done.
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
