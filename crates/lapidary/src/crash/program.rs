//! C and C++ programs to compile and run: single files, or a project with its compile commands.

use super::included::Included;
use crate::error::Result;
use crate::{input, output};
use anyhow::{Context, bail};
use lapidary_clang::Compilation;
use lapidary_clang_model::{Language, Project};
use lapidary_crash::{Build, CompileCommand, Source, is_source, preprocessed, read_compile_commands, split_words};
use lapidary_reduce::{Entry, FileTree};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A program and how it is built.
pub struct Program {
    /// The path that the result is named after.
    pub path: PathBuf,
    /// The sources and headers of the program.
    pub tree: FileTree,
    /// The commands that compile and link the program.
    pub build: Build,
    /// The directory that the paths of the tree are relative to.
    root: PathBuf,
    /// The files on disk that a preprocessed program was made of.
    made_of: Vec<PathBuf>,
    /// Remarks for the user.
    pub(super) notes: Vec<String>,
}

/// How a program is built, in addition to its compile commands.
#[derive(Clone, Debug, Default)]
pub struct Building {
    /// Flags for the compiler. Each text may hold several, which are split as a shell does.
    pub flags: Vec<String>,
    /// Libraries and other flags for the linker. Each text may hold several.
    pub link: Vec<String>,
    /// The compiler; if `None`, that of the compile commands or of the environment.
    pub compiler: Option<String>,
}

impl Program {
    /// A program of one file, or of several that are compiled together.
    pub fn of_files(paths: &[PathBuf], building: &Building) -> Result<Program> {
        Ok(files(paths)?.built_with(building)?)
    }

    /// A program of a project: the directory of compile_commands.json. The named files and the
    /// project's headers make the program; without names, all files of the compile commands do.
    pub fn of_project(directory: &Path, files: &[PathBuf], building: &Building) -> Result<Program> {
        Ok(project(directory, files)?.built_with(building)?)
    }

    /// The preprocessed program, named after its source.
    pub fn preprocessed(self) -> Result<Program> {
        Ok(self.without_directives()?)
    }
}

/// A program of one file, or of several that are compiled together.
fn files(paths: &[PathBuf]) -> anyhow::Result<Program> {
    let [path] = paths else { return several(paths) };
    if path.is_dir() {
        bail!("{} is a directory; name its files, or give a project with -p", path.display());
    }
    let tree = input::read(path)?;
    known_language(path)?;
    let root = directory_of(path)?;
    Ok(Program {
        path: path.clone(),
        tree,
        build: Build { origin: Some(root.clone()), ..Build::default() },
        root,
        made_of: Vec::new(),
        notes: Vec::new(),
    })
}

fn several(paths: &[PathBuf]) -> anyhow::Result<Program> {
    let absolute = paths.iter().map(|path| path.canonicalize().with_context(|| cannot_read(path)));
    let absolute = absolute.collect::<anyhow::Result<Vec<PathBuf>>>()?;
    let root = common_directory(&absolute).context("there is no file to compile")?;
    let headers = Included::by(&absolute, &root);
    let files: Vec<PathBuf> = absolute.iter().chain(&headers.inside).cloned().collect();
    let tree = tree_of(&root, &files)?;
    let sources = absolute
        .iter()
        .filter(|path| is_source(path))
        .map(|path| Source { path: below(&root, path), flags: Vec::new() });
    let build = Build { sources: sources.collect(), origin: Some(root.clone()), ..Build::default() };
    let notes = headers.note(&root).into_iter().collect();
    Ok(Program { path: from_here(&root), tree, build, root, made_of: Vec::new(), notes })
}

/// A program of a project: the named files, or all files of the compile commands, and its headers.
fn project(directory: &Path, files: &[PathBuf]) -> anyhow::Result<Program> {
    let commands = read_compile_commands(directory)?;
    let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let compiled: Vec<PathBuf> = commands.iter().map(|command| place(&command.directory.join(&command.file))).collect();
    let mut wanted = files
        .iter()
        .map(|path| path.canonicalize().with_context(|| format!("cannot read {}", path.display())))
        .collect::<anyhow::Result<Vec<_>>>()?;
    if wanted.is_empty() {
        wanted = compiled.clone();
    }
    if let Some(missing) = wanted.iter().find(|path| is_source(path) && !compiled.contains(path)) {
        bail!("{} is not among the compile commands of {}", missing.display(), directory.display());
    }
    // Only the named files are compiled, because a project can have several programs.
    let sources = common_directory(&compiled).context("there is no file to compile")?;
    let mut places = vec![sources.clone()];
    let around = around(&sources, &place(directory));
    places.extend(include_directories(&commands).into_iter().filter(|path| path.starts_with(around)));
    let root = common_directory(&places).context("there is no file to compile")?;
    let mut with_headers = wanted;
    with_headers.extend(places.iter().flat_map(|place| headers_below(place)));
    with_headers.sort();
    with_headers.dedup();
    let tree = tree_of(&root, &with_headers)?;
    let build = Build::of_project(&commands, &tree, &root);
    Ok(Program { path: from_here(&root), tree, build, root, made_of: Vec::new(), notes: Vec::new() })
}

