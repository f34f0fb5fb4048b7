//! Tests on a cluster, through the Remote Execution API (version 2).
//!
//! [`RemoteCommand`] is a [`Runner`](lapidary_predicate::Runner): it sends a candidate to a farm,
//! has the test executed there, and brings back what a run on this machine would have shown. The
//! rules that judge a run do not know where it was.
//!
//! `connection.rs` opens the connection and asks what the farm can do. `tree.rs` makes messages of
//! directories, `script.rs` the script that runs the test at the other end, `action.rs` the whole
//! action. `blobs.rs` uploads what the farm lacks, `execution.rs` waits for the end of an action,
//! `retry.rs` says which failures pass.
//!
//! Invariant: the answer about a candidate comes from the farm or is an error. Nothing is run on
//! this machine instead. Everything asynchronous stays in this crate.

#![warn(missing_docs)]

mod action;
mod address;
mod blobs;
mod command;
mod config;
mod connection;
mod digest;
mod error;
mod execution;
mod retry;
mod script;
mod tree;

pub use address::Address;
pub use command::{RemoteCommand, RemoteTest};
pub use config::{Header, Property, RemoteConfig, Tls};
pub use error::RemoteError;
pub use script::{TestFiles, Word};
