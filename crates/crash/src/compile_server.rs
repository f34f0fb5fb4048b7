//! Compile servers: compilers that have already read the headers and fork for each candidate.
//!
//! Most of the cost of a test is the compiler's start: it sets itself up and reads the same headers
//! again before it looks at the candidate. gcc's compiler proper can be stopped at that point and
//! made to fork for each candidate, by a library that is loaded into it (`runtime/compile_server.c`
//! explains how). Where this does not work, with another compiler or a gcc that is built
//! differently, the driver is called as usual.
//!
//! The generated code equals the driver's, except for the order of template instances. Nothing
//! relies on that: the original must fail in the same way when it is built like this, and the final
//! result is compiled by the driver.

use crate::build::Source;
use crate::disturbance::{Try, repeated};
use crate::passes::Passes;
use crate::toolchain::CANDIDATE;
use crate::workshop::root;
use lapidary_clang::Language;
use lapidary_predicate::{Conversation, Heard, Job, Launch, Limits, Scratch};
use lapidary_reduce::{Blob, Cancel, Entry, FileTree, Key, PredicateError};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of idle servers. Each holds tens of megabytes of parsed headers.
const MOST_IDLE: usize = 8;
/// The number of bytes by which a candidate may be longer than the source its server was started
/// with.
const ROOM: usize = 1 << 14;
/// The time that a child may take to die.
const PATIENCE: Duration = Duration::from_secs(10);

/// Compilers that have read the headers and wait for the rest of a file.
pub struct CompileServers {
    scratch: Arc<Scratch>,
    /// The library that turns a compiler into a server.
    library: PathBuf,
    /// The empty header that is read last, after which the server waits.
    gate: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The idle servers; the most recently used one is last.
    idle: VecDeque<Server>,
    /// The passes for each sort of candidate. `None` if a server cannot compile that sort.
    known: HashMap<Key, Option<Arc<Passes>>>,
}

struct Server {
    sort: Key,
    conversation: Conversation,
    /// The maximum length of a candidate.
    room: usize,
    /// The number of candidates it has compiled.
    answers: u64,
}

/// A request to compile one source of a candidate.
pub struct Order<'a> {
    pub tree: &'a FileTree,
    pub source: &'a Source,
    pub language: Language,
    /// The flags for the driver, without those that name the source and the object.
    pub flags: &'a [OsString],
    pub job: &'a Job,
    /// The file to write the assembly to.
    pub assembly: &'a Path,
    pub timeout: Duration,
}

/// The result of an order.
pub enum Answer {
    /// The assembly was written. These passes turn it into an object.
    Compiled(Arc<Passes>),
    /// The compiler rejected the source with these messages.
    Rejected(Vec<u8>),
    TimedOut,
}

