//! A class with one test for each case.

use crate::case::Case;
use crate::names::{SourceNames, is_identifier};
use crate::{Unwritable, literal};
use lapidary_symbolic::Method;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The tests of one method.
pub struct TestClass<'a> {
    pub names: &'a SourceNames<'a>,
    pub method: &'a Method,
    /// A description of the tests, in a few words without line breaks.
    pub heading: &'a str,
    /// The beginning of the names of tests.
    pub stem: &'a str,
    /// Fields to leave out of the contents of values, such as `shop.Till.cache`.
    pub unseen: &'a BTreeSet<String>,
}

/// A test class as text.
pub struct WrittenClass {
    /// The file, below a source directory.
    pub path: PathBuf,
    pub text: String,
    /// The number of tests.
    pub tests: usize,
    /// For each case, why it has no test; `None` if it has one.
    pub skipped: Vec<Option<Unwritable>>,
}

const JUNIT: &str = "org.junit.jupiter.api";
const REPLAY: &str = "lapidary.replay";

impl TestClass<'_> {
    /// Writes all cases that Java can express.
    pub fn write(&self, cases: &[Case<'_>]) -> WrittenClass {
        let (mut tests, mut skipped, mut imports) = (Vec::new(), Vec::new(), BTreeSet::new());
        for case in cases {
            let body = case.body(self, &self.named(REPLAY, "Printed"));
            skipped.push(match body {
                Ok(body) => {
                    tests.push(self.test(case, tests.len() + 1, &body, &mut imports));
                    None
                }
                Err(reason) => Some(reason),
            });
        }
        let name = self.name();
        let extend = self.imported(&format!("{JUNIT}.extension"), "ExtendWith", &mut imports);
        let fresh = self.imported(REPLAY, "FreshClasses", &mut imports);
        let package = self.names.package();
        let mut text = String::new();
        if !package.is_empty() {
            text.push_str(&format!("package {};\n\n", package.replace('/', ".")));
        }
        text.push_str(&format!("import static {REPLAY}.Given.*;\nimport static {JUNIT}.Assertions.*;\n\n"));
        text.extend(imports.iter().map(|import| format!("import {import};\n")));
        text.push_str(&format!(
            "\n/** {} */\n@{extend}({fresh}.class)\n@SuppressWarnings({{\"unchecked\", \"rawtypes\"}})\nclass {name} {{\n{}}}\n",
            commented(self.heading),
            tests.join("\n")
        ));
        let path = PathBuf::from(package).join(format!("{name}.java"));
        WrittenClass { path, text, tests: tests.len(), skipped }
    }

    fn test(&self, case: &Case<'_>, number: usize, body: &[String], imports: &mut BTreeSet<String>) -> String {
        let test = self.imported(JUNIT, "Test", imports);
        let display_name = self.imported(JUNIT, "DisplayName", imports);
        if !case.aspects.is_silent() {
            self.imported(REPLAY, "Printed", imports);
        }
        let mut text = format!("    @{test}\n    @{display_name}({})\n", literal::title(case.title));
        if case.may_hang {
            let timeout = self.imported(JUNIT, "Timeout", imports);
            text.push_str(&format!("    @{timeout}(value = 10, threadMode = {timeout}.ThreadMode.SEPARATE_THREAD)\n"));
        }
        let throwable = self.names.class(&"java/lang/Throwable".into()).unwrap_or_else(|| "Throwable".to_owned());
        text.push_str(&format!("    void {}{number}() throws {throwable} {{\n", self.stem));
        text.extend(body.iter().map(|statement| format!("        {statement}\n")));
        text + "    }\n"
    }

    /// Imports a class, and returns its name.
    fn imported(&self, package: &str, simple: &str, imports: &mut BTreeSet<String>) -> String {
        let name = self.named(package, simple);
        if name == simple {
            imports.insert(format!("{package}.{simple}"));
        }
        name
    }

    /// The name of a class that can be imported; its full name if a class of the package hides it.
    fn named(&self, package: &str, simple: &str) -> String {
        if self.names.is_taken(simple) { format!("{package}.{simple}") } else { simple.to_owned() }
    }

    /// A name that no class of the package has.
    fn name(&self) -> String {
        let class = self.method.class_name.as_str();
        let simple = class.rsplit('/').next().unwrap_or_default();
        let words = simple.split('$').chain([&*self.method.name.as_str()]).map(capitalised).collect::<String>();
        let mut name = if is_identifier(&words) { format!("{words}Test") } else { "FoundTest".to_owned() };
        while self.names.is_taken(&name) {
            name.insert_str(0, "Found");
        }
        name
    }
}

/// The letters and digits of a name, the first of them in upper case.
fn capitalised(name: &str) -> String {
    let kept: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    kept.get(..1).unwrap_or_default().to_ascii_uppercase() + kept.get(1..).unwrap_or_default()
}

/// A text that is harmless in a comment.
fn commented(text: &str) -> String {
    let is_harmless = |character: char| (' '..='~').contains(&character) && character != '\\';
    let shown: String = text.chars().map(|character| if is_harmless(character) { character } else { '?' }).collect();
    shown.replace("*/", "* /")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_cannot_be_left() {
        assert_eq!(commented("a */ \\u002a/ é\n"), "a * / ?u002a/ ??");
        assert_eq!(capitalised("lambda$f-0"), "Lambdaf0");
    }
}
