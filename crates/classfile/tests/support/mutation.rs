//! Seeded damage to class files: bits, bytes, ranges, and the lengths of attributes.

use lapidary_classfile::raw::ClassFile;
pub use lapidary_common::Random;

const EXTREMES: [u32; 10] = [0, 1, 2, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/// The bytes with a few random changes.
pub fn mutant(original: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(4) {
        wound(&mut bytes, random);
    }
    bytes
}

fn wound(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let length = random.below(8).min(bytes.len() - at);
    match random.below(8) {
        0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        2 => bytes.splice(at..at, (0..length).map(|_| random.below(256) as u8)).for_each(drop),
        3 => bytes.drain(at..at + length).for_each(drop),
        4 if random.below(8) == 0 => bytes.truncate(at),
        5 => overwrite(bytes, at, random),
        6 => lie_about_a_length(bytes, random),
        _ => {
            let from = random.below(bytes.len() - length);
            bytes.copy_within(from..from + length, at);
        }
    }
}

/// Puts an extreme value where a count, an index or a length may be.
fn overwrite(bytes: &mut [u8], at: usize, random: &mut Random) {
    let extreme = EXTREMES[random.below(EXTREMES.len())].to_be_bytes();
    let width = [1, 2, 4][random.below(3)].min(bytes.len() - at);
    bytes[at..at + width].copy_from_slice(&extreme[4 - width..]);
}

fn lie_about_a_length(bytes: &mut [u8], random: &mut Random) {
    let Ok(file) = ClassFile::parse(bytes) else { return };
    let members = file.fields.iter().chain(&file.methods).flat_map(|member| &member.attributes);
    let contents: Vec<usize> = members.chain(&file.attributes).map(|attribute| attribute.offset).collect();
    if let Some(content) = contents.get(random.below(contents.len())) {
        overwrite(bytes, content - 4 + random.below(4), random);
    }
}
