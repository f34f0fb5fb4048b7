//! The table of built-in languages. A row names the grammar and adds facts that a grammar does not
//! state: the smallest texts of each kind, the children that only look optional, and the nodes that
//! hoisting should leave alone.

use tree_sitter_language::LanguageFn;

pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) extensions: &'static [&'static str],
    pub(crate) shebangs: &'static [&'static str],
    pub(crate) grammar: LanguageFn,
    pub(crate) node_types: &'static str,
    pub(crate) queries: &'static [&'static str],
    pub(crate) knowledge: Knowledge,
}

/// Facts about a language beyond its grammar. Kinds have the names of the grammar.
pub(crate) struct Knowledge {
    /// For a place (`kind/field`), a kind or a supertype: the texts that can stand there, shortest
    /// first.
    pub(crate) smallest: &'static [(&'static str, &'static [&'static str])],
    /// Children that node types call optional although their parent is meaningless without them.
    pub(crate) fixed: &'static [&'static str],
    /// Kinds that keep at least one child although the grammar accepts them empty.
    pub(crate) nonempty: &'static [&'static str],
    /// The prefix of named kinds that are really tokens.
    pub(crate) token_prefix: Option<&'static str>,
    /// Kinds that are replaced only by descendants of their own kind.
    pub(crate) closed: &'static [&'static str],
    /// Kinds, or places (`kind/field`), whose content is meaningful only there: hoisting skips them
    /// and considers their descendants.
    pub(crate) bound: &'static [&'static str],
    /// In data languages, the kinds of leaves that are names. The row's queries tell which of them
    /// are definitions.
    pub(crate) names: &'static [&'static str],
    /// The text that turns an expression into a statement when appended.
    pub(crate) statement_end: Option<&'static str>,
    /// Whether indentation is significant.
    pub(crate) indented: bool,
    /// The texts that start a comment which ends with the line.
    pub(crate) line_comments: &'static [&'static str],
}

impl Knowledge {
    pub(crate) const NONE: Knowledge = Knowledge {
        smallest: &[],
        fixed: &[],
        nonempty: &[],
        token_prefix: None,
        closed: &[],
        bound: &[],
        names: &[],
        statement_end: None,
        indented: false,
        line_comments: &["//", "#", "--"],
    };
}

const SLASHES: &[&str] = &["//"];
const HASH: &[&str] = &["#"];

const C: Knowledge = Knowledge {
    smallest: &[
        ("function_definition/body", &[";", "{}"]),
        ("compound_statement", &["{}"]),
        ("statement", &[";"]),
        ("string_literal", &["\"\""]),
        ("initializer_list", &["0", "{}"]),
        ("expression", &["0"]),
        ("type_specifier", &["int"]),
        ("field_declaration_list", &["{}"]),
        ("parameter_list", &["()"]),
        ("argument_list", &["()"]),
    ],
    bound: &["case_statement", "switch_statement/body"],
    closed: &["function_definition", "declaration", "field_declaration", "type_definition", "parameter_declaration"],
    statement_end: Some(";"),
    line_comments: SLASHES,
    ..Knowledge::NONE
};

const CPP: Knowledge = Knowledge {
    smallest: &[
        ("function_definition/body", &[";", "{}"]),
        ("compound_statement", &["{}"]),
        ("declaration_list", &["{}"]),
        ("field_declaration_list", &["{}"]),
        ("statement", &[";"]),
        ("string_literal", &["\"\""]),
        ("initializer_list", &["{}"]),
        ("expression", &["0"]),
        ("type_specifier", &["int"]),
        ("type_descriptor", &["int"]),
        ("parameter_list", &["()"]),
        ("argument_list", &["()"]),
    ],
    fixed: &["operator_name"],
    ..C
};

const JAVA: Knowledge = Knowledge {
    smallest: &[
        ("block", &["{}", "{throw null;}"]),
        ("constructor_body", &["{}"]),
        ("class_body", &["{}"]),
        ("interface_body", &["{}"]),
        ("enum_body", &["{}"]),
        ("switch_block", &["{}"]),
        ("array_initializer", &["{}"]),
        ("formal_parameters", &["()"]),
        ("argument_list", &["()"]),
        ("statement", &[";"]),
        ("string_literal", &["\"\""]),
        ("expression", &["0", "null"]),
        ("_type", &["int", "Object"]),
    ],
    closed: &["method_declaration", "class_declaration", "interface_declaration", "constructor_declaration"],
    statement_end: Some(";"),
    line_comments: SLASHES,
    ..Knowledge::NONE
};

