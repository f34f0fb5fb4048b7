//! A command as its user typed it, and as a script runs it elsewhere: the input under the name that
//! the script gives it, and everything else by absolute paths.

use super::roles;
use super::shell::{self, literal};
use anyhow::{Context, bail};
use lapidary_common::shell::quoted;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A command that fails on an input.
#[derive(Clone, Debug)]
pub struct Call {
    typed: Vec<String>,
    words: Vec<Word>,
    /// The place in `words` of the tool itself, after `env` and the like.
    tool_at: usize,
    tool: String,
    input: PathBuf,
    stdin: Stdin,
    /// Why there are words that nobody typed.
    reasons: Vec<String>,
}

#[derive(Clone, Debug)]
enum Stdin {
    Empty,
    Input,
    File(PathBuf),
}

/// A word of the command line of a script: texts, with the input's name after each but the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(Vec<String>);

impl Word {
    fn text(text: impl Into<String>) -> Self {
        Word(vec![text.into()])
    }

    /// The word as a shell reads it.
    fn shell(&self) -> String {
        let texts: Vec<String> =
            self.0.iter().map(|text| if text.is_empty() { String::new() } else { quoted(text) }).collect();
        match texts.as_slice() {
            [only] if only.is_empty() => "''".to_owned(),
            _ => texts.join("\"$input\""),
        }
    }

    fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    fn has_input(&self) -> bool {
        self.0.len() > 1
    }
}

/// Programs that start another one, which their arguments name.
const STARTERS: [&str; 11] =
    ["env", "nice", "time", "timeout", "nohup", "stdbuf", "setsid", "ccache", "sudo", "ionice", "taskset"];

const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "busybox"];

/// Options whose value is a file or directory, in one word with it.
const ATTACHED: [&str; 6] = ["-I", "-L", "-isystem", "-iquote", "-B", "-T"];

/// The command as text, which a script is.
pub fn as_text(words: &[OsString]) -> anyhow::Result<Vec<String>> {
    let text = |word: &OsString| {
        let text = word.to_str().filter(|text| !text.contains('\0'));
        text.map(str::to_owned).with_context(|| {
            format!("{} is not text, which a script can hold: rename the file", word.to_string_lossy())
        })
    };
    words.iter().map(text).collect()
}

impl Call {
    /// Reads a command whose program was found at `program`. `here` is the directory in which it was
    /// typed.
    pub fn of(
        typed: &[String],
        program: &Path,
        input: Option<&Path>,
        stdin: Option<&Path>,
        here: &Path,
    ) -> anyhow::Result<Call> {
        let tool_at = tool_position(typed);
        let tool = tool_name(typed, tool_at);
        let stdin = stdin.filter(|path| path.metadata().is_ok_and(|found| found.len() > 0));
        let input = match (input, stdin) {
            (Some(input), _) => checked(input, here)?,
            (None, Some(stdin)) => stdin.to_owned(),
            (None, None) => roles::found_input(typed, tool_at, &tool, here)?,
        };
        let absolute = |path: &Path| std::path::absolute(here.join(path)).unwrap_or_else(|_| here.join(path));
        let stdin = match stdin {
            None => Stdin::Empty,
            Some(path) if same_file(&here.join(path), &here.join(&input)) => Stdin::Input,
            Some(path) => Stdin::File(absolute(path)),
        };
        let rewriting = Rewriting { here, input: &input, tool_at, tool: &tool };
        let mut words: Vec<Word> = (1..typed.len()).map(|at| rewriting.word(&typed[at], &typed[at - 1], at)).collect();
        words.insert(0, Word::text(program_word(&typed[0], program)));
        let call = Call { typed: typed.to_vec(), words, tool_at, tool, input, stdin, reasons: Vec::new() };
        call.must_use_input()?;
        Ok(call)
    }

    /// Another command on the same input, such as the one of `--compare`.
    pub fn other(
        &self,
        text: &str,
        program: impl Fn(&[String]) -> anyhow::Result<PathBuf>,
        here: &Path,
    ) -> anyhow::Result<Call> {
        let words = shell::plain_words(text).unwrap_or_else(|| ["sh", "-c", text].map(str::to_owned).to_vec());
        let program = program(&words)?;
        Call::of(&words, &program, Some(&self.input), None, here)
    }

