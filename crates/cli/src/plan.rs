//! From an input to a plan: which models see it, in which order they run.

use crate::c::{CProgram, CView};
use crate::java::{JavaProgram, JavaStage};
pub use crate::recognise::Surroundings;
use crate::recognise::{FrontEnd, is_text};
use anyhow::{Context, bail};
use lapidary_json_model::JsonModel;
use lapidary_jvm::Compression;
use lapidary_logic::{Var, VarSet, dimacs};
use lapidary_reduce::strategy::named;
use lapidary_reduce::{Blob, Builder, FileTree, Item, Keep, Model, Plan, Source, Stage};
use lapidary_tree_model::{Kind, Language, language_of};
use regex::RegexSet;
use std::collections::BTreeSet;
use std::iter::successors;
use std::path::{Path, PathBuf};

/// An input together with what it was recognised as.
pub struct Subject {
    path: PathBuf,
    input: FileTree,
    front_end: FrontEnd,
}

/// How much a model saw, before and after.
pub struct Measured {
    pub items_before: usize,
    pub items_after: usize,
    pub clauses: usize,
}

impl Subject {
    /// Recognises the input, or takes it for what `kind` says.
    pub fn of(
        path: &Path,
        input: FileTree,
        kind: Option<&str>,
        surroundings: &Surroundings,
    ) -> anyhow::Result<Subject> {
        let front_end = FrontEnd::of(path, &input, kind, surroundings)?;
        let input = match &front_end {
            FrontEnd::Java(program) => program.tree().clone(),
            _ if surroundings.classpath.is_empty() => input,
            _ => bail!("--classpath is for Java programs; {} is none", input.name()),
        };
        Ok(Subject { path: path.to_owned(), input, front_end })
    }

    /// A model made elsewhere. If an input is given as well, the whole model must render to it.
    pub fn from_model(model: &Path, input: Option<&Path>) -> anyhow::Result<Subject> {
        let parsed = JsonModel::read(model)?;
        let whole = parsed.render(&VarSet::full(parsed.constraint().variables()))?;
        if let Some(input) = input {
            let given = crate::input::read(input)?;
            if given.content() != whole.content() {
                bail!("{} is not what {} renders to when all items are kept", input.display(), model.display());
            }
        }
        let path = input.map_or_else(|| model.with_file_name(whole.name()), Path::to_owned);
        Ok(Subject { path, input: whole, front_end: FrontEnd::Fixed(Box::new(parsed), "json") })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is reduced: of a jar, the files in it.
    pub fn input(&self) -> &FileTree {
        &self.input
    }

    pub fn c(&self) -> Option<&CProgram> {
        match &self.front_end {
            FrontEnd::C(program, _) => Some(program),
            _ => None,
        }
    }

    pub fn java(&self) -> Option<&JavaProgram> {
        match &self.front_end {
            FrontEnd::Java(program) => Some(program),
            _ => None,
        }
    }

    /// The form in which the user has the input and wants the result.
    pub fn packed(&self, tree: &FileTree) -> anyhow::Result<FileTree> {
        self.java().map_or_else(|| Ok(tree.clone()), |program| program.packed(tree, Compression::Deflated))
    }

    /// The same for a result that a better one will soon replace: a jar is not compressed.
    pub fn packed_for_now(&self, tree: &FileTree) -> anyhow::Result<FileTree> {
        self.java().map_or_else(|| Ok(tree.clone()), |program| program.packed(tree, Compression::Stored))
    }

    /// The other way round.
    pub fn unpacked(&self, result: FileTree) -> anyhow::Result<FileTree> {
        self.java().map_or(Ok(result.clone()), |program| program.unpacked(&result))
    }

    /// What the input was recognised as, as `--as` would say it.
    pub fn name(&self) -> String {
        match &self.front_end {
            FrontEnd::Fixed(_, name) => (*name).to_owned(),
            FrontEnd::Java(program) => program.name().to_owned(),
            FrontEnd::C(_, language) => language.name().to_owned(),
            FrontEnd::Text(Some(language)) => format!("tree:{}", language.name()),
            FrontEnd::Text(None) => "text".to_owned(),
            FrontEnd::Directory => "dir".to_owned(),
            FrontEnd::Lines => "lines".to_owned(),
            FrontEnd::Tokens => "tokens".to_owned(),
            FrontEnd::Bytes => "bytes".to_owned(),
        }
    }

    /// The items of a fixed model.
    pub fn items(&self) -> Option<&[Item]> {
        match &self.front_end {
            FrontEnd::Fixed(model, _) => Some(model.items()),
            _ => None,
        }
    }

    /// The labels of items that have names of their own.
    pub fn labels(&self) -> Option<Vec<String>> {
        match &self.front_end {
            FrontEnd::Fixed(..) | FrontEnd::Java(_) => {
                self.with_model(&self.input, |model| model.items().iter().map(|item| item.label.clone()).collect())
            }
            _ => None,
        }
    }

    /// Says of a label whether the item must stay: it matches, or matching items are inside of it, or it is in the code of
    /// a method whose label matches. A model that sees only the classes of a Java program knows nothing of the items in
    /// them, and one that sees parameters nothing of the methods, whose labels change with them.
    pub fn keeping(&self, labels: RegexSet) -> Keep<'static> {
        let around = match &self.front_end {
            FrontEnd::Java(_) => self.with_model(&self.input, |model| around(model.items(), &labels)),
            _ => None,
        };
        let around = around.unwrap_or_default();
        Box::new(move |label| {
            let stays = |label: &str| labels.is_match(label) || around.contains(label);
            let is_in_kept_code = || code_around(label).is_some_and(|code| labels.is_match(&code));
            stays(label) || declaring(label).is_some_and(stays) || is_in_kept_code()
        })
    }

