//! Parses reports of gcc's and clang's sanitizers.
//!
//! The sanitizers are told not to look up symbols: clang's need another program for that, and our
//! own lookup is faster.

use regex::Regex;
use std::sync::LazyLock;

/// A sanitizer's finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub tool: String,
    /// The kind of error and of access, without addresses.
    pub message: String,
    pub detail: String,
    /// The stack, innermost first, as modules and offsets.
    pub frames: Vec<(String, u64)>,
    /// The stacks on which the memory was allocated and freed.
    pub sites: Vec<(&'static str, Vec<(String, u64)>)>,
}

impl Finding {
    pub fn is_stack_overflow(&self) -> bool {
        self.message.starts_with("stack-overflow")
    }

    /// Parses the first finding in a text.
    pub fn parse(text: &str) -> Option<Finding> {
        let undefined = UNDEFINED.captures(text);
        let error = ERROR.captures(text);
        let at = |captures: &Option<regex::Captures<'_>>| {
            captures.as_ref().map(|found| found.get(0).map_or(0, |all| all.start()))
        };
        match (at(&undefined), at(&error)) {
            (None, None) => None,
            (Some(first), second) if second.is_none_or(|second| first < second) => {
                let detail = undefined?[1].to_owned();
                let tool = "UndefinedBehaviorSanitizer".into();
                let message = without_addresses(&detail);
                Some(Finding {
                    tool,
                    message,
                    detail: String::new(),
                    frames: frames(&text[first..]),
                    sites: Vec::new(),
                })
            }
            (_, Some(start)) => Some(of_error(&error?, &text[start..])),
            (Some(_), None) => None,
        }
    }
}

fn of_error(error: &regex::Captures<'_>, text: &str) -> Finding {
    let tool = error[1].to_owned();
    let summary = SUMMARY.captures(text).map(|found| found[1].trim().to_owned());
    let sort = summary.unwrap_or_else(|| without_addresses(&error[2]));
    let access = ACCESS.captures(text).map(|found| format!(": {}", &found[1]));
    let cause = CAUSE.captures(text).map(|found| format!(": {}", &found[1]));
    let null = if text.contains("address points to the zero page") { " of a null pointer" } else { "" };
    let message = format!("{sort}{}{null}{}", access.or(cause).unwrap_or_default(), side(text));
    let detail = LOCATED.captures(text).map_or_else(String::new, |found| found[1].to_owned());
    Finding { tool, message, detail, frames: frames(text), sites: sites(text) }
}

/// Returns the side of a piece of memory on which an access was. An access before it has a
/// different reason than one after it.
fn side(text: &str) -> &'static str {
    let found = SIDE.captures(text);
    match found.as_ref().map(|found| &found[1]) {
        Some("to the left of" | "before" | "underflows" | "partially underflows") => ", before it starts",
        Some("to the right of" | "after" | "overflows" | "partially overflows") => ", behind its end",
        _ => "",
    }
}

static ERROR: LazyLock<Regex> = LazyLock::new(|| known(r"(?m)(?:ERROR|WARNING): (\w+Sanitizer): ([^\n]*)"));
static UNDEFINED: LazyLock<Regex> = LazyLock::new(|| known(r"(?m)^\S.*?: runtime error: ([^\n]*)"));
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| known(r"(?m)^SUMMARY: \w+: ([\w -]+?)(?: /| \(| \S+:\d| in |\s*$)"));
static ACCESS: LazyLock<Regex> = LazyLock::new(|| known(r"(?m)^\s*((?i:READ|WRITE) of size \d+)"));
static CAUSE: LazyLock<Regex> = LazyLock::new(|| known(r"The signal is caused by a (READ|WRITE) memory access"));
static LOCATED: LazyLock<Regex> = LazyLock::new(|| known(r"(?m)^0x[0-9a-f]+ is (located [^\n\[]*[^\n\[ ])"));
static SIDE: LazyLock<Regex> = LazyLock::new(|| {
    known(
        r"(?m)(?:^0x[0-9a-f]+ is located \d+ bytes? |<== Memory access at offset \d+ )((?:to the )?\w+(?: of| \w+flows)?)",
    )
});
static FRAME: LazyLock<Regex> = LazyLock::new(|| known(r"^\s*#\d+ 0x[0-9a-f]+ +(?:in .* )?\((.+)\+0x([0-9a-f]+)\)"));
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| known(r"0x[0-9a-f]+"));

