//! User-supplied models: items and clauses that any program can write as JSON, for domains that
//! Lapidary knows nothing about.
//!
//! docs/reference/model-format.md describes the format, and docs/reference/model.schema.json
//! defines it for editors and validators. Reading goes through `format` (the structure of the
//! JSON), then `names` and `layout` (the meaning of labels and paths), to [`JsonModel`]. Every
//! error on the way is a [`Problem`] that names its place.

mod error;
mod format;
mod layout;
mod model;
mod names;

pub use error::{ModelError, Place, Problem};
pub use model::JsonModel;
