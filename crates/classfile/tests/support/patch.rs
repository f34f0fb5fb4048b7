//! Class files with an additional attribute.

use lapidary_classfile::raw::{ClassFile, Constant};

/// The class with an attribute that no specification defines. Its bytes may hold indices, so
/// reading and writing must keep the constant pool, and therefore every byte of a class that a
/// compiler wrote in its usual way.
pub fn with_unknown_attribute(bytes: &[u8]) -> Vec<u8> {
    let file = ClassFile::parse(bytes).expect("only valid classes are patched");
    let Constant::Class(name) = file.pool.get(file.this_class) else { unreachable!("a class has a name") };
    let table: usize = file.attributes.iter().map(|attribute| 6 + attribute.bytes.len()).sum();
    let count_at = bytes.len() - table - 2;
    let mut patched = bytes.to_vec();
    patched[count_at..count_at + 2].copy_from_slice(&(file.attributes.len() as u16 + 1).to_be_bytes());
    patched.extend(name.to_be_bytes());
    patched.extend([0, 0, 0, 2, 0, 1]);
    patched
}