impl Program {
    /// The path of a file relative to the root of the program; a path outside of it stays as it is.
    pub fn name_of(&self, path: &Path) -> PathBuf {
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        whole.strip_prefix(&self.root).map_or_else(|_| path.to_owned(), Path::to_owned)
    }

    /// The files on disk, none of which may be overwritten.
    pub fn sources(&self) -> Vec<PathBuf> {
        match self.tree.is_directory() {
            _ if !self.made_of.is_empty() => self.made_of.clone(),
            true => self.tree.entries().map(|(path, _)| self.root.join(path)).collect(),
            false => vec![self.path.clone()],
        }
    }

    /// Applies the user's settings for the build.
    fn built_with(mut self, options: &Building) -> anyhow::Result<Program> {
        let here = std::env::current_dir()?;
        let placed = |flags: &[String]| with_paths(flags, &here, |path| self.place(path));
        let (flags, link) = (placed(&words("--flags", &options.flags)?), placed(&words("--link", &options.link)?));
        self.build.flags.extend(flags);
        self.build.link_flags.extend(link);
        self.build.compiler = options.compiler.clone().or(self.build.compiler);
        if self.build.compiler.is_none() {
            // A user who sets only one of the variables expects the default for the other.
            self.build.cpp_compiler = self.compiler_of_the_environment("CXX", Language::Cpp).or(Some("g++".into()));
            self.build.compiler = self.compiler_of_the_environment("CC", Language::C);
        }
        Ok(self)
    }

    /// The compiler that an environment variable names. As in make, words after the name are flags
    /// for files in that language.
    fn compiler_of_the_environment(&mut self, variable: &str, language: Language) -> Option<String> {
        let value = std::env::var(variable).ok()?;
        let arguments = value.split_whitespace().map(String::from).collect();
        let command = CompileCommand { directory: self.root.clone(), file: PathBuf::new(), arguments };
        let compiler = command.compiler()?;
        let flags = command.flags(Path::to_owned);
        if Language::of(Path::new(self.tree.name())) == Some(language) {
            self.build.flags.splice(0..0, flags.iter().cloned());
        }
        let sources = self.build.sources.iter_mut().filter(|source| Language::of(&source.path) == Some(language));
        sources.for_each(|source| _ = source.flags.splice(0..0, flags.iter().cloned()));
        Some(compiler)
    }

    fn without_directives(self) -> anyhow::Result<Program> {
        let (tree, build) = preprocessed(&self.build, &self.tree, &self.root)?;
        let made_of = self.sources();
        let place = if self.tree.is_directory() { self.path } else { directory_of_name(&self.path) };
        Ok(Program { path: place.join(tree.name()), tree, build, root: self.root, made_of, notes: self.notes })
    }

