//! Compiles the agent to a shared library that is embedded in the crate.
//!
//! The agent has no dependencies, so the compiler is all that is needed: `cargo build` and
//! `cargo install` give a self-contained binary.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=agent/src");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    let compiled = Command::new(env::var_os("RUSTC").expect("cargo says which compiler to use"))
        .args(["--edition", "2024", "--crate-type", "cdylib", "--crate-name", "lapidary_tracer_agent"])
        .args(["-C", "opt-level=2", "-C", "panic=abort", "-C", "strip=symbols", "--cap-lints", "allow"])
        .args(["--target", &env::var("TARGET").expect("cargo says what to compile for")])
        .arg("-o")
        .arg(out.join("agent.so"))
        .arg("agent/src/lib.rs")
        .status();
    match compiled {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("the agent does not compile: {status}"),
        Err(error) => panic!("the compiler does not start: {error}"),
    }
}
