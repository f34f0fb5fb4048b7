//! Annotations of declarations.

use super::constants::{character, double, escaped, float, string};
use super::paper::Paper;
use super::types::of_descriptor;
use lapidary_classfile::{Annotation, Attributed, ElementValue};

/// A line for each annotation.
pub(super) fn write(of: &impl Attributed, indent: &str, paper: &mut Paper) {
    for found in of.annotations() {
        if paper.is_full() {
            return;
        }
        paper.word(indent);
        annotation(found, paper);
        paper.line("");
    }
}

fn annotation(of: &Annotation, paper: &mut Paper) {
    paper.word("@");
    paper.word(&of_descriptor(&of.descriptor));
    for (index, element) in of.elements.iter().enumerate() {
        if paper.is_full() {
            return;
        }
        paper.word(if index == 0 { "(" } else { ", " });
        paper.word(&escaped(&element.name, None));
        paper.word(" = ");
        value(&element.value, paper);
    }
    if !of.elements.is_empty() {
        paper.word(")");
    }
}

/// A value. The reader of class files bounds how deep they nest.
pub(super) fn value(of: &ElementValue, paper: &mut Paper) {
    match of {
        ElementValue::Byte(value) | ElementValue::Short(value) | ElementValue::Int(value) => {
            paper.word(&value.to_string());
        }
        ElementValue::Char(unit) => paper.word(&character(*unit)),
        ElementValue::Boolean(value) => paper.word(if *value == 0 { "false" } else { "true" }),
        ElementValue::Long(value) => paper.word(&format!("{value}L")),
        ElementValue::Float(bits) => paper.word(&float(*bits)),
        ElementValue::Double(bits) => paper.word(&double(*bits)),
        ElementValue::String(text) => paper.word(&string(text)),
        ElementValue::Enum { descriptor, constant } => {
            paper.word(&format!("{}.{}", of_descriptor(descriptor), escaped(constant, None)));
        }
        ElementValue::Class(descriptor) if *descriptor == "V" => paper.word("void.class"),
        ElementValue::Class(descriptor) => paper.word(&format!("{}.class", of_descriptor(descriptor))),
        ElementValue::Annotation(inner) => annotation(inner, paper),
        ElementValue::Array(values) => {
            paper.word("{");
            for (index, inner) in values.iter().enumerate() {
                if paper.is_full() {
                    return;
                }
                paper.word(if index == 0 { "" } else { ", " });
                value(inner, paper);
            }
            paper.word("}");
        }
    }
}
