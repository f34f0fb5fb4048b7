//! The rules that simplify terms when they are built, one file per family of operations.
//!
//! A rule looks at its operands and no deeper than a few nodes, so building takes constant time. Whatever it builds
//! evaluates like the operation it stands for under every assignment; `tests/rules.rs` checks that with random operands.

mod arithmetic;
mod bitwise;
mod boolean;
mod choice;
mod compare;
mod conversion;
mod divisibility;
mod equality;
mod float;
mod range;
mod root;
mod shift;
mod width;
