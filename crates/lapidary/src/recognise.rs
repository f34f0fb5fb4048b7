//! Determines the kind of an input: as the user says, or by its name and content.

use crate::c::CProgram;
use crate::java::{JavaProgram, JavaView, is_java};
use anyhow::{Context, bail};
use lapidary_fji::FjiModel;
use lapidary_reduce::{Content, Entry, FileTree, Model};
use lapidary_tree_model::{Language, language_from_library, language_named, language_of};
use std::path::{Path, PathBuf};

/// The kind of an input.
pub(crate) enum FrontEnd {
    /// A model that is not rebuilt during the reduction, and its name.
    Fixed(Box<dyn Model>, &'static str),
    Java(Box<JavaProgram>),
    /// C or C++, in a file that libclang can read.
    C(Box<CProgram>, Language),
    /// Text in a language, or in an unknown one.
    Text(Option<Language>),
    Directory,
    Lines,
    Tokens,
    Bytes,
}

/// How to read an input: its kind, and what it depends on.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The kind of the input, as `--as` names it; if `None`, it is recognised by name and content.
    pub kind: Option<String>,
    /// Directories and jars with the classes that a Java program uses.
    pub class_path: Vec<PathBuf>,
    /// Flags of the compiler that matter for reading a C or C++ file.
    pub compiler_flags: Vec<String>,
}

impl FrontEnd {
    /// Recognises the input, unless `reading` gives its kind. `files` are those in the input, if it
    /// is an archive or a class file.
    pub fn of(path: &Path, input: &FileTree, files: &FileTree, reading: &Reading) -> anyhow::Result<FrontEnd> {
        let kind = reading.kind.as_deref();
        let java_view = match kind {
            Some(kind) => JavaView::requested(kind),
            None => (is_java(input) || is_java(files)).then_some(JavaView::Items),
        };
        let front_end = match (java_view, kind) {
            (Some(view), _) => FrontEnd::Java(Box::new(JavaProgram::open(files, &reading.class_path, view)?)),
            (None, Some(kind)) => requested(kind, files)?,
            (None, None) => recognised(files)?,
        };
        with_libclang(path, files, readable(front_end, files, kind)?, reading)
    }
}

/// The size from which a text is parsed once to see whether its grammar can read it at all. A
/// grammar may take forever on a deeply nested text.
const WORTH_TRYING_BYTES: u64 = 64 << 10;

/// Treats a text as one in an unknown language if its grammar cannot read it.
fn readable(front_end: FrontEnd, input: &FileTree, kind: Option<&str>) -> anyhow::Result<FrontEnd> {
    let (FrontEnd::Text(Some(language)), Some(Entry::File { content, .. })) = (&front_end, input.entry(Path::new("")))
    else {
        return Ok(front_end);
    };
    let is_foreign = kind.is_some_and(|kind| kind.contains(['/', '.']));
    if (!is_foreign && input.bytes() < WORTH_TRYING_BYTES) || language.can_read(content) {
        return Ok(front_end);
    }
    match kind {
        Some(kind) => bail!("the grammar of --as {kind} crashes on {} or takes too long", input.name()),
        None => Ok(FrontEnd::Text(None)),
    }
}

/// Whether content is text. Only a NUL byte rules that out: many real sources are not UTF-8,
/// because they have a few Latin-1 bytes.
pub fn is_text(content: &[u8]) -> bool {
    !content.contains(&0)
}

/// Uses libclang for a single file of C or C++, if it is installed. `tree:c` asks for the grammar
/// alone.
fn with_libclang(path: &Path, input: &FileTree, front_end: FrontEnd, reading: &Reading) -> anyhow::Result<FrontEnd> {
    let kind = reading.kind.as_deref();
    let FrontEnd::Text(Some(language)) = front_end else { return Ok(front_end) };
    let dialect = match language.name() {
        "c" => lapidary_clang_model::Language::C,
        "cpp" => lapidary_clang_model::Language::Cpp,
        _ => return Ok(FrontEnd::Text(Some(language))),
    };
    let by_grammar = input.is_directory() || kind.is_some_and(|kind| kind.starts_with("tree:"));
    match CProgram::open(path, input, dialect, &reading.compiler_flags) {
        Ok(program) if !by_grammar => Ok(FrontEnd::C(Box::new(program), language)),
        Err(error) if kind.is_some() && !by_grammar => Err(error.into()),
        _ => Ok(FrontEnd::Text(Some(language))),
    }
}

fn recognised(input: &FileTree) -> anyhow::Result<FrontEnd> {
    let Content::File(entry) = input.content() else { return Ok(FrontEnd::Directory) };
    let path = Path::new(input.name());
    if path.extension().is_some_and(|extension| extension == "fji") {
        return fji(input);
    }
    let Entry::File { content, .. } = entry else { bail!("{} is a link", input.name()) };
    Ok(match language_of(path, content) {
        Some(language) => FrontEnd::Text(Some(language)),
        None if is_text(content) => FrontEnd::Text(None),
        None => FrontEnd::Bytes,
    })
}

fn requested(kind: &str, input: &FileTree) -> anyhow::Result<FrontEnd> {
    if (kind == "dir") != input.is_directory() {
        match kind {
            "dir" => bail!("{} is a file; --as dir needs a directory", input.name()),
            _ => bail!("{} is a directory; --as {kind} needs a file", input.name()),
        }
    }
    Ok(match kind {
        "dir" => FrontEnd::Directory,
        "bytes" => FrontEnd::Bytes,
        "fji" => return fji(input),
        "lines" => text_only(input, FrontEnd::Lines)?,
        "tokens" => text_only(input, FrontEnd::Tokens)?,
        "c" | "cpp" => FrontEnd::Text(Some(language_named(kind)?)),
        _ => match kind.strip_prefix("tree:") {
            Some(library) if library.contains(['/', '.']) => {
                FrontEnd::Text(Some(language_from_library(Path::new(library))?))
            }
            Some(name) => FrontEnd::Text(Some(language_named(name)?)),
            None => bail!(
                "`{kind}` is not a kind of input; known are java, java-classes, java-statements, java-parameters, java-collapse, java-manifest, tree:LANG, tree:GRAMMAR.so, c, cpp, lines, tokens, bytes, dir, fji"
            ),
        },
    })
}

fn fji(input: &FileTree) -> anyhow::Result<FrontEnd> {
    let text = text_of(input).with_context(|| format!("{} is not text", input.name()))?;
    let model = FjiModel::parse(input.name(), text).with_context(|| input.name().to_owned())?;
    Ok(FrontEnd::Fixed(Box::new(model), "fji"))
}

fn text_only(input: &FileTree, front_end: FrontEnd) -> anyhow::Result<FrontEnd> {
    match input.only_file() {
        Some(content) if is_text(content) => Ok(front_end),
        _ => bail!("{} is binary; --as bytes reduces it", input.name()),
    }
}

fn text_of(input: &FileTree) -> Option<&str> {
    std::str::from_utf8(input.only_file()?).ok()
}
