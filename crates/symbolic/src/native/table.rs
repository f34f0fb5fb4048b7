//! The table of all methods that the machine implements itself.
//!
//! A method refers to its implementation by number ([`NativeId`]), and the machine has the list of
//! implementations. So neither depends on the other or on this table.

use super::{
    Line, arrays, boxes, classes, given, handles, monitors, nothing, numbers, objects, printing, reflected_arrays,
    reflection, symbols, system, texts, threads, traces, unsafe_access, variables,
};
use crate::machine::Native;
use crate::method::{NativeId, Signature};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Finds the implementation of a method, if the machine has one.
pub fn find(signature: &Signature<'_>) -> Option<NativeId> {
    let Signature { class, name, descriptor, is_native } = *signature;
    let natives = natives();
    if let Some(native) = natives.by_name.get(&*format!("{class}.{name}{descriptor}")) {
        return Some(*native);
    }
    if *class == "java/lang/Thread" && *name == "<init>" {
        return Some(natives.threads);
    }
    if handles::is_unmodelled(&class.as_str(), &name.as_str()) {
        return Some(natives.unmodelled);
    }
    if *class == "jdk/internal/misc/Unsafe"
        && let Some(native) = unsafe_access::find(&name.as_str())
    {
        return Some(NativeId(natives.first_unsafe.0 + native));
    }
    // Libraries bind themselves to their C code in methods with these names.
    let binds = matches!(&*name.as_str(), "registerNatives" | "initIDs") && *descriptor == "()V";
    (binds && is_native).then_some(natives.nothing)
}

/// All implementations, by number.
pub fn implementations() -> &'static [Native] {
    &natives().all
}

struct Natives {
    all: Vec<Native>,
    by_name: HashMap<&'static str, NativeId>,
    threads: NativeId,
    unmodelled: NativeId,
    nothing: NativeId,
    first_unsafe: NativeId,
}

fn natives() -> &'static Natives {
    static NATIVES: OnceLock<Natives> = OnceLock::new();
    NATIVES.get_or_init(|| {
        let lines: Vec<Line> = TABLES.into_iter().flatten().copied().collect();
        let number = |place: usize| NativeId(place as u16);
        let by_name = lines.iter().enumerate().map(|(place, (name, _))| (*name, number(place))).collect();
        let named = lines.len();
        let others: [Native; 3] = [threads::threads, handles::unmodelled, nothing];
        let implementations = lines.into_iter().map(|(_, native)| native);
        Natives {
            all: implementations
                .chain(others)
                .chain(unsafe_access::IMPLEMENTATIONS.map(|(_, native)| native))
                .collect(),
            by_name,
            threads: number(named),
            unmodelled: number(named + 1),
            nothing: number(named + 2),
            first_unsafe: number(named + 3),
        }
    })
}

const TABLES: [&[Line]; 17] = [
    objects::TABLE,
    monitors::TABLE,
    classes::TABLE,
    system::TABLE,
    numbers::TABLE,
    texts::TABLE,
    printing::TABLE,
    symbols::TABLE,
    given::TABLE,
    arrays::TABLE,
    reflected_arrays::TABLE,
    boxes::TABLE,
    handles::TABLE,
    reflection::TABLE,
    threads::TABLE,
    traces::TABLE,
    variables::TABLE,
];
