//! The code that two versions of a program have in common: where a path of one version is also a
//! path of the other.
//!
//! A method is common if its code is the same and mentions no class that only one version has. A
//! class is common if it has the same fields in the same order, the same methods and the same
//! initialiser, and if all its superclasses and interfaces are common. Objects of such a class look
//! the same in both versions, and calls of them find the same methods. Whether the code of those
//! methods differs is checked when they are called.

use crate::changes::{Change, Changes};
use crate::watch::Common;
use lapidary_classfile::{Constant, Instruction, Text};
use lapidary_jvm::{ClassId, Hierarchy, MethodId};
use lapidary_symbolic::{Method, ProgramClasses};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The methods and classes that two versions have in common.
pub struct CommonCode {
    old: Arc<Hierarchy>,
    new: Arc<Hierarchy>,
    /// Changes by class name, in internal form.
    changes: HashMap<Text, Change>,
    program: HashSet<Text>,
    /// The classes that only one version has.
    one_sided: HashSet<Text>,
    methods: RefCell<HashMap<MethodId, bool>>,
    classes: RefCell<HashMap<ClassId, bool>>,
}

impl CommonCode {
    /// Determines what the classes of two hierarchies have in common, for a machine that runs the
    /// old ones.
    pub fn between(old: &Arc<Hierarchy>, new: &Arc<Hierarchy>) -> CommonCode {
        let found = Changes::between(old.class_path(), new.class_path());
        let name = |change: &Change| Text::from(change.class.replace('.', "/").as_str());
        let changes: HashMap<Text, Change> = found.classes.into_iter().map(|change| (name(&change), change)).collect();
        let one_sided = changes.iter().filter(|(_, change)| change.is_one_sided).map(|(name, _)| name.clone());
        CommonCode {
            old: old.clone(),
            new: new.clone(),
            one_sided: one_sided.collect(),
            program: ProgramClasses::of(old.class_path()).names().map(Text::from).collect(),
            changes,
            methods: RefCell::default(),
            classes: RefCell::default(),
        }
    }

    fn compare_method(&self, method: &Method) -> bool {
        let key = (method.name.clone(), method.type_.descriptor());
        let is_same = self
            .changes
            .get(&method.class_name)
            .is_none_or(|change| !change.is_one_sided && !change.methods.contains(&key));
        is_same && !self.mentions_other(method)
    }

    /// Whether an instruction of a method looks the same but has another meaning in the other
    /// version.
    fn mentions_other(&self, method: &Method) -> bool {
        let instructions = method.code().map_or(&[][..], |code| &code.instructions);
        !self.changes.is_empty() && instructions.iter().any(|instruction| self.means_other(instruction))
    }

    fn means_other(&self, instruction: &Instruction) -> bool {
        let is_one_sided = |name: &Text| self.one_sided.contains(&element(name));
        match instruction {
            Instruction::Field(_, member) | Instruction::Invoke(_, member) => is_one_sided(&member.owner),
            Instruction::New(name) | Instruction::CheckCast(name) | Instruction::InstanceOf(name) => is_one_sided(name),
            Instruction::ANewArray(name) | Instruction::MultiANewArray(name, _) => is_one_sided(name),
            // Code that has a class object may ask for the members of the class.
            Instruction::Ldc(Constant::Class(name)) | Instruction::LdcW(Constant::Class(name)) => {
                self.changes.contains_key(&element(name))
            }
            _ => false,
        }
    }

    fn compare_class(&self, class: ClassId) -> bool {
        let change = self.changes.get(self.old.name(class));
        let is_same = change.is_none_or(|change| !change.has_other_members) && self.has_same_order(class);
        let mut above = self.old.edges(class).map(|edge| edge.to);
        is_same && above.all(|above| self.is_common_class(above))
    }

    /// Whether a class declares its fields in the same order, which determines the layout of
    /// objects.
    fn has_same_order(&self, class: ClassId) -> bool {
        // Only classes of the program can differ. Generated classes are checked only after the
        // other version has them.
        if !self.program.contains(self.old.name(class)) {
            return true;
        }
        let fields = |hierarchy: &Hierarchy| {
            let fields = hierarchy.class(class).map_or(&[][..], |class| &class.fields);
            fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>()
        };
        fields(&self.old) == fields(&self.new)
    }
}

/// The class that a constant names, directly or as the element of an array.
fn element(constant: &Text) -> Text {
    match constant.as_bytes().first() {
        Some(b'[') => constant.as_str().trim_start_matches('[').trim_start_matches('L').trim_end_matches(';').into(),
        _ => constant.clone(),
    }
}

impl Common for CommonCode {
    fn is_common_method(&self, method: &Method) -> bool {
        if let Some(known) = self.methods.borrow().get(&method.id) {
            return *known;
        }
        let is_common = self.compare_method(method);
        self.methods.borrow_mut().insert(method.id, is_common);
        is_common
    }

    fn is_common_class(&self, class: ClassId) -> bool {
        if let Some(known) = self.classes.borrow().get(&class) {
            return *known;
        }
        // A class that is its own superclass is never initialised.
        self.classes.borrow_mut().insert(class, true);
        let is_common = self.compare_class(class);
        self.classes.borrow_mut().insert(class, is_common);
        is_common
    }
}
