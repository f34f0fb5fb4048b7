//! The structure of a model file. Labels and paths are plain strings here; they are interpreted
//! later.

use crate::Problem;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::marker::PhantomData;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    /// Accepted and ignored; editors find the schema through it.
    #[serde(rename = "$schema")]
    _schema: Option<IgnoredAny>,
    #[serde(rename = "format")]
    _format: IgnoredAny,
    pub name: String,
    pub items: Vec<Object<ItemEntry>>,
    pub auxiliary: Option<Vec<String>>,
    pub clauses: Option<Vec<Object<ClauseEntry>>>,
    pub preference: Option<Vec<Object<ClauseEntry>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ItemEntry {
    pub label: String,
    pub kind: Option<String>,
    pub parent: Option<String>,
    pub cost: Option<u64>,
    pub text: Option<String>,
    pub from: Option<String>,
    pub file: Option<String>,
    pub executable: Option<bool>,
    pub placeholder: Option<String>,
}

/// A clause. A missing `then` is treated as empty, so that both are rejected with the same
/// explanation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClauseEntry {
    #[serde(rename = "if")]
    pub premises: Option<Vec<String>>,
    #[serde(rename = "then")]
    pub conclusions: Option<Vec<String>>,
}

impl ClauseEntry {
    pub fn premises(&self) -> &[String] {
        self.premises.as_deref().unwrap_or_default()
    }

    pub fn conclusions(&self) -> &[String] {
        self.conclusions.as_deref().unwrap_or_default()
    }
}

/// Formats a clause in logical notation: `a ∧ b ⇒ c ∨ d`.
impl fmt::Display for ClauseEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.premises().is_empty() {
            write!(f, "{} ⇒ ", joined(self.premises(), " ∧ "))?;
        }
        match self.conclusions() {
            [] => write!(f, "false"),
            conclusions => write!(f, "{}", joined(conclusions, " ∨ ")),
        }
    }
}

/// Parses a document. The version is checked first, so that a document of another version is not
/// rejected for its fields.
pub(crate) fn document(json: &[u8]) -> Result<Document, Problem> {
    #[derive(Deserialize)]
    struct Version {
        #[serde(default)]
        format: Value,
    }
    let Object(Version { format }) = serde_json::from_slice(json)?;
    match format {
        Value::Number(number) if number.as_u64() == Some(1) => {
            let Object(document) = serde_json::from_slice(json)?;
            Ok(document)
        }
        Value::Null => Err(Problem::WrongVersion { found: "missing".to_owned() }),
        other => Err(Problem::WrongVersion { found: shortened(&other.to_string()) }),
    }
}

/// A `T` that is written as a JSON object. By default, serde also accepts an array of the fields in
/// order, which the format does not allow.
pub(crate) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// The number of labels to show; more would make a message longer but not clearer.
const LABELS_SHOWN: usize = 8;

fn joined(labels: &[String], separator: &str) -> String {
    let mut shown: Vec<String> = labels.iter().take(LABELS_SHOWN).map(|label| shortened(label)).collect();
    if labels.len() > LABELS_SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(separator)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
