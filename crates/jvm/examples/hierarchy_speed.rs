//! Measures the time to open the JDK, to look up a class, and to build the hierarchy of a jar:
//! `cargo run --release -p lapidary-jvm --example hierarchy_speed -- app.jar`

use lapidary_classfile::{Class, Text};
use lapidary_jvm::{ClassId, ClassPath, Hierarchy, Limits, Platform, read_jar};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let jar = std::env::args().nth(1).ok_or("give a jar")?;
    let (platform, opening) = timed(Platform::installed);
    let platform = platform?;
    println!("open {}: {opening:?}", platform.home().display());
    print_look_ups(&platform)?;
    let class_path = Arc::new(ClassPath::open(&[], Some(platform))?);
    let bytes = std::fs::read(&jar)?;
    let (archive, reading) = timed(|| read_jar(&bytes, &Limits::default()));
    let entries = archive?.entries.into_iter().filter(|entry| entry.name.ends_with(".class"));
    let (classes, parsing) =
        timed(|| entries.filter_map(|entry| Class::read(&entry.bytes).ok()).map(Arc::new).collect::<Vec<_>>());
    println!("{} classes: unpacked in {reading:?}, parsed in {parsing:?}", classes.len());
    let ((hierarchy, supertypes), building) = timed(|| build(classes, class_path));
    println!("hierarchy with {supertypes} pairs of a class and a supertype: {building:?}");
    println!("missing: {}", hierarchy.missing().len());
    Ok(())
}

fn build(classes: Vec<Arc<Class>>, class_path: Arc<ClassPath>) -> (Hierarchy, usize) {
    let hierarchy = Hierarchy::new(classes, class_path);
    let program: Vec<ClassId> = hierarchy.program().collect();
    let supertypes = program.iter().map(|class| hierarchy.all_supertypes(*class).len()).sum();
    (hierarchy, supertypes)
}

/// Prints the average over every twentieth class of the platform, and over as many missing ones.
fn print_look_ups(platform: &Platform) -> Result<(), Box<dyn std::error::Error>> {
    let names: Vec<String> = platform.classes()?.into_iter().step_by(20).map(|class| class.name).collect();
    let count = names.len() as u32;
    let (found, hits) = timed(|| names.iter().filter(|name| platform.find(name).is_some()).count());
    let (_, misses) = timed(|| names.iter().filter(|name| platform.find(&format!("missing/{name}")).is_some()).count());
    println!("look up {found} classes: {:?} each; as many missing ones: {:?} each", hits / count, misses / count);
    let (parsed, parsing) = timed(|| {
        names.iter().filter_map(|name| platform.find(name)).filter(|bytes| Class::read(bytes).is_ok()).count()
    });
    println!("look up and parse {parsed}, {} first: {:?} each", Text::from(names[0].as_str()), parsing / count);
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
