//! Instances of the library's class templates, compiled once.
//!
//! Most functions in a small C++ program are instances of the standard library's containers, and
//! generating their code takes longer than everything else. Instances that involve no type of the
//! program are the same for every candidate. They are compiled into one object
//! (`template class std::vector<int>;`) and declared before a candidate is read
//! (`extern template class std::vector<int>;`).

use object::{Object, ObjectSymbol, SymbolKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The classes whose instances are already compiled.
pub struct Instances {
    classes: BTreeSet<String>,
    /// The object to link to every candidate.
    pub object: PathBuf,
}

impl Instances {
    pub fn new(classes: BTreeSet<String>, object: PathBuf) -> Instances {
        Instances { classes, object }
    }

    /// Returns the declarations that say the instances are defined elsewhere.
    pub fn declarations(&self) -> String {
        self.classes.iter().map(|class| format!("extern template class {class};\n")).collect()
    }
}

/// Returns the source text of the object.
pub fn definitions(classes: &BTreeSet<String>) -> String {
    classes.iter().map(|class| format!("template class {class};\n")).collect()
}

/// The minimum number of functions to share. Recompiling fewer takes less time than compiling all
/// functions of their classes once.
const WORTH_IT: usize = 150;

/// Returns the library classes that a program instantiates and that can be shared, if sharing is
/// worth it.
pub fn shared_classes(program: &Path) -> BTreeSet<String> {
    let classes = functions_of_shared_classes(program);
    if classes.len() < WORTH_IT { BTreeSet::new() } else { classes.into_iter().collect() }
}

/// Returns the class of each function that can be shared.
fn functions_of_shared_classes(program: &Path) -> Vec<String> {
    let Ok(bytes) = std::fs::read(program) else { return Vec::new() };
    let Ok(file) = object::File::parse(&*bytes) else { return Vec::new() };
    let functions = file.symbols().filter(|symbol| symbol.is_weak() && symbol.kind() == SymbolKind::Text);
    let names = functions.filter_map(|symbol| cpp_demangle::Symbol::new(symbol.name().ok()?).ok()?.demangle().ok());
    names.filter_map(|name| class_of(&name).filter(|class| is_shared(class)).map(str::to_owned)).collect()
}

/// Returns the class of a member function. `None` for a function template.
fn class_of(function: &str) -> Option<&str> {
    let mut depth = 0u32;
    let mut end = None;
    for (index, byte) in function.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.checked_sub(1)?,
            _ if depth > 0 => {}
            b'(' => break,
            // The text before the space is a result type.
            b' ' => return None,
            b':' if function[index..].starts_with("::") => end = Some(index),
            _ => {}
        }
    }
    function.get(..end?)
}

/// Templates whose members can all be instantiated if their values can be copied. If some cannot,
/// nothing is shared.
const SHARED: [&str; 26] = [
    "std::vector",
    "std::_Vector_base",
    "std::map",
    "std::multimap",
    "std::set",
    "std::multiset",
    "std::_Rb_tree",
    "std::_Rb_tree_iterator",
    "std::_Rb_tree_const_iterator",
    "std::deque",
    "std::_Deque_base",
    "std::_Deque_iterator",
    "std::__cxx11::list",
    "std::__cxx11::_List_base",
    "std::queue",
    "std::stack",
    "std::unordered_map",
    "std::unordered_set",
    "std::_Hashtable",
    "std::allocator",
    "std::__new_allocator",
    "std::allocator_traits",
    "__gnu_cxx::new_allocator",
    "__gnu_cxx::__alloc_traits",
    "__gnu_cxx::__aligned_membuf",
    "__gnu_cxx::__normal_iterator",
];

/// Returns whether this is an instance of a shared template without any type of the program.
fn is_shared(class: &str) -> bool {
    let Some((template, arguments)) = class.split_once('<') else { return false };
    SHARED.contains(&template) && arguments.ends_with('>') && heads(arguments).all(is_of_the_library)
}

/// Returns the words that begin a name, such as `std` in `std::string`.
fn heads(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|character: char| is_word(character) || "{}'\"@$".contains(character))?;
            let is_continued = rest[..start].ends_with("::");
            let word = &rest[start..];
            let length = word.find(|character| !is_word(character)).unwrap_or(word.len()).max(1);
            rest = &word[length..];
            if !is_continued {
                return Some(&word[..length]);
            }
        }
    })
}

fn is_of_the_library(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "std",
        "__gnu_cxx",
        "bool",
        "char",
        "double",
        "float",
        "int",
        "long",
        "short",
        "signed",
        "unsigned",
        "wchar_t",
        "const",
        "true",
        "false",
        "__int128",
    ];
    WORDS.contains(&word) || word.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_says_which_class_it_belongs_to() {
        let push = "std::vector<std::pair<int, char> >::push_back(std::pair<int, char>&&)";
        assert_eq!(class_of(push), Some("std::vector<std::pair<int, char> >"));
        assert_eq!(class_of("std::map<int, int>::operator[](int&&)"), Some("std::map<int, int>"));
        assert_eq!(class_of("void std::reverse<int*>(int*, int*)"), None);
        assert_eq!(class_of("main"), None);
    }

    #[test]
    fn only_instances_without_types_of_the_program_are_shared() {
        assert!(is_shared("std::vector<int, std::allocator<int> >"));
        assert!(is_shared("std::map<std::__cxx11::basic_string<char, std::char_traits<char> > const, unsigned long>"));
        assert!(is_shared("std::__cxx11::list<std::vector<int>::iterator>"));
        assert!(!is_shared("std::vector<Shape*, std::allocator<Shape*> >"));
        assert!(!is_shared("std::map<int, inner::std>"));
        assert!(!is_shared("std::vector<main::{lambda()#1}>"));
        assert!(!is_shared("std::unique_ptr<int>"));
        assert!(!is_shared("std::vector"));
    }

    #[test]
    fn they_are_found_in_a_program() {
        let directory = tempfile::tempdir().unwrap();
        let (source, program) = (directory.path().join("a.cpp"), directory.path().join("a"));
        let text = "#include <vector>\nstruct S { int n; };\n\
                    int main() { std::vector<int> v; v.push_back(1); std::vector<S> w; w.push_back(S()); }\n";
        std::fs::write(&source, text).unwrap();
        let made = std::process::Command::new("g++").arg(&source).arg("-o").arg(&program).status().unwrap();
        assert!(made.success());
        let classes = functions_of_shared_classes(&program);
        assert!(classes.contains(&"std::vector<int, std::allocator<int> >".to_owned()), "{classes:?}");
        assert!(shared_classes(&program).is_empty(), "they are few");
        assert!(!classes.iter().any(|class| class.contains('S')), "{classes:?}");
    }
}
