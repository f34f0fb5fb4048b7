//! `String` where it is not written in Java.

use super::{Call, Effect, Line, no, value};
use crate::Ending;
use crate::machine::{Halt, Machine};
use crate::state::State;

pub(super) const TABLE: &[Line] =
    &[("java/lang/String.intern()Ljava/lang/String;", intern), ("java/lang/StringUTF16.isBigEndian()Z", no)];

fn intern(machine: &mut Machine, state: &mut State, call: &Call<'_>) -> Result<Effect, Halt> {
    let this = machine.present(state, call, 0)?;
    let Some(text) = machine.text_of(state, this) else {
        return Err(Halt::End(Ending::unsupported("String.intern of a text that depends on symbols".into())));
    };
    let number = machine.world.literal(&text.as_str().into());
    value(Some(machine.literal(state, number)?))
}