    /// The path of a file or directory for a candidate: relative if it is part of the program, so
    /// that the candidate's own copy is used.
    fn place(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.root).ok().filter(|_| self.tree.is_directory()) {
            Some(inside) if inside.as_os_str().is_empty() => ".".into(),
            Some(inside) if self.tree.entries().any(|(known, _)| known.starts_with(inside)) => inside.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// The program as libclang reads it, with the paths of the original.
    pub fn project(&self) -> Project {
        let own = if self.tree.is_directory() {
            self.build.sources.clone()
        } else {
            let flags = self.build.sources.first().map_or_else(Vec::new, |source| source.flags.clone());
            vec![Source { path: self.tree.name().into(), flags }]
        };
        let compilations = own.iter().map(|source| {
            let flags = self.build.flags.iter().chain(&source.flags).filter(|flag| is_for_libclang(flag));
            let arguments = with_paths(&flags.cloned().collect::<Vec<_>>(), &self.root, Path::to_owned);
            Compilation { file: self.root.join(&source.path), arguments }
        });
        Project { root: self.root.clone(), compilations: compilations.collect() }
    }
}

/// Splits the texts of an option into words, as a shell does.
fn words(option: &str, given: &[String]) -> anyhow::Result<Vec<String>> {
    let unclosed = |text: &String| format!("{option} '{text}': a quote in it is not closed");
    let words = given.iter().map(|text| split_words(text).with_context(|| unclosed(text)));
    Ok(words.collect::<anyhow::Result<Vec<_>>>()?.concat())
}

/// The flags with every path resolved against a directory and mapped by `place`. A path that does
/// not exist stays relative, because the compiler may find it elsewhere, such as the file of
/// `-include`.
fn with_paths(flags: &[String], directory: &Path, place: impl Fn(&Path) -> PathBuf) -> Vec<String> {
    let given = flags.iter().filter(|flag| !flag.is_empty()).cloned();
    let arguments = ["cc".to_owned()].into_iter().chain(given).collect();
    let command = CompileCommand { directory: directory.to_owned(), file: PathBuf::new(), arguments };
    command.flags(|path| if path.exists() { place(path) } else { below(directory, path) })
}

/// Whether a flag matters to libclang. Flags for warnings and code generation do not.
fn is_for_libclang(flag: &str) -> bool {
    !flag.starts_with("-fsanitize") && !flag.starts_with("-W") && !flag.starts_with("-O") && !flag.starts_with("-g")
}

fn known_language(path: &Path) -> anyhow::Result<Language> {
    let known = Language::of_source(path);
    known.with_context(|| {
        format!("{} does not have the name of a C or C++ source (.c, .cc, .cpp, .cxx)", path.display())
    })
}

/// The error for a file that cannot be read. One that does not exist may be meant as an argument of
/// the program.
fn cannot_read(path: &Path) -> String {
    let hint = if path.exists() { "" } else { "; the program's own arguments go after --" };
    format!("cannot read {}{hint}", path.display())
}

/// The directory of a path, as the user wrote it.
fn directory_of_name(path: &Path) -> PathBuf {
    path.parent().map(Path::to_owned).unwrap_or_default()
}

fn directory_of(path: &Path) -> anyhow::Result<PathBuf> {
    let whole = path.canonicalize().with_context(|| format!("cannot read {}", path.display()))?;
    Ok(whole.parent().unwrap_or(Path::new("/")).to_owned())
}

fn common_directory(paths: &[PathBuf]) -> Option<PathBuf> {
    let first = paths.first()?;
    let mut directories = first.ancestors().skip(usize::from(!first.is_dir()));
    directories.find(|directory| paths.iter().all(|path| path.starts_with(directory))).map(Path::to_owned)
}

/// The existing directories that the commands search for headers.
fn include_directories(commands: &[CompileCommand]) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    for command in commands {
        let seen = RefCell::new(Vec::new());
        command.flags(|path| {
            seen.borrow_mut().push(path.to_owned());
            path.to_owned()
        });
        found.extend(seen.into_inner().iter().filter(|path| path.is_dir()).filter_map(|path| path.canonicalize().ok()));
    }
    found.into_iter().collect()
}

/// The directory of a project: that of the sources, or its parent if the build directory is beside
/// it. A build directory may also be elsewhere.
fn around<'s>(sources: &'s Path, build: &Path) -> &'s Path {
    let has_both = |parent: &&Path| build.starts_with(parent) && !build.starts_with(sources);
    let parent = sources.parent().filter(|parent| parent.parent().is_some());
    parent.filter(has_both).unwrap_or(sources)
}

/// The path relative to the current directory, if it is inside.
fn from_here(path: &Path) -> PathBuf {
    let inside = std::env::current_dir().ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    inside.filter(|inside| !inside.as_os_str().is_empty()).unwrap_or_else(|| path.to_owned())
}

fn below(root: &Path, path: &Path) -> PathBuf {
    path.strip_prefix(root).unwrap_or(path).to_owned()
}

fn tree_of(root: &Path, files: &[PathBuf]) -> anyhow::Result<FileTree> {
    let mut entries = BTreeMap::new();
    for path in files.iter().filter(|path| path.is_file()) {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        entries.insert(below(root, path), Entry::file(bytes));
    }
    let name = root.file_name().map_or_else(|| "program".into(), |name| name.to_string_lossy().into_owned());
    Ok(FileTree::directory(name, entries))
}

/// Headers anywhere below a directory, except in hidden directories and in earlier results.
fn headers_below(root: &Path) -> Vec<PathBuf> {
    const MOST: usize = 2_000;
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop().filter(|_| found.len() < MOST) {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden && !output::journal_of(&path).exists() => open.push(path),
                Ok(kind) if kind.is_file() && is_header(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found
}

fn is_header(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    matches!(extension, "h" | "hh" | "hpp" | "hxx" | "H" | "inl" | "ipp" | "tcc" | "inc" | "def")
}