    /// What identifies the items and clauses of a fixed model; models of text follow from the input.
    pub fn fingerprint(&self) -> String {
        match &self.front_end {
            FrontEnd::Fixed(model, _) => {
                let label = |var: Var| model.items().get(var.index()).map(|item| item.label.clone());
                Blob::from(dimacs::write(model.constraint(), label).into_bytes()).key().to_string()
            }
            _ => String::new(),
        }
    }

    /// Calls `act` with the model that says most about the input.
    pub fn with_model<T>(&self, tree: &FileTree, act: impl FnOnce(&dyn Model) -> T) -> Option<T> {
        match &self.front_end {
            FrontEnd::Fixed(model, _) => Some(act(&**model)),
            FrontEnd::Java(program) => program.builder(program.main_view())(tree).map(|model| act(&*model)),
            FrontEnd::C(program, _) => program.builder(CView::Expressions)(tree).map(|model| act(&*model)),
            _ => self.builder(self.main_view())(tree).map(|model| act(&*model)),
        }
    }

    pub fn measure(&self, result: &FileTree, kept: Option<&VarSet>) -> Measured {
        let known = self.java().and_then(JavaProgram::measured);
        let count = |model: &dyn Model| (model.items().len(), model.constraint().len());
        let before = known.or_else(|| self.with_model(&self.input, count));
        let (items_before, clauses) = before.unwrap_or((0, 0));
        let left = |kept: &VarSet| kept.iter().filter(|var| var.index() < items_before).count();
        let items_after = match kept {
            Some(kept) => left(kept),
            None if result.key() == self.input.key() => items_before,
            None => self.with_model(result, |model| model.items().len()).unwrap_or(0),
        };
        Measured { items_before, items_after, clauses }
    }

