//! Reports the fate of bodies that lose statements: `edits JAR COUNT [LIBRARY...]` renders COUNT
//! random valid sub-inputs and prints how many bodies were edited, and which could only be replaced
//! by the smallest body.

// This example uses only a part of the module.
#[allow(dead_code)]
mod program;

use lapidary_java_model::{Detail, ItemModel};
use lapidary_logic::{Reasoner, random_solution};
use lapidary_reduce::Model;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [jar, count, libraries @ ..] = arguments.as_slice() else {
        return Err("usage: edits JAR COUNT [LIBRARY...]".into());
    };
    let jar = program::open(jar)?;
    let model = ItemModel::new(jar.tree(), program::class_path(libraries)?, Detail::Statements);
    let reasoner = Reasoner::new(model.constraint());
    for seed in 0..count.parse()? {
        model.render(&random_solution(&reasoner, seed))?;
    }
    let tally = model.tally();
    let share = 100.0 * tally.replaced as f64 / tally.edited.max(1) as f64;
    println!("{} bodies edited, {} replaced ({share:.3} %)", tally.edited, tally.replaced);
    tally.reasons.iter().for_each(|reason| println!("  {reason}"));
    Ok(())
}