    /// Whether the input has any part in the command.
    fn must_use_input(&self) -> anyhow::Result<()> {
        let name = self.name();
        let is_named = self.words.iter().any(|word| word.has_input() || word.0.iter().any(|text| text.contains(&name)));
        match is_named || matches!(self.stdin, Stdin::Input) {
            true => Ok(()),
            false => {
                bail!(
                    "`{0}` does not name {1}, so a smaller one would change nothing; an input on standard input is given \
                     with < {1}",
                    self.typed(),
                    self.input.display()
                )
            }
        }
    }

    pub fn input(&self) -> &Path {
        &self.input
    }

    /// The name of the input, under which candidates are tested.
    pub fn name(&self) -> String {
        self.input.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The ways in which messages name the input, the longest first.
    pub fn names(&self) -> Vec<String> {
        let mut names = vec![self.input.to_string_lossy().into_owned(), self.name()];
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names
    }

    /// The program that matters, without its directory and version: `gcc` for
    /// `/usr/bin/x86_64-linux-gnu-gcc-12`.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    pub fn is_tool(&self, names: &[&str]) -> bool {
        names.contains(&self.tool.as_str())
    }

    /// Whether words can be added to the arguments of the tool. They cannot inside a shell text.
    pub fn is_direct(&self) -> bool {
        !is_shell(&self.typed[self.tool_at])
    }

    /// The command as it was typed.
    pub fn typed(&self) -> String {
        self.typed.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }

    pub fn typed_words(&self) -> &[String] {
        &self.typed
    }

    /// The arguments of the tool, as typed.
    pub fn arguments(&self) -> &[String] {
        &self.typed[self.tool_at + 1..]
    }

    pub fn has_argument(&self, test: impl Fn(&str) -> bool) -> bool {
        self.arguments().iter().any(|word| test(word))
    }

    pub fn has_extension(&self, extensions: &[&str]) -> bool {
        self.input.extension().is_some_and(|found| extensions.iter().any(|known| found == *known))
    }

    /// The file that the command reads as standard input in its first run.
    pub fn stdin(&self) -> Option<&Path> {
        match &self.stdin {
            Stdin::Empty => None,
            Stdin::Input => Some(&self.input),
            Stdin::File(path) => Some(path),
        }
    }

    /// The command with further arguments for its tool, and the reason for them.
    pub fn with(&self, added: &[&str], why: &str) -> Call {
        let mut call = self.clone();
        let at = self.tool_at + 1;
        call.words.splice(at..at, added.iter().map(|word| Word::text(*word)));
        call.reasons.extend((!why.is_empty()).then(|| why.to_owned()));
        call
    }

    /// Why there are words in the command that nobody typed.
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }

    /// The command without the arguments that `leaves_out` names. An argument that it answers with 2
    /// goes with the one after it.
    pub fn without(&self, leaves_out: impl Fn(&str) -> usize) -> Call {
        let mut call = self.clone();
        call.words.truncate(self.tool_at + 1);
        let mut rest = self.words[self.tool_at + 1..].iter();
        while let Some(word) = rest.next() {
            match word.plain().map_or(0, &leaves_out) {
                0 => call.words.push(word.clone()),
                1 => {}
                _ => drop(rest.next()),
            }
        }
        call
    }

    /// The command without the option that names its output.
    pub fn without_output(&self) -> Call {
        self.without(|word| match word {
            "-o" => 2,
            word => usize::from(word.starts_with("-o")),
        })
    }

    /// The simple commands inside the command: itself, or those of the text that a shell runs.
    pub fn simple_commands(&self) -> Vec<Vec<String>> {
        match shell_text(&self.typed, self.tool_at) {
            Some(text) => shell::commands(text).unwrap_or_default().into_iter().map(|simple| simple.words).collect(),
            None => vec![self.typed[self.tool_at..].to_vec()],
        }
    }

    /// The command as a line of a script, where `$input` is the input.
    pub fn line(&self) -> String {
        let words: Vec<String> = self.words.iter().map(Word::shell).collect();
        words.join(" ") + &self.redirection()
    }

    fn redirection(&self) -> String {
        match &self.stdin {
            Stdin::Empty => " </dev/null".to_owned(),
            Stdin::Input => " <\"$input\"".to_owned(),
            Stdin::File(path) => format!(" <{}", quoted(&path.to_string_lossy())),
        }
    }

    /// The value of `$input` that names the candidate in the current directory.
    pub fn candidate(&self) -> String {
        let name = self.name();
        let is_like_option = name.starts_with('-');
        literal(&if is_like_option { format!("./{name}") } else { name })
    }
}

