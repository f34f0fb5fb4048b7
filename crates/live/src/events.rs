//! The file of `--events`: one JSON object a line (docs/reference/events.md).

use crate::change::Change;
use lapidary::{Cancel, DocumentKind};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// A file or stream that gets one line for each event.
pub struct EventFile {
    /// `None` after a failed write, which does not end the run.
    to: Option<Box<dyn Write + Send>>,
    /// The failed write, unless the reader has gone.
    problem: Option<io::Error>,
}

impl EventFile {
    /// Creates the file, replacing an old one. `-` is standard output. If it is a pipe that nobody
    /// reads, calls `waiting` and waits for a reader until the run is cancelled.
    pub fn create(path: &Path, cancel: &Cancel, waiting: impl FnOnce()) -> lapidary::Result<EventFile> {
        Ok(EventFile::to(DocumentKind::Events.create(path, cancel, waiting)?))
    }

    fn to(to: Box<dyn Write + Send>) -> EventFile {
        EventFile { to: Some(to), problem: None }
    }

    /// Writes the first line, which says what run this is.
    pub(crate) fn begin(&mut self, command: &str, input: &str) {
        let version = env!("CARGO_PKG_VERSION");
        self.line(&json!({ "event": "begin", "events": 1, "lapidary": version, "command": command, "input": input, "at": 0.0 }));
    }

    pub(crate) fn change(&mut self, at: Duration, change: &Change<'_>) {
        if self.to.is_some() {
            change.json(at).iter().for_each(|value| self.line(value));
        }
    }

    /// Writes the last line. Returns why lines are missing, if that is so.
    pub(crate) fn end(&mut self, at: Duration) -> Option<io::Error> {
        self.line(&json!({ "event": "end", "at": (at.as_secs_f64() * 1e3).round() / 1e3 }));
        self.problem.take()
    }

    /// Writes a line with one call, so that a reader never sees half of it for long.
    fn line(&mut self, value: &Value) {
        let Some(to) = &mut self.to else { return };
        if let Err(error) = to.write_all(format!("{value}\n").as_bytes()).and_then(|()| to.flush()) {
            self.to = None;
            self.problem = Some(error).filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary::{Item, StageInfo};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Seen(Arc<Mutex<Vec<u8>>>);

    impl Write for Seen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn each_event_is_one_object_on_one_line() {
        let seen = Seen::default();
        let mut file = EventFile::to(Box::new(seen.clone()));
        file.begin("reduce", "a\nb.c");
        let items = [Item::new("f", "function"), Item::new("a;", "statement"), Item::new("b;", "statement")];
        let stage = StageInfo { round: 1, name: "tree", strategy: "hdd", items: &items, clauses: 3, bytes: 9 };
        file.change(Duration::from_millis(1500), &Change::Stage(&stage));
        file.change(Duration::from_millis(1500), &Change::Warning("two\nlines"));
        file.end(Duration::from_secs(2));
        let text = String::from_utf8(seen.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let names: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
        assert_eq!(names, ["begin", "stage", "warning", "end"]);
        assert_eq!(lines[1]["kinds"], json!({ "function": 1, "statement": 2 }));
        assert_eq!((&lines[1]["at"], &lines[2]["text"]), (&json!(1.5), &json!("two\nlines")));
    }

    #[test]
    fn a_reader_that_has_gone_is_no_error() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut file = EventFile::to(Box::new(Gone));
        file.begin("reduce", "a.c");
        assert!(file.to.is_none());
        file.end(Duration::ZERO);
    }
}
