//! Reads, writes and reads again every given class, and reports whether anything changed.
//!
//! `roundtrip [--jdk] FILE.class|FILE.jar|DIRECTORY...`
//!
//! "Other bytes" counts the classes that are written differently although their constant pool is
//! kept: the compiler had used a longer encoding, in a stack map for example.

mod corpus;
#[path = "../tests/support/patch.rs"]
mod patch;

use lapidary_classfile::{Attribute, Class, WriteError};
use std::collections::BTreeMap;
use std::time::Duration;

fn main() {
    let classes = corpus::from_arguments(std::env::args().skip(1));
    let mut report = Report::default();
    classes.chunks(500).for_each(|chunk| report.check(chunk));
    report.print();
    if report.failures() > 0 {
        std::process::exit(1);
    }
}

#[derive(Default)]
struct Report {
    classes: usize,
    bytes_before: usize,
    bytes_after: usize,
    unreadable: usize,
    unwritable: usize,
    changed: usize,
    other_bytes: usize,
    reading: Duration,
    writing: Duration,
    unknown: BTreeMap<String, usize>,
}

impl Report {
    fn check(&mut self, classes: &[(String, Vec<u8>)]) {
        let start = cpu_time();
        let read: Vec<_> = classes.iter().map(|(_, bytes)| Class::read(bytes)).collect();
        let middle = cpu_time();
        let written: Vec<_> = read.iter().flatten().map(Class::write).collect();
        self.reading += middle - start;
        self.writing += cpu_time() - middle;
        let mut written = written.into_iter();
        for ((name, bytes), class) in classes.iter().zip(read) {
            self.classes += 1;
            self.bytes_before += bytes.len();
            match class {
                Ok(class) => self.compare(name, &class, bytes, written.next()),
                Err(error) => {
                    self.unreadable += 1;
                    println!("{name}: cannot be read: {error}");
                }
            }
        }
    }

    fn compare(&mut self, name: &str, class: &Class, bytes: &[u8], written: Option<Result<Vec<u8>, WriteError>>) {
        self.count_unknown(class);
        let written = match written {
            Some(Ok(written)) => written,
            failed => {
                self.unwritable += 1;
                return println!("{name}: cannot be written: {failed:?}");
            }
        };
        self.bytes_after += written.len();
        if Class::read(&written).as_ref() != Ok(class) {
            self.changed += 1;
            println!("{name}: differs after writing");
        }
        let patched = patch::with_unknown_attribute(bytes);
        let again = Class::read(&patched).ok().and_then(|class| class.write().ok());
        self.other_bytes += usize::from(again.as_ref() != Some(&patched));
    }

    fn count_unknown(&mut self, class: &Class) {
        let mut count = |attribute: &Attribute| {
            if let Attribute::Unknown { name, .. } = attribute {
                *self.unknown.entry(name.to_string()).or_default() += 1;
            }
        };
        class.attributes.iter().for_each(&mut count);
        class.fields.iter().flat_map(|field| &field.attributes).for_each(&mut count);
        for method in &class.methods {
            method.attributes.iter().for_each(&mut count);
            method.code().into_iter().flat_map(|code| &code.attributes).for_each(&mut count);
        }
    }

    fn failures(&self) -> usize {
        self.unreadable + self.unwritable + self.changed
    }

    fn print(&self) {
        let per_second = |time: Duration| self.classes as f64 / time.as_secs_f64();
        println!("classes         {}", self.classes);
        println!("bytes           {} before, {} after", self.bytes_before, self.bytes_after);
        println!("unreadable      {}", self.unreadable);
        println!("unwritable      {}", self.unwritable);
        println!("changed         {}", self.changed);
        println!("other bytes     {}", self.other_bytes);
        println!("kept as bytes   {:?}", self.unknown);
        println!("classes/s read  {:.0}", per_second(self.reading));
        println!("classes/s write {:.0}", per_second(self.writing));
        println!("classes/s both  {:.0}", per_second(self.reading + self.writing));
    }
}

/// The CPU time of this thread.
fn cpu_time() -> Duration {
    // The figure is updated at every tick, and whenever a thread yields.
    std::thread::yield_now();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
