//! Calls the linker directly, without the compiler.
//!
//! Linking a small program takes the linker less time than the compiler and its helper take to call
//! it. The linker's arguments are the same for all candidates, except for the objects and the
//! result. The compiler is therefore asked for them once (`-###`).

use crate::commands::split_words;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A linker command that can be reused without asking the compiler again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkCommand {
    pub program: PathBuf,
    before: Vec<OsString>,
    after: Vec<OsString>,
    /// The index in `before` of the word that names the result.
    result: usize,
}

impl LinkCommand {
    /// Parses what a compiler says it would do to make `result` from `objects`. `None` if it would
    /// do anything other than call a linker.
    pub fn of(said: &str, linker: Option<&str>, objects: &[PathBuf], result: &Path) -> Option<LinkCommand> {
        let is_helper = |words: &Vec<String>| words.first().is_some_and(|word| word.ends_with("/collect2"));
        let words = said.lines().find_map(|line| split_words(line).filter(is_helper))?;
        // If the user chose another linker, leave the call to the helper.
        let is_ours = |word: &str| linker.is_some_and(|name| word.strip_prefix("-fuse-ld=") == Some(name));
        let is_other = |word: &String| (word.starts_with("-fuse-ld=") && !is_ours(word)) || word.starts_with("-flto");
        if objects.is_empty() || words.iter().any(is_other) {
            return None;
        }
        let name = linker.map_or("ld".to_owned(), |name| format!("ld.{name}"));
        let program = lapidary_predicate::resolve(name.as_ref(), Path::new("/")).ok()?;
        let words = without_plugins(words.into_iter().skip(1));
        let start = words.windows(objects.len()).position(|window| window.iter().eq(objects))?;
        let (before, after) = (words[..start].to_vec(), words[start + objects.len()..].to_vec());
        let place = before.iter().position(|word| word.as_os_str() == result.as_os_str())?;
        Some(LinkCommand { program, before, after, result: place })
    }

    /// Returns the command with all libraries in one small directory. A linker may read each
    /// directory that it searches, and the system's have thousands of entries.
    pub fn with_libraries_in(&self, directory: &Path) -> Option<LinkCommand> {
        let all = || self.before.iter().chain(&self.after).filter_map(|word| word.to_str());
        let places: Vec<&Path> = all().filter_map(|word| word.strip_prefix("-L")).map(Path::new).collect();
        let names = all().filter_map(|word| word.strip_prefix("-l"));
        let files = names.flat_map(|name| [format!("lib{name}.so"), format!("lib{name}.a")]);
        // Other libraries may name this file without its directory.
        let files: BTreeSet<String> = files.chain(["libgcc_s.so.1".to_owned()]).collect();
        fs::create_dir_all(directory).ok()?;
        for file in files {
            if let Some(found) = places.iter().map(|place| place.join(&file)).find(|path| path.exists()) {
                symlink(found, directory.join(file)).ok()?;
            }
        }
        let is_place = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with("-L"));
        let kept = |words: &[OsString]| words.iter().filter(|word| !is_place(word)).cloned().collect::<Vec<_>>();
        let mut before = vec!["-nostdlib".into(), format!("-L{}", directory.display()).into()];
        before.extend(kept(&self.before));
        let result = before.iter().position(|word| *word == self.before[self.result])?;
        Some(LinkCommand { program: self.program.clone(), before, after: kept(&self.after), result })
    }

    /// Returns the arguments for other objects and another result.
    pub fn arguments(&self, objects: &[PathBuf], result: &Path) -> Vec<OsString> {
        let mut words = self.before.clone();
        words[self.result] = result.into();
        words.extend(objects.iter().map(OsString::from).chain(self.after.iter().cloned()));
        words
    }
}

/// Returns the installed linker that is fastest for small programs.
pub fn fastest_linker() -> Option<&'static str> {
    let installed = |name: &&str| lapidary_predicate::resolve(format!("ld.{name}").as_ref(), Path::new("/")).is_ok();
    // Others are faster for large programs but take longer to start.
    ["gold", "mold", "lld"].into_iter().find(installed)
}

