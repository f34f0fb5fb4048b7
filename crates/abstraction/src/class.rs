//! Writes a whole class as source.

use crate::header::{header, replaceable};
use crate::names::{Names, finish, marker};
use crate::subject::Subject;
use crate::{Abstraction, Error, Policy};
use lapidary_jvm::{ClassId, Hierarchy};

/// Writes the abstraction that replaces this class.
pub fn write(hierarchy: &Hierarchy, class: ClassId, policy: Policy) -> Result<Abstraction, Error> {
    let found = replaceable(hierarchy, class, policy)?;
    let subject = Subject::new(Names { hierarchy, class }, found, policy);
    let mut text = members(&subject);
    // A body may turn out to call a private method, or to need a list that other bodies have to
    // fill.
    for _ in 0..ROUNDS {
        subject.keep_lists_read_in(&text);
        let next = members(&subject);
        if next == text {
            break;
        }
        text = next;
    }
    let name = found.name.as_str().replace('/', ".");
    let whole = format!("{} {{\n{text}}}\n", header(&subject));
    let source = finish(&whole, &subject.names);
    let source = format!("// Abstraction of {name}, policy {}, made by lapidary.\n{source}", policy.name());
    Ok(Abstraction { class: found.name.to_string(), source })
}

/// The limit on rounds. It exceeds the nesting of calls between private methods in all but strange
/// classes.
const ROUNDS: usize = 20;

fn members(subject: &Subject<'_>) -> String {
    let methods: Vec<String> =
        (0..subject.class.methods.len()).filter_map(|index| subject.method_text(index)).collect();
    let initialiser = subject.initialiser_text();
    let fields = subject.declarations().join("\n");
    let helper = subject.throws_freely.get().then(helper);
    let parts = Some(fields).into_iter().chain(initialiser).chain(methods).chain(helper);
    let shown: Vec<String> = parts.filter(|part| !part.is_empty()).map(|part| indented(&part)).collect();
    shown.join("\n")
}

/// A helper method that throws anything without having to declare it.
fn helper() -> String {
    let throwable = marker("java/lang/Throwable");
    format!(
        "@SuppressWarnings(\"unchecked\")\nprivate static <T extends {throwable}> RuntimeException thrown({throwable} throwable) throws T {{\n    throw (T) throwable;\n}}"
    )
}

fn indented(part: &str) -> String {
    part.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
}
