//! The facts that a method body relies on.

use lapidary_classfile::{FieldOp, InvokeOp, MemberRef, Position, Text};
use std::sync::Arc;

/// A condition that must stay true for the body to stay valid, and the instruction that causes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    pub at: Position,
    pub kind: FactKind,
    /// Whether the fact comes from a frame, or from control flowing into one. Such a fact belongs
    /// to the body rather than to the instruction, because other instructions flow there when this
    /// one is removed.
    pub flow: bool,
}

/// The kinds of facts. Classes are internal names, never arrays: an array relies on the class of
/// its elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// An instruction, a descriptor in it, a frame or a handler names the class.
    Names(Text),
    /// An `ldc` or an argument of a bootstrap method names the class.
    ClassConstant(Text),
    FieldAccess {
        op: FieldOp,
        member: Arc<MemberRef>,
        through_handle: bool,
    },
    /// A method is called. A constructor reached through a method handle is a `Special` call of
    /// `<init>`.
    Call {
        op: InvokeOp,
        member: Arc<MemberRef>,
        through_handle: bool,
    },
    /// A lambda implements this method of this interface.
    Implements {
        interface: Text,
        name: Text,
        descriptor: Text,
    },
    /// An object of one class is used where the other is expected. The other is a supertype of it
    /// in the whole program, or the relation is unknown because a class is missing.
    Assignable {
        from: Text,
        to: Text,
        /// Whether the JVM checks this. Otherwise only a compiler would: the verifier accepts any
        /// object for an interface.
        strict: bool,
    },
    /// An object of one class is cast to the other, or tested for being an instance of it.
    Cast {
        from: Text,
        to: Text,
    },
    /// A protected member of a superclass in another package is used on an object of this class.
    ProtectedAccess {
        receiver: Text,
        declaring: Text,
    },
    /// A private member of another class of the same nest is used.
    PrivateAccess {
        owner: Text,
    },
    /// A constructor calls another constructor, of its own class or of the superclass.
    SuperCall {
        member: Arc<MemberRef>,
        this_call: bool,
    },
    /// An exception handler starts here. `catch` is `None` where it catches everything.
    Handler {
        index: u16,
        catch: Option<Text>,
    },
}
