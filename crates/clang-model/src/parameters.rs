//! Parameters with the arguments of all calls, and fields with the values given for them.

pub(crate) mod initialisers;

use crate::draft::{Draft, List, When};
use crate::outline::label;
use crate::program::{Program, Unit};
use crate::references::LOOKED_FOR;
use crate::source_text::SourceText;
use lapidary_clang::{Entity, EntityId, Kind, Mark, NodeId, Syntax};
use lapidary_logic::Var;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Makes an item of each parameter of functions whose declarations and calls are all visible.
pub(crate) fn parameters(program: &mut Program, draft: &mut Draft) {
    let functions = Functions::of(program);
    for function in functions.all.into_iter().flatten().filter(|function| function.is_plain) {
        of_function(program, draft, &function);
    }
    initialisers::initialisers(program, draft);
}

/// A function with all its declarations and calls.
struct Function {
    declarations: Vec<(usize, NodeId)>,
    calls: Vec<(usize, NodeId)>,
    is_plain: bool,
}

/// Functions by number of their entity.
struct Functions {
    all: Vec<Option<Function>>,
}

impl Functions {
    fn of(program: &Program) -> Functions {
        let mut all: Vec<Option<Function>> = program.declarations.iter().map(|_| None).collect();
        let handed_over: Vec<HashSet<EntityId>> = program.units.iter().map(|unit| handed_over(&unit.syntax)).collect();
        let can_change = |unit: usize, id: NodeId| {
            let syntax = &program.units[unit].syntax;
            let text = &program.texts[syntax.node(id).file.index()];
            is_plain(syntax, text, id) && !is_asked_for(syntax, id, &handed_over[unit])
        };
        for (number, declarations) in program.declarations.iter().enumerate() {
            let places: Vec<(usize, NodeId)> = declarations.iter().map(|found| (found.unit, found.node)).collect();
            let is_function = !places.is_empty() && places.iter().all(|(unit, node)| can_change(*unit, *node));
            all[number] = is_function.then_some(Function { declarations: places, calls: Vec::new(), is_plain: true });
        }
        let mut functions = Functions { all };
        for (index, unit) in program.units.iter().enumerate() {
            unit.syntax.ids().for_each(|id| functions.note_use(index, unit, id));
            if unit.syntax.is_cpp() {
                functions.leave_out_overloaded(unit);
            }
        }
        functions
    }

    /// Leaves out overloaded functions: without a parameter, one could be taken for another. In a
    /// template a name may refer to any of them.
    fn leave_out_overloaded(&mut self, unit: &Unit) {
        let open = open_names(&unit.syntax);
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, entity) in unit.syntax.entities.iter().enumerate() {
            let number = unit.entities[index];
            let Some(first) = entity.declarations.first() else { continue };
            if unit.syntax.node(*first).kind.is_function() {
                names.entry(scope_and_name(entity)).or_default().push(number);
            }
            if open.contains(entity.name.as_bytes()) {
                self.leave_out(number);
            }
        }
        names.into_values().filter(|same| same.len() > 1).flatten().for_each(|number| self.leave_out(number));
    }

    fn leave_out(&mut self, number: usize) {
        self.all[number].iter_mut().for_each(|function| function.is_plain = false);
    }

    /// Records a use. A function that is named without being called has its address taken.
    fn note_use(&mut self, index: usize, unit: &Unit, id: NodeId) {
        let node = unit.syntax.node(id);
        unit.syntax.overloads(id).for_each(|entity| self.leave_out(unit.entities[entity.index()]));
        let Some(entity) = node.refers else { return };
        let Some(function) = self.all[unit.entities[entity.index()]].as_mut() else { return };
        match node.kind {
            Kind::Call => function.calls.push((index, id)),
            Kind::Name | Kind::Member | Kind::OtherExpression => function.is_plain &= is_called(&unit.syntax, id),
            kind if kind.is_declaration() => function.is_plain = false,
            _ => {}
        }
    }
}

/// Returns the names that are looked up when a template is instantiated.
pub(crate) fn open_names(syntax: &Syntax) -> HashSet<&[u8]> {
    let is_open = |id: &NodeId| {
        let node = syntax.node(*id);
        node.refers.is_none() && matches!(node.kind, Kind::Member | Kind::Name | Kind::Call)
    };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let last_word = |id: NodeId| syntax.text(id).rsplit(|byte| !is_word(byte)).find(|word| !word.is_empty());
    syntax.ids().filter(is_open).filter_map(last_word).collect()
}

