//! Comments, strings and keywords of languages: a table with a line for each.

use std::path::Path;

/// A language, as far as colours need it. `Language::default()` has no colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Language(pub(super) Option<&'static Grammar>);

/// How a language looks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Grammar {
    name: &'static str,
    extensions: &'static [&'static str],
    /// Signs that begin a comment to the end of the line.
    pub line_comments: &'static [&'static str],
    /// Signs that begin and end a comment of several lines.
    pub block_comment: Option<(&'static str, &'static str)>,
    /// Quotes of strings within a line; `'` may also be that of a lifetime in Rust.
    pub quotes: &'static [char],
    /// Quotes of strings that may have several lines.
    pub long_quotes: &'static [&'static str],
    /// Whether lines that begin with `#` are for a preprocessor.
    pub has_directives: bool,
    pub ignores_case: bool,
    /// In the order of the alphabet, small letters where case is ignored.
    pub keywords: &'static [&'static str],
}

const C: Grammar = Grammar {
    name: "c",
    extensions: &["c", "h", "i", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "ii", "m", "cu"],
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\''],
    long_quotes: &[],
    has_directives: true,
    ignores_case: false,
    keywords: &[
        "_Alignas",
        "_Atomic",
        "_Bool",
        "_Complex",
        "_Generic",
        "_Noreturn",
        "_Static_assert",
        "_Thread_local",
        "__asm__",
        "__attribute__",
        "__extension__",
        "__inline",
        "__restrict",
        "alignas",
        "alignof",
        "asm",
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "co_await",
        "co_return",
        "co_yield",
        "concept",
        "const",
        "const_cast",
        "consteval",
        "constexpr",
        "constinit",
        "continue",
        "decltype",
        "default",
        "delete",
        "do",
        "double",
        "dynamic_cast",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "final",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "nullptr",
        "operator",
        "override",
        "private",
        "protected",
        "public",
        "register",
        "reinterpret_cast",
        "requires",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "static_cast",
        "struct",
        "switch",
        "template",
        "this",
        "thread_local",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "typeof",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
    ],
};

const JAVA: Grammar = Grammar {
    name: "java",
    extensions: &["java", "fji", "kt", "scala", "groovy", "cs"],
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\''],
    long_quotes: &["\"\"\""],
    has_directives: false,
    ignores_case: false,
    keywords: &lapidary_jvm::KEYWORDS,
};

const JAVASCRIPT: Grammar = Grammar {
    name: "javascript",
    extensions: &["js", "mjs", "cjs", "jsx", "ts", "tsx", "mts"],
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\''],
    long_quotes: &["`"],
    has_directives: false,
    ignores_case: false,
    keywords: &[
        "any",
        "as",
        "async",
        "await",
        "boolean",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "debugger",
        "declare",
        "default",
        "delete",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "false",
        "finally",
        "for",
        "from",
        "function",
        "get",
        "if",
        "implements",
        "import",
        "in",
        "instanceof",
        "interface",
        "keyof",
        "let",
        "namespace",
        "never",
        "new",
        "null",
        "number",
        "of",
        "private",
        "protected",
        "public",
        "readonly",
        "return",
        "set",
        "static",
        "string",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "type",
        "typeof",
        "undefined",
        "unknown",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ],
};

const RUST: Grammar = Grammar {
    name: "rust",
    extensions: &["rs"],
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\''],
    long_quotes: &[],
    has_directives: false,
    ignores_case: false,
    keywords: &[
        "Self", "as", "async", "await", "bool", "break", "char", "const", "continue", "crate", "dyn", "else", "enum",
        "extern", "f32", "f64", "false", "fn", "for", "i128", "i16", "i32", "i64", "i8", "if", "impl", "in", "isize",
        "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static", "str", "struct",
        "super", "trait", "true", "type", "u128", "u16", "u32", "u64", "u8", "union", "unsafe", "use", "usize",
        "where", "while",
    ],
};

const PYTHON: Grammar = Grammar {
    name: "python",
    extensions: &["py", "pyi"],
    line_comments: &["#"],
    block_comment: None,
    quotes: &['"', '\''],
    long_quotes: &["\"\"\"", "'''"],
    has_directives: false,
    ignores_case: false,
    keywords: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue", "def",
        "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
        "match", "nonlocal", "not", "or", "pass", "raise", "return", "self", "try", "while", "with", "yield",
    ],
};