/// The position of the program that matters.
fn tool_position(words: &[String]) -> usize {
    let mut at = 0;
    while at + 1 < words.len() && STARTERS.contains(&base_name(&words[at])) {
        at += 1;
        let is_setting =
            |word: &str| word.starts_with('-') || word.contains('=') || word.starts_with(|c: char| c.is_ascii_digit());
        while at + 1 < words.len() && is_setting(&words[at]) {
            at += 1;
        }
    }
    at
}

fn tool_name(words: &[String], at: usize) -> String {
    let inner = shell_text(words, at).and_then(shell::commands);
    let first = inner.and_then(|commands| commands.into_iter().next()).map(|command| command.words);
    match first {
        Some(inner) => family(&inner[tool_position(&inner)]),
        None => family(&words[at]),
    }
}

/// The text that a shell is to run: `sh -c TEXT`.
fn shell_text(words: &[String], at: usize) -> Option<&str> {
    let is_c = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
    let position = is_shell(&words[at]).then(|| words[at + 1..].iter().position(is_c))??;
    words.get(at + 1 + position + 1).map(String::as_str)
}

fn is_shell(word: &str) -> bool {
    SHELLS.contains(&base_name(word))
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// The name of a tool without directory, target and version.
pub fn family(word: &str) -> String {
    let name = base_name(word).trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let last = name.rsplit('-').next().unwrap_or(name);
    let is_compiler = ["gcc", "g++", "cc", "c++", "clang", "clang++", "ld"].contains(&last);
    (if is_compiler { last } else { name }).to_owned()
}

fn program_word(typed: &str, program: &Path) -> String {
    // A program of the PATH is found by its name elsewhere, too.
    let is_on_path = !typed.contains('/') && lapidary_common::program::on_path(typed).as_deref() == Some(program);
    if is_on_path { typed.to_owned() } else { program.to_string_lossy().into_owned() }
}

fn checked(input: &Path, here: &Path) -> anyhow::Result<PathBuf> {
    let found = here.join(input);
    match found.metadata() {
        Ok(metadata) if metadata.is_file() => Ok(input.to_owned()),
        Ok(_) => bail!("{} is not a file: init writes tests for inputs that are one file", input.display()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", input.display())),
    }
}

fn same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some() && real(one) == real(other)
}

struct Rewriting<'a> {
    here: &'a Path,
    input: &'a Path,
    tool_at: usize,
    tool: &'a str,
}

