//! Explores a static method on all inputs: `explore CLASSPATH CLASS METHOD [SEARCH]`.

use lapidary_jvm::{ClassPath, Hierarchy, Platform};
use lapidary_symbolic::{Budget, Limits, Machine, MathFunctions, State, explore, search};
use lapidary_terms::Config;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let begin = Instant::now();
    let paths = [arguments[0].clone().into()];
    let class_path = Arc::new(ClassPath::open(&paths, Platform::installed().ok()).expect("a class path"));
    let hierarchy = Arc::new(Hierarchy::new([], class_path));
    let solver = Config { functions: Arc::new(MathFunctions), ..Config::default() }.build().expect("a solver");
    let mut machine =
        Machine::new(hierarchy.clone(), Box::new(solver), Limits { array_length: 3, ..Limits::default() });
    let class = machine.world.class_named(&arguments[1]).expect("a class");
    let method =
        hierarchy.declared_methods(class.id).find(|id| hierarchy.method(*id).name == *arguments[2]).expect("a method");
    let method = machine.world.method(method);
    let entry = machine.entry(&method).expect("an entry");
    let mut state = State::new();
    machine.start(&mut state, &entry, &[]);
    let name = arguments.get(3).map_or("depth", String::as_str);
    let mut search = search::named(name, 1).expect("a search strategy");
    let budget = Budget { time: Duration::from_secs(20), ..Budget::default() };
    let mut shown = 0;
    let explored = explore(&mut machine, state, &mut *search, &budget, &mut |path| {
        shown += 1;
        if shown <= 25 {
            let inputs: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
            println!("({}) -> {:?} {:?}", inputs.join(", "), path.outcome, path.stdout);
        }
    });
    println!(
        "{explored:?}\n{:?}\nterms {} in {:.3} s",
        machine.counts,
        machine.terms.size(),
        begin.elapsed().as_secs_f64()
    );
    println!("{:?}", machine.solver.statistics());
}
