//! Native methods of `String`, and methods that parse, format or digest text with data that the
//! machine does not have.

use super::{Call, Effect, Line, no, value};
use crate::Ending;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Ref, Value};
use lapidary_classfile::Text;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/String.intern()Ljava/lang/String;", intern),
    ("java/lang/StringUTF16.isBigEndian()Z", no),
    ("java/util/Scanner.useLocale(Ljava/util/Locale;)Ljava/util/Scanner;", scan_english),
    ("java/text/DecimalFormatSymbols.getInstance(Ljava/util/Locale;)Ljava/text/DecimalFormatSymbols;", english_symbols),
    ("java/security/MessageDigest.getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;", digest),
];

fn intern(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    let Some(units) = machine.known_units_of(state, this) else {
        return Err(Halt::End(Ending::unsupported("String.intern of a text that depends on symbols".into())));
    };
    let number = machine.world.literal(&Text::from_utf16(&units));
    value(Some(machine.literal(state, number)?))
}

/// The format of English numbers, as regular expressions. The library would read it from its locale
/// data.
const ENGLISH_NUMBERS: &[(&str, &str)] = &[
    ("groupSeparator", "\\x{2c}"),
    ("decimalSeparator", "\\x{2e}"),
    ("nanString", "\\QNaN\\E"),
    ("infinityString", "\\Q\u{221e}\\E"),
    ("positivePrefix", ""),
    ("negativePrefix", "\\Q-\\E"),
    ("positiveSuffix", ""),
    ("negativeSuffix", ""),
];

/// The symbols of English number formats.
const ENGLISH_SYMBOLS: &[(&str, char)] = &[
    ("zeroDigit", '0'),
    ("groupingSeparator", ','),
    ("decimalSeparator", '.'),
    ("perMill", '\u{2030}'),
    ("percent", '%'),
    ("digit", '#'),
    ("patternSeparator", ';'),
    ("minusSign", '-'),
    ("monetarySeparator", '.'),
    ("monetaryGroupingSeparator", ','),
    ("exponential", 'E'),
];

const ENGLISH_TEXTS: &[(&str, &str)] = &[
    ("infinity", "\u{221e}"),
    ("NaN", "NaN"),
    ("exponentialSeparator", "E"),
    ("perMillText", "\u{2030}"),
    ("percentText", "%"),
    ("minusSignText", "-"),
];

fn scan_english(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (this, locale) = (machine.present(state, call, 0)?, machine.present(state, call, 1)?);
    check_english(machine, state, locale)?;
    let mut parts =
        vec![("locale", Value::object(locale)), ("integerPattern", Value::NULL), ("floatPattern", Value::NULL)];
    for (field, text) in ENGLISH_NUMBERS {
        parts.push((field, Value::object(machine.string(state, text)?)));
    }
    set_fields(machine, state, this, "java/util/Scanner", &parts);
    value(call.value(0))
}

fn english_symbols(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    const SYMBOLS: &str = "java/text/DecimalFormatSymbols";
    let locale = machine.present(state, call, 0)?;
    check_english(machine, state, locale)?;
    let id = machine.world.hierarchy.id(&SYMBOLS.into());
    let class = machine.initialise(state, id)?;
    let symbols = machine.allocate(state, &class);
    let mut parts = vec![("locale", Value::object(locale))];
    parts.extend(ENGLISH_SYMBOLS.iter().map(|(field, symbol)| (*field, Value::Int(*symbol as i32))));
    for (field, text) in ENGLISH_TEXTS {
        parts.push((field, Value::object(machine.string(state, text)?)));
    }
    set_fields(machine, state, symbols, SYMBOLS, &parts);
    value(Some(symbols))
}

/// Ends the path unless the locale is English; other locales would need their data.
fn check_english(machine: &mut Machine, state: &State, locale: Ref) -> Result<(), Halt> {
    let part = |machine: &mut Machine, object: Option<Ref>, class, field| {
        let slot = machine.world.instance_slot(class, field)?;
        match state.heap.get(object?).fields().get(slot) {
            Some(Value::Reference(part)) => *part,
            _ => None,
        }
    };
    let base = part(machine, Some(locale), "java/util/Locale", "baseLocale");
    let language = part(machine, base, "sun/util/locale/BaseLocale", "language");
    match language.and_then(|language| machine.text_of(state, language)) {
        Some(language) if matches!(&*language, "en" | "") => Ok(()),
        _ => Err(Halt::End(Ending::unsupported("numbers in another language than English".into()))),
    }
}

fn set_fields(machine: &mut Machine, state: &mut State, object: Ref, class: &str, parts: &[(&str, Value)]) {
    for (field, new) in parts {
        if let Some(slot) = machine.world.instance_slot(class, field) {
            state.heap.get_mut(object).fields_mut()[slot] = *new;
        }
    }
}

fn digest(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let algorithm = machine.present(state, call, 0)?;
    let algorithm = machine.text_of(state, algorithm).unwrap_or_default();
    match machine.digest_maker(&algorithm) {
        Some(maker) => Ok(Effect::Call(maker, Vec::new())),
        None => Err(Halt::End(Ending::unsupported(format!("the digest {algorithm}")))),
    }
}
