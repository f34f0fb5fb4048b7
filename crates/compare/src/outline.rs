//! The text of a specification split into rules, so that one rule can be changed without touching
//! the rest.

use toml::{Table, Value};

/// The text of a specification, split into rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Everything before the first rule.
    pub head: String,
    pub rules: Vec<RuleText>,
}

/// A `[[changed]]` or `[[unchanged]]` table with everything up to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    pub text: String,
    pub may_change: bool,
    /// The classes that it names, if it says nothing else.
    pub classes: Option<Vec<String>>,
}

impl Outline {
    /// Splits a valid specification. `None` if its rules are not written as tables of their own.
    pub fn of(text: &str) -> Option<Outline> {
        let mut outline = Outline { head: String::new(), rules: Vec::new() };
        for line in text.lines() {
            if let Some(may_change) = begins_rule(line) {
                outline.rules.push(RuleText { text: String::new(), may_change, classes: None });
            }
            let part = outline.rules.last_mut().map_or(&mut outline.head, |rule| &mut rule.text);
            part.push_str(line);
            part.push('\n');
        }
        for rule in &mut outline.rules {
            rule.classes = classes_alone(&rule.text);
        }
        let whole: Table = text.parse().ok()?;
        let count = |name: &str| whole.get(name).and_then(Value::as_array).map_or(0, Vec::len);
        (count("changed") + count("unchanged") == outline.rules.len()).then_some(outline)
    }
}

/// Whether a line begins a rule, and whether that rule is about what may change.
fn begins_rule(line: &str) -> Option<bool> {
    let header = line.trim_start().strip_prefix("[[")?.split("]]").next()?;
    match header.trim() {
        "changed" => Some(true),
        "unchanged" => Some(false),
        _ => None,
    }
}

fn classes_alone(rule: &str) -> Option<Vec<String>> {
    let whole: Table = rule.parse().ok()?;
    let rule = whole.values().next()?.as_array()?.first()?.as_table()?;
    let classes = rule.get("class").filter(|_| rule.len() == 1)?;
    let names = match classes {
        Value::Array(names) => names.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?,
        name => vec![name.as_str()?],
    };
    let are_plain = names.iter().all(|name| !name.contains('*'));
    are_plain.then(|| names.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_only_name_classes_are_recognised() {
        let text = "output = \"changed\" # yes\n\n[[changed]]\nclass = \"shop.Till\"\n\n [[ unchanged ]] # not\nclass = [\n  \"A\",\n  'B',\n]\n\
                    [[changed]]\nclass = \"shop.*\"\n[[changed]]\nclass = \"C\"\nparameter = 1\nequals = 2\n";
        let outline = Outline::of(text).expect("tables");
        assert_eq!(outline.head, "output = \"changed\" # yes\n\n");
        let classes: Vec<_> = outline
            .rules
            .iter()
            .map(|rule| (rule.may_change, rule.classes.as_ref().map(|names| names.join(" "))))
            .collect();
        let named = |names: &str| Some(names.to_owned());
        assert_eq!(classes, [(true, named("shop.Till")), (false, named("A B")), (true, None), (true, None)]);
        let again: String = outline.rules.iter().map(|rule| rule.text.as_str()).collect();
        assert_eq!(format!("{}{again}", outline.head), text);
    }

    #[test]
    fn rules_in_one_line_have_no_parts() {
        assert_eq!(Outline::of("changed = [{ class = \"A\" }]\n"), None);
        assert!(Outline::of("").is_some_and(|outline| outline.rules.is_empty()));
    }
}
