//! The plan of a reduction: which models of the subject run, and in which order.

use crate::c::{CProgram, CView};
use crate::java::{JavaProgram, JavaStage};
use crate::recognise::{FrontEnd, is_text};
use crate::subject::Subject;
use anyhow::Context;
use lapidary_logic::VarSet;
use lapidary_reduce::strategy::named;
use lapidary_reduce::{Builder, FileTree, Keep, Model, Plan, Source, Stage};
use lapidary_tree_model::{Kind, Language, language_of};
use std::path::{Path, PathBuf};

/// The size of the main model, before and after.
pub(crate) struct Measured {
    pub(crate) items_before: usize,
    pub(crate) items_after: usize,
    pub(crate) clauses: usize,
}
impl Subject {
    /// Calls `act` with the main model of a tree. Returns `None` if nothing can be removed.
    pub fn with_model<T>(&self, tree: &FileTree, act: impl FnOnce(&dyn Model) -> T) -> Option<T> {
        match &self.front_end {
            FrontEnd::Fixed(model, _) => Some(act(&**model)),
            FrontEnd::Java(program) => program.builder(program.main_view())(tree).map(|model| act(&*model)),
            FrontEnd::C(program, _) => program.builder(CView::Expressions)(tree).map(|model| act(&*model)),
            _ => self.builder(self.main_view())(tree).map(|model| act(&*model)),
        }
    }

    pub(crate) fn measure(&self, result: &FileTree, kept: Option<&VarSet>) -> Measured {
        let known = self.java().and_then(JavaProgram::measured);
        let count = |model: &dyn Model| (model.items().len(), model.constraint().len());
        let before = known.or_else(|| self.with_model(self.input(), count));
        let (items_before, clauses) = before.unwrap_or((0, 0));
        let left = |kept: &VarSet| kept.iter().filter(|var| var.index() < items_before).count();
        let items_after = match kept {
            Some(kept) => left(kept),
            None if result.key() == self.input().key() => items_before,
            None => self.with_model(result, |model| model.items().len()).unwrap_or(0),
        };
        Measured { items_before, items_after, clauses }
    }

    /// The stages. A requested strategy runs alone, on the main view.
    pub(crate) fn plan<'a>(
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
                // Items that must be kept must not change, so stages that change callers are left out.
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

    /// One stage for each view, and two for an outline: first with its preference obeyed, then
    /// without. After a grammar, tokens and bytes are only polished, since large groups are gone.
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

    /// The views of the input in the order in which they run: first those that remove most, then
    /// those that change how the text looks. The fine ones come last, so that their many tests need
    /// not be repeated after the looks change.
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

    /// The view that `lapidary model` shows and that a requested strategy works on.
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

/// The changes allowed to the remaining text.
#[derive(Clone, Copy, Debug)]
pub struct Freedom {
    /// Rename declarations.
    pub rename: bool,
    /// Replace parts by something else, and change the layout.
    pub rewrite: bool,
}

/// One way to see text as items. Every file of a directory is seen in its own language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Files,
    /// Parts that can be deleted.
    Outlines,
    /// Parts that can be deleted or replaced by something smaller.
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

    /// The kind of model for one file. Binary files are left to the byte view.
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

/// The largest text in a known language that is reduced byte by byte. After its tokens, names and
/// literals, little is left to gain.
const WORTH_BYTES: usize = 64;

/// The path by which the language of a file is recognised. A single file has no path in its tree,
/// only a name.
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

/// The stages for C and C++: first declarations, then statements under the compiler's rules, then
/// expressions and rewrites in turn. Without permission to rewrite, parts are only removed.
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
