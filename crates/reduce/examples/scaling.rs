//! Measures how the time of a search shrinks with the number of jobs: reduces a made-up program with
//! tests that sleep.
//!
//! `scaling TEST-MILLIS LATENCY-MILLIS JOBS,JOBS… STRATEGY…` prints a line of CSV for each run.

use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::strategy::named;
use lapidary_reduce::{
    Cancel, FileTree, Judgment, Limits, Model, Plan, Predicate, PredicateError, Session, Source, Stage, Verdict, run,
};
use lapidary_testkit::ToyModel;
use std::collections::HashSet;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The items of the program, and how many of them the failure needs beside those around them.
const ITEMS: usize = 1500;
const NEEDED: usize = 30;

/// Interesting if all of these are there. Takes a while to say so.
struct Sleeping {
    needed: HashSet<usize>,
    time: Duration,
}

impl Predicate for Sleeping {
    fn judge(&self, candidate: &FileTree, cancel: &Cancel) -> Result<Judgment, PredicateError> {
        let (tell, told) = channel();
        let request = cancel.child();
        request.on_cancel(move || _ = tell.send(()));
        if told.recv_timeout(self.time).is_ok() {
            return Err(PredicateError::Cancelled);
        }
        let kept: HashSet<usize> = ToyModel::read(candidate).into_iter().collect();
        let verdict = if self.needed.is_subset(&kept) { Verdict::Interesting } else { Verdict::Uninteresting };
        Ok(Judgment { elapsed: self.time, ..Judgment::new(verdict, "") })
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [test, latency, jobs, strategies @ ..] = words.as_slice() else { panic!("see the comment in the source") };
    let millis = |text: &String| Duration::from_millis(text.parse().expect("a number of milliseconds"));
    let mut cnf = Cnf::new(ITEMS);
    for item in 1..ITEMS {
        cnf.add(&[Var::new(item)], &[Var::new((item - 1) / 4)]).expect("a clause");
    }
    let model = ToyModel::new(cnf);
    // Spread out by a constant that is coprime to the number of items.
    let needed = (1..=NEEDED).map(|number| number * 541 % ITEMS).collect();
    let predicate = Sleeping { needed, time: millis(test) + millis(latency) };
    println!("strategy,test_ms,latency_ms,jobs,seconds,search,run");
    for strategy in strategies {
        for jobs in jobs.split(',').map(|number| number.parse().expect("a number of jobs")) {
            let stage = Stage {
                name: strategy.clone(),
                source: Source::Fixed(&model),
                strategy: named(strategy).expect("a strategy"),
                steered: false,
            };
            let plan = Plan { stages: vec![stage], ..Plan::default() };
            let input = model.render(&VarSet::full(ITEMS)).expect("the input can be rendered");
            let mut observer = ();
            let mut session = Session::new(input, &predicate, Limits { jobs, ..Limits::default() }, &mut observer);
            let start = Instant::now();
            run(&mut session, &plan);
            let (counts, seconds) = (session.counts(), start.elapsed().as_secs_f64());
            let search = counts.search + counts.confirm;
            println!("{strategy},{test},{latency},{jobs},{seconds:.3},{search},{}", counts.run);
        }
    }
}
