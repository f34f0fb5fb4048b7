//! The trace file, and the state of what was written to it. docs/reference/trace-format.md
//! describes the lines.
//!
//! A line is written as a whole, under the same lock as the decision to write it. Therefore the
//! order of the lines is the order in which methods were entered, on whichever threads.

use crate::environment::{Environment, MethodName};
use crate::jvmti::{Frame, MethodId, Object};
use crate::options::Options;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes the trace while the program runs.
pub struct Recorder {
    depth: usize,
    objects: bool,
    state: Mutex<State>,
}

/// The state of a recorder, behind its lock.
pub struct State {
    file: File,
    /// The numbers of methods in the trace.
    numbers: HashMap<usize, usize>,
    entered: HashSet<usize>,
    /// The set of reachable methods, until the first method that is not among them is entered.
    reachable: Option<HashSet<String>>,
    has_stacks: bool,
    pub objects: crate::objects::Objects,
}

impl Recorder {
    pub fn open(options: &Options) -> Result<Recorder, String> {
        let mut file = File::create(&options.trace)
            .map_err(|error| format!("cannot write {}: {error}", options.trace.display()))?;
        file.write_all(b"lapidary-trace 1\n").map_err(|error| format!("cannot write the trace: {error}"))?;
        let reachable = options.reachable.as_ref().map(|path| {
            let text = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            Ok::<_, String>(String::from_utf8_lossy(&text).lines().map(|line| line.trim().to_owned()).collect())
        });
        let state = State {
            file,
            numbers: HashMap::new(),
            entered: HashSet::new(),
            has_stacks: reachable.is_none(),
            reachable: reachable.transpose()?,
            objects: Default::default(),
        };
        Ok(Recorder { depth: options.depth, objects: options.objects, state: Mutex::new(state) })
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a method unless it was entered before.
    pub fn entered(&self, environment: &Environment, thread: Object, method: MethodId) {
        let frames = environment.stack(thread, self.depth.max(1));
        let mut state = self.state();
        if !state.entered.insert(method as usize) {
            return;
        }
        let mut lines = String::new();
        let Some(number) = state.number(environment, method, &mut lines) else { return };
        let has_stack = state.has_stacks || state.is_first_lost(environment, method);
        let mut entry = format!("enter {number}");
        if self.objects && !environment.is_static(method) {
            let tag = environment.receiver(thread).map_or(0, |object| environment.tag(object));
            if tag != 0 {
                let _ = write!(entry, " object={tag}");
            }
        }
        if has_stack {
            for Frame { method, location } in &frames {
                if let Some(number) = state.number(environment, *method, &mut lines) {
                    let _ = write!(entry, " {number}@{location}");
                }
            }
        }
        lines.push_str(&entry);
        lines.push('\n');
        state.write(&lines);
    }

    /// Records that the JVM ended by itself.
    pub fn ended(&self) {
        self.state().write("end\n");
    }
}

impl State {
    /// The number of a method. A method without one gets the next number, and a line that defines
    /// it.
    pub fn number(&mut self, environment: &Environment, method: MethodId, lines: &mut String) -> Option<usize> {
        if let Some(number) = self.numbers.get(&(method as usize)) {
            return Some(*number);
        }
        let name = environment.method_name(method)?;
        let number = self.numbers.len();
        self.numbers.insert(method as usize, number);
        let _ = writeln!(lines, "method {number} {}", shown(&name));
        Some(number)
    }

    /// Whether a method is the first that the analysis did not report.
    fn is_first_lost(&mut self, environment: &Environment, method: MethodId) -> bool {
        let Some(reachable) = &self.reachable else { return false };
        let is_lost = environment.method_name(method).is_some_and(|name| !reachable.contains(&shown(&name)));
        if is_lost {
            self.reachable = None;
        }
        is_lost
    }

    /// Writes without a buffer, so that the lines survive the process. On a full disk the trace
    /// ends here.
    pub fn write(&mut self, lines: &str) {
        let _ = self.file.write_all(lines.as_bytes());
    }
}

/// The notation `pkg/Cls.name:(I)V` of a method.
fn shown(name: &MethodName) -> String {
    let MethodName { class, name, descriptor } = name;
    let class = class.strip_prefix(b"L").and_then(|class| class.strip_suffix(b";")).unwrap_or(class);
    let named = |name: &[u8]| encoded(name).replace('(', "%28");
    format!("{}.{}:{}", named(class), named(name), encoded(descriptor))
}

/// Percent-encodes characters that would end a word or a line, and bytes that are not UTF-8. A
/// parenthesis ends a name, but not a descriptor.
pub fn encoded(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                _ if character == '%' || character.is_whitespace() || character.is_control() => {
                    character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| write_byte(&mut text, byte));
                }
                _ => text.push(character),
            }
        }
        chunk.invalid().iter().for_each(|byte| write_byte(&mut text, *byte));
    }
    text
}

fn write_byte(text: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(text, "%{byte:02x}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word() {
        assert_eq!(encoded(b"a b%c\n"), "a%20b%25c%0a");
        assert_eq!(encoded("grün".as_bytes()), "grün");
        assert_eq!(encoded("a\u{a0}b".as_bytes()), "a%c2%a0b");
        assert_eq!(encoded(b"\xed\xa0\x80x"), "%ed%a0%80x");
    }

    #[test]
    fn methods_are_shown_in_the_usual_notation() {
        let name = MethodName { class: b"Lp/C;".into(), name: b"<init>".into(), descriptor: b"(I)V".into() };
        assert_eq!(shown(&name), "p/C.<init>:(I)V");
        let odd = MethodName { class: b"Lp/C;".into(), name: b"adds (two)".into(), descriptor: b"(I)V".into() };
        assert_eq!(shown(&odd), "p/C.adds%20%28two):(I)V");
    }
}
