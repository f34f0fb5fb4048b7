//! The table of all rewrites, one module each.

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
mod member_access;
mod namespaces;
mod new_object;
mod one_field;
mod operands;
mod other_variable;
pub(super) mod parameter_names;
mod parameter_to_global;
mod pointer_level;
mod specifiers;
mod split_struct;
mod static_class;
mod switches;
mod tags;
mod template_parameter;
mod to_auto;
mod to_global;
mod to_int;
mod to_one;
mod to_struct;
mod to_variable;
mod to_void;

use super::Opportunity;
use super::program::Program;
use super::tidy::sound;
use lapidary_clang::Syntax;

/// A kind of rewrite: its name, its effect and its risks.
#[derive(Clone, Copy, Debug)]
pub struct RewriteKind {
    pub name: &'static str,
    /// The effect, as text before and after or in a few words.
    pub help: &'static str,
    /// Whether it invents names or lets one variable stand for another, so that the result says
    /// something other than what its author wrote.
    pub reshapes: bool,
    /// Whether programs have many opportunities of this kind, few of which succeed. They are tried
    /// when nothing else is left.
    pub is_seldom_of_use: bool,
    /// Whether an expression may get another value, or memory another size.
    pub invents: bool,
}

const fn kind(name: &'static str, help: &'static str) -> RewriteKind {
    RewriteKind { name, help, reshapes: false, is_seldom_of_use: false, invents: false }
}

impl RewriteKind {
    const fn reshaping(self) -> RewriteKind {
        RewriteKind { reshapes: true, ..self }
    }

    const fn seldom(self) -> RewriteKind {
        RewriteKind { is_seldom_of_use: true, ..self }
    }

    const fn inventing(self) -> RewriteKind {
        RewriteKind { invents: true, ..self }
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static RewriteKind> {
        kinds().find(|kind| kind.name == name)
    }
}

/// Returns all kinds of rewrites, in the order in which their opportunities are looked for.
pub fn kinds() -> impl Iterator<Item = &'static RewriteKind> {
    REWRITES.iter().flat_map(|rewrite| rewrite.kinds)
}

