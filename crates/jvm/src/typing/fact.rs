//! What a method body relies on.

use lapidary_classfile::{FieldOp, InvokeOp, MemberRef, Position, Text};
use std::sync::Arc;

/// Something that must stay true for the body to stay valid, and the instruction that causes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    pub at: Position,
    pub kind: FactKind,
    /// It comes from a frame, or from control flowing into one: it holds for the body rather than for the instruction,
    /// since other instructions flow there when this one goes.
    pub flow: bool,
}

/// Classes are internal names, never arrays: an array relies on the class of its elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// The class is named by an instruction, a descriptor in it, a frame, or a handler.
    Names(Text),
    /// The class is named by `ldc` or as the argument of a bootstrap method.
    ClassConstant(Text),
    FieldAccess {
        op: FieldOp,
        member: Arc<MemberRef>,
        through_handle: bool,
    },
    /// A constructor reached by a method handle is a `Special` call of `<init>`.
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
    /// An object of one class is used as one of the other, which is above it in the whole program (or whose relation
    /// is unknown because a class is missing).
    Assignable {
        from: Text,
        to: Text,
        /// The machine checks it. Otherwise only a compiler would: the verifier takes any object for an interface.
        strict: bool,
    },
    /// An object of one class is cast to the other, or tested for being one.
    Cast {
        from: Text,
        to: Text,
    },
    /// A protected member of a class above this one, in another package, is used on such an object.
    ProtectedAccess {
        receiver: Text,
        declaring: Text,
    },
    /// A private member of another class of the same nest is used.
    PrivateAccess {
        owner: Text,
    },
    /// The call with which a constructor hands over to another one: of its own class, or of the superclass.
    SuperCall {
        member: Arc<MemberRef>,
        this_call: bool,
    },
    /// An exception handler starts here. `catch` is none where it takes everything.
    Handler {
        index: u16,
        catch: Option<Text>,
    },
}
