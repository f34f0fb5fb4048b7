//! Field and method descriptors (JVMS 4.3): the erased types of fields, parameters and results.
//!
//! Printing a parsed descriptor gives the original bytes.

use crate::cursor::{Cursor, Parsed, SyntaxError};
use lapidary_classfile::{PrimitiveType, Text};
use std::fmt;

/// The largest number of dimensions that an array may have (JVMS 4.3.2).
pub const MAX_DIMENSIONS: usize = 255;

/// A primitive type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BaseType {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

impl BaseType {
    pub const ALL: [BaseType; 8] = [
        BaseType::Boolean,
        BaseType::Byte,
        BaseType::Char,
        BaseType::Short,
        BaseType::Int,
        BaseType::Long,
        BaseType::Float,
        BaseType::Double,
    ];

    /// The internal name of the wrapper class of this type.
    pub fn wrapper(self) -> &'static str {
        match self {
            BaseType::Boolean => "java/lang/Boolean",
            BaseType::Byte => "java/lang/Byte",
            BaseType::Char => "java/lang/Character",
            BaseType::Short => "java/lang/Short",
            BaseType::Int => "java/lang/Integer",
            BaseType::Long => "java/lang/Long",
            BaseType::Float => "java/lang/Float",
            BaseType::Double => "java/lang/Double",
        }
    }

    pub fn from_letter(letter: u8) -> Option<BaseType> {
        Some(match letter {
            b'Z' => BaseType::Boolean,
            b'B' => BaseType::Byte,
            b'C' => BaseType::Char,
            b'S' => BaseType::Short,
            b'I' => BaseType::Int,
            b'J' => BaseType::Long,
            b'F' => BaseType::Float,
            b'D' => BaseType::Double,
            _ => return None,
        })
    }

    pub fn letter(self) -> u8 {
        b"ZBCSIJFD"[self as usize]
    }
}

impl From<PrimitiveType> for BaseType {
    fn from(element: PrimitiveType) -> Self {
        match element {
            PrimitiveType::Boolean => BaseType::Boolean,
            PrimitiveType::Char => BaseType::Char,
            PrimitiveType::Float => BaseType::Float,
            PrimitiveType::Double => BaseType::Double,
            PrimitiveType::Byte => BaseType::Byte,
            PrimitiveType::Short => BaseType::Short,
            PrimitiveType::Int => BaseType::Int,
            PrimitiveType::Long => BaseType::Long,
        }
    }
}

/// The type of a field, parameter, result, local variable or array element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldType {
    Base(BaseType),
    /// A class or interface, by internal name.
    Object(Text),
    Array(Box<FieldType>),
}

impl FieldType {
    pub fn parse(descriptor: impl AsRef<[u8]>) -> Result<FieldType, SyntaxError> {
        let mut cursor = Cursor::new(descriptor.as_ref());
        let parsed = field_type(&mut cursor)?;
        cursor.finish(parsed)
    }

    /// The type that a class constant names: an internal name, or the descriptor of an array.
    pub fn of_class_constant(name: &Text) -> Result<FieldType, SyntaxError> {
        if name.as_bytes().first() == Some(&b'[') {
            FieldType::parse(name.as_bytes())
        } else {
            Ok(FieldType::Object(name.clone()))
        }
    }

    /// The text of a class constant that names this type. A primitive type has none.
    pub fn class_constant(&self) -> Option<Text> {
        match self {
            FieldType::Base(_) => None,
            FieldType::Object(name) => Some(name.clone()),
            FieldType::Array(_) => Some(self.descriptor()),
        }
    }

    pub fn array(self) -> FieldType {
        FieldType::Array(Box::new(self))
    }

    /// The number of local variables or operand stack entries that a value takes.
    pub fn slots(&self) -> usize {
        match self {
            FieldType::Base(BaseType::Long | BaseType::Double) => 2,
            _ => 1,
        }
    }

    pub fn is_reference(&self) -> bool {
        !matches!(self, FieldType::Base(_))
    }

    /// The class that this type names, if it is a class or an array of one.
    pub fn class(&self) -> Option<&Text> {
        match self.innermost() {
            FieldType::Object(name) => Some(name),
            _ => None,
        }
    }

    /// The element type without any array dimensions.
    pub fn innermost(&self) -> &FieldType {
        let mut element = self;
        while let FieldType::Array(inner) = element {
            element = inner;
        }
        element
    }

    pub fn dimensions(&self) -> usize {
        match self {
            FieldType::Array(inner) => 1 + inner.dimensions(),
            _ => 0,
        }
    }

    pub fn descriptor(&self) -> Text {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        Text::from_bytes(&bytes)
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            FieldType::Base(base) => bytes.push(base.letter()),
            FieldType::Object(name) => {
                bytes.push(b'L');
                bytes.extend_from_slice(name.as_bytes());
                bytes.push(b';');
            }
            FieldType::Array(element) => {
                bytes.push(b'[');
                element.write(bytes);
            }
        }
    }
}

impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.descriptor().fmt(f)
    }
}

/// The parameter types and result type of a method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodType {
    pub parameters: Vec<FieldType>,
    /// `None` for `void`.
    pub result: Option<FieldType>,
}