pub(super) type Finder = fn(&Program<'_>) -> Vec<Opportunity>;

/// A module of the catalogue: the function that finds its opportunities, and their kinds.
struct Rewrite {
    find: Finder,
    kinds: &'static [RewriteKind],
}

/// All rewrites. A new one is a module and a row here.
const REWRITES: &[Rewrite] = &[
    Rewrite {
        find: allocations::opportunities,
        kinds: &[kind(allocations::KIND, "new T[n], new T() → new T").inventing()],
    },
    Rewrite {
        find: array_dimension::opportunities,
        kinds: &[kind(array_dimension::KIND, "int a[3][4], a[i][j] → int a[4], a[j]").inventing()],
    },
    Rewrite {
        find: assigned_once::opportunities,
        kinds: &[kind(assigned_once::KIND, "a variable that is given one value → the value")],
    },
    Rewrite { find: blocks::opportunities, kinds: &[kind(blocks::KIND, "the braces of a block dropped")] },
    Rewrite { find: branches::opportunities, kinds: &[kind(branches::KIND, "if, else, try → one of the branches")] },
    Rewrite { find: calls::opportunities, kinds: &[kind(calls::KIND, "a call → one of its arguments").inventing()] },
    Rewrite {
        find: classes::opportunities,
        kinds: &[
            kind(classes::BASE, "a base class dropped, with the calls of its constructors"),
            kind(classes::NESTED, "a nested class moved out of its class"),
            kind(classes::OPEN, "class → struct, without access specifiers"),
        ],
    },
    Rewrite { find: combine::opportunities, kinds: &[kind(combine::KIND, "int a; int b; → int a, b;")] },
    Rewrite {
        find: constant_parameter::opportunities,
        kinds: &[kind(constant_parameter::KIND, "a parameter that is always the same literal → the literal")],
    },
    Rewrite {
        find: constructors::opportunities,
        kinds: &[
            kind(constructors::DEFAULT, "a default argument or member initialiser dropped"),
            kind(constructors::MEMBER, "an initialiser of a constructor dropped"),
        ],
    },
    Rewrite {
        find: discard::opportunities,
        kinds: &[kind(discard::KIND, "an unused variable → what computes its value")],
    },
    Rewrite {
        find: empty_object::opportunities,
        kinds: &[kind(empty_object::KIND, "an object handed to a function → {}").seldom().inventing()],
    },
    Rewrite { find: enumerators::opportunities, kinds: &[kind(enumerators::KIND, "an enumerator → its value")] },
    Rewrite {
        find: initialisers::opportunities,
        kinds: &[kind(initialisers::KIND, "an initialiser list, or an element of one → {} or 0").inventing()],
    },
    Rewrite {
        find: inline_function::opportunities,
        kinds: &[kind(inline_function::KIND, "a function called once → its body")],
    },
    Rewrite {
        find: inline_typedef::opportunities,
        kinds: &[kind(inline_typedef::KIND, "a typedef → the type it stands for")],
    },
    Rewrite {
        find: inline_variable::opportunities,
        kinds: &[kind(inline_variable::KIND, "a variable used once → its initialiser")],
    },
    Rewrite {
        find: instantiate::opportunities,
        kinds: &[kind(instantiate::KIND, "a template with one instance → the instance")],
    },
    Rewrite {
        find: jumps::opportunities,
        kinds: &[kind(jumps::KIND, "a goto to what comes next, or an unused label, dropped")],
    },
    Rewrite {
        find: lambdas::opportunities,
        kinds: &[kind(lambdas::KIND, "a lambda that is called at once → its body")],
    },
    Rewrite {
        find: literals::opportunities,
        kinds: &[
            kind(literals::ASSIGNMENT, "x += e → x = e").inventing(),
            kind(literals::NUMBER, "a number → 0 or 1").inventing(),
            kind(literals::TEXT, "a string → \"\"").inventing(),
        ],
    },
    Rewrite { find: loops::opportunities, kinds: &[kind(loops::KIND, "a loop → its body, once")] },
    Rewrite {
        find: member_access::opportunities,
        kinds: &[kind(member_access::KIND, "(&s)->f → s.f, (*p).f → p->f, *&x → x")],
    },
    Rewrite {
        find: namespaces::opportunities,
        kinds: &[kind(namespaces::KIND, "a namespace or linkage block dissolved")],
    },
    Rewrite {
        find: new_object::opportunities,
        kinds: &[kind(new_object::KIND, "a function called once that returns an object → a new object").inventing()],
    },
    Rewrite {
        find: one_field::opportunities,
        kinds: &[kind(one_field::KIND, "a struct with one field → the type of the field")],
    },
    Rewrite {
        find: operands::opportunities,
        kinds: &[
            kind(operands::CAST, "a cast → its operand").inventing(),
            kind(operands::EFFECT, "a statement → a call or an assignment in it"),
            kind(operands::OPERAND, "an operator → one of its operands").inventing(),
            kind(operands::PARENTHESES, "parentheses dropped"),
        ],
    },
    Rewrite {
        find: other_variable::opportunities,
        kinds: &[kind(other_variable::KIND, "a variable → another one of its type").reshaping()],
    },
    Rewrite {
        find: parameter_names::opportunities,
        kinds: &[kind(parameter_names::KIND, "the names of unused parameters dropped")],
    },
    Rewrite {
        find: parameter_to_global::opportunities,
        kinds: &[kind(parameter_to_global::KIND, "parameters of one type → global variables").reshaping()],
    },
    Rewrite {
        find: pointer_level::opportunities,
        // Writes of a function to its copy of an object are lost.
        kinds: &[kind(pointer_level::KIND, "int **p, **p → int *p, *p").inventing()],
    },
    Rewrite {
        find: specifiers::opportunities,
        kinds: &[kind(specifiers::KIND, "static, const, an attribute and the like dropped")],
    },
    Rewrite {
        find: split_struct::opportunities,
        kinds: &[kind(split_struct::KIND, "a struct → variables for its members").reshaping()],
    },
    Rewrite {
        find: static_class::opportunities,
        kinds: &[kind(static_class::KIND, "a class of static members dissolved")],
    },
    Rewrite {
        find: switches::opportunities, kinds: &[kind(switches::KIND, "a switch → the statements of one case")]
    },
    Rewrite { find: tags::opportunities, kinds: &[kind(tags::KIND, "the tag of a struct that has a typedef dropped")] },
    Rewrite {
        find: template_parameter::opportunities,
        kinds: &[kind(template_parameter::KIND, "a template parameter dropped, with its arguments")],
    },
    Rewrite {
        find: to_auto::opportunities,
        kinds: &[kind(to_auto::KIND, "the type of an initialised variable → auto")],
    },
    Rewrite {
        find: to_global::opportunities,
        kinds: &[kind(to_global::KIND, "a local variable moved out of its function")],
    },
    Rewrite { find: to_int::opportunities, kinds: &[kind(to_int::KIND, "a type → int").inventing()] },
    Rewrite {
        find: to_one::opportunities, kinds: &[kind(to_one::KIND, "a computed number → 1").seldom().inventing()]
    },
    Rewrite { find: to_struct::opportunities, kinds: &[kind(to_struct::KIND, "union → struct")] },
    Rewrite {
        find: to_variable::opportunities,
        kinds: &[kind(to_variable::KIND, "an expression → a variable of its type").reshaping()],
    },
    Rewrite {
        find: to_void::opportunities,
        kinds: &[kind(to_void::KIND, "a function whose result nobody uses → void")],
    },
];

/// Returns all opportunities in a translation unit, without duplicates.
pub fn all(syntax: &Syntax) -> Vec<Opportunity> {
    let program = Program::new(syntax);
    let found = REWRITES.iter().flat_map(|rewrite| (rewrite.find)(&program)).collect();
    sound(&program, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_kind_is_named_once() {
        let names: HashSet<_> = kinds().map(|kind| kind.name).collect();
        assert_eq!(names.len(), kinds().count());
    }
}
