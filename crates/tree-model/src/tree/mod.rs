//! The model of one file in a language with a grammar.

mod formula;
mod hoist;
mod label;
mod plan;
mod probe;
mod render;
mod shape;
mod syntax;
mod uses;
mod writer;

use crate::Language;
use crate::single::Text;
use lapidary_logic::{Cnf, VarSet};
use lapidary_reduce::Item;
pub(crate) use plan::Offers;
use render::Renderer;
use shape::{Role, Shape};
pub(crate) use syntax::Syntax;
pub(crate) use uses::Links;
use uses::Parts;

pub(crate) struct TreeModel {
    content: Vec<u8>,
    items: Vec<Item>,
    constraint: Cnf,
    preference: Option<Cnf>,
    links: Links,
    renderer: Renderer,
}

impl TreeModel {
    /// Builds the model; `None` if the text does not parse at all, or nothing in it can be removed.
    pub(crate) fn new(language: &Language, text: &[u8], offers: Offers) -> Option<TreeModel> {
        let parsed = language.parse(text)?;
        let syntax = Syntax::new(language, &parsed, text)?;
        let mut shape = Shape::new(language, &syntax, text);
        let plan = plan::plan(language, text, &syntax, &shape, offers)?;
        plan.companions.iter().for_each(|(&token, &node)| shape.role[token as usize] = Role::With(node));
        let formula = formula::formula(language, text, &syntax, &shape, &plan);
        let parts = Parts { language, text, parsed: &parsed, syntax: &syntax };
        let (preference, links) = uses::uses(&parts, &plan.removable, &formula);
        let renderer = Renderer { language: language.clone(), syntax, shape, variables: formula.variables };
        let (content, items, constraint) = (text.to_vec(), formula.items, formula.constraint);
        let model = TreeModel { content, items, constraint, preference, links, renderer };
        (!model.items.is_empty()).then_some(model)
    }
}

impl Text for TreeModel {
    fn items(&self) -> &[Item] {
        &self.items
    }

    fn constraint(&self) -> &Cnf {
        &self.constraint
    }

    fn preference(&self) -> Option<&Cnf> {
        self.preference.as_ref()
    }

    fn links(&self) -> Option<&Links> {
        Some(&self.links)
    }

    fn write(&self, keep: &VarSet) -> Vec<u8> {
        self.renderer.render(&self.content, keep)
    }
}
