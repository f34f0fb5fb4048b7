//! Bring your own model: items and clauses that any program can write down as JSON, for domains that Lapidary knows
//! nothing about.
//!
//! The format is described in docs/reference/model-format.md, and by docs/reference/model.schema.json for editors and
//! validators. Reading goes from `format` (the shape of the JSON) over `names` and `layout` (labels and paths mean
//! something) to [`JsonModel`]; whatever is wrong on the way is a [`Problem`] that names its place.

mod error;
mod format;
mod layout;
mod model;
mod names;

pub use error::{ModelError, Place, Problem};
pub use model::JsonModel;
