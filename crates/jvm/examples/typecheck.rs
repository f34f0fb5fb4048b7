//! Types every method of some jars or of the installed JDK, lists its facts, and repairs it without
//! change.
//!
//! `typecheck [--out DIR] [--cut SEED] [--classpath JAR]... (--jdk | JAR...)` reports how many
//! methods have no types and why, the CPU time, and for how many methods the repair reproduced the
//! original code. With `--out` the repaired classes are written, so that a JVM can verify them.
//! With `--cut` a few random statements are first removed from every method, wherever the rest can
//! be repaired.

use lapidary_classfile::{Attribute, Class, Code, Method, Text};
use lapidary_common::Random;
use lapidary_jvm::typing::{self, Edits, FactKind, Untypable};
use lapidary_jvm::{ClassPath, Hierarchy, Limits, Platform, read_jar};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let platform = Platform::installed()?;
    let classes = if options.jdk { platform_classes(&platform)? } else { jar_classes(&options.jars)? };
    let class_path = Arc::new(ClassPath::open(&options.class_path, Some(platform))?);
    let hierarchy = Hierarchy::new(classes.iter().cloned(), class_path);
    let mut totals = Totals::default();
    totals.timed("infer", &classes, |totals, class| totals.infer(class, &hierarchy));
    totals.timed("infer and facts", &classes, |totals, class| totals.facts(class, &hierarchy));
    totals.timed("names", &classes, |totals, class| totals.names(class));
    let mut repaired: Vec<Class> = classes.iter().map(|class| Class::clone(class)).collect();
    totals.timed("repair", &mut repaired, |totals, class| totals.repair(class, &hierarchy));
    totals.compare(&classes, &repaired);
    if let Some(seed) = options.cut {
        let mut chance = Random::new(seed);
        totals.timed("cut", &mut repaired, |totals, class| totals.cut(class, &hierarchy, &mut chance));
    }
    if let Some(directory) = &options.out {
        repaired.iter().try_for_each(|class| write_class(directory, class))?;
    }
    totals.print(classes.len());
    Ok(())
}

#[derive(Default)]
struct Options {
    jdk: bool,
    out: Option<PathBuf>,
    cut: Option<u64>,
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
                "--cut" => options.cut = Some(value()?.to_string_lossy().parse().map_err(|_| "a seed is a number")?),
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
    named: usize,
    untypable: Vec<String>,
    unrepaired: Vec<String>,
    refused_after_repair: Vec<String>,
    missing: BTreeSet<Text>,
    equal: usize,
    different: Vec<String>,
    cut: usize,
    uncuttable: usize,
    times: Vec<(&'static str, Duration)>,
}

impl Totals {
    fn timed<T>(
        &mut self,
        what: &'static str,
        classes: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Totals, T),
    ) {
        let start = cpu_time();
        classes.into_iter().for_each(|class| each(self, class));
        self.times.push((what, cpu_time().saturating_sub(start)));
    }

    fn infer(&mut self, class: &Class, hierarchy: &Hierarchy) {
        for (method, code) in bodies(class) {
            self.methods += 1;
            self.instructions += code.instructions.len();
            match typing::infer(class, method, hierarchy) {
                Ok(typing) => self.missing.extend(typing.missing),
                Err(error) => self.untypable.push(described(class, method, &error)),
            }
        }
    }

    fn facts(&mut self, class: &Class, hierarchy: &Hierarchy) {
        for (method, _) in bodies(class) {
            if let Ok(typing) = typing::infer(class, method, hierarchy) {
                let facts = typing::facts(class, method, &typing, hierarchy);
                self.facts += facts.len();
                self.assignable += facts.iter().filter(|fact| is_assignable(&fact.kind)).count();
            }
        }
    }

    fn names(&mut self, class: &Class) {
        self.named += bodies(class).map(|(method, _)| typing::names(class, method).len()).sum::<usize>();
    }

    fn repair(&mut self, class: &mut Class, hierarchy: &Hierarchy) {
        let mut methods = std::mem::take(&mut class.methods);
        for method in &mut methods {
            if let Err(error) = typing::repair(class, method, hierarchy) {
                self.unrepaired.push(described(class, method, &error));
            }
        }
        class.methods = methods;
    }

