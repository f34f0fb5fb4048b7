//! `--junit DIR` of `explore` and `compare`: what was found, as tests.

use crate::progress::counted;
use crate::say::complain;
use clap::Args;
use lapidary::{JUnit, JUnitReport, Sandbox};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// The options for tests, and for replacing what an earlier run has written.
#[derive(Args)]
pub struct JUnitOptions {
    /// Write what was found as JUnit tests: a Maven project, in which `mvn test` runs them.
    #[arg(long, value_name = "DIR")]
    junit: Option<PathBuf>,

    /// Replace an earlier bundle; write tests into a directory that holds other files.
    #[arg(long)]
    pub force: bool,
}

impl JUnitOptions {
    pub fn is_wanted(&self) -> bool {
        self.junit.is_some()
    }

    /// The tests to write, if any. Makes sure that they can be written.
    pub fn tests(&self, timeout: Duration, sandbox: Option<Sandbox>) -> anyhow::Result<Option<JUnit>> {
        let tests = self.junit.as_ref().map(|directory| JUnit::to(directory).force(self.force));
        let tests = tests.map(|tests| tests.timeout(timeout).sandbox(sandbox));
        tests.as_ref().map_or(Ok(()), JUnit::check_place)?;
        Ok(tests)
    }
}

/// Says where the tests are, and what has none.
pub fn tell(report: &JUnitReport) {
    let (tests, place) = (counted(report.tests, "test"), report.directory.display());
    complain!("lapidary: {tests} in {place}; `mvn test` runs them there");
    for (reason, count) in &report.skipped {
        complain!("lapidary: no test for {}: {reason}", counted(*count as usize, "call"));
    }
}

pub fn as_json(report: Option<&JUnitReport>) -> Value {
    let Some(report) = report else { return Value::Null };
    let skipped = |(reason, count): (&String, &u64)| json!({ "reason": reason, "count": count });
    json!({
        "directory": report.directory.to_string_lossy(),
        "tests": report.tests,
        "skipped": report.skipped.iter().map(skipped).collect::<Vec<_>>(),
    })
}
