//! Access flags. The same bit means different things on classes, fields, methods and modules.

pub const PUBLIC: u16 = 0x0001;
pub const PRIVATE: u16 = 0x0002;
pub const PROTECTED: u16 = 0x0004;
pub const STATIC: u16 = 0x0008;
pub const FINAL: u16 = 0x0010;
/// On classes: `invokespecial` looks superclass methods up anew. Every compiler since 1.0.2 sets it.
pub const SUPER: u16 = 0x0020;
/// On methods.
pub const SYNCHRONIZED: u16 = 0x0020;
/// On modules.
pub const OPEN: u16 = 0x0020;
/// On `requires`: whoever requires this module reads that one too.
pub const TRANSITIVE: u16 = 0x0020;
/// On `requires`: needed for compiling alone.
pub const STATIC_PHASE: u16 = 0x0040;
/// On fields.
pub const VOLATILE: u16 = 0x0040;
/// On methods.
pub const BRIDGE: u16 = 0x0040;
/// On fields.
pub const TRANSIENT: u16 = 0x0080;
/// On methods.
pub const VARARGS: u16 = 0x0080;
pub const NATIVE: u16 = 0x0100;
pub const INTERFACE: u16 = 0x0200;
pub const ABSTRACT: u16 = 0x0400;
pub const STRICT: u16 = 0x0800;
pub const SYNTHETIC: u16 = 0x1000;
pub const ANNOTATION: u16 = 0x2000;
pub const ENUM: u16 = 0x4000;
/// On classes: this is a `module-info`.
pub const MODULE: u16 = 0x8000;
/// On parameters and `requires`: implied by the language, not written by the programmer.
pub const MANDATED: u16 = 0x8000;
