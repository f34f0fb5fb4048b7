//! Prints the abstraction of a class:
//! `cargo run -p lapidary-abstraction --example show -- CLASSPATH CLASS POLICY`.

use lapidary_abstraction::{Policy, write};
use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, class, policy] = &arguments[..] else { return Err("CLASSPATH CLASS POLICY".into()) };
    let paths: Vec<_> = std::env::split_paths(path).collect();
    let hierarchy = Hierarchy::new([], Arc::new(ClassPath::open(&paths, Some(Platform::installed()?))?));
    let id = hierarchy.id(&class.replace('.', "/").into());
    print!("{}", write(&hierarchy, id, policy.parse::<Policy>()?)?.source);
    Ok(())
}