const RUST: Knowledge = Knowledge {
    smallest: &[
        ("block", &["{}", "{loop{}}"]),
        ("declaration_list", &["{}"]),
        ("field_declaration_list", &["{}"]),
        ("match_block", &["{}"]),
        ("string_literal", &["\"\""]),
        ("_expression", &["0", "loop{}"]),
        ("_pattern", &["_"]),
        ("_type", &["()"]),
        ("token_tree", &["()", "{}", "[]"]),
        ("parameters", &["()"]),
        ("arguments", &["()"]),
    ],
    closed: &["function_item", "struct_item", "impl_item", "enum_item", "trait_item"],
    statement_end: Some(";"),
    line_comments: SLASHES,
    ..Knowledge::NONE
};

const PYTHON: Knowledge = Knowledge {
    smallest: &[
        ("block", &["pass"]),
        ("parameters", &["()"]),
        ("argument_list", &["()"]),
        ("_simple_statement", &["pass"]),
        ("_compound_statement", &["pass"]),
        ("string", &["''"]),
        ("expression", &["0"]),
        ("primary_expression", &["0"]),
        ("pattern", &["_"]),
    ],
    fixed: &["string_start", "string_end"],
    nonempty: &["block"],
    closed: &["function_definition", "class_definition", "decorated_definition"],
    indented: true,
    line_comments: HASH,
    ..Knowledge::NONE
};

const JAVASCRIPT: Knowledge = Knowledge {
    smallest: &[
        ("statement_block", &["{}"]),
        ("class_body", &["{}"]),
        ("switch_body", &["{}"]),
        ("formal_parameters", &["()"]),
        ("arguments", &["()"]),
        ("statement", &[";"]),
        ("string", &["''"]),
        ("template_string", &["''"]),
        ("object", &["0", "{}"]),
        ("array", &["0", "[]"]),
        ("expression", &["0"]),
        ("primary_expression", &["0"]),
        ("pattern", &["_"]),
    ],
    fixed: &["jsx_opening_element", "jsx_closing_element"],
    closed: &["function_declaration", "class_declaration", "method_definition"],
    bound: &["function_expression/body", "arrow_function/body"],
    statement_end: Some(";"),
    line_comments: SLASHES,
    ..Knowledge::NONE
};

const TYPESCRIPT: Knowledge = Knowledge {
    smallest: &[
        ("statement_block", &["{}", "{throw 0}"]),
        ("class_body", &["{}"]),
        ("interface_body", &["{}"]),
        ("enum_body", &["{}"]),
        ("switch_body", &["{}"]),
        ("formal_parameters", &["()"]),
        ("arguments", &["()"]),
        ("statement", &[";"]),
        ("string", &["''"]),
        ("template_string", &["''"]),
        ("object", &["0", "{}"]),
        ("array", &["0", "[]"]),
        ("expression", &["0"]),
        ("primary_expression", &["0"]),
        ("pattern", &["_"]),
        ("type", &["any"]),
        ("primary_type", &["any"]),
    ],
    ..JAVASCRIPT
};

const GO: Knowledge = Knowledge {
    smallest: &[
        ("block", &["{}", "{panic(0)}"]),
        ("field_declaration_list", &["{}"]),
        ("literal_value", &["{}"]),
        ("parameter_list", &["()"]),
        ("argument_list", &["()"]),
        ("interpreted_string_literal", &["\"\""]),
        ("raw_string_literal", &["\"\""]),
        ("_expression", &["0", "nil"]),
        ("_type", &["int"]),
        ("_simple_type", &["int"]),
    ],
    fixed: &["package_clause"],
    closed: &["function_declaration", "method_declaration"],
    statement_end: Some(""),
    line_comments: SLASHES,
    ..Knowledge::NONE
};

const JSON: Knowledge = Knowledge {
    smallest: &[("object", &["0", "{}"]), ("array", &["0", "[]"]), ("string", &["\"\""]), ("_value", &["0"])],
    names: &["string_content"],
    line_comments: SLASHES,
    ..Knowledge::NONE
};

