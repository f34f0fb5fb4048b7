//! Tests of corners of the format that no available compiler produces, built by hand.

use lapidary_classfile::{
    Attribute, BootstrapMethod, Class, Code, Condition, Constant, Dynamic, Frame, Handle, HandleKind, Handler,
    Instruction, Kind, LineNumber, Local, LocalForm, LookupSwitch, MemberRef, Method, Problem, TableSwitch, Text,
    VerificationType, Version, WriteError, access,
};
use std::sync::Arc;

fn class_with(major: u16, code: Code) -> Class {
    let mut class = Class::new(Version { major, minor: 0 }, "a/B", Some("java/lang/Object".into()));
    class.methods.push(Method {
        access: access::STATIC,
        name: "f".into(),
        descriptor: "()V".into(),
        attributes: vec![Attribute::Code(Box::new(code))],
    });
    class
}

fn code(instructions: Vec<Instruction>) -> Code {
    Code { max_stack: 4, max_locals: 4, instructions, ..Code::default() }
}

fn again(class: &Class) -> Class {
    Class::read(&class.write().unwrap()).unwrap()
}

fn write_error(class: &Class) -> WriteError {
    match class.write().unwrap_err() {
        WriteError::InMethod { error, .. } => *error,
        other => other,
    }
}

#[test]
fn subroutines_and_all_forms_of_locals_survive() {
    let wide = |index| Local { index, form: LocalForm::Wide };
    let class = class_with(
        48,
        code(vec![
            Instruction::Jsr(2),
            Instruction::Return(None),
            Instruction::Store(Kind::Reference, Local::new(1)),
            Instruction::Load(Kind::Int, wide(1)),
            Instruction::Increment(wide(2), 3),
            Instruction::Increment(Local { index: 2, form: LocalForm::Byte }, -3),
            Instruction::JsrW(7),
            Instruction::Ret(wide(1)),
        ]),
    );
    assert_eq!(again(&class), class);
}

#[test]
fn the_oldest_code_attribute_survives_and_is_shorter() {
    let mut class = class_with(45, code(vec![Instruction::IConst(3), Instruction::Return(Some(Kind::Int))]));
    class.version.minor = 3;
    let modern = class.write().unwrap();
    class.version.minor = 2;
    let oldest = class.write().unwrap();
    assert_eq!(Class::read(&oldest).as_ref(), Ok(&class));
    assert_eq!(oldest.len(), modern.len() - 4);
    class.methods[0].code_mut().unwrap().max_stack = 256;
    assert_eq!(write_error(&class), WriteError::TooMany { what: "operand slots", count: 256, limit: 255 });
}

#[test]
fn switches_are_padded_wherever_they_stand() {
    for nops in 0..4 {
        let mut instructions = vec![Instruction::Nop; nops];
        let end = nops as u32 + 4;
        instructions.extend([
            Instruction::IConst(0),
            Instruction::TableSwitch(Box::new(TableSwitch { default: end, low: i32::MAX - 1, targets: vec![0, end] })),
            Instruction::IConst(0),
            Instruction::LookupSwitch(Box::new(LookupSwitch { default: end, pairs: vec![(i32::MIN, 0), (7, end)] })),
            Instruction::Return(None),
        ]);
        let class = class_with(49, code(instructions));
        assert_eq!(again(&class), class);
    }
}

/// A loop whose ends are further apart than a branch of two bytes reaches.
fn far_loop() -> Code {
    let mut instructions = vec![Instruction::IConst(1), Instruction::If(Condition::Eq, 40_003)];
    instructions.extend(vec![Instruction::Nop; 40_000]);
    instructions.extend([Instruction::Goto(0), Instruction::Return(None)]);
    Code {
        attributes: vec![Attribute::LineNumberTable(vec![LineNumber { position: 40_003, line: 7 }])],
        ..code(instructions)
    }
}

#[test]
fn branches_that_are_too_far_are_widened() {
    let read = again(&class_with(49, far_loop()));
    let code = read.methods[0].code().unwrap();
    assert_eq!(code.instructions[1], Instruction::If(Condition::Ne, 3));
    assert_eq!(code.instructions[2], Instruction::GotoW(40_004));
    assert_eq!(code.instructions[40_003], Instruction::GotoW(0));
    assert_eq!(code.attributes, [Attribute::LineNumberTable(vec![LineNumber { position: 40_004, line: 7 }])]);
}

