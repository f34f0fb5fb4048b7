//! The variables of the environment that go into a bundle: those that change what compilers and
//! other tools do. Everything else stays private.

use super::secrets;
use std::collections::BTreeMap;

const NAMES: [&str; 26] = [
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_COLLATE",
    "TZ",
    "CC",
    "CXX",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "RUSTFLAGS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "PYTHONHASHSEED",
    "PYTHONOPTIMIZE",
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
    "MSAN_OPTIONS",
    "TSAN_OPTIONS",
    "OMP_NUM_THREADS",
    "SOURCE_DATE_EPOCH",
];

/// The variables that are set, without those that look like a secret.
pub(crate) fn that_matters() -> BTreeMap<String, String> {
    let value = |name: &str| Some((name.to_owned(), std::env::var(name).ok()?));
    NAMES.into_iter().filter_map(value).filter(|(_, value)| !value.is_empty() && !secrets::is_one(value)).collect()
}
