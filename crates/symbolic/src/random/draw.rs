//! Random inputs of any kind.

use super::Constants;
use crate::ending::Aliases;
use crate::input::{Alternative, GivenField, GivenObject, Input, KindId, Number};
use crate::machine::Machine;
use lapidary_classfile::Text;
use lapidary_common::Random;
use lapidary_jvm::{Answer, BaseType, FieldType};
use std::collections::BTreeSet;

/// Draws the inputs of one call.
pub(super) struct Draw<'a> {
    machine: &'a mut Machine,
    dice: &'a mut Random,
    constants: &'a Constants,
    /// The classes of the objects drawn so far; the first has number 1.
    objects: Vec<Text>,
    in_field: bool,
    /// How many inputs with parts were drawn.
    deep: usize,
}

/// The largest number of inputs with parts. Without it, trees would grow fast with `--depth`.
const DEEP: usize = 100;

impl<'a> Draw<'a> {
    pub fn new(machine: &'a mut Machine, dice: &'a mut Random, constants: &'a Constants) -> Draw<'a> {
        Draw { machine, dice, constants, objects: Vec::new(), in_field: false, deep: 0 }
    }

    pub fn argument(&mut self, kind: KindId) -> Input<Number> {
        let depth = self.machine.config.limits.object_depth as i32;
        self.kind(kind, depth)
    }

    /// Marks the objects that occur in several places.
    pub fn mark_shared(&self, inputs: &mut [Input<Number>]) {
        let mut shared = BTreeSet::new();
        inputs.iter_mut().for_each(|input| {
            each(input, &mut |input| {
                if let Input::Same(number) = input {
                    shared.insert(*number);
                }
            })
        });
        inputs.iter_mut().for_each(|input| {
            each(input, &mut |input| {
                if let Input::Object(object) = input {
                    object.is_shared = shared.contains(&object.number);
                }
            })
        });
    }

    fn kind(&mut self, kind: KindId, depth: i32) -> Input<Number> {
        if let Some(number) = self.earlier(kind) {
            return Input::Same(number);
        }
        let found = self.machine.kinds.get(kind);
        let depth = if self.deep < DEEP { depth } else { 0 };
        let mut ways = found.at_depth(depth);
        ways.retain(|way| !matches!(found.alternatives[*way], Alternative::Unsupported(_)));
        // Null is one value among many, so it is rare where there are others.
        let some: Vec<usize> =
            ways.iter().copied().filter(|way| !matches!(found.alternatives[*way], Alternative::Null)).collect();
        let ways = if some.is_empty() || self.dice.below(8) == 0 { ways } else { some };
        if ways.is_empty() {
            return Input::Null;
        }
        let way = found.alternatives[ways[self.dice.below(ways.len())]].clone();
        self.deep += usize::from(way.is_deep());
        self.alternative(kind, way, depth - 1)
    }

    /// Occasionally, an object that was drawn before.
    fn earlier(&mut self, kind: KindId) -> Option<u32> {
        let allowed = match self.machine.config.limits.aliases {
            Aliases::None => false,
            Aliases::Arguments => !self.in_field,
            Aliases::All => true,
        };
        let found = self.machine.kinds.get(kind);
        if !allowed || self.objects.is_empty() || !found.has_objects() || self.dice.below(6) != 0 {
            return None;
        }
        let place = self.dice.below(self.objects.len());
        let class = FieldType::Object(self.objects[place].clone());
        let fits = self.machine.world.hierarchy.is_assignable(&class, &found.type_) == Answer::Yes;
        fits.then_some(place as u32 + 1)
    }

    fn alternative(&mut self, kind: KindId, way: Alternative, depth: i32) -> Input<Number> {
        match way {
            Alternative::Number(base) => Input::Number(base, self.number(base)),
            Alternative::Boxed(base) => Input::Boxed(base, self.number(base)),
            Alternative::Text => self.text(),
            Alternative::Numbers(base) => {
                let length = self.length();
                let numbers = (0..length).map(|_| Input::Number(base, self.number(base))).collect();
                Input::Array(FieldType::Base(base), numbers)
            }
            Alternative::Array(element) => {
                let type_ = self.machine.kinds.get(element).type_.clone();
                Input::Array(type_, self.parts(&[element], depth))
            }
            Alternative::Constant(class, name) => Input::Constant(class, name),
            Alternative::Object(class) => self.object(class, kind, depth),
            Alternative::Made(call, kinds) => {
                Input::Made(call, kinds.into_iter().map(|kind| self.kind(kind, depth)).collect())
            }
            Alternative::Elements(class, element) => Input::Elements(class, self.parts(&[element], depth)),
            Alternative::Entries(class, key, value) => Input::Entries(class, self.parts(&[key, value], depth)),
            Alternative::Null | Alternative::Unsupported(_) => Input::Null,
        }
    }

    fn parts(&mut self, kinds: &[KindId], depth: i32) -> Vec<Input<Number>> {
        let length = self.length();
        let each = (0..length).flat_map(|_| kinds.iter().copied()).collect::<Vec<_>>();
        each.into_iter().map(|kind| self.kind(kind, depth)).collect()
    }

    fn length(&mut self) -> usize {
        self.dice.below(self.machine.config.limits.array_length + 1)
    }

    fn object(&mut self, class: Text, kind: KindId, depth: i32) -> Input<Number> {
        self.objects.push(class.clone());
        let number = self.objects.len() as u32;
        let hierarchy = self.machine.world.hierarchy.clone();
        let outside = std::mem::replace(&mut self.in_field, true);
        let mut fields = Vec::new();
        for (owner, name, kind) in self.machine.kinds.fields(&hierarchy, &class, kind) {
            fields.push(GivenField { owner, name, value: self.kind(kind, depth) });
        }
        self.in_field = outside;
        Input::Object(GivenObject { number, class, fields, is_shared: false })
    }

    fn text(&mut self) -> Input<Number> {
        let known = &self.constants.texts;
        let units: Vec<u16> = if !known.is_empty() && self.dice.below(3) == 0 {
            known[self.dice.below(known.len())].clone()
        } else if !self.machine.wide_texts.is_empty() && self.dice.below(8) == 0 {
            self.machine.wide_texts[self.dice.below(self.machine.wide_texts.len())].clone()
        } else {
            let length = self.length();
            (0..length).map(|_| 32 + self.dice.below(95) as u16).collect()
        };
        Input::Text(units.into_iter().map(|unit| Number::Integer(unit.into())).collect())
    }

    fn number(&mut self, base: BaseType) -> Number {
        match base {
            BaseType::Float => Number::Float(self.double() as f32),
            BaseType::Double => Number::Double(self.double()),
            _ => Number::Integer(fitting(base, self.integer(base))),
        }
    }

    fn integer(&mut self, base: BaseType) -> i64 {
        let (least, most) = range(base);
        let special = [0, 1, -1, 2, least, most, least + 1, most - 1];
        let known = &self.constants.integers;
        match self.dice.below(4) {
            0 => special[self.dice.below(special.len())],
            1 if !known.is_empty() => known[self.dice.below(known.len())].wrapping_add(self.dice.below(3) as i64 - 1),
            2 => self.dice.below(21) as i64 - 10,
            _ => self.bits() as i64,
        }
    }

    fn double(&mut self) -> f64 {
        const SPECIAL: [f64; 8] = [0.0, -0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX];
        let known = &self.constants.doubles;
        match self.dice.below(4) {
            0 => SPECIAL[self.dice.below(SPECIAL.len())],
            1 if !known.is_empty() => known[self.dice.below(known.len())],
            2 => self.dice.below(21) as f64 - 10.0,
            _ => f64::from_bits(self.bits()),
        }
    }

    fn bits(&mut self) -> u64 {
        (self.dice.below(1 << 32) as u64) << 32 | self.dice.below(1 << 32) as u64
    }
}

/// Visits an input and all its parts.
fn each(input: &mut Input<Number>, visit: &mut impl FnMut(&mut Input<Number>)) {
    visit(input);
    match input {
        Input::Array(_, parts) | Input::Made(_, parts) | Input::Elements(_, parts) | Input::Entries(_, parts) => {
            parts.iter_mut().for_each(|part| each(part, visit));
        }
        Input::Object(object) => object.fields.iter_mut().for_each(|field| each(&mut field.value, visit)),
        Input::Shared(_, input) => each(input, visit),
        _ => {}
    }
}

fn range(base: BaseType) -> (i64, i64) {
    match base {
        BaseType::Boolean => (0, 1),
        BaseType::Byte => (i8::MIN.into(), i8::MAX.into()),
        BaseType::Char => (0, u16::MAX.into()),
        BaseType::Short => (i16::MIN.into(), i16::MAX.into()),
        BaseType::Int => (i32::MIN.into(), i32::MAX.into()),
        BaseType::Long | BaseType::Float | BaseType::Double => (i64::MIN, i64::MAX),
    }
}

fn fitting(base: BaseType, number: i64) -> i64 {
    match base {
        BaseType::Boolean => number & 1,
        BaseType::Byte => (number as i8).into(),
        BaseType::Char => (number as u16).into(),
        BaseType::Short => (number as i16).into(),
        BaseType::Int => (number as i32).into(),
        BaseType::Long | BaseType::Float | BaseType::Double => number,
    }
}
