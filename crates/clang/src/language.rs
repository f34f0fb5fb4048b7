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
        match path.extension().and_then(OsStr::to_str)? {
            "c" | "i" | "h" => Some(Language::C),
            "C" | "cc" | "cp" | "cpp" | "cxx" | "CPP" | "c++" | "ii" => Some(Language::Cpp),
            "H" | "hh" | "hp" | "hpp" | "hxx" | "HPP" | "h++" | "tcc" | "ipp" | "inl" => Some(Language::Cpp),
            _ => None,
        }
    }

    #[must_use]
    pub fn is_cpp(self) -> bool {
        self == Language::Cpp
    }
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
}