#[test]
fn a_far_conditional_branch_needs_a_frame_after_it() {
    let mut code = far_loop();
    assert_eq!(write_error(&class_with(52, code.clone())), WriteError::BranchTooFar { position: 1 });
    let frame = |position| Frame { position, locals: [].into(), stack: vec![] };
    code.set_frames(vec![frame(0), frame(2), frame(40_003)]);
    let read = again(&class_with(52, code));
    assert_eq!(read.methods[0].code().unwrap().frames().len(), 3);
}

#[test]
fn code_that_is_too_large_is_refused() {
    let mut instructions = vec![Instruction::Nop; 65_535];
    instructions.push(Instruction::Return(None));
    assert_eq!(write_error(&class_with(52, code(instructions))), WriteError::CodeTooLarge(65_536));
    assert_eq!(write_error(&class_with(52, code(vec![]))), WriteError::EmptyCode);
}

#[test]
fn positions_past_the_end_are_refused() {
    let error = WriteError::NoSuchPosition { position: 1, instructions: 1 };
    assert_eq!(write_error(&class_with(52, code(vec![Instruction::Goto(1)]))), error);
    let handler = Handler { start: 0, end: 1, target: 1, catch: None };
    let body = Code { handlers: vec![handler], ..code(vec![Instruction::Return(None)]) };
    assert_eq!(write_error(&class_with(52, body)), error);
}

#[test]
fn more_constants_than_ldc_reaches_take_ldc_w() {
    let loads = (0..300).map(|n| Instruction::Ldc(Constant::Int(n + 100_000)));
    let mut instructions: Vec<_> = loads.collect();
    instructions.push(Instruction::Return(None));
    let read = again(&class_with(49, code(instructions)));
    let loaded = &read.methods[0].code().unwrap().instructions;
    assert_eq!(loaded[254], Instruction::Ldc(Constant::Int(100_254)));
    assert_eq!(loaded[255], Instruction::LdcW(Constant::Int(100_255)));
    assert_eq!(loaded.len(), 301);
}

#[test]
fn a_frame_at_the_start_and_uninitialised_objects_survive() {
    let mut body = code(vec![Instruction::New("a/C".into()), Instruction::Goto(0)]);
    let long = [VerificationType::Long, VerificationType::Top, VerificationType::Uninitialized(0)];
    body.set_frames(vec![
        Frame { position: 0, locals: [].into(), stack: vec![] },
        Frame { position: 1, locals: long.into(), stack: vec![VerificationType::Uninitialized(0)] },
    ]);
    let class = class_with(52, body);
    assert_eq!(again(&class), class);
}

#[test]
fn strange_texts_and_numbers_survive() {
    let lone = Text::from_bytes(&[0xed, 0xa0, 0x80]);
    let signalling = 0x7fa0_0001;
    let class = class_with(
        49,
        code(vec![
            Instruction::Ldc(Constant::String(lone)),
            Instruction::Ldc(Constant::Float(signalling)),
            Instruction::Ldc2W(Constant::Double(u64::from(signalling) << 32)),
            Instruction::Return(None),
        ]),
    );
    assert_eq!(again(&class), class);
}

fn dynamic(bootstrap: u16) -> Arc<Dynamic> {
    Arc::new(Dynamic { bootstrap, name: "x".into(), descriptor: "I".into() })
}

#[test]
fn unused_bootstrap_methods_go_and_the_rest_is_renumbered() {
    let member =
        |name: &str| MemberRef { owner: "a/B".into(), name: name.into(), descriptor: "()V".into(), interface: false };
    let handle = |name: &str| Arc::new(Handle { kind: HandleKind::InvokeStatic, member: Arc::new(member(name)) });
    let entry = |name: &str, arguments| BootstrapMethod { handle: handle(name), arguments };
    let mut class =
        class_with(55, code(vec![Instruction::Ldc(Constant::Dynamic(dynamic(3))), Instruction::Return(None)]));
    class.attributes.push(Attribute::BootstrapMethods(vec![
        entry("unused", vec![]),
        entry("needed", vec![]),
        entry("unused", vec![Constant::Dynamic(dynamic(0))]),
        entry("used", vec![Constant::Dynamic(dynamic(1))]),
    ]));
    class.drop_unused_bootstrap_methods();
    assert_eq!(
        class.bootstrap_methods(),
        [entry("needed", vec![]), entry("used", vec![Constant::Dynamic(dynamic(0))])]
    );
    assert_eq!(class.methods[0].code().unwrap().instructions[0], Instruction::Ldc(Constant::Dynamic(dynamic(1))));
    assert_eq!(again(&class), class);
    class.methods.clear();
    class.drop_unused_bootstrap_methods();
    assert_eq!(class.attributes, []);
}

