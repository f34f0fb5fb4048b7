//! Compilation of source to class files, by the Java compiler of the JDK.
//!
//! A written class is not nested, even where the concrete one is. The compiler must find `A$B`
//! under exactly that name. Therefore the classes that mention it are copied without the attributes
//! that describe nesting, and come first on the class path.

use crate::names::family;
use crate::{Abstraction, Error};
use lapidary_classfile::raw::{ClassFile, Constant};
use lapidary_classfile::{Attribute, Class, Text, access};
use lapidary_common::jdk;
use lapidary_jvm::{ClassPath, Platform};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the abstractions into a directory, which is created. The class path is that of the
/// program.
pub fn compile(abstractions: &[Abstraction], class_path: &[PathBuf], into: &Path) -> Result<(), Error> {
    let left = compile_accepted(abstractions, class_path, into)?;
    left.into_iter().next().map_or(Ok(()), |(_, why)| Err(why))
}

/// Compiles the abstractions, leaving out those that the compiler rejects. Returns their indices
/// with the reasons.
pub fn compile_accepted(
    abstractions: &[Abstraction],
    class_path: &[PathBuf],
    into: &Path,
) -> Result<Vec<(usize, Error)>, Error> {
    let javac = jdk::tool("javac").ok_or(Error::NoCompiler)?;
    fs::create_dir_all(into).map_err(failed(into))?;
    let classes = ClassPath::open(class_path, Platform::installed().ok())?;
    let run = Run { javac: &javac, classes: &classes, class_path, into };
    let is_alone = |abstraction: &Abstraction| has_family(&classes, abstraction) || is_platform(&classes, abstraction);
    let (nested, plain): (Vec<usize>, Vec<usize>) =
        (0..abstractions.len()).partition(|place| is_alone(&abstractions[*place]));
    let mut groups: Vec<Vec<usize>> = nested.into_iter().map(|place| vec![place]).chain([plain]).collect();
    let mut left = Vec::new();
    while let Some(group) = groups.pop() {
        groups.extend(run.compile_group(abstractions, group, &mut left)?);
    }
    left.sort_by_key(|(place, _)| *place);
    Ok(left)
}

struct Run<'a> {
    javac: &'a Path,
    classes: &'a ClassPath,
    class_path: &'a [PathBuf],
    into: &'a Path,
}

impl Run<'_> {
    /// Compiles abstractions together. If one of them causes a failure, it is left out. Returns the
    /// groups to try again.
    fn compile_group(
        &self,
        abstractions: &[Abstraction],
        group: Vec<usize>,
        left: &mut Vec<(usize, Error)>,
    ) -> Result<Vec<Vec<usize>>, Error> {
        let members: Vec<&Abstraction> = group.iter().map(|place| &abstractions[*place]).collect();
        let error = match self.compile(&members) {
            Err(error @ Error::Compile { .. }) => error,
            done => return done.map(|()| Vec::new()),
        };
        if let [only] = group[..] {
            left.push((only, error));
            return Ok(Vec::new());
        }
        let words = error.to_string();
        let is_blamed = |place: &usize| words.contains(&format!("{}.java:", abstractions[*place].class));
        let (blamed, others): (Vec<usize>, Vec<usize>) = group.into_iter().partition(is_blamed);
        // A blamed abstraction is tried alone for errors of its own, and the others without it. If
        // none is blamed, each is tried alone.
        let (alone, together) = if blamed.is_empty() { (others, Vec::new()) } else { (blamed, others) };
        Ok(alone.into_iter().map(|place| vec![place]).chain([together]).collect())
    }

    fn compile(&self, group: &[&Abstraction]) -> Result<(), Error> {
        if group.is_empty() {
            return Ok(());
        }
        let workshop = tempfile::tempdir().map_err(failed(Path::new("a temporary directory")))?;
        let [sources, symbolic, flat] = ["sources", "symbolic", "flat"].map(|name| workshop.path().join(name));
        write_file(&symbolic, "lapidary/Symbolic.java", SYMBOLIC)?;
        write_file(&symbolic, "lapidary/replay/Inputs.java", INPUTS)?;
        fs::create_dir_all(&flat).map_err(failed(&flat))?;
        let mut command = Command::new(self.javac);
        // The compiler runs for about a second: code that is good enough at once beats the best
        // code later.
        command.args([
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-g",
            "-proc:none",
            "-nowarn",
            "-Xlint:none",
            "-implicit:none",
            // Otherwise the compiler would write no class beside one with an error.
            "-XDcompilePolicy=simple",
            "-encoding",
            "UTF-8",
            "-Xmaxerrs",
            "20",
            "-d",
        ]);
        command.arg(self.into).arg("-sourcepath").arg(&symbolic);
        let path = std::iter::once(flat.clone()).chain(self.class_path.iter().cloned());
        command.arg("-cp").arg(std::env::join_paths(path).unwrap_or_default());
        if group.iter().any(|abstraction| is_platform(self.classes, abstraction)) {
            command.arg("--patch-module");
            let patch = std::env::join_paths([&sources, &flat, &symbolic]).unwrap_or_default();
            command.arg(format!("java.base={}", patch.to_string_lossy()));
        }
        for abstraction in group {
            self.flatten(abstraction, &flat)?;
            command.arg(write_file(&sources, &format!("{}.java", abstraction.class), &abstraction.source)?);
        }
        let output = command.output().map_err(|_| Error::NoCompiler)?;
        if output.status.success() {
            return Ok(());
        }
        let names: Vec<String> = group.iter().map(|abstraction| abstraction.class.replace('/', ".")).collect();
        let words = String::from_utf8_lossy(&output.stderr).replace(&format!("{}/", sources.display()), "");
        Err(Error::Compile { class: names.join(", "), output: words.trim_end().to_owned() })
    }

    /// Copies the classes that the abstraction mentions, without the attributes that describe
    /// nesting.
    fn flatten(&self, abstraction: &Abstraction, flat: &Path) -> Result<(), Error> {
        let family = family(&abstraction.class);
        let is_of_jdk = is_platform(self.classes, abstraction);
        let mut seen = BTreeSet::from([Text::from(&abstraction.class[..])]);
        let mut pending: Vec<(Text, usize)> = seen.iter().map(|name| (name.clone(), 0)).collect();
        while let Some((name, distance)) = pending.pop() {
            let is_near = crate::names::family(&name.as_str()) == family;
            let Some(bytes) =
                self.classes.find(&name).filter(|_| is_of_jdk || !is_of_platform(self.classes, &name.as_str()))
            else {
                continue;
            };
            let Ok(mut class) = Class::read(&bytes) else { continue };
            let above = class.superclass.iter().chain(&class.interfaces).cloned().map(|name| (name, distance));
            let mentioned = mentioned(&bytes).into_iter().map(|name| (name, distance + 1));
            let further = above.chain(mentioned.filter(|_| is_near && distance < 2));
            pending.extend(further.filter(|(name, _)| seen.insert(name.clone())));
            let is_changed = forget_nesting(&mut class, family) | (is_near && forget_privacy(&mut class));
            if is_changed
                && name != *abstraction.class.as_str()
                && let Ok(bytes) = class.write()
            {
                let path = flat.join(format!("{name}.class"));
                path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed(&path))?;
                fs::write(&path, bytes).map_err(failed(&path))?;
            }
        }
        Ok(())
    }
}

