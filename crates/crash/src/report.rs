//! Reads the report of a program's observing part (`runtime/trap.c` describes the format).

use std::collections::BTreeMap;
use std::time::Duration;

/// Everything that was recorded in a run.
#[derive(Debug, Default)]
pub struct Report {
    /// The id of the process whose failure counts.
    pub process: Option<u32>,
    /// The events in that process, in order.
    pub events: Vec<Event>,
    /// The processor time of the process until it failed.
    pub processor_time: Option<Duration>,
    /// Whether the program started a thread.
    pub has_threads: bool,
}

#[derive(Debug)]
pub struct Event {
    pub what: What,
    /// The frames, innermost first.
    pub frames: Vec<RawFrame>,
    pub texts: BTreeMap<String, String>,
    pub mappings: Vec<Mapping>,
    /// The contents of memory, if they were requested.
    pub memory: Memory,
    /// The processor time of the process until this event.
    processor_time: Option<Duration>,
    /// Whether the process ended while the program's own handler was processing the event.
    pub ended_inside: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Signal {
        number: i32,
        code: i32,
        address: u64,
        overflow: bool,
    },
    Assertion,
    Exception,
    /// A finding of a sanitizer, which describes it itself. The address is the one it is about, or
    /// 0.
    Finding {
        address: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawFrame {
    pub pc: u64,
    /// Whether the address is that of the instruction itself rather than the one after a call.
    pub exact: bool,
    /// The start of the frame's part of the stack, or 0.
    pub sp: u64,
}

/// Pieces of a program's memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(Vec<(u64, Vec<u8>)>);

impl Memory {
    /// Returns the bytes at an address, if they were recorded.
    pub fn read(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = address.checked_add(bytes.len() as u64)?;
            let holds = |piece: &&(u64, Vec<u8>)| at >= piece.0 && at - piece.0 < piece.1.len() as u64;
            let (start, piece) = self.0.iter().find(holds)?;
            let rest = &piece[(at - start) as usize..];
            bytes.extend_from_slice(&rest[..rest.len().min(length - bytes.len())]);
        }
        Some(bytes)
    }
}

/// A part of a file mapped into the program's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub end: u64,
    pub offset: u64,
    pub path: String,
}

impl Report {
    /// Parses as much as there is: the program may have died while writing.
    pub fn parse(bytes: &[u8]) -> Report {
        let mut report = Report::default();
        let mut reader = Reader { rest: bytes };
        while let Some(line) = reader.line() {
            let fields: Vec<&str> = line.split(' ').collect();
            match fields.as_slice() {
                ["P", process] => report.process = process.parse().ok(),
                ["C", time] => report.processor_time = microseconds(time),
                ["H"] => report.events.iter_mut().rev().take(1).for_each(|event| event.ended_inside = true),
                ["N"] => report.has_threads = true,
                ["S" | "A" | "X" | "Z", ..] => {
                    let main = fields.last() == Some(&"1");
                    let event = reader.event(what(&fields)).filter(|_| main);
                    let time = event.as_ref().and_then(|event| event.processor_time);
                    report.processor_time = time.or(report.processor_time);
                    report.events.extend(event);
                }
                _ => {}
            }
        }
        report
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn line(&mut self) -> Option<&'a str> {
        let end = self.rest.iter().position(|&byte| byte == b'\n')?;
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        Some(str::from_utf8(line).unwrap_or_default())
    }

    fn bytes(&mut self, length: usize) -> &'a [u8] {
        let (bytes, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        bytes
    }

    fn event(&mut self, what: Option<What>) -> Option<Event> {
        let mut event = Event {
            what: what?,
            frames: Vec::new(),
            texts: BTreeMap::new(),
            mappings: Vec::new(),
            memory: Memory::default(),
            processor_time: None,
            ended_inside: false,
        };
        let mut maps = Vec::new();
        while let Some(line) = self.line() {
            match line.split(' ').collect::<Vec<_>>().as_slice() {
                ["F", pc, exact, sp] => {
                    let (pc, sp) = (hexadecimal(pc), hexadecimal(sp));
                    event.frames.push(RawFrame { pc, exact: *exact == "1", sp });
                }
                ["K", address, length] => {
                    let piece = self.bytes(length.parse().unwrap_or(0)).to_vec();
                    event.memory.0.push((hexadecimal(address), piece));
                }
                ["T", name, length] => {
                    let text = String::from_utf8_lossy(self.bytes(length.parse().unwrap_or(0)));
                    event.texts.insert((*name).to_owned(), text.into_owned());
                }
                ["M", length] => maps.extend_from_slice(self.bytes(length.parse().unwrap_or(0))),
                ["C", time] => event.processor_time = microseconds(time),
                ["E"] => break,
                _ => {}
            }
        }
        event.mappings = String::from_utf8_lossy(&maps).lines().filter_map(mapping).collect();
        Some(event)
    }
}

fn what(fields: &[&str]) -> Option<What> {
    match fields {
        ["A", _] => Some(What::Assertion),
        ["X", _] => Some(What::Exception),
        ["Z", address, _] => Some(What::Finding { address: hexadecimal(address) }),
        ["S", number, code, address, overflow, _] => Some(What::Signal {
            number: number.parse().ok()?,
            code: code.parse().ok()?,
            address: hexadecimal(address),
            overflow: *overflow == "1",
        }),
        _ => None,
    }
}

fn microseconds(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_micros)
}

fn hexadecimal(text: &str) -> u64 {
    u64::from_str_radix(text, 16).unwrap_or(0)
}

/// Parses a line like `55d0a000-55d0b000 r-xp 00001000 08:01 1234    /path/to/program`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut fields = line.splitn(6, ' ');
    let (start, end) = fields.next()?.split_once('-')?;
    let offset = fields.nth(1)?;
    let path = fields.nth(2)?.trim_start();
    let (start, end, offset) = (hexadecimal(start), hexadecimal(end), hexadecimal(offset));
    path.starts_with('/').then(|| Mapping { start, end, offset, path: path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_to_where_it_breaks_off() {
        let maps = "1000-2000 r-xp 00000100 08:01 12     /a b\n";
        let text = format!(
            "P 7\nN\nA 1\nT assertion 5\nx\n==1\nC 1500\nE\nS 6 0 0 0 0\nE\nS 11 1 ff 0 1\nF a1 1 7\nK 10 2\nab\nK 12 1\nc\nM {}\n{maps}\nF b2",
            maps.len()
        );
        let report = Report::parse(text.as_bytes());
        assert_eq!((report.process, report.has_threads), (Some(7), true));
        let [assertion, signal] = report.events.as_slice() else { panic!("the child's is left out: {report:?}") };
        assert_eq!((assertion.what, assertion.texts["assertion"].as_str()), (What::Assertion, "x\n==1"));
        assert_eq!(report.processor_time, Some(Duration::from_micros(1500)));
        assert_eq!(signal.what, What::Signal { number: 11, code: 1, address: 255, overflow: false });
        assert_eq!(signal.frames, [RawFrame { pc: 0xa1, exact: true, sp: 7 }]);
        assert_eq!(signal.memory.read(0x11, 2), Some(b"bc".to_vec()));
        assert_eq!(signal.memory.read(0x11, 3), None);
        assert_eq!(signal.mappings, [Mapping { start: 0x1000, end: 0x2000, offset: 0x100, path: "/a b".into() }]);
    }
}