    /// The stages. A strategy that is asked for runs alone, on the main view.
    pub fn plan<'a>(
        &'a self,
        strategy: Option<&str>,
        freedom: Freedom,
        keep: Option<Keep<'a>>,
        seed: u64,
    ) -> anyhow::Result<Plan<'a>> {
        let stages = match (&self.front_end, strategy) {
            (FrontEnd::Fixed(model, name), None) => {
                let steered = Stage { steered: true, ..stage(name, Source::Fixed(&**model), "gbr")? };
                let steered = model.preference().map(|_| steered);
                steered.into_iter().chain([stage(name, Source::Fixed(&**model), "gbr+polish")?]).collect()
            }
            (FrontEnd::Fixed(model, name), Some(strategy)) => vec![stage(name, Source::Fixed(&**model), strategy)?],
            (FrontEnd::Java(program), None) => {
                // What is kept stays as it is, and so do its callers.
                let allowed = |stage: &&JavaStage<'_>| keep.is_none() || !stage.0.changes_callers();
                let stages: Vec<JavaStage<'_>> = program.stages().iter().filter(allowed).copied().collect();
                java_stages(program, if stages.is_empty() { program.stages() } else { &stages })?
            }
            (FrontEnd::Java(program), Some(strategy)) => {
                java_stages(program, &[(program.main_view(), strategy, false)])?
            }
            (FrontEnd::C(program, _), Some(strategy)) => {
                vec![stage(CView::Expressions.name(), Source::Rebuilt(program.builder(CView::Expressions)), strategy)?]
            }
            (FrontEnd::C(program, _), None) => {
                let mut stages = c_stages(program, freedom)?;
                stages.extend(self.default_stages(freedom)?);
                stages
            }
            (_, Some(strategy)) => vec![self.stage(self.main_view(), strategy)?],
            (_, None) => self.default_stages(freedom)?,
        };
        Ok(Plan { stages, keep, seed })
    }

    /// Every view in turn; an outline is first seen with its preference obeyed. What a grammar has already cut to the bone
    /// is polished rather than cut in large groups again.
    fn default_stages(&self, freedom: Freedom) -> anyhow::Result<Vec<Stage<'_>>> {
        let has_grammar = matches!(self.front_end, FrontEnd::Text(Some(_)) | FrontEnd::C(..));
        let mut stages = Vec::new();
        for view in self.views(freedom) {
            if view == View::Outlines {
                stages.push(Stage { steered: true, ..self.stage(view, "hdd")? });
            }
            stages.push(self.stage(
                view,
                match view {
                    View::Outlines => "hdd",
                    View::Tokens if has_grammar => "polish+windows",
                    View::Tokens => "hdd+polish+windows",
                    View::Bytes if has_grammar => "polish",
                    _ => "hdd+polish",
                },
            )?);
        }
        Ok(stages)
    }

    /// The models that see the input, in the order in which they run: first what takes away most, then what changes how
    /// the text looks, last the fine ones, whose many tests are then not repeated because the looks have changed.
    fn views(&self, freedom: Freedom) -> Vec<View> {
        let (coarse, fine): (&[View], &[View]) = match &self.front_end {
            FrontEnd::Fixed(..) | FrontEnd::Java(_) => (&[], &[]),
            FrontEnd::Text(Some(_)) | FrontEnd::C(..) => (&[View::Outlines], &[View::Trees, View::Tokens, View::Bytes]),
            FrontEnd::Text(None) | FrontEnd::Lines => (&[View::Lines], &[View::Tokens, View::Bytes]),
            FrontEnd::Directory => {
                (&[View::Files, View::Outlines, View::Lines], &[View::Trees, View::Tokens, View::Bytes])
            }
            FrontEnd::Tokens => (&[], &[View::Tokens, View::Bytes]),
            FrontEnd::Bytes => (&[], &[View::Bytes]),
        };
        let looks: &[View] = match &self.front_end {
            FrontEnd::Fixed(..) | FrontEnd::Java(_) | FrontEnd::Bytes => &[],
            _ => &[View::Literals, View::Names, View::Blanks],
        };
        let allowed = |view: &View| match view {
            View::Names => freedom.rename,
            View::Trees | View::Literals | View::Blanks | View::Bytes => {
                freedom.rewrite || matches!(self.front_end, FrontEnd::Bytes)
            }
            _ => true,
        };
        coarse.iter().chain(looks).chain(fine).copied().filter(allowed).collect()
    }

    /// The view that `lapidary model` shows and that a strategy asked for by name works on.
    fn main_view(&self) -> View {
        match &self.front_end {
            FrontEnd::Text(Some(_)) | FrontEnd::C(..) => View::Trees,
            FrontEnd::Directory => View::Files,
            FrontEnd::Text(None) | FrontEnd::Lines => View::Lines,
            FrontEnd::Tokens => View::Tokens,
            FrontEnd::Bytes | FrontEnd::Fixed(..) | FrontEnd::Java(_) => View::Bytes,
        }
    }

    fn stage(&self, view: View, strategy: &str) -> anyhow::Result<Stage<'_>> {
        stage(view.name(), Source::Rebuilt(self.builder(view)), strategy)
    }

    fn builder(&self, view: View) -> Builder<'_> {
        Box::new(move |tree| match view {
            View::Files => lapidary_tree_model::directory(tree),
            _ => lapidary_tree_model::combined(tree, |path, content| {
                let language = match &self.front_end {
                    FrontEnd::Text(Some(language)) | FrontEnd::C(_, language) => Some(language.clone()),
                    _ => language_of(&path_of(tree, path), content),
                };
                view.kind(language, content)
            }),
        })
    }
}

