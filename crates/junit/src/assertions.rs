//! The assertions of a test.

use crate::Unwritable;
use crate::inputs::Expression;
use crate::literal;
use crate::names::SourceNames;
use lapidary_jvm::{BaseType, FieldType};
use lapidary_symbolic::{Input, Number, RealEnding, Witnessed};

/// The aspects of a call that a test asserts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aspects {
    /// The result, or the class of the exception.
    pub ending: bool,
    /// The message of the exception.
    pub message: bool,
    pub stdout: bool,
    pub stderr: bool,
    /// The inputs whose final state is asserted.
    pub arguments: Vec<usize>,
}

/// An expression that calls the method.
pub(crate) struct Call<'a> {
    pub text: String,
    pub result: Option<&'a FieldType>,
    /// Whether the compiler knows the type of the result.
    pub is_typed: bool,
}

/// The longest text that a test compares with.
const LONGEST: usize = 20_000;

impl Aspects {
    /// Everything that a call does: how it ends, what it prints, and the inputs that it changes.
    pub fn of(seen: &Witnessed) -> Aspects {
        let is_overflow =
            matches!(&seen.ending, RealEnding::Threw { class, .. } if class == "java.lang.StackOverflowError");
        if is_overflow {
            // How far the call gets depends on the size of the stack.
            return Aspects { ending: true, ..Aspects::default() };
        }
        let is_printed = |units: &[u16]| !units.is_empty() && is_own(units);
        Aspects {
            ending: true,
            message: seen.message.is_some() && tells(seen),
            stdout: is_printed(&seen.stdout),
            stderr: is_printed(&seen.stderr),
            arguments: changed(&seen.before, &seen.after),
        }
    }

    /// The differences between two versions, apart from those allowed: the ending with the
    /// arguments, and the output. `None` if a test cannot see any of it.
    pub fn between(
        old: &Witnessed,
        new: &Witnessed,
        result_may_change: bool,
        output_may_change: bool,
    ) -> Option<Aspects> {
        let prints = |old: &[u16], new: &[u16]| !output_may_change && old != new && is_own(old);
        let has_other_message = old.message != new.message && tells(old) && tells(new);
        let aspects = Aspects {
            ending: !result_may_change,
            message: !result_may_change && has_other_message,
            stdout: prints(&old.stdout, &new.stdout),
            stderr: prints(&old.stderr, &new.stderr),
            arguments: if result_may_change { Vec::new() } else { changed(&old.after, &new.after) },
        };
        let ends_otherwise = aspects.ending && ends_otherwise(old, new);
        let is_seen = ends_otherwise || aspects.message || !aspects.is_silent() || !aspects.arguments.is_empty();
        is_seen.then_some(aspects)
    }

    /// Whether the output is not asserted.
    pub(crate) fn is_silent(&self) -> bool {
        !self.stdout && !self.stderr
    }

    /// The call with assertions about how it ends.
    pub(crate) fn ending(
        &self,
        call: &Call<'_>,
        names: &SourceNames<'_>,
        seen: &Witnessed,
    ) -> Result<Vec<String>, Unwritable> {
        match &seen.ending {
            RealEnding::Returned(None) => Ok(vec![format!("{};", call.text)]),
            RealEnding::Returned(Some(_)) if !self.ending => Ok(vec![format!("{};", call.text)]),
            RealEnding::Returned(Some(word)) => Ok(vec![call.returns(word, &seen.result)?]),
            RealEnding::Threw { class, .. } => self.throws(call, names, seen, class),
            other => Err(Unwritable(format!("the call {other}"))),
        }
    }

    fn throws(
        &self,
        call: &Call<'_>,
        names: &SourceNames<'_>,
        seen: &Witnessed,
        class: &str,
    ) -> Result<Vec<String>, Unwritable> {
        let throwable = names.class(&"java/lang/Throwable".into()).unwrap_or_else(|| "Throwable".to_owned());
        let known = names.class(&class.replace('.', "/").as_str().into()).filter(|_| self.ending);
        let is_unnamed = known.is_none() && self.ending;
        let (kind, assertion) = match &known {
            Some(class) => (class.clone(), format!("assertThrowsExactly({class}.class, () -> {})", call.text)),
            None => (throwable.clone(), format!("assertThrows({throwable}.class, () -> {})", call.text)),
        };
        if !is_unnamed && !self.message {
            return Ok(vec![format!("{assertion};")]);
        }
        let mut statements = vec![format!("{kind} thrown = {assertion};")];
        if is_unnamed {
            statements.push(format!("assertEquals({}, thrown.getClass().getName());", literal::title(class)));
        }
        match seen.message.as_ref().filter(|_| self.message) {
            Some(message) => statements.push(format!("assertEquals({}, thrown.getMessage());", text(message)?)),
            None if self.message => statements.push("assertNull(thrown.getMessage());".to_owned()),
            None => {}
        }
        Ok(statements)
    }