impl CompileServers {
    pub fn new(mut library: PathBuf, scratch: &Arc<Scratch>) -> std::io::Result<Self> {
        // The system's loader would take these characters for the end of the name.
        let is_odd =
            |path: &Path| path.as_os_str().as_bytes().iter().any(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b':'));
        if is_odd(&library) {
            let copy = scratch.path().join("compile-server.so");
            std::fs::copy(&library, &copy)?;
            library = copy;
        }
        if is_odd(&library) {
            return Err(std::io::ErrorKind::InvalidFilename.into());
        }
        let gate = scratch.path().join("gate.h");
        std::fs::write(&gate, "")?;
        Ok(CompileServers { scratch: scratch.clone(), library, gate, state: Mutex::default() })
    }

    /// Compiles a candidate, or returns `None` if a server cannot do so. `ask` calls the driver
    /// with `-###` and returns what it printed.
    pub fn compile(
        &self,
        order: &Order<'_>,
        ask: impl Fn(&[OsString]) -> Result<String, PredicateError>,
        cancel: &Cancel,
    ) -> Result<Option<Answer>, PredicateError> {
        let Some(text) = order.text() else { return Ok(None) };
        let Some(passes) = self.passes(order, ask)? else { return Ok(None) };
        // The driver compiles what a server cannot, also if each of them is killed.
        let (Try::Done(answer) | Try::Killed(answer)) =
            repeated(cancel, || self.compile_once(order, &passes, text.len(), cancel))?;
        Ok(answer)
    }

    fn compile_once(
        &self,
        order: &Order<'_>,
        passes: &Arc<Passes>,
        length: usize,
        cancel: &Cancel,
    ) -> Result<Try<Option<Answer>>, PredicateError> {
        let Some(mut server) = self.server(order, passes, length, cancel)? else { return Ok(Try::Done(None)) };
        let complaints = order.assembly.with_extension("complaints");
        server.conversation.say(&order.request(&complaints));
        let status = match server.conversation.hear(Instant::now() + order.timeout, cancel)? {
            Heard::Line(status) => status,
            // A candidate is compiled by a child, so it cannot end its server.
            Heard::Ended => return Ok(Try::Killed(None)),
            gave_up => {
                server.conversation.say(b"\n");
                if let Heard::Line(_) = server.conversation.hear(Instant::now() + PATIENCE, &Cancel::new())? {
                    self.give_back(server);
                }
                return if gave_up == Heard::TimedOut {
                    Ok(Try::Done(Some(Answer::TimedOut)))
                } else {
                    Err(PredicateError::Cancelled)
                };
            }
        };
        let answer = match status.as_str() {
            "0" => Answer::Compiled(Arc::clone(passes)),
            "-9" => return Ok(Try::Killed(None)),
            "1" => Answer::Rejected(std::fs::read(&complaints).unwrap_or_default()),
            // The server failed, because of the candidate or because of itself.
            _ => {
                let is_new = server.answers == 0;
                is_new.then(|| self.lock().known.insert(order.sort(), None));
                return Ok(Try::Done(None));
            }
        };
        server.answers += 1;
        self.give_back(server);
        Ok(Try::Done(Some(answer)))
    }

    fn passes(
        &self,
        order: &Order<'_>,
        ask: impl Fn(&[OsString]) -> Result<String, PredicateError>,
    ) -> Result<Option<Arc<Passes>>, PredicateError> {
        let sort = order.sort();
        if let Some(known) = self.lock().known.get(&sort) {
            return Ok(known.clone());
        }
        let object = order.assembly.with_extension("o");
        let gate = ["-include".into(), self.gate.clone().into()];
        let output = ["-c".into(), order.source.path.clone().into(), "-o".into(), object.clone().into()];
        let arguments = [&["-###".into()], order.flags, &gate, &output].concat();
        let passes = Passes::of(&ask(&arguments)?, &object).map(Arc::new);
        self.lock().known.insert(sort, passes.clone());
        Ok(passes)
    }

    /// Returns an idle server or starts a new one.
    fn server(
        &self,
        order: &Order<'_>,
        passes: &Passes,
        length: usize,
        cancel: &Cancel,
    ) -> Result<Option<Server>, PredicateError> {
        let sort = order.sort();
        let mut state = self.lock();
        let found = state.idle.iter().rposition(|server| server.sort == sort && server.room >= length);
        if let Some(server) = found.and_then(|index| state.idle.remove(index)) {
            return Ok(Some(server));
        }
        drop(state);
        let start = || {
            let mut server = self.start(order, passes, length + ROOM, cancel)?;
            let heard = server.conversation.hear(Instant::now() + order.timeout, cancel)?;
            Ok::<_, PredicateError>((server, heard))
        };
        let (mut server, mut heard) = start()?;
        if heard == Heard::Ended {
            // It cannot serve, or something else has ended it.
            (server, heard) = start()?;
        }
        match heard {
            Heard::Line(line) if line == "ready" => Ok(Some(server)),
            Heard::Cancelled => Err(PredicateError::Cancelled),
            Heard::Line(_) | Heard::Ended | Heard::TimedOut => {
                self.lock().known.insert(sort, None);
                Ok(None)
            }
        }
    }

    /// Starts a server in a copy of the candidate whose source is replaced by empty lines.
    fn start(
        &self,
        order: &Order<'_>,
        passes: &Passes,
        room: usize,
        cancel: &Cancel,
    ) -> Result<Server, PredicateError> {
        let path = if order.tree.is_directory() { order.source.path.as_path() } else { Path::new("") };
        let home = self.scratch.job(&order.tree.with_file(path, vec![b'\n'; room].into()), cancel)?;
        let preload = std::env::var_os("LD_PRELOAD").filter(|given| !given.is_empty());
        let mut library = self.library.clone().into_os_string();
        if let Some(given) = preload {
            library.push(":");
            library.push(given);
        }
        let environment = [
            ("LD_PRELOAD".into(), library),
            ("LAPIDARY_SOURCE".into(), order.source.path.clone().into()),
            ("LAPIDARY_GATE".into(), self.gate.clone().into()),
            ("LAPIDARY_DIRECTORY".into(), CANDIDATE.into()),
            // A compiler takes the working directory from `PWD` unless it is wrong.
            ("PWD".into(), CANDIDATE.into()),
            ("LC_ALL".into(), "C".into()),
        ];
        let marker = home.marker.clone();
        let (directory, temporary) = (root(order.tree, &home), home.temporary().to_path_buf());
        let launch = Launch {
            program: &passes.compiler,
            arguments: &passes.compiler_arguments,
            directory: &directory,
            temporary: &temporary,
            environment: &environment,
            marker: &marker,
            limits: &Limits::default(),
            sandbox: None,
        };
        Ok(Server { sort: order.sort(), conversation: Conversation::start(&launch, home)?, room, answers: 0 })
    }

    fn give_back(&self, server: Server) {
        let mut state = self.lock();
        state.idle.push_back(server);
        let surplus = if state.idle.len() > MOST_IDLE { state.idle.pop_front() } else { None };
        drop(state);
        // Drop the server outside the lock, since ending a process takes a while.
        drop(surplus);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Order<'_> {
    /// Returns the candidate's source, if a server can take it. A server reads the bytes as they
    /// are.
    fn text(&self) -> Option<&Blob> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let path = if self.tree.is_directory() { self.source.path.as_path() } else { Path::new("") };
        match self.tree.entry(path)? {
            Entry::File { content, .. } if !content.starts_with(BYTE_ORDER_MARK) => Some(content),
            _ => None,
        }
    }

    /// Returns a key for everything that a server and the candidates it can compile must have in
    /// common.
    fn sort(&self) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.source.path.as_os_str().as_bytes()).update(&[u8::from(self.language.is_cpp())]);
        self.flags.iter().for_each(|flag| _ = hasher.update(b"\0").update(flag.as_bytes()));
        // A compiler never looks into a directory that did not exist when it started.
        let directories: BTreeSet<&Path> = self.tree.entries().flat_map(|(path, _)| path.ancestors().skip(1)).collect();
        directories.iter().for_each(|path| _ = hasher.update(b"\n").update(path.as_os_str().as_bytes()));
        Key(*hasher.finalize().as_bytes())
    }

    fn request(&self, complaints: &Path) -> Vec<u8> {
        let directory = root(self.tree, self.job);
        let words: [&OsStr; 4] =
            [directory.as_os_str(), self.source.path.as_os_str(), self.assembly.as_os_str(), complaints.as_os_str()];
        words.iter().flat_map(|word| word.as_bytes().iter().copied().chain([b'\n'])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime;
    use std::process::Command;

    struct Shop {
        servers: CompileServers,
        scratch: Arc<Scratch>,
        source: Source,
        flags: Vec<OsString>,
    }

    impl Shop {
        fn new(name: &str) -> Shop {
            let scratch = Arc::new(Scratch::new().unwrap());
            let gcc = lapidary_predicate::resolve("gcc".as_ref(), Path::new("/")).unwrap();
            let library = runtime::compile_server(&gcc, scratch.path()).unwrap();
            let servers = CompileServers::new(library, &scratch).unwrap();
            let source = Source { path: name.into(), flags: Vec::new() };
            let flags = ["-O0", "-g1", "-pipe", "-include", "stdio.h"].map(OsString::from).to_vec();
            Shop { servers, scratch, source, flags }
        }

        fn compile(&self, text: &str, cancel: &Cancel) -> Result<Option<Result<Vec<u8>, String>>, PredicateError> {
            let tree = FileTree::file(self.source.path.to_str().unwrap(), text);
            let job = self.scratch.job(&tree, &Cancel::new()).unwrap();
            let assembly = job.temporary().join("0.s");
            let order = Order {
                tree: &tree,
                source: &self.source,
                language: Language::C,
                flags: &self.flags,
                job: &job,
                assembly: &assembly,
                timeout: Duration::from_secs(60),
            };
            let ask = |arguments: &[OsString]| {
                let said = Command::new("gcc").args(arguments).current_dir(job.directory()).output().unwrap();
                Ok(String::from_utf8(said.stderr).unwrap())
            };
            Ok(match self.servers.compile(&order, ask, cancel)? {
                None => None,
                Some(Answer::Compiled(passes)) => {
                    let object = assembly.with_extension("o");
                    let words = passes.assembling(&assembly, &object);
                    assert!(Command::new(&passes.assembler).args(words).status().unwrap().success());
                    Some(Ok(std::fs::read(object).unwrap()))
                }
                Some(Answer::Rejected(errors)) => Some(Err(String::from_utf8(errors).unwrap())),
                Some(Answer::TimedOut) => panic!("it took a minute"),
            })
        }

        fn idle(&self) -> usize {
            self.servers.lock().idle.len()
        }
    }

    /// Returns the object that the driver makes of the text.
    fn driven(text: &str) -> Vec<u8> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("a.c"), text).unwrap();
        let map = format!("-fdebug-prefix-map={}={CANDIDATE}", directory.path().canonicalize().unwrap().display());
        let flags = ["-O0", "-g1", "-include", "stdio.h", "-c", "a.c", "-o", "a.o"];
        let made = Command::new("gcc").args(flags).arg(map).current_dir(directory.path()).status().unwrap();
        assert!(made.success());
        std::fs::read(directory.path().join("a.o")).unwrap()
    }

    #[test]
    fn objects_are_those_of_the_driver() {
        let shop = Shop::new("a.c");
        let texts = [
            "int main(void)\n{\n    puts(__FILE__);\n    return 1;\n}\n",
            "int f(int n) { return n + __LINE__; }\n\n\nint main(void) { return f(2); } // no end of line",
            "#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) { return (int)strlen(v[c - 1]); }\n",
        ];
        for text in texts {
            let made = shop.compile(text, &Cancel::new()).unwrap().unwrap().unwrap();
            assert!(made == driven(text), "{text}");
        }
        assert_eq!(shop.idle(), 1, "one compiler did it all");
    }

    #[test]
    fn complaints_are_those_of_the_compiler() {
        let shop = Shop::new("a.c");
        let complaint = shop.compile("int main(void)\n{\n    return x;\n}\n", &Cancel::new()).unwrap().unwrap();
        assert!(complaint.is_err_and(|errors| errors.contains("a.c:3:12: error: 'x' undeclared")));
        assert!(shop.compile("int main(void) { return 0; }\n", &Cancel::new()).unwrap().unwrap().is_ok());
    }

    #[test]
    fn a_cancelled_compilation_leaves_the_server_usable() {
        let shop = Shop::new("a.c");
        assert!(shop.compile("int main(void) { return 0; }\n", &Cancel::new()).unwrap().is_some());
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(matches!(shop.compile("int main(void) { return 1; }\n", &cancel), Err(PredicateError::Cancelled)));
        assert_eq!(shop.idle(), 1);
        let text = "int main(void) { return 2; }\n";
        assert!(shop.compile(text, &Cancel::new()).unwrap().unwrap().unwrap() == driven(text));
    }

    #[test]
    fn a_candidate_may_be_longer_than_the_first() {
        let shop = Shop::new("a.c");
        let long = format!("int main(void) {{ return 0; }}\n{}int n;\n", "// a comment\n".repeat(ROOM / 8));
        for text in ["int main(void) { return 0; }\n", &long] {
            assert!(shop.compile(text, &Cancel::new()).unwrap().unwrap().unwrap() == driven(text));
        }
    }

    #[test]
    fn unsupported_sources_are_left_to_the_driver() {
        let preprocessed = Shop::new("a.i");
        assert!(preprocessed.compile("int main(void) { return 0; }\n", &Cancel::new()).unwrap().is_none());
        let marked = Shop::new("a.c");
        assert!(marked.compile("\u{feff}int main(void) { return 0; }\n", &Cancel::new()).unwrap().is_none());
    }
}
