//! Removal of unused bootstrap methods.

use crate::{Attribute, BootstrapMethod, Class, Code, Constant, Instruction};
use std::sync::Arc;

impl Class {
    /// Drops the bootstrap methods that nothing refers to and renumbers the rest. A class that
    /// keeps its original constant pool keeps them all, because entries of the pool refer to them.
    pub fn drop_unused_bootstrap_methods(&mut self) {
        if self.keeps_original_pool() || self.bootstrap_methods().is_empty() {
            return;
        }
        let renumbering = renumbering(&self.used_bootstrap_methods());
        for attribute in &mut self.attributes {
            if let Attribute::BootstrapMethods(table) = attribute {
                retain(table, &renumbering);
            }
        }
        self.attributes
            .retain(|attribute| !matches!(attribute, Attribute::BootstrapMethods(table) if table.is_empty()));
        for code in self.methods.iter_mut().filter_map(|method| method.code_mut()) {
            renumber_code(code, &renumbering);
        }
    }

    fn used_bootstrap_methods(&self) -> Vec<bool> {
        let table = self.bootstrap_methods();
        let mut used = vec![false; table.len()];
        let codes = self.methods.iter().filter_map(|method| method.code());
        let mut pending: Vec<u16> = codes.flat_map(|code| &code.instructions).filter_map(bootstrap_of).collect();
        while let Some(index) = pending.pop() {
            if let Some(mark @ false) = used.get_mut(usize::from(index)) {
                *mark = true;
                pending.extend(table[usize::from(index)].arguments.iter().filter_map(bootstrap_of_constant));
            }
        }
        used
    }
}

fn bootstrap_of(instruction: &Instruction) -> Option<u16> {
    match instruction {
        Instruction::InvokeDynamic(site) => Some(site.bootstrap),
        Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
            bootstrap_of_constant(constant)
        }
        _ => None,
    }
}

fn bootstrap_of_constant(constant: &Constant) -> Option<u16> {
    match constant {
        Constant::Dynamic(dynamic) => Some(dynamic.bootstrap),
        _ => None,
    }
}

/// The new index of each used entry. Unused entries get an index that nothing refers to.
fn renumbering(used: &[bool]) -> Vec<u16> {
    let mut next = 0;
    let number = |used: &bool| {
        let index = if *used { next } else { u16::MAX };
        next += u16::from(*used);
        index
    };
    used.iter().map(number).collect()
}

fn retain(table: &mut Vec<BootstrapMethod>, renumbering: &[u16]) {
    let mut numbers = renumbering.iter();
    table.retain(|_| numbers.next().is_some_and(|number| *number != u16::MAX));
    for constant in table.iter_mut().flat_map(|entry| &mut entry.arguments) {
        renumber_constant(constant, renumbering);
    }
}

fn renumber_code(code: &mut Code, renumbering: &[u16]) {
    for instruction in &mut code.instructions {
        match instruction {
            Instruction::InvokeDynamic(site) => renumber(&mut Arc::make_mut(site).bootstrap, renumbering),
            Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                renumber_constant(constant, renumbering);
            }
            _ => {}
        }
    }
}

fn renumber_constant(constant: &mut Constant, renumbering: &[u16]) {
    if let Constant::Dynamic(dynamic) = constant {
        renumber(&mut Arc::make_mut(dynamic).bootstrap, renumbering);
    }
}

/// Replaces an index. One that was past the end of the table stays as it is.
fn renumber(index: &mut u16, renumbering: &[u16]) {
    if let Some(new) = renumbering.get(usize::from(*index)) {
        *index = *new;
    }
}
