//! The settings of a farm.

use std::path::PathBuf;

/// The settings of a farm.
#[derive(Clone, Debug)]
pub struct FarmOptions {
    /// The directory for all files of the farm. It must be empty or not exist yet.
    pub directory: PathBuf,
    /// The port on which the farm listens; `None` picks a free one.
    pub port: Option<u16>,
    /// The number of actions that the farm executes at once.
    pub workers: usize,
    /// The platform properties that the farm's workers offer.
    pub properties: Vec<(String, String)>,
    /// Whether the farm is taken down when this process ends, however it ends.
    pub ends_with_us: bool,
}

impl FarmOptions {
    /// The settings of a farm in a directory, with two workers on Linux.
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
