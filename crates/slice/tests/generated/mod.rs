//! Random small C programs that always terminate and whose behaviour is defined under `-fwrapv`.
//!
//! They have loops, conditions, jumps, functions, pointers, arrays and structs, one statement per
//! line. A line whose variable can serve as a criterion has a second text, which also records that
//! variable: the value that the line gives it, or else the value that the line finds in it.

mod control;
mod expressions;
mod functions;
mod random;
mod statements;
mod writer;

use random::Random;
use writer::Writer;

/// A program, line by line.
pub struct Generated {
    pub lines: Vec<Line>,
    /// The arguments of its run.
    pub arguments: [String; 2],
}

/// One line, and the way its variable is watched.
#[derive(Clone, Debug)]
pub struct Line {
    pub text: String,
    pub watch: Option<Watch>,
}

/// The text of a line that calls `WATCH(line, variable)` whenever it runs.
#[derive(Clone, Debug)]
pub struct Watch {
    pub variable: String,
    text: String,
}

impl Generated {
    pub fn new(seed: u64) -> Generated {
        let mut random = Random::new(seed);
        let arguments = [random.below(10).to_string(), random.below(10).to_string()];
        Generated { lines: program(random), arguments }
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    /// Returns the lines that can serve as criteria, counted from 1, with their variables.
    pub fn questions(&self) -> Vec<(u32, String)> {
        let watched = (1..).zip(&self.lines).filter_map(|(number, line)| Some((number, line.watch.as_ref()?)));
        watched.map(|(number, watch)| (number, watch.variable.clone())).collect()
    }

    /// Returns a text of this program that watches these lines. `text` may be a slice of it whose
    /// lines have kept their numbers. `None` if one of the lines has changed.
    pub fn watched(&self, text: &str, wanted: &dyn Fn(u32) -> bool) -> Option<String> {
        let mut result = String::from(WATCH);
        for ((number, line), now) in (1..).zip(&self.lines).zip(text.lines()) {
            match line.watch.as_ref().filter(|_| wanted(number)) {
                Some(watch) if now == line.text => result.push_str(&watch.text.replace("LINE", &number.to_string())),
                Some(_) => return None,
                None => result.push_str(now),
            }
            result.push('\n');
        }
        Some(result)
    }
}

/// Returns the lines of a random program. Every run terminates: loops have counters that nothing
/// else writes, functions call only functions before them, and recursions have a falling argument.
fn program(random: Random) -> Vec<Line> {
    let mut writer = Writer::new(random);
    writer.globals();
    let functions = 1 + writer.random.below(3);
    for number in 0..functions {
        writer.function(number);
    }
    writer.function_of_structs();
    writer.main();
    writer.lines
}

/// Values are written immediately, since the program may end abnormally.
const WATCH: &str = "\
#include <stdio.h>
static int watch(int line, long long value)
{
    static FILE *file;
    if (!file)
        file = fopen(\"watched\", \"w\");
    fprintf(file, \"%d %lld\\n\", line, value);
    return fflush(file);
}
#define WATCH(line, variable) watch(line, variable)
#line 1
";
