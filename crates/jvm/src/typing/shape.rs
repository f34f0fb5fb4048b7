//! Method descriptors, split without copying, because the type checker reads one at every call.

use super::untypable::Trouble;
use crate::MAX_DIMENSIONS;
use lapidary_classfile::Text;
pub(super) use lapidary_classfile::field_descriptor_length as field_length;

/// A method descriptor whose syntax has been checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape<'a> {
    parameters: &'a [u8],
    result: &'a [u8],
}

impl<'a> Shape<'a> {
    pub fn parse(descriptor: &'a Text) -> Result<Self, Trouble> {
        Self::cut(descriptor.as_bytes()).ok_or_else(|| Trouble::Malformed(descriptor.clone()))
    }

    fn cut(descriptor: &'a [u8]) -> Option<Self> {
        let start = descriptor.strip_prefix(b"(")?;
        let mut rest = start;
        while rest.first()? != &b')' {
            rest = &rest[value_length(rest)?..];
        }
        let result = &rest[1..];
        let sound = result == b"V" || value_length(result) == Some(result.len());
        sound.then_some(Shape { parameters: &start[..start.len() - rest.len()], result })
    }

    /// The descriptors of the parameters, from the first to the last.
    pub fn parameters(self) -> impl Iterator<Item = &'a [u8]> {
        let mut rest = self.parameters;
        std::iter::from_fn(move || {
            let (first, others) = rest.split_at_checked(field_length(rest)?)?;
            rest = others;
            Some(first)
        })
    }

    /// The descriptor of the result; `None` for `void`.
    pub fn result(self) -> Option<&'a [u8]> {
        (self.result != b"V").then_some(self.result)
    }
}

/// The length of the value descriptor at the start of the bytes.
pub(super) fn value_length(bytes: &[u8]) -> Option<usize> {
    field_length(bytes).filter(|_| dimensions(bytes) <= MAX_DIMENSIONS)
}

/// The class that the descriptor of one value stands for: an internal name or an array descriptor.
pub(super) fn reference(descriptor: &[u8]) -> Option<&[u8]> {
    match descriptor {
        [b'[', ..] => Some(descriptor),
        [b'L', name @ .., b';'] => Some(name),
        _ => None,
    }
}

/// The class of an array's innermost elements, or the class itself. `None` for arrays of primitive
/// types.
pub(super) fn element_class(name: &[u8]) -> Option<&[u8]> {
    if name.first() != Some(&b'[') {
        return Some(name);
    }
    match &name[dimensions(name)..] {
        [b'L', class @ .., b';'] => Some(class),
        _ => None,
    }
}

/// Returns whether the JVM rejects a name as that of a class: an array of more than 255 dimensions,
/// or one without an element type.
pub(super) fn is_bad_class(name: &[u8]) -> bool {
    let dimensions = dimensions(name);
    dimensions > MAX_DIMENSIONS || dimensions > 0 && field_length(name) != Some(name.len())
}

pub(super) fn dimensions(name: &[u8]) -> usize {
    name.iter().take_while(|byte| **byte == b'[').count()
}

/// The descriptor of an array's direct elements.
pub(super) fn component(array: &[u8]) -> Option<&[u8]> {
    array.strip_prefix(b"[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_descriptor_falls_into_its_types() {
        let text = Text::from("(I[[JLp/A;[Lp/B;)[Z");
        let shape = Shape::parse(&text).unwrap();
        let parts: Vec<&[u8]> = shape.parameters().collect();
        assert_eq!(parts, [&b"I"[..], b"[[J", b"Lp/A;", b"[Lp/B;"]);
        assert_eq!(shape.result(), Some(&b"[Z"[..]));
    }

    #[test]
    fn malformed_descriptors_are_refused() {
        let deep = format!("({}I)V", "[".repeat(256));
        for text in ["", "()", "(V)V", "(L)V", "I", "()VV", "([)V", "(I", &deep] {
            let text = Text::from(text);
            assert!(Shape::parse(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn arrays_name_their_elements_class() {
        assert_eq!(element_class(b"[[Lp/A;"), Some(&b"p/A"[..]));
        assert_eq!(element_class(b"[[I"), None);
        assert_eq!(element_class(b"p/A"), Some(&b"p/A"[..]));
    }
}