fn scope_and_name(entity: &Entity) -> String {
    let scope = entity.usr.find("@F@").or_else(|| entity.usr.find("@FT@")).map_or("", |at| &entity.usr[..at]);
    format!("{scope} {}", entity.name)
}

/// Returns whether library templates may construct with or call a function.
fn is_asked_for(syntax: &Syntax, id: NodeId, handed_over: &HashSet<EntityId>) -> bool {
    let node = syntax.node(id);
    let name = label(syntax, id);
    let class = node.parent.filter(|outer| syntax.node(*outer).kind.is_class());
    let is_handed_over =
        class.and_then(|class| syntax.node(class).declares).is_some_and(|class| handed_over.contains(&class));
    // The constructor that creates an object of a template is known only where its arguments are.
    let is_of_template = syntax.ancestors(id).any(|outer| is_class_template(syntax, outer));
    let is_made_elsewhere = node.kind == Kind::Constructor && (is_handed_over || is_of_template);
    syntax.is_cpp() && (is_made_elsewhere || LOOKED_FOR.contains(&name.as_str()))
}

pub(crate) fn is_class_template(syntax: &Syntax, class: NodeId) -> bool {
    matches!(syntax.node(class).kind, Kind::ClassTemplate | Kind::PartialSpecialization)
}

/// Returns the classes that are template arguments or types of objects whose constructor is not
/// known.
pub(crate) fn handed_over(syntax: &Syntax) -> HashSet<EntityId> {
    let arguments = syntax.types.iter().flat_map(|found| &found.arguments).copied();
    let is_object = |id: &NodeId| syntax.node(*id).kind == Kind::Variable && has_open_value(syntax, *id);
    let objects = syntax.ids().filter(is_object).filter_map(|id| syntax.node(id).of_type);
    arguments.chain(objects).filter_map(|of_type| syntax.get_type(of_type).declaration).collect()
}

/// Returns whether a variable has an initialiser for which no function is known to be called.
fn has_open_value(syntax: &Syntax, variable: NodeId) -> bool {
    let mut values = syntax.children(variable).filter(|child| syntax.node(*child).kind.is_expression()).peekable();
    values.peek().is_some() && values.all(|value| syntax.node(inside(syntax, value)).refers.is_none())
}

/// Strips expressions that the text does not show. A call that creates temporary objects has one
/// around it that destroys them.
fn inside(syntax: &Syntax, value: NodeId) -> NodeId {
    let mut parts = syntax.children(value);
    match (parts.next(), parts.next()) {
        (Some(only), None) if syntax.node(value).kind == Kind::OtherExpression => inside(syntax, only),
        _ => value,
    }
}

fn is_plain(syntax: &Syntax, text: &SourceText, id: NodeId) -> bool {
    let node = syntax.node(id);
    let name = label(syntax, id);
    let words = ["constexpr", "consteval", "default", "delete"];
    let body = syntax.children(id).find(|child| syntax.node(*child).kind == Kind::Compound);
    let end = body.map_or(node.end, |body| syntax.node(body).start) as usize;
    let is_fixed = syntax.is_cpp() && text.has_before(node.start as usize..end, &words);
    node.kind.is_function()
        && node.refers.is_none()
        && !is_fixed
        && !node.in_macro
        && !node.is(Mark::Virtual)
        && !node.is(Mark::Variadic)
        && !matches!(node.kind, Kind::Destructor | Kind::Conversion)
        && !name.starts_with("operator")
}

/// Returns whether an attribute of the declaration refers to parameters by number.
fn counts_parameters(text: &SourceText, range: Range<usize>) -> bool {
    const COUNTING: [&str; 8] =
        ["nonnull", "format", "alloc_size", "alloc_align", "access", "sentinel", "malloc", "callback"];
    let is_counting = |word: &[u8]| {
        COUNTING.iter().any(|counting| word.strip_prefix(b"__").unwrap_or(word).starts_with(counting.as_bytes()))
    };
    let tokens = text.within(range);
    let attribute = tokens.iter().position(|token| text.is(token, "__attribute__") || text.is(token, "["));
    attribute.is_some_and(|from| tokens[from..].iter().any(|token| is_counting(text.slice(token.range.clone()))))
}

