//! Class files as text. A class that stays the same from one result to the next is disassembled once.

use lapidary::Blob;
use lapidary_classfile::Class;
use lapidary_jvm::disassemble;
use lapidary_reduce::Key;
use std::collections::HashMap;
use std::sync::Arc;

/// The texts of classes, by the content of their files.
#[derive(Default)]
pub(crate) struct Classes {
    texts: HashMap<Key, Used>,
    round: u64,
}

struct Used {
    /// `None` for a file that is no class, whatever its beginning says.
    text: Option<Arc<str>>,
    /// The last round in which it was asked for.
    round: u64,
}

impl Classes {
    /// The text of a class file; `None` for any other file.
    pub(crate) fn text(&mut self, content: &Blob) -> Option<Arc<str>> {
        if !content.starts_with(&[0xca, 0xfe, 0xba, 0xbe]) {
            return None;
        }
        let make = || Class::read(content).ok().map(|class| disassemble(&class).into());
        let used = self.texts.entry(content.key()).or_insert_with(|| Used { text: make(), round: 0 });
        used.round = self.round;
        used.text.clone()
    }

    /// Forgets all classes that were not asked for since the last call.
    pub(crate) fn forget_unused(&mut self) {
        let round = self.round;
        self.texts.retain(|_, used| used.round == round);
        self.round += 1;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use lapidary_classfile::{Field, Version};

    /// A class with fields of these names.
    pub(crate) fn class(name: &str, fields: &[&str]) -> Vec<u8> {
        let mut class = Class::new(Version { major: 61, minor: 0 }, name, Some("java/lang/Object".into()));
        let field =
            |name: &&str| Field { access: 0, name: (*name).into(), descriptor: "I".into(), attributes: Vec::new() };
        class.fields = fields.iter().map(field).collect();
        class.write().unwrap()
    }

    #[test]
    fn a_class_is_disassembled_once_and_forgotten_when_it_is_gone() {
        let mut classes = Classes::default();
        let [one, two] = ["p/One", "p/Two"].map(|name| Blob::from(class(name, &["x"])));
        let first = classes.text(&one).unwrap();
        assert!(first.contains("class p.One {\n  int x;\n}"), "{first}");
        classes.forget_unused();
        let again = classes.text(&Blob::from(one.to_vec())).unwrap();
        assert!(Arc::ptr_eq(&first, &again), "the content decides, not the file");
        classes.text(&two);
        classes.forget_unused();
        classes.text(&two);
        classes.forget_unused();
        assert!(!Arc::ptr_eq(&first, &classes.text(&one).unwrap()));
    }

    #[test]
    fn damaged_classes_and_other_files_have_no_text() {
        let mut classes = Classes::default();
        let files = [&b"\xca\xfe\xba\xbe\0\0"[..], b"text", b""];
        assert!(files.iter().all(|bytes| classes.text(&Blob::from(bytes.to_vec())).is_none()));
    }
}
