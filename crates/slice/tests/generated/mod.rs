//! Random small C programs that always end and whose behaviour is defined under `-fwrapv`.
//!
//! They have loops, conditions, jumps, functions, pointers, arrays and structs, one statement a line. A line that has a
//! variable worth asking about has a second text, in which the program also writes down that variable: what the line
//! gives it, or else what the line finds in it.

mod random;
mod statements;

use random::Random;

/// A program, line by line.
pub struct Generated {
    pub lines: Vec<Line>,
    /// The arguments of its run.
    pub arguments: [String; 2],
}

/// One line, and how its variable is watched.
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
        Generated { lines: statements::program(random), arguments }
    }

    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    /// The lines that can be asked about, counted from 1, with their variables.
    pub fn questions(&self) -> Vec<(u32, String)> {
        let watched = (1..).zip(&self.lines).filter_map(|(number, line)| Some((number, line.watch.as_ref()?)));
        watched.map(|(number, watch)| (number, watch.variable.clone())).collect()
    }

    /// A text of this program, or of a slice of it whose lines have kept their numbers, that watches these lines. None
    /// if one of the lines is no longer what it was.
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

/// Written at once, as the program may not come to an end in good order.
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