#[test]
fn code_that_jumps_into_an_instruction_is_kept_as_bytes() {
    let class = class_with(49, code(vec![Instruction::SiPush(0x1234), Instruction::Goto(0)]));
    let mut bytes = class.write().unwrap();
    // The goto's distance of -3 becomes -2, which is inside the sipush.
    let at = bytes.windows(6).position(|window| window == [0x11, 0x12, 0x34, 0xa7, 0xff, 0xfd]).unwrap();
    bytes[at + 5] = 0xfe;
    let read = Class::read(&bytes).unwrap();
    assert!(read.methods[0].code().is_none());
    assert!(matches!(&read.methods[0].attributes[0], Attribute::Unknown { name, .. } if *name == "Code"));
    assert!(read.keeps_original_pool());
    assert_eq!(read.write().unwrap(), bytes);
}

#[test]
fn dropping_the_bytes_drops_the_pool_they_needed() {
    let mut class = class_with(49, code(vec![Instruction::Return(None)]));
    let small = class.write().unwrap();
    class.attributes.push(Attribute::Unknown { name: "Strange".into(), bytes: [0, 1].as_slice().into() });
    let mut read = again(&class);
    assert!(read.keeps_original_pool());
    read.attributes.clear();
    assert!(!read.keeps_original_pool());
    assert_eq!(read.write().unwrap(), small);
}

#[test]
fn a_kept_pool_with_duplicates_does_not_grow() {
    let loads = vec![Instruction::Ldc(Constant::String("x1".into())), Instruction::New("x2".into())];
    let mut class = class_with(49, code([loads, vec![Instruction::Return(None)]].concat()));
    class.attributes.push(Attribute::Unknown { name: "Strange".into(), bytes: [0, 1].as_slice().into() });
    let mut bytes = class.write().unwrap();
    let second = bytes.windows(2).position(|window| window == b"x2").unwrap();
    bytes[second + 1] = b'1';
    let read = Class::read(&bytes).unwrap();
    assert_eq!(read.methods[0].code().unwrap().instructions[1], Instruction::New("x1".into()));
    assert_eq!(read.write().unwrap(), bytes);
}

#[test]
fn positions_are_renumbered_everywhere() {
    let mut body = code(vec![Instruction::New("a/C".into()), Instruction::Goto(0), Instruction::Return(None)]);
    body.handlers.push(Handler { start: 0, end: 2, target: 2, catch: None });
    body.attributes.push(Attribute::LineNumberTable(vec![LineNumber { position: 2, line: 1 }]));
    let locals = [VerificationType::Uninitialized(0)];
    body.set_frames(vec![Frame { position: 1, locals: locals.clone().into(), stack: locals.to_vec() }]);
    body.instructions.insert(0, Instruction::Nop);
    body.map_positions(|position| position + 1);
    assert_eq!(body.instructions[2], Instruction::Goto(1));
    assert_eq!(body.handlers, [Handler { start: 1, end: 3, target: 3, catch: None }]);
    let moved = vec![VerificationType::Uninitialized(1)];
    assert_eq!(body.frames(), [Frame { position: 2, locals: moved.clone().into(), stack: moved }]);
    assert_eq!(body.attributes[0], Attribute::LineNumberTable(vec![LineNumber { position: 3, line: 1 }]));
}

#[test]
fn a_class_without_a_name_is_an_error_with_its_place() {
    let mut bytes = class_with(49, code(vec![Instruction::Return(None)])).write().unwrap();
    let body = bytes.windows(2).position(|window| window == [0, 0x21]).unwrap();
    bytes[body + 2..body + 4].copy_from_slice(&[0xff, 0xff]);
    let error = Class::read(&bytes).unwrap_err();
    assert_eq!(error.offset, body + 2);
    assert_eq!(error.problem, Problem::WrongConstant { index: 0xffff, expected: "a class" });
}

#[test]
fn frames_that_would_explode_are_kept_as_bytes() {
    let frames = 4_000;
    let mut instructions = vec![Instruction::Nop; frames];
    instructions.push(Instruction::Return(None));
    let mut body = code(instructions);
    let ints = vec![VerificationType::Int; frames];
    let frame = |position: usize| Frame { position: position as u32, locals: ints[..position].into(), stack: vec![] };
    body.set_frames((0..frames).map(frame).collect());
    let read = Class::read(&class_with(52, body).write().unwrap()).unwrap();
    let kept = &read.methods[0].code().unwrap().attributes[0];
    assert!(matches!(kept, Attribute::Unknown { name, .. } if *name == "StackMapTable"));
}