fn known(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a fixed pattern")
}

/// Replaces addresses, which differ from run to run.
fn without_addresses(text: &str) -> String {
    ADDRESS.replace_all(text, "<address>").into_owned()
}

/// Returns the stacks after the lines that say how the memory was used.
fn sites(text: &str) -> Vec<(&'static str, Vec<(String, u64)>)> {
    const DONE: [(&str, &str); 3] = [
        ("freed", "\nfreed by thread"),
        ("allocated", "\npreviously allocated by"),
        ("allocated", "\nallocated by thread"),
    ];
    let site = |(done, words): &(&'static str, &str)| text.find(words).map(|at| (*done, frames(&text[at..])));
    DONE.iter().filter_map(site).collect()
}

/// Returns the first stack in a text.
fn frames(text: &str) -> Vec<(String, u64)> {
    let frame = |line: &str| {
        let found = FRAME.captures(line)?;
        Some((found[1].to_owned(), u64::from_str_radix(&found[2], 16).ok()?))
    };
    text.lines().map(frame).skip_while(Option::is_none).map_while(|frame| frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_error_has_kind_access_and_the_first_stack() {
        let text = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55 bp 0x7 sp 0x7\n\
            READ of size 4 at 0x60 thread T0\n    #0 0x5621  (/tmp/s+0x2621)\n    #1 0x568a in f (/tmp/s+0x268a) (BuildId: 1)\n\n\
            0x60 is located 0 bytes to the right of 40-byte region [0x1,0x2)\nallocated by thread T0 here:\n    #0 0x7  (/l.so+0x1)\n\n\
            SUMMARY: AddressSanitizer: heap-buffer-overflow (/tmp/s+0x2621) \n";
        let finding = Finding::parse(text).unwrap();
        assert_eq!(finding.tool, "AddressSanitizer");
        assert_eq!(finding.message, "heap-buffer-overflow: READ of size 4, behind its end");
        assert_eq!(finding.detail, "located 0 bytes to the right of 40-byte region");
        assert_eq!(finding.frames, [("/tmp/s".to_owned(), 0x2621), ("/tmp/s".to_owned(), 0x268a)]);
        assert_eq!(finding.sites, [("allocated", vec![("/l.so".to_owned(), 1)])]);
    }

    #[test]
    fn undefined_behaviour_has_values_and_no_addresses() {
        let text = "s.c:3:7: runtime error: load of 2 bytes at 0x7ffc1 in type 'int'\n    #0 0x55  (/tmp/s+0x26)\n";
        let finding = Finding::parse(text).unwrap();
        assert_eq!(finding.message, "load of 2 bytes at <address> in type 'int'");
        assert_eq!(finding.frames.len(), 1);
        assert_eq!(Finding::parse("nothing to see: no runtime error"), None);
    }

    #[test]
    fn the_side_of_an_access_is_told_in_the_words_of_every_version() {
        let heap = |words: &str| side(&format!("x\n0x60 is located 4 bytes {words} 40-byte region [0x1,0x2)\n"));
        assert_eq!([heap("to the left of"), heap("before")], [", before it starts"; 2]);
        assert_eq!([heap("to the right of"), heap("after")], [", behind its end"; 2]);
        assert_eq!(heap("inside of"), "");
        let stack =
            |words: &str| side(&format!("    [32, 42) 'a' <== Memory access at offset 42 {words} this variable\n"));
        assert_eq!([stack("overflows"), stack("partially overflows")], [", behind its end"; 2]);
        assert_eq!(stack("underflows"), ", before it starts");
    }

    #[test]
    fn summaries_are_short() {
        let summary = |line: &str| SUMMARY.captures(line).map(|found| found[1].to_owned());
        assert_eq!(summary("SUMMARY: ThreadSanitizer: data race a.c:3 in f").as_deref(), Some("data race"));
        assert_eq!(summary("SUMMARY: AddressSanitizer: SEGV /a/b.c:3:2 in f").as_deref(), Some("SEGV"));
        assert_eq!(summary("SUMMARY: AddressSanitizer: double-free").as_deref(), Some("double-free"));
    }
}
