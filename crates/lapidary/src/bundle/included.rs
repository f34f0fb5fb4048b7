//! The files that a C file includes or a Python file imports, by their names relative to a directory
//! where they are searched for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The names in a file of this name; none for languages that we do not know.
pub(crate) fn names(file: &Path, text: &str) -> BTreeSet<PathBuf> {
    const C: [&str; 14] = ["c", "h", "C", "H", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "c++", "h++", "m", "inc"];
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("py") => imports(text),
        Some(extension) if C.contains(&extension) => text.lines().filter_map(include).map(PathBuf::from).collect(),
        _ => BTreeSet::new(),
    }
}

/// The name in `#include "NAME"` or `#include <NAME>`.
fn include(line: &str) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let name = ["include_next", "include", "import"].iter().find_map(|word| directive.strip_prefix(word))?.trim_start();
    let quoted = name.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let bracketed = || name.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    quoted.or_else(bracketed).map(|(name, _)| name)
}

/// The files that `import a.b` and `from a import b` may read: `a.py`, `a/__init__.py` and `a/b.py`.
/// Names that begin with a full stop are relative to the file itself.
fn imports(text: &str) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    for statement in text.split(['\n', ';', ':']).map(str::trim) {
        if let Some(modules) = statement.strip_prefix("import ") {
            modules.split(',').for_each(|module| add(module, &mut files));
        } else if let Some((module, names)) = statement.strip_prefix("from ").and_then(|rest| rest.split_once("import"))
        {
            let module = module.trim();
            add(module, &mut files);
            let end = if module.ends_with('.') { "" } else { "." };
            names.split(',').for_each(|name| {
                let name = name.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
                let name = name.split_whitespace().next().unwrap_or_default();
                add(&format!("{module}{end}{name}"), &mut files);
            });
        }
    }
    files
}

/// Adds the files of a module and of the packages that it is in.
fn add(module: &str, files: &mut BTreeSet<PathBuf>) {
    let module = module.split_whitespace().next().unwrap_or_default();
    let inner = module.trim_start_matches('.');
    let ups = (module.len() - inner.len()).saturating_sub(1);
    let mut place: PathBuf = std::iter::repeat_n("..", ups).collect();
    for part in inner.split('.') {
        if part.is_empty() || !part.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return;
        }
        place.push(part);
        files.insert(place.with_extension("py"));
        files.insert(place.join("__init__.py"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str, text: &str) -> Vec<String> {
        names(Path::new(file), text).iter().map(|path| path.display().to_string()).collect()
    }

    #[test]
    fn includes_are_found_in_both_forms() {
        let text = "#include\"p.h\"\n # include <lib/q.h> // r.h\n#include MACRO\n\"s.h\"\n";
        assert_eq!(found("main.c", text), ["lib/q.h", "p.h"]);
        assert!(found("notes.txt", text).is_empty());
    }

    #[test]
    fn imports_are_found_in_all_forms() {
        assert_eq!(found("a.py", "import x.y as z\n"), ["x/__init__.py", "x/y/__init__.py", "x/y.py", "x.py"]);
        let text = "if a: import b\nfrom . import (near as far)\nfrom ..up import c\nimported = d\n";
        let found = found("a.py", text);
        assert!(["b.py", "near.py", "../up.py", "../up/c.py"].iter().all(|name| found.contains(&(*name).to_owned())));
        assert!(!found.contains(&"d.py".to_owned()), "{found:?}");
    }
}
