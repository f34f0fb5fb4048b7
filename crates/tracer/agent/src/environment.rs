//! A safe wrapper around the tool interface of one JVM.
//!
//! A request that the JVM refuses gives an empty result: a class that is being unloaded or a stack
//! that is gone is no reason to stop.

use crate::jvmti::{
    Callbacks, Class, ErrorCode, Event, Frame, JavaVm, Jni, JvmtiPointer, MethodId, Object, VERSION, capability,
    function, jni, signature,
};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::{size_of, transmute_copy};
use std::ptr::null_mut;

/// The JVM's tool interface, with the functions that the agent calls.
pub struct Environment(JvmtiPointer);

/// A method's name, its descriptor, and the descriptor of its class, as the JVM writes them.
pub struct MethodName {
    pub class: Vec<u8>,
    pub name: Vec<u8>,
    pub descriptor: Vec<u8>,
}

const ABSTRACT_OR_NATIVE: c_int = 0x0400 | 0x0100;

/// Calls a function of the tool interface by its number; `kind` names its type.
macro_rules! call {
    ($environment:expr, $number:ident : $kind:ident $(, $argument:expr)*) => {{
        // SAFETY: the number and the type are those of the specification, and the table outlives
        // the JVM.
        let function: signature::$kind = unsafe { $environment.function(function::$number) };
        #[allow(unused_unsafe, reason = "one of the functions takes a variable number of arguments")]
        // SAFETY: the arguments are of the declared types, and results are written to live
        // locations.
        match unsafe { function($environment.0 $(, $argument)*) } {
            0 => Ok(()),
            code => Err(code),
        }
    }};
}

impl Environment {
    pub fn new(pointer: JvmtiPointer) -> Self {
        Environment(pointer)
    }

    /// The tool interface of a JVM that has one.
    pub fn of(vm: *mut JavaVm) -> Option<Self> {
        let mut pointer: JvmtiPointer = null_mut();
        // SAFETY: `vm` is the table that the JVM passed to the agent, and GetEnv is at this index.
        let get_env: signature::GetEnv = unsafe { transmute_copy(&*(*vm).add(jni::GET_ENV)) };
        (get_env(vm, &mut pointer, VERSION) == 0 && !pointer.is_null()).then_some(Environment(pointer))
    }

    /// The function with this number.
    ///
    /// # Safety
    /// `F` must be the type of the function.
    unsafe fn function<F: Copy>(&self, number: usize) -> F {
        // SAFETY: numbers count from 1, and every number used here is in the table since version 9.
        unsafe { transmute_copy(&*(*self.0).add(number - 1)) }
    }

    pub fn add_capabilities(&self, numbers: &[usize]) -> Result<(), ErrorCode> {
        let mut bits = [0u8; capability::BYTES];
        numbers.iter().for_each(|number| bits[number / 8] |= 1 << (number % 8));
        call!(self, ADD_CAPABILITIES: AddCapabilities, bits.as_ptr())
    }

    pub fn set_callbacks(&self, callbacks: &Callbacks) -> Result<(), ErrorCode> {
        call!(self, SET_EVENT_CALLBACKS: SetEventCallbacks, callbacks, size_of::<Callbacks>() as c_int)
    }

    pub fn enable(&self, event: Event) -> Result<(), ErrorCode> {
        const ENABLE: c_int = 1;
        call!(self, SET_EVENT_NOTIFICATION_MODE: SetEventNotificationMode, ENABLE, event as c_int, null_mut())
    }

    /// Whether a class is part of the application: it belongs neither to the JDK nor to the
    /// machinery of proxies, lambdas and reflection.
    pub fn is_of_application(&self, jni: Jni, class: Class) -> bool {
        let Some(loader) = self.loader(class) else { return false };
        let Some(signature) = self.class_signature(class) else { return false };
        !is_hidden(&signature)
            && !self.is_in_named_module(loader, &signature)
            && !self.is_of_reflection(jni, loader)
            && !self.is_proxy(jni, class)
    }

    /// The class loader; `None` for the boot loader.
    fn loader(&self, class: Class) -> Option<Object> {
        let mut loader = null_mut();
        call!(self, GET_CLASS_LOADER: GetClassLoader, class, &mut loader).ok()?;
        (!loader.is_null()).then_some(loader)
    }

