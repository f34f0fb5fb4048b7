//! Parameters, each together with the arguments that all callers pass for it.
//!
//! An item is a parameter of a whole family of methods that override each other. Without it, no
//! member of the family declares the parameter, every caller drops the argument right after
//! computing it, and a member that still reads the parameter finds zero or null in a local variable
//! instead. The clauses ensure that overloaded methods stay distinct.

mod arguments;
mod declaration;
mod edit;
mod families;
mod fixed;
mod slots;

use crate::label;
use crate::program::{FileOf, Program};
use crate::unknown;
pub(crate) use fixed::{handles, resolved};

use edit::{Body, Edit};
use families::{Families, Family, FamilyId};
use lapidary_classfile::{Attribute, Class};
use lapidary_jvm::{ClassId, ClassPath, Hierarchy, MethodId};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Blob, Entry, FileTree, Item, Model, RenderError};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// A Java program as removable parameters.
pub struct ParameterModel {
    program: Program,
    hierarchy: Hierarchy,
    families: Families,
    /// The bodies that change when some parameter is removed.
    bodies: BTreeMap<MethodId, Body>,
    items: Vec<Item>,
    /// The variables by family and parameter index.
    vars: HashMap<(FamilyId, usize), Var>,
    constraint: Cnf,
    /// For each class, the items that decide how it is written.
    ties: Vec<Vec<Var>>,
    written: Mutex<Written>,
}

/// A cache of written classes, by the kept items that each is tied to.
type Written = HashMap<(usize, Vec<bool>), Option<Blob>>;

/// The number of versions of classes to cache.
const REMEMBERED: usize = 20_000;

/// The indices of the parameters that are removed from a family, in order.
pub(crate) type Gone<'a> = &'a dyn Fn(FamilyId) -> Vec<usize>;

impl ParameterModel {
    /// Builds the model of a directory of class files. Other classes are looked up on the class
    /// path.
    pub fn new(tree: &FileTree, class_path: Arc<ClassPath>) -> ParameterModel {
        let program = Program::read(tree);
        let hierarchy = Hierarchy::new(program.classes().cloned(), class_path);
        let mut families = Families::of(&hierarchy);
        fixed::fix(&mut families, &hierarchy, &program);
        let mut bodies = edit::bodies(&mut families, &hierarchy);
        families.fix_indistinct_overloads();
        edit::fix_what_fails(&mut families, &hierarchy, &bodies);
        bodies.retain(|method, body| body.changes(&families, families.of_method(*method)));
        let mut model = ParameterModel {
            items: Vec::new(),
            vars: HashMap::new(),
            constraint: Cnf::new(0),
            ties: Vec::new(),
            written: Mutex::default(),
            program,
            hierarchy,
            families,
            bodies,
        };
        model.add_items();
        model.add_clauses();
        model.ties = model.hierarchy.program().map(|class| model.tied(class)).collect();
        model
    }

    fn add_items(&mut self) {
        let mut calls: HashMap<FamilyId, u64> = HashMap::new();
        for called in self.bodies.values().flat_map(Body::called) {
            *calls.entry(called).or_default() += 1;
        }
        for (id, family) in self.families.iter() {
            let callers = calls.get(&id).copied().unwrap_or_default();
            for place in family.removable_places() {
                let owner = self.label(family);
                let declared = family.parameters[place].descriptor().as_bytes().len() as u64;
                let cost = declared * family.members.len() as u64 + 3 * callers;
                self.vars.insert((id, place), Var::new(self.items.len()));
                let item = Item::new(format!("{owner}!parameter({place})"), "parameter");
                self.items.push(item.owned_by(owner).costing(cost));
            }
        }
    }

    /// The label of a family, which is that of its highest member.
    fn label(&self, family: &Family) -> String {
        let height = |method: &&MethodId| self.hierarchy.all_supertypes(method.class).len();
        let highest = family.members.iter().min_by_key(height).copied();
        let class = highest.and_then(|method| Some((self.hierarchy.class(method.class)?, method)));
        class.map_or(String::new(), |(class, method)| label::method(class, self.hierarchy.method(method)))
    }