/// Removes the attributes about classes of the family. Returns whether there were any.
fn forget_nesting(class: &mut Class, family: &str) -> bool {
    let is_of_family = |name: &Text| crate::names::family(&name.as_str()) == family;
    let mut has_changed = false;
    for attribute in &mut class.attributes {
        if let Attribute::InnerClasses(list) = attribute {
            let before = list.len();
            list.retain(|inner| !is_of_family(&inner.inner));
            has_changed |= list.len() < before;
        }
    }
    if has_changed {
        class.attributes.retain(|attribute| {
            !matches!(attribute, Attribute::EnclosingMethod(_) | Attribute::NestHost(_) | Attribute::NestMembers(_))
        });
    }
    has_changed
}

/// Makes visible to the compiler what nested classes may use of each other (the JVM never checks
/// it), and the members that compilers generated for that purpose. Type parameters of enclosing
/// classes are dropped, as they are in the written class.
fn forget_privacy(class: &mut Class) -> bool {
    let is_kept = |attribute: &Attribute| !matches!(attribute, Attribute::Signature(_) | Attribute::Synthetic);
    class.attributes.retain(is_kept);
    class.methods.iter_mut().for_each(|method| method.attributes.retain(is_kept));
    class.fields.iter_mut().for_each(|field| field.attributes.retain(is_kept));
    let methods = class.methods.iter_mut().map(|method| &mut method.access);
    let fields = class.fields.iter_mut().map(|field| &mut field.access);
    for flags in methods.chain(fields) {
        *flags &= !access::PRIVATE;
        // A bridge visible to the compiler makes calls of its target ambiguous.
        if *flags & access::BRIDGE == 0 {
            *flags &= !access::SYNTHETIC;
        }
    }
    true
}

/// The classes that a class file names.
fn mentioned(bytes: &[u8]) -> BTreeSet<Text> {
    let Ok(file) = ClassFile::parse(bytes) else { return BTreeSet::new() };
    let texts = file.pool.constants().iter().filter_map(|constant| match constant {
        Constant::Utf8(text) => Some(*text),
        _ => None,
    });
    let mut names = BTreeSet::new();
    for text in texts {
        for part in text.split(|byte| *byte == b';') {
            let start = part.iter().position(|byte| *byte == b'L').map_or(0, |place| place + 1);
            names.insert(Text::from_bytes(&part[start..]));
            names.insert(Text::from_bytes(part));
        }
    }
    names
}

fn has_family(classes: &ClassPath, abstraction: &Abstraction) -> bool {
    let class = classes.class(&Text::from(&abstraction.class[..]));
    let is_of_family = |name: &Text| family(&name.as_str()) == family(&abstraction.class);
    class.is_some_and(|class| class.inner_classes().iter().any(|inner| is_of_family(&inner.inner)))
}

fn is_platform(classes: &ClassPath, abstraction: &Abstraction) -> bool {
    is_of_platform(classes, &abstraction.class)
}

fn is_of_platform(classes: &ClassPath, name: &str) -> bool {
    classes.platform().is_some_and(|platform| platform.find(name).is_some())
}

fn write_file(directory: &Path, name: &str, text: &str) -> Result<PathBuf, Error> {
    let path = directory.join(name);
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed(&path))?;
    fs::write(&path, text).map_err(failed(&path))?;
    Ok(path)
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |reason| Error::Write { path: path.clone(), reason }
}

/// The class that abstractions are written against, with as much as the compiler has to see.
const SYMBOLIC: &str = include_str!("Symbolic.java");
const INPUTS: &str = "package lapidary.replay; public final class Inputs { public static native Object next(char kind, Object... more); public static native void assumptionFails(); }";
