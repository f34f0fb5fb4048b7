//! What can be written shorter or simpler and cannot be got by taking parts away.
//!
//! Each rewrite is one small module with one function that finds its [`Opportunity`]s. A rewrite looks at the syntax
//! tree alone and may be mistaken about what the compiler accepts; [`RewriteModel`] asks the compiler before it offers
//! an opportunity. Text that comes out of a macro is left alone. [`measure`] says why rewriting comes to an end.

mod allocations;
mod array_dimension;
mod assigned_once;
mod blocks;
mod branches;
mod calls;
mod classes;
mod combine;
mod constant_parameter;
mod constructors;
mod declarations;
mod discard;
mod empty_object;
mod enumerators;
mod initialisers;
mod inline_function;
mod inline_typedef;
mod inline_variable;
mod instantiate;
mod jumps;
mod lambdas;
mod literals;
mod loops;
mod measure;
mod member_access;
mod model;
mod names;
mod namespaces;
mod new_object;
mod one_field;
mod operands;
mod other_variable;
mod parameter_names;
mod parameter_to_global;
mod parameters;
mod pointer_level;
mod precedence;
mod program;
mod specifiers;
mod split_struct;
mod statements;
mod static_class;
mod switches;
mod tags;
mod template_parameter;
#[cfg(test)]
mod testing;
mod to_auto;
mod to_global;
mod to_int;
mod to_one;
mod to_struct;
mod to_variable;
mod to_void;
mod variables;

pub use model::{RewriteModel, Settings};

use crate::Edit;
use lapidary_clang::Syntax;
use measure::Measure;
use program::Program;
use std::collections::HashSet;

/// Edits that together make the program smaller or simpler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opportunity {
    /// Where it is and what happens there.
    pub label: String,
    /// One of [`NAMES`].
    pub kind: &'static str,
    /// In order, none overlapping another.
    pub edits: Vec<Edit>,
}

/// The kinds of rewrites, each with what it does.
pub const NAMES: &[(&str, &str)] = &[
    (allocations::KIND, "new T[n], new T() → new T"),
    (array_dimension::KIND, "int a[3][4], a[i][j] → int a[4], a[j]"),
    (assigned_once::KIND, "a variable that is given one value → the value"),
    (blocks::KIND, "the braces of a block dropped"),
    (branches::KIND, "if, else, try → one of the branches"),
    (calls::KIND, "a call → one of its arguments"),
    (classes::BASE, "a base class dropped, with the calls of its constructors"),
    (classes::NESTED, "a nested class moved out of its class"),
    (classes::OPEN, "class → struct, without access specifiers"),
    (combine::KIND, "int a; int b; → int a, b;"),
    (constant_parameter::KIND, "a parameter that is always the same literal → the literal"),
    (constructors::DEFAULT, "a default argument or member initialiser dropped"),
    (constructors::MEMBER, "an initialiser of a constructor dropped"),
    (discard::KIND, "an unused variable → what computes its value"),
    (empty_object::KIND, "an object handed to a function → {}"),
    (enumerators::KIND, "an enumerator → its value"),
    (initialisers::KIND, "an initialiser list, or an element of one → {} or 0"),
    (inline_function::KIND, "a function called once → its body"),
    (inline_typedef::KIND, "a typedef → the type it stands for"),
    (inline_variable::KIND, "a variable used once → its initialiser"),
    (instantiate::KIND, "a template with one instance → the instance"),
    (jumps::KIND, "a goto to what comes next, or an unused label, dropped"),
    (lambdas::KIND, "a lambda that is called at once → its body"),
    (literals::ASSIGNMENT, "x += e → x = e"),
    (literals::NUMBER, "a number → 0 or 1"),
    (literals::TEXT, "a string → \"\""),
    (loops::KIND, "a loop → its body, once"),
    (member_access::KIND, "(&s)->f → s.f, (*p).f → p->f, *&x → x"),
    (namespaces::KIND, "a namespace or linkage block dissolved"),
    (new_object::KIND, "a function called once that returns an object → a new object"),
    (one_field::KIND, "a struct with one field → the type of the field"),
    (operands::CAST, "a cast → its operand"),
    (operands::OPERAND, "an operator → one of its operands"),
    (operands::PARENTHESES, "parentheses dropped"),
    (other_variable::KIND, "a variable → another one of its type"),
    (parameter_names::KIND, "the names of unused parameters dropped"),
    (parameter_to_global::KIND, "parameters of one type → global variables"),
    (pointer_level::KIND, "int **p, **p → int *p, *p"),
    (specifiers::KIND, "static, const, an attribute and the like dropped"),
    (split_struct::KIND, "a struct → variables for its members"),
    (static_class::KIND, "a class of static members dissolved"),
    (switches::KIND, "a switch → the statements of one case"),
    (tags::KIND, "the tag of a struct that has a typedef dropped"),
    (template_parameter::KIND, "a template parameter dropped, with its arguments"),
    (to_auto::KIND, "the type of an initialised variable → auto"),
    (to_global::KIND, "a local variable moved out of its function"),
    (to_int::KIND, "a type → int"),
    (to_one::KIND, "a computed number → 1"),
    (to_struct::KIND, "union → struct"),
    (to_variable::KIND, "an expression → a variable of its type"),
    (to_void::KIND, "a function whose result nobody uses → void"),
];

