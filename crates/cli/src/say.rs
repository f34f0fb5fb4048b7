//! Printing. A reader of stdout or stderr that is gone is not an error, since the result is on
//! disk. Labels, file names and the output of tests come from others, so nothing that a terminal
//! would obey is printed. While a view has the terminal, text waits until it is closed.

use lapidary_live::{Stream, harmless};
use std::fmt::Arguments;

pub fn out(text: Arguments<'_>) {
    lapidary_live::write(Stream::Out, &harmless(&text.to_string()));
}

pub fn err(text: Arguments<'_>) {
    lapidary_live::write(Stream::Err, &harmless(&text.to_string()));
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
