//! Classes as text: golden files, the classes of the JDK, and damaged classes.

use crate::support::mutation::mutant;
use lapidary_classfile::{
    Attribute, BootstrapMethod, Class, Code, Constant, Dynamic, Handle, HandleKind, Handler, Instruction, Local,
    MemberRef, Method, MethodParameter, Text, Version, access,
};
use lapidary_common::Random;
use lapidary_jvm::{ClassPath, Platform, disassemble};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, panic};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/disassembly")
}

/// Compares with the golden file. `LAPIDARY_BLESS=1` writes it.
#[track_caller]
fn assert_is_golden(name: &str, text: &str) {
    let path = folder().join(name);
    if std::env::var_os("LAPIDARY_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{} is another", path.display());
}

/// The classes of the sample by file name.
fn compiled(options: &[&str]) -> Vec<(String, Vec<u8>)> {
    let directory = tempfile::tempdir().unwrap();
    let sources = ["Sample.java", "module-info.java"].map(|name| folder().join(name));
    lapidary_testkit::javac(&[options, &["--release", "17"]].concat(), directory.path(), sources);
    let places = [directory.path().to_owned(), directory.path().join("p")];
    let files = places.iter().flat_map(|place| fs::read_dir(place).unwrap().flatten()).map(|entry| entry.path());
    let mut classes: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|kind| kind == "class")).collect();
    classes.sort();
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    classes.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

#[test]
fn declarations_and_code_read_like_java() {
    for (name, bytes) in compiled(&["-g:vars,source"]) {
        assert_is_golden(&format!("{name}.txt"), &disassemble(&Class::read(&bytes).unwrap()));
    }
}

/// No compiler writes such a class, but a verifier or a decompiler may be tested with one.
#[test]
fn odd_classes_are_shown_as_they_are() {
    let mut class = Class::new(Version { major: 48, minor: 0 }, "odd/Na\nme", Some("odd/Base".into()));
    let member = |owner: &str, descriptor: &str| {
        Arc::new(MemberRef { owner: owner.into(), name: "m".into(), descriptor: descriptor.into(), interface: false })
    };
    let handle = Arc::new(Handle { kind: HandleKind::InvokeStatic, member: member("odd/Makes", "no descriptor") });
    let dynamic = |bootstrap| Arc::new(Dynamic { bootstrap, name: "d".into(), descriptor: "J".into() });
    let arguments = vec![Constant::Dynamic(dynamic(0)), Constant::Float(0x7fc0_0001), Constant::Double(u64::MAX)];
    class.attributes.push(Attribute::BootstrapMethods(vec![BootstrapMethod { handle, arguments }]));
    let instructions = vec![
        Instruction::Jsr(7),
        Instruction::Ldc2W(Constant::Dynamic(dynamic(0))),
        Instruction::Ldc2W(Constant::Dynamic(dynamic(9))),
        Instruction::Ldc(Constant::String(Text::from_bytes(b"\xed\xa0\x80\"\xff"))),
        Instruction::Ret(Local::new(300)),
        Instruction::CheckCast("[Lnot closed".into()),
        Instruction::Invoke(lapidary_classfile::InvokeOp::Virtual, member("[I", "(Q)V")),
        Instruction::Return(None),
    ];
    let handlers = vec![Handler { start: 0, end: 8, target: 99, catch: None }];
    let code = Code { max_stack: 9, max_locals: 9, instructions, handlers, attributes: Vec::new() };
    let method = |name: &str, descriptor: &str, attributes| Method {
        access: access::STATIC | access::BRIDGE | access::SYNTHETIC,
        name: name.into(),
        descriptor: descriptor.into(),
        attributes,
    };
    class.methods.push(method("\u{202e}m", "nonsense", vec![Attribute::Code(Box::new(code))]));
    let unreadable = Attribute::Unknown { name: "Code".into(), bytes: Arc::from([0, 1, 2]) };
    let names = [Some("a".into()), None].map(|name| MethodParameter { name, access: 0 });
    let names = Attribute::MethodParameters(names.into());
    class.methods.push(method("unreadable", "(I[J)V", vec![unreadable, names]));
    assert_is_golden("odd.txt", &disassemble(&class));
}

#[test]
fn a_small_change_of_the_code_changes_few_lines() {
    let (_, bytes) = compiled(&["-g:none"]).into_iter().find(|(name, _)| name == "Sample").unwrap();
    let mut class = Class::read(&bytes).unwrap();
    let before = disassemble(&class);
    let code = class.methods.iter_mut().find(|method| method.name == "switches").unwrap().code_mut().unwrap();
    code.instructions[0] = Instruction::Nop;
    code.instructions.insert(1, Instruction::Nop);
    code.map_positions(|position| if position > 0 { position + 1 } else { 0 });
    let after = disassemble(&class);
    let new: Vec<&str> = after.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
    assert_eq!((new.len(), after.lines().count()), (2, before.lines().count() + 1), "{new:?}");
}

#[test]
fn a_text_does_not_grow_without_bounds() {
    let mut class = Class::new(Version { major: 61, minor: 0 }, "A", None);
    let long = Constant::String("x".repeat(60_000).into());
    let instructions = vec![Instruction::Ldc(long); 1000];
    let code = Code { instructions, ..Code::default() };
    class.methods.push(Method {
        access: 0,
        name: "m".into(),
        descriptor: "()V".into(),
        attributes: vec![Attribute::Code(Box::new(code))],
    });
    let text = disassemble(&class);
    assert!(text.len() < 5 << 20, "{} bytes", text.len());
    assert!(text.ends_with("// the rest of this class is too long to be shown\n"));
}

/// Says which class makes it panic.
fn survives(name: &str, bytes: &[u8]) -> bool {
    let Ok(class) = Class::read(bytes) else { return false };
    let text = panic::catch_unwind(|| disassemble(&class)).unwrap_or_else(|_| panic!("{name} cannot be shown"));
    assert!(text.ends_with("}\n") || text.ends_with("shown\n"), "{name}: {text}");
    assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{name}: {text}");
    true
}

#[test]
fn classes_of_the_platform_are_shown() {
    let path = ClassPath::open(&[], Some(Platform::installed().unwrap())).unwrap();
    let classes = path.platform().unwrap().classes().unwrap();
    assert!(classes.len() > 5000, "{} classes", classes.len());
    let mut shown = 0;
    for class in classes.iter().step_by(60) {
        let bytes = path.find(&Text::from(class.name.as_str())).expect("a class of the JDK");
        shown += usize::from(survives(&class.name, &bytes));
    }
    assert_eq!(shown, classes.len().div_ceil(60));
}

#[test]
fn damaged_classes_are_shown() {
    const MUTANTS: u64 = 150;
    let mut shown = 0;
    for (number, (name, bytes)) in (0..).zip(compiled(&["-g", "-parameters"])) {
        for seed in 0..MUTANTS {
            let damaged = mutant(&bytes, &mut Random::new(seed + 100_000 * number));
            shown += u32::from(survives(&format!("{name} with seed {seed}"), &damaged));
        }
    }
    assert!(shown > 150, "only {shown} mutants could be read");
}
