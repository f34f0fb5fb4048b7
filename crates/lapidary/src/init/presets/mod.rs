//! The table of failures that are known, one row each. The first row that recognises the run writes
//! the draft.

mod c_compiler;
mod crash;
mod decompiler;
mod differs;
mod guard;
mod hang;
mod java;
mod messages;
mod python_path;
mod row;
mod rust;
mod text;

use super::call::Call;
use super::lab::Lab;
use super::seen::Seen;
use row::Row;
pub use row::{Recognised, Wishes};

/// A row of the table.
struct Preset {
    name: &'static str,
    recognise: Recognise,
}

type Recognise = fn(&Row<'_>) -> anyhow::Result<Option<Recognised>>;

const PRESETS: &[Preset] = &[
    Preset { name: "decompiler", recognise: decompiler::suggested },
    Preset { name: "hang", recognise: hang::never_ends },
    Preset { name: "missed-optimisation", recognise: text::in_assembly },
    Preset { name: "wrong-code", recognise: differs::compiled },
    Preset { name: "different-output", recognise: differs::commands },
    Preset { name: "text", recognise: text::asked_for },
    Preset { name: "gcc-ice", recognise: c_compiler::gcc_ice },
    Preset { name: "clang-crash", recognise: c_compiler::clang_crash },
    Preset { name: "rustc-ice", recognise: rust::ice },
    Preset { name: "javac-crash", recognise: java::compiler_crash },
    Preset { name: "jvm-crash", recognise: java::machine_crash },
    Preset { name: "sanitizer", recognise: crash::sanitizer },
    Preset { name: "assertion", recognise: crash::assertion },
    Preset { name: "panic", recognise: crash::panic },
    Preset { name: "rustc-error", recognise: rust::error },
    Preset { name: "rustc-warning", recognise: rust::warning },
    Preset { name: "javac-error", recognise: java::compiler_error },
    Preset { name: "linker", recognise: messages::linker },
    Preset { name: "c-error", recognise: c_compiler::error },
    Preset { name: "c-warning", recognise: c_compiler::warning },
    Preset { name: "python", recognise: messages::python },
    Preset { name: "node", recognise: messages::node },
    Preset { name: "java", recognise: java::exception },
    Preset { name: "interpreter", recognise: messages::interpreter },
    Preset { name: "json", recognise: messages::json },
    Preset { name: "sql", recognise: messages::sql },
    Preset { name: "signal", recognise: crash::signal },
    Preset { name: "other", recognise: messages::other },
];

/// The names of all presets, in the order in which they are tried.
pub fn names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

/// The draft of the first row that knows the failure.
pub fn recognise(seen: &Seen<'_>, wishes: &Wishes) -> anyhow::Result<Option<Recognised>> {
    for preset in PRESETS {
        let row = Row { seen, wishes, name: preset.name };
        if let Some(recognised) = (preset.recognise)(&row)? {
            return Ok(Some(recognised));
        }
    }
    Ok(None)
}

/// The command with what it needs in another directory.
pub fn prepared(call: Call, lab: &Lab) -> anyhow::Result<Call> {
    c_compiler::with_headers(call, lab)
}
