//! Inputs as words for `lapidary.replay.Inputs`, in Polish notation: an input with parts is
//! followed by its parts. The format is internal and not part of `docs/reference`.

use crate::input::{Factory, GivenField, GivenObject, Input, Number};
use lapidary_classfile::Text;
use lapidary_jvm::{BaseType, FieldType};

pub fn of_all(inputs: &[Input<Number>]) -> Vec<String> {
    let mut words = Vec::new();
    inputs.iter().for_each(|input| write(input, &mut words));
    words
}

/// Reads the word of an input without parts, as programs request them.
pub(crate) fn simple(word: &str) -> Option<Input<Number>> {
    let (sort, text) = word.split_once(':').unwrap_or((word, ""));
    match sort {
        "N" => Some(Input::Null),
        "K" => Some(Input::Choice(text.parse().ok()?, 0)),
        "T" => {
            let units = crate::replay::units_of_digits(text).into_iter();
            Some(Input::Text(units.map(|unit| Number::Integer(unit.into())).collect()))
        }
        "A" => {
            let (letter, elements) = text.split_once(':')?;
            let base = BaseType::from_letter(*letter.as_bytes().first()?)?;
            let elements = elements.split(',').filter(|element| !element.is_empty());
            let numbers: Option<Vec<_>> = elements.map(|element| number(base, element)).collect();
            Some(Input::Array(FieldType::Base(base), numbers?))
        }
        letter => number(BaseType::from_letter(*letter.as_bytes().first()?)?, text),
    }
}

fn number(base: BaseType, text: &str) -> Option<Input<Number>> {
    let bits: i64 = text.parse().ok()?;
    Some(Input::Number(
        base,
        match base {
            BaseType::Float => Number::Float(f32::from_bits(bits as u32)),
            BaseType::Double => Number::Double(f64::from_bits(bits as u64)),
            _ => Number::Integer(bits),
        },
    ))
}

fn write(input: &Input<Number>, words: &mut Vec<String>) {
    match input {
        Input::Number(base, number) => words.push(format!("{}:{}", base.letter() as char, plain(*base, *number))),
        Input::Boxed(base, number) => words.push(format!("W:{}:{}", base.letter() as char, plain(*base, *number))),
        Input::Null => words.push("N".to_owned()),
        Input::Text(units) => words.push(format!("T:{}", digits(units))),
        Input::Array(FieldType::Base(base), inputs) => words.push(numbers(*base, inputs)),
        Input::Array(element, inputs) => {
            with_parts(format!("R:{}:{}", element.descriptor(), inputs.len()), inputs, words);
        }
        Input::Choice(chosen, _) => words.push(format!("K:{chosen}")),
        Input::Constant(class, name) => words.push(format!("E:{}:{name}", java(class))),
        Input::Made(call, inputs) => {
            let Factory { class, method, descriptor } = call;
            with_parts(format!("M:{}:{method}:{descriptor}", java(class)), inputs, words);
        }
        Input::Elements(class, inputs) => with_parts(format!("L:{}:{}", java(class), inputs.len()), inputs, words),
        Input::Entries(class, inputs) => with_parts(format!("P:{}:{}", java(class), inputs.len() / 2), inputs, words),
        Input::Object(GivenObject { number, class, fields, .. }) => {
            words.push(format!("O:{number}:{}:{}", java(class), fields.len()));
            for GivenField { owner, name, value } in fields {
                words.push(format!("f:{}:{name}", java(owner)));
                write(value, words);
            }
        }
        Input::Shared(number, input) => {
            words.push(format!("H:{number}"));
            write(input, words);
        }
        Input::Same(number) => words.push(format!("Y:{number}")),
    }
}

fn with_parts(word: String, inputs: &[Input<Number>], words: &mut Vec<String>) {
    words.push(word);
    inputs.iter().for_each(|input| write(input, words));
}

fn numbers(base: BaseType, inputs: &[Input<Number>]) -> String {
    let number = |input: &Input<Number>| match input {
        Input::Number(base, number) => plain(*base, *number),
        _ => "0".to_owned(),
    };
    let elements: Vec<String> = inputs.iter().map(number).collect();
    format!("A:{}:{}", base.letter() as char, elements.join(","))
}

fn java(class: &Text) -> String {
    class.as_str().replace('/', ".")
}

/// Four hexadecimal digits for each UTF-16 unit.
fn digits(units: &[Number]) -> String {
    let unit = |unit: &Number| if let Number::Integer(unit) = unit { *unit as u16 } else { 0 };
    units.iter().map(|number| format!("{:04x}", unit(number))).collect()
}

fn plain(base: BaseType, number: Number) -> String {
    match number {
        Number::Integer(number) if base == BaseType::Boolean => (number & 1).to_string(),
        Number::Integer(number) => number.to_string(),
        Number::Float(number) => (number.to_bits() as i32).to_string(),
        Number::Double(number) => (number.to_bits() as i64).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(input: Input<Number>) -> String {
        of_all(&[input]).join(" ")
    }

    #[test]
    fn inputs_are_words() {
        let number = |base, number| Input::Number(base, number);
        assert_eq!(word(number(BaseType::Int, Number::Integer(-5))), "I:-5");
        assert_eq!(word(number(BaseType::Float, Number::Float(1.0))), "F:1065353216");
        let array = vec![number(BaseType::Char, Number::Integer(97)), number(BaseType::Char, Number::Integer(98))];
        assert_eq!(word(Input::Array(FieldType::Base(BaseType::Char), array)), "A:C:97,98");
        assert_eq!(word(Input::Text(vec![Number::Integer(0xe9)])), "T:00e9");
    }

    #[test]
    fn simple_words_are_read_back() {
        for text in ["I:-5", "F:1065353216", "A:C:97,98", "A:I:", "T:00e9", "N", "Z:1", "K:3"] {
            assert_eq!(word(simple(text).unwrap()), text);
        }
        assert!(simple("I:x").is_none() && simple("").is_none() && simple("A:I").is_none());
    }

    #[test]
    fn parts_follow() {
        let field = GivenField { owner: "p/A".into(), name: "next".into(), value: Input::Same(1) };
        let object = GivenObject { number: 1, class: "p/B".into(), fields: vec![field], is_shared: true };
        assert_eq!(word(Input::Object(object)), "O:1:p.B:1 f:p.A:next Y:1");
        let string = FieldType::Object("java/lang/String".into());
        assert_eq!(word(Input::Array(string, vec![Input::Null])), "R:Ljava/lang/String;:1 N");
        let call = Factory { class: "p/C".into(), method: "<init>".into(), descriptor: "(I)V".into() };
        let made = Input::Made(call, vec![Input::Boxed(BaseType::Int, Number::Integer(1))]);
        assert_eq!(word(made), "M:p.C:<init>:(I)V W:I:1");
    }
}
