//! Constants of the class file.

use super::push;
use crate::halt::Step;
use crate::machine::Machine;
use crate::method::{Method, Site};
use crate::state::State;
use crate::value::Value;
use lapidary_classfile::{Constant, Text};
use lapidary_jvm::MethodType;
use std::rc::Rc;

impl Machine {
    pub(super) fn constant(&mut self, state: &mut State, method: &Rc<Method>, at: usize, constant: &Constant) -> Step {
        match constant {
            Constant::Int(number) => push(state, Value::Int(*number)),
            Constant::Long(number) => push(state, Value::Long(*number)),
            Constant::Float(bits) => push(state, Value::Float(f32::from_bits(*bits))),
            Constant::Double(bits) => push(state, Value::Double(f64::from_bits(*bits))),
            Constant::String(text) => {
                let number = self.literal_at(method, at, text);
                let literal = self.literal(state, number)?;
                push(state, Value::object(literal))
            }
            Constant::Class(name) => {
                let type_ = self.type_at(state, method, at, name)?;
                let mirror = self.mirror(state, type_)?;
                push(state, Value::object(mirror))
            }
            Constant::MethodType(descriptor) => match MethodType::parse(descriptor.as_bytes()) {
                Ok(type_) => {
                    let maker = self.method_type_maker(&type_);
                    self.call(state, &maker, &[], 0)
                }
                Err(_) => self.broken("a method type that is none"),
            },
            Constant::MethodHandle(handle) => {
                let handle = self.handle_of(state, handle)?;
                push(state, Value::object(handle))
            }
            Constant::Dynamic(dynamic) => self.dynamic_constant(state, method, dynamic),
        }
    }

    fn literal_at(&mut self, method: &Method, at: usize, text: &Text) -> u32 {
        let site = method.prepared().map(|prepared| &prepared.sites[at]);
        match site.and_then(|site| site.get()) {
            Some(Site::Literal(number)) => *number,
            _ => {
                let number = self.world.literal(text);
                site.into_iter().for_each(|site| drop(site.set(Site::Literal(number))));
                number
            }
        }
    }
}
