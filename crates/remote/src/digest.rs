//! Digests: how the Remote Execution API names contents.

use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use lapidary_reduce::Blob;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The digest of a content: its hash and its size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest {
    hash: [u8; 32],
    size: u64,
}

impl Digest {
    /// The size of the content in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Converts the digest to the API's message.
    pub fn to_api(self) -> api::Digest {
        api::Digest { hash: self.hash_in_hex(), size_bytes: self.size as i64 }
    }

    /// The hash in hexadecimal.
    pub fn hash_in_hex(&self) -> String {
        self.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads a digest that the farm sent. Returns `None` if it is malformed.
    pub fn from_api(digest: &api::Digest) -> Option<Digest> {
        let hash = lapidary_reduce::Key::parse(&digest.hash)?.0;
        Some(Digest { hash, size: u64::try_from(digest.size_bytes).ok()? })
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.hash_in_hex(), self.size)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A function that makes digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestFunction {
    /// SHA-256, which every farm knows.
    Sha256,
    /// BLAKE3, which is faster.
    Blake3,
}

impl DigestFunction {
    /// Chooses one of the functions that a farm offers. A farm that says nothing uses SHA-256.
    pub fn choose(offered: &[i32]) -> Option<DigestFunction> {
        let offers = |function: DigestFunction| offered.contains(&(function.to_api() as i32));
        if offered.is_empty() || offers(DigestFunction::Sha256) {
            return Some(DigestFunction::Sha256);
        }
        offers(DigestFunction::Blake3).then_some(DigestFunction::Blake3)
    }

    /// The API's value for the function.
    pub fn to_api(self) -> api::digest_function::Value {
        match self {
            DigestFunction::Sha256 => api::digest_function::Value::Sha256,
            DigestFunction::Blake3 => api::digest_function::Value::Blake3,
        }
    }

    /// The part of a blob's resource name that names the function; older farms know only names
    /// without it.
    pub fn path(self) -> &'static str {
        match self {
            DigestFunction::Sha256 => "",
            DigestFunction::Blake3 => "blake3/",
        }
    }

    /// Computes the digest of bytes.
    pub fn digest(self, bytes: &[u8]) -> Digest {
        let mut hasher = self.hasher();
        hasher.update(bytes);
        hasher.finish()
    }

    /// Returns a hasher for bytes that come in pieces.
    pub fn hasher(self) -> Hasher {
        let state = match self {
            DigestFunction::Sha256 => State::Sha256(Box::new(ring::digest::Context::new(&ring::digest::SHA256))),
            DigestFunction::Blake3 => State::Blake3(Box::default()),
        };
        Hasher { state, size: 0 }
    }
}

/// A digest in the making.
pub struct Hasher {
    state: State,
    size: u64,
}

enum State {
    Sha256(Box<ring::digest::Context>),
    Blake3(Box<blake3::Hasher>),
}

impl Hasher {
    /// Adds bytes to the digest.
    pub fn update(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        match &mut self.state {
            State::Sha256(context) => context.update(bytes),
            State::Blake3(hasher) => _ = hasher.update(bytes),
        }
    }

    /// Returns the digest of all bytes that were added.
    pub fn finish(self) -> Digest {
        let mut hash = [0; 32];
        match self.state {
            State::Sha256(context) => hash.copy_from_slice(context.finish().as_ref()),
            State::Blake3(hasher) => hash = *hasher.finalize().as_bytes(),
        }
        Digest { hash, size: self.size }
    }
}

/// Remembers the digests of files that candidates share.
pub struct Digests {
    function: DigestFunction,
    known: Mutex<HashMap<lapidary_reduce::Key, Digest>>,
}

impl Digests {
    const MOST: usize = 1 << 20;

    /// Makes an empty memory of digests.
    pub fn new(function: DigestFunction) -> Self {
        Digests { function, known: Mutex::default() }
    }

    /// The function that makes the digests.
    pub fn function(&self) -> DigestFunction {
        self.function
    }

    /// Returns the digest of a file, computed at most once.
    pub fn of(&self, content: &Blob) -> Digest {
        let key = content.key();
        if self.function == DigestFunction::Blake3 {
            return Digest { hash: key.0, size: content.len() as u64 };
        }
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = known().get(&key) {
            return *digest;
        }
        let digest = self.function.digest(content);
        let mut known = known();
        if known.len() >= Self::MOST {
            known.clear();
        }
        known.insert(key, digest);
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standards() {
        let sha = DigestFunction::Sha256.digest(b"abc");
        assert_eq!(sha.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad/3");
        let blake = DigestFunction::Blake3.digest(b"abc");
        assert_eq!(blake.to_string(), "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85/3");
        for function in [DigestFunction::Sha256, DigestFunction::Blake3] {
            let digests = Digests::new(function);
            let content = Blob::from("abc");
            assert_eq!([digests.of(&content), digests.of(&content)], [function.digest(b"abc"); 2]);
        }
        assert_eq!(Digest::from_api(&sha.to_api()), Some(sha));
    }

    #[test]
    fn a_farm_is_asked_for_a_function_that_it_offers() {
        use api::digest_function::Value;
        let chosen =
            |offered: &[Value]| DigestFunction::choose(&offered.iter().map(|value| *value as i32).collect::<Vec<_>>());
        assert_eq!(chosen(&[]), Some(DigestFunction::Sha256));
        assert_eq!(chosen(&[Value::Sha1, Value::Blake3]), Some(DigestFunction::Blake3));
        assert_eq!(chosen(&[Value::Blake3, Value::Sha256]), Some(DigestFunction::Sha256));
        assert_eq!(chosen(&[Value::Sha1]), None);
    }
}