/// Returns whether the node is the callee of a call, apart from implicit conversions and
/// parentheses.
pub(crate) fn is_called(syntax: &Syntax, id: NodeId) -> bool {
    let outer = syntax
        .ancestors(id)
        .find(|outer| !matches!(syntax.node(*outer).kind, Kind::OtherExpression | Kind::Parentheses));
    outer.is_some_and(|outer| {
        let call = syntax.node(outer);
        call.kind == Kind::Call
            && call.refers == syntax.node(id).refers
            && syntax.children(outer).next().is_some_and(|callee| syntax.contains(callee, id))
    })
}

fn of_function(program: &mut Program, draft: &mut Draft, function: &Function) {
    let Some(lists) =
        function.declarations.iter().map(|(unit, node)| declared(program, *unit, *node)).collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let count = lists.iter().map(|(_, ranges)| ranges.len()).max().unwrap_or(0);
    if is_foreign(program, function, &lists[0].0) {
        return;
    }
    if count == 0 || lists.iter().any(|(_, ranges)| ranges.len() != count) {
        return;
    }
    let mut calls = Vec::new();
    for (unit, call) in &function.calls {
        match arguments(program, *unit, *call) {
            Some(ranges) => calls.push((program.units[*unit].syntax.node(*call).file, ranges)),
            None => return,
        }
    }
    let (unit, first) = function.declarations[0];
    let file = program.units[unit].syntax.node(first).file;
    let name = label(&program.units[unit].syntax, first);
    let mut items: Vec<Var> = Vec::new();
    for (index, id) in lists[0].0.iter().enumerate() {
        let parameter = label(&program.units[unit].syntax, *id);
        let range = lists[0].1[index].clone();
        let (var, is_new) = draft.item(file, range, "parameter", None, || format!("{name}({parameter})"));
        if !is_new {
            return;
        }
        items.push(var);
    }
    if name == "main" {
        items.windows(2).for_each(|pair| draft.need(&[pair[1]], &[pair[0]]));
    }
    for ((unit, node), (ids, ranges)) in function.declarations.iter().zip(&lists) {
        let file = program.units[*unit].syntax.node(*node).file;
        put_list(draft, file, &items, ranges);
        for (id, var) in ids.iter().zip(&items) {
            program.units[*unit].outline.declared[id.index()] = Some(*var);
        }
    }
    calls.iter().for_each(|(file, ranges)| put_list(draft, *file, &items, ranges));
    function.calls.iter().for_each(|(unit, call)| drop_parentheses(program, draft, *unit, *call, &items));
    need_the_function(program, draft, function, &items);
}

/// Returns whether a function is first declared outside the program and must keep that form.
/// Compilers know the functions of the C library, whose declarations contain reserved names.
fn is_foreign(program: &Program, function: &Function, parameters: &[NodeId]) -> bool {
    let (unit, _) = function.declarations[0];
    let syntax = |unit: usize| &program.units[unit].syntax;
    let is_defined = function.declarations.iter().any(|(unit, node)| syntax(*unit).node(*node).is(Mark::Definition));
    let is_declared_elsewhere = |(unit, node): &(usize, NodeId)| {
        let entity = syntax(*unit).node(*node).declares;
        entity.is_some_and(|entity| syntax(*unit).entity(entity).is_foreign)
    };
    let has_reserved_name = || parameters.iter().any(|id| label(syntax(unit), *id).starts_with('_'));
    function.declarations.iter().any(is_declared_elsewhere) || (!is_defined && has_reserved_name())
}

/// Makes parameters need their function.
fn need_the_function(program: &Program, draft: &mut Draft, function: &Function, items: &[Var]) {
    let whole = |(unit, node): &(usize, NodeId)| program.units[*unit].outline.declared[node.index()];
    if let Some(whole) = function.declarations.iter().map(whole).collect::<Option<Vec<Var>>>() {
        items.iter().for_each(|item| draft.need(&[*item], &whole));
    }
}