impl MethodType {
    pub fn parse(descriptor: impl AsRef<[u8]>) -> Result<MethodType, SyntaxError> {
        let mut cursor = Cursor::new(descriptor.as_ref());
        cursor.expect(b'(', "'('")?;
        let mut parameters = Vec::new();
        while !cursor.skip(b')') {
            parameters.push(field_type(&mut cursor)?);
        }
        let result = if cursor.skip(b'V') { None } else { Some(field_type(&mut cursor)?) };
        let parsed = cursor.finish(MethodType { parameters, result })?;
        match parsed.parameter_slots() {
            0..=255 => Ok(parsed),
            slots => Err(SyntaxError::TooManySlots { text: cursor.shown(), slots }),
        }
    }

    /// The number of slots that the arguments take, without the receiver.
    pub fn parameter_slots(&self) -> usize {
        self.parameters.iter().map(FieldType::slots).sum()
    }

    /// Every class that the descriptor names, in order and with repetitions.
    pub fn classes(&self) -> impl Iterator<Item = &Text> {
        self.parameters.iter().chain(&self.result).filter_map(FieldType::class)
    }

    pub fn descriptor(&self) -> Text {
        let mut bytes = vec![b'('];
        self.parameters.iter().for_each(|parameter| parameter.write(&mut bytes));
        bytes.push(b')');
        match &self.result {
            Some(result) => result.write(&mut bytes),
            None => bytes.push(b'V'),
        }
        Text::from_bytes(&bytes)
    }
}

impl fmt::Display for MethodType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.descriptor().fmt(f)
    }
}

/// The package in the internal name of a class; empty for the unnamed package.
pub fn package(class: &Text) -> &[u8] {
    let name = class.as_bytes();
    &name[..name.iter().rposition(|byte| *byte == b'/').unwrap_or(0)]
}

fn field_type(cursor: &mut Cursor<'_>) -> Parsed<FieldType> {
    let dimensions = cursor.count(b'[', MAX_DIMENSIONS)?;
    let element = match cursor.peek() {
        Some(b'L') => object_type(cursor)?,
        letter => match letter.and_then(BaseType::from_letter) {
            Some(base) => {
                cursor.next("a type")?;
                FieldType::Base(base)
            }
            None => return Err(cursor.unexpected("a type")),
        },
    };
    Ok((0..dimensions).fold(element, |element, _| element.array()))
}

fn object_type(cursor: &mut Cursor<'_>) -> Parsed<FieldType> {
    cursor.expect(b'L', "'L'")?;
    let name = cursor.name(b";", b".[")?;
    cursor.expect(b';', "';'")?;
    Ok(FieldType::Object(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_method_descriptor_tells_its_slots_and_classes() {
        let parsed = MethodType::parse("(IJ[[Lp/A;DLp/B;)[Lp/C;").unwrap();
        assert_eq!(parsed.parameter_slots(), 7);
        let classes: Vec<String> = parsed.classes().map(Text::to_string).collect();
        assert_eq!(classes, ["p/A", "p/B", "p/C"]);
        assert_eq!(parsed.parameters[2].dimensions(), 2);
    }

    #[test]
    fn class_constants_name_classes_and_arrays() {
        let array = FieldType::of_class_constant(&Text::from("[Lp/A;")).unwrap();
        assert_eq!(array.class(), Some(&Text::from("p/A")));
        assert_eq!(array.class_constant(), Some(Text::from("[Lp/A;")));
        let class = FieldType::of_class_constant(&Text::from("p/A")).unwrap();
        assert_eq!(class, FieldType::Object(Text::from("p/A")));
        assert!(FieldType::of_class_constant(&Text::from("[Lp/A")).is_err());
    }

    #[test]
    fn nonsense_is_an_error_that_says_where() {
        let error = MethodType::parse("(ILp/A)V").unwrap_err();
        assert_eq!(error.to_string(), "(ILp/A)V: expected ';' at byte 8");
        for bad in ["", "I", "(", "()", "()VV", "(V)V", "(L;)V", "([)V", "(Lp.A;)V", "()Q"] {
            assert!(MethodType::parse(bad).is_err(), "{bad}");
        }
        for bad in ["", "V", "II", "L", "Lp/A", "[", "()V"] {
            assert!(FieldType::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_of_the_jvm_are_limits_here() {
        let deep = |levels: usize| format!("{}I", "[".repeat(levels));
        assert_eq!(FieldType::parse(deep(255)).unwrap().dimensions(), 255);
        assert!(matches!(FieldType::parse(deep(256)), Err(SyntaxError::TooDeep { .. })));
        let wide = |count: usize| format!("({})V", "J".repeat(count));
        assert!(MethodType::parse(wide(127)).is_ok());
        assert!(matches!(MethodType::parse(wide(128)), Err(SyntaxError::TooManySlots { slots: 256, .. })));
    }

    proptest! {
        #[test]
        fn what_parses_prints_the_same(text in r"\((\[{0,2}([ZBCSIJFD]|L[a-c]/[A-C];)){0,6}\)(V|I|\[La;)") {
            prop_assert_eq!(MethodType::parse(&text).unwrap().to_string(), text);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop::sample::select(b"([L;)VIJa/.<".to_vec()), 0..12)) {
            if let Ok(parsed) = MethodType::parse(&bytes) {
                prop_assert_eq!(parsed.descriptor(), Text::from_bytes(&bytes));
            }
        }
    }
}
