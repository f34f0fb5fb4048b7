//! Merges a class with the members of its collapsed subclasses. Names are still the old ones.

use super::candidates::hands_on;
use super::signatures;
use lapidary_classfile::{
    Attribute, BootstrapMethod, Class, Code, Constant, Dynamic, Field, Instruction, InvokeOp, MemberRef, Method, Text,
    access,
};
use lapidary_jvm::Hierarchy;
use std::sync::Arc;

/// Merges several classes, given from the highest to the lowest, each the only subclass of the one
/// before. `None` if they have more bootstrap methods than one class can hold.
pub(super) fn merged(group: &[&Class], hierarchy: &Hierarchy) -> Option<Class> {
    let mut result = group[0].clone();
    for pair in group.windows(2) {
        let (above, below) = (pair[0], pair[1]);
        let first_bootstrap = u16::try_from(result.bootstrap_methods().len()).ok()?;
        first_bootstrap.checked_add(u16::try_from(below.bootstrap_methods().len()).ok()?)?;
        Merge { hierarchy, group, above, below, first_bootstrap }.add_below(&mut result);
    }
    Some(result)
}

/// One step of a merge: the lower class goes into the result for the classes above it.
struct Merge<'a> {
    hierarchy: &'a Hierarchy,
    group: &'a [&'a Class],
    above: &'a Class,
    below: &'a Class,
    /// The offset of the lower class's bootstrap methods, which follow those of the higher class.
    first_bootstrap: u16,
}

impl Merge<'_> {
    fn add_below(&self, result: &mut Class) {
        result.access = joined_access(result.access, self.below.access);
        self.add_interfaces(result);
        self.add_attributes(result);
        result.fields.extend(self.below.fields.iter().map(moved_field));
        for method in &self.below.methods {
            self.add_method(result, method);
        }
    }

    fn add_interfaces(&self, result: &mut Class) {
        for interface in &self.below.interfaces {
            if !result.interfaces.contains(interface) {
                result.interfaces.push(interface.clone());
                signatures::add_interface(&mut result.attributes, interface);
            }
        }
    }

    fn add_attributes(&self, result: &mut Class) {
        let bootstraps = self.below.bootstrap_methods().iter().map(|method| self.moved_bootstrap(method));
        add(result, Attribute::BootstrapMethods(bootstraps.collect()));
        let known: Vec<Text> = result.inner_classes().iter().map(|entry| entry.inner.clone()).collect();
        let nested = self.below.inner_classes().iter().filter(|entry| !known.contains(&entry.inner));
        add(result, Attribute::InnerClasses(nested.cloned().collect()));
        add(result, Attribute::NestMembers(self.below.nest_members().to_vec()));
    }

    /// Adds a method. A constructor that only passes on its parameters is replaced by the one it
    /// calls. Any other method replaces the one with its name and descriptor.
    fn add_method(&self, result: &mut Class, method: &Method) {
        let same = |other: &Method| other.name == method.name && other.descriptor == method.descriptor;
        let place = result.methods.iter().position(same);
        match place {
            Some(place) if method.name == "<init>" && hands_on(method, &self.above.name) => {
                let access = &mut result.methods[place].access;
                *access = wider(*access, method.access);
            }
            Some(place) => result.methods[place] = self.moved_method(method),
            None => result.methods.push(self.moved_method(method)),
        }
    }

    fn moved_method(&self, method: &Method) -> Method {
        let mut method = method.clone();
        signatures::drop_outer_variables(&mut method.attributes);
        if let Some(code) = method.code_mut() {
            signatures::drop_outer_variables(&mut code.attributes);
            self.move_code(code);
        }
        method
    }

    fn move_code(&self, code: &mut Code) {
        for instruction in &mut code.instructions {
            match instruction {
                Instruction::InvokeDynamic(site) => self.move_place(Arc::make_mut(site)),
                Instruction::Ldc(constant) | Instruction::LdcW(constant) | Instruction::Ldc2W(constant) => {
                    self.move_constant(constant);
                }
                Instruction::Invoke(op @ InvokeOp::Special, member) if member.name != "<init>" => {
                    self.move_super_call(op, member);
                }
                _ => {}
            }
        }
    }

    /// Redirects `super.m()` if the superclass is part of the merge: to the superclass of the
    /// merged class, or to the merged class itself.
    fn move_super_call(&self, op: &mut InvokeOp, member: &mut Arc<MemberRef>) {
        if !self.group.iter().any(|class| class.name == member.owner) {
            return;
        }
        let owner = self.hierarchy.id(&member.owner);
        let found = self.hierarchy.resolve_method(owner, &member.name, &member.descriptor).found();
        let is_private = found.is_some_and(|method| self.hierarchy.method(method).access & access::PRIVATE != 0);
        let declaring = found.map(|method| method.class);
        let merged =
            declaring.is_some_and(|class| self.group.iter().any(|other| other.name == *self.hierarchy.name(class)));
        let is_class = declaring.is_some_and(|class| self.hierarchy.is_interface(class) == Some(false));
        match &self.group[0].superclass {
            Some(superclass) if is_class && !merged => Arc::make_mut(member).owner = superclass.clone(),
            _ if is_private => {}
            _ => *op = InvokeOp::Virtual,
        }
    }

    fn moved_bootstrap(&self, method: &BootstrapMethod) -> BootstrapMethod {
        let mut method = method.clone();
        method.arguments.iter_mut().for_each(|argument| self.move_constant(argument));
        method
    }

    fn move_constant(&self, constant: &mut Constant) {
        if let Constant::Dynamic(dynamic) = constant {
            self.move_place(Arc::make_mut(dynamic));
        }
    }

    /// Moves a bootstrap index. An index without a bootstrap method stays without one, because
    /// there are fewer methods than the largest index.
    fn move_place(&self, dynamic: &mut Dynamic) {
        dynamic.bootstrap = dynamic.bootstrap.saturating_add(self.first_bootstrap);
    }
}

