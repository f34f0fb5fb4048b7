//! Reads a specification. Every error has a line and a column.

use super::{Literal, Matcher, Names, Spec, Test, Tolerance};
use regex::Regex;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// An error in a specification, with its place.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}, column {column}: {what}")]
pub struct SpecError {
    pub line: usize,
    pub column: usize,
    pub what: String,
}

type Value<'a> = Spanned<DeValue<'a>>;
type Read<T> = Result<T, Wrong>;

/// A byte offset and an error message.
struct Wrong(usize, String);

const KEYS: &str = "changed, unchanged, pure, numbers, output, result";
const RULE_KEYS: &str = "class, parameter, field, equals, matches, above, below, called-by, all, any, not";

impl Spec {
    pub fn read(text: &str) -> Result<Spec, SpecError> {
        spec(text).map_err(|Wrong(at, what)| {
            let before = &text[..at.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
            SpecError { line, column, what }
        })
    }
}

fn spec(text: &str) -> Read<Spec> {
    let table = DeTable::parse(text)
        .map_err(|error| Wrong(error.span().map_or(0, |span| span.start), error.message().trim().to_owned()))?;
    let mut spec = Spec::default();
    for (key, value) in table.get_ref() {
        match &**key.get_ref() {
            "changed" => spec.changed = rules(value)?,
            "unchanged" => spec.unchanged = rules(value)?,
            "pure" => spec.pure = vec![Names::new(texts(value)?)],
            "numbers" => spec.numbers = tolerance(value)?,
            "output" => spec.output_may_change = may_change(value)?,
            "result" => spec.result_may_change = may_change(value)?,
            other => return wrong(key, format!("`{other}` is none of {KEYS}")),
        }
    }
    Ok(spec)
}

fn wrong<T, S>(at: &Spanned<S>, what: impl Into<String>) -> Read<T> {
    Err(Wrong(at.span().start, what.into()))
}

/// Reads `[[changed]]`, or `changed = [{…}, …]`.
fn rules(value: &Value<'_>) -> Read<Vec<Matcher>> {
    match value.get_ref() {
        DeValue::Array(rules) => rules.iter().map(rule).collect(),
        DeValue::Table(_) => Ok(vec![rule(value)?]),
        _ => wrong(value, "rules are tables: write [[changed]] and the keys of the rule below it"),
    }
}

/// Reads a rule. All its keys have to match.
fn rule(value: &Value<'_>) -> Read<Matcher> {
    let DeValue::Table(table) = value.get_ref() else {
        return wrong(value, "a rule is a table, as in { class = \"a.B\" }");
    };
    let mut parts = Vec::new();
    for (key, value) in table {
        match &**key.get_ref() {
            "class" => parts.push(Matcher::Class(Names::new(texts(value)?))),
            "called-by" => parts.push(Matcher::CalledBy(Names::new(texts(value)?))),
            "all" => parts.push(Matcher::All(rules(value)?)),
            "any" => parts.push(Matcher::Any(rules(value)?)),
            "not" => parts.push(Matcher::Not(Box::new(rule(value)?))),
            "parameter" => parts.extend(tests(table, key)?.into_iter().map(parameter(value)?)),
            "field" => parts.extend(tests(table, key)?.into_iter().map(field(value)?)),
            "equals" | "matches" | "above" | "below" => tested(table, key)?,
            other => return wrong(key, format!("`{other}` is none of {RULE_KEYS}")),
        }
    }
    match parts.len() {
        0 => wrong(value, format!("the rule says nothing; it may have {RULE_KEYS}")),
        1 => Ok(parts.remove(0)),
        _ => Ok(Matcher::All(parts)),
    }
}

fn parameter(value: &Value<'_>) -> Read<impl Fn(Test) -> Matcher + use<>> {
    match integer(value) {
        Some(number @ 1..=255) => Ok(move |test| Matcher::Parameter(number as usize, test)),
        _ => wrong(value, "parameters of constructors are counted from 1"),
    }
}

fn field(value: &Value<'_>) -> Read<impl Fn(Test) -> Matcher + use<>> {
    let name = text(value)?;
    Ok(move |test| Matcher::Field(name.clone(), test))
}

/// Reads the conditions on a parameter or field, which are keys of the same table.
fn tests(table: &DeTable<'_>, of: &Spanned<std::borrow::Cow<'_, str>>) -> Read<Vec<Test>> {
    let mut tests = Vec::new();
    for (key, value) in table {
        match &**key.get_ref() {
            "equals" => tests.push(Test::Equals(literal(value)?)),
            "matches" => tests.push(Test::Matches(expression(value)?)),
            "above" => tests.push(Test::Above(bound(value)?)),
            "below" => tests.push(Test::Below(bound(value)?)),
            _ => {}
        }
    }
    if tests.is_empty() {
        return wrong(of, format!("`{}` needs equals, matches, above or below beside it", of.get_ref()));
    }
    Ok(tests)
}

fn tested(table: &DeTable<'_>, key: &Spanned<std::borrow::Cow<'_, str>>) -> Read<()> {
    let has_subject = table.iter().any(|(other, _)| matches!(&**other.get_ref(), "parameter" | "field"));
    if has_subject {
        Ok(())
    } else {
        wrong(key, format!("`{}` of what? It needs a parameter or a field", key.get_ref()))
    }
}

fn literal(value: &Value<'_>) -> Read<Literal> {
    match value.get_ref() {
        DeValue::String(text) if text == "null" => Ok(Literal::Null),
        DeValue::String(text) => Ok(Literal::Text(text.to_string())),
        DeValue::Boolean(holds) => Ok(Literal::Boolean(*holds)),
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) => Ok(Literal::Float(number)),
            Err(_) => wrong(value, "not a number"),
        },
        _ => integer(value)
            .map(Literal::Integer)
            .ok_or(())
            .or_else(|()| wrong(value, "a number, true, false, a text or \"null\"")),
    }
}