    fn add_clauses(&mut self) {
        self.constraint = Cnf::new(self.items.len());
        for distinguishing in self.families.clauses() {
            let vars: Vec<Var> = distinguishing.iter().map(|parameter| self.vars[parameter]).collect();
            self.constraint.add(&[], &vars).expect("a clause with conclusions is implicative");
        }
        self.constraint = self.constraint.without_duplicates();
    }

    /// The items that change a class: those of its methods, of methods it calls, and of the method
    /// that encloses it.
    fn tied(&self, class: ClassId) -> Vec<Var> {
        let mut families: BTreeSet<FamilyId> = BTreeSet::new();
        for method in self.hierarchy.declared_methods(class) {
            families.extend(self.families.of_method(method));
            families.extend(self.bodies.get(&method).into_iter().flat_map(Body::called));
        }
        let declared = self.hierarchy.class(class);
        families.extend(declared.and_then(|class| self.enclosing_family(class)));
        let places = |family: FamilyId| self.families.get(family).removable_places().map(move |place| (family, place));
        families.into_iter().flat_map(places).map(|parameter| self.vars[&parameter]).collect()
    }

    fn enclosing_family(&self, class: &Class) -> Option<FamilyId> {
        class.attributes.iter().find_map(|attribute| match attribute {
            Attribute::EnclosingMethod(enclosing) => {
                let method = enclosing.method.as_ref()?;
                let owner = self.hierarchy.id(&enclosing.class);
                self.families.of_method(self.hierarchy.declared_method(owner, &method.name, &method.descriptor)?)
            }
            _ => None,
        })
    }

    /// Writes a class of the candidate; `None` if it cannot be written. A class that loses nothing
    /// is copied.
    fn class(&self, index: usize, keep: &VarSet) -> Option<Entry> {
        let original = self.program.original(index);
        let state: Vec<bool> = self.ties[index].iter().map(|var| keep.contains(*var)).collect();
        if state.iter().all(|kept| *kept) {
            return Some(original.clone());
        }
        let key = (index, state);
        let known = self.written.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let blob = known.unwrap_or_else(|| {
            let blob = self.write(index, keep);
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            if written.len() >= REMEMBERED {
                written.clear();
            }
            written.insert(key, blob.clone());
            blob
        });
        blob.map(Entry::file)
    }

    fn write(&self, index: usize, keep: &VarSet) -> Option<Blob> {
        let gone = |family: FamilyId| {
            let places = self.families.get(family).removable_places();
            places.filter(|place| !keep.contains(self.vars[&(family, *place)])).collect()
        };
        let edit = Edit { families: &self.families, hierarchy: &self.hierarchy, gone: &gone };
        let id = self.hierarchy.program().nth(index)?;
        let mut class = self.program.class(index).clone();
        for (place, method) in class.methods.iter_mut().enumerate() {
            let id = MethodId { class: id, index: place as u32 };
            if let Some(body) = self.bodies.get(&id) {
                *method = edit.method(id, body)?;
            }
        }
        self.move_enclosing_method(&mut class, &gone);
        unknown::drop_all(&mut class);
        class.drop_unused_bootstrap_methods();
        class.write().ok().map(Blob::from)
    }

    fn move_enclosing_method(&self, class: &mut Class, gone: Gone<'_>) {
        let Some(family) = self.enclosing_family(class) else { return };
        for attribute in &mut class.attributes {
            if let Attribute::EnclosingMethod(enclosing) = attribute
                && let Some(method) = &mut enclosing.method
            {
                method.descriptor = self.families.get(family).descriptor(&gone(family));
            }
        }
    }
}

impl Model for ParameterModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    /// Writes the candidate. Bodies were checked when the model was built, so writing fails only if
    /// one outgrows the format. Then everything stays as it is, because no class can be changed
    /// without its callers.
    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let mut failed = false;
        let tree = self.program.assemble(|file, original| match file {
            FileOf::Manifest | FileOf::Resource(_) => Some(original.clone()),
            FileOf::Class(index) => {
                let class = self.class(index, keep);
                failed |= class.is_none();
                class
            }
        });
        Ok(if failed { self.program.assemble(|_, original| Some(original.clone())) } else { tree })
    }
}
