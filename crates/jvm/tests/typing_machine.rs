//! Tests of repaired code with the real verifier.
//!
//! Dumping an archive of classes (`java -Xshare:dump`) links and verifies every listed class and
//! runs none of them.

use crate::typing_support;

use lapidary_classfile::{Class, Method, VerificationType};
use lapidary_jvm::Hierarchy;
use lapidary_jvm::typing::{self, Edits};
use std::path::Path;
use std::process::Command;
use typing_support::{Program, WIDE};

/// The JVM's objections to the classes of a jar; empty if it verifies them all.
fn complaints(classes: &[Class]) -> String {
    let directory = tempfile::tempdir().unwrap();
    for class in classes {
        let path = directory.path().join(format!("classes/{}.class", class.name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, class.write().unwrap()).unwrap();
    }
    let names: Vec<String> = classes.iter().map(|class| class.name.to_string()).collect();
    std::fs::write(directory.path().join("list"), names.join("\n") + "\n").unwrap();
    run(directory.path(), "jar", &["cf0", "all.jar", "-C", "classes", "."]);
    let dump = ["-Xshare:dump", "-XX:SharedClassListFile=list", "-XX:SharedArchiveFile=archive", "-cp", "all.jar"];
    let said = run(directory.path(), "java", &[&["-Xlog:cds", "-XX:ErrorFile=/dev/null"], &dump[..]].concat());
    assert!(said.contains("Dumping shared data") || said.contains("preloaded"), "no archive was made: {said}");
    let about_us = |line: &&str| line.contains("erif") || line.contains("Preload Warning") || line.contains("Skipping");
    said.lines().filter(about_us).collect::<Vec<_>>().join("\n")
}

fn run(directory: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(directory).output().expect("a JDK is needed");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn changed(program: &Program, mut change: impl FnMut(&Class, &Method) -> Option<Method>) -> Vec<Class> {
    let with_changes = |class: &std::sync::Arc<Class>| {
        let mut result = Class::clone(class);
        result.methods = class.methods.iter().map(|old| change(class, old).unwrap_or_else(|| old.clone())).collect();
        result
    };
    program.classes.iter().map(with_changes).collect()
}

#[test]
fn the_machine_verifies_code_repaired_without_old_frames() {
    let program = Program::compile(&[("Wide.java", WIDE)]);
    let classes = changed(&program, |class, method| {
        let mut bare = method.clone();
        bare.code_mut()?.set_frames(Vec::new());
        typing::repair(class, &mut bare, &program.hierarchy).unwrap();
        Some(bare)
    });
    assert_eq!(complaints(&classes), "");
}

#[test]
fn the_machine_verifies_methods_that_lost_statements() {
    let program = Program::compile(&[("Wide.java", WIDE)]);
    for offset in 0..4 {
        let mut cuts = 0;
        let classes = changed(&program, |class, method| {
            let mut shorter = method.clone();
            for round in 0..6 {
                if let Some(cut) = cut(class, &shorter, &program.hierarchy, offset + 5 * round) {
                    typing::infer(class, &cut, &program.hierarchy).expect("a repaired method has types");
                    shorter = cut;
                    cuts += 1;
                }
            }
            Some(shorter)
        });
        assert!(cuts > 30, "{cuts}");
        assert_eq!(complaints(&classes), "", "offset {offset}");
    }
}

/// The method without the statement that starts at a position with an empty stack.
fn cut(class: &Class, method: &Method, hierarchy: &Hierarchy, place: usize) -> Option<Method> {
    let typing = typing::infer(class, method, hierarchy).ok()?;
    let places = typing::depth_zero_positions(&typing);
    let first = place % places.len().checked_sub(1).filter(|count| *count > 0)?;
    let mut edits = Edits::new();
    edits.remove(places[first]..places[first + 1]).ok()?;
    let mut shorter = method.clone();
    edits.apply(shorter.code_mut()?).ok()?;
    typing::repair(class, &mut shorter, hierarchy).ok()?;
    Some(shorter)
}

/// Without this test, the others would pass on a JVM that does not verify.
#[test]
fn the_machine_complains_about_a_wrong_frame() {
    let program = Program::compile(&[("Wide.java", WIDE)]);
    let classes = changed(&program, |_, method| {
        let mut broken = method.clone();
        let code = broken.code_mut()?;
        let mut frames = code.frames().to_vec();
        let frame = frames.first_mut()?;
        frame.locals = vec![VerificationType::Float; frame.locals.len()].into();
        code.set_frames(frames);
        Some(broken)
    });
    assert!(complaints(&classes).contains("erification failed"), "{}", complaints(&classes));
}
