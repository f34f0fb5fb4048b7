//! Third-party analyses, each behind a small Java program that prints the methods it finds
//! reachable, one per line.
//!
//! The programs are in `analyses/`. [`Tool::install`] has Maven build one, with its dependencies, in
//! the user's cache; [`Installed::run`] runs it in a separate process with limits.
//! A tool that is not installed is not an error: [`Tool::installed`] says so, and the caller
//! continues without it.

mod install;
mod lines;
mod run;

pub use install::{InstallError, Installed};
pub use lines::{Garbage, MethodLines, read_methods};
pub use run::{Finding, RunError, RunLimits};

/// A third-party analysis, in a version that is known to work on JDK 17.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    /// A description with the version.
    pub title: &'static str,
    /// The project of its driver: paths and contents.
    files: &'static [(&'static str, &'static str)],
}

/// The file of a driver, by its path in the project.
macro_rules! file {
    ($tool:literal, $path:literal) => {
        ($path, include_str!(concat!("../../analyses/", $tool, "/", $path)))
    };
}

macro_rules! tool {
    ($name:literal, $title:literal $(, $more:literal)*) => {
        Tool {
            name: $name,
            title: $title,
            files: &[
                file!($name, "pom.xml"),
                file!($name, "src/main/java/lapidary/Reachable.java"),
                $(file!($name, $more),)*
            ],
        }
    };
}

/// Every tool that has a driver.
pub const TOOLS: &[Tool] = &[
    tool!("soot", "Soot 4.6.0, Spark"),
    tool!("sootup", "SootUp 2.0.0, rapid type analysis", "src/main/java/lapidary/Library.java"),
    tool!("wala", "WALA 1.6.9, 0-CFA"),
    tool!("taie", "Tai-e 0.5.1, context-insensitive pointer analysis"),
    tool!("opal", "OPAL 5.0.0, rapid type analysis", "src/main/java/lapidary/Library.java"),
];

impl Tool {
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name)
    }
}
