//! Tests for the differences that a comparison has found. They assert what the old version does.

use super::steady::{Unsteady, steady};
use super::{JUnit, JUnitReport, Making, Tested, counted};
use crate::comparison::{ComparisonReport, FoundAtRandom, call_in_words, difference_in_words, printed};
use crate::error::Result;
use lapidary_compare::unseen;
use lapidary_java_workers::Replay;
use lapidary_junit::{Aspects, SourceNames, TestClass, Unwritable};
use lapidary_symbolic::{Input, Number, Witnessed, input_words};
use std::path::PathBuf;

/// An input on which the versions differ, and how.
struct Difference {
    inputs: Vec<Input<Number>>,
    what: String,
}

impl JUnit {
    /// Writes a test for each difference, which passes with the old version and fails with the new
    /// one. Returns `None` if no difference was found. `libraries` are those of both versions.
    pub fn of_comparison(&self, report: &ComparisonReport, libraries: &[PathBuf]) -> Result<Option<JUnitReport>> {
        let differences = differences(report);
        if differences.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.compared(report, libraries, differences)?))
    }

    fn compared(
        &self,
        report: &ComparisonReport,
        libraries: &[PathBuf],
        differences: Vec<Difference>,
    ) -> anyhow::Result<JUnitReport> {
        let [old, new] = &report.class_paths;
        let (method, unseen) = (&*report.method, unseen(&report.changes, old, new));
        let (replay, jvm) = (Replay::install()?, self.real_jvm(libraries));
        let calls: Vec<_> = differences.iter().map(|difference| difference.inputs.clone()).collect();
        let seen_by = |version: &PathBuf| steady(&jvm.replayer(&replay, version), method, &unseen, &calls);
        let (seen_old, seen_new) = (seen_by(&report.paths[0])?, seen_by(&report.paths[1])?);
        let (mut tested, mut reasons) = (Vec::new(), Vec::new());
        for ((difference, old), new) in differences.into_iter().zip(seen_old).zip(seen_new) {
            match difference.tested(report, old, new) {
                Ok(test) => tested.push(test),
                Err(reason) => reasons.push(reason),
            }
        }
        let names = SourceNames::beside(&method.class_name, old);
        let heading = format!(
            "What the old version of {method} does where lapidary compare found that the new version differs. \
             The tests pass with the old version and fail with the new one."
        );
        let class = TestClass { names: &names, method, heading: &heading, stem: "difference", unseen: &unseen };
        let class = class.write(&tested.iter().map(Tested::case).collect::<Vec<_>>());
        reasons.extend(class.skipped.iter().flatten().cloned());
        self.write(
            &class,
            Making {
                program: "${project.basedir}/lib/old.jar".to_owned(),
                jars: &[("old", &report.paths[0]), ("new", &report.paths[1])],
                libraries,
                title: &format!("Tests of {method}"),
                about: &heading,
                commands: &[
                    ("mvn test", "tests the old version, a copy of which is in lib: all tests pass.".to_owned()),
                    ("mvn test -Dprogram=$PWD/lib/new.jar", "tests the new version: they fail.".to_owned()),
                    ("mvn test -Dprogram=/path/to/classes", "tests another build, a directory or a jar.".to_owned()),
                ],
                skipped: counted(reasons),
            },
        )
    }
}

impl Difference {
    fn tested(
        self,
        report: &ComparisonReport,
        old: std::result::Result<Witnessed, Unsteady>,
        new: std::result::Result<Witnessed, Unsteady>,
    ) -> std::result::Result<Tested, Unwritable> {
        let old = old.map_err(|reason| Unwritable(format!("the old version: {reason}")))?;
        let spec = &report.scope.spec;
        let aspects = match &new {
            Ok(new) => {
                let seen = Aspects::between(&old, new, spec.result_may_change, spec.output_may_change);
                seen.ok_or_else(|| Unwritable(format!("a test cannot see this difference: {}", self.what)))?
            }
            // This fails the test, too.
            Err(Unsteady::TooLong | Unsteady::Gone) => Aspects::of(&old),
            Err(reason) => return Err(Unwritable(format!("the new version: {reason}"))),
        };
        let ending = |seen: &Witnessed| report.real_ending(&seen.ending.to_string());
        let call = call_in_words(&report.method, &self.inputs);
        let text = |units: &[u16]| String::from_utf16_lossy(units);
        let (does, other) = match &new {
            Ok(new) => {
                let (stdout, stderr) = (
                    [&old.stdout, &new.stdout].map(|units| text(units)),
                    [&old.stderr, &new.stderr].map(|units| text(units)),
                );
                let [does, other] =
                    printed(stdout.each_ref().map(String::as_str), stderr.each_ref().map(String::as_str));
                (does, format!("the new one {}{other} ({})", ending(new), self.what))
            }
            Err(reason) => (String::new(), format!("of the new one, {reason}")),
        };
        let title = format!("{call}: the old version {}{does}, {other}", ending(&old));
        Ok(Tested { title, inputs: self.inputs, seen: old, aspects, may_hang: matches!(new, Err(Unsteady::TooLong)) })
    }
}

fn differences(report: &ComparisonReport) -> Vec<Difference> {
    let symbolic = report.comparison.difference.as_ref();
    let symbolic =
        symbolic.map(|found| Difference { inputs: found.new.inputs.clone(), what: difference_in_words(found) });
    let random = report.random.as_ref().ok().and_then(|random| random.found.as_ref());
    let random = random.map(|(inputs, old, new)| {
        let what = FoundAtRandom { inputs, old, new }.what().to_owned();
        Difference { inputs: inputs.clone(), what }
    });
    let is_other = |random: &Difference| symbolic.as_ref().is_none_or(|found| !is_same_call(found, random));
    let random = random.filter(is_other);
    symbolic.into_iter().chain(random).collect()
}

/// Whether two differences have the same inputs. `NaN` equals itself here.
fn is_same_call(one: &Difference, other: &Difference) -> bool {
    input_words(&one.inputs) == input_words(&other.inputs)
}
