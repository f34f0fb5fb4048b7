//! Tests with well-formed and malformed signatures.

use super::*;
use crate::descriptor::FieldType;

fn names(set: &std::collections::BTreeSet<Text>) -> Vec<String> {
    set.iter().map(Text::to_string).collect()
}

#[test]
fn a_class_signature_comes_apart_and_back_together() {
    let text = "<K::Ljava/lang/Comparable<-TK;>;V:Lp/Base;:Lp/I;U:TV;>Lp/Outer<TK;>.Inner<[TV;+Lp/B;*>;Lp/J<[I>;";
    let parsed = ClassSignature::parse(text).unwrap();
    assert_eq!(parsed.signature().to_string(), text);
    assert_eq!(parsed.type_parameters.len(), 3);
    assert_eq!(parsed.superclass.name(), Text::from("p/Outer$Inner"));
    assert_eq!(parsed.superclass.segments[1].arguments.len(), 3);
    assert_eq!(parsed.interfaces.len(), 1);
    let mentions = parsed.mentions();
    let classes = ["java/lang/Comparable", "p/B", "p/Base", "p/I", "p/J", "p/Outer", "p/Outer$Inner"];
    assert_eq!(names(&mentions.classes), classes);
    assert_eq!(names(&mentions.variables), ["K", "V"]);
}

#[test]
fn a_method_signature_comes_apart_and_back_together() {
    let text = "<T:Ljava/lang/Object;E:Ljava/lang/Exception;>(ITT;[[Ljava/util/List<*>;)TT;^TE;^Ljava/io/IOException;";
    let parsed = MethodSignature::parse(text).unwrap();
    assert_eq!(parsed.signature().to_string(), text);
    assert_eq!(parsed.throws.len(), 2);
    assert_eq!(MethodSignature::parse("()V").unwrap().result, None);
}

#[test]
fn erasure_follows_the_leftmost_bound() {
    let class = ClassSignature::parse("<A:Lp/Base<TA;>;B::Lp/I;C:>Ljava/lang/Object;").unwrap();
    let method = MethodSignature::parse("<D:TA;C::Lp/J;>(TD;[TB;TC;Lp/Outer<TA;>.In<TB;>;)TA;").unwrap();
    let scope = TypeScope::default().inside(&class.type_parameters);
    let erased = scope.erase_method(&method).unwrap();
    assert_eq!(erased.to_string(), "(Lp/Base;[Lp/I;Lp/J;Lp/Outer$In;)Lp/Base;");
    let unbounded = GenericType::Variable(Text::from("C"));
    assert_eq!(scope.erase(&unbounded), Some(FieldType::Object(Text::from("java/lang/Object"))));
}

#[test]
fn unknown_and_circular_variables_have_no_erasure() {
    let class = ClassSignature::parse("<A:TB;B:TA;>Ljava/lang/Object;").unwrap();
    let scope = TypeScope::default().inside(&class.type_parameters);
    assert_eq!(scope.erase(&GenericType::Variable(Text::from("A"))), None);
    assert_eq!(scope.erase(&GenericType::Variable(Text::from("Z"))), None);
}

#[test]
fn nonsense_is_an_error() {
    for bad in ["", "I", "Lp/A", "Lp/A<>;", "Lp/A<*;", "Lp/A.;", "TT", "T;", "[", "[V", "Lp/A;x", "Lp/A<I>;", "L<*>;"] {
        assert!(GenericType::parse_field(bad).is_err(), "{bad}");
    }
    for bad in ["", "()", "<>()V", "<T>()V", "(V)V", "()V^", "()V^I", "()V^[Lp/A;", "()VI"] {
        assert!(MethodSignature::parse(bad).is_err(), "{bad}");
    }
    for bad in ["", "TT;", "<T:>", "Lp/A;I", "Lp/A;TT;"] {
        assert!(ClassSignature::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn depth_is_limited() {
    let nested = |levels: usize| format!("{}*{}", "Lp/A<".repeat(levels), ">;".repeat(levels));
    assert!(GenericType::parse_field(nested(200)).is_ok());
    assert!(matches!(GenericType::parse_field(nested(100_000)), Err(SyntaxError::TooDeep { .. })));
    let array = format!("{}TT;", "[".repeat(100_000));
    assert!(matches!(GenericType::parse_field(array), Err(SyntaxError::TooDeep { .. })));
}
