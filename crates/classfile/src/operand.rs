//! The small vocabularies from which opcodes are built. Each enum lists its members in opcode
//! order.

macro_rules! vocabulary {
    ($($(#[$note:meta])* $name:ident { $($(#[$variant_note:meta])* $variant:ident),* $(,)? })*) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_note])* $variant),* }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The member at this offset from the group's first opcode.
            pub(crate) fn at(offset: u8) -> $name {
                Self::ALL[usize::from(offset) % Self::ALL.len()]
            }
        }
    )*};
}

vocabulary! {
    /// The kind of value in a local variable or on top of the stack.
    Kind { Int, Long, Float, Double, Reference }

    NumberKind { Int, Long, Float, Double }

    IntegerKind { Int, Long }

    /// The kind of an array's elements, as instructions see them. Booleans are bytes.
    ArrayKind { Int, Long, Float, Double, Reference, Byte, Char, Short }

    StackOp { Pop, Pop2, Dup, DupX1, DupX2, Dup2, Dup2X1, Dup2X2, Swap }

    Arithmetic { Add, Sub, Mul, Div, Rem }

    Shift { Left, Right, UnsignedRight }

    Logic { And, Or, Xor }

    Conversion {
        IntToLong, IntToFloat, IntToDouble,
        LongToInt, LongToFloat, LongToDouble,
        FloatToInt, FloatToLong, FloatToDouble,
        DoubleToInt, DoubleToLong, DoubleToFloat,
        IntToByte, IntToChar, IntToShort,
    }

    /// Comparisons, which push -1, 0 or 1. `Less` and `Greater` tell how a NaN compares.
    Comparison { Long, FloatLess, FloatGreater, DoubleLess, DoubleGreater }

    /// The condition of a branch: compares the top of the stack with zero, two ints, two
    /// references, or a reference with null.
    Condition {
        Eq, Ne, Lt, Ge, Gt, Le,
        IntEq, IntNe, IntLt, IntGe, IntGt, IntLe,
        ReferenceEq, ReferenceNe,
        Null, NonNull,
    }

    FieldOp { GetStatic, PutStatic, GetField, PutField }

    InvokeOp { Virtual, Special, Static, Interface }

    /// The element type of `newarray`; the operand counts from 4.
    PrimitiveType { Boolean, Char, Float, Double, Byte, Short, Int, Long }
}

impl Conversion {
    pub fn from(self) -> NumberKind {
        match self as u8 {
            0..3 | 12.. => NumberKind::Int,
            3..6 => NumberKind::Long,
            6..9 => NumberKind::Float,
            9..12 => NumberKind::Double,
        }
    }

    pub fn to(self) -> NumberKind {
        use Conversion::*;
        match self {
            LongToInt | FloatToInt | DoubleToInt | IntToByte | IntToChar | IntToShort => NumberKind::Int,
            IntToLong | FloatToLong | DoubleToLong => NumberKind::Long,
            IntToFloat | LongToFloat | DoubleToFloat => NumberKind::Float,
            IntToDouble | LongToDouble | FloatToDouble => NumberKind::Double,
        }
    }
}

impl Condition {
    /// The condition that holds exactly when this one does not.
    pub fn inverted(self) -> Condition {
        Condition::at(self as u8 ^ 1)
    }

    /// The number of values that the branch pops.
    pub fn operands(self) -> usize {
        if (Condition::IntEq..=Condition::ReferenceNe).contains(&self) { 2 } else { 1 }
    }
}

impl FieldOp {
    pub fn is_static(self) -> bool {
        self <= FieldOp::PutStatic
    }

    pub fn is_put(self) -> bool {
        matches!(self, FieldOp::PutStatic | FieldOp::PutField)
    }
}

/// A local variable as an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Local {
    pub index: u16,
    /// The form in the file. The writer takes a longer one where the index needs it.
    pub form: LocalForm,
}

impl Local {
    /// The variable in its shortest form.
    pub fn new(index: u16) -> Self {
        Local { index, form: LocalForm::shortest(index) }
    }

    /// The form that the writer uses.
    pub(crate) fn written_form(self) -> LocalForm {
        self.form.max(LocalForm::shortest(self.index))
    }
}

/// The encodings of an instruction with a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocalForm {
    /// `iload_0`: for the first four variables. `iinc` and `ret` have no such form and use the next
    /// one.
    Implicit,
    /// `iload 0`: one byte.
    Byte,
    /// `wide iload 0`: two bytes.
    Wide,
}

impl LocalForm {
    fn shortest(index: u16) -> Self {
        match index {
            0..=3 => LocalForm::Implicit,
            4..=255 => LocalForm::Byte,
            _ => LocalForm::Wide,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverting_twice_gives_the_condition_back() {
        for condition in Condition::ALL {
            assert_ne!(condition.inverted(), *condition);
            assert_eq!(condition.inverted().inverted(), *condition);
            assert_eq!(condition.inverted().operands(), condition.operands());
        }
        assert_eq!(Condition::Lt.inverted(), Condition::Ge);
        assert_eq!(Condition::Null.inverted(), Condition::NonNull);
    }

    #[test]
    fn conversions_know_both_of_their_types() {
        assert_eq!(
            (Conversion::DoubleToLong.from(), Conversion::DoubleToLong.to()),
            (NumberKind::Double, NumberKind::Long)
        );
        assert_eq!((Conversion::IntToShort.from(), Conversion::IntToShort.to()), (NumberKind::Int, NumberKind::Int));
    }

    #[test]
    fn a_form_too_short_for_its_index_is_not_written() {
        assert_eq!(Local { index: 300, form: LocalForm::Byte }.written_form(), LocalForm::Wide);
        assert_eq!(Local { index: 2, form: LocalForm::Wide }.written_form(), LocalForm::Wide);
    }
}
