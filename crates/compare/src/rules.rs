//! The rules of a specification, as queried by the machine.

use crate::changes::Changes;
use crate::spec::{Literal, Matcher, Spec, Test};
use crate::watch::{Constructed, Partition};
use lapidary_classfile::Kind;
use lapidary_symbolic::{Ending, Halt, Machine, Method, Part, State, Value};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// Assigns objects to parts according to a specification.
pub struct Rules {
    spec: Spec,
    changes: Changes,
    /// The classes that were replaced by abstract ones, in source form.
    abstracted: BTreeSet<String>,
    /// Whether methods differ, by method number.
    changed: RefCell<HashMap<u32, bool>>,
}

impl Rules {
    pub fn new(spec: Spec, changes: Changes, abstracted: BTreeSet<String>) -> Rules {
        Rules { spec, changes, abstracted, changed: RefCell::default() }
    }

    pub fn changes(&self) -> &Changes {
        &self.changes
    }
}

impl Partition for Rules {
    fn of_object(
        &self,
        machine: &mut Machine,
        state: &mut State,
        constructed: &Constructed<'_>,
    ) -> Result<Option<Part>, Halt> {
        for (rules, part) in [(&self.spec.unchanged, Part::Unaffected), (&self.spec.changed, Part::Affected)] {
            for rule in rules {
                if holds(rule, machine, state, constructed)? == Some(true) {
                    return Ok(Some(part));
                }
            }
        }
        Ok(None)
    }

    fn of_class(&self, class: &str) -> Option<Part> {
        let class = source_form(class);
        let is_meant = |rules: &[Matcher]| rules.iter().any(|rule| rule.names_class(&class));
        match (is_meant(&self.spec.unchanged), is_meant(&self.spec.changed)) {
            (true, _) => Some(Part::Unaffected),
            (_, true) => Some(Part::Affected),
            _ => None,
        }
    }

    fn is_changed(&self, method: &Method) -> bool {
        *self.changed.borrow_mut().entry(method.number).or_insert_with(|| {
            self.changes.is_changed(&method.class_name.as_str(), &method.name, &method.type_.descriptor())
        })
    }

    fn always_counts(&self, method: &Method) -> bool {
        !self.abstracted.is_empty() && self.abstracted.contains(&source_form(&method.class_name.as_str()))
    }

    fn looks_at_fields(&self) -> bool {
        self.spec.changed.iter().chain(&self.spec.unchanged).any(Matcher::looks_at_fields)
    }

    fn is_pure(&self, method: &Method) -> bool {
        !self.spec.pure.is_empty() && {
            let name = method.to_string();
            self.spec.pure.iter().any(|names| names.include(&name))
        }
    }
}

/// Whether a rule matches. `None` if that depends on fields that the constructor has not written
/// yet. If it depends on symbols, the path forks.
fn holds(
    rule: &Matcher,
    machine: &mut Machine,
    state: &mut State,
    made: &Constructed<'_>,
) -> Result<Option<bool>, Halt> {
    Ok(Some(match rule {
        Matcher::All(rules) => return decided(rules, false, machine, state, made),
        Matcher::Any(rules) => return decided(rules, true, machine, state, made),
        Matcher::Not(rule) => return Ok(holds(rule, machine, state, made)?.map(|holds| !holds)),
        Matcher::Class(names) => names.include(&source_form(&made.constructor.class_name.as_str())),
        Matcher::CalledBy(names) => {
            made.callers.iter().any(|method| names.include(&source_form(&method.class_name.as_str())))
        }
        Matcher::Parameter(number, test) => match made.arguments.get(*number) {
            Some(value) => passes(test, machine, state, *value)?,
            None => false,
        },
        Matcher::Field(..) if !made.is_made => return Ok(None),
        Matcher::Field(name, test) => match field(machine, state, made, name) {
            Some(value) => passes(test, machine, state, value)?,
            None => false,
        },
    }))
}

/// The combined answer of several rules. A rule that answers `decides` settles it; otherwise the
/// answer is the opposite, or `None` if any rule has no answer yet.
fn decided(
    rules: &[Matcher],
    decides: bool,
    machine: &mut Machine,
    state: &mut State,
    made: &Constructed<'_>,
) -> Result<Option<bool>, Halt> {
    let mut answer = Some(!decides);
    for rule in rules {
        match holds(rule, machine, state, made)? {
            Some(holds) if holds == decides => return Ok(Some(decides)),
            Some(_) => {}
            None => answer = None,
        }
    }
    Ok(answer)
}

