//! Names as items. Without the item, every occurrence of the name becomes a short name that is not
//! used otherwise.

use crate::Language;
use crate::lexer::{Class, Token, tokens};
use crate::patches::{Collector, Patched};
use lapidary_logic::Cnf;
use lapidary_reduce::Item;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Short words that languages reserve; no name is replaced by one.
const RESERVED: &[&str] = &["as", "at", "by", "do", "fi", "fn", "go", "if", "in", "is", "no", "of", "on", "or", "to"];

/// The names of several texts together.
pub(crate) struct Names {
    pub(crate) items: Vec<Item>,
    pub(crate) constraint: Cnf,
    pub(crate) texts: Vec<Patched>,
}

pub(crate) fn names(files: &[(Option<&Language>, &[u8])]) -> Option<Names> {
    let occurrences = occurrences(files);
    let mut long: Vec<_> = occurrences.iter().filter(|(name, _)| name.len() > 1).collect();
    // The names that take the most space get the shortest replacements.
    long.sort_by_key(|(name, places)| (std::cmp::Reverse(name.len() * places.len()), name.to_vec()));
    let mut fresh = fresh(&occurrences).peekable();
    let mut collector = Collector::default();
    let mut patches = vec![Vec::new(); files.len()];
    for (name, places) in long {
        let Some(short) = fresh.next_if(|short| short.len() < name.len()) else { continue };
        let var = collector.item(format!("name {}", String::from_utf8_lossy(name)), "name", None);
        for (file, range) in places {
            collector.patch(var, range.clone(), short.clone());
            patches[*file].extend(collector.patches.pop());
        }
    }
    let constraint = collector.constraint();
    let texts = files.iter().zip(patches).map(|((_, text), patches)| Patched::new(text, patches, false)).collect();
    (!collector.items.is_empty()).then_some(Names { items: collector.items, constraint, texts })
}

/// The occurrences of each name, as file and range.
type Occurrences<'t> = BTreeMap<&'t [u8], Vec<(usize, Range<usize>)>>;

fn occurrences<'t>(files: &[(Option<&Language>, &'t [u8])]) -> Occurrences<'t> {
    let mut occurrences = Occurrences::new();
    for (file, (language, text)) in files.iter().enumerate() {
        let is_data = language.is_some_and(|language| !language.knowledge().names.is_empty());
        for token in tokens(*language, text).into_iter().filter(|token| is_name(token, text, is_data)) {
            let name = &text[token.range.clone()];
            occurrences.entry(name).or_default().push((file, token.range));
        }
    }
    occurrences
}

/// Returns whether a token is a name: a word, or in data, where strings are names, the content of a
/// string that is one word.
fn is_name(token: &Token, text: &[u8], is_data: bool) -> bool {
    let one_word = || !text[token.range.clone()].iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'\\');
    token.class == Class::Word || (is_data && token.class == Class::Content && one_word())
}

/// Fresh names `a`, `b`, …, `z`, `aa`, …: those that no text contains as a word.
fn fresh(taken: &Occurrences<'_>) -> impl Iterator<Item = String> {
    let taken: HashSet<Vec<u8>> = taken.keys().map(|name| name.to_vec()).collect();
    let letters = || ('a'..='z').map(String::from);
    let pairs = ('a'..='z').flat_map(|first| ('a'..='z').map(move |second| format!("{first}{second}")));
    let numbered = ('a'..='z').flat_map(|first| (0..100).map(move |number| format!("{first}{number}")));
    letters()
        .chain(pairs)
        .chain(numbered)
        .filter(move |name| !taken.contains(name.as_bytes()) && !RESERVED.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language_named;
    use lapidary_logic::{Var, VarSet};

    /// The occurrences of each name, ordered by first occurrence.
    fn places(language: &Language, text: &[u8]) -> Vec<Vec<usize>> {
        let words: Vec<_> =
            tokens(Some(language), text).into_iter().filter(|token| token.class == Class::Word).collect();
        let mut places: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        words.iter().enumerate().for_each(|(n, word)| places.entry(&text[word.range.clone()]).or_default().push(n));
        let mut places: Vec<Vec<usize>> = places.into_values().collect();
        places.sort();
        places
    }

    #[test]
    fn renamed_texts_have_as_many_names_in_the_same_places() {
        let samples: [(&str, &[u8]); 3] = [
            ("c", include_bytes!("../tests/snippets/sample.c")),
            ("python", include_bytes!("../tests/snippets/sample.py")),
            ("rust", include_bytes!("../tests/snippets/sample.rs")),
        ];
        for (name, text) in samples {
            let language = language_named(name).unwrap();
            let names = names(&[(Some(&language), text)]).unwrap();
            let labels: HashSet<&str> = names.items.iter().map(|item| item.label.as_str()).collect();
            assert_eq!(labels.len(), names.items.len(), "{name}: one item for each name");
            let count = names.items.len();
            for keep in [VarSet::of(count, []), VarSet::of(count, (0..count).step_by(2).map(Var::new))] {
                let renamed = names.texts[0].write(&keep);
                assert!(renamed.len() < text.len());
                assert_eq!(places(&language, &renamed), places(&language, text), "{name}");
            }
        }
    }
}