impl Rewriting<'_> {
    /// The word for a script that runs in another directory.
    fn word(&self, word: &str, before: &str, at: usize) -> Word {
        if self.is_input(word) {
            return Word(vec![String::new(), String::new()]);
        }
        if roles::writes(self.tool, before) && !word.starts_with('-') {
            return Word::text(self.written(word));
        }
        if roles::searches(self.tool, before) {
            return Word::text(self.searched(word));
        }
        let attached = ATTACHED.iter().find(|option| word.len() > option.len() && word.starts_with(**option));
        if let Some(option) = attached {
            return Word::text(format!("{option}{}", self.absolute(&word[option.len()..])));
        }
        match word.split_once('=').filter(|(option, _)| option.starts_with('-')) {
            Some((option, value)) if self.is_input(value) => Word(vec![format!("{option}="), String::new()]),
            Some((option, value)) => Word::text(format!("{option}={}", self.absolute(value))),
            None if self.is_place(word, before, at) => Word::text(self.absolute(word)),
            None => Word::text(self.inside(word)),
        }
    }

    fn is_input(&self, word: &str) -> bool {
        !word.is_empty() && same_file(&self.here.join(word), &self.here.join(self.input))
    }

    /// A text that mentions the input, such as a shell command: there the input has its own name.
    fn inside(&self, text: &str) -> String {
        let whole = self.here.join(self.input);
        let name = self.input.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let known = [whole.to_string_lossy().into_owned(), self.input.to_string_lossy().into_owned()];
        known.iter().filter(|path| path.contains('/')).fold(text.to_owned(), |text, path| text.replace(path, &name))
    }

    /// A file that is written goes to the current directory, which each test has to itself.
    fn written(&self, word: &str) -> String {
        match word.starts_with("/dev/") || !word.contains('/') {
            true => word.to_owned(),
            false => base_name(word.trim_end_matches('/')).to_owned(),
        }
    }

    /// Whether the word is meant as a file or a directory. A bare word that is also the name of a
    /// directory is likelier to be a command or a name.
    fn is_place(&self, word: &str, before: &str, at: usize) -> bool {
        let path = self.here.join(word);
        let is_named = word.contains('/') || matches!(word, "." | "..") || ATTACHED.contains(&before);
        !word.is_empty() && at > self.tool_at && (path.is_file() || is_named && path.is_dir())
    }

    fn absolute(&self, text: &str) -> String {
        let path = self.here.join(text);
        match !text.is_empty() && Path::new(text).is_relative() && path.exists() {
            true => std::path::absolute(&path).unwrap_or(path).to_string_lossy().into_owned(),
            false => text.to_owned(),
        }
    }

    /// A list of places: files, directories, and `lib/*`.
    fn searched(&self, list: &str) -> String {
        let place = |text: &str| match text.strip_suffix("/*") {
            Some(directory) => format!("{}/*", self.absolute(directory)),
            None => self.absolute(text),
        };
        list.split(':').map(place).collect::<Vec<_>>().join(":")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn place(files: &[&str]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for file in files {
            let path = place.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        place
    }

    fn read(place: &tempfile::TempDir, words: &[&str]) -> anyhow::Result<Call> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Call::of(&words, Path::new("/bin/tool"), None, None, place.path())
    }

    #[test]
    fn the_input_is_found_and_named_by_the_variable() {
        let place = place(&["src/bug.c", "inc/x.h", "a.out", "tool.py", "data.json"]);
        let call = read(&place, &["gcc", "-O2", "-Iinc", "src/bug.c", "-o", "a.out"]).unwrap();
        assert_eq!((call.name().as_str(), call.tool()), ("bug.c", "gcc"));
        let include = place.path().join("inc");
        assert!(
            call.line().ends_with(&format!("-O2 -I{} \"$input\" -o a.out </dev/null", include.display())),
            "{}",
            call.line()
        );
        let call = read(&place, &["python3.11", "tool.py", "data.json"]).unwrap();
        assert_eq!((call.name().as_str(), call.tool()), ("data.json", "python"));
        assert!(read(&place, &["cat", "data.json", "a.out"]).unwrap().name() == "data.json");
        let error = read(&place, &["cat", "data.json", "tool.py"]).unwrap_err().to_string();
        assert!(error.contains("data.json and tool.py are files"), "{error}");
        let name = |words: &[&str]| read(&place, words).unwrap().name();
        assert_eq!(name(&["gcc", "-c", "src/bug.c", "a.out"]), "bug.c");
        assert_eq!(name(&["grep", "-d", "skip", "data.json"]), "data.json");
        assert!(read(&place, &["cat", "--", "nothing"]).unwrap_err().to_string().contains("--input"));
    }

    #[test]
    fn the_tool_is_found_behind_its_starters() {
        let tool = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            tool_name(&words, tool_position(&words))
        };
        assert_eq!(tool(&["env", "A=1", "timeout", "5", "/usr/bin/x86_64-linux-gnu-gcc-12", "a.c"]), "gcc");
        assert_eq!(tool(&["sh", "-c", "clang++-19 -O2 a.cc && ./a.out"]), "clang++");
        assert_eq!(tool(&["sqlite3", "a.db"]), "sqlite");
    }

    #[test]
    fn inputs_inside_texts_get_their_own_name() {
        let place = place(&["src/bug.c"]);
        let words: Vec<String> = ["sh", "-c", "gcc src/bug.c && ./a.out"].map(str::to_owned).to_vec();
        let call = Call::of(&words, Path::new("/bin/sh"), Some(Path::new("src/bug.c")), None, place.path()).unwrap();
        assert!(call.line().ends_with("sh -c 'gcc bug.c && ./a.out' </dev/null"), "{}", call.line());
    }
}
