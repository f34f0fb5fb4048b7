//! Why tests cannot run on a farm.

use crate::retry::is_about_connection;
use lapidary_reduce::PredicateError;
use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;
use thiserror::Error;
use tonic::{Code, Status};

/// Why tests cannot run on a farm. Each message says what to do.
#[derive(Debug, Error)]
pub enum RemoteError {
    /// The address cannot be read.
    #[error("`{0}` is not the address of a farm: {1}")]
    Address(String, &'static str),
    /// A header cannot be read.
    #[error("a header for the farm is not of the form `name: value`")]
    Header,
    /// A property cannot be read.
    #[error("`{0}` is not a property of a worker: write NAME=VALUE, as in OSFamily=linux")]
    Property(String),
    /// A certificate or key cannot be used.
    #[error("{0} cannot be used as a certificate or key: {1}")]
    Certificate(PathBuf, String),
    /// Nobody answers at the address.
    #[error("no farm can be reached at {address}: {problem}; check the address, and that the farm is up")]
    Unreachable {
        /// The address.
        address: String,
        /// The problem.
        problem: String,
    },
    /// Something answers at the address, but not a farm.
    #[error(
        "what answers at {address} is not a farm that speaks the Remote Execution API: {problem}; check the port, and whether it is grpc:// or grpcs://"
    )]
    NotAFarm {
        /// The address.
        address: String,
        /// The problem.
        problem: String,
    },
    /// The farm has no such instance.
    #[error(
        "the farm does not know the instance `{instance}`: {problem}; the address names it, as in grpc://host:port/instance"
    )]
    Instance {
        /// The instance.
        instance: String,
        /// The words of the farm.
        problem: String,
    },
    /// The farm asks for permission.
    #[error(
        "the farm does not let us in: {0}; give it a token with --remote-header or a certificate with --remote-cert"
    )]
    Unauthorised(String),
    /// The farm lacks something that we need.
    #[error("the farm cannot run tests: {0}")]
    Incapable(String),
    /// The farm refuses a request.
    #[error("the farm refuses the test: {problem}{}", wanted(properties))]
    Refused {
        /// The words of the farm.
        problem: String,
        /// The properties that we asked for.
        properties: String,
    },
    /// The farm did not answer for too long.
    #[error(
        "the farm at {address} has not answered for {} s: {problem}; the run can go on with --resume once it does, or without --remote on this machine",
        waited.as_secs()
    )]
    Gone {
        /// The address.
        address: String,
        /// How long we waited.
        waited: Duration,
        /// The last problem.
        problem: String,
    },
    /// No worker took the first test.
    #[error(
        "no worker of the farm has taken the test for {} s{}; check that it has such workers and that they are not all busy, or wait longer with --remote-patience",
        waited.as_secs(), wanted(properties)
    )]
    NoWorker {
        /// How long we waited.
        waited: Duration,
        /// The properties that we asked for.
        properties: String,
    },
    /// The farm sent something else than it says.
    #[error("the farm sent wrong data: {0}; its results cannot be trusted")]
    Lies(String),
    /// The candidate cannot be sent.
    #[error("the candidate cannot be sent to a farm: {0}")]
    Candidate(String),
    /// The worker lacks the program that is the test.
    #[error(
        "the farm's workers have no `{0}`: install it there, choose others with --remote-property, or name a file as the test, which then goes along"
    )]
    NoProgram(String),
    /// The system has no threads or sockets to spare.
    #[error("the connection to the farm cannot be set up: {0}")]
    Runtime(std::io::Error),
}

fn wanted(properties: &str) -> String {
    if properties.is_empty() { String::new() } else { format!(" (asked for {properties})") }
}

impl From<RemoteError> for PredicateError {
    fn from(error: RemoteError) -> Self {
        PredicateError::Fatal(error.to_string())
    }
}

impl RemoteError {
    /// The error of a request that is not worth a second try.
    pub(crate) fn of(status: &Status, address: &str, properties: &str) -> RemoteError {
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => RemoteError::Unauthorised(words(status)),
            Code::Unimplemented => RemoteError::Incapable(format!(
                "{address} does not offer a service that tests need ({})",
                words(status)
            )),
            _ => RemoteError::Refused { problem: words(status), properties: properties.to_owned() },
        }
    }
}

/// A status for people: the message, or the name of the code.
pub(crate) fn words(status: &Status) -> String {
    match (is_about_connection(status), status.message().trim()) {
        (true, _) => innermost(status),
        (false, "") => status.code().description().to_owned(),
        (false, message) => message.to_owned(),
    }
}

/// The last reason in a chain of errors, which is the one that says something.
pub(crate) fn innermost(error: &dyn Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
