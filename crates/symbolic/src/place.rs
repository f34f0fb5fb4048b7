//! Places in the code of a program.

use crate::method::Method;
use std::rc::Rc;

/// An instruction of a method.
#[derive(Clone)]
pub struct CodePlace {
    pub method: Rc<Method>,
    pub at: usize,
}

impl CodePlace {
    pub fn line(&self) -> u16 {
        self.method.line(self.at)
    }
}

impl std::fmt::Display for CodePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line() {
            0 => write!(f, "{}", self.method),
            line => write!(f, "{}:{line}", self.method),
        }
    }
}
