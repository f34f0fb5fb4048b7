//! Attributes kept as bytes that may point into their original constant pool.

use crate::{Attribute, Class};

/// Attributes of other languages whose content is known to hold no indices.
const WITHOUT_INDICES: [&[u8]; 3] = [b"Scala", b"ScalaSig", b"TASTY"];

impl Class {
    /// Returns whether the class is written with its original constant pool, because some attribute
    /// kept as bytes may point into it. Dropping these attributes saves more than their own size.
    pub fn keeps_original_pool(&self) -> bool {
        self.original_pool.is_some() && self.has_bytes_with_indices()
    }

    pub(crate) fn has_bytes_with_indices(&self) -> bool {
        let members = self.fields.iter().map(|field| &field.attributes);
        let members = members.chain(self.methods.iter().map(|method| &method.attributes));
        members.chain([&self.attributes]).flatten().any(has_indices)
    }
}

fn has_indices(attribute: &Attribute) -> bool {
    match attribute {
        Attribute::Unknown { name, bytes } => bytes.len() >= 2 && !WITHOUT_INDICES.contains(&name.as_bytes()),
        Attribute::Code(code) => code.attributes.iter().any(has_indices),
        Attribute::Record(components) => components.iter().flat_map(|part| &part.attributes).any(has_indices),
        _ => false,
    }
}
