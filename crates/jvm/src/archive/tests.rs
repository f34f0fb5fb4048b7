//! Tests with jars that are intact, odd, damaged or hostile.

use super::*;

fn jar_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    write_jar(entries.iter().copied(), Compression::Deflated).unwrap()
}

/// A jar with an entry name that the writer would reject: it is written with another name of equal
/// length, which is then replaced throughout the bytes.
fn jar_with_renamed(entries: &[(&str, &[u8])], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = jar_of(entries);
    let places: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(from.as_bytes())).collect();
    assert_eq!(places.len(), 2);
    places.into_iter().for_each(|at| bytes[at..at + to.len()].copy_from_slice(to.as_bytes()));
    bytes
}

fn read(bytes: &[u8]) -> Result<Jar, ArchiveError> {
    read_jar(bytes, &Limits::default())
}

fn oddities(bytes: &[u8]) -> Vec<(String, OddityKind)> {
    read(bytes).unwrap().oddities.into_iter().map(|oddity| (oddity.name, oddity.kind)).collect()
}

#[test]
fn what_is_written_is_read_and_the_manifest_comes_first() {
    let entries: [(&str, &[u8]); 4] = [("p/", b""), ("p/A.class", b"aaaa"), (MANIFEST, b"m"), ("empty", b"")];
    for compression in [Compression::Stored, Compression::Deflated] {
        let bytes = write_jar(entries, compression).unwrap();
        assert_eq!(bytes, write_jar(entries, compression).unwrap());
        let jar = read(&bytes).unwrap();
        let read: Vec<(&str, &[u8])> =
            jar.entries.iter().map(|entry| (entry.name.as_str(), &entry.bytes[..])).collect();
        assert_eq!(read, [entries[2], entries[0], entries[1], entries[3]]);
        assert!(jar.entries[1].is_directory());
        assert_eq!(jar.oddities, []);
    }
}

const MANIFEST: &str = "META-INF/MANIFEST.MF";

#[test]
fn a_cut_archive_is_an_error_wherever_it_is_cut() {
    let bytes = jar_of(&[("a", b"hello hello hello"), ("b", b"more")]);
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "cut at {length}");
    }
    assert!(matches!(read(b"\xca\xfe\xba\xbe"), Err(ArchiveError::NotAnArchive { .. })));
}

#[test]
fn a_damaged_entry_is_named() {
    let mut bytes = write_jar([("some/File", &b"content"[..])], Compression::Stored).unwrap();
    let at = bytes.windows(7).position(|window| window == b"content").unwrap();
    bytes[at] ^= 1;
    assert!(matches!(read(&bytes), Err(ArchiveError::Damaged { name, .. }) if name == "some/File"));
}

#[test]
fn an_encrypted_entry_is_refused() {
    let mut bytes = jar_of(&[("secret", b"content")]);
    let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[6] |= 1;
    bytes[central + 8] |= 1;
    assert!(matches!(read(&bytes), Err(ArchiveError::Encrypted { name }) if name == "secret"));
}

#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    let zeros = vec![0; 1 << 20];
    let bytes = jar_of(&[("a", &zeros), ("b", &zeros)]);
    let refused = |limits| read_jar(&bytes, &limits).unwrap_err();
    let size = Limits { total_bytes: (2 << 20) - 1, ratio: u64::MAX, ..Limits::default() };
    assert!(matches!(refused(size), ArchiveError::TooLarge { .. }));
    let ratio = Limits { ratio: 100, ratio_from_bytes: 1 << 20, ..Limits::default() };
    assert!(matches!(refused(ratio), ArchiveError::RatioTooHigh { limit: 100 }));
    let entries = Limits { entries: 1, ..Limits::default() };
    assert!(matches!(refused(entries), ArchiveError::TooManyEntries { limit: 1 }));
    assert!(read_jar(&bytes, &Limits { total_bytes: 2 << 20, ..Limits::default() }).is_ok());
}

