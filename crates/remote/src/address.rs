//! The address of a farm, as `--remote` takes it: `grpc://HOST:PORT/INSTANCE` or `grpcs://…`.

use crate::error::RemoteError;
use std::fmt;
use std::str::FromStr;

/// The port of gRPC with TLS if the address names none.
const SECURE_PORT: u16 = 443;

/// The address of a farm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The host and the port, as in `HOST:PORT`.
    authority: String,
    /// The instance name of the farm; empty if the farm has no named instances.
    instance: String,
    is_secure: bool,
}

impl Address {
    /// The instance name, which every request carries.
    pub(crate) fn instance(&self) -> &str {
        &self.instance
    }

    /// Whether the connection is encrypted.
    pub fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// The address as an `http://` or `https://` URI.
    pub(crate) fn uri(&self) -> String {
        format!("{}://{}", if self.is_secure { "https" } else { "http" }, self.authority)
    }
}

impl FromStr for Address {
    type Err = RemoteError;

    fn from_str(text: &str) -> Result<Self, RemoteError> {
        let wrong = |why| RemoteError::Address(text.to_owned(), why);
        let (scheme, rest) =
            text.split_once("://").ok_or_else(|| wrong("it does not begin with grpc:// or grpcs://"))?;
        let is_secure = match scheme {
            "grpc" | "http" => false,
            "grpcs" | "https" => true,
            _ => return Err(wrong("it does not begin with grpc:// or grpcs://")),
        };
        let (authority, instance) = rest.split_once('/').unwrap_or((rest, ""));
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "@?#\\".contains(c);
        if authority.contains(is_odd) {
            return Err(wrong("its host has a character that no host has"));
        }
        // The port follows the last colon, but an address in brackets has colons of its own.
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, Some(port)),
            _ => (authority, None),
        };
        if host.is_empty() {
            return Err(wrong("it names no host"));
        }
        let port = match port {
            Some(port) => port.parse().map_err(|_| wrong("its port is not a number below 65536"))?,
            None if is_secure => SECURE_PORT,
            None => return Err(wrong("it names no port, as in grpc://host:8980")),
        };
        let instance = instance.trim_end_matches('/').to_owned();
        Ok(Address { authority: format!("{host}:{port}"), instance, is_secure })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.is_secure { "grpcs" } else { "grpc" }, self.authority)?;
        if self.instance.is_empty() { Ok(()) } else { write!(f, "/{}", self.instance) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_have_a_host_a_port_and_perhaps_an_instance() {
        assert_eq!(parsed("grpc://farm:8980").uri(), "http://farm:8980");
        assert_eq!(parsed("grpcs://farm.example/a/b/").uri(), "https://farm.example:443");
        assert_eq!(parsed("grpcs://farm.example/a/b/").instance(), "a/b");
        assert_eq!(parsed("grpc://[::1]:50/x").uri(), "http://[::1]:50");
        assert_eq!(parsed("grpc://farm:8980/main").to_string(), "grpc://farm:8980/main");
    }

    #[test]
    fn wrong_addresses_are_explained() {
        for (text, part) in [
            ("farm:8980", "grpc://"),
            ("ftp://farm:1", "grpc://"),
            ("grpc://farm", "no port"),
            ("grpc://:80", "no host"),
            ("grpc://farm:99999", "port"),
            ("grpc://me@farm:80", "character"),
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(text), "{error}");
        }
    }
}
