//! The item model: every removable class, member, body, supertype and attribute of a Java program
//! (PLDI 2021, §3).

use crate::body::{Edited, Tally};
use crate::kept::{Bits, Kept, Reliance};
use crate::library::Library;
use crate::program::{FileOf, Program};
use crate::rules::{self, Formula};
use crate::statements::Statements;
use crate::trim;
use crate::vocabulary::Vocabulary;
use lapidary_classfile::{Attribute, Class};
use lapidary_jvm::{ClassPath, Hierarchy, typing};
use lapidary_logic::{Cnf, Var, VarSet};
use lapidary_reduce::{Blob, Entry, FileTree, Item, Model, RenderError};
use std::cell::RefCell;
use std::collections::HashMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, available_parallelism};

/// The granularity of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Bodies are kept or removed whole.
    Items,
    /// Statements, values, branches and handlers inside bodies can be removed as well.
    Statements,
}

/// A Java program as items under a formula.
pub struct ItemModel {
    program: Program,
    hierarchy: Hierarchy,
    vocabulary: Vocabulary,
    formula: Formula,
    /// For each class, the variables of other classes that decide how it is written.
    ties: Vec<Vec<Var>>,
    written: Mutex<Written>,
    edited: Edited,
}

/// A cache of written classes, by the kept items of each class and of the classes it is tied to.
type Written = HashMap<(usize, Bits), WrittenClass>;

#[derive(Clone)]
struct WrittenClass {
    blob: Result<Blob, String>,
    reliance: Reliance,
}

/// The number of versions of classes to cache.
const REMEMBERED: usize = 20_000;
/// The smallest number of classes for which starting a thread pays off.
const CLASSES_FOR_A_THREAD: usize = 32;

impl ItemModel {
    /// Builds the model of a directory of class files. Other classes are looked up on the class
    /// path.
    pub fn new(tree: &FileTree, class_path: Arc<ClassPath>, detail: Detail) -> ItemModel {
        let program = Program::read(tree);
        let hierarchy = Hierarchy::new(program.classes().cloned(), class_path);
        let vocabulary = Vocabulary::of(&program, &|class, method| match detail {
            Detail::Items => None,
            Detail::Statements => {
                let typed = typing::infer(class, method, &hierarchy).ok()?;
                Some(Statements::of(method, &typed))
            }
        });
        let formula = rules::formula(&program, &vocabulary, &Library::new(&hierarchy));
        let ties = (0..program.classes().len()).map(|class| ties(&program, &vocabulary, class)).collect();
        ItemModel {
            program,
            hierarchy,
            vocabulary,
            formula,
            ties,
            written: Mutex::default(),
            edited: Edited::default(),
        }
    }

