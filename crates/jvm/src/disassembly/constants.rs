//! Constants as Java source writes them, as far as it can.

use super::types::{class_constant, class_name, of_descriptor, of_method};
use lapidary_classfile::{Constant, Handle, HandleKind, MemberRef, Text};
use std::fmt::Write;

/// A constant. A dynamic one is shown by its name and type.
pub(super) fn constant(of: &Constant) -> String {
    match of {
        Constant::Int(value) => value.to_string(),
        Constant::Long(value) => format!("{value}L"),
        Constant::Float(bits) => float(*bits),
        Constant::Double(bits) => double(*bits),
        Constant::String(text) => string(text),
        Constant::Class(name) => format!("{}.class", class_constant(name)),
        Constant::MethodType(descriptor) => of_method(descriptor),
        Constant::MethodHandle(handle) => method_handle(handle),
        Constant::Dynamic(dynamic) => {
            format!("{}: {}", escaped(&dynamic.name, None), of_descriptor(&dynamic.descriptor))
        }
    }
}

pub(super) fn float(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value:?}f") } else { not_finite(value.into(), format!("0x{bits:08x}")) + "f" }
}

pub(super) fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_finite() { format!("{value:?}") } else { not_finite(value, format!("0x{bits:016x}")) }
}

/// Every NaN has bits of its own, and programs can tell them apart.
fn not_finite(value: f64, bits: String) -> String {
    match (value.is_nan(), value > 0.0) {
        (true, _) => format!("NaN({bits})"),
        (false, true) => "Infinity".to_owned(),
        (false, false) => "-Infinity".to_owned(),
    }
}

pub(super) fn string(text: &Text) -> String {
    format!("\"{}\"", escaped(text, Some('"')))
}

pub(super) fn character(unit: i32) -> String {
    let text = Text::from_utf16(&[unit as u16]);
    format!("'{}'", escaped(&text, Some('\'')))
}

/// A text in one line, with escapes for what is not visible and for the quote.
pub(super) fn escaped(text: &Text, quote: Option<char>) -> String {
    let mut out = String::with_capacity(text.as_bytes().len());
    for unit in char::decode_utf16(text.utf16()) {
        match unit {
            Ok('\n') => out.push_str("\\n"),
            Ok('\t') => out.push_str("\\t"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\\') if quote.is_some() => out.push_str("\\\\"),
            Ok(letter) if Some(letter) == quote => out.extend(['\\', letter]),
            Ok(letter) if is_hidden(letter) => unicode(&mut out, letter as u32),
            Ok(letter) => out.push(letter),
            Err(half) => unicode(&mut out, half.unpaired_surrogate().into()),
        }
    }
    out
}

/// Controls, and marks that change the direction or the end of a line.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn unicode(out: &mut String, unit: u32) {
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}

/// A field or method of a class, with its type. The class is left out if it is the one shown.
pub(super) fn member(of: &MemberRef, shown: Option<&Text>, is_field: bool) -> String {
    let owner = if Some(&of.owner) == shown { String::new() } else { class_constant(&of.owner) + "." };
    let name = escaped(&of.name, None);
    match is_field {
        true => format!("{owner}{name}: {}", of_descriptor(&of.descriptor)),
        false => format!("{owner}{name}{}", of_method(&of.descriptor)),
    }
}

/// A method handle: what it does, and to which member.
pub(super) fn method_handle(handle: &Handle) -> String {
    let does = match handle.kind {
        HandleKind::GetField => "getfield",
        HandleKind::GetStatic => "getstatic",
        HandleKind::PutField => "putfield",
        HandleKind::PutStatic => "putstatic",
        HandleKind::InvokeVirtual => "invokevirtual",
        HandleKind::InvokeStatic => "invokestatic",
        HandleKind::InvokeSpecial => "invokespecial",
        HandleKind::NewInvokeSpecial => "new",
        HandleKind::InvokeInterface => "invokeinterface",
    };
    format!("{does} {}", member(&handle.member, None, handle.kind.is_field()))
}

/// A method that makes a call site or a constant, without its type, which is nearly always the same.
pub(super) fn bootstrap(handle: &Handle) -> String {
    format!("{}.{}", class_name(&handle.member.owner), escaped(&handle.member.name, None))
}