#[test]
fn names_that_leave_the_directory_are_odd() {
    for name in ["/etc/passwd", "//x", "../x", "a/../../x", "a\\b", "C:x", "a/.."] {
        assert_eq!(oddities(&jar_of(&[(name, b"")])), [(name.into(), OddityKind::LeavesDirectory)], "{name}");
    }
    for name in ["a//b", "./a", "a/./b", "a/.", "a//"] {
        assert_eq!(oddities(&jar_of(&[(name, b"")])), [(name.into(), OddityKind::Roundabout)], "{name}");
    }
    for name in ["a..b/c", "a/b/", "..a", "META-INF/x"] {
        assert_eq!(oddities(&jar_of(&[(name, b"")])), [], "{name}");
    }
}

#[test]
fn names_that_clash_are_odd() {
    let bytes = jar_with_renamed(&[("same", b"1"), ("sama", b"2")], "sama", "same");
    assert_eq!(oddities(&bytes), [("same".into(), OddityKind::Shadowed)]);
    assert_eq!(read(&bytes).unwrap().entries.len(), 2);
    let bytes = jar_of(&[("p/A.class", b""), ("p/a.class", b"")]);
    let kind = OddityKind::DiffersInCase { from: "p/A.class".into() };
    assert_eq!(oddities(&bytes), [("p/a.class".into(), kind)]);
    let bytes = jar_of(&[("p", b""), ("p.q", b""), ("p/A", b""), ("q", b"")]);
    assert_eq!(oddities(&bytes), [("p".into(), OddityKind::FileAndDirectory)]);
}

#[test]
fn a_name_that_is_not_unicode_survives() {
    let mut bytes = jar_of(&[("aXb", b"1")]);
    for at in 0..bytes.len() - 3 {
        if &bytes[at..at + 3] == b"aXb" {
            bytes[at + 1] = 0xff;
        }
    }
    assert_eq!(oddities(&bytes), [("a\u{ff}b".into(), OddityKind::NameNotUnicode)]);
}

#[test]
fn the_last_of_equal_names_is_written() {
    let bytes = write_jar([("a", &b"1"[..]), ("b", b"2"), ("a", b"3")], Compression::Stored).unwrap();
    let jar = read(&bytes).unwrap();
    let names: Vec<&str> = jar.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["b", "a"]);
    assert_eq!(&jar.entries[1].bytes[..], b"3");
}

#[test]
fn bytes_changed_at_random_never_make_it_panic() {
    let original = jar_of(&[("META-INF/MANIFEST.MF", b"m"), ("p/A.class", &[7; 300]), ("p/B.class", b"short")]);
    let limits = Limits { total_bytes: 1 << 20, ..Limits::default() };
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % limit
    };
    let mut refused = 0;
    for _ in 0..5_000 {
        let mut bytes = original.clone();
        for _ in 0..=below(4) {
            let at = below(bytes.len());
            bytes[at] = [0, 0xff, below(256) as u8][below(3)];
        }
        refused += usize::from(read_jar(&bytes, &limits).is_err());
    }
    assert!((100..5_000).contains(&refused), "{refused}");
}

#[test]
fn a_size_that_is_not_true_is_odd() {
    let mut bytes = jar_of(&[("a", b"hello hello hello")]);
    let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[central + 24..central + 28].copy_from_slice(&0xffff_fffe_u32.to_le_bytes());
    let kind = OddityKind::WrongSize { said: 0xffff_fffe, found: 17 };
    assert_eq!(oddities(&bytes), [("a".into(), kind)]);
    assert_eq!(&read(&bytes).unwrap().entries[0].bytes[..], b"hello hello hello");
}

#[test]
fn the_type_of_a_document_is_not_compressed() {
    let bytes = jar_of(&[("mimetype", b"application/epub+zip"), ("a", b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]);
    assert_eq!(&bytes[30..58], b"mimetypeapplication/epub+zip");
}
