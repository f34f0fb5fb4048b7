//! The options of the agent: `trace=FILE,depth=N,reachable=FILE,objects`.
//!
//! Paths are percent-encoded, because a comma ends an option.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The options that the agent is started with.
#[derive(Debug, Default, PartialEq)]
pub struct Options {
    /// The file for the trace.
    pub trace: PathBuf,
    /// The number of frames of each stack to write.
    pub depth: usize,
    /// The methods that an analysis found reachable. If given, a stack is written only for the
    /// first method that is not among them.
    pub reachable: Option<PathBuf>,
    /// Whether to record objects that the library returns to the application.
    pub objects: bool,
}

impl Options {
    pub fn parse(text: &str) -> Result<Options, String> {
        let mut options = Options { depth: 64, ..Options::default() };
        for option in text.split(',').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match name {
                "trace" => options.trace = path(value)?,
                "reachable" => options.reachable = Some(path(value)?),
                "depth" => options.depth = value.parse().map_err(|_| format!("`{value}` is no depth"))?,
                "objects" => options.objects = true,
                _ => return Err(format!("there is no option `{name}`")),
            }
        }
        if options.trace.as_os_str().is_empty() {
            return Err("the option trace=FILE is missing".to_owned());
        }
        Ok(options)
    }
}

fn path(text: &str) -> Result<PathBuf, String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes().iter();
    while let Some(byte) = rest.next() {
        let digits = [rest.as_slice().first(), rest.as_slice().get(1)];
        match (byte, digits) {
            (b'%', [Some(high), Some(low)]) => {
                let digit = |byte: u8| char::from(byte).to_digit(16).ok_or_else(|| format!("`{text}` is no path"));
                bytes.push((digit(*high)? * 16 + digit(*low)?) as u8);
                rest.nth(1);
            }
            _ => bytes.push(*byte),
        }
    }
    Ok(OsString::from_vec(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let options = Options::parse("trace=/tmp/a%2cb%20c,depth=3,objects").unwrap();
        assert_eq!(options, Options { trace: "/tmp/a,b c".into(), depth: 3, reachable: None, objects: true });
    }

    #[test]
    fn wrong_options_are_named() {
        assert!(Options::parse("depth=3").unwrap_err().contains("trace"));
        assert!(Options::parse("trace=x,deep=3").unwrap_err().contains("deep"));
        assert!(Options::parse("trace=x,depth=many").unwrap_err().contains("many"));
        assert!(Options::parse("trace=%zz").is_err());
    }
}
