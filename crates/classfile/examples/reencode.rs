//! Writes some of the given classes in their original and in their re-encoded form, for another
//! reader to compare.
//!
//! `reencode OUT EVERY [--jdk] FILE.class|FILE.jar|DIRECTORY...` takes every EVERYth class. The Nth
//! of all becomes OUT/before/N.class and OUT/after/N.class and is announced by a line `N ORIGIN`.

mod corpus;

use lapidary_classfile::Class;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(out), Some(every)) = (arguments.next(), arguments.next()) else {
        return Err("usage: reencode OUT EVERY [--jdk] FILE.class|FILE.jar|DIRECTORY...".into());
    };
    let (before, after) = (Path::new(&out).join("before"), Path::new(&out).join("after"));
    std::fs::create_dir_all(&before)?;
    std::fs::create_dir_all(&after)?;
    let every: usize = every.parse()?;
    let classes = corpus::from_arguments(arguments);
    for (number, (origin, bytes)) in classes.iter().enumerate().step_by(every.max(1)) {
        let written = Class::read(bytes)?.write()?;
        std::fs::write(before.join(format!("{number}.class")), bytes)?;
        std::fs::write(after.join(format!("{number}.class")), written)?;
        println!("{number} {origin}");
    }
    Ok(())
}
