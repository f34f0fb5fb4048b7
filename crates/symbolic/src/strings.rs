//! Strings and class objects, which the machine creates itself.

use crate::halt::Halt;
use crate::heap::{Body, Elements, Nature, Object};
use crate::machine::Machine;
use crate::state::State;
use crate::types::{Type, TypeId};
use crate::value::{Ref, Value};
use lapidary_classfile::{Kind, Text};
use lapidary_jvm::BaseType;

impl Machine {
    /// The object of a string literal; the same each time.
    pub fn literal(&mut self, state: &mut State, number: u32) -> Result<Ref, Halt> {
        if let Some(known) = state.literals.get(number) {
            return Ok(*known);
        }
        let text = self.world.literal_text(number);
        let units: Vec<u16> = units_of_text(&text);
        let literal = self.string_of_units(state, &units)?;
        state.literals.insert(number, literal);
        Ok(literal)
    }

    pub fn string(&mut self, state: &mut State, text: &str) -> Result<Ref, Halt> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.string_of_units(state, &units)
    }

    pub(crate) fn string_of_units(&mut self, state: &mut State, units: &[u16]) -> Result<Ref, Halt> {
        let is_latin = units.iter().all(|unit| *unit < 256);
        let bytes = if is_latin {
            units.iter().map(|unit| *unit as i8).collect()
        } else {
            units.iter().flat_map(|unit| unit.to_le_bytes()).map(|byte| byte as i8).collect()
        };
        self.string_of_elements(state, Elements::Bytes(bytes), i32::from(!is_latin))
    }

    /// A string of one-byte characters, which may be symbols.
    pub fn symbolic_string(&mut self, state: &mut State, characters: Vec<Value>) -> Result<Ref, Halt> {
        self.string_of_elements(state, Elements::Mixed(BaseType::Byte, characters), 0)
    }

    fn string_of_elements(&mut self, state: &mut State, elements: Elements, coder: i32) -> Result<Ref, Halt> {
        let name = self.world.hierarchy.id(&"java/lang/String".into());
        let class = self.load(state, name)?;
        let byte = self.world.types.number(Type::Base(BaseType::Byte));
        let array_type = self.world.types.array_of(byte);
        let array = state.heap.allocate(Object { type_: array_type, body: Body::Array(elements) });
        let mut fields = class.defaults.clone();
        for (place, (_, name, _)) in class.instance_fields.iter().enumerate() {
            match &*name.as_str() {
                "value" => fields[place] = Value::object(array),
                "coder" => fields[place] = Value::Int(coder),
                _ => {}
            }
        }
        Ok(state.heap.allocate(Object::plain(class.type_, fields)))
    }

    /// The UTF-16 units of a string object.
    pub fn units_of(&mut self, state: &State, string: Ref) -> Option<Vec<Value>> {
        let value = self.world.instance_slot("java/lang/String", "value")?;
        let coder = self.world.instance_slot("java/lang/String", "coder")?;
        let fields = state.heap.get(string).fields();
        let (Some(Value::Reference(Some(array))), Some(Value::Int(coder))) = (fields.get(value), fields.get(coder))
        else {
            return None;
        };
        let elements = state.heap.get(*array).elements()?;
        let bytes: Vec<Value> = (0..elements.len()).map(|index| elements.get(index)).collect();
        Some(if *coder == 0 {
            bytes.into_iter().map(|byte| self.unsigned(byte)).collect()
        } else {
            bytes.chunks_exact(2).map(|pair| self.joined(pair[0], pair[1])).collect()
        })
    }

    /// The UTF-16 units of a string that has no symbols in it.
    pub(crate) fn known_units_of(&mut self, state: &State, string: Ref) -> Option<Vec<u16>> {
        let units = self.units_of(state, string)?.into_iter();
        units.map(|unit| if let Value::Int(unit) = unit { Some(unit as u16) } else { None }).collect()
    }

    /// The content of a string that has no symbols in it. Unpaired surrogates become U+FFFD.
    pub fn text_of(&mut self, state: &State, string: Ref) -> Option<String> {
        Some(String::from_utf16_lossy(&self.known_units_of(state, string)?))
    }

    fn unsigned(&mut self, byte: Value) -> Value {
        match byte {
            Value::Int(number) => Value::Int(number & 0xff),
            Value::Symbolic(kind, term) => {
                let low = self.terms.extract(term, 7, 0);
                Value::of_term(kind, self.terms.zero_extend(low, 32), &self.terms)
            }
            other => other,
        }
    }

    fn joined(&mut self, low: Value, high: Value) -> Value {
        let (low, high) = (self.unsigned(low), self.unsigned(high));
        if let (Value::Int(low), Value::Int(high)) = (low, high) {
            return Value::Int(high << 8 | low);
        }
        let (Some(low), Some(high)) = (low.term(&mut self.terms), high.term(&mut self.terms)) else { return low };
        let eight = self.terms.int(8);
        let high = self.terms.shl(high, eight);
        Value::of_term(Kind::Int, self.terms.or(high, low), &self.terms)
    }

    /// The `java.lang.Class` of a type; the same each time.
    pub fn mirror(&mut self, state: &mut State, type_: TypeId) -> Result<Ref, Halt> {
        if let Some(known) = state.mirrors.get(type_.number()) {
            return Ok(*known);
        }
        let id = self.world.hierarchy.id(&"java/lang/Class".into());
        let class = self.load(state, id)?;
        let mut fields = class.defaults.clone();
        let element = match self.world.types.get(type_) {
            Type::Array(element) => Value::object(self.mirror(state, element)?),
            _ => Value::NULL,
        };
        for (field, (_, name, _)) in fields.iter_mut().zip(&class.instance_fields) {
            match &*name.as_str() {
                "componentType" => *field = element,
                "module" | "classLoader" => *field = Value::Nothing,
                _ => {}
            }
        }
        let body = Body::Fields(fields, Nature::Mirror(type_));
        let mirror = state.heap.allocate(Object { type_: class.type_, body });
        state.mirrors.insert(type_.number(), mirror);
        Ok(mirror)
    }
}

fn units_of_text(text: &Text) -> Vec<u16> {
    text.utf16()
}
