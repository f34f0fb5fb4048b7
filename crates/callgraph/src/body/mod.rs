//! The effect of a method on objects, and nothing else: its [`Body`].
//!
//! A body is built once for every reachable method, by following values through its stack and local
//! variables. All analyses read the same bodies; they differ in which values they distinguish.

mod action;
mod adapter;
mod builder;
mod calls;
mod dynamic;
mod machine;
mod native;
mod scan;
mod stack;
mod walk;

pub(crate) use action::{Action, Adapter, Body, Call, Lambda, Value};
pub(crate) use adapter::adapter_body;
pub(crate) use machine::{Start, root_body};
pub(crate) use native::native_body;
pub(crate) use scan::scan;
