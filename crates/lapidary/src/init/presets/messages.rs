//! Failures that are known by a message: linkers, interpreters, tools for JSON and SQL, and anything
//! else that says something.

use super::row::{Recognised, Row};

/// A linker's message, with the symbol it is about.
pub fn linker(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let message = row.seen.first_of(&[
        r"undefined reference to [^\n]+",
        r"undefined symbol: [^\n]+",
        r"multiple definition of [`'‘][^'’\n]+['’]",
        r"duplicate symbol: [^\n]+",
        r"(?:ld|gold|lld|mold)(?:\.\w+)?: (?P<keep>[^\n]*(?:internal error|assertion|failed|undefined)[^\n]*)",
        r"ld terminated with signal \d+ \[[^\]]+\]",
        r"\bld(?:\.\w+)?: (?P<keep>[^\n]+)",
    ]);
    let is_linking = row.call().is_tool(&["ld", "ld.gold", "ld.lld", "lld", "mold", "gold"])
        || row.seen.find(r"collect2: |linker command failed|linking with `|\bld: ").is_some();
    let Some(message) = message.filter(|_| is_linking && !row.seen.succeeded()) else { return Ok(None) };
    row.failure("an error of the linker").same_code().text(&message).recognised()
}

/// The exception that ended a Python program: its type and message.
pub fn python(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let has_trace = row.seen.find(r"(?m)^Traceback \(most recent call last\):").is_some();
    // A pipe or a script may hide the exit code, but not the trace.
    let has_failed = has_trace || !row.seen.succeeded();
    let has_place = has_trace || row.seen.find(r"(?m)^  File [^\n]+, line \d+").is_some();
    let is_message = |line: &&str| {
        let class = line.split(':').next().unwrap_or_default();
        line.starts_with(char::is_alphabetic) && class.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    };
    let message = row.seen.run.stderr.lines().rev().find(is_message).map(|line| row.seen.steady(line));
    let Some(message) = message.filter(|pieces| has_place && has_failed && !pieces.is_empty()) else {
        return Ok(None);
    };
    row.failure("an uncaught Python exception").same_code().text(&message).recognised()
}

/// The exception that ended a program in JavaScript.
pub fn node(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let message = row.seen.first_of(&[
        r"(?m)^(?P<keep>(?:Uncaught )?[A-Z]\w*(?:Error|Exception)?(?: \[\w+\])?(?:: [^\n]*)?)\n    at ",
        r"(?m)^(?P<keep>Uncaught:?\n[^\n]+)",
    ]);
    let is_node = row.call().is_tool(&["node", "nodejs", "deno", "bun"]);
    let Some(message) = message.filter(|_| is_node && !row.seen.succeeded()) else { return Ok(None) };
    row.failure("an uncaught JavaScript exception").same_code().text(&message).recognised()
}

/// The last words of other interpreters about a program.
pub fn interpreter(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let tools =
        ["ruby", "perl", "php", "lua", "luajit", "tclsh", "guile", "ocaml", "runghc", "Rscript", "bash", "sh", "dash"];
    if !row.call().is_tool(&tools) || row.seen.succeeded() {
        return Ok(None);
    }
    let message = row.seen.first_of(&[
        r"(?m)^[^\n]*: (?P<keep>[^\n]+ \([A-Z]\w*(?:::\w+)*\))$",
        r"(?m)^(?P<keep>PHP (?:Fatal|Parse) error: [^\n]+) in ",
        r"(?m)^(?P<keep>[^\n]+) at [^\n]+ line \d+",
        r"(?m)^luaj?i?t?: [^\n:]+:\d+: (?P<keep>[^\n]+)",
    ]);
    let Some(message) = message.or_else(|| row.seen.telling_line()) else { return Ok(None) };
    row.failure("an error of an interpreter").same_code().text(&message).recognised()
}

/// The complaints of tools for JSON.
pub fn json(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let is_tool = row.call().is_tool(&["jq", "jaq", "gojq", "yq", "jsonlint", "ajv", "json_pp", "fx"]);
    if !is_tool || row.seen.succeeded() {
        return Ok(None);
    }
    let message = row
        .seen
        .first_of(&[r"(?m)error(?: \(at [^)\n]*\))?: (?P<keep>[^\n]+)", r"(?m)^(?:jq: )?(?P<keep>\w* ?error: [^\n]+)"]);
    let Some(message) = message.or_else(|| row.seen.telling_line()) else { return Ok(None) };
    row.failure("an error of a tool for JSON").same_code().text(&message).recognised()
}

/// The complaints of databases.
pub fn sql(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    let is_tool = row.call().is_tool(&["sqlite", "psql", "mysql", "mariadb", "duckdb", "clickhouse"]);
    let message = row.seen.first_of(&[
        r"(?m)(?:Parse|Runtime) error[^:\n]*: (?P<keep>[^\n]+)",
        r"(?m)^[^\n]*ERROR[^:\n]*: +(?P<keep>[^\n]+)",
        r"(?m)^[^\n]*\b(?:Error|error)[^:\n]*: (?P<keep>[^\n]+)",
    ]);
    // Some of these tools say so and end as if nothing was wrong.
    let Some(message) = message.filter(|_| is_tool) else { return Ok(None) };
    row.failure("an error of a database").same_code().text(&message).recognised()
}

/// Any command that does not succeed: its exit code, and the line that says most.
pub fn other(row: &Row<'_>) -> anyhow::Result<Option<Recognised>> {
    if row.seen.succeeded() {
        return Ok(None);
    }
    let failure = row.failure("a command that fails").same_code();
    row.seen.telling_line().into_iter().fold(failure, |failure, line| failure.text(&line)).recognised()
}
