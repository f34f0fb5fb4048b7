//! The small vocabularies from which opcodes are built. Each enum lists its members in the order of their opcodes.

macro_rules! vocabulary {
    ($($(#[$note:meta])* $name:ident { $($(#[$variant_note:meta])* $variant:ident),* $(,)? })*) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_note])* $variant),* }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The member that is so many opcodes after the first.
            pub(crate) fn at(offset: u8) -> $name {
                Self::ALL[usize::from(offset) % Self::ALL.len()]
            }
        }
    )*};
}

vocabulary! {
    /// What a local variable or the top of the stack holds.
    Kind { Int, Long, Float, Double, Reference }

    NumberKind { Int, Long, Float, Double }

    IntegerKind { Int, Long }

    /// The elements of an array, as instructions see them. Booleans are bytes.
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

    /// Those that push -1, 0 or 1. `Less` and `Greater` say what a NaN counts as.
    Comparison { Long, FloatLess, FloatGreater, DoubleLess, DoubleGreater }

    /// When a branch is taken: the top of the stack against zero, two ints, two references, or one against null.
    Condition {
        Eq, Ne, Lt, Ge, Gt, Le,
        IntEq, IntNe, IntLt, IntGe, IntGt, IntLe,
        ReferenceEq, ReferenceNe,
        Null, NonNull,
    }

    FieldOp { GetStatic, PutStatic, GetField, PutField }

    InvokeOp { Virtual, Special, Static, Interface }

    /// What `newarray` makes an array of; the operand counts from 4.
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

    /// How many values the branch takes from the stack.
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

/// A local variable as an instruction names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Local {
    pub index: u16,
    /// How the file spells it; the writer takes a longer form where the index needs one.
    pub form: LocalForm,
}

impl Local {
    /// The variable in its shortest form.
    pub fn new(index: u16) -> Self {
        Local { index, form: LocalForm::shortest(index) }
    }

    /// The form in which it can be written.
    pub(crate) fn written_form(self) -> LocalForm {
        self.form.max(LocalForm::shortest(self.index))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LocalForm {
    /// `iload_0`: for the first four variables. `iinc` and `ret` have no such form and take the next.
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
    fn conversions_know_their_ends() {
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
