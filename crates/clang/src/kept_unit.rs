//! A unit of libclang that is read repeatedly while its text changes.

use crate::complaint::{Complaint, complaints};
use crate::library::enter;
use crate::unit::{Unit, on_a_deep_stack, syntax};
use crate::{Compilation, ParseError, SourceFile, Sources, Syntax};
use clang_sys::*;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

/// Reads texts of one translation unit, and keeps its headers.
///
/// The first text takes longer than without keeping them, and so does the first text after the
/// headers change. A caller of [`KeptUnit::complaints`] may pass many texts that each have different
/// headers, so new headers are kept only when two texts in a row share them.
pub(crate) struct KeptUnit {
    compilation: Compilation,
    unit: Option<Unit>,
    /// The user's files that libclang has reported reading so far.
    files: BTreeSet<PathBuf>,
    /// The fingerprint of the headers that the unit keeps. `latest` is that of the latest text
    /// passed to [`KeptUnit::complaints`].
    kept: Option<Fingerprint>,
    latest: Option<Fingerprint>,
}

/// A hash that is equal for equal texts.
type Fingerprint = u64;

impl KeptUnit {
    pub fn new(compilation: Compilation) -> KeptUnit {
        KeptUnit { compilation, unit: None, files: BTreeSet::new(), kept: None, latest: None }
    }

    /// Returns the errors in these texts.
    pub fn complaints(&mut self, sources: &Sources) -> Result<Vec<Complaint>, ParseError> {
        enter()?;
        let headers = self.headers(sources);
        let is_passing = self.unit.is_some() && ![self.kept, self.latest].contains(&Some(headers));
        self.latest = Some(headers);
        self.read(sources, is_passing, |unit, _| complaints(unit.raw))
    }

    /// Returns the tree that [`crate::parse`] would return.
    pub fn syntax(&mut self, sources: &Sources) -> Result<Syntax, ParseError> {
        enter()?;
        on_a_deep_stack(|| {
            enter()?;
            self.read(sources, false, |unit, compilation| syntax(unit, sources, compilation))
        })
    }

    fn read<T>(
        &mut self,
        sources: &Sources,
        is_passing: bool,
        look: impl Fn(&Unit, &Compilation) -> T,
    ) -> Result<T, ParseError> {
        const OPTIONS: CXTranslationUnit_Flags = CXTranslationUnit_DetailedPreprocessingRecord;
        const KEEPING: CXTranslationUnit_Flags =
            OPTIONS | CXTranslationUnit_PrecompiledPreamble | CXTranslationUnit_CreatePreambleOnFirstParse;
        if is_passing {
            let unit = Unit::parse(sources, &self.compilation, OPTIONS)?;
            self.files.extend(unit.files_read(sources));
            return Ok(look(&unit, &self.compilation));
        }
        let kept = self.unit.take().and_then(|mut unit| unit.reparse(sources).then_some(unit));
        let unit = kept.map_or_else(|| Unit::parse(sources, &self.compilation, KEEPING), Ok)?;
        self.files.extend(unit.files_read(sources));
        self.kept = Some(self.headers(sources));
        Ok(look(self.unit.insert(unit), &self.compilation))
    }

    /// Hashes all that the headers depend on: the preprocessor directives and the user's own
    /// headers. All texts that include nothing have the same hash.
    fn headers(&self, sources: &Sources) -> Fingerprint {
        let mut hasher = DefaultHasher::new();
        let lines = self.main(sources).flat_map(|file| file.text.split(|byte| *byte == b'\n')).map(<[u8]>::trim_ascii);
        let directives: Vec<&[u8]> = lines.filter(|line| line.starts_with(b"#")).collect();
        if directives.iter().any(|line| line[1..].trim_ascii_start().starts_with(b"include")) {
            directives.hash(&mut hasher);
            self.own_headers(sources).for_each(|file| file.text.hash(&mut hasher));
        }
        hasher.finish()
    }

    fn main<'s>(&self, sources: &'s Sources) -> impl Iterator<Item = &'s SourceFile> {
        sources.files.iter().filter(|file| file.path == self.compilation.file)
    }

    fn own_headers<'s>(&self, sources: &'s Sources) -> impl Iterator<Item = &'s SourceFile> {
        sources.files.iter().filter(|file| file.path != self.compilation.file && self.files.contains(&file.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use std::path::Path;

    const HEADER: &str = "#define LIMIT 3\n#if LIMIT > 5\nint never;\n#endif\nstruct pair { int first, second; };\n";
    const TEXTS: [&str; 4] = [
        "#include <stdio.h>\n#include \"own.h\"\nint main(void) { struct pair p = {LIMIT, 2}; printf(\"%d\", p.first); }\n",
        // A different body after the same headers.
        "#include <stdio.h>\n#include \"own.h\"\nint main(void) { return LIMIT + wrong; }\n",
        // Different headers.
        "#include \"own.h\"\n#include <string.h>\nint main(void) { return strlen(\"\") == LIMIT; }\n",
        "int main(void) { return 0; }\n",
    ];

    fn sources(folder: &Path, text: &str, header: &str) -> Sources {
        let file = |name: &str, text: &str| SourceFile { path: folder.join(name), text: text.as_bytes().into() };
        Sources { files: vec![file("a.c", text), file("own.h", header)] }
    }

    #[test]
    fn reading_again_gives_the_result_of_a_first_reading() {
        // libclang keeps a preamble only for a file that exists on disk.
        let folder = tempfile::tempdir().unwrap();
        ["a.c", "own.h"].iter().for_each(|name| std::fs::write(folder.path().join(name), "int other;").unwrap());
        let compilation = Compilation { file: folder.path().join("a.c"), arguments: Vec::new() };
        let mut reader = KeptUnit::new(compilation.clone());
        let other = HEADER.replace("first, second", "first, second, third");
        for text in TEXTS.iter().chain(&TEXTS) {
            for header in [HEADER, &other] {
                let sources = sources(folder.path(), text, header);
                let fresh = parse(&sources, &compilation).unwrap();
                assert_eq!(format!("{:?}", reader.syntax(&sources).unwrap()), format!("{fresh:?}"), "{text}");
                assert_eq!(reader.complaints(&sources).unwrap(), fresh.complaints, "{text}");
            }
        }
    }

    #[test]
    fn headers_included_later_count_too() {
        let folder = tempfile::tempdir().unwrap();
        let including = "#include <stddef.h>\nenum kind {\n#include \"own.h\"\n};\nint f(void) { return last; }\n";
        std::fs::write(folder.path().join("a.c"), including).unwrap();
        let mut reader = KeptUnit::new(Compilation { file: folder.path().join("a.c"), arguments: Vec::new() });
        let mut errors = |header| reader.complaints(&sources(folder.path(), including, header)).unwrap().len();
        assert_eq!([errors("first, last"), errors("first"), errors("first"), errors("last")], [0, 1, 1, 0]);
    }
}
