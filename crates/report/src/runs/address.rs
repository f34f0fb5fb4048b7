//! The address of one page in another.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// The address of a file in a page that lies in a folder; both without `..` in them. It begins with
/// a dot, so that no name in it is taken for a protocol.
#[must_use]
pub fn address(folder: &Path, file: &Path) -> String {
    let is_same = |(one, other): &(Component<'_>, Component<'_>)| one == other;
    let common = folder.components().zip(file.components()).take_while(is_same).count();
    let up = folder.components().count() - common;
    let mut address = if up == 0 { ".".to_owned() } else { vec![".."; up].join("/") };
    for part in file.components().skip(common) {
        address.push('/');
        for byte in part.as_os_str().as_bytes() {
            let _ = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    write!(address, "{}", char::from(*byte))
                }
                _ => write!(address, "%{byte:02X}"),
            };
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_relative_and_no_name_in_it_is_obeyed() {
        let of = |folder: &str, file: &str| address(Path::new(folder), Path::new(file));
        assert_eq!(of("/a/b", "/a/b/c/d.html"), "./c/d.html");
        assert_eq!(of("/a/b", "/a/x.html"), "../x.html");
        assert_eq!(of("/a/b/c", "/d.html"), "../../../d.html");
        assert_eq!(
            of("/a", "/a/javascript:alert(1)/é \"?#.html"),
            "./javascript%3Aalert%281%29/%C3%A9%20%22%3F%23.html"
        );
    }
}
