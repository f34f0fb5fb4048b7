//! Abstracts every class of a jar and reports how many compile:
//! `… --example survey -- JAR POLICY MOST [CLASSPATH]`.
//!
//! Classes that cannot be abstracted are counted by reason, and the compiler's errors are printed.

use lapidary_abstraction::{Error, Policy, compile, write};
use lapidary_classfile::Text;
use lapidary_jvm::{ClassPath, Hierarchy, Limits, Platform, read_jar};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [jar, policy, most, rest @ ..] = &arguments[..] else { return Err("JAR POLICY MOST [CLASSPATH]".into()) };
    let (policy, most) = (policy.parse::<Policy>()?, most.parse::<usize>()?);
    let bytes = std::fs::read(jar)?;
    let names: Vec<String> = read_jar(&bytes, &Limits::default())?
        .entries
        .iter()
        .filter_map(|entry| entry.name.to_string().strip_suffix(".class").map(str::to_owned))
        .filter(|name| !name.contains("META-INF") && !name.ends_with("-info"))
        .collect();
    let step = names.len().div_ceil(most).max(1);
    let paths: Vec<PathBuf> = std::iter::once(PathBuf::from(jar)).chain(rest.iter().map(PathBuf::from)).collect();
    let hierarchy = Hierarchy::new([], Arc::new(ClassPath::open(&paths, Some(Platform::installed()?))?));
    let (mut written, mut compiled, mut refused) = (Vec::new(), 0, BTreeMap::<String, usize>::new());
    for name in names.iter().step_by(step) {
        match write(&hierarchy, hierarchy.id(&Text::from(&name[..])), policy) {
            Err(Error::NotReplaceable { reason, .. }) => *refused.entry(reason).or_default() += 1,
            Err(error) => *refused.entry(error.to_string()).or_default() += 1,
            Ok(abstraction) => written.push(abstraction),
        }
    }
    for group in written.chunks(25) {
        let into = tempfile::tempdir()?;
        if compile(group, &paths, into.path()).is_ok() {
            compiled += group.len();
            continue;
        }
        for abstraction in group {
            match compile(std::slice::from_ref(abstraction), &paths, into.path()) {
                Ok(()) => compiled += 1,
                Err(error) => println!("{error}\n"),
            }
        }
    }
    let written = written.len();
    for (reason, count) in refused {
        println!("refused {count}: {reason}");
    }
    println!("{compiled} of {written} written classes compile");
    Ok(())
}