const GO: Grammar = Grammar {
    name: "go",
    extensions: &["go"],
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\''],
    long_quotes: &["`"],
    has_directives: false,
    ignores_case: false,
    keywords: &[
        "any",
        "bool",
        "break",
        "byte",
        "case",
        "chan",
        "const",
        "continue",
        "default",
        "defer",
        "else",
        "error",
        "fallthrough",
        "false",
        "float64",
        "for",
        "func",
        "go",
        "goto",
        "if",
        "import",
        "int",
        "int64",
        "interface",
        "iota",
        "map",
        "nil",
        "package",
        "range",
        "return",
        "rune",
        "select",
        "string",
        "struct",
        "switch",
        "true",
        "type",
        "var",
    ],
};

const JSON: Grammar = Grammar {
    name: "json",
    extensions: &["json", "jsonl", "json5"],
    line_comments: &[],
    block_comment: None,
    quotes: &['"'],
    long_quotes: &[],
    has_directives: false,
    ignores_case: false,
    keywords: &["false", "null", "true"],
};

const SQL: Grammar = Grammar {
    name: "sql",
    extensions: &["sql"],
    line_comments: &["--"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\''],
    long_quotes: &[],
    has_directives: false,
    ignores_case: true,
    keywords: &[
        "add",
        "all",
        "alter",
        "and",
        "as",
        "asc",
        "between",
        "by",
        "case",
        "cast",
        "check",
        "column",
        "constraint",
        "create",
        "cross",
        "default",
        "delete",
        "desc",
        "distinct",
        "drop",
        "else",
        "end",
        "except",
        "exists",
        "foreign",
        "from",
        "full",
        "group",
        "having",
        "if",
        "in",
        "index",
        "inner",
        "insert",
        "int",
        "integer",
        "intersect",
        "into",
        "is",
        "join",
        "key",
        "left",
        "like",
        "limit",
        "natural",
        "not",
        "null",
        "offset",
        "on",
        "or",
        "order",
        "outer",
        "primary",
        "references",
        "right",
        "select",
        "set",
        "table",
        "text",
        "then",
        "union",
        "unique",
        "update",
        "using",
        "values",
        "varchar",
        "view",
        "when",
        "where",
        "with",
    ],
};

const SHELL: Grammar = Grammar {
    name: "shell",
    extensions: &["sh", "bash", "zsh"],
    line_comments: &["#"],
    block_comment: None,
    quotes: &['"', '\''],
    long_quotes: &[],
    has_directives: false,
    ignores_case: false,
    keywords: &[
        "case", "cd", "do", "done", "elif", "else", "esac", "exec", "exit", "export", "fi", "for", "function", "if",
        "in", "local", "return", "set", "shift", "test", "then", "trap", "until", "while",
    ],
};

const MARKUP: Grammar = Grammar {
    name: "markup",
    extensions: &["html", "htm", "xml", "svg", "xhtml"],
    line_comments: &[],
    block_comment: Some(("<!--", "-->")),
    quotes: &['"'],
    long_quotes: &[],
    has_directives: false,
    ignores_case: false,
    keywords: &[],
};

const CSS: Grammar = Grammar {
    name: "css",
    extensions: &["css"],
    line_comments: &[],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\''],
    long_quotes: &[],
    has_directives: false,
    ignores_case: false,
    keywords: &[],
};

/// Disassembled class files, as `javap` and the crate's own listing print them.
const BYTECODE: Grammar =
    Grammar { name: "bytecode", extensions: &["class", "jasm"], line_comments: &["//", ";"], ..JAVA };

static ALL: [Grammar; 12] = [C, JAVA, JAVASCRIPT, RUST, PYTHON, GO, JSON, SQL, SHELL, MARKUP, CSS, BYTECODE];

impl Language {
    /// The language with this name or file extension: `c`, `cpp`, `java`, `rust`, `rs`, …
    #[must_use]
    pub fn named(name: &str) -> Language {
        let name = name.to_ascii_lowercase();
        let found = ALL.iter().find(|grammar| grammar.name == name || grammar.extensions.contains(&&*name));
        Language(found)
    }

    /// The language of a file, by its name.
    #[must_use]
    pub fn of(path: &Path) -> Language {
        path.extension().and_then(|extension| extension.to_str()).map(Language::named).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_can_be_looked_up() {
        for grammar in &ALL {
            assert!(grammar.keywords.is_sorted(), "{}", grammar.name);
        }
    }

    #[test]
    fn languages_are_found_by_name_and_extension() {
        assert_eq!(Language::of(Path::new("a/b.reduced.HPP")), Language::named("c"));
        assert_eq!(Language::named("fji"), Language::named("java"));
        assert_eq!(Language::of(Path::new("Makefile")), Language::default());
    }
}
