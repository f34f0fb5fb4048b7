//! Mutations that know nothing of what they change.

use lapidary_common::Random;

/// Numbers at which readers err: around zero and at the limits of 8, 16, 32 and 64 bits.
const INTERESTING: [u64; 12] = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX];

/// No mutant is longer than this.
const LONGEST: usize = 1 << 16;

/// A mutant of an input: one to six changes, one of which may take a part of another input.
pub(crate) fn mutate(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutant = input.to_vec();
    for _ in 0..=random.below(6) {
        change(&mut mutant, other, random);
    }
    mutant.truncate(LONGEST);
    mutant
}

fn change(mutant: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let (start, end) = range(mutant.len(), random);
    let at = start.min(mutant.len().saturating_sub(1));
    match random.below(9) {
        0 if !mutant.is_empty() => mutant[at] ^= 1 << random.below(8),
        1 if !mutant.is_empty() => mutant[at] = random.next() as u8,
        2 => put_number(mutant, start, random),
        3 => _ = mutant.drain(start..end),
        4 => {
            let part = mutant[start..end].to_vec();
            let times = 1 + random.below(4);
            mutant.splice(start..start, part.repeat(times));
        }
        5 => mutant.truncate(start),
        6 => {
            let (from, to) = range(other.len(), random);
            mutant.splice(start..end, other[from..to].iter().copied());
        }
        7 => mutant[start..end].reverse(),
        _ => {
            let bytes: Vec<u8> = (0..=random.below(8)).map(|_| random.next() as u8).collect();
            mutant.splice(start..start, bytes);
        }
    }
}

/// A range that is mostly short.
fn range(length: usize, random: &mut Random) -> (usize, usize) {
    let start = random.below(length + 1);
    let longest = if random.below(4) == 0 { length } else { 16 };
    (start, (start + random.below(longest + 1)).min(length))
}

/// Overwrites one, two, four or eight bytes with an interesting number.
fn put_number(mutant: &mut [u8], start: usize, random: &mut Random) {
    let bytes = INTERESTING[random.below(INTERESTING.len())].to_be_bytes();
    let width = 1 << random.below(4);
    for (place, byte) in mutant.iter_mut().skip(start).zip(&bytes[8 - width..]) {
        *place = *byte;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_repeat_and_differ() {
        let run = |seed| {
            let mut random = Random::new(seed);
            (0..200).map(|_| mutate(b"some input", b"another", &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        let all: std::collections::BTreeSet<_> = run(1).into_iter().collect();
        assert!(all.len() > 150, "only {} of 200 mutants differ", all.len());
        assert!(run(2).iter().all(|mutant| mutant.len() <= LONGEST));
    }

    #[test]
    fn nothing_can_be_mutated() {
        let mut random = Random::new(3);
        (0..1000).for_each(|_| _ = mutate(b"", b"", &mut random));
    }
}
