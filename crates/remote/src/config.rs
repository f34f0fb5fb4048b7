//! The settings of a farm: how to reach it, and which properties its workers must have.

use crate::address::Address;
use crate::error::RemoteError;
use std::path::PathBuf;
use std::time::Duration;
use tonic::metadata::{Ascii, MetadataKey, MetadataValue};

/// How a farm is reached and what its workers must offer.
#[derive(Clone, Debug)]
pub struct RemoteConfig {
    /// The farm's address.
    pub address: Address,
    /// Headers of every request, such as a token that allows it.
    pub headers: Vec<Header>,
    /// The properties that a worker must have to run the test.
    pub properties: Vec<Property>,
    /// The certificates, if the connection is encrypted.
    pub tls: Tls,
    /// How long a farm may be unreachable during a run before the run ends.
    pub patience: Duration,
    /// Whether results of earlier runs, also of others, are taken from the farm's cache.
    pub use_cache: bool,
}

impl RemoteConfig {
    /// Settings without headers, properties and certificates.
    pub fn new(address: Address) -> Self {
        RemoteConfig {
            address,
            headers: Vec::new(),
            properties: Vec::new(),
            tls: Tls::default(),
            patience: Duration::from_secs(300),
            use_cache: true,
        }
    }
}

/// The certificates of an encrypted connection, as PEM files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// The authority that signed the farm's certificate; by default, those that the system trusts.
    pub ca: Option<PathBuf>,
    /// The client's certificate and its key, if the farm asks for one.
    pub client: Option<(PathBuf, PathBuf)>,
}

/// A header of every request.
#[derive(Clone)]
pub struct Header {
    pub(crate) name: MetadataKey<Ascii>,
    pub(crate) value: MetadataValue<Ascii>,
}

impl std::str::FromStr for Header {
    type Err = RemoteError;

    /// Reads `NAME: VALUE`.
    fn from_str(text: &str) -> Result<Self, RemoteError> {
        // The value may be a secret, so the message does not repeat it.
        let (name, value) = text.split_once(':').ok_or(RemoteError::Header)?;
        let name = MetadataKey::from_bytes(name.trim().to_ascii_lowercase().as_bytes());
        let value = MetadataValue::try_from(value.trim());
        match (name, value) {
            (Ok(name), Ok(mut value)) => {
                value.set_sensitive(true);
                Ok(Header { name, value })
            }
            _ => Err(RemoteError::Header),
        }
    }
}

impl std::fmt::Debug for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: …", self.name)
    }
}

/// A property of a worker, such as its operating system or the image of its container.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Property {
    /// The property's name, as the farm defines it.
    pub name: String,
    /// The property's value.
    pub value: String,
}

impl std::str::FromStr for Property {
    type Err = RemoteError;

    /// Reads `NAME=VALUE`.
    fn from_str(text: &str) -> Result<Self, RemoteError> {
        match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok(Property { name: name.to_owned(), value: value.to_owned() }),
            _ => Err(RemoteError::Property(text.to_owned())),
        }
    }
}

impl std::fmt::Display for Property {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_keep_their_secrets() {
        let header: Header = "Authorization: Bearer abc:def".parse().unwrap();
        assert_eq!(header.name.as_str(), "authorization");
        assert_eq!(header.value.to_str().unwrap(), "Bearer abc:def");
        assert!(!format!("{header:?}").contains("abc"));
        let error = "secret".parse::<Header>().unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn properties_have_a_name() {
        assert_eq!("image=a=b".parse::<Property>().unwrap().value, "a=b");
        assert!("linux".parse::<Property>().is_err() && "=x".parse::<Property>().is_err());
    }
}
