//! Writes an inferred specification, to be edited by the user.

use crate::changes::Changes;

/// A specification in which the classes that differ are affected, with the differences as comments.
pub fn written(changes: &Changes) -> String {
    let mut text = String::from(
        "# Which objects the change may affect. Written by lapidary from the difference of the two versions; edit as needed.\n",
    );
    if changes.classes.is_empty() {
        text.push_str("# No class differs.\n");
    }
    for change in &changes.classes {
        text.push_str(&format!("\n# {}\n[[changed]]\nclass = \"{}\"\n", change.what, change.class));
    }
    if !changes.inheriting.is_empty() {
        text.push_str(&format!(
            "\n# These inherit from classes that differ.\n[[changed]]\nclass = [\n{}]\n",
            listed(changes.inheriting.iter())
        ));
    }
    let others = listed(changes.same.iter().filter(|name| !changes.inheriting.contains(*name)));
    if !others.is_empty() {
        text.push_str(&format!(
            "\n# Everything else of the program must behave as before, whoever makes it.\n[[unchanged]]\nclass = [\n{others}]\n"
        ));
    }
    text.push_str(
        "\n# Objects that must behave as before although they are made by an affected one:\n# [[unchanged]]\n# class = \"some.Class\"\n\
         \n# What is printed, and what the entry method returns, may differ too:\n# output = \"changed\"\n# result = \"changed\"\n",
    );
    text
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(|name| format!("    \"{name}\",\n")).collect()
}
