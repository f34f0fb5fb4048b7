//! Message digests: generates a method that creates one directly. The library would look up its
//! provider in a file.

use super::emit::{self, Emitter};
use lapidary_classfile::{Class, FieldOp, Instruction, InvokeOp, StackOp, access};
use lapidary_jvm::{FieldType, MethodType};

/// Algorithm names, and the JDK classes that implement them.
const ALGORITHMS: &[(&str, &str)] = &[
    ("MD5", "sun/security/provider/MD5"),
    ("SHA", "sun/security/provider/SHA"),
    ("SHA-1", "sun/security/provider/SHA"),
    ("SHA-224", "sun/security/provider/SHA2$SHA224"),
    ("SHA-256", "sun/security/provider/SHA2$SHA256"),
    ("SHA-384", "sun/security/provider/SHA5$SHA384"),
    ("SHA-512", "sun/security/provider/SHA5$SHA512"),
];

/// Returns `None` for an unknown algorithm.
pub(super) fn class(algorithm: &str) -> Option<Class> {
    let (name, engine) = ALGORITHMS.iter().find(|(name, _)| name.eq_ignore_ascii_case(algorithm))?;
    const DELEGATE: &str = "java/security/MessageDigest$Delegate";
    let mut emitter = Emitter::new(0);
    emitter.push(Instruction::New((*engine).into()));
    emitter.push(Instruction::Stack(StackOp::Dup));
    emitter.invoke(InvokeOp::Special, engine, "<init>", "()V");
    emitter.text(algorithm);
    provider(&mut emitter);
    let descriptor =
        format!("(Ljava/security/MessageDigestSpi;Ljava/lang/String;Ljava/security/Provider;)L{DELEGATE};");
    emitter.invoke(InvokeOp::Static, DELEGATE, "of", &descriptor);
    let digest = FieldType::Object("java/security/MessageDigest".into());
    emitter.return_(Some(&digest));
    let mut class = emit::class(format!("lapidary/Digest${name}"));
    let type_ = MethodType { parameters: Vec::new(), result: Some(digest) };
    class.methods.push(emitter.method(access::PUBLIC | access::STATIC, &"make".into(), &type_));
    Some(class)
}

/// Creates a provider that has only a name, since nothing else of it is read.
fn provider(emitter: &mut Emitter) {
    emitter.push(Instruction::New("sun/security/provider/Sun".into()));
    emitter.push(Instruction::Stack(StackOp::Dup));
    emitter.text("SUN");
    let text = FieldType::Object("java/lang/String".into());
    emitter.field(FieldOp::PutField, &"java/security/Provider".into(), &"name".into(), &text);
}
