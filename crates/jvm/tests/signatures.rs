//! Tests that the generic signatures of the JDK survive parsing and printing, and that their
//! erasure equals the descriptors.

use lapidary_classfile::{Attributed, Class};
use lapidary_jvm::{ClassSignature, GenericType, MethodSignature, Platform, TypeScope};

/// The classes of the collections library, which has generics of all kinds.
fn classes() -> Vec<Class> {
    let platform = Platform::installed().unwrap();
    let names = platform.classes().unwrap().into_iter().map(|class| class.name);
    let chosen = names.filter(|name| name.starts_with("java/util/") && !name.contains("/concurrent/"));
    chosen.map(|name| Class::read(&platform.find(&name).unwrap()).unwrap()).collect()
}

#[test]
fn signatures_survive_and_erase_to_descriptors() {
    let (mut survived, mut erased) = (0, 0);
    for class in classes() {
        let own = class.signature().map(|text| ClassSignature::parse(text.as_bytes()).unwrap());
        assert_eq!(own.as_ref().map(ClassSignature::signature).as_ref(), class.signature());
        for field in &class.fields {
            let parsed = field.signature().map(|text| GenericType::parse_field(text.as_bytes()).unwrap());
            assert_eq!(parsed.map(|parsed| parsed.signature()).as_ref(), field.signature());
        }
        let scope = TypeScope::default();
        let scope = own.as_ref().map_or(scope.clone(), |own| scope.inside(&own.type_parameters));
        for method in &class.methods {
            let Some(text) = method.signature() else { continue };
            let parsed = MethodSignature::parse(text.as_bytes()).unwrap();
            assert_eq!(parsed.signature(), *text);
            survived += 1;
            // The variables of outer classes are out of scope, and constructors have parameters
            // that are not in the source.
            if !class.name.as_str().contains('$') && method.name != "<init>" {
                let descriptor = scope.erase_method(&parsed).map(|erased| erased.descriptor());
                assert_eq!(descriptor.as_ref(), Some(&method.descriptor), "{} {}", class.name, method.name);
                erased += 1;
            }
        }
    }
    assert!(survived > 1_000 && erased > 500, "{survived} {erased}");
}
