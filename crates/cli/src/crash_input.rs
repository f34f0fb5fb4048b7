//! What `lapidary crash` is given: files, or a project with its compile commands, and what the program reads.

use crate::{input, output};
use anyhow::{Context, bail};
use lapidary_clang::Compilation;
use lapidary_clang_model::{Language, Project};
use lapidary_crash::{Build, CompileCommand, Source, is_source, preprocessed, read_compile_commands, split_words};
use lapidary_reduce::{Entry, FileTree};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

/// A program and how it is built.
pub struct Program {
    /// What the result is named after.
    pub path: PathBuf,
    pub tree: FileTree,
    pub build: Build,
    /// The directory that the tree is a part of.
    root: PathBuf,
    /// The files on disk that it was made of, if they are not its own.
    made_of: Vec<PathBuf>,
}

/// How the user says that the program is built.
#[derive(clap::Args)]
pub struct BuildOptions {
    /// Flags for the compiler, in one word [default: none beside -g -O0].
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    flags: Vec<String>,

    /// Libraries and other flags for the linker, in one word.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    link: Vec<String>,

    /// The compiler [default: that of the compile commands; $CC, or $CXX for C++; gcc, or g++ for C++].
    #[arg(long, value_name = "COMMAND")]
    compiler: Option<String>,
}

/// One file, or several that are compiled together.
pub fn files(paths: &[PathBuf]) -> anyhow::Result<Program> {
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
    })
}

fn several(paths: &[PathBuf]) -> anyhow::Result<Program> {
    let absolute = paths.iter().map(|path| path.canonicalize().with_context(|| cannot_read(path)));
    let absolute = absolute.collect::<anyhow::Result<Vec<PathBuf>>>()?;
    let root = common_directory(&absolute).context("there is no file to compile")?;
    let tree = tree_of(&root, &absolute)?;
    let sources = absolute
        .iter()
        .filter(|path| is_source(path))
        .map(|path| Source { path: below(&root, path), flags: Vec::new() });
    let build = Build { sources: sources.collect(), origin: Some(root.clone()), ..Build::default() };
    Ok(Program { path: from_here(&root), tree, build, root, made_of: Vec::new() })
}

/// A project: the files named and the headers of its own that they can include, or all files of the compile commands.
pub fn project(directory: &Path, files: &[PathBuf]) -> anyhow::Result<Program> {
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
    // What is named is compiled and no more: a project can have several programs.
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
    Ok(Program { path: from_here(&root), tree, build, root, made_of: Vec::new() })
}

impl Program {
    /// The name that a file has in the program, if the path leads to one; else the path as it is.
    pub fn name_of(&self, path: &Path) -> PathBuf {
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        whole.strip_prefix(&self.root).map_or_else(|_| path.to_owned(), Path::to_owned)
    }

    /// The files on disk, none of which may be written over.
    pub fn files(&self) -> Vec<PathBuf> {
        match self.tree.is_directory() {
            _ if !self.made_of.is_empty() => self.made_of.clone(),
            true => self.tree.entries().map(|(path, _)| self.root.join(path)).collect(),
            false => vec![self.path.clone()],
        }
    }

    /// The program, built as the user says.
    pub fn built_with(mut self, options: &BuildOptions) -> anyhow::Result<Program> {
        let here = std::env::current_dir()?;
        let placed = |flags: &[String]| with_paths(flags, &here, |path| self.place(path));
        let (flags, link) = (placed(&words("--flags", &options.flags)?), placed(&words("--link", &options.link)?));
        self.build.flags.extend(flags);
        self.build.link_flags.extend(link);
        self.build.compiler = options.compiler.clone().or(self.build.compiler);
        if self.build.compiler.is_none() {
            // Who sets the one means the other to be what it always is.
            self.build.cpp_compiler = self.compiler_of_the_environment("CXX", Language::Cpp).or(Some("g++".into()));
            self.build.compiler = self.compiler_of_the_environment("CC", Language::C);
        }
        Ok(self)
    }

    /// The compiler that a variable names, as make reads it: what follows the name are flags for files in that language.
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

    /// The program as the preprocessor leaves it, named after the source that it is made of.
    pub fn preprocessed(self) -> anyhow::Result<Program> {
        let (tree, build) = preprocessed(&self.build, &self.tree, &self.root)?;
        let made_of = self.files();
        let place = if self.tree.is_directory() { self.path } else { directory_of_name(&self.path) };
        Ok(Program { path: place.join(tree.name()), tree, build, root: self.root, made_of })
    }

    /// Where a candidate has a file or directory: at the same place in its own copy, if it is part of the program.
    fn place(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.root).ok().filter(|_| self.tree.is_directory()) {
            Some(inside) if inside.as_os_str().is_empty() => ".".into(),
            Some(inside) if self.tree.entries().any(|(known, _)| known.starts_with(inside)) => inside.to_owned(),
            _ => path.to_owned(),
        }
    }

    /// The program as libclang reads it, which looks for files where the original is.
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

/// The words of an option that has several in one, as a shell would see them.
fn words(option: &str, given: &[String]) -> anyhow::Result<Vec<String>> {
    let unclosed = |text: &String| format!("{option} '{text}': a quote in it is not closed");
    let words = given.iter().map(|text| split_words(text).with_context(|| unclosed(text)));
    Ok(words.collect::<anyhow::Result<Vec<_>>>()?.concat())
}

/// The flags with every path seen from a directory, and then put through `place`. What is not there may be found
/// elsewhere, as what `-include` names is among the headers.
fn with_paths(flags: &[String], directory: &Path, place: impl Fn(&Path) -> PathBuf) -> Vec<String> {
    let given = flags.iter().filter(|flag| !flag.is_empty()).cloned();
    let arguments = ["cc".to_owned()].into_iter().chain(given).collect();
    let command = CompileCommand { directory: directory.to_owned(), file: PathBuf::new(), arguments };
    command.flags(|path| if path.exists() { place(path) } else { below(directory, path) })
}

/// What is for the machine code only means nothing to libclang, or it does not know it.
fn is_for_libclang(flag: &str) -> bool {
    !flag.starts_with("-fsanitize") && !flag.starts_with("-W") && !flag.starts_with("-O") && !flag.starts_with("-g")
}

/// What standard input has to give, if somebody has put something there.
pub fn recorded_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !io::stdin().is_terminal() {
        io::stdin().lock().read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn known_language(path: &Path) -> anyhow::Result<Language> {
    let known = Language::of(path).filter(|_| is_source(path));
    known.with_context(|| format!("{} is not a source of C or C++ by its name (.c, .cc, .cpp, .cxx)", path.display()))
}

/// What is no file may be meant for the program.
fn cannot_read(path: &Path) -> String {
    let hint = if path.exists() { "" } else { "; the program's own arguments go behind --" };
    format!("cannot read {}{hint}", path.display())
}

/// The directory in the words of the user.
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

/// The directories in which the commands look for headers.
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

/// The directory that a project is in: that of the sources, or what it is in together with the build directory, if they are
/// neighbours. A build may also be anywhere else.
fn around<'s>(sources: &'s Path, build: &Path) -> &'s Path {
    let has_both = |parent: &&Path| build.starts_with(parent) && !build.starts_with(sources);
    let parent = sources.parent().filter(|parent| parent.parent().is_some());
    parent.filter(has_both).unwrap_or(sources)
}

/// The path as a person in the current directory would write it.
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

/// Headers anywhere below a directory; hidden ones, and those of earlier results, are not the program's.
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
