//! How a farm is set up.

use std::path::PathBuf;

/// How a farm is set up.
#[derive(Clone, Debug)]
pub struct FarmOptions {
    /// The directory for all its files. It must not exist, or be empty.
    pub directory: PathBuf,
    /// The port on which it listens; a free one if there is none.
    pub port: Option<u16>,
    /// How many actions it executes at the same time.
    pub workers: usize,
    /// The platform properties that its workers offer.
    pub properties: Vec<(String, String)>,
    /// Whether the farm is taken down when this process ends, however it ends.
    pub ends_with_us: bool,
}

impl FarmOptions {
    /// A farm in a directory, with two workers on Linux.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        FarmOptions {
            directory: directory.into(),
            port: None,
            workers: 2,
            properties: vec![("OSFamily".to_owned(), "linux".to_owned())],
            ends_with_us: false,
        }
    }
}
