//! Parsing of traces. docs/reference/trace-format.md describes the lines.
//!
//! A trace may end anywhere, because the program may be killed at any time: an unfinished last line
//! is ignored. Programs can write to any file, so the parser does not rely on a trace being what
//! the agent wrote: lines that make no sense are counted, not trusted.

use lapidary_jvm::MethodName;
use std::collections::HashMap;

/// The record of one run of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The methods of the application in the order in which they were first entered.
    pub entries: Vec<Entry>,
    /// Objects that the library returned to the application, if they were recorded.
    pub returned: Vec<Returned>,
    /// Whether the JVM ended by itself.
    pub is_complete: bool,
    /// The number of unreadable lines.
    pub unreadable: usize,
}

/// The first entry of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub method: MethodName,
    /// The stack at that moment, with the method itself first; empty if it was not recorded.
    pub stack: Vec<Frame>,
    /// The object on which the method was called, if the library had returned it to the application
    /// before.
    pub object: Option<u64>,
}

/// A method on the stack, and the instruction it is at.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub method: MethodName,
    /// The offset of the current instruction; `None` in native methods.
    pub at: Option<u32>,
}

/// An object that a method of the library returned to the application.
#[derive(Clone, Debug, PartialEq)]
pub struct Returned {
    pub by: MethodName,
    pub object: u64,
    /// The descriptor of the object's class.
    pub class: String,
}

const HEADER: &str = "lapidary-trace 1";

impl Trace {
    /// Parses a trace; `None` if it does not begin like one.
    pub fn parse(text: &str) -> Option<Trace> {
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        lines.next().filter(|line| *line == HEADER)?;
        let mut reader = Reader::default();
        for line in lines {
            if reader.line(line).is_none() {
                reader.trace.unreadable += 1;
            }
        }
        Some(reader.trace)
    }

    /// The methods in order of entry.
    pub fn methods(&self) -> impl Iterator<Item = &MethodName> {
        self.entries.iter().map(|entry| &entry.method)
    }

    /// The first entered method that an analysis does not report: the first lost method.
    pub fn first_lost(&self, is_reachable: impl Fn(&MethodName) -> bool) -> Option<&Entry> {
        self.entries.iter().find(|entry| !is_reachable(&entry.method))
    }
}

#[derive(Default)]
struct Reader {
    trace: Trace,
    methods: HashMap<u64, MethodName>,
    /// The methods seen so far. Classes of the same name in several loaders have methods of the
    /// same name.
    seen: std::collections::HashSet<MethodName>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        match words.next()? {
            "method" => {
                let number = words.next()?.parse().ok()?;
                self.methods.insert(number, words.next()?.parse().ok()?);
            }
            "enter" => {
                let entry = self.entry(words)?;
                if self.seen.insert(entry.method.clone()) {
                    self.trace.entries.push(entry);
                }
            }
            "return" => {
                let by = self.method(words.next()?)?;
                let object = words.next()?.strip_prefix("object=")?.parse().ok()?;
                self.trace.returned.push(Returned { by, object, class: words.next()?.to_owned() });
            }
            "end" => self.trace.is_complete = true,
            _ => return None,
        }
        Some(())
    }

    fn entry<'a>(&self, mut words: impl Iterator<Item = &'a str>) -> Option<Entry> {
        let mut entry = Entry { method: self.method(words.next()?)?, stack: Vec::new(), object: None };
        for word in words {
            match word.strip_prefix("object=") {
                Some(object) => entry.object = Some(object.parse().ok()?),
                None => entry.stack.push(self.frame(word)?),
            }
        }
        Some(entry)
    }

    fn frame(&self, word: &str) -> Option<Frame> {
        let (number, at) = word.split_once('@')?;
        Some(Frame { method: self.method(number)?, at: u32::try_from(at.parse::<i64>().ok()?).ok() })
    }

    fn method(&self, number: &str) -> Option<MethodName> {
        self.methods.get(&number.parse().ok()?).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "lapidary-trace 1\nmethod 0 M.main:([Ljava/lang/String;)V\nenter 0 0@0\n\
        method 1 M.run:()V\nmethod 2 java/lang/Thread.run:()V\nreturn 2 object=1 LM;\nenter 1 object=1 1@0 2@-1\n";

    #[test]
    fn a_trace_is_read() {
        let trace = Trace::parse(&format!("{SAMPLE}end\n")).unwrap();
        assert_eq!(
            trace.methods().map(MethodName::as_str).collect::<Vec<_>>(),
            ["M.main:([Ljava/lang/String;)V", "M.run:()V"]
        );
        let run = &trace.entries[1];
        assert_eq!((run.object, run.stack.len(), run.stack[1].at), (Some(1), 2, None));
        assert_eq!(trace.returned[0].by.name(), "run");
        assert!(trace.is_complete);
        assert_eq!(trace.unreadable, 0);
    }

    #[test]
    fn a_trace_may_end_anywhere() {
        for end in SAMPLE.len() - 20..SAMPLE.len() {
            let trace = Trace::parse(&SAMPLE[..end]).unwrap();
            assert_eq!((trace.entries.len(), trace.unreadable, trace.is_complete), (1, 0, false));
        }
    }

    #[test]
    fn nonsense_is_counted() {
        let trace = Trace::parse(&format!("{SAMPLE}enter 77\nenter\nmethod 5 what\nbang\nenter 0 9@1\n")).unwrap();
        assert_eq!((trace.entries.len(), trace.unreadable), (2, 5));
        assert!(Trace::parse("something else\n").is_none());
        assert!(Trace::parse("").is_none());
    }

    #[test]
    fn the_first_lost_method_is_the_first_that_is_unknown() {
        let trace = Trace::parse(SAMPLE).unwrap();
        assert_eq!(trace.first_lost(|method| method.name() == "main").unwrap().method.name(), "run");
        assert!(trace.first_lost(|_| true).is_none());
    }
}