fn put_list(draft: &mut Draft, file: lapidary_clang::FileId, items: &[Var], ranges: &[Range<usize>]) {
    for (var, range) in items.iter().zip(ranges) {
        draft.patch(*var, file, range.clone(), "");
    }
    let list: List = (0..ranges.len()).map(|index| items.get(index).copied()).collect();
    draft.list(file, list, ranges.windows(2).map(|pair| pair[0].end..pair[1].start).collect());
}

/// Removes the parentheses around the arguments of a variable with the last of them, since `T x()`
/// declares a function.
fn drop_parentheses(program: &Program, draft: &mut Draft, unit: usize, call: NodeId, items: &[Var]) {
    let syntax = &program.units[unit].syntax;
    let node = syntax.node(call);
    let outer = syntax.ancestors(call).find(|outer| syntax.node(*outer).kind != Kind::OtherExpression);
    let is_variable = outer.is_some_and(|outer| {
        let outer = syntax.node(outer);
        outer.kind == Kind::Variable && outer.location == node.start
    });
    let given = &items[..usize::from(node.arguments).min(items.len())];
    let text = &program.texts[node.file.index()];
    let sign = text.within(node.range()).get(1).filter(|sign| text.is(sign, "("));
    if let (Some(sign), true, false) = (sign, is_variable, given.is_empty()) {
        draft.patch_when(When::AllAbsent(given.to_vec()), node.file, sign.range.start..node.end as usize, "");
    }
}

/// Returns the parameters of a declaration, if they are in a row between parentheses.
fn declared(program: &Program, unit: usize, id: NodeId) -> Option<(Vec<NodeId>, Vec<Range<usize>>)> {
    let syntax = &program.units[unit].syntax;
    let ids: Vec<NodeId> = syntax.children(id).filter(|child| syntax.node(*child).kind == Kind::Parameter).collect();
    if ids.iter().any(|id| syntax.node(*id).in_macro || deduces(syntax, *id)) {
        return None;
    }
    let ranges: Vec<Range<usize>> = ids.iter().map(|id| syntax.node(*id).range()).collect();
    let text = &program.texts[syntax.node(id).file.index()];
    let body = syntax.children(id).find(|child| syntax.node(*child).kind == Kind::Compound);
    let end = body.map_or(syntax.node(id).end, |body| syntax.node(body).start) as usize;
    if counts_parameters(text, syntax.node(id).start as usize..end) {
        return None;
    }
    is_row(text, &ranges, &[")"]).then_some((ids, ranges))
}

/// Returns whether a template parameter is deduced from this parameter.
fn deduces(syntax: &Syntax, parameter: NodeId) -> bool {
    let is_template = |id: NodeId| {
        let declared = syntax.node(id).refers.and_then(|entity| syntax.entity(entity).declarations.first());
        declared.is_some_and(|id| {
            matches!(syntax.node(*id).kind, Kind::TemplateTypeParameter | Kind::TemplateValueParameter)
        })
    };
    syntax.subtree(parameter).any(is_template)
}

/// Returns the arguments of a call, if they are in a row between parentheses or braces.
fn arguments(program: &Program, unit: usize, call: NodeId) -> Option<Vec<Range<usize>>> {
    let syntax = &program.units[unit].syntax;
    let node = syntax.node(call);
    let children: Vec<NodeId> = syntax.children(call).collect();
    let count = usize::from(node.arguments).min(children.len());
    let given = &children[children.len() - count..];
    if node.in_macro || given.iter().any(|id| syntax.node(*id).in_macro) {
        return None;
    }
    let ranges: Vec<Range<usize>> = given.iter().map(|id| syntax.node(*id).range()).collect();
    let text = &program.texts[node.file.index()];
    (ranges.is_empty() || is_row(text, &ranges, &[")", "}"])).then_some(ranges)
}

fn is_row(text: &SourceText, ranges: &[Range<usize>], ends: &[&str]) -> bool {
    let Some((first, last)) = ranges.first().zip(ranges.last()) else { return true };
    let is_comma = |pair: &[Range<usize>]| {
        pair[0].end <= pair[1].start && matches!(text.within(pair[0].end..pair[1].start), [only] if text.is(only, ","))
    };
    text.is_preceded_by(first.start, &["(", "{"])
        && ends.iter().any(|end| text.is_followed_by(last.end, end))
        && ranges.windows(2).all(is_comma)
        && ranges.iter().all(|range| text.is_balanced(range))
}
