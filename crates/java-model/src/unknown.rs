//! Attributes that no specification defines. In a changed class they may refer to parts that were
//! removed.

use lapidary_classfile::{Attribute, Class};

/// Drops unknown attributes from the class and all its parts.
pub(crate) fn drop_all(class: &mut Class) {
    class.attributes.retain(is_known);
    drop_inside(class);
}

/// Drops unknown attributes from the parts of a class: members, their code, and record components.
pub(crate) fn drop_inside(class: &mut Class) {
    let members = class.fields.iter_mut().map(|field| &mut field.attributes);
    let members = members.chain(class.methods.iter_mut().map(|method| &mut method.attributes));
    members.for_each(drop_from);
    class.attributes.iter_mut().for_each(drop_within);
}

fn drop_from(attributes: &mut Vec<Attribute>) {
    attributes.retain(is_known);
    attributes.iter_mut().for_each(drop_within);
}

fn drop_within(attribute: &mut Attribute) {
    match attribute {
        Attribute::Code(code) => drop_from(&mut code.attributes),
        Attribute::Record(components) => {
            components.iter_mut().for_each(|component| drop_from(&mut component.attributes));
        }
        _ => {}
    }
}

fn is_known(attribute: &Attribute) -> bool {
    !matches!(attribute, Attribute::Unknown { .. })
}
