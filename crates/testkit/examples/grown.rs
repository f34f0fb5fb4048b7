//! Prints a generated program: `grown NAME SEED`.

use lapidary_testkit::java::{grown, printed};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "P0".to_owned());
    let seed = arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or_default();
    println!("{}", printed(&grown(&name, seed)));
}