    /// Assertions about the state in which the call leaves its inputs.
    pub(crate) fn arguments(&self, values: &[Expression], seen: &Witnessed) -> Result<Vec<String>, Unwritable> {
        let inputs = self.arguments.iter().filter_map(|at| Some((values.get(*at)?, seen.after.get(*at)?)));
        inputs.map(|(value, after)| Ok(format!("assertEquals({}, contents({}));", text(after)?, value.text))).collect()
    }

    /// Assertions about what the call prints.
    pub(crate) fn output(&self, seen: &Witnessed) -> Result<Vec<String>, Unwritable> {
        let streams = [(self.stdout, "out", &seen.stdout), (self.stderr, "err", &seen.stderr)];
        let asserted = streams.into_iter().filter(|(is_asserted, ..)| *is_asserted);
        asserted.map(|(_, name, units)| Ok(format!("assertEquals({}, printed.{name}());", text(units)?))).collect()
    }
}

impl Call<'_> {
    /// The assertion that the call returns a value, in the format of the replay program.
    fn returns(&self, word: &str, contents: &[u16]) -> Result<String, Unwritable> {
        let call = &self.text;
        let expected = match (self.result, word.split_once(':')) {
            _ if word == "N" => return Ok(format!("assertNull({call});")),
            (Some(FieldType::Base(BaseType::Boolean)), Some((_, bit))) if self.is_typed => {
                let holds = if bit == "0" { "assertFalse" } else { "assertTrue" };
                return Ok(format!("{holds}({call});"));
            }
            (Some(FieldType::Array(element)), _) if matches!(**element, FieldType::Base(_)) => {
                if let Some(array) = numbers(element, word) {
                    let cast = if self.is_typed {
                        String::new()
                    } else {
                        format!("({}[]) ", lapidary_symbolic::base_name(base(element)))
                    };
                    return Ok(format!("assertArrayEquals({array}, {cast}{call});"));
                }
                None
            }
            (_, Some(("T", _))) => {
                contents.strip_prefix(&[QUOTE]).and_then(|rest| rest.strip_suffix(&[QUOTE])).map(text).transpose()?
            }
            (Some(type_), Some(_)) => {
                number_base(type_).and_then(|base| Some(literal::number(base, number(base, word)?)))
            }
            _ => None,
        };
        Ok(match expected {
            Some(expected) => format!("assertEquals({expected}, {call});"),
            None => format!("assertEquals({}, contents({call}));", text(contents)?),
        })
    }
}

const QUOTE: u16 = b'"' as u16;

/// A text that a test compares with.
fn text(units: &[u16]) -> Result<String, Unwritable> {
    match units.len() > LONGEST {
        true => Err(Unwritable(format!("its outcome takes more than {LONGEST} characters to write down"))),
        false if !is_own(units) => Err(Unwritable("its outcome depends on who calls it".to_owned())),
        false => Ok(literal::text(units)),
    }
}

/// Whether a text does not mention who made the call, as stack traces do.
fn is_own(units: &[u16]) -> bool {
    !String::from_utf16_lossy(units).contains("lapidary.replay.")
}

/// Whether the message of an exception is the same in every JVM. Some messages of the JVM itself
/// name class loaders, or local variables if the class has debug information.
fn tells(seen: &Witnessed) -> bool {
    let message = String::from_utf16_lossy(seen.message.as_deref().unwrap_or_default());
    let explains = matches!(&seen.ending, RealEnding::Threw { class, .. } if class == "java.lang.NullPointerException")
        && message.starts_with("Cannot ");
    !explains && !message.contains("loader ") && !message.contains("lapidary.replay.")
}

/// The places where two lists differ.
fn changed(before: &[Vec<u16>], after: &[Vec<u16>]) -> Vec<usize> {
    (0..after.len()).filter(|at| before.get(*at) != after.get(*at)).collect()
}

fn ends_otherwise(old: &Witnessed, new: &Witnessed) -> bool {
    match (&old.ending, &new.ending) {
        (RealEnding::Threw { class, .. }, RealEnding::Threw { class: other, .. }) => class != other,
        (RealEnding::Returned(one), RealEnding::Returned(other)) => one != other || old.result != new.result,
        _ => true,
    }
}

/// An array of numbers as an expression.
fn numbers(element: &FieldType, word: &str) -> Option<String> {
    let base = base(element);
    let words = word.strip_prefix('[')?.strip_suffix(']')?;
    let words = words.split(',').filter(|word| !word.is_empty());
    let numbers: Option<Vec<_>> = words.map(|word| Some(Input::Number(base, number(base, word)?))).collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= LONGEST / 10)?;
    Some(Input::Array(element.clone(), numbers).to_string())
}

fn base(element: &FieldType) -> BaseType {
    if let FieldType::Base(base) = element { *base } else { BaseType::Int }
}

