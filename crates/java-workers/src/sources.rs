//! The Java sources of the workers, as in `workers`.

/// A source file: its name, and its text.
pub type Source = (&'static str, &'static str);

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../workers/decompiler/lapidary/", $name)))
    };
}

/// The sources that every worker shares. The adapter of its decompiler is added to them.
pub const COMMON: [Source; 12] = [
    source!("Arguments.java"),
    source!("Attempt.java"),
    source!("ClassShape.java"),
    source!("Classes.java"),
    source!("Compiler.java"),
    source!("Decompiler.java"),
    source!("Digest.java"),
    source!("Json.java"),
    source!("Main.java"),
    source!("Platform.java"),
    source!("Show.java"),
    source!("Sources.java"),
];

pub const CFR: [Source; 1] = [source!("Cfr.java")];
pub const PROCYON: [Source; 1] = [source!("Procyon.java")];
pub const VINEFLOWER: [Source; 2] = [source!("Vineflower.java"), source!("FernflowerFiles.java")];
pub const FERNFLOWER: [Source; 2] = [source!("Fernflower.java"), source!("FernflowerFiles.java")];

macro_rules! verifier {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../workers/verifier/src/lapidary/verifier/", $name)))),*]
    };
}

pub const VERIFIER: [Source; 25] = verifier![
    "Access.java",
    "Annotations.java",
    "Bytes.java",
    "Candidate.java",
    "CandidateLoader.java",
    "ClassFile.java",
    "ConstantPool.java",
    "Instructions.java",
    "Judge.java",
    "JvmWords.java",
    "Libraries.java",
    "LinkFailure.java",
    "Linking.java",
    "MalformedClassException.java",
    "Names.java",
    "Problem.java",
    "References.java",
    "Report.java",
    "Request.java",
    "Resolution.java",
    "SignatureNames.java",
    "SourceRules.java",
    "Universe.java",
    "Uses.java",
    "VerifyWorker.java",
];

macro_rules! replay {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../workers/replay/lapidary/", $name)))),*]
    };
}

pub const REPLAY: [Source; 13] = replay![
    "Symbolic.java",
    "replay/Contents.java",
    "replay/Dice.java",
    "replay/Inputs.java",
    "replay/NotAllowed.java",
    "replay/Objects.java",
    "replay/Observer.java",
    "replay/Replay.java",
    "replay/Report.java",
    "replay/Target.java",
    "replay/Tester.java",
    "replay/Types.java",
    "replay/Witness.java",
];

macro_rules! junit {
    ($name:literal) => {
        (concat!("replay/", $name), include_str!(concat!("../workers/junit/lapidary/replay/", $name)))
    };
}

/// The sources that generated tests call.
pub const JUNIT: [Source; 3] = [junit!("FreshClasses.java"), junit!("Given.java"), junit!("Printed.java")];

/// The part of the replay program that [`JUNIT`] needs.
pub const JUNIT_PARTS: [Source; 5] = replay![
    "replay/Contents.java",
    "replay/NotAllowed.java",
    "replay/Objects.java",
    "replay/Target.java",
    "replay/Types.java",
];

/// A hash that identifies a set of sources.
pub fn key(sources: &[Source]) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, text) in sources {
        hasher.update(name.as_bytes()).update(&[0]).update(text.as_bytes()).update(&[0]);
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