fn source_form(class: &str) -> String {
    class.replace('/', ".")
}

fn field(machine: &mut Machine, state: &State, made: &Constructed<'_>, name: &str) -> Option<Value> {
    let Some(Value::Reference(Some(object))) = made.arguments.first().copied() else { return None };
    let class = machine.world.load(made.constructor.class).ok()?;
    let slot = class.instance_fields.iter().rposition(|(_, field, _)| *field == *name)?;
    state.heap.get(object).fields().get(slot).copied()
}

fn passes(test: &Test, machine: &mut Machine, state: &mut State, value: Value) -> Result<bool, Halt> {
    match test {
        Test::Equals(Literal::Null) => Ok(matches!(value, Value::Reference(None))),
        Test::Equals(Literal::Text(text)) => is_text(machine, state, value, text),
        Test::Matches(expression) => Ok(text_of(machine, state, value)?.is_some_and(|text| expression.is_match(&text))),
        Test::Equals(Literal::Float(number)) => match value {
            Value::Float(value) => Ok(f64::from(value) == *number),
            Value::Double(value) => Ok(value == *number),
            Value::Symbolic(..) => {
                Err(Halt::End(Ending::unsupported("a rule on a symbolic floating-point number".into())))
            }
            _ => Ok(false),
        },
        Test::Equals(Literal::Boolean(holds)) => compared(machine, state, value, i64::from(*holds), Order::Same),
        Test::Equals(Literal::Integer(number)) => compared(machine, state, value, *number, Order::Same),
        Test::Above(number) => compared(machine, state, value, *number, Order::Above),
        Test::Below(number) => compared(machine, state, value, *number, Order::Below),
    }
}

enum Order {
    Same,
    Above,
    Below,
}

fn compared(machine: &mut Machine, state: &mut State, value: Value, number: i64, order: Order) -> Result<bool, Halt> {
    let known = match value {
        Value::Int(value) => i64::from(value),
        Value::Long(value) => value,
        Value::Symbolic(kind @ (Kind::Int | Kind::Long), term) => {
            let terms = &mut machine.terms;
            let bound = match (kind, i32::try_from(number)) {
                (Kind::Long, _) => terms.long(number),
                (_, Ok(number)) => terms.int(number),
                (_, Err(_)) => return Ok(matches!((order, number > 0), (Order::Above, false) | (Order::Below, true))),
            };
            let condition = match order {
                Order::Same => terms.equals(term, bound),
                Order::Above => terms.slt(bound, term),
                Order::Below => terms.slt(term, bound),
            };
            return machine.split(state, condition);
        }
        _ => return Ok(false),
    };
    Ok(match order {
        Order::Same => known == number,
        Order::Above => known > number,
        Order::Below => known < number,
    })
}

fn is_text(machine: &mut Machine, state: &mut State, value: Value, text: &str) -> Result<bool, Halt> {
    let Some(units) = units_of(machine, state, value) else { return Ok(false) };
    let wanted: Vec<u16> = text.encode_utf16().collect();
    if units.len() != wanted.len() {
        return Ok(false);
    }
    let mut conditions = Vec::new();
    for (unit, wanted) in units.iter().zip(wanted) {
        let wanted = machine.terms.int(wanted.into());
        let unit = unit.term(&mut machine.terms).unwrap_or(wanted);
        conditions.push(machine.terms.equals(unit, wanted));
    }
    let all = machine.terms.all(&conditions);
    machine.split(state, all)
}

fn units_of(machine: &mut Machine, state: &State, value: Value) -> Option<Vec<Value>> {
    let Value::Reference(Some(object)) = value else { return None };
    (machine.name_of(state, object) == "java.lang.String").then(|| machine.units_of(state, object)).flatten()
}

/// The content of a string. If it is symbolic, the path forks over all possibilities.
fn text_of(machine: &mut Machine, state: &mut State, value: Value) -> Result<Option<String>, Halt> {
    let Some(units) = units_of(machine, state, value) else { return Ok(None) };
    let mut text = Vec::with_capacity(units.len());
    for unit in units {
        text.push(machine.concrete_int(state, unit)? as u16);
    }
    Ok(Some(String::from_utf16_lossy(&text)))
}
