//! Programs and models for the examples, as named on the command line.

use lapidary_java_model::{ClassModel, CollapseModel, Detail, ItemModel, Jar, ParameterModel};
use lapidary_jvm::{ClassPath, Compression, Platform};
use lapidary_reduce::{Blob, FileTree, Model};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// Opens a jar from disk.
pub fn open(jar: &str) -> Result<Jar, Box<dyn Error>> {
    Ok(Jar::open(&FileTree::file("input.jar", std::fs::read(jar)?))?)
}

/// A class path of the installed JDK and some libraries.
pub fn class_path(libraries: &[String]) -> Result<Arc<ClassPath>, Box<dyn Error>> {
    let libraries: Vec<PathBuf> = libraries.iter().map(PathBuf::from).collect();
    Ok(Arc::new(ClassPath::open(&libraries, Platform::installed().ok())?))
}

/// The model called `classes`, `items`, `statements`, `parameters` or `collapse`.
pub fn model(name: &str, tree: &FileTree, class_path: Arc<ClassPath>) -> Result<Box<dyn Model>, Box<dyn Error>> {
    Ok(match name {
        "classes" => Box::new(ClassModel::new(tree)),
        "items" => Box::new(ItemModel::new(tree, class_path, Detail::Items)),
        "statements" => Box::new(ItemModel::new(tree, class_path, Detail::Statements)),
        "parameters" => Box::new(ParameterModel::new(tree, class_path)),
        "collapse" => Box::new(CollapseModel::new(tree, class_path)),
        _ => return Err(format!("no model is called {name}").into()),
    })
}

/// The bytes of the jar that a test would receive.
pub fn packed(jar: &Jar, tree: &FileTree) -> Result<Blob, Box<dyn Error>> {
    jar.pack(tree, Compression::Stored)?.only_file().cloned().ok_or_else(|| "a jar is one file".into())
}
