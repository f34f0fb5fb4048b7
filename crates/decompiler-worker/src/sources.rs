//! The Java sources of the worker, as they are in `workers/decompiler`.

/// A source file: its name, and its text.
pub type Source = (&'static str, &'static str);

macro_rules! source {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../workers/decompiler/lapidary/", $name)))
    };
}

/// What every worker is made of. The adapter of its decompiler comes on top.
pub const COMMON: [Source; 11] = [
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
    source!("Sources.java"),
];

pub const CFR: [Source; 1] = [source!("Cfr.java")];
pub const PROCYON: [Source; 1] = [source!("Procyon.java")];
pub const VINEFLOWER: [Source; 2] = [source!("Vineflower.java"), source!("FernflowerFiles.java")];
pub const FERNFLOWER: [Source; 2] = [source!("Fernflower.java"), source!("FernflowerFiles.java")];
