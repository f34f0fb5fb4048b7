//! Two versions of a shop, for comparing them.

use lapidary_testkit::javac;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The two versions of `tests/compare`, compiled once.
pub fn versions() -> [String; 2] {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    let directory = CLASSES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        ["old", "new"].iter().for_each(|version| compile(version, &directory.path().join(version)));
        directory
    });
    ["old", "new"].map(|version| directory.path().join(version).to_str().unwrap().to_owned())
}

fn compile(version: &str, into: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/compare/{version}/Till.java"));
    javac(&["-g"], into, [source]);
}

pub fn copy_classes(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("shop")).unwrap();
    for name in ["Till", "Shop", "Account", "Receipt", "Refund"].map(|name| PathBuf::from(format!("shop/{name}.class")))
    {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}