const HTML: Knowledge = Knowledge {
    smallest: &[("quoted_attribute_value", &["\"\""])],
    fixed: &["start_tag", "end_tag", "tag_name", "attribute_name", "raw_text"],
    names: &["attribute_value"],
    line_comments: &[],
    ..Knowledge::NONE
};

const XML: Knowledge = Knowledge {
    smallest: &[("AttValue", &["\"\""])],
    fixed: &["STag", "ETag", "Name"],
    names: &["AttValue"],
    line_comments: &[],
    ..Knowledge::NONE
};

const CSS: Knowledge = Knowledge {
    smallest: &[("block", &["{}"]), ("string_value", &["''"]), ("selectors", &["*", "a"])],
    fixed: &["property_name", "block", "feature_name", "function_name", "arguments"],
    closed: &["rule_set"],
    names: &["property_name", "plain_value", "keyframes_name"],
    line_comments: &[],
    ..Knowledge::NONE
};

const BASH: Knowledge = Knowledge {
    smallest: &[
        ("compound_statement", &[":"]),
        ("_statement", &[":"]),
        ("string", &["''"]),
        ("raw_string", &["''"]),
        ("_primary_expression", &["0"]),
    ],
    fixed: &["variable_name", "heredoc_start", "heredoc_end", "heredoc_body"],
    line_comments: HASH,
    ..Knowledge::NONE
};

const SQL: Knowledge = Knowledge {
    smallest: &[("literal", &["0"]), ("select_expression", &["0"]), ("term", &["0"])],
    token_prefix: Some("keyword_"),
    line_comments: &["--"],
    ..Knowledge::NONE
};

const JSON_KEYS: &str = "(pair key: (string (string_content) @name)) @definition";

