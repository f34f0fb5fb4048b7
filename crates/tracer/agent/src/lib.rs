//! A JVM agent that records each method of the application when it is first entered.
//!
//! When a class of the application is prepared, each of its methods gets a breakpoint on the first
//! instruction; the breakpoint is removed when it is hit. So a method costs time once, and the code
//! that runs afterwards is not slowed down. A line is written to the trace with one `write` before
//! the method's first instruction runs. Whatever happens next, whether exit, halt or a kill, the
//! entered methods are in the file.
//!
//! The agent is one shared library without dependencies. The build script of `lapidary-tracer`
//! embeds it in that crate. The same sources are also an example of the crate, so that cargo checks
//! them like all other code.
//!
//! Invariant: nothing here panics, and a JVM that refuses a request runs on without it.

mod environment;
mod jvmti;
mod objects;
mod options;
mod recorder;

use environment::Environment;
use jvmti::{Callbacks, Class, Event, JavaVm, Jni, JvmtiPointer, Location, MethodId, Object, Value, capability};
use options::Options;
use recorder::Recorder;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

static RECORDER: OnceLock<Recorder> = OnceLock::new();

const REFUSED: c_int = -1;

/// The entry point that the JVM calls when it starts with `-agentpath:THIS=OPTIONS`.
///
/// # Safety
/// The JVM passes a pointer to itself, and options that are a C string or null.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(vm: *mut JavaVm, options: *const c_char, _reserved: *mut c_void) -> c_int {
    // SAFETY: the JVM promises a string that lives as long as this call.
    let options = if options.is_null() { c"" } else { unsafe { CStr::from_ptr(options) } };
    match start(vm, &options.to_string_lossy()) {
        Ok(()) => 0,
        Err(problem) => {
            eprintln!("lapidary tracer: {problem}");
            REFUSED
        }
    }
}

fn start(vm: *mut JavaVm, options: &str) -> Result<(), String> {
    let options = Options::parse(options)?;
    let environment = Environment::of(vm).ok_or("this JVM has no tool interface of version 9 or newer")?;
    let mut capabilities = vec![capability::BREAKPOINT_EVENTS];
    if options.objects {
        capabilities.extend([capability::METHOD_EXIT_EVENTS, capability::TAG_OBJECTS, capability::LOCAL_VARIABLES]);
    }
    environment
        .add_capabilities(&capabilities)
        .map_err(|code| format!("the JVM refuses breakpoints (error {code})"))?;
    let recorder = Recorder::open(&options)?;
    if RECORDER.set(recorder).is_err() {
        return Err("it is loaded already".to_owned());
    }
    environment.set_callbacks(&callbacks()).map_err(|code| format!("the JVM refuses call-backs (error {code})"))?;
    let mut events = vec![Event::ClassPrepare, Event::Breakpoint, Event::VmDeath];
    if options.objects {
        events.push(Event::MethodExit);
    }
    for event in events {
        environment.enable(event).map_err(|code| format!("the JVM refuses {event:?} events (error {code})"))?;
    }
    Ok(())
}

fn callbacks() -> Callbacks {
    Callbacks {
        vm_death: Some(vm_death),
        class_prepare: Some(class_prepare),
        breakpoint: Some(breakpoint),
        method_exit: Some(method_exit),
        ..Callbacks::default()
    }
}

extern "system" fn class_prepare(jvmti: JvmtiPointer, jni: Jni, _thread: Object, class: Class) {
    let environment = Environment::new(jvmti);
    if environment.is_of_application(jni, class) {
        environment.methods(class).into_iter().for_each(|method| environment.set_breakpoint(method));
    }
}

extern "system" fn breakpoint(jvmti: JvmtiPointer, _jni: Jni, thread: Object, method: MethodId, _at: Location) {
    let environment = Environment::new(jvmti);
    if let Some(recorder) = RECORDER.get() {
        recorder.entered(&environment, thread, method);
    }
    environment.clear_breakpoint(method);
}

extern "system" fn method_exit(
    jvmti: JvmtiPointer,
    jni: Jni,
    thread: Object,
    method: MethodId,
    by_exception: u8,
    value: Value,
) {
    if let (Some(recorder), 0) = (RECORDER.get(), by_exception) {
        objects::returned(recorder, &Environment::new(jvmti), &objects::Exit { jni, thread, method, value });
    }
}

extern "system" fn vm_death(_jvmti: JvmtiPointer, _jni: Jni) {
    if let Some(recorder) = RECORDER.get() {
        recorder.ended();
    }
}
