//! How much memory the process holds.

/// Bytes in memory; none where the system does not tell. Asking costs some microseconds.
pub fn resident() -> Option<u64> {
    let sizes = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = sizes.split(' ').nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Linux counts in pages of 4 KiB on every machine that we have met; where they are larger, the limit is later than said.
const PAGE: u64 = 4096;
