//! Farms for tests: BuildGrid and PostgreSQL, which `scripts/setup farm` installs.

use lapidary_farm::{Farm, FarmOptions};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A farm with four workers that all tests of this program share.
///
/// # Panics
/// If a farm cannot be started; the message says what is missing.
pub fn shared() -> &'static Farm {
    static FARM: OnceLock<Farm> = OnceLock::new();
    FARM.get_or_init(|| own(4))
}

/// A farm of its own, for a test that breaks it. It ends with this process at the latest.
///
/// # Panics
/// If a farm cannot be started; the message says what is missing.
pub fn own(workers: usize) -> Farm {
    static FARMS: AtomicU32 = AtomicU32::new(0);
    let number = FARMS.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("lapidary-test-farm-{}-{number}", std::process::id()));
    let options = FarmOptions { workers, ends_with_us: true, ..FarmOptions::new(directory) };
    Farm::up(&options).unwrap_or_else(|error| panic!("{error}"))
}
