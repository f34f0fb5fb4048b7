//! Decompilers of Java: their usual failure, source that does not compile, has a built-in test.

use super::row::{Recognised, Row};

const DECOMPILERS: [&str; 4] = ["cfr", "procyon", "vineflower", "fernflower"];

/// A decompiler that ran on classes.
pub fn suggested(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let call = row.call();
    let words = call.simple_commands().concat();
    let programs = words.iter().filter(|word| is_program(word, &call.name()));
    let file_name = |word: &String| word.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let found = programs.map(file_name).find_map(|name| DECOMPILERS.into_iter().find(|known| name.starts_with(known)));
    let is_jar = call.has_extension(&["jar", "war", "ear", "zip"]);
    let Some(name) = found.filter(|_| is_jar && row.seen.succeeded()) else { return Ok(None) };
    let what = format!("source of {name} that does not compile, for which a test is built in");
    let options = vec!["--decompiler".to_owned(), name.to_owned()];
    Ok(Some(Recognised::BuiltIn { preset: row.name, what, options }))
}

/// The word that starts the program: itself, or its jar.
fn is_program(word: &str, input: &str) -> bool {
    !word.starts_with('-') && !word.ends_with(&format!("/{input}")) && word != input
}