fn expression(value: &Value<'_>) -> Read<Regex> {
    Regex::new(&text(value)?).or_else(|error| wrong(value, error.to_string()))
}

fn bound(value: &Value<'_>) -> Read<i64> {
    integer(value).ok_or(()).or_else(|()| wrong(value, "an integer is needed"))
}

fn integer(value: &Value<'_>) -> Option<i64> {
    match value.get_ref() {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}

fn tolerance(value: &Value<'_>) -> Read<Tolerance> {
    const KNOWN: &str = "numbers are \"exact\", \"no-overflow\" or { ulp = N }";
    match value.get_ref() {
        DeValue::String(name) if name == "exact" => Ok(Tolerance::Exact),
        DeValue::String(name) if name == "no-overflow" => Ok(Tolerance::NoOverflow),
        DeValue::Table(table) => match table.iter().next() {
            Some((key, apart)) if key.get_ref() == "ulp" && table.len() == 1 => match integer(apart) {
                Some(apart @ 0..=0xffff_ffff) => Ok(Tolerance::Ulp(apart as u32)),
                _ => wrong(apart, "so many representable numbers: an integer that is not negative"),
            },
            _ => wrong(value, KNOWN),
        },
        _ => wrong(value, KNOWN),
    }
}

fn may_change(value: &Value<'_>) -> Read<bool> {
    match value.get_ref() {
        DeValue::String(word) if word == "changed" => Ok(true),
        DeValue::String(word) if word == "unchanged" => Ok(false),
        _ => wrong(value, "either \"changed\" or \"unchanged\""),
    }
}

fn text(value: &Value<'_>) -> Read<String> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        _ => wrong(value, "a text in quotes is needed"),
    }
}

fn texts(value: &Value<'_>) -> Read<Vec<String>> {
    match value.get_ref() {
        DeValue::Array(texts) => texts.iter().map(text).collect(),
        _ => Ok(vec![text(value)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        Spec::read(text).unwrap_err().to_string()
    }

    #[test]
    fn rules_of_the_package_manager_are_read() {
        let spec = Spec::read(
            "[[changed]]\nclass = 'PackageManager'\n\n[[unchanged]]\nclass = ['Package']\nany = [\n  { parameter = 2, equals = 0 },\n  { parameter = 3, equals = true },\n]\n",
        );
        let spec = spec.unwrap();
        let [Matcher::All(parts)] = &spec.unchanged[..] else { panic!("{spec:?}") };
        assert!(parts.iter().any(|part| matches!(part, Matcher::Any(any) if any.len() == 2)), "{spec:?}");
        assert_eq!(spec.class_names(), ["PackageManager", "Package"]);
    }

    #[test]
    fn complaints_have_a_line_and_a_column() {
        assert_eq!(complaint("pure = []\nclas = 1"), format!("line 2, column 1: `clas` is none of {KEYS}"));
        assert!(complaint("[[changed]]\nclass = 3").starts_with("line 2, column 9: a text"));
        assert!(complaint("[[changed]]\nparameter = 0\nequals = 1").starts_with("line 2, column 13: parameters"));
        assert!(complaint("[[changed]]\nparameter = 1").starts_with("line 2, column 1: `parameter` needs equals"));
        assert!(complaint("[[changed]]\nequals = 1").starts_with("line 2, column 1: `equals` of what?"));
        assert!(complaint("[[changed]]\nfield = 'f'\nmatches = '('").starts_with("line 3, column 11: "));
        assert!(complaint("numbers = 'some'").starts_with("line 1, column 11: numbers are"));
        assert!(complaint("output = = 3").starts_with("line 1, column "));
        assert!(complaint("[[changed]]\n").contains("says nothing"));
    }

    #[test]
    fn tolerances_have_names() {
        assert_eq!(Spec::read("numbers = { ulp = 4 }").unwrap().numbers, Tolerance::Ulp(4));
        assert_eq!(Spec::read("numbers = 'no-overflow'").unwrap().numbers, Tolerance::NoOverflow);
        assert_eq!(Spec::read("").unwrap().numbers, Tolerance::Exact);
    }

    #[test]
    fn stars_stand_for_anything_and_outer_classes_for_inner_ones() {
        let names = Names::new(["shop.*".to_owned(), "a.B".to_owned()]);
        for (name, is_meant) in
            [("shop.Main", true), ("shops.Main", false), ("a.B", true), ("a.B$C", true), ("a.Bc", false)]
        {
            assert_eq!(names.include(name), is_meant, "{name}");
        }
    }
}