/// The primitive type of a number, or of the wrapper class around it.
fn number_base(type_: &FieldType) -> Option<BaseType> {
    use BaseType::*;
    match type_ {
        FieldType::Base(base) => Some(*base),
        FieldType::Object(name) => {
            [Boolean, Byte, Char, Short, Int, Long, Float, Double].into_iter().find(|base| *name == base.wrapper())
        }
        FieldType::Array(_) => None,
    }
}

/// A number in the format of the replay program.
fn number(base: BaseType, word: &str) -> Option<Number> {
    let (sort, bits) = word.split_once(':')?;
    let bits: i64 = bits.parse().ok()?;
    match (sort, base) {
        ("F", BaseType::Float) => Some(Number::Float(f32::from_bits(bits as u32))),
        ("D", BaseType::Double) => Some(Number::Double(f64::from_bits(bits as u64))),
        ("I", BaseType::Float | BaseType::Double) => None,
        ("I", _) => Some(Number::Integer(bits)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(ending: RealEnding) -> Witnessed {
        let none = Vec::new;
        Witnessed {
            ending,
            message: None,
            result: none(),
            before: vec![],
            after: vec![],
            stdout: none(),
            stderr: none(),
        }
    }

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn returns(type_: &str, word: &str, contents: &str) -> String {
        let type_ = FieldType::parse(type_).unwrap();
        let call = Call { text: "f()".to_owned(), result: Some(&type_), is_typed: true };
        call.returns(word, &units(contents)).unwrap()
    }

    #[test]
    fn results_are_compared_in_their_own_type() {
        for (type_, word, contents, assertion) in [
            ("I", "I:-3", "-3", "assertEquals(-3, f());"),
            ("J", "I:5", "5L", "assertEquals(5L, f());"),
            ("B", "I:5", "", "assertEquals((byte) 5, f());"),
            ("C", "I:10", "", r"assertEquals('\n', f());"),
            ("Z", "I:1", "true", "assertTrue(f());"),
            ("D", "D:-9223372036854775808", "", "assertEquals(-0.0, f());"),
            ("F", "F:2143289344", "", "assertEquals(Float.NaN, f());"),
            ("Ljava/lang/Integer;", "I:7", "7", "assertEquals(7, f());"),
            ("Ljava/lang/Object;", "I:7", "7", "assertEquals(\"7\", contents(f()));"),
            ("Ljava/lang/Object;", "N", "null", "assertNull(f());"),
            ("Ljava/lang/String;", "T:0061", "\"a\"", "assertEquals(\"a\", f());"),
            ("[I", "[I:1,I:2]", "", "assertArrayEquals(new int[] {1, 2}, f());"),
            ("[I", "[]", "", "assertArrayEquals(new int[] {}, f());"),
            (
                "[Ljava/lang/String;",
                "[N]",
                "java.lang.String[null ]",
                "assertEquals(\"java.lang.String[null ]\", contents(f()));",
            ),
        ] {
            assert_eq!(returns(type_, word, contents), assertion);
        }
    }

    #[test]
    fn what_differs_elsewhere_is_not_asserted() {
        let threw = |class: &str, message: &str| {
            let class = class.to_owned();
            let ending = RealEnding::Threw { class, message: Some(message.to_owned()), places: Vec::new() };
            Witnessed { message: Some(units(message)), ..seen(ending) }
        };
        assert!(Aspects::of(&threw("p.Bad", "no")).message);
        assert!(!Aspects::of(&threw("java.lang.NullPointerException", "Cannot invoke \"x\"")).message);
        assert!(!Aspects::of(&threw("java.lang.ClassCastException", "A is in unnamed module of loader 'app'")).message);
        let trace = Witnessed { stderr: units("\tat lapidary.replay.Target.result"), ..threw("p.Bad", "no") };
        assert!(!Aspects::of(&trace).stderr);
        assert!(text(&vec![65; LONGEST + 1]).unwrap_err().0.contains("more than 20000 characters"));
    }

    #[test]
    fn only_differences_that_can_be_seen_and_may_not_be_are_asserted() {
        let returned = |word: &str, out: &str| {
            let ending = RealEnding::Returned(Some(word.to_owned()));
            Witnessed { stdout: units(out), after: vec![units(out)], ..seen(ending) }
        };
        let (old, new) = (returned("I:1", "a"), returned("I:2", "b"));
        let all = Aspects::between(&old, &new, false, false).unwrap();
        assert!(all.ending && all.stdout && all.arguments == [0]);
        let output = Aspects::between(&old, &new, true, false).unwrap();
        assert!(!output.ending && output.stdout && output.arguments.is_empty());
        assert_eq!(Aspects::between(&old, &new, true, true), None);
        assert_eq!(Aspects::between(&old, &old, false, false), None);
    }
}
