//! Z3 as a library, loaded on demand. Building Lapidary does not need Z3, and neither does running
//! any command that is not symbolic.
//!
//! Only the function that evaluates SMT-LIB text is used, which is the same in all versions.

use super::conversation::{Conversation, SolverError};
use crate::Curfew;
use libloading::Library;
use std::ffi::{CStr, CString, OsString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::process::Command;

type Handle = *mut c_void;
type Evaluate = unsafe extern "C" fn(Handle, *const c_char) -> *const c_char;
type Stop = unsafe extern "C" fn(Handle);
type ErrorHandler = unsafe extern "C" fn(Handle, c_int);

/// The names and paths under which the library is looked for.
pub fn usual_places() -> impl Iterator<Item = PathBuf> {
    let named = ["libz3.so.4", "libz3.so"].map(PathBuf::from);
    named.into_iter().chain(std::iter::once_with(python_library).flatten())
}

/// A loaded library.
pub struct Z3 {
    library: Library,
    path: PathBuf,
}

impl Z3 {
    /// Loads the library at a path, or by a name that the system's loader finds.
    pub fn load(path: PathBuf) -> Result<Z3, SolverError> {
        // SAFETY: initialising Z3 has no requirements.
        match unsafe { Library::new(&path) } {
            // SAFETY: the function is looked up, not called.
            Ok(library) => match unsafe { library.get::<Evaluate>(b"Z3_eval_smtlib2_string") } {
                Ok(_) => Ok(Z3 { library, path }),
                Err(_) => Err(SolverError::Library { path, reason: "it is not Z3".into() }),
            },
            Err(error) => Err(SolverError::Library { path, reason: error.to_string() }),
        }
    }

    /// Opens a new, empty context.
    pub fn open(&self, curfew: Curfew) -> Result<Z3Conversation, SolverError> {
        let function =
            |reason: libloading::Error| SolverError::Library { path: self.path.clone(), reason: reason.to_string() };
        // SAFETY: these are the types of the functions in z3_api.h. Everything created here is
        // freed as required there: the configuration immediately, the context when the conversation
        // ends, while the library is still loaded.
        unsafe {
            let make_config =
                self.library.get::<unsafe extern "C" fn() -> Handle>(b"Z3_mk_config").map_err(function)?;
            let delete_config = self.library.get::<unsafe extern "C" fn(Handle)>(b"Z3_del_config").map_err(function)?;
            let make =
                self.library.get::<unsafe extern "C" fn(Handle) -> Handle>(b"Z3_mk_context").map_err(function)?;
            let delete = self.library.get::<unsafe extern "C" fn(Handle)>(b"Z3_del_context").map_err(function)?;
            let handle_errors = self
                .library
                .get::<unsafe extern "C" fn(Handle, Option<ErrorHandler>)>(b"Z3_set_error_handler")
                .map_err(function)?;
            let evaluate = self.library.get::<Evaluate>(b"Z3_eval_smtlib2_string").map_err(function)?;
            let stop = self.library.get::<Stop>(b"Z3_interrupt").map_err(function)?;
            let config = make_config();
            let context = make(config);
            delete_config(config);
            handle_errors(context, Some(ignore_error));
            let (evaluate, delete, stop) = (*evaluate, *delete, *stop);
            let library = Z3::load(self.path.clone())?;
            Ok(Z3Conversation { context, evaluate, delete, stop, curfew, _library: library })
        }
    }
}

/// An error handler that does nothing. Errors are part of the answer's text, and without a handler
/// Z3 would end the process.
unsafe extern "C" fn ignore_error(_: Handle, _: c_int) {}

/// The library in Python's `z3` package.
fn python_library() -> Option<PathBuf> {
    let program =
        "import importlib.util as u; s = u.find_spec('z3'); print(s.submodule_search_locations[0] if s else '')";
    let output = Command::new("python3").args(["-c", program]).output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    let library = PathBuf::from(OsString::from(folder.trim())).join("lib/libz3.so");
    library.exists().then_some(library)
}

/// A context of the loaded library.
pub struct Z3Conversation {
    context: Handle,
    evaluate: Evaluate,
    delete: unsafe extern "C" fn(Handle),
    stop: Stop,
    curfew: Curfew,
    /// Keeps the code loaded.
    _library: Z3,
}

// SAFETY: a context is not tied to a thread. Two threads must not use it at once, which `&mut`
// guarantees.
unsafe impl Send for Z3Conversation {}

impl Conversation for Z3Conversation {
    fn ask(&mut self, commands: &str) -> Result<String, SolverError> {
        let commands = CString::new(commands).map_err(|_| SolverError::Broken("a zero byte in a question".into()))?;
        let (context, evaluate, stop) = (self.context as usize, self.evaluate, self.stop);
        // SAFETY: the context is alive and the text ends with zero. The answer lives until the next
        // call and is copied. Another thread may interrupt a context at any time, and it does so
        // only until the answer is there.
        let answer = self.curfew.during(
            move || unsafe { stop(context as Handle) },
            || unsafe {
                let answer = evaluate(context as Handle, commands.as_ptr());
                (!answer.is_null()).then(|| CStr::from_ptr(answer).to_string_lossy().into_owned())
            },
        );
        answer.ok_or(SolverError::Interrupted)?.ok_or_else(|| SolverError::Broken("Z3 gave no answer".into()))
    }
}

impl Drop for Z3Conversation {
    fn drop(&mut self) {
        // SAFETY: the context was created by the library that deletes it, and is not used again.
        unsafe { (self.delete)(self.context) }
    }
}
