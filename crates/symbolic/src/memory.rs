//! The memory use of the process.

/// The resident memory in bytes, or `None` if the system does not report it. Takes some
/// microseconds.
pub fn resident() -> Option<u64> {
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = sizes.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Linux usually has pages of 4 KiB. Where pages are larger, memory use is underestimated.
const PAGE: u64 = 4096;