const HTML_IDENTIFIERS: &str = r#"
((attribute (attribute_name) @_key (quoted_attribute_value (attribute_value) @name)) @definition
    (#any-of? @_key "id" "name"))
((attribute (attribute_name) @_key (attribute_value) @name) @definition (#any-of? @_key "id" "name"))
"#;

const XML_IDENTIFIERS: &str =
    r#"((Attribute (Name) @_key (AttValue) @name) @definition (#any-of? @_key "id" "xml:id" "name"))"#;

const CSS_PROPERTIES: &str = r#"
((declaration (property_name) @name) @definition (#match? @name "^--"))
(keyframes_statement (keyframes_name) @name) @definition
"#;

const SQL_OBJECTS: &str = "
(create_table (object_reference name: (identifier) @name)) @definition
(create_view (object_reference name: (identifier) @name)) @definition
(create_function (object_reference name: (identifier) @name)) @definition
(create_index column: (identifier) @name) @definition
";

pub(crate) const BUILT_IN: &[Row] = &[
    Row {
        name: "c",
        aliases: &[],
        extensions: &["c", "h", "i"],
        shebangs: &["tcc"],
        grammar: tree_sitter_c::LANGUAGE,
        node_types: tree_sitter_c::NODE_TYPES,
        queries: &[tree_sitter_c::TAGS_QUERY],
        knowledge: C,
    },
    Row {
        name: "cpp",
        aliases: &["c++", "cxx"],
        extensions: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "ipp", "ii", "cu", "tcc"],
        shebangs: &[],
        grammar: tree_sitter_cpp::LANGUAGE,
        node_types: tree_sitter_cpp::NODE_TYPES,
        queries: &[tree_sitter_cpp::TAGS_QUERY],
        knowledge: CPP,
    },
    Row {
        name: "java",
        aliases: &[],
        extensions: &["java"],
        shebangs: &["java"],
        grammar: tree_sitter_java::LANGUAGE,
        node_types: tree_sitter_java::NODE_TYPES,
        queries: &[tree_sitter_java::TAGS_QUERY],
        knowledge: JAVA,
    },
    Row {
        name: "rust",
        aliases: &["rs"],
        extensions: &["rs"],
        shebangs: &["rust-script"],
        grammar: tree_sitter_rust::LANGUAGE,
        node_types: tree_sitter_rust::NODE_TYPES,
        queries: &[tree_sitter_rust::TAGS_QUERY],
        knowledge: RUST,
    },
    Row {
        name: "python",
        aliases: &["py"],
        extensions: &["py", "pyi", "pyw"],
        shebangs: &["python", "pypy"],
        grammar: tree_sitter_python::LANGUAGE,
        node_types: tree_sitter_python::NODE_TYPES,
        queries: &[tree_sitter_python::TAGS_QUERY],
        knowledge: PYTHON,
    },
    Row {
        name: "javascript",
        aliases: &["js", "jsx"],
        extensions: &["js", "mjs", "cjs", "jsx"],
        shebangs: &["node", "bun"],
        grammar: tree_sitter_javascript::LANGUAGE,
        node_types: tree_sitter_javascript::NODE_TYPES,
        queries: &[tree_sitter_javascript::TAGS_QUERY, tree_sitter_javascript::LOCALS_QUERY],
        knowledge: JAVASCRIPT,
    },
    Row {
        name: "typescript",
        aliases: &["ts"],
        extensions: &["ts", "mts", "cts"],
        shebangs: &["ts-node", "deno", "tsx"],
        grammar: tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        node_types: tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
        queries: &[
            tree_sitter_javascript::TAGS_QUERY,
            tree_sitter_typescript::TAGS_QUERY,
            tree_sitter_javascript::LOCALS_QUERY,
            tree_sitter_typescript::LOCALS_QUERY,
        ],
        knowledge: TYPESCRIPT,
    },
    Row {
        name: "tsx",
        aliases: &[],
        extensions: &["tsx"],
        shebangs: &[],
        grammar: tree_sitter_typescript::LANGUAGE_TSX,
        node_types: tree_sitter_typescript::TSX_NODE_TYPES,
        queries: &[
            tree_sitter_javascript::TAGS_QUERY,
            tree_sitter_typescript::TAGS_QUERY,
            tree_sitter_javascript::LOCALS_QUERY,
            tree_sitter_typescript::LOCALS_QUERY,
        ],
        knowledge: TYPESCRIPT,
    },
    Row {
        name: "go",
        aliases: &["golang"],
        extensions: &["go"],
        shebangs: &[],
        grammar: tree_sitter_go::LANGUAGE,
        node_types: tree_sitter_go::NODE_TYPES,
        queries: &[tree_sitter_go::TAGS_QUERY],
        knowledge: GO,
    },
    Row {
        name: "json",
        aliases: &[],
        extensions: &["json", "jsonc", "geojson", "ipynb"],
        shebangs: &[],
        grammar: tree_sitter_json::LANGUAGE,
        node_types: tree_sitter_json::NODE_TYPES,
        queries: &[JSON_KEYS],
        knowledge: JSON,
    },
    Row {
        name: "html",
        aliases: &[],
        extensions: &["html", "htm", "xhtml"],
        shebangs: &[],
        grammar: tree_sitter_html::LANGUAGE,
        node_types: tree_sitter_html::NODE_TYPES,
        queries: &[HTML_IDENTIFIERS],
        knowledge: HTML,
    },
    Row {
        name: "xml",
        aliases: &[],
        extensions: &["xml", "svg", "xsd", "xsl", "xslt", "rss"],
        shebangs: &[],
        grammar: tree_sitter_xml::LANGUAGE_XML,
        node_types: tree_sitter_xml::XML_NODE_TYPES,
        queries: &[XML_IDENTIFIERS],
        knowledge: XML,
    },
    Row {
        name: "css",
        aliases: &[],
        extensions: &["css"],
        shebangs: &[],
        grammar: tree_sitter_css::LANGUAGE,
        node_types: tree_sitter_css::NODE_TYPES,
        queries: &[CSS_PROPERTIES],
        knowledge: CSS,
    },
    Row {
        name: "bash",
        aliases: &["sh", "shell"],
        extensions: &["sh", "bash", "ksh", "zsh"],
        shebangs: &["sh", "bash", "dash", "ksh", "zsh"],
        grammar: tree_sitter_bash::LANGUAGE,
        node_types: tree_sitter_bash::NODE_TYPES,
        queries: &[],
        knowledge: BASH,
    },
    Row {
        name: "sql",
        aliases: &[],
        extensions: &["sql"],
        shebangs: &[],
        grammar: tree_sitter_sequel::LANGUAGE,
        node_types: tree_sitter_sequel::NODE_TYPES,
        queries: &[SQL_OBJECTS],
        knowledge: SQL,
    },
];
