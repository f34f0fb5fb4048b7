//! Tests on replaceable classes of the JDK and on classes of real jars: the written source
//! compiles, or the error says why not.

use crate::support::hierarchy;
use lapidary_abstraction::{Abstraction, Error, Policy, compile, write};
use lapidary_classfile::Text;
use lapidary_jvm::{Limits, read_jar};
use std::path::PathBuf;

#[test]
fn classes_of_the_jdk_compile_as_part_of_it() {
    let hierarchy = hierarchy(&[]);
    for name in ["java/util/StringTokenizer", "java/util/Scanner", "java/util/HashMap", "java/util/Random"] {
        for policy in [Policy::Shallow, Policy::Mnemonic] {
            let written = write(&hierarchy, hierarchy.id(&name.into()), policy).unwrap();
            let into = tempfile::tempdir().unwrap();
            compile(&[written], &[], into.path()).unwrap_or_else(|error| panic!("{policy:?}: {error}"));
            assert!(into.path().join(format!("{name}.class")).is_file());
        }
    }
}

/// The jars found in the local Maven repository, if any.
fn jars() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let wanted = ["commons-cli/commons-cli/1.6.0/commons-cli-1.6.0.jar", "org/yaml/snakeyaml/2.2/snakeyaml-2.2.jar"];
    wanted.iter().map(|jar| home.join(".m2/repository").join(jar)).filter(|jar| jar.is_file()).collect()
}

#[test]
fn classes_of_real_jars_compile() {
    let (mut written, mut failed, mut refused) = (0, Vec::new(), 0);
    for jar in jars() {
        let hierarchy = hierarchy(std::slice::from_ref(&jar));
        let entries = read_jar(&std::fs::read(&jar).unwrap(), &Limits::default()).unwrap().entries;
        let names = entries.iter().filter_map(|entry| entry.name.strip_suffix(".class"));
        let plain: Vec<&str> = names.filter(|name| !name.contains("META-INF") && !name.ends_with("-info")).collect();
        let some = plain.iter().step_by(plain.len().div_ceil(12));
        let abstractions =
            some.filter_map(|name| match write(&hierarchy, hierarchy.id(&Text::from(*name)), Policy::Mnemonic) {
                Ok(abstraction) => Some(abstraction),
                Err(Error::NotReplaceable { reason, .. }) => {
                    assert!(!reason.is_empty());
                    refused += 1;
                    None
                }
                Err(other) => panic!("{name}: {other}"),
            });
        for abstraction in abstractions.collect::<Vec<Abstraction>>() {
            written += 1;
            let into = tempfile::tempdir().unwrap();
            failed.extend(
                compile(&[abstraction], std::slice::from_ref(&jar), into.path()).err().map(|error| error.to_string()),
            );
        }
    }
    println!("{} of {written} written classes compile, {refused} cannot be abstracted", written - failed.len());
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
