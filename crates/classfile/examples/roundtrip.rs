//! Reads, writes and reads again every class it is given, and reports whether anything changed.
//!
//! `roundtrip [--jdk [HOME]] [--verbose] FILE.class|FILE.jar|DIRECTORY...`

mod corpus;

use lapidary_classfile::{Attribute, Class, ParseError};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

fn main() {
    let classes = corpus::from_arguments(std::env::args().skip(1));
    let mut report = Report::default();
    classes.iter().for_each(|(name, bytes)| report.check(name, bytes));
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
    codes: usize,
    codes_changed: usize,
    reading: Duration,
    writing: Duration,
    unknown: BTreeMap<String, usize>,
}

impl Report {
    fn check(&mut self, name: &str, bytes: &[u8]) {
        self.classes += 1;
        self.bytes_before += bytes.len();
        let start = Instant::now();
        let class = match Class::read(bytes) {
            Ok(class) => class,
            Err(error) => {
                self.unreadable += 1;
                return println!("{name}: cannot be read: {error}");
            }
        };
        self.reading += start.elapsed();
        self.count_unknown(&class);
        let start = Instant::now();
        let written = match class.write() {
            Ok(written) => written,
            Err(error) => {
                self.unwritable += 1;
                return println!("{name}: cannot be written: {error}");
            }
        };
        self.writing += start.elapsed();
        self.bytes_after += written.len();
        self.compare(name, &class, bytes, &written);
    }

    fn compare(&mut self, name: &str, class: &Class, bytes: &[u8], written: &[u8]) {
        if Class::read(written).as_ref() != Ok(class) {
            self.changed += 1;
            println!("{name}: differs after writing");
        }
        let (Ok(before), Ok(after)) = (code_lengths(bytes), code_lengths(written)) else { return };
        self.codes += before.len();
        let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
        if changed > 0 {
            self.codes_changed += changed;
            println!("{name}: {changed} code attributes changed their length");
        }
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
        println!("codes           {}, of another length after writing {}", self.codes, self.codes_changed);
        println!("kept as bytes   {:?}", self.unknown);
        println!("classes/s read  {:.0}", per_second(self.reading));
        println!("classes/s write {:.0}", per_second(self.writing));
        println!("classes/s both  {:.0}", per_second(self.reading + self.writing));
    }
}

/// How long each method's code attribute is. Nothing in it but the form of an `ldc` depends on the constant pool.
fn code_lengths(bytes: &[u8]) -> Result<Vec<usize>, ParseError> {
    let file = lapidary_classfile::raw::ClassFile::parse(bytes)?;
    let is_code = |name| file.pool.get(name) == lapidary_classfile::raw::Constant::Utf8(b"Code");
    let attributes = file.methods.iter().flat_map(|method| &method.attributes);
    Ok(attributes.filter(|attribute| is_code(attribute.name)).map(|attribute| attribute.bytes.len()).collect())
}
