//! Classes to work with: class files, jars, directories of both, and the image of the installed
//! JDK.

use ristretto_jimage::Image;
use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// The origin and the bytes of each class.
pub type Corpus = Vec<(String, Vec<u8>)>;

/// Reads the classes named on the command line. `--jdk` stands for the classes of the JDK in
/// JAVA_HOME, or of the one that runs `java`.
pub fn from_arguments(arguments: impl Iterator<Item = String>) -> Corpus {
    let mut corpus = Corpus::new();
    for argument in arguments {
        match argument.as_str() {
            "--jdk" => add_jdk(&mut corpus),
            path => add_path(Path::new(path), &mut corpus),
        }
    }
    corpus
}

fn add_path(path: &Path, corpus: &mut Corpus) {
    if path.is_dir() {
        // Links in a directory lead to files found elsewhere, or in circles.
        let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut entries: Vec<PathBuf> = entries.filter(|entry| !entry.is_symlink()).collect();
        entries.sort();
        return entries.iter().for_each(|entry| add_path(entry, corpus));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let Ok(bytes) = fs::read(path) else { return eprintln!("{}: cannot be opened", path.display()) };
    match extension {
        Some("class") => corpus.push((path.display().to_string(), bytes)),
        Some("jar" | "jmod" | "war") => add_jar(&path.display().to_string(), bytes, corpus),
        _ => {}
    }
}

fn add_jar(name: &str, bytes: Vec<u8>, corpus: &mut Corpus) {
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else {
        return eprintln!("{name}: not an archive");
    };
    for index in 0..archive.len() {
        let Ok(mut entry) = archive.by_index(index) else { continue };
        let Ok(path) = entry.name().map(|entry| format!("{name}!{entry}")) else { continue };
        let mut bytes = Vec::new();
        if path.ends_with(".class") && entry.read_to_end(&mut bytes).is_ok() {
            corpus.push((path, bytes));
        }
    }
}

fn add_jdk(corpus: &mut Corpus) {
    let modules = java_home().join("lib/modules");
    let Ok(image) = Image::from_file(&modules) else {
        return eprintln!("{}: not a JDK image", modules.display());
    };
    for resource in image.iter().flatten() {
        let name = resource.full_name();
        if name.ends_with(".class") {
            corpus.push((name, resource.data().to_vec()));
        }
    }
}

fn java_home() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return home.into();
    }
    let java = fs::canonicalize("/usr/bin/java").unwrap_or_default();
    java.ancestors().nth(2).unwrap_or(Path::new("/")).to_path_buf()
}
