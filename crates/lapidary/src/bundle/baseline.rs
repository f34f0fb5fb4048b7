//! What a test showed on the input, as far as later runs must show the same.

use super::record::{Baseline, How, LONGEST_BASELINE, Reproduction, TestRun};
use crate::preflight::Preflight;
use crate::test::Ready;
use lapidary_predicate::{Aspect, Captured, Normaliser, Observation, Preserve};
use std::path::Path;

/// How the failure of a test can be shown again.
pub(crate) fn of_test(test: &Ready<'_>, preflight: &Preflight, input: &Path, name: &str) -> Reproduction {
    let mut how = test.how.clone();
    let mut lacks = Vec::new();
    match (&mut how, preflight.shown.as_ref().map(|(_, run)| run)) {
        (How::Test(run), Some(shown)) => run.baseline = of_run(run, shown),
        (How::Decompiler(run), Some(shown)) => match String::from_utf8_lossy(&shown.stdout.head) {
            errors if errors.len() <= LONGEST_BASELINE => run.errors = errors.into_owned(),
            _ => lacks.push("the errors of the compiler, which were too long for the journal".to_owned()),
        },
        (How::Nothing, _) => lacks.push("reproduce.sh: the test is no command that a shell could run".to_owned()),
        _ => {}
    }
    let mut reproduction = Reproduction::of("reduce", input, name, how);
    reproduction.lacks = lacks;
    reproduction
}

/// The preserved aspects of a run; `None` if there are none, or if they are too long.
fn of_run(run: &TestRun, shown: &Observation) -> Option<Baseline> {
    let preserve: Preserve = run.preserve.parse().ok().filter(|_| !run.preserve.is_empty())?;
    let normalise: Normaliser = run.normalise.parse().ok()?;
    let text = |aspect, stream: &Captured| {
        let text = normalise.apply(&stream.head, &[&shown.directory, &shown.temporary]);
        preserve.0.contains(&aspect).then(|| String::from_utf8_lossy(&text).into_owned())
    };
    let (stdout, stderr) = (text(Aspect::Stdout, &shown.stdout), text(Aspect::Stderr, &shown.stderr));
    let length = [&stdout, &stderr].into_iter().flatten().map(String::len).sum::<usize>();
    let exit = shown.ending.shell_code().filter(|_| preserve.0.contains(&Aspect::Exit));
    (length <= LONGEST_BASELINE).then_some(Baseline { exit, stdout, stderr })
}
