//! Printing. A reader of stdout or stderr that is gone is not an error, since the result is on
//! disk.

use std::fmt::Arguments;
use std::io::{self, Write};

pub fn out(text: Arguments<'_>) {
    let _ = io::stdout().write_fmt(text);
}

pub fn err(text: Arguments<'_>) {
    let _ = io::stderr().write_fmt(text);
}

/// Prints a line to standard output.
macro_rules! say {
    ($($arguments:tt)*) => {
        $crate::say::out(format_args!("{}\n", format_args!($($arguments)*)))
    };
}

/// Prints a line to standard error.
macro_rules! complain {
    ($($arguments:tt)*) => {
        $crate::say::err(format_args!("{}\n", format_args!($($arguments)*)))
    };
}

pub(crate) use {complain, say};
