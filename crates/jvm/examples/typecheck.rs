//! Types every method of some jars or of the installed JDK, lists its facts, and repairs it without change.
//!
//! `typecheck [--out DIR] [--classpath JAR]... (--jdk | JAR...)` says how many methods have no types and why, how fast
//! it went, and for how many methods the repair gave the stack map back as it was. With `--out` the repaired classes
//! are written, so that a JVM can verify them.

use lapidary_classfile::{Attribute, Class, Code, Method};
use lapidary_jvm::typing::{self, FactKind, Untypable};
use lapidary_jvm::{ClassPath, Hierarchy, Limits, Platform, read_jar};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let platform = Platform::installed()?;
    let classes = if options.jdk { platform_classes(&platform)? } else { jar_classes(&options.jars)? };
    let class_path = Arc::new(ClassPath::open(&options.class_path, Some(platform))?);
    let hierarchy = Hierarchy::new(classes.iter().cloned(), class_path);
    let mut totals = Totals::default();
    for class in &classes {
        let repaired = totals.class(class, &hierarchy);
        if let Some(directory) = &options.out {
            write_class(directory, &repaired)?;
        }
    }
    totals.print(classes.len());
    Ok(())
}

#[derive(Default)]
struct Options {
    jdk: bool,
    out: Option<PathBuf>,
    class_path: Vec<PathBuf>,
    jars: Vec<PathBuf>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options::default();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().map(PathBuf::from).ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--jdk" => options.jdk = true,
                "--out" => options.out = Some(value()?),
                "--classpath" => options.class_path.push(value()?),
                _ => options.jars.push(argument.into()),
            }
        }
        if options.jdk == options.jars.is_empty() { Ok(options) } else { Err("name jars, or say --jdk".into()) }
    }
}

fn platform_classes(platform: &Platform) -> Result<Vec<Arc<Class>>, Box<dyn Error>> {
    let names = platform.classes()?;
    let bytes = names.iter().filter_map(|class| platform.find(&class.name));
    Ok(bytes.filter_map(|bytes| Class::read(&bytes).ok()).map(Arc::new).collect())
}

fn jar_classes(jars: &[PathBuf]) -> Result<Vec<Arc<Class>>, Box<dyn Error>> {
    let mut classes = Vec::new();
    for path in jars {
        let jar = read_jar(&std::fs::read(path)?, &Limits::default())?;
        let files = jar.entries.iter().filter(|entry| entry.name.ends_with(".class"));
        let files = files.filter(|entry| !entry.name.starts_with("META-INF/"));
        classes.extend(files.filter_map(|entry| Class::read(&entry.bytes).ok()).map(Arc::new));
    }
    Ok(classes)
}

fn write_class(directory: &Path, class: &Class) -> Result<(), Box<dyn Error>> {
    let path = directory.join(format!("{}.class", class.name));
    std::fs::create_dir_all(path.parent().unwrap_or(directory))?;
    std::fs::write(path, class.write()?)?;
    Ok(())
}

#[derive(Default)]
struct Totals {
    methods: usize,
    instructions: usize,
    facts: usize,
    assignable: usize,
    untypable: Vec<String>,
    unrepaired: Vec<String>,
    missing: std::collections::BTreeSet<lapidary_classfile::Text>,
    same_frames: usize,
    different_frames: Vec<String>,
    inferring: Duration,
    listing: Duration,
    repairing: Duration,
}

impl Totals {
    /// The class with every method repaired.
    fn class(&mut self, class: &Class, hierarchy: &Hierarchy) -> Class {
        let mut repaired = class.clone();
        for (index, method) in class.methods.iter().enumerate().filter(|(_, method)| method.code().is_some()) {
            self.method(class, method, hierarchy);
            self.repair(class, &mut repaired.methods[index], hierarchy);
        }
        repaired
    }

    fn method(&mut self, class: &Class, method: &Method, hierarchy: &Hierarchy) {
        self.methods += 1;
        self.instructions += method.code().map_or(0, |code| code.instructions.len());
        let start = Instant::now();
        let typing = typing::infer(class, method, hierarchy);
        self.inferring += start.elapsed();
        match typing {
            Ok(typing) => {
                let start = Instant::now();
                let facts = typing::facts(class, method, &typing, hierarchy);
                self.listing += start.elapsed();
                self.facts += facts.len();
                self.assignable += facts.iter().filter(|fact| is_assignable(&fact.kind)).count();
                self.missing.extend(typing.missing);
            }
            Err(error) => self.untypable.push(described(class, method, &error)),
        }
    }

    fn repair(&mut self, class: &Class, method: &mut Method, hierarchy: &Hierarchy) {
        let before = method.clone();
        let start = Instant::now();
        let outcome = typing::repair(class, method, hierarchy);
        self.repairing += start.elapsed();
        if let Err(error) = outcome {
            self.unrepaired.push(described(class, &before, &error));
        } else if before.code().map(essentials) == method.code().map(essentials) {
            self.same_frames += 1;
        } else {
            self.different_frames.push(format!("{}.{}{}", class.name, method.name, method.descriptor));
        }
    }

    fn print(&self, classes: usize) {
        println!("{classes} classes, {} methods, {} instructions", self.methods, self.instructions);
        println!("{} facts, {} of them about assignability", self.facts, self.assignable);
        println!("{} missing classes", self.missing.len());
        println!("{} equal after repair, {} not", self.same_frames, self.different_frames.len());
        print_some("not equal", &self.different_frames);
        println!("{} untypable, {} not repaired", self.untypable.len(), self.unrepaired.len());
        print_some("untypable", &self.untypable);
        print_some("not repaired", &self.unrepaired);
        for (what, time) in [("infer", self.inferring), ("facts", self.listing), ("repair", self.repairing)] {
            let rate = self.methods as f64 / time.as_secs_f64();
            println!("{what}: {:.2} s, {rate:.0} methods/s", time.as_secs_f64());
        }
        let both = (self.inferring + self.listing).as_secs_f64();
        println!("infer and facts: {:.0} methods/s", self.methods as f64 / both);
    }
}

fn is_assignable(kind: &FactKind) -> bool {
    matches!(kind, FactKind::Assignable { .. })
}

fn described(class: &Class, method: &Method, error: &Untypable) -> String {
    format!("{}.{}{} (version {}): {error}", class.name, method.name, method.descriptor, class.version.major)
}

/// The code without the tables that only debuggers read.
fn essentials(code: &Code) -> Code {
    let mut code = code.clone();
    code.attributes.retain(|attribute| matches!(attribute, Attribute::StackMapTable(_)));
    code
}

fn print_some(what: &str, list: &[String]) {
    list.iter().take(15).for_each(|line| println!("  {what}: {line}"));
}
