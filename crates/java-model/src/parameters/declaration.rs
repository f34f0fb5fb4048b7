//! Declarations of parameters, other than the descriptor.

use lapidary_classfile::{Annotation, Attribute, Method, TypeAnnotation, TypeTarget, access};
use lapidary_jvm::MethodSignature;

/// Removes parameters from the attributes of a method that had `count` of them. Some compilers omit
/// the parameters they add themselves from such lists. An incomplete list is dropped as a whole,
/// because its entries cannot be matched to parameters.
pub(super) fn remove(method: &mut Method, count: usize, gone: &[usize]) {
    if gone.contains(&count.wrapping_sub(1)) {
        method.access &= !access::VARARGS;
    }
    let is_constructor = method.name == "<init>";
    method.attributes.retain_mut(|attribute| match attribute {
        Attribute::Signature(text) => {
            let Ok(mut signature) = MethodSignature::parse(text.as_bytes()) else { return false };
            let complete = drop_places(&mut signature.parameters, count, gone);
            *text = signature.signature();
            complete
        }
        Attribute::MethodParameters(list) => drop_places(list, count, gone) && !list.is_empty(),
        Attribute::RuntimeVisibleParameterAnnotations(lists)
        | Attribute::RuntimeInvisibleParameterAnnotations(lists) => {
            drop_places(lists, count, gone) && lists.iter().any(|list: &Vec<Annotation>| !list.is_empty())
        }
        Attribute::RuntimeVisibleTypeAnnotations(list) | Attribute::RuntimeInvisibleTypeAnnotations(list) => {
            list.retain_mut(|annotation| stays(annotation, is_constructor, gone));
            !list.is_empty()
        }
        _ => true,
    });
}

/// Removes entries from a list. Returns whether the list had an entry for every parameter.
fn drop_places<T>(list: &mut Vec<T>, count: usize, gone: &[usize]) -> bool {
    let complete = list.len() == count;
    let mut places = 0..;
    list.retain(|_| places.next().is_none_or(|place| !gone.contains(&place)));
    complete
}

/// Returns whether the annotated use of a type is still there. Which parameters of a constructor
/// are counted depends on the compiler.
fn stays(annotation: &mut TypeAnnotation, is_constructor: bool, gone: &[usize]) -> bool {
    let TypeTarget::FormalParameter(place) = &mut annotation.target else { return true };
    let before = gone.iter().filter(|gone| **gone < usize::from(*place)).count();
    let stays = !is_constructor && !gone.contains(&usize::from(*place));
    *place -= before as u8;
    stays
}
