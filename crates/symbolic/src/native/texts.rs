//! `String` where it is not written in Java, and what reads or digests text with the help of data that the machine does not have.

use super::{Call, Effect, Line, no, value};
use crate::Ending;
use crate::machine::{Halt, Machine};
use crate::state::State;
use crate::value::Value;

pub(super) const TABLE: &[Line] = &[
    ("java/lang/String.intern()Ljava/lang/String;", intern),
    ("java/lang/StringUTF16.isBigEndian()Z", no),
    ("java/util/Scanner.useLocale(Ljava/util/Locale;)Ljava/util/Scanner;", scan_english),
    ("java/security/MessageDigest.getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;", digest),
];

fn intern(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    let Some(text) = machine.text_of(state, this) else {
        return Err(Halt::End(Ending::unsupported("String.intern of a text that depends on symbols".into())));
    };
    let number = machine.world.literal(&text.as_str().into());
    value(Some(machine.literal(state, number)?))
}

/// How numbers look in English, as regular expressions; the library would find it in its locale data.
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

/// The machine is an English one; other locales would need their data.
fn scan_english(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let (this, locale) = (machine.present(state, call, 0)?, machine.present(state, call, 1)?);
    let slot = |machine: &mut Machine, class, field| machine.world.instance_slot(class, field);
    let base = slot(machine, "java/util/Locale", "baseLocale").map(|slot| state.heap.get(locale).fields()[slot]);
    let language = slot(machine, "sun/util/locale/BaseLocale", "language");
    if let (Some(Value::Reference(Some(base))), Some(language)) = (base, language)
        && let Value::Reference(Some(language)) = state.heap.get(base).fields()[language]
        && machine.text_of(state, language).is_some_and(|language| !matches!(&*language, "en" | ""))
    {
        return Err(Halt::End(Ending::unsupported("a Scanner for another language than English".into())));
    }
    for (field, text) in ENGLISH_NUMBERS {
        let text = machine.string(state, text)?;
        if let Some(slot) = slot(machine, "java/util/Scanner", field) {
            state.heap.get_mut(this).fields_mut()[slot] = Value::object(text);
        }
    }
    for (field, new) in
        [("locale", Value::object(locale)), ("integerPattern", Value::NULL), ("floatPattern", Value::NULL)]
    {
        if let Some(slot) = slot(machine, "java/util/Scanner", field) {
            state.heap.get_mut(this).fields_mut()[slot] = new;
        }
    }
    value(call.value(0))
}

fn digest(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let algorithm = machine.present(state, call, 0)?;
    let algorithm = machine.text_of(state, algorithm).unwrap_or_default();
    match machine.digest_maker(&algorithm) {
        Some(maker) => Ok(Effect::Call(maker, Vec::new())),
        None => Err(Halt::End(Ending::unsupported(format!("the digest {algorithm}")))),
    }
}