/// Kinds that make up names, or let one variable stand for another: what is left says something else than its author wrote.
pub const RESHAPING: &[&str] =
    &[other_variable::KIND, parameter_to_global::KIND, split_struct::KIND, to_variable::KIND];

/// Kinds of which there are many in every program, and of which few are of use: for when nothing else is left.
pub const SELDOM: &[&str] = &[empty_object::KIND, to_one::KIND];

type Finder = fn(&Program<'_>) -> Vec<Opportunity>;

const FINDERS: &[Finder] = &[
    allocations::opportunities,
    array_dimension::opportunities,
    assigned_once::opportunities,
    blocks::opportunities,
    branches::opportunities,
    calls::opportunities,
    classes::opportunities,
    combine::opportunities,
    constant_parameter::opportunities,
    constructors::opportunities,
    discard::opportunities,
    empty_object::opportunities,
    enumerators::opportunities,
    initialisers::opportunities,
    inline_function::opportunities,
    inline_typedef::opportunities,
    inline_variable::opportunities,
    instantiate::opportunities,
    jumps::opportunities,
    lambdas::opportunities,
    literals::opportunities,
    loops::opportunities,
    member_access::opportunities,
    namespaces::opportunities,
    new_object::opportunities,
    one_field::opportunities,
    operands::opportunities,
    other_variable::opportunities,
    parameter_names::opportunities,
    parameter_to_global::opportunities,
    pointer_level::opportunities,
    specifiers::opportunities,
    split_struct::opportunities,
    static_class::opportunities,
    switches::opportunities,
    tags::opportunities,
    template_parameter::opportunities,
    to_auto::opportunities,
    to_global::opportunities,
    to_int::opportunities,
    to_one::opportunities,
    to_struct::opportunities,
    to_variable::opportunities,
    to_void::opportunities,
];

/// All that can be rewritten in a translation unit, without duplicates.
pub fn all(syntax: &Syntax) -> Vec<Opportunity> {
    let program = Program::new(syntax);
    let found = FINDERS.iter().flat_map(|find| find(&program)).collect();
    sound(&program, found)
}

/// Those that make the program less, with their edits in order.
fn sound(program: &Program<'_>, found: Vec<Opportunity>) -> Vec<Opportunity> {
    let measure = Measure::new(program);
    let mut seen = HashSet::new();
    let tidy = found.into_iter().filter_map(|opportunity| tidied(program, opportunity));
    tidy.filter(|one| measure.falls(one) && seen.insert(signature(one))).collect()
}

fn signature(opportunity: &Opportunity) -> Vec<(usize, usize, usize, Vec<u8>)> {
    let edits = opportunity.edits.iter();
    edits.map(|edit| (edit.file.index(), edit.range.start, edit.range.end, edit.with.clone())).collect()
}

/// The edits sorted, each once, and what is inserted before something that is replaced made one with it. None if edits
/// overlap or go backwards: then the rewrite has not understood what it found.
fn tidied(program: &Program<'_>, opportunity: Opportunity) -> Option<Opportunity> {
    let Opportunity { label, kind, mut edits } = opportunity;
    let is_range = |edit: &Edit| program.syntax.files[edit.file.index()].text.get(edit.range.clone()).is_some();
    if !edits.iter().all(is_range) {
        return None;
    }
    edits.retain(|edit| program.slice(edit.file, edit.range.clone()) != edit.with.as_slice());
    edits.sort_by_key(place);
    edits.dedup();
    let mut result: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match result.last_mut().filter(|last| last.file == edit.file && edit.range.start <= last.range.end) {
            Some(last) if last.range.is_empty() && last.range.start == edit.range.start => {
                last.range.end = edit.range.end;
                last.with.extend_from_slice(b" ");
                last.with.extend_from_slice(&edit.with);
            }
            Some(last) if edit.range.start < last.range.end => return None,
            _ => result.push(edit),
        }
    }
    take_blanks(program, &mut result);
    (!result.is_empty()).then_some(Opportunity { label, kind, edits: result })
}

/// Lets what is deleted take along the blank on one side of it, so that two do not stay, nor one before a semicolon.
fn take_blanks(program: &Program<'_>, edits: &mut [Edit]) {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    for index in 0..edits.len() {
        let (file, range) = (edits[index].file, edits[index].range.clone());
        let text = &*program.syntax.files[file.index()].text;
        let neighbour = |at: Option<usize>| at.and_then(|at| edits.get(at)).filter(|other| other.file == file);
        let from = neighbour(index.checked_sub(1)).map_or(0, |other| other.range.end);
        let to = neighbour(Some(index + 1)).map_or(text.len(), |other| other.range.start);
        let is_after_space = text[from..range.start].last().map_or(range.start == 0, u8::is_ascii_whitespace);
        let is_before_end = text[range.end..to].first().is_some_and(|byte| matches!(byte, b';' | b')' | b','));
        if !edits[index].with.is_empty() || range.is_empty() || !is_after_space {
            continue;
        }
        edits[index].range = if is_before_end {
            range.start - text[from..range.start].iter().rev().take_while(|byte| is_blank(byte)).count()..range.end
        } else {
            range.start..range.end + text[range.end..to].iter().take_while(|byte| is_blank(byte)).count()
        };
    }
}

fn place(edit: &Edit) -> (usize, usize, usize) {
    (edit.file.index(), edit.range.start, edit.range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_named_once() {
        let names: HashSet<_> = NAMES.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), NAMES.len());
    }
}
