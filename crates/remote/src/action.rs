//! Actions: a test on a candidate, as the Remote Execution API describes it.

use crate::config::Property;
use crate::digest::{Digest, Digests};
use crate::error::RemoteError;
use crate::script::{JOB, SCRIPT, TEMPORARY, TEST, TestFiles};
use crate::tree::Tree;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use bazel_remote_apis::google::protobuf;
use lapidary_predicate::Limits;
use lapidary_reduce::{Blob, Entry, FileTree};
use prost::Message;
use std::path::Path;
use std::time::Duration;

/// Makes the actions that run one test on candidates.
pub struct Actions {
    test: TestFiles,
    limits: Limits,
    platform: api::Platform,
    environment: Vec<(String, String)>,
    digests: Digests,
    /// The files of the test, which all actions share.
    files: Tree,
}

/// An action with all blobs that the farm needs to execute it.
pub struct Action {
    /// The digest by which the farm is asked to execute the action.
    pub digest: Digest,
    /// All messages and file contents of the action, with their digests.
    pub blobs: Vec<(Digest, Blob)>,
}

/// Environment variables that affect the output of programs. The test gets them.
const PASSED_ON: [&str; 6] = ["LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", "TZ"];

impl Actions {
    /// Prepares the actions of a test.
    pub fn new(
        test: TestFiles,
        limits: Limits,
        properties: &[Property],
        digests: Digests,
    ) -> Result<Self, RemoteError> {
        let mut properties = properties.to_vec();
        // The API wants them in order.
        properties.sort();
        let property = |Property { name, value }| api::platform::Property { name, value };
        let platform = api::Platform { properties: properties.into_iter().map(property).collect() };
        let value = |name: &&str| Some(((*name).to_owned(), std::env::var(name).ok()?));
        let mut environment: Vec<(String, String)> = PASSED_ON.iter().filter_map(value).collect();
        environment.sort();
        let mut files = Tree::default();
        files.directory(Path::new(JOB))?;
        files.directory(Path::new(TEMPORARY))?;
        files.directory(Path::new(TEST))?;
        for (path, entry) in &test.files {
            files.add(&Path::new(TEST).join(path), entry.clone())?;
        }
        Ok(Actions { test, limits, platform, environment, digests, files })
    }

    /// Returns the action that tests a candidate. Actions that differ only in their number are
    /// executed separately.
    pub fn of(&self, candidate: &FileTree, timeout: Duration, number: u32) -> Result<Action, RemoteError> {
        let mut tree = self.files.clone();
        tree.directory(Path::new(JOB))?.add_candidate(candidate)?;
        let script = self.test.script(candidate.name(), &self.limits).into_bytes();
        tree.add(Path::new(SCRIPT), Entry::File { content: script.into(), executable: true })?;
        let packed = tree.pack(&self.digests)?;
        let mut blobs = packed.blobs;
        let command = self.add(&mut blobs, &self.command());
        let action = api::Action {
            command_digest: Some(command.to_api()),
            input_root_digest: Some(packed.root.to_api()),
            timeout: Some(duration(timeout)),
            do_not_cache: false,
            salt: if number == 0 { Vec::new() } else { number.to_le_bytes().to_vec() },
            platform: Some(self.platform.clone()),
        };
        let digest = self.add(&mut blobs, &action);
        Ok(Action { digest, blobs })
    }

    fn command(&self) -> api::Command {
        let variable = |(name, value): &(String, String)| api::command::EnvironmentVariable {
            name: name.clone(),
            value: value.clone(),
        };
        #[expect(deprecated, reason = "older farms look for the platform here")]
        api::Command {
            arguments: vec!["/bin/sh".to_owned(), format!("../{SCRIPT}")],
            environment_variables: self.environment.iter().map(variable).collect(),
            platform: Some(self.platform.clone()),
            working_directory: JOB.to_owned(),
            ..api::Command::default()
        }
    }

    fn add(&self, blobs: &mut Vec<(Digest, Blob)>, message: &impl Message) -> Digest {
        let bytes = message.encode_to_vec();
        let digest = self.digests.function().digest(&bytes);
        blobs.push((digest, bytes.into()));
        digest
    }
}

fn duration(time: Duration) -> protobuf::Duration {
    protobuf::Duration { seconds: time.as_secs() as i64, nanos: time.subsec_nanos() as i32 }
}

/// A time limit for the action of a test whose own limit follows from measured times. The limit is
/// part of the action, and an action with another limit is not found in the cache.
pub fn rounded_up(timeout: Duration) -> Duration {
    const STEPS: [u64; 12] = [5, 10, 20, 60, 120, 300, 600, 1200, 3600, 7200, 14400, 28800];
    let step = STEPS.iter().map(|seconds| Duration::from_secs(*seconds)).find(|step| *step >= timeout);
    step.unwrap_or(timeout)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::DigestFunction;
    use crate::script::Word;

    fn actions(properties: &[Property]) -> Actions {
        let words = vec![vec![Word::File("check.sh".into())], vec![Word::Candidate]];
        let files = [("check.sh".into(), Entry::file("true"))].into();
        let test = TestFiles { words, files, ..TestFiles::default() };
        Actions::new(test, Limits::default(), properties, Digests::new(DigestFunction::Sha256)).unwrap()
    }

    #[test]
    fn equal_tests_are_equal_actions_and_no_others() {
        let second = Duration::from_secs(1);
        let property = |text: &str| text.parse::<Property>().unwrap();
        let candidate = FileTree::file("a.c", "int x;");
        let base = actions(&[]).of(&candidate, second, 0).unwrap().digest;
        assert_eq!(actions(&[]).of(&candidate, second, 0).unwrap().digest, base);
        let others = [
            actions(&[]).of(&candidate, second, 1).unwrap().digest,
            actions(&[]).of(&candidate, 2 * second, 0).unwrap().digest,
            actions(&[]).of(&FileTree::file("b.c", "int x;"), second, 0).unwrap().digest,
            actions(&[]).of(&FileTree::file("a.c", "int y;"), second, 0).unwrap().digest,
            actions(&[property("OSFamily=linux")]).of(&candidate, second, 0).unwrap().digest,
        ];
        assert!(others.iter().all(|other| *other != base));
        let [one, other] = [["a=1", "b=2"], ["b=2", "a=1"]].map(|texts| {
            let properties = texts.map(property);
            actions(&properties).of(&candidate, second, 0).unwrap().digest
        });
        assert_eq!(one, other, "the order of properties does not count");
    }

    #[test]
    fn measured_limits_are_rounded_so_that_the_cache_is_hit() {
        let rounded = |millis| rounded_up(Duration::from_millis(millis)).as_secs();
        assert_eq!([rounded(500), rounded(5000), rounded(5001), rounded(700_000)], [5, 5, 10, 1200]);
    }
}