/// Removes plugins, which are only for objects that are not compiled yet.
fn without_plugins(words: impl Iterator<Item = String>) -> Vec<OsString> {
    let mut kept: Vec<OsString> = Vec::new();
    let mut is_name = false;
    for word in words {
        let is_about_plugins = std::mem::take(&mut is_name) || word.starts_with("-plugin-opt=");
        if word == "-plugin" {
            is_name = true;
        } else if !is_about_plugins && !word.starts_with("-fuse-ld=") {
            kept.push(word.into());
        }
    }
    kept
}

/// The known link commands, by the flags passed to the compiler.
#[derive(Default)]
pub struct LinkCommands {
    known: Mutex<HashMap<Vec<OsString>, Option<Arc<LinkCommand>>>>,
}

impl LinkCommands {
    /// Returns the command for these flags. `ask` computes it the first time.
    pub fn get<E>(
        &self,
        flags: Vec<OsString>,
        ask: impl FnOnce() -> Result<Option<LinkCommand>, E>,
    ) -> Result<Option<Arc<LinkCommand>>, E> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&flags) {
            return Ok(found.clone());
        }
        let made = ask()?.map(Arc::new);
        known().insert(flags, made.clone());
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    const SAID: &str = "COLLECT_GCC=gcc\nLIBRARY_PATH=/lib/\n /usr/lib/gcc/collect2 -plugin /l/lto.so \
                        \"-plugin-opt=-pass=-lc\" -pie -o /t/1/program /lib/Scrt1.o /t/1/0.o /trap.o -lc \"/a b/crtn.o\"\n\
                        COLLECT_GCC_OPTIONS='-o' '/t/1/program' '-pie'\n";

    fn command(said: &str) -> Option<LinkCommand> {
        LinkCommand::of(said, None, &["/t/1/0.o".into()], Path::new("/t/1/program"))
    }

    #[test]
    fn other_objects_are_linked_in_the_same_way() {
        let words =
            command(SAID).unwrap().arguments(&["/t/2/0.o".into(), "/t/2/1.o".into()], Path::new("/t/2/program"));
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        let expected =
            ["-pie", "-o", "/t/2/program", "/lib/Scrt1.o", "/t/2/0.o", "/t/2/1.o", "/trap.o", "-lc", "/a b/crtn.o"];
        assert_eq!(words, expected);
    }

    #[test]
    fn other_commands_are_left_to_the_compiler() {
        assert_eq!(command(&SAID.replace("-pie", "-flto=auto")), None);
        assert_eq!(command(&SAID.replace("-pie", "-fuse-ld=mold")), None);
        assert_eq!(command(&SAID.replace("collect2", "ld.lld")), None);
        assert_eq!(command(&SAID.replace("/t/1/0.o", "/t/7.o")), None);
        assert_eq!(command("gcc: error: no such option\n"), None);
    }

    #[test]
    fn a_command_is_asked_for_once() {
        let commands = LinkCommands::default();
        let first = commands.get(vec!["-lm".into()], || Ok::<_, ()>(command(SAID))).unwrap();
        assert!(first.is_some());
        assert_eq!(commands.get(vec!["-lm".into()], || Err("asked again")), Ok(first));
        assert_eq!(commands.get(vec!["-lc".into()], || Err("asked")), Err("asked"));
    }

    #[test]
    fn libraries_are_found_in_one_directory() {
        let places = tempfile::tempdir().unwrap();
        let [first, second, own] = ["first", "second", "own"].map(|name| places.path().join(name));
        for path in [&first, &second] {
            fs::create_dir(path).unwrap();
            fs::write(path.join("libc.so"), path.to_str().unwrap()).unwrap();
        }
        fs::write(second.join("libx.a"), "x").unwrap();
        let flags = format!("-L{} -L{} -lx -pie", first.display(), second.display());
        let command = command(&SAID.replace("-pie", &flags)).unwrap().with_libraries_in(&own).unwrap();
        let words = command.arguments(&["/t/2/0.o".into()], Path::new("/t/2/program"));
        assert!(words.contains(&"/t/2/program".into()) && !words.contains(&"/t/1/program".into()));
        assert_eq!(words.iter().filter(|word| word.to_str().unwrap().starts_with("-L")).count(), 1);
        assert_eq!(fs::read_to_string(own.join("libc.so")).unwrap(), first.to_str().unwrap());
        assert!(own.join("libx.a").exists() && !own.join("libx.so").exists());
    }
}
