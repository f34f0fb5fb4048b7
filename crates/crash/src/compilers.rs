//! Finds the compilers.

use crate::build::Build;
use crate::error::CrashError;
use lapidary_clang::Language;
use std::path::PathBuf;

/// The name or path of the compiler for a language, as the user gave it.
pub(crate) fn name_of_compiler(build: &Build, language: Language) -> String {
    let named = build.compiler.as_deref().unwrap_or("gcc");
    match &build.cpp_compiler {
        Some(name) if language.is_cpp() => name.clone(),
        _ if language.is_cpp() => for_cpp(named),
        _ => for_c(named),
    }
}

pub(crate) fn find_compiler(build: &Build, language: Language) -> Result<PathBuf, CrashError> {
    let name = name_of_compiler(build, language);
    let here = std::env::current_dir().unwrap_or_default();
    let found = lapidary_predicate::resolve(name.as_ref(), &here);
    found.map_err(|_| CrashError::NoCompiler { package: package(&name), compiler: name })
}

/// Returns the C++ sibling of a C compiler: g++-12 for gcc-12, clang++ for clang.
fn for_cpp(name: &str) -> String {
    let (directory, file) = name.rsplit_once('/').map_or(("", name), |(directory, file)| (directory, file));
    let sibling = match file {
        "cc" => "c++".to_owned(),
        "tcc" => file.to_owned(),
        _ if file.contains("++") => file.to_owned(),
        _ if file.contains("clang") => file.replacen("clang", "clang++", 1),
        _ => file.replacen("gcc", "g++", 1),
    };
    if directory.is_empty() { sibling } else { format!("{directory}/{sibling}") }
}

fn for_c(name: &str) -> String {
    let (directory, file) = name.rsplit_once('/').map_or(("", name), |(directory, file)| (directory, file));
    let sibling =
        if file == "c++" { "cc".into() } else { file.replacen("clang++", "clang", 1).replacen("g++", "gcc", 1) };
    if directory.is_empty() { sibling } else { format!("{directory}/{sibling}") }
}

fn package(compiler: &str) -> String {
    let file = compiler.rsplit('/').next().unwrap_or(compiler);
    match file {
        "gcc" | "cc" => "the package gcc".into(),
        "g++" | "c++" => "the package g++".into(),
        _ if file.starts_with("clang") => format!("the package {}", file.replacen("++", "", 1)),
        _ => "the package that has it".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_has_a_sibling_for_the_other_language() {
        assert_eq!(for_cpp("gcc-12"), "g++-12");
        assert_eq!(for_cpp("/opt/gcc/bin/gcc"), "/opt/gcc/bin/g++");
        assert_eq!(for_cpp("clang-19"), "clang++-19");
        assert_eq!(for_cpp("g++"), "g++");
        assert_eq!(for_c("clang++-19"), "clang-19");
        assert_eq!(for_c("/usr/bin/c++"), "/usr/bin/cc");
    }
}
