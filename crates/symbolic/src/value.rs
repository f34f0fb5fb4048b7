//! The value of a variable, field or element: a concrete number, a symbolic number, or a reference.

use lapidary_classfile::Kind;
use lapidary_jvm::{BaseType, FieldType};
use lapidary_terms::{Constant, Term, Terms};
use std::num::NonZeroU32;

/// A reference to an object in the heap of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ref(NonZeroU32);

impl Ref {
    /// The object with this number; numbers begin with 1.
    pub(crate) fn new(number: u32) -> Ref {
        Ref(NonZeroU32::new(number).expect("objects are counted from 1"))
    }

    pub fn number(self) -> u32 {
        self.0.get()
    }
}

/// A value. Booleans, bytes, chars and shorts are ints, as on the stack of a JVM.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Reference(Option<Ref>),
    /// A number that depends on symbols; never a constant.
    Symbolic(Kind, Term),
    /// The return address of a subroutine, for `ret`.
    Address(u32),
    /// The second slot of a long or double, and anything that was never written.
    Nothing,
}

impl Value {
    pub const NULL: Value = Value::Reference(None);
    pub const ZERO: Value = Value::Int(0);

    pub fn object(object: Ref) -> Value {
        Value::Reference(Some(object))
    }

    pub fn boolean(holds: bool) -> Value {
        Value::Int(holds.into())
    }

    /// The default value of a field or element of this type.
    pub fn default_of(type_: &FieldType) -> Value {
        match type_ {
            FieldType::Base(BaseType::Long) => Value::Long(0),
            FieldType::Base(BaseType::Float) => Value::Float(0.0),
            FieldType::Base(BaseType::Double) => Value::Double(0.0),
            FieldType::Base(_) => Value::Int(0),
            FieldType::Object(_) | FieldType::Array(_) => Value::NULL,
        }
    }

    /// The value of a term: concrete if the term is constant.
    pub fn of_term(kind: Kind, term: Term, terms: &Terms) -> Value {
        match terms.constant(term) {
            Some(constant) => Value::of_constant(kind, constant),
            None => Value::Symbolic(kind, term),
        }
    }

    pub fn of_constant(kind: Kind, constant: Constant) -> Value {
        match (kind, constant) {
            (_, Constant::Bool(holds)) => Value::boolean(holds),
            (Kind::Long, Constant::Bits { value, .. }) => Value::Long(value as i64),
            (_, Constant::Bits { value, .. }) => Value::Int(value as i32),
            (_, Constant::Single(number)) => Value::Float(number),
            (_, Constant::Double(number)) => Value::Double(number),
        }
    }

    /// The value as a term; references have none.
    pub fn term(self, terms: &mut Terms) -> Option<Term> {
        Some(match self {
            Value::Int(number) => terms.int(number),
            Value::Long(number) => terms.long(number),
            Value::Float(number) => terms.single(number),
            Value::Double(number) => terms.double(number),
            Value::Symbolic(_, term) => term,
            Value::Reference(_) | Value::Address(_) | Value::Nothing => return None,
        })
    }

    /// The kind of the value on the stack.
    pub fn kind(self) -> Option<Kind> {
        Some(match self {
            Value::Int(_) => Kind::Int,
            Value::Long(_) => Kind::Long,
            Value::Float(_) => Kind::Float,
            Value::Double(_) => Kind::Double,
            Value::Reference(_) => Kind::Reference,
            Value::Symbolic(kind, _) => kind,
            Value::Address(_) | Value::Nothing => return None,
        })
    }

    /// Whether it takes two local variable slots.
    pub fn is_wide(self) -> bool {
        matches!(self, Value::Long(_) | Value::Double(_) | Value::Symbolic(Kind::Long | Kind::Double, _))
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Value::Int(number)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Long(number)
    }
}

impl From<Option<Ref>> for Value {
    fn from(object: Option<Ref>) -> Self {
        Value::Reference(object)
    }
}
