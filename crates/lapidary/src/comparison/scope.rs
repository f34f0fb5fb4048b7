//! The code that may change, given by a specification or inferred from the differing classes.

use anyhow::{Context, anyhow};
use lapidary_classfile::Text;
use lapidary_compare::{Changes, Spec, written};
use lapidary_jvm::ClassPath;
use std::path::Path;
use std::sync::Arc;

/// The line between what may change and what must not.
pub struct Scope {
    /// The rules.
    pub spec: Spec,
    /// The text of the specification, or of the one that would say the same.
    pub text: String,
    /// Whether the rules are inferred from the differing classes.
    pub is_inferred: bool,
}

impl Scope {
    /// Whether a class or a class nested in it may change. Names are in source form.
    pub fn may_change_inside(&self, class: &str) -> bool {
        let is_inside = |name: &str| name.split_once('$').is_some_and(|(around, _)| around == class);
        self.may_change(class)
            || self.spec.class_names().into_iter().any(|name| is_inside(name) && self.may_change(name))
    }

    /// Whether all objects of a class may change. Names are in source form.
    pub fn may_change(&self, class: &str) -> bool {
        let names = |rules: &[lapidary_compare::Matcher]| rules.iter().any(|rule| rule.names_class(class));
        names(&self.spec.changed) && !names(&self.spec.unchanged)
    }

    pub(super) fn of(
        file: Option<&Path>,
        changes: &Changes,
        class_paths: &[Arc<ClassPath>; 2],
    ) -> anyhow::Result<Scope> {
        let Some(file) = file else {
            return Ok(Scope { spec: Spec::of_changes(changes), text: written(changes), is_inferred: true });
        };
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut spec = Spec::read(&text).map_err(|error| anyhow!("{}, {error}", file.display()))?;
        let is_known = |name: &str| {
            let name = Text::from(name.replace('.', "/").as_str());
            class_paths.iter().any(|class_path| class_path.find(&name).is_some())
        };
        let names = spec.class_names();
        if let Some(name) = names.iter().find(|name| !name.contains('*') && !is_known(name)) {
            let (line, column) = position(&text, name);
            return Err(anyhow!(
                "{}, line {line}, column {column}: neither version has a class {name}",
                file.display()
            ));
        }
        // A specification that lets print streams change means the output.
        let changes_output = spec.changed.iter().any(|rule| rule.names_class("java.io.PrintStream"));
        spec.output_may_change |= changes_output;
        Ok(Scope { spec, text, is_inferred: false })
    }
}

/// Line and column of a quoted name, counted from 1.
fn position(text: &str, name: &str) -> (usize, usize) {
    let quoted = ["\"", "'"].map(|quote| format!("{quote}{name}{quote}"));
    let found = text.lines().enumerate().find_map(|(line, content)| {
        let code = content.split('#').next().unwrap_or(content);
        quoted.iter().find_map(|quoted| code.find(quoted)).map(|column| (line + 1, column + 1))
    });
    found.unwrap_or((1, 1))
}
