//! Values as arguments of calls.

use crate::inputs::{Expression, ExpressionSort};
use crate::names::{SourceCall, SourceNames};
use lapidary_jvm::{FieldType, MethodType};

/// The arguments of a call by name.
pub fn direct(names: &SourceNames<'_>, values: &[Expression], type_: &MethodType, callable: SourceCall) -> String {
    let argument = |(value, wanted): (&Expression, &FieldType)| match names.type_(wanted) {
        Some(name) if wanted.is_reference() => passed(value, &name, callable.needs_casts),
        _ => value.text.clone(),
    };
    values.iter().zip(&type_.parameters).map(argument).collect::<Vec<_>>().join(", ")
}

/// A value where an object of a type is wanted, with a cast if the compiler needs it.
pub fn passed(value: &Expression, type_: &str, needs_cast: bool) -> String {
    let is_known = value.sort != ExpressionSort::Untyped || type_ == "Object";
    if is_known && !needs_cast { value.text.clone() } else { format!("({type_}) {}", value.text) }
}

/// The arguments of a call that takes any number of objects after the first ones.
pub fn listed(first: String, values: &[Expression]) -> String {
    let is_ambiguous = values.len() == 1 && matches!(values[0].sort, ExpressionSort::Null | ExpressionSort::Array);
    let cast = if is_ambiguous { "(Object) " } else { "" };
    let rest: String = values.iter().map(|value| format!(", {cast}{}", value.text)).collect();
    first + &rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_array_or_null_is_one_argument() {
        let value = |text: &str, sort| Expression { text: text.to_owned(), sort };
        let first = || "A.class".to_owned();
        assert_eq!(listed(first(), &[]), "A.class");
        assert_eq!(listed(first(), &[value("null", ExpressionSort::Null)]), "A.class, (Object) null");
        assert_eq!(listed(first(), &[value("array1", ExpressionSort::Array)]), "A.class, (Object) array1");
        let two = [value("null", ExpressionSort::Null), value("3", ExpressionSort::Number)];
        assert_eq!(listed(first(), &two), "A.class, null, 3");
    }
}
