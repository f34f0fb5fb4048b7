//! The part of the JVM Tool Interface and of JNI that the agent uses, at the positions that their
//! specifications fix.
//!
//! Both interfaces are tables of function pointers that only ever grow at their end. A table is a
//! pointer here, and a function is called by its number. Unused functions are not declared.

use std::ffi::{c_char, c_int, c_uchar, c_void};

pub type Object = *mut c_void;
pub type Class = *mut c_void;
pub type MethodId = *mut c_void;
pub type Location = i64;
/// A pointer to the table of the tool interface.
pub type JvmtiPointer = *mut *const *const c_void;
/// A pointer to the table of JNI.
pub type Jni = *mut *const *const c_void;
/// The table of the JVM itself.
pub type JavaVm = *const *const c_void;
/// The result of a method: eight bytes, whatever the type.
pub type Value = u64;
/// An error code of the tool interface, never 0.
pub type ErrorCode = c_int;

/// Version 9 of the tool interface: the first that knows modules.
pub const VERSION: c_int = 0x3009_0000;

/// One frame of a stack.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Frame {
    pub method: MethodId,
    pub location: Location,
}

#[derive(Clone, Copy, Debug)]
pub enum Event {
    VmDeath = 51,
    ClassPrepare = 56,
    Breakpoint = 62,
    MethodExit = 66,
}

/// Indices of bits in the set of capabilities.
pub mod capability {
    pub const TAG_OBJECTS: usize = 0;
    pub const LOCAL_VARIABLES: usize = 14;
    pub const BREAKPOINT_EVENTS: usize = 19;
    pub const METHOD_EXIT_EVENTS: usize = 25;
    /// The size of the set in bytes.
    pub const BYTES: usize = 16;
}

/// Functions of the tool interface by their numbers, which count from 1.
pub mod function {
    pub const SET_EVENT_NOTIFICATION_MODE: usize = 2;
    pub const GET_LOCAL_OBJECT: usize = 21;
    pub const SET_BREAKPOINT: usize = 38;
    pub const CLEAR_BREAKPOINT: usize = 39;
    pub const GET_NAMED_MODULE: usize = 40;
    pub const DEALLOCATE: usize = 47;
    pub const GET_CLASS_SIGNATURE: usize = 48;
    pub const GET_CLASS_METHODS: usize = 52;
    pub const GET_CLASS_LOADER: usize = 57;
    pub const GET_METHOD_NAME: usize = 64;
    pub const GET_METHOD_DECLARING_CLASS: usize = 65;
    pub const GET_METHOD_MODIFIERS: usize = 66;
    pub const GET_STACK_TRACE: usize = 104;
    pub const GET_TAG: usize = 106;
    pub const SET_TAG: usize = 107;
    pub const SET_EVENT_CALLBACKS: usize = 122;
    pub const ADD_CAPABILITIES: usize = 142;
}

/// Functions of JNI and of the JVM by their indices, which count from 0.
pub mod jni {
    pub const GET_SUPERCLASS: usize = 10;
    pub const DELETE_LOCAL_REF: usize = 23;
    pub const GET_OBJECT_CLASS: usize = 31;
    /// The index in the table of the JVM.
    pub const GET_ENV: usize = 6;
}

type Unused = Option<extern "system" fn()>;

/// The callbacks for events, in the order of their numbers from 50 on, up to the last one used.
#[derive(Default)]
#[repr(C)]
pub struct Callbacks {
    pub vm_init: Unused,
    pub vm_death: Option<extern "system" fn(JvmtiPointer, Jni)>,
    pub before_class_prepare: [Unused; 4],
    pub class_prepare: Option<extern "system" fn(JvmtiPointer, Jni, Object, Class)>,
    pub before_breakpoint: [Unused; 5],
    pub breakpoint: Option<extern "system" fn(JvmtiPointer, Jni, Object, MethodId, Location)>,
    pub before_method_exit: [Unused; 3],
    pub method_exit: Option<extern "system" fn(JvmtiPointer, Jni, Object, MethodId, c_uchar, Value)>,
}

/// The types of the functions above.
pub mod signature {
    use super::*;

    pub type SetEventNotificationMode = unsafe extern "C" fn(JvmtiPointer, c_int, c_int, Object, ...) -> ErrorCode;
    pub type GetLocalObject = extern "system" fn(JvmtiPointer, Object, c_int, c_int, *mut Object) -> ErrorCode;
    pub type Breakpoint = extern "system" fn(JvmtiPointer, MethodId, Location) -> ErrorCode;
    pub type GetNamedModule = extern "system" fn(JvmtiPointer, Object, *const c_char, *mut Object) -> ErrorCode;
    pub type Deallocate = extern "system" fn(JvmtiPointer, *mut c_uchar) -> ErrorCode;
    pub type GetClassSignature =
        extern "system" fn(JvmtiPointer, Class, *mut *mut c_char, *mut *mut c_char) -> ErrorCode;
    pub type GetClassMethods = extern "system" fn(JvmtiPointer, Class, *mut c_int, *mut *mut MethodId) -> ErrorCode;
    pub type GetClassLoader = extern "system" fn(JvmtiPointer, Class, *mut Object) -> ErrorCode;
    pub type GetMethodName =
        extern "system" fn(JvmtiPointer, MethodId, *mut *mut c_char, *mut *mut c_char, *mut *mut c_char) -> ErrorCode;
    pub type GetMethodDeclaringClass = extern "system" fn(JvmtiPointer, MethodId, *mut Class) -> ErrorCode;
    pub type GetMethodModifiers = extern "system" fn(JvmtiPointer, MethodId, *mut c_int) -> ErrorCode;
    pub type GetStackTrace =
        extern "system" fn(JvmtiPointer, Object, c_int, c_int, *mut Frame, *mut c_int) -> ErrorCode;
    pub type GetTag = extern "system" fn(JvmtiPointer, Object, *mut i64) -> ErrorCode;
    pub type SetTag = extern "system" fn(JvmtiPointer, Object, i64) -> ErrorCode;
    pub type SetEventCallbacks = extern "system" fn(JvmtiPointer, *const Callbacks, c_int) -> ErrorCode;
    pub type AddCapabilities = extern "system" fn(JvmtiPointer, *const u8) -> ErrorCode;
    pub type GetEnv = extern "system" fn(*mut JavaVm, *mut JvmtiPointer, c_int) -> c_int;
    /// `GetSuperclass` and `GetObjectClass`.
    pub type ClassOf = extern "system" fn(Jni, Object) -> Class;
    pub type DeleteLocalRef = extern "system" fn(Jni, Object);
}
