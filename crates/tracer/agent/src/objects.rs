//! Objects that a method outside the application returns to the application.
//!
//! The JVM reports the end of every method, which makes the program some ten times slower, so this
//! is done only on request. An object gets a tag when it is first returned, and the trace says
//! which method of the library returned it.

use crate::environment::{Environment, class_of, forget};
use crate::jvmti::{Jni, MethodId, Object, Value, jni};
use crate::recorder::{Recorder, encoded};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// The tags given out so far.
#[derive(Default)]
pub struct Objects {
    next: i64,
    written: HashSet<(usize, i64)>,
    is_of_application: HashMap<usize, bool>,
    returns_reference: HashMap<usize, bool>,
}

/// The end of a method.
pub struct Exit {
    pub jni: Jni,
    pub thread: Object,
    pub method: MethodId,
    pub value: Value,
}

/// The limit on tagged objects. The first ones are enough to understand a program.
const MOST: i64 = 100_000;

pub fn returned(recorder: &Recorder, environment: &Environment, exit: &Exit) {
    let mut state = recorder.state();
    if !state.objects.returns_reference(environment, exit.method) || exit.value == 0 {
        return;
    }
    let frames = environment.stack(exit.thread, 2);
    let [_, caller] = frames[..] else { return };
    let crosses = !state.objects.is_of_application(environment, exit.jni, exit.method)
        && state.objects.is_of_application(environment, exit.jni, caller.method);
    let object = exit.value as Object;
    let Some(tag) = crosses.then(|| state.objects.tag(environment, object)).flatten() else { return };
    if !state.objects.written.insert((exit.method as usize, tag)) {
        return;
    }
    let mut lines = String::new();
    let Some(number) = state.number(environment, exit.method, &mut lines) else { return };
    let class = class_of(exit.jni, jni::GET_OBJECT_CLASS, object);
    let signature = environment.class_signature(class).unwrap_or_default();
    forget(exit.jni, class);
    let _ = writeln!(lines, "return {number} object={tag} {}", encoded(&signature));
    state.write(&lines);
}

impl Objects {
    /// The tag of an object; a new one if it has none and some are left.
    fn tag(&mut self, environment: &Environment, object: Object) -> Option<i64> {
        match environment.tag(object) {
            0 if self.next >= MOST => None,
            0 => {
                self.next += 1;
                environment.set_tag(object, self.next);
                Some(self.next)
            }
            tag => Some(tag),
        }
    }

    fn returns_reference(&mut self, environment: &Environment, method: MethodId) -> bool {
        *self.returns_reference.entry(method as usize).or_insert_with(|| {
            let descriptor = environment.method_name(method).map_or(Vec::new(), |name| name.descriptor);
            let result = descriptor.iter().rposition(|byte| *byte == b')').map_or(0, |end| end + 1);
            matches!(descriptor.get(result), Some(b'L' | b'['))
        })
    }

    fn is_of_application(&mut self, environment: &Environment, jni: Jni, method: MethodId) -> bool {
        *self.is_of_application.entry(method as usize).or_insert_with(|| {
            environment.declaring_class(method).is_some_and(|class| environment.is_of_application(jni, class))
        })
    }
}