/// The label of the method that a parameter of a Java program belongs to.
fn declaring(label: &str) -> Option<&str> {
    label.split_once("!parameter(").map(|(method, _)| method)
}

/// The label of the code that a statement or value of a Java program is part of.
fn code_around(label: &str) -> Option<String> {
    label.rsplit_once('@').map(|(method, _)| format!("{method}!code"))
}

/// The labels of everything that matching items are inside of.
fn around(items: &[Item], labels: &RegexSet) -> BTreeSet<String> {
    let matching = items.iter().filter(|item| labels.is_match(&item.label));
    let outwards = |item: &Item| successors(item.parent, |parent: &Var| items[parent.index()].parent);
    matching.flat_map(outwards).map(|parent| items[parent.index()].label.clone()).collect()
}

/// What may be done to the text that stays.
#[derive(Clone, Copy)]
pub struct Freedom {
    pub rename: bool,
    /// Put something else, or another layout, in the place of something.
    pub rewrite: bool,
}

/// One way to look at text. Every file of a directory is seen in its own language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Files,
    /// What can be deleted.
    Outlines,
    /// The same, and what can be replaced by something smaller.
    Trees,
    Lines,
    Tokens,
    Literals,
    Names,
    Blanks,
    Bytes,
}

impl View {
    fn name(self) -> &'static str {
        match self {
            View::Files => "files",
            View::Outlines => "outline",
            View::Trees => "tree",
            View::Lines => "lines",
            View::Tokens => "tokens",
            View::Literals => "literals",
            View::Names => "names",
            View::Blanks => "blanks",
            View::Bytes => "bytes",
        }
    }

    /// How to look at one file. Binary files are left to the byte view.
    fn kind(self, language: Option<Language>, content: &[u8]) -> Option<Kind> {
        if !is_text(content) && self != View::Bytes {
            return None;
        }
        Some(match self {
            View::Files => return None,
            View::Outlines => Kind::Outline(language?),
            View::Trees => Kind::Tree(language?),
            View::Lines => Kind::Lines,
            View::Tokens => Kind::Tokens(language),
            View::Literals => Kind::Literals(language),
            View::Names => Kind::Names(language),
            View::Blanks => Kind::Blanks(language),
            View::Bytes if language.is_some() && content.len() > WORTH_BYTES => return None,
            View::Bytes => Kind::Bytes,
        })
    }
}

/// A text in a language we know is cut to the bone by its tokens, names and literals. Only a small one is worth a test for
/// every byte.
const WORTH_BYTES: usize = 64;

/// The path by which the language of a file is told: a single file has none inside its tree.
fn path_of(tree: &FileTree, path: &Path) -> PathBuf {
    if path.as_os_str().is_empty() { PathBuf::from(tree.name()) } else { path.to_owned() }
}

fn stage<'a>(name: &str, source: Source<'a>, strategy: &str) -> anyhow::Result<Stage<'a>> {
    let strategy = named(strategy).with_context(|| format!("there is no strategy `{strategy}`"))?;
    Ok(Stage { name: name.to_owned(), source, strategy, steered: false })
}

fn java_stages<'a>(program: &'a JavaProgram, stages: &[JavaStage<'_>]) -> anyhow::Result<Vec<Stage<'a>>> {
    let stage = |(view, strategy, steered): &JavaStage<'_>| {
        let stage = stage(view.name(), Source::Rebuilt(program.builder(*view)), strategy)?;
        Ok(Stage { steered: *steered, ..stage })
    };
    stages.iter().map(stage).collect()
}

/// What is not called at all goes first, then statements under the compiler's rules, then what is left of it in detail and by rewriting, in turn. What nobody
/// may rewrite is only taken away.
fn c_stages(program: &CProgram, freedom: Freedom) -> anyhow::Result<Vec<Stage<'_>>> {
    let stages = [
        (CView::Declarations, "gbr-hdd"),
        (CView::Statements, "gbr-hdd"),
        (CView::Expressions, "gbr-hdd+polish"),
        (CView::Rewrites, "polish"),
        (CView::Expressions, "polish"),
        (CView::Rewrites, "polish"),
    ];
    let allowed = |(view, _): &(CView, &str)| freedom.rewrite || *view != CView::Rewrites;
    let stage = |(view, strategy): (CView, &str)| stage(view.name(), Source::Rebuilt(program.builder(view)), strategy);
    stages.into_iter().filter(allowed).map(stage).collect()
}
