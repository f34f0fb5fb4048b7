//! Jars from Maven Central, each fetched once and cached.

use crate::InstallError;
use crate::cache::Cache;
use crate::jdk::output_of;
use lapidary_common::program::on_path;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A jar on Maven Central.
#[derive(Clone, Copy, Debug)]
pub struct Artifact {
    pub group: &'static str,
    pub name: &'static str,
}

impl Artifact {
    /// Returns the jar in this version, from the cache or else from the network.
    pub fn fetch(self, version: &str, cache: &Cache, say: &mut dyn FnMut(&str)) -> Result<PathBuf, InstallError> {
        if let Some(place) = self.cached(version, cache) {
            return Ok(place);
        }
        let place = self.place(version, cache);
        let workshop = cache.workshop()?;
        self.download(version, workshop.path(), &place, say)?;
        cache.keep(&workshop.path().join(place.file_name().unwrap_or_default()), &place)?;
        Ok(place)
    }

    /// Returns the jar in this version if it is in the cache.
    pub fn cached(self, version: &str, cache: &Cache) -> Option<PathBuf> {
        Some(self.place(version, cache)).filter(|place| place.is_file())
    }

    /// The place of the jar in the cache.
    pub(crate) fn place(self, version: &str, cache: &Cache) -> PathBuf {
        cache.place("jars").join(format!("{}-{version}.jar", self.name))
    }

    fn download(self, version: &str, into: &Path, place: &Path, say: &mut dyn FnMut(&str)) -> Result<(), InstallError> {
        let coordinates = format!("{}:{}:{version}", self.group, self.name);
        let Some(mvn) = on_path("mvn") else {
            return Err(InstallError::NoMaven { coordinates, cache: place.to_path_buf() });
        };
        say(&format!("fetching {coordinates} from Maven Central"));
        let mut command = Command::new(mvn);
        command.args(["-q", "-B", "dependency:copy"]).arg(format!("-Dartifact={coordinates}"));
        // A project in the current directory must not influence this.
        command.arg(format!("-DoutputDirectory={}", into.display())).current_dir(into);
        match output_of(&mut command) {
            Ok(_) if into.join(place.file_name().unwrap_or_default()).is_file() => Ok(()),
            Ok(output) | Err(output) => {
                Err(InstallError::Fetch { coordinates, output: first_error(&output).to_owned() })
            }
        }
    }
}

/// The first line of Maven's error output, which says what is wrong; some two dozen lines of advice
/// follow.
fn first_error(output: &str) -> &str {
    let error = output.lines().find_map(|line| line.split_once("[ERROR]"));
    error.map_or(output, |(_, message)| message.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_error_of_maven_is_shown() {
        assert_eq!(
            first_error("\u{1b}[0m[ERROR] Could not find it\n[ERROR] \n[ERROR] -> [Help 1]"),
            "Could not find it"
        );
        assert_eq!(first_error("killed"), "killed");
    }
}