    /// Whether a class is in a named module. The JDK's own classes are, whichever loader has them;
    /// a program on the class path is not.
    fn is_in_named_module(&self, loader: Object, signature: &[u8]) -> bool {
        let name = signature.strip_prefix(b"L").unwrap_or(signature);
        let package = name.iter().rposition(|byte| *byte == b'/').map_or(&[][..], |end| &name[..end]);
        let Ok(package) = CString::new(package) else { return false };
        let mut module = null_mut();
        let asked = call!(self, GET_NAMED_MODULE: GetNamedModule, loader, package.as_ptr(), &mut module);
        asked.is_ok() && !module.is_null()
    }

    /// Whether a loader belongs to reflection: the JDK compiles frequent reflective calls into
    /// classes with a loader of their own.
    fn is_of_reflection(&self, jni: Jni, loader: Object) -> bool {
        let class = class_of(jni, jni::GET_OBJECT_CLASS, loader);
        self.class_signature(class).is_some_and(|name| name.ends_with(b"reflect/DelegatingClassLoader;"))
    }

    fn is_proxy(&self, jni: Jni, class: Class) -> bool {
        let superclass = class_of(jni, jni::GET_SUPERCLASS, class);
        !superclass.is_null() && self.class_signature(superclass).as_deref() == Some(b"Ljava/lang/reflect/Proxy;")
    }

    pub fn class_signature(&self, class: Class) -> Option<Vec<u8>> {
        let mut text: *mut c_char = null_mut();
        call!(self, GET_CLASS_SIGNATURE: GetClassSignature, class, &mut text, null_mut()).ok()?;
        Some(self.taken(text))
    }

    /// The methods of a class that have code.
    pub fn methods(&self, class: Class) -> Vec<MethodId> {
        let (mut count, mut list) = (0, null_mut());
        if call!(self, GET_CLASS_METHODS: GetClassMethods, class, &mut count, &mut list).is_err() || list.is_null() {
            return Vec::new();
        }
        // SAFETY: the JVM wrote `count` methods there, and the agent owns the memory until it is
        // given back.
        let mut methods = unsafe { std::slice::from_raw_parts(list, count.max(0) as usize) }.to_vec();
        self.give_back(list.cast());
        methods.retain(|method| self.modifiers(*method) & ABSTRACT_OR_NATIVE == 0);
        methods
    }

    fn modifiers(&self, method: MethodId) -> c_int {
        let mut modifiers = 0;
        let asked = call!(self, GET_METHOD_MODIFIERS: GetMethodModifiers, method, &mut modifiers);
        asked.map_or(ABSTRACT_OR_NATIVE, |()| modifiers)
    }

    pub fn is_static(&self, method: MethodId) -> bool {
        self.modifiers(method) & 0x0008 != 0
    }

    pub fn set_breakpoint(&self, method: MethodId) {
        // A method without a breakpoint is missing from the trace; nothing can be done about it here.
        let _ = call!(self, SET_BREAKPOINT: Breakpoint, method, 0);
    }

    pub fn clear_breakpoint(&self, method: MethodId) {
        // Another thread that entered the method at the same time may have cleared it.
        let _ = call!(self, CLEAR_BREAKPOINT: Breakpoint, method, 0);
    }

    pub fn method_name(&self, method: MethodId) -> Option<MethodName> {
        let (mut name, mut descriptor, mut class) = (null_mut(), null_mut(), null_mut());
        call!(self, GET_METHOD_DECLARING_CLASS: GetMethodDeclaringClass, method, &mut class).ok()?;
        let class = self.class_signature(class)?;
        call!(self, GET_METHOD_NAME: GetMethodName, method, &mut name, &mut descriptor, null_mut()).ok()?;
        Some(MethodName { class, name: self.taken(name), descriptor: self.taken(descriptor) })
    }

    pub fn declaring_class(&self, method: MethodId) -> Option<Class> {
        let mut class = null_mut();
        call!(self, GET_METHOD_DECLARING_CLASS: GetMethodDeclaringClass, method, &mut class).ok()?;
        Some(class)
    }

    /// The innermost frames of a thread, the running method first.
    pub fn stack(&self, thread: Object, depth: usize) -> Vec<Frame> {
        let mut frames = vec![Frame { method: null_mut(), location: 0 }; depth];
        let mut count = 0;
        let asked = call!(
            self,
            GET_STACK_TRACE: GetStackTrace,
            thread,
            0,
            depth as c_int,
            frames.as_mut_ptr(),
            &mut count
        );
        frames.truncate(if asked.is_ok() { count.max(0) as usize } else { 0 });
        frames
    }