    fn compare(&mut self, before: &[Arc<Class>], after: &[Class]) {
        let methods = before.iter().zip(after).flat_map(|(before, after)| bodies(before).zip(bodies(after)));
        for ((_, before), (method, after)) in methods {
            if before == after {
                self.equal += 1;
            } else {
                self.different.push(format!("{}{}: {}", method.name, method.descriptor, difference(before, after)));
            }
        }
    }

    /// Removes a few statements from every method.
    fn cut(&mut self, class: &mut Class, hierarchy: &Hierarchy, chance: &mut Random) {
        let mut methods = std::mem::take(&mut class.methods);
        for method in methods.iter_mut().filter(|method| method.code().is_some()) {
            for _ in 0..4 {
                match cut(class, method, hierarchy, chance) {
                    Some(shorter) => {
                        if let Err(error) = typing::infer(class, &shorter, hierarchy) {
                            self.refused_after_repair.push(described(class, &shorter, &error));
                        }
                        self.cut += 1;
                        *method = shorter;
                    }
                    None => self.uncuttable += 1,
                }
            }
        }
        class.methods = methods;
    }

    fn print(&self, classes: usize) {
        println!("{classes} classes, {} methods, {} instructions", self.methods, self.instructions);
        println!("{} facts, {} of them about assignability; {} without types", self.facts, self.assignable, self.named);
        println!("{} missing classes", self.missing.len());
        println!("{} equal after repair, {} not", self.equal, self.different.len());
        print_some("not equal", &self.different);
        println!("{} untypable, {} not repaired", self.untypable.len(), self.unrepaired.len());
        print_some("untypable", &self.untypable);
        print_some("not repaired", &self.unrepaired);
        println!("{} cut, {} times it was not possible", self.cut, self.uncuttable);
        print_some("refused after cutting", &self.refused_after_repair);
        for (what, time) in &self.times {
            let rate = self.methods as f64 / time.as_secs_f64();
            println!("{what}: {:.2} s, {rate:.0} methods/s", time.as_secs_f64());
        }
    }
}

fn bodies(class: &Class) -> impl Iterator<Item = (&Method, &Code)> {
    class.methods.iter().filter_map(|method| Some((method, method.code()?)))
}

/// The method without the instructions between two positions with an empty stack.
fn cut(class: &Class, method: &Method, hierarchy: &Hierarchy, chance: &mut Random) -> Option<Method> {
    let typing = typing::infer(class, method, hierarchy).ok()?;
    let places = typing::depth_zero_positions(&typing);
    let mut below = |limit: usize| (limit > 0).then(|| chance.below(limit));
    let first = below(places.len().checked_sub(1)?)?;
    let last = first + 1 + below((places.len() - first - 1).min(4))?;
    let mut edits = Edits::new();
    edits.remove(places[first]..places[last]).ok()?;
    let mut shorter = method.clone();
    edits.apply(shorter.code_mut()?).ok()?;
    typing::repair(class, &mut shorter, hierarchy).ok()?;
    Some(shorter)
}

/// The CPU time of this process.
fn cpu_time() -> Duration {
    // The figure is updated at every tick, and whenever a thread yields.
    std::thread::yield_now();
    let line = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(line.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0))
}

fn is_assignable(kind: &FactKind) -> bool {
    matches!(kind, FactKind::Assignable { .. })
}

/// The first difference between two bodies.
fn difference(before: &Code, after: &Code) -> &'static str {
    let table = |code: &Code| code.attributes.iter().find(|a| matches!(a, Attribute::LocalVariableTable(_))).cloned();
    if before.instructions != after.instructions {
        "instructions"
    } else if before.frames() != after.frames() {
        "frames"
    } else if before.handlers != after.handlers {
        "handlers"
    } else if (before.max_stack, before.max_locals) != (after.max_stack, after.max_locals) {
        "sizes"
    } else if table(before) != table(after) {
        "variables"
    } else {
        "other tables"
    }
}

fn described(class: &Class, method: &Method, error: &Untypable) -> String {
    format!("{}.{}{} (version {}): {error}", class.name, method.name, method.descriptor, class.version.major)
}

fn print_some(what: &str, list: &[String]) {
    list.iter().take(15).for_each(|line| println!("  {what}: {line}"));
}
