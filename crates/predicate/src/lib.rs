//! Placeholder root of the crate.
