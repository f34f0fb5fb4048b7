//! The behaviour of a test on the input, as far as later runs must repeat it.

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

/// The preserved aspects of a run without streams that are too long for a journal; `None` if there
/// are none.
fn of_run(run: &TestRun, shown: &Observation) -> Option<Baseline> {
    let preserve: Preserve = run.preserve.parse().ok().filter(|_| !run.preserve.is_empty())?;
    let normalise: Normaliser = run.normalise.parse().ok()?;
    let mut room = LONGEST_BASELINE;
    let mut text = |aspect, stream: &Captured| {
        if !preserve.0.contains(&aspect) || stream.dropped > 0 {
            return None;
        }
        let text = normalise.apply(&stream.head, &[&shown.directory, &shown.temporary]);
        let text = String::from_utf8_lossy(&text).into_owned();
        room = room.checked_sub(text.len())?;
        Some(text)
    };
    let (stdout, stderr) = (text(Aspect::Stdout, &shown.stdout), text(Aspect::Stderr, &shown.stderr));
    let exit = shown.ending.shell_code().filter(|_| preserve.0.contains(&Aspect::Exit));
    Some(Baseline { exit, stdout, stderr })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_predicate::Ending;

    fn baseline(preserve: &str, stdout: usize, stderr: usize) -> Option<Baseline> {
        let captured = |length| Captured { head: vec![b'x'; length], dropped: 0 };
        let shown =
            Observation { stdout: captured(stdout), stderr: captured(stderr), ..Observation::new(Ending::Exited(3)) };
        of_run(&TestRun { preserve: preserve.into(), ..TestRun::default() }, &shown)
    }

    #[test]
    fn only_what_is_too_long_is_dropped() {
        let kept = |preserve, stdout, stderr| {
            let kept = baseline(preserve, stdout, stderr).unwrap();
            (kept.exit, kept.stdout.map(|text| text.len()), kept.stderr.map(|text| text.len()))
        };
        assert_eq!(kept("exit,stdout,stderr", LONGEST_BASELINE + 1, 9), (Some(3), None, Some(9)));
        assert_eq!(kept("exit,stdout,stderr", LONGEST_BASELINE - 1, 9), (Some(3), Some(LONGEST_BASELINE - 1), None));
        assert_eq!(kept("stdout", LONGEST_BASELINE + 1, 9), (None, None, None));
        assert_eq!(baseline("", 1, 1), None);
    }
}
