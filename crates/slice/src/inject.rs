//! Argument injection: writes the input of a recorded run into the program, so that a static slice
//! need not keep the code that reads it (AutoPIE, section 5.3).

use crate::accesses::unconverted;
use crate::calls::Call;
use crate::edits::Edit;
use crate::library::{is_input, is_of_a_header, state_of};
use crate::program::{Place, Program, Thing};
use crate::usage::{Usage, usage};
use lapidary_clang::{Kind, Syntax, TypeClass};

/// The input of a run of the program.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The program's name, followed by its arguments.
    pub arguments: Vec<String>,
    pub stdin: Vec<u8>,
}

/// Replaces expressions that read input by the values they read: `argc`, `argv[1]`,
/// `atoi(argv[1])`, and the values read by `scanf` and `cin`, provided that `main` does all its
/// reading once and in order. The edits are in the order of the text and do not overlap.
pub fn inject(units: &[Syntax], inputs: &Inputs) -> Vec<Edit> {
    let program = Program::new(units);
    let mut injection = Injection { program: &program, inputs, edits: Vec::new() };
    for main in functions_named_main(&program) {
        injection.inject_arguments(main);
        injection.inject_input(main);
    }
    let mut edits = injection.edits;
    edits.sort_by_key(|edit| (edit.file.clone(), edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut end = None;
    edits.retain(|edit| {
        let is_inside = end.as_ref().is_some_and(|(file, end)| *file == edit.file && edit.range.start < *end);
        if !is_inside {
            end = Some((edit.file.clone(), edit.range.end));
        }
        !is_inside
    });
    edits
}

fn functions_named_main(program: &Program<'_>) -> Vec<Place> {
    let functions = program.things().filter_map(|thing| program.definition(thing).map(|place| (thing, place)));
    let is_main =
        |(thing, place): &(Thing, Place)| program.name(*thing) == "main" && program.node(*place).kind == Kind::Function;
    functions.filter(is_main).map(|(_, place)| place).collect()
}

struct Injection<'a, 'b> {
    program: &'b Program<'a>,
    inputs: &'b Inputs,
    edits: Vec<Edit>,
}

impl Injection<'_, '_> {
    fn put(&mut self, place: Place, text: String) {
        let file = self.program.files[self.program.file_of(place)].path.clone();
        self.edits.push(Edit { file, range: self.program.node(place).range(), text });
    }

    /// Returns the descendants of a node that no macro is involved in.
    fn visible(&self, outer: Place) -> Vec<Place> {
        let nodes = self.program.syntax(outer).subtree(outer.node).map(|node| Place { unit: outer.unit, node });
        nodes
            .filter(|place| !self.program.node(*place).in_macro && self.program.expansion_around(*place).is_none())
            .collect()
    }

    fn inject_arguments(&mut self, main: Place) {
        let parameters: Vec<_> =
            self.program.children(main).filter(|child| self.program.node(*child).kind == Kind::Parameter).collect();
        let thing = |index: usize| parameters.get(index).and_then(|parameter| self.program.declared(*parameter));
        let (count, values) = (thing(0), thing(1));
        let nodes = self.visible(main);
        let is_constant = |thing: Option<Thing>| nodes.iter().all(|place| !self.changes(*place, thing));
        let (count, values) = (count.filter(|_| is_constant(count)), values.filter(|_| is_constant(values)));
        for place in nodes.iter().copied() {
            let text = match self.program.node(place).kind {
                Kind::Name if count.is_some() && self.program.referred(place) == count => {
                    (usage(self.program, place) == Usage::Read).then(|| self.inputs.arguments.len().to_string())
                }
                Kind::Subscript => self.argument(place, values).and_then(|argument| self.literal(place, argument)),
                Kind::Call => self.converted(place, values),
                _ => None,
            };
            text.into_iter().for_each(|text| self.put(place, text));
        }
    }

    fn changes(&self, place: Place, thing: Option<Thing>) -> bool {
        let is_name = self.program.node(place).kind == Kind::Name && self.program.referred(place) == thing;
        is_name && matches!(usage(self.program, place), Usage::Write | Usage::Step | Usage::Shared)
    }

    /// Returns the value of `argv[1]` and the like, where the index is a literal.
    fn argument(&self, place: Place, values: Option<Thing>) -> Option<&str> {
        let mut children = self.program.children(place);
        let (base, index) = (children.next()?, children.next()?);
        let is_argv = self.program.referred(unconverted(self.program, base)) == Some(values?);
        let index = unconverted(self.program, index);
        let number = std::str::from_utf8(self.program.text(index)).ok()?.parse::<usize>().ok()?;
        let is_literal = self.program.node(index).kind == Kind::Literal;
        self.inputs.arguments.get(number).filter(|_| is_argv && is_literal).map(String::as_str)
    }

    /// Returns the argument as a string literal, if nothing can write to it at this place.
    fn literal(&self, place: Place, argument: &str) -> Option<String> {
        let conversion = self.program.parent(place)?;
        let mut outer = conversion;
        while self.program.node(outer).kind == Kind::OtherExpression && !self.is_of_constants(outer) {
            outer = self.program.parent(outer)?;
        }
        let is_indexed = self.program.node(outer).kind == Kind::Subscript && usage(self.program, outer) == Usage::Read;
        let is_safe = usage(self.program, place) == Usage::Read && (self.is_of_constants(outer) || is_indexed);
        is_safe.then(|| quoted(argument))
    }

    fn is_of_constants(&self, place: Place) -> bool {
        let inner =
            self.program.type_of(place).filter(|found| found.class == TypeClass::Pointer).and_then(|found| found.inner);
        inner.is_some_and(|inner| self.program.syntax(place).get_type(inner).is_const)
    }

    /// Returns the value of `atoi(argv[1])` and similar calls.
    fn converted(&self, place: Place, values: Option<Thing>) -> Option<String> {
        let call = Call::of(self.program, place);
        let name =
            call.callee.filter(|thing| is_of_a_header(self.program, *thing)).map(|thing| self.program.name(thing))?;
        let given = unconverted(self.program, *call.arguments.first()?);
        let is_subscript = self.program.node(given).kind == Kind::Subscript;
        let argument = self.argument(given, values).filter(|_| is_subscript && call.arguments.len() == 1)?;
        match name {
            "atoi" => integer(leading_integer(argument.as_bytes())?.0),
            "atol" | "atoll" => integer(leading_integer(argument.as_bytes())?.0).map(|number| number + "L"),
            "atof" => floating(leading_number(argument.as_bytes())?.0),
            _ => None,
        }
    }

    /// Replaces all reads of standard input, or none: a remaining read would otherwise get an
    /// earlier value.
    fn inject_input(&mut self, main: Place) {
        let Some(body) = self.program.children(main).find(|child| self.program.node(*child).kind == Kind::Compound)
        else {
            return;
        };
        let wanted = self.reads_in_program();
        let mut found = Vec::new();
        let mut rest = &self.inputs.stdin[..];
        for statement in self.program.children(body) {
            match self.read(statement, &mut rest) {
                Some(text) => found.push((statement, text)),
                None if self.reads_in(statement) > 0 || self.jumps(statement) => break,
                None => {}
            }
        }
        if found.len() == wanted {
            found.into_iter().for_each(|(statement, text)| self.put(statement, text));
        }
    }

    fn reads_in_program(&self) -> usize {
        let units = 0..self.program.units.len();
        let roots = units.flat_map(|unit| self.program.units[unit].roots().map(move |node| Place { unit, node }));
        roots.map(|root| self.reads_in(root)).sum()
    }

    /// Counts the places that name or read the input.
    fn reads_in(&self, outer: Place) -> usize {
        let nodes = self.program.syntax(outer).subtree(outer.node).map(|node| Place { unit: outer.unit, node });
        let reads = |place: &Place| {
            let Some(thing) = self.program.referred(*place) else { return false };
            match self.program.node(*place).kind {
                Kind::Name => is_input(self.program, thing),
                Kind::Call => {
                    is_of_a_header(self.program, thing) && state_of(self.program.name(thing)) == Some("input")
                }
                _ => false,
            }
        };
        nodes.filter(reads).count()
    }

    /// Returns whether there is a label, a `goto` or a `return`, so that a statement may run more
    /// than once or not at all.
    fn jumps(&self, outer: Place) -> bool {
        let syntax = self.program.syntax(outer);
        syntax.subtree(outer.node).any(|node| matches!(syntax.node(node).kind, Kind::Label | Kind::Goto | Kind::Return))
    }

    /// Returns the assignments that are equivalent to a statement that only reads input.
    fn read(&self, statement: Place, rest: &mut &[u8]) -> Option<String> {
        let node = self.program.node(statement);
        let call = Call::of(self.program, statement);
        let name =
            call.callee.filter(|_| node.kind == Kind::Call && !node.in_macro).map(|thing| self.program.name(thing))?;
        let places = match name {
            "scanf" => self.scanned(&call)?,
            "operator>>" => self.extracted(statement)?,
            _ => return None,
        };
        let mut at = *rest;
        let assignments: Option<Vec<_>> = places.iter().map(|place| self.assignment(*place, &mut at)).collect();
        *rest = at;
        Some(assignments?.join(", "))
    }

    fn assignment(&self, place: Place, rest: &mut &[u8]) -> Option<String> {
        let (number, after) = match self.program.type_of(place)?.class {
            TypeClass::Integer if !self.program.type_of(place)?.spelling.contains("char") => {
                let (number, after) = leading_integer(rest)?;
                (integer(number)?, after)
            }
            TypeClass::Floating => {
                let (number, after) = leading_number(rest)?;
                (floating(number)?, after)
            }
            _ => return None,
        };
        *rest = &rest[after..];
        Some(format!("{} = {number}", String::from_utf8_lossy(self.program.text(place))))
    }

    /// Returns the targets of a `scanf` that reads only numbers.
    fn scanned(&self, call: &Call) -> Option<Vec<Place>> {
        let (format, targets) = call.arguments.split_first()?;
        let format = String::from_utf8_lossy(self.program.text(unconverted(self.program, *format))).into_owned();
        let wanted: Vec<_> = format
            .trim_matches('"')
            .split_whitespace()
            .flat_map(|word| word.split_inclusive(['d', 'i', 'f']))
            .map(str::to_owned)
            .collect();
        let is_number = |word: &String| matches!(&**word, "%d" | "%i" | "%ld" | "%f" | "%lf");
        let is_plain = wanted.len() == targets.len() && wanted.iter().all(is_number);
        let places = targets.iter().map(|target| {
            let is_address = self.program.text(*target).starts_with(b"&");
            self.program.children(*target).next().filter(|_| is_address)
        });
        places.collect::<Option<Vec<_>>>().filter(|_| is_plain)
    }

    /// Returns the targets of `cin >> a >> b`.
    fn extracted(&self, place: Place) -> Option<Vec<Place>> {
        let call = Call::of(self.program, place);
        let name = call.callee.map(|thing| self.program.name(thing));
        let given: Vec<_> = call.receiver.into_iter().chain(call.arguments).collect();
        let [stream, target] = given[..] else { return None };
        let stream = unconverted(self.program, stream);
        let mut places = match self.program.node(stream).kind {
            Kind::Name if is_input(self.program, self.program.referred(stream)?) => Vec::new(),
            Kind::Call => self.extracted(stream)?,
            _ => return None,
        };
        places.push(target);
        (name == Some("operator>>")).then_some(places)
    }
}

/// Parses the number at the start of a text, after white space. Returns it with its end.
fn leading_integer(text: &[u8]) -> Option<(i64, usize)> {
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let sign = usize::from(matches!(text.get(blank), Some(b'-' | b'+')));
    let digits = text[blank + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = blank + sign + digits;
    let number = std::str::from_utf8(&text[blank..end]).ok()?.parse().ok()?;
    Some((number, end))
}

fn leading_number(text: &[u8]) -> Option<(f64, usize)> {
    let (_, whole) = leading_integer(text)?;
    let has_point = text.get(whole) == Some(&b'.');
    let digits = text[whole..].iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
    let end = if has_point { whole + 1 + digits } else { whole };
    let number = std::str::from_utf8(&text[..end]).ok()?.trim().parse().ok()?;
    Some((number, end))
}

/// Formats a number that fits an `int`, with parentheses if it is negative.
fn integer(number: i64) -> Option<String> {
    let is_small = number.unsigned_abs() <= i32::MAX as u64;
    is_small.then(|| if number < 0 { format!("({number})") } else { number.to_string() })
}

fn floating(number: f64) -> Option<String> {
    number.is_finite().then(|| if number < 0.0 { format!("({number:?})") } else { format!("{number:?}") })
}

fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => result.extend(['\\', byte as char]),
            b' '..=b'~' if byte != b'?' => result.push(byte as char),
            _ => result += &format!("\\{byte:03o}"),
        }
    }
    result + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_the_library_does() {
        assert_eq!(leading_integer(b" -12x"), Some((-12, 4)));
        assert_eq!(leading_integer(b"x"), None);
        assert_eq!(leading_number(b"1.50 2"), Some((1.5, 4)));
        assert_eq!(leading_number(b"3 "), Some((3.0, 1)));
    }

    #[test]
    fn text_survives_quoting() {
        assert_eq!(quoted("a\"b\\c\n??/"), r#""a\"b\\c\012\077\077/""#);
    }
}
