//! Options for tests that run on a cluster.

use crate::budget;
use clap::Args;
use lapidary::{Address, Header, Property, RemoteConfig, Tls};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Clone)]
#[command(next_help_heading = "Tests on a cluster")]
pub struct RemoteOptions {
    /// Run the test on a farm that speaks the Remote Execution API: grpc://HOST:PORT[/INSTANCE], or
    /// grpcs:// with encryption.
    ///
    /// The test goes along if it is a file, and so do the files that its arguments name. Programs
    /// on PATH are those of the farm's workers. --jobs says how many tests are on the farm at once.
    #[arg(long, value_name = "ADDRESS")]
    remote: Option<Address>,

    /// A header of every request to the farm, such as 'authorization: Bearer TOKEN'; may be given
    /// several times.
    #[arg(long, value_name = "NAME: VALUE", requires = "remote")]
    remote_header: Vec<Header>,

    /// A property that the farm's workers must have, such as OSFamily=linux; may be given several
    /// times.
    #[arg(long, value_name = "NAME=VALUE", requires = "remote")]
    remote_property: Vec<Property>,

    /// The authority that signed the farm's certificate, as a PEM file [default: those that the
    /// system trusts].
    #[arg(long, value_name = "FILE", requires = "remote")]
    remote_ca: Option<PathBuf>,

    /// Your certificate, as a PEM file, if the farm asks for one.
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_key"])]
    remote_cert: Option<PathBuf>,

    /// The key of your certificate, as a PEM file.
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_cert"])]
    remote_key: Option<PathBuf>,

    /// How long the farm may be out of reach before the run stops [default: 5m].
    #[arg(long, value_name = "TIME", requires = "remote", value_parser = budget::timeout)]
    remote_patience: Option<Duration>,

    /// Run every test, even if the farm has its result from an earlier run.
    #[arg(long, requires = "remote")]
    remote_no_cache: bool,
}

impl RemoteOptions {
    /// The farm that the options describe, if they do.
    pub fn farm(&self) -> Option<RemoteConfig> {
        let mut farm = RemoteConfig::new(self.remote.clone()?);
        farm.headers = self.remote_header.clone();
        farm.properties = self.remote_property.clone();
        let client = self.remote_cert.clone().zip(self.remote_key.clone());
        farm.tls = Tls { ca: self.remote_ca.clone(), client };
        farm.patience = self.remote_patience.unwrap_or(farm.patience);
        farm.use_cache = !self.remote_no_cache;
        Some(farm)
    }
}
