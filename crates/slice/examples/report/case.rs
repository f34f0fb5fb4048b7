//! A failing program of `bench/crash/programs`, as described by its `case.toml`.

use lapidary_clang::{Compilation, SourceFile, Sources, Syntax, parse};
use lapidary_slice::Criterion;
use std::path::{Path, PathBuf};

pub struct Case {
    pub name: String,
    pub folder: PathBuf,
    pub message: String,
    pub function: String,
    pub file: String,
    pub line: u32,
    pub arguments: Vec<String>,
    pub flags: Vec<String>,
    pub stdin: Option<PathBuf>,
    /// File texts by path relative to the folder.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl Case {
    pub fn read(folder: &Path) -> Option<Case> {
        let text = std::fs::read_to_string(folder.join("case.toml")).ok()?;
        let value = |key: &str| {
            let line = text.lines().find(|line| line.split('=').next().is_some_and(|name| name.trim() == key))?;
            serde_json::from_str::<serde_json::Value>(line.split_once('=')?.1.trim()).ok()
        };
        let string = |key: &str| value(key).and_then(|found| found.as_str().map(str::to_owned));
        let strings = |key: &str| serde_json::from_value(value(key)?).ok();
        Some(Case {
            name: folder.file_name()?.to_string_lossy().into_owned(),
            message: string("message")?,
            function: string("function")?,
            file: string("file")?,
            line: value("line")?.as_u64()? as u32,
            arguments: strings("args").unwrap_or_default(),
            flags: strings("flags").unwrap_or_default(),
            stdin: string("stdin").map(|name| folder.join(name)),
            files: program_files(folder),
            folder: folder.to_owned(),
        })
    }

    pub fn criterion(&self) -> Criterion {
        Criterion { file: self.folder.join(&self.file), line: self.line, variable: None }
    }

    pub fn units(&self) -> Vec<Syntax> {
        let files = self
            .files
            .iter()
            .map(|(path, text)| SourceFile { path: self.folder.join(path), text: text.clone().into() });
        let sources = Sources { files: files.collect() };
        self.compilations().iter().map(|compilation| parse(&sources, compilation).expect("libclang")).collect()
    }

    /// Returns the libclang compilation of each file that is not a header.
    pub fn compilations(&self) -> Vec<Compilation> {
        let known = self.flags.iter().filter(|flag| !flag.starts_with("-fno-sanitize"));
        let place = |flag: &String| match flag.strip_prefix("-I") {
            Some(path) => format!("-I{}", self.folder.join(path).display()),
            None => flag.clone(),
        };
        let arguments: Vec<_> = known.map(place).collect();
        let sources = self.files.iter().map(|(path, _)| path).filter(|path| is_source(path));
        sources.map(|path| Compilation { file: self.folder.join(path), arguments: arguments.clone() }).collect()
    }
}

pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c" || extension == "cpp")
}

fn program_files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = Vec::new();
    for place in [folder.to_owned(), folder.join("src"), folder.join("include")] {
        let entries = std::fs::read_dir(&place).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_wanted = |path: &PathBuf| {
            let is_code =
                is_source(path) || path.extension().is_some_and(|extension| extension == "h" || extension == "hpp");
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            is_code && (place != *folder || name.starts_with("prog."))
        };
        paths.extend(entries.filter(is_wanted));
    }
    paths.sort();
    let relative = |path: PathBuf| Some((path.strip_prefix(folder).ok()?.to_owned(), std::fs::read(&path).ok()?));
    paths.into_iter().filter_map(relative).collect()
}
