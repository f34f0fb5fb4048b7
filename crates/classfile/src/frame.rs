//! Stack map frames, each complete in itself (the file stores differences).

use crate::{Position, Text, access};
use std::sync::Arc;

/// The types of locals and operands when control reaches an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub position: Position,
    /// The types of the locals. As in the file, a long or double is one entry. Shared, because most
    /// frames repeat the locals of the one before.
    pub locals: Arc<[VerificationType]>,
    pub stack: Vec<VerificationType>,
}

/// The type of a local variable or operand in a stack map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerificationType {
    Top,
    Int,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// An internal name, or the descriptor of an array class.
    Object(Text),
    /// An object created by the `new` at this position and not yet constructed.
    Uninitialized(Position),
}

impl VerificationType {
    /// The number of local or operand slots that the value takes.
    pub fn slots(&self) -> usize {
        if matches!(self, VerificationType::Long | VerificationType::Double) { 2 } else { 1 }
    }
}

/// The locals with which a method starts, from its descriptor. `None` if the descriptor is
/// malformed.
pub fn initial_locals(owner: &Text, access: u16, name: &Text, descriptor: &Text) -> Option<Vec<VerificationType>> {
    let mut locals = Vec::new();
    if access & access::STATIC == 0 {
        let constructor = name.as_bytes() == b"<init>" && owner.as_bytes() != b"java/lang/Object";
        locals.push(match constructor {
            true => VerificationType::UninitializedThis,
            false => VerificationType::Object(owner.clone()),
        });
    }
    let mut rest = descriptor.as_bytes().strip_prefix(b"(")?;
    while rest.first() != Some(&b')') {
        let length = field_descriptor_length(rest)?;
        locals.push(of_descriptor(&rest[..length]));
        rest = &rest[length..];
    }
    Some(locals)
}

/// The number of argument slots that a call of this descriptor takes, without the receiver.
pub(crate) fn argument_slots(descriptor: &Text) -> Option<usize> {
    let mut rest = descriptor.as_bytes().strip_prefix(b"(")?;
    let mut slots = 0;
    while rest.first() != Some(&b')') {
        let length = field_descriptor_length(rest)?;
        slots += if matches!(rest[0], b'J' | b'D') { 2 } else { 1 };
        rest = &rest[length..];
    }
    Some(slots)
}

fn of_descriptor(descriptor: &[u8]) -> VerificationType {
    match descriptor[0] {
        b'J' => VerificationType::Long,
        b'D' => VerificationType::Double,
        b'F' => VerificationType::Float,
        b'[' => VerificationType::Object(Text::from_bytes(descriptor)),
        b'L' => VerificationType::Object(Text::from_bytes(&descriptor[1..descriptor.len() - 1])),
        _ => VerificationType::Int,
    }
}

/// The length of the field descriptor at the start of the bytes. `None` if there is none.
pub fn field_descriptor_length(descriptor: &[u8]) -> Option<usize> {
    let dimensions = descriptor.iter().take_while(|byte| **byte == b'[').count();
    match descriptor.get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => descriptor.iter().position(|byte| *byte == b';').map(|end| end + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(access: u16, name: &str, descriptor: &str) -> Option<Vec<VerificationType>> {
        initial_locals(&"a/B".into(), access, &name.into(), &descriptor.into())
    }

    #[test]
    fn a_method_starts_with_its_receiver_and_arguments() {
        use VerificationType::*;
        let arguments = vec![Int, Long, Object("[[J".into()), Object("a/C".into()), Object("[La/C;".into())];
        assert_eq!(start(access::STATIC, "f", "(ZJ[[JLa/C;[La/C;)V"), Some(arguments));
        assert_eq!(start(0, "f", "()V"), Some(vec![Object("a/B".into())]));
        assert_eq!(start(0, "<init>", "(D)V"), Some(vec![UninitializedThis, Double]));
    }

    #[test]
    fn malformed_descriptors_have_no_locals() {
        for descriptor in ["", "I", "(", "(L)V", "(Q)V", "([)V", "(La/B"] {
            assert_eq!(start(0, "f", descriptor), None, "{descriptor}");
            assert_eq!(argument_slots(&descriptor.into()), None, "{descriptor}");
        }
    }

    #[test]
    fn longs_and_doubles_count_twice() {
        assert_eq!(argument_slots(&"(IJD[JLa;)V".into()), Some(7));
    }
}