    /// The receiver of a thread's current method.
    pub fn receiver(&self, thread: Object) -> Option<Object> {
        let mut object = null_mut();
        call!(self, GET_LOCAL_OBJECT: GetLocalObject, thread, 0, 0, &mut object).ok()?;
        (!object.is_null()).then_some(object)
    }

    /// The tag of an object; 0 if it was never tagged.
    pub fn tag(&self, object: Object) -> i64 {
        let mut tag = 0;
        call!(self, GET_TAG: GetTag, object, &mut tag).map_or(0, |()| tag)
    }

    pub fn set_tag(&self, object: Object, tag: i64) {
        // Nothing is recorded about an object that cannot be tagged.
        let _ = call!(self, SET_TAG: SetTag, object, tag);
    }

    /// The bytes of a string that the JVM allocated for the agent.
    fn taken(&self, text: *mut c_char) -> Vec<u8> {
        if text.is_null() {
            return Vec::new();
        }
        // SAFETY: the JVM wrote a C string, and the agent owns its memory until it is given back.
        let bytes = unsafe { CStr::from_ptr(text) }.to_bytes().to_vec();
        self.give_back(text.cast());
        bytes
    }

    fn give_back(&self, memory: *mut c_void) {
        // If the JVM refuses the memory, it is merely leaked.
        let _ = call!(self, DEALLOCATE: Deallocate, memory.cast());
    }
}

/// The class that JNI returns for one of two queries: the superclass, or the class of an object.
pub fn class_of(jni: Jni, question: usize, object: Object) -> Class {
    // SAFETY: both functions have this type and take a reference that the JVM passed to the agent.
    let function: signature::ClassOf = unsafe { transmute_copy(&*(*jni).add(question)) };
    function(jni, object)
}

/// Releases a reference before the callback ends.
pub fn forget(jni: Jni, object: Object) {
    // SAFETY: the index is that of the function, and the reference was created for this callback.
    let function: signature::DeleteLocalRef = unsafe { transmute_copy(&*(*jni).add(jni::DELETE_LOCAL_REF)) };
    function(jni, object);
}

/// Whether a class is hidden. Classes of lambdas and the like have a name that no class file could
/// use: it contains a `.`, or before Java 15 a `/` followed by digits.
fn is_hidden(signature: &[u8]) -> bool {
    let name = signature.strip_suffix(b";").unwrap_or(signature);
    let Some(slash) = name.iter().rposition(|byte| *byte == b'/') else { return name.contains(&b'.') };
    let (host, last) = (&name[..slash], &name[slash + 1..]);
    // A class of the program may be called `p/0x1` or `p/1`, but its package is not named like a
    // class that the JVM generates.
    let is_made = [&b"$$"[..], b"LambdaForm"].iter().any(|mark| contains(host, mark));
    let digits = last.strip_prefix(b"0x").unwrap_or(last);
    name.contains(&b'.') || (is_made && !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_classes_are_known_by_their_names() {
        assert!(is_hidden(b"LMain$$Lambda.0x00007f0c04000a00;"));
        assert!(is_hidden(b"LMain$$Lambda$14/0x0000000800066840;"));
        assert!(is_hidden(b"LMain$$Lambda$14/1096979270;"));
        assert!(is_hidden(b"Ljava/lang/invoke/LambdaForm$MH/0x00007f0c04000a00;"));
        assert!(!is_hidden(b"Lpkg/Main$1;"));
        assert!(!is_hidden(b"Lpkg/1A;"));
        assert!(!is_hidden(b"Lpkg/12;"));
        assert!(!is_hidden(b"L$Proxy;"));
    }

    #[test]
    fn callbacks_are_where_the_specification_has_them() {
        let place = |number: usize| (number - 50) * size_of::<usize>();
        assert_eq!(std::mem::offset_of!(Callbacks, vm_death), place(Event::VmDeath as usize));
        assert_eq!(std::mem::offset_of!(Callbacks, class_prepare), place(Event::ClassPrepare as usize));
        assert_eq!(std::mem::offset_of!(Callbacks, breakpoint), place(Event::Breakpoint as usize));
        assert_eq!(std::mem::offset_of!(Callbacks, method_exit), place(Event::MethodExit as usize));
    }
}
