//! The rules that simplify terms when they are built, one file for each family of operations.
//!
//! A rule looks at its operands only a few nodes deep, so building takes constant time. The result
//! of a rule evaluates like the original operation under every assignment; `tests/rules.rs` checks
//! that with random operands.

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
