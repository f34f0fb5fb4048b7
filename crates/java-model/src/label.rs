//! Labels of the items of a program: `p/A`, `p/A<p/B`, `p/A.m:(I)V`, `p/A.m:(I)V!code`.

use lapidary_classfile::{Class, Field, Method, Text};
use std::path::Path;

pub(crate) fn class(class: &Class) -> String {
    class.name.to_string()
}

pub(crate) fn supertype(class: &Class, supertype: &Text) -> String {
    format!("{}<{supertype}", class.name)
}

pub(crate) fn field(class: &Class, field: &Field) -> String {
    format!("{}.{}:{}", class.name, field.name, field.descriptor)
}

pub(crate) fn method(class: &Class, method: &Method) -> String {
    format!("{}.{}:{}", class.name, method.name, method.descriptor)
}

pub(crate) fn resource(path: &Path) -> String {
    format!("file {}", path.display())
}
