//! The constants in the program's code, which it may compare its inputs with.

use crate::input::ProgramClasses;
use crate::machine::Machine;
use crate::method::Method;
use lapidary_classfile::{Class, Constant, Instruction, Text};
use std::collections::BTreeSet;

/// Numbers and strings without repetitions.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    pub integers: Vec<i64>,
    pub doubles: Vec<f64>,
    /// UTF-16 units.
    pub texts: Vec<Vec<u16>>,
}

/// The number of classes that are read of a large program.
const CLASSES: usize = 200;

impl Constants {
    /// The constants of the method's class and of the program's other classes.
    pub fn of_program(machine: &Machine, method: &Method) -> Constants {
        let class_path = machine.world.hierarchy.class_path();
        let mut found = Found::default();
        class_path.class(&method.class_name).iter().for_each(|class| found.class(class));
        for name in ProgramClasses::of(class_path).names().take(CLASSES) {
            class_path.class(&Text::from(name)).iter().for_each(|class| found.class(class));
        }
        found.constants()
    }
}

#[derive(Default)]
struct Found {
    integers: BTreeSet<i64>,
    doubles: BTreeSet<u64>,
    texts: BTreeSet<Vec<u16>>,
}

impl Found {
    fn class(&mut self, class: &Class) {
        for code in class.methods.iter().filter_map(|method| method.code()) {
            code.instructions.iter().for_each(|instruction| self.instruction(instruction));
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::IConst(number) | Instruction::BiPush(number) => drop(self.integers.insert((*number).into())),
            Instruction::SiPush(number) => drop(self.integers.insert((*number).into())),
            Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                self.constant(constant);
            }
            Instruction::TableSwitch(switch) => {
                let count = switch.targets.len() as i64;
                self.integers.extend((0..count).map(|place| i64::from(switch.low) + place));
            }
            Instruction::LookupSwitch(switch) => {
                self.integers.extend(switch.pairs.iter().map(|(number, _)| i64::from(*number)));
            }
            _ => {}
        }
    }

    fn constant(&mut self, constant: &Constant) {
        match constant {
            Constant::Int(number) => drop(self.integers.insert((*number).into())),
            Constant::Long(number) => drop(self.integers.insert(*number)),
            Constant::Float(bits) => drop(self.doubles.insert(f64::from(f32::from_bits(*bits)).to_bits())),
            Constant::Double(bits) => drop(self.doubles.insert(*bits)),
            Constant::String(text) => drop(self.texts.insert(text.utf16())),
            _ => {}
        }
    }

    fn constants(self) -> Constants {
        Constants {
            integers: self.integers.into_iter().collect(),
            doubles: self.doubles.into_iter().map(f64::from_bits).collect(),
            texts: self.texts.into_iter().collect(),
        }
    }
}
