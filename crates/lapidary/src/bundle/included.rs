//! The files that a C file includes or a Python file imports, by their names relative to a directory
//! where they are searched for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The names in a file of this name; none for languages that we do not know.
pub(crate) fn names(file: &Path, text: &str) -> BTreeSet<PathBuf> {
    match language(file) {
        Some(Language::Python) => imports(text),
        Some(Language::C) => text.lines().filter_map(include).map(PathBuf::from).collect(),
        None => BTreeSet::new(),
    }
}

/// Whether a file of this name may include or import others.
pub(crate) fn may_name_others(file: &Path) -> bool {
    language(file).is_some()
}

enum Language {
    C,
    Python,
}

fn language(file: &Path) -> Option<Language> {
    const C: [&str; 14] = ["c", "h", "C", "H", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "c++", "h++", "m", "inc"];
    match file.extension()?.to_str()? {
        "py" => Some(Language::Python),
        extension if C.contains(&extension) => Some(Language::C),
        _ => None,
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
pub(crate) fn imports(text: &str) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    for statement in statements(text) {
        let Some((first, rest)) = statement.split_first() else { continue };
        match *first {
            "import" => rest.split(|token| *token == ",").for_each(|module| add(&dotted(module), &mut files)),
            "from" => imports_from(rest, &mut files),
            _ => {}
        }
    }
    files
}

/// Adds the files of `from a import b, c`, without its first word.
fn imports_from(statement: &[&str], files: &mut BTreeSet<PathBuf>) {
    let Some(at) = statement.iter().position(|token| *token == "import") else { return };
    let module = dotted(statement);
    add(&module, files);
    let end = if module.ends_with('.') { "" } else { "." };
    let names: Vec<&str> = statement[at + 1..].iter().copied().filter(|token| !["(", ")"].contains(token)).collect();
    let first_words = names.split(|token| *token == ",").filter_map(<[&str]>::first);
    first_words.for_each(|name| add(&format!("{module}{end}{name}"), files));
}

/// The dotted name at the beginning of tokens.
fn dotted(tokens: &[&str]) -> String {
    let is_name = |token: &&&str| **token == "." || token.starts_with(is_of_word);
    let mut name = String::new();
    for token in tokens.iter().take_while(is_name) {
        // `near as far` has two words without a full stop between them, and so has `a import b`.
        if *token != "." && name.ends_with(is_of_word) || *token == "import" {
            break;
        }
        name.push_str(token);
    }
    name
}

/// The statements of a Python file, token by token, without comments and texts. A line goes on after
/// a backslash and inside of brackets.
fn statements(text: &str) -> Vec<Vec<&str>> {
    let (mut statements, mut open, mut depth, mut at) = (Vec::new(), Vec::new(), 0_usize, 0);
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match character {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '"' | '\'' => length_of_text(rest, character),
            c if is_of_word(c) => rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        match character {
            '\n' | ';' | ':' if depth == 0 => statements.push(std::mem::take(&mut open)),
            '#' | '\\' | '"' | '\'' => {}
            c if c.is_whitespace() => {}
            _ => open.push(&rest[..length]),
        }
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += length;
    }
    statements.push(open);
    statements
}

/// The bytes of a text in Python that begins with this quote. One without an end takes its line.
fn length_of_text(rest: &str, quote: char) -> usize {
    let triple = String::from(quote).repeat(3);
    let end = if rest.starts_with(&triple) { &triple } else { &triple[..1] };
    let mut at = end.len();
    while let Some(character) = rest[at..].chars().next() {
        match character {
            _ if rest[at..].starts_with(end) => return at + end.len(),
            '\n' if end.len() == 1 => return at,
            '\\' => at += 1 + rest[at + 1..].chars().next().map_or(0, char::len_utf8),
            character => at += character.len_utf8(),
        }
    }
    rest.len()
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Adds the files of a module and of the packages that it is in.
fn add(module: &str, files: &mut BTreeSet<PathBuf>) {
    let inner = module.trim_start_matches('.');
    let ups = (module.len() - inner.len()).saturating_sub(1);
    let mut place: PathBuf = std::iter::repeat_n("..", ups).collect();
    for part in inner.split('.') {
        if part.is_empty() || !part.chars().all(is_of_word) {
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

    #[test]
    fn a_module_may_have_any_name() {
        let important = ["important/__init__.py", "important/x/__init__.py", "important/x.py", "important.py"];
        assert_eq!(found("a.py", "from important import x\n"), important);
        assert_eq!(found("a.py", "important = 1\nfrom_here = 2\nx = y.import_it\n"), Vec::<String>::new());
    }

    #[test]
    fn a_list_of_names_may_take_several_lines() {
        let lists =
            ["from pack import (\n    near,  # not other\n    far as away,\n)\n", "from pack import near, \\\n  far\n"];
        for text in lists {
            let found = found("a.py", text);
            for name in ["pack.py", "pack/__init__.py", "pack/near.py", "pack/far.py"] {
                assert!(found.contains(&name.to_owned()), "{name} of {text} is not in {found:?}");
            }
            assert!(!found.iter().any(|name| name.contains("other") || name.contains("away")), "{found:?}");
        }
    }

    #[test]
    fn comments_and_texts_import_nothing() {
        let text = "# import a\n'''\nimport b\n'''\nx = \"; import c\"\ny = 'it\\'s'; import d\n";
        assert_eq!(found("a.py", text), ["d/__init__.py", "d.py"]);
    }
}
