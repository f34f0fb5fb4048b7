//! The input of a parse: the texts of the user's files, the file to compile and its arguments.

use crate::Language;
use std::path::PathBuf;
use std::sync::Arc;

/// One of the user's files.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    pub text: Arc<[u8]>,
}

/// The user's files. Paths are absolute. The files need not exist on disk; if they do, they are not
/// read.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub files: Vec<SourceFile>,
}

/// The file to compile and its compiler arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compilation {
    pub file: PathBuf,
    /// The compiler arguments, without the compiler and the file.
    pub arguments: Vec<String>,
}

impl Compilation {
    /// Returns the language that the file is compiled as. The last `-x` decides, or the file name
    /// if there is none.
    pub fn language(&self) -> Language {
        let after = self.arguments.iter().zip(self.arguments.iter().skip(1));
        let given = after.filter(|(option, _)| *option == "-x").map(|(_, language)| language.as_str());
        let joined = self.arguments.iter().filter_map(|argument| argument.strip_prefix("-x"));
        match given.chain(joined.filter(|language| !language.is_empty())).last() {
            Some(language) if language.starts_with("c++") => Language::Cpp,
            Some(_) => Language::C,
            // The rarer names that some compilers know, such as `.CC` and `.tpp`, are all of C++.
            None => Language::of(&self.file).unwrap_or(match self.file.extension() {
                Some(_) => Language::Cpp,
                None => Language::C,
            }),
        }
    }

    pub fn is_cpp(&self) -> bool {
        self.language().is_cpp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_cpp(file: &str, arguments: &[&str]) -> bool {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Compilation { file: file.into(), arguments }.is_cpp()
    }

    #[test]
    fn an_option_overrides_the_file_name() {
        assert!(is_cpp("a.cpp", &["-O2"]));
        assert!(!is_cpp("a.c", &[]));
        assert!(!is_cpp("a", &[]));
        assert!(!is_cpp("a.h", &[]));
        assert!(is_cpp("a.h", &["-xc++"]));
        assert!(is_cpp("a.CC", &[]));
        assert!(is_cpp("a.c", &["-x", "c++"]));
        assert!(!is_cpp("a.cc", &["-xc++", "-xc"]));
    }
}