/// The access flags of the merged class. Abstract and final are taken from the lowest class. Code
/// that could see one of the two classes can see the result.
pub(super) fn joined_access(above: u16, below: u16) -> u16 {
    let of_lowest = access::ABSTRACT | access::FINAL;
    (wider(above, below) & !of_lowest) | (below & of_lowest)
}

/// A field moved to another class. Not all constructors of the merged class set it, so it cannot be
/// final.
fn moved_field(field: &Field) -> Field {
    let mut field = field.clone();
    if field.access & access::STATIC == 0 {
        field.access &= !access::FINAL;
    }
    signatures::drop_outer_variables(&mut field.attributes);
    field
}

fn wider(one: u16, other: u16) -> u16 {
    let visibility = access::PUBLIC | access::PROTECTED | access::PRIVATE;
    let rank = |access: u16| match access & visibility {
        access::PUBLIC => 3,
        access::PROTECTED => 2,
        access::PRIVATE => 0,
        _ => 1,
    };
    let widest = if rank(other) > rank(one) { other } else { one };
    (one & !visibility) | (widest & visibility)
}

/// Adds the entries of a list attribute to those of the class.
fn add(class: &mut Class, more: Attribute) {
    use Attribute::{BootstrapMethods, InnerClasses, NestMembers};
    for known in &mut class.attributes {
        match (known, &more) {
            (BootstrapMethods(known), BootstrapMethods(more)) => return known.extend_from_slice(more),
            (InnerClasses(known), InnerClasses(more)) => return known.extend_from_slice(more),
            (NestMembers(known), NestMembers(more)) => return known.extend_from_slice(more),
            _ => {}
        }
    }
    let is_empty = match &more {
        BootstrapMethods(more) => more.is_empty(),
        InnerClasses(more) => more.is_empty(),
        NestMembers(more) => more.is_empty(),
        _ => false,
    };
    class.attributes.extend((!is_empty).then_some(more));
}
