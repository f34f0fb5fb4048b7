//! Tests that the output of javac survives reading and writing: equal as a tree, equal byte for
//! byte where the pool is kept, and accepted and run by the real JVM.

use crate::support::patch::with_unknown_attribute;
use crate::support::{Compiled, compile, compile_text};
use lapidary_classfile::raw::{ClassFile, Constant};
use lapidary_classfile::{Class, Instruction};
use std::fs;
use std::path::Path;
use std::process::Command;

fn check(compiled: &Compiled) {
    let classes = compiled.classes();
    assert!(!classes.is_empty());
    for (path, bytes) in classes {
        let class = Class::read(&bytes).unwrap();
        let written = class.write().unwrap();
        assert_eq!(Class::read(&written).unwrap(), class, "{}", path.display());
        assert_eq!(attribute_lengths(&written), attribute_lengths(&bytes), "{}", path.display());
        let patched = with_unknown_attribute(&bytes);
        let kept = Class::read(&patched).unwrap();
        assert!(kept.keeps_original_pool());
        assert_eq!(kept.write().unwrap(), patched, "{}", path.display());
    }
}

/// The length of every member's attributes, which a fresh constant pool must not change.
fn attribute_lengths(bytes: &[u8]) -> Vec<usize> {
    let file = ClassFile::parse(bytes).unwrap();
    let members = file.fields.iter().chain(&file.methods).flat_map(|member| &member.attributes);
    members.chain(&file.attributes).map(|attribute| attribute.bytes.len()).collect()
}

#[test]
fn every_shape_of_class_survives() {
    for options in [&["-g", "-parameters"][..], &["-g:none"], &["-XDstringConcat=inline"]] {
        let compiled = compile("shapes", options);
        check(&compiled);
    }
}

#[test]
fn modules_survive() {
    let compiled = compile("module", &["--module-version", "1.2"]);
    check(&compiled);
}

#[test]
fn old_versions_survive() {
    let text = "class Old { int f(int i) { try { return i > 0 ? i : \"x\".length(); } finally { i++; } } }";
    for release in ["8", "11"] {
        let compiled = compile_text("Old.java", text, &["-nowarn", "--release", release]);
        check(&compiled);
    }
}

#[test]
fn constants_past_the_reach_of_ldc_survive() {
    let texts: String = (0..400).map(|n| format!("f(\"text {n}\");\n")).collect();
    let text = format!("class Many {{ static void f(String s) {{}} static void g() {{ {texts} }} }}");
    let compiled = compile_text("Many.java", &text, &[]);
    check(&compiled);
    let (_, bytes) = &compiled.classes()[0];
    let class = Class::read(bytes).unwrap();
    let code = class.method("g", "()V").unwrap().code().unwrap();
    assert!(code.instructions.iter().any(|instruction| matches!(instruction, Instruction::LdcW(_))));
}

#[test]
fn far_branches_survive() {
    let body = "i = i * 31 + Integer.parseInt(\"17\") / 3;\n".repeat(3500);
    let text =
        format!("class Far {{ static int f(int i) {{ while (i > 0) {{ if (i == 3) continue; {body} }} return i; }} }}");
    let compiled = compile_text("Far.java", &text, &[]);
    check(&compiled);
    let class = Class::read(&compiled.classes()[0].1).unwrap();
    let code = class.method("f", "(I)I").unwrap().code().unwrap();
    assert!(code.instructions.iter().any(|instruction| matches!(instruction, Instruction::GotoW(_))));
}

#[test]
fn a_fresh_pool_holds_no_more_than_the_old_one() {
    let compiled = compile("shapes", &["-g"]);
    for (path, bytes) in compiled.classes() {
        let class = Class::read(&bytes).unwrap();
        let written = class.write().unwrap();
        let (before, after) = (ClassFile::parse(&bytes).unwrap(), ClassFile::parse(&written).unwrap());
        assert!(after.pool.len() <= before.pool.len(), "{}", path.display());
        let unique: std::collections::HashSet<&Constant<'_>> =
            after.pool.constants().iter().filter(|constant| **constant != Constant::Unusable).collect();
        let used = after.pool.constants().iter().filter(|constant| **constant != Constant::Unusable).count();
        assert_eq!(unique.len(), used);
    }
}

#[test]
fn the_machine_verifies_and_runs_what_was_written() {
    let compiled = compile("shapes", &["-g", "-parameters"]);
    let before = run(compiled.path());
    assert!(before.contains("circle of 12.56"), "{before}");
    for (path, bytes) in compiled.classes() {
        fs::write(path, Class::read(&bytes).unwrap().write().unwrap()).unwrap();
    }
    assert_eq!(run(compiled.path()), before);
}

fn run(classes: &Path) -> String {
    let output = Command::new("java").args(["-Xverify:all", "-cp"]).arg(classes).arg("shapes.Shapes").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
