//! Attributes that no specification knows. In a class that was changed they may refer to what has gone.

use lapidary_classfile::{Attribute, Class};

/// Drops them from the class and from everything in it.
pub(crate) fn drop_all(class: &mut Class) {
    class.attributes.retain(is_known);
    drop_inside(class);
}

/// Drops those of what is in the class: members, their code, components of a record.
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