    /// Notes for the user: files and methods that were not understood, and missing classes.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.program.notes.clone();
        let (untyped, missing) = (&self.formula.untyped, &self.formula.missing);
        if let Some(first) = untyped.first() {
            notes.push(format!("{} methods depend on everything they name, {first} for one", untyped.len()));
        }
        if let Some(first) = missing.first() {
            notes.push(format!(
                "{} classes are missing, {first} for one; --classpath says where they are",
                missing.len()
            ));
        }
        notes
    }

    /// Statistics on the bodies that were edited so far.
    pub fn tally(&self) -> Tally {
        self.edited.tally()
    }

    fn kept<'a>(&'a self, keep: &'a VarSet) -> Kept<'a> {
        Kept {
            program: &self.program,
            vocabulary: &self.vocabulary,
            first_calls: &self.formula.first_calls,
            hierarchy: &self.hierarchy,
            set: keep,
            edited: &self.edited,
            reliance: RefCell::default(),
        }
    }

    /// Writes every kept class. Many classes are written by several threads.
    fn classes(&self, keep: &VarSet) -> HashMap<usize, Result<Entry, RenderError>> {
        let kept = self.vocabulary.classes.iter().enumerate().filter(|(_, vars)| keep.contains(vars.class));
        let kept: Vec<usize> = kept.map(|(index, _)| index).collect();
        let threads = (kept.len() / CLASSES_FOR_A_THREAD).min(available_parallelism().map_or(1, NonZero::get));
        let part = |first: usize, step: usize| -> Vec<_> {
            kept.iter().skip(first).step_by(step).map(|index| (*index, self.class(*index, keep))).collect()
        };
        if threads < 2 {
            return part(0, 1).into_iter().collect();
        }
        thread::scope(|scope| {
            let part = &part;
            let begin =
                |first| thread::Builder::new().spawn_scoped(scope, move || part(first, threads)).map_err(|_| first);
            let begun: Vec<_> = (0..threads).map(begin).collect();
            let finish = |begun: Result<thread::ScopedJoinHandle<'_, _>, usize>| match begun {
                Ok(thread) => thread.join().expect("writing a class does not panic"),
                // The system has no thread to spare.
                Err(first) => part(first, threads),
            };
            begun.into_iter().flat_map(finish).collect()
        })
    }

    /// Writes a class. If everything in it is kept, it is copied instead.
    fn class(&self, index: usize, keep: &VarSet) -> Result<Entry, RenderError> {
        let vars = &self.vocabulary.classes[index];
        let deciding = || vars.own.clone().map(Var::new).chain(self.ties[index].iter().copied());
        if deciding().all(|var| keep.contains(var)) {
            return Ok(self.program.original(index).clone());
        }
        let key = (index, Bits::of(deciding().map(|var| keep.contains(var))));
        let known = self.written().get(&key).cloned();
        let class = match known {
            Some(known) if self.still_holds(&known.reliance, keep) => known,
            Some(_) => self.write(index, keep),
            None => self.write_and_remember(key, keep),
        };
        class.blob.map(Entry::file).map_err(RenderError)
    }

    /// Returns whether a class that was written for another candidate with the same kept items is
    /// valid for this one.
    fn still_holds(&self, reliance: &Reliance, keep: &VarSet) -> bool {
        let kept = self.kept(keep);
        reliance.below.iter().all(|below| kept.is_below(below))
    }

    fn write_and_remember(&self, key: (usize, Bits), keep: &VarSet) -> WrittenClass {
        let class = self.write(key.0, keep);
        if !class.reliance.this_candidate {
            let mut written = self.written();
            if written.len() >= REMEMBERED {
                written.clear();
            }
            written.insert(key, class.clone());
        }
        class
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, index: usize, keep: &VarSet) -> WrittenClass {
        let kept = self.kept(keep);
        let class = trim::trimmed(&kept, index);
        let blob = class.write().map(Blob::from).map_err(|error| format!("{}: {error}", class.name));
        WrittenClass { blob, reliance: kept.reliance.into_inner() }
    }
}

impl Model for ItemModel {
    fn items(&self) -> &[Item] {
        &self.vocabulary.items
    }

    fn constraint(&self) -> &Cnf {
        &self.formula.constraint
    }

    fn preference(&self) -> Option<&Cnf> {
        Some(&self.formula.preference)
    }

    fn render(&self, keep: &VarSet) -> Result<FileTree, RenderError> {
        let mut classes = self.classes(keep);
        let mut failed = None;
        let tree = self.program.assemble(|file, original| match file {
            FileOf::Manifest => Some(original.clone()),
            FileOf::Resource(number) => keep.contains(self.vocabulary.resources[number]).then(|| original.clone()),
            FileOf::Class(index) => classes.remove(&index)?.map_err(|error| failed = Some(error)).ok(),
        });
        failed.map_or(Ok(tree), Err)
    }
}

/// The variables of other classes that decide how a class is written. Attributes that list other
/// classes change when those are removed, and a constant pool that names a class without need is
/// rewritten without it. All of these names occur in the constant pool.
fn ties(program: &Program, words: &Vocabulary, index: usize) -> Vec<Var> {
    let class = program.class(index);
    let is_module = class.attributes.iter().any(|attribute| matches!(attribute, Attribute::Module(_)));
    if is_module {
        return words.classes.iter().map(|vars| vars.class).collect();
    }
    let named = program.named_in_pool(index).into_iter().map(|index| words.classes[index].class);
    let enclosing = enclosing_method(program, class).map(|(class, method)| words.classes[class].methods[method].method);
    let permitted = class.permitted_subclasses().into_iter().flatten().filter_map(|name| program.find(name));
    let edges = permitted.flat_map(|index| {
        let vars = &words.classes[index];
        vars.extends.into_iter().chain(vars.implements.iter().copied())
    });
    named.chain(enclosing).chain(edges).collect()
}

/// The method of the program that encloses a class.
fn enclosing_method(program: &Program, class: &Class) -> Option<(usize, usize)> {
    class.attributes.iter().find_map(|attribute| match attribute {
        Attribute::EnclosingMethod(enclosing) => {
            let method = enclosing.method.as_ref()?;
            program.find_method(&enclosing.class, &method.name, &method.descriptor)
        }
        _ => None,
    })
}
