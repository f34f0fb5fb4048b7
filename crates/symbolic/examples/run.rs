//! Runs the `main` method of a class on the symbolic machine without symbols:
//! `run CLASSPATH CLASS [ARGUMENT]...`.

use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{Ending, Machine, PathLimits, State, Value};
use lapidary_terms::{Answer, Solver, Statistics, Term, Terms};
use std::sync::Arc;
use std::time::Instant;

struct NoSolver;

impl Solver for NoSolver {
    fn solve(&mut self, _: &mut Terms, _: &[Term]) -> Answer {
        Answer::Unknown("nothing is symbolic here".into())
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let start = Instant::now();
    let platform = Platform::installed().ok();
    let paths = [arguments[0].clone().into()];
    let class_path = Arc::new(ClassPath::open(&paths, platform).expect("a class path"));
    let hierarchy = Arc::new(Hierarchy::new([], class_path));
    let mut machine = Machine::new(hierarchy, Box::new(NoSolver), PathLimits::default());
    let class = machine.world.class_named(&arguments[1]).expect("a class");
    let main = machine.world.declared(class.id, "main", "([Ljava/lang/String;)V").expect("a main method");
    let mut state = State::new();
    machine.start(&mut state, &main, &[Value::NULL]);
    let ending = loop {
        if let Some(ending) = machine.run(&mut state, 1_000_000) {
            break ending;
        }
    };
    for printed in state.printed.to_vec() {
        let units: Vec<u16> =
            printed.units.iter().map(|unit| if let Value::Int(unit) = unit { *unit as u16 } else { 63 }).collect();
        print!("{}", String::from_utf16_lossy(&units));
    }
    match ending {
        Ending::Threw(mut exception) => {
            while let Some(cause) = machine.cause_of(&state, exception) {
                println!("{} caused by", machine.name_of(&state, exception));
                exception = cause;
            }
            let message = machine.message_of(&state, exception).unwrap_or_default();
            let text: String = message
                .iter()
                .map(|unit| if let Value::Int(unit) = unit { char::from_u32(*unit as u32).unwrap_or('?') } else { '?' })
                .collect();
            println!("threw {} {text}", machine.name_of(&state, exception));
            for place in machine.trace_of(&state, exception) {
                println!("  at {place}");
            }
        }
        Ending::Unsupported(what) => {
            println!("unsupported: {what}");
            for place in state.frame.iter().flat_map(|frame| frame.places()) {
                println!("  at {place}");
            }
        }
        ending => println!("{ending:?}"),
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{} instructions in {seconds:.3} s", machine.counts.instructions);
}
