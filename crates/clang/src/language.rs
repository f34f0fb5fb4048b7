//! C or C++.

use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::Path;

/// The language of a file or of a translation unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Language {
    #[default]
    C,
    Cpp,
}

impl Language {
    /// Returns the language that compilers assume for a file, by its extension. `None` if the file
    /// is neither C nor C++. A header `.h` counts as C, although it can be either.
    #[must_use]
    pub fn of(path: &Path) -> Option<Language> {
        Language::of_source(path).or_else(|| match extension(path)? {
            "h" => Some(Language::C),
            "H" | "hh" | "hp" | "hpp" | "hxx" | "HPP" | "h++" | "tcc" | "ipp" | "inl" => Some(Language::Cpp),
            _ => None,
        })
    }

    /// Returns the language of a file that is compiled by itself, by its extension. `None` if the
    /// file is a header, or neither C nor C++.
    #[must_use]
    pub fn of_source(path: &Path) -> Option<Language> {
        match extension(path)? {
            "c" | "i" => Some(Language::C),
            "C" | "cc" | "cp" | "cpp" | "cxx" | "CPP" | "c++" | "ii" => Some(Language::Cpp),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_cpp(self) -> bool {
        self == Language::Cpp
    }
}

fn extension(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_go_by_extension() {
        assert_eq!(Language::of(Path::new("a.c")), Some(Language::C));
        assert_eq!(Language::of(Path::new("a/b.cpp")), Some(Language::Cpp));
        assert_eq!(Language::of(Path::new("Makefile")), None);
    }

    #[test]
    fn headers_have_a_language_and_are_no_sources() {
        for (name, language) in [("a.h", Language::C), ("a.hpp", Language::Cpp)] {
            assert_eq!(Language::of(Path::new(name)), Some(language));
            assert_eq!(Language::of_source(Path::new(name)), None);
        }
        assert_eq!(Language::of_source(Path::new("a.c++")), Some(Language::Cpp));
    }
}
