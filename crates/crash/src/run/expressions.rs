//! The values of array elements and other parts of variables that an expression names.
//!
//! An expression such as `table[b].sum` is evaluated as the language does, from the values at the
//! moment of the failure. Only what is needed to find an element is understood: variables, members,
//! indices, pointers and arithmetic. There are no calls and no side effects.

use super::code::Bytes;
use super::types::{Type, elements, is_object, members, peeled, size_of, type_of};
use super::values::Looking;
use addr2line::gimli::{self, AttributeValue, Unit, UnitOffset};
use std::collections::BTreeSet;

/// The largest number of tokens of a statement that is understood.
const MOST_TOKENS: usize = 2_000;

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
enum Term {
    /// Something in memory.
    Place {
        of_type: Type,
        at: u64,
    },
    Number(i64),
    /// A pointer to something of this type.
    Pointer {
        of_type: Type,
        at: u64,
    },
}

impl<'d> Looking<'_, 'd> {
    /// Notes the values of all elements and members that a text names. Returns false if an element
    /// could not be read.
    pub(super) fn elements(&mut self, unit: &Unit<Bytes<'d>>, tokens: &[String]) -> bool {
        // Reading recurses into parentheses.
        if tokens.len() > MOST_TOKENS {
            return !tokens.iter().any(|token| token == "[");
        }
        let mut reading = Reading { looking: self, unit, tokens, resolved: BTreeSet::new() };
        for start in 0..tokens.len() {
            let before = start.checked_sub(1).map(|before| &*tokens[before]);
            let is_member = matches!(before, Some("." | "->" | "::"));
            let is_product = tokens[start] == "*" && before.is_some_and(ends_operand);
            if !is_member && !is_product {
                reading.unary(start);
            }
        }
        let resolved = reading.resolved;
        let is_index = |at: &usize| *at > 0 && tokens[*at] == "[" && ends_operand(&tokens[*at - 1]);
        (0..tokens.len()).filter(is_index).all(|at| resolved.contains(&at))
    }
}

/// Returns whether an operand ends with this token, so that what follows is an operator.
fn ends_operand(token: &str) -> bool {
    const WORDS: [&str; 4] = ["return", "case", "throw", "else"];
    let is_word = token.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    matches!(token, ")" | "]") || is_word && !WORDS.contains(&token)
}

struct Reading<'e, 's, 'd> {
    looking: &'e mut Looking<'s, 'd>,
    unit: &'e Unit<Bytes<'d>>,
    tokens: &'e [String],
    /// The brackets of elements that were found, or that the program failed to access.
    resolved: BTreeSet<usize>,
}

/// A value and the position after its expression.
type Read = Option<(Term, usize)>;

impl Reading<'_, '_, '_> {
    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token)
    }

    fn sum(&mut self, start: usize) -> Read {
        let (mut left, mut at) = self.product(start)?;
        loop {
            let sign = match self.token(at) {
                "+" => 1,
                "-" => -1,
                _ => return Some((left, at)),
            };
            let (right, after) = self.product(at + 1)?;
            left = self.added(left, right, sign)?;
            at = after;
        }
    }

    fn added(&self, left: Term, right: Term, sign: i64) -> Option<Term> {
        let scaled = |of_type, at: u64, by: i64| {
            let distance = by.checked_mul(sign)?.checked_mul(i64::try_from(size_of(self.unit, of_type)?).ok()?)?;
            Some(Term::Pointer { of_type, at: at.checked_add_signed(distance)? })
        };
        match (self.value(left)?, self.value(right)?) {
            (Term::Number(one), Term::Number(other)) => one.checked_add(other.checked_mul(sign)?).map(Term::Number),
            (Term::Pointer { of_type, at }, Term::Number(by)) => scaled(of_type, at, by),
            (Term::Number(by), Term::Pointer { of_type, at }) if sign > 0 => scaled(of_type, at, by),
            _ => None,
        }
    }

    fn product(&mut self, start: usize) -> Read {
        let (mut left, mut at) = self.unary(start)?;
        loop {
            let operator = self.token(at).to_owned();
            if !matches!(&*operator, "*" | "/" | "%") {
                return Some((left, at));
            }
            let (right, after) = self.unary(at + 1)?;
            let (one, other) = (self.number(left)?, self.number(right)?);
            left = Term::Number(match &*operator {
                "*" => one.checked_mul(other)?,
                "/" => one.checked_div(other)?,
                _ => one.checked_rem(other)?,
            });
            at = after;
        }
    }

    fn unary(&mut self, start: usize) -> Read {
        match self.token(start) {
            "*" => {
                let (pointer, after) = self.unary(start + 1)?;
                let Term::Pointer { of_type, at } = self.value(pointer)? else { return None };
                self.found(start, of_type, at, after)
            }
            "-" => {
                let (value, after) = self.unary(start + 1)?;
                Some((Term::Number(self.number(value)?.checked_neg()?), after))
            }
            _ => self.postfix(start),
        }
    }

    /// Reads a variable, a number or an expression in parentheses, with the indices and members
    /// behind it.
    fn postfix(&mut self, start: usize) -> Read {
        let (mut term, mut at) = self.primary(start)?;
        loop {
            (term, at) = match self.token(at) {
                "[" => {
                    let (index, end) = self.sum(at + 1)?;
                    let index = self.number(index).filter(|_| self.token(end) == "]")?;
                    let (of_type, place) = self.element(term, index, at)?;
                    let found = self.found(start, of_type, place, end + 1)?;
                    self.resolved.insert(at);
                    found
                }
                "." => {
                    let Term::Place { of_type, at: place } = term else { return None };
                    self.member(start, of_type, place, at + 1)?
                }
                "->" => {
                    let Term::Pointer { of_type, at: place } = self.value(term)? else { return None };
                    self.member(start, of_type, place, at + 1)?
                }
                "(" | "++" | "--" | "::" => return None,
                _ => return Some((term, at)),
            };
        }
    }

    fn primary(&mut self, start: usize) -> Read {
        let token = self.token(start).to_owned();
        if token == "(" {
            let (term, end) = self.sum(start + 1)?;
            return (self.token(end) == ")").then_some((term, end + 1));
        }
        if token.starts_with(|letter: char| letter.is_ascii_digit()) {
            return number(&token).map(|number| (Term::Number(number), start + 1));
        }
        if let Some((of_type, at)) = self.looking.variables.get(&token).copied() {
            return Some((self.followed(of_type.into(), at)?, start + 1));
        }
        // Inside its methods, members are named without the object.
        let (of_type, at) = self.looking.variables.get("this").copied()?;
        let Term::Pointer { of_type, at } = self.value(Term::Place { of_type: of_type.into(), at })? else {
            return None;
        };
        self.member(start, of_type, at, start)
    }

    /// Returns the element of an array, a pointer's target or a vector. `bracket` is the position
    /// of the index.
    fn element(&mut self, term: Term, index: i64, bracket: usize) -> Option<(Type, u64)> {
        let (of_type, start, size, count) = match term {
            Term::Place { of_type, at } => match elements(self.unit, of_type) {
                Some(elements) => (elements.of_type, at, elements.size, elements.count),
                None => match self.contents(of_type, at) {
                    Some(contents) => contents,
                    None => self.target(self.value(term)?)?,
                },
            },
            _ => self.target(term)?,
        };
        let is_outside = index < 0 || count.is_some_and(|count| index as u64 >= count);
        // An array of one element at the end of an object may be longer.
        if is_outside && count.is_some_and(|count| count > 1) {
            self.resolved.insert(bracket);
            return None;
        }
        let place = start.checked_add_signed(index.checked_mul(i64::try_from(size).ok()?)?)?;
        if self.looking.is_fault(place, size) {
            self.resolved.insert(bracket);
            return None;
        }
        Some((of_type, place))
    }

    fn target(&self, term: Term) -> Option<(Type, u64, u64, Option<u64>)> {
        let Term::Pointer { of_type, at } = term else { return None };
        Some((of_type, at, size_of(self.unit, of_type)?, None))
    }

    /// Returns the elements of a vector, an array or a string of libstdc++.
    fn contents(&self, of_type: Type, at: u64) -> Option<(Type, u64, u64, Option<u64>)> {
        let class = peeled(self.unit, Some(of_type.entry))?;
        let entry = self.unit.entry(class).ok().filter(|entry| is_object(entry.tag()))?;
        let name = super::types::name_of(self.looking.dwarf, self.unit, &entry)?;
        let inner = Type::from(self.first_argument(class)?);
        let size = size_of(self.unit, inner).filter(|size| *size > 0)?;
        let second = || self.looking.word(at.checked_add(8)?);
        if name.starts_with("array<") {
            return Some((inner, at, size, size_of(self.unit, class.into())?.checked_div(size)));
        }
        if name.starts_with("basic_string<") {
            return Some((inner, self.looking.word(at)?, size, second()));
        }
        if !name.starts_with("vector<") || name.starts_with("vector<bool") {
            return None;
        }
        let start = self.looking.word(at)?;
        Some((inner, start, size, second()?.checked_sub(start)?.checked_div(size)))
    }

    /// Returns the first type among the arguments of a template.
    fn first_argument(&self, class: UnitOffset) -> Option<UnitOffset> {
        let mut tree = self.unit.entries_tree(Some(class)).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Some(child) = children.next().ok()? {
            if child.entry().tag() == gimli::DW_TAG_template_type_parameter {
                return type_of(self.unit, child.entry());
            }
        }
        None
    }

    /// Reads a member of an object; its name is at this position.
    fn member(&mut self, start: usize, of_type: Type, place: u64, name: usize) -> Read {
        let (of_type, offset) = self.member_of(of_type.entry, self.token(name))?;
        self.found(start, of_type.into(), place.checked_add(offset)?, name + 1)
    }

    /// Returns the type and offset of a member, also of a base class.
    fn member_of(&self, of_type: UnitOffset, name: &str) -> Option<(UnitOffset, u64)> {
        let object = peeled(self.unit, Some(of_type))?;
        self.unit.entry(object).ok().filter(|entry| is_object(entry.tag()))?;
        let members = members(self.looking.dwarf, self.unit, object);
        let own = members.iter().find(|member| member.name.as_deref() == Some(name));
        let inherited = || {
            members.iter().filter(|member| member.name.is_none()).find_map(|member| {
                let (of_type, offset) = self.member_of(member.of_type, name)?;
                Some((of_type, member.offset + offset))
            })
        };
        own.map(|member| (member.of_type, member.offset)).or_else(inherited)
    }

    /// Notes a place that an expression from `start` to `after` names. Its value does not matter if
    /// it is assigned to.
    fn found(&mut self, start: usize, of_type: Type, place: u64, after: usize) -> Read {
        if self.looking.is_fault(place, size_of(self.unit, of_type).unwrap_or(1)) {
            return None;
        }
        let term = self.followed(of_type, place)?;
        self.looking.read(place, 1)?;
        if let (Term::Place { of_type, at }, false) = (term, self.token(after) == "=") {
            let name = self.tokens[start..after].concat();
            let (looking, unit) = (&mut *self.looking, self.unit);
            if of_type.indexed == 0 && elements(unit, of_type).is_none() {
                looking.note(unit, of_type.entry, at, &name);
            }
        }
        Some((term, after))
    }

    /// Follows a reference.
    fn followed(&self, of_type: Type, at: u64) -> Option<Term> {
        let entry = self.unit.entry(peeled(self.unit, Some(of_type.entry))?).ok()?;
        match entry.tag() {
            gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
                Some(Term::Place { of_type: type_of(self.unit, &entry)?.into(), at: self.looking.word(at)? })
            }
            _ => Some(Term::Place { of_type, at }),
        }
    }

    fn number(&self, term: Term) -> Option<i64> {
        match self.value(term)? {
            Term::Number(number) => Some(number),
            Term::Place { .. } | Term::Pointer { .. } => None,
        }
    }

    /// Returns the number or pointer that is in a place. An array is a pointer to its first
    /// element.
    fn value(&self, term: Term) -> Option<Term> {
        let Term::Place { of_type, at } = term else { return Some(term) };
        if let Some(elements) = elements(self.unit, of_type) {
            return Some(Term::Pointer { of_type: elements.of_type, at });
        }
        let entry = self.unit.entry(peeled(self.unit, Some(of_type.entry))?).ok()?;
        match entry.tag() {
            gimli::DW_TAG_pointer_type => {
                Some(Term::Pointer { of_type: type_of(self.unit, &entry)?.into(), at: self.looking.word(at)? })
            }
            gimli::DW_TAG_base_type | gimli::DW_TAG_enumeration_type => {
                let size = usize::try_from(size_of(self.unit, of_type)?).ok().filter(|size| *size <= 8)?;
                let bytes = self.looking.read(at, size)?;
                let is_signed = match entry.attr_value(gimli::DW_AT_encoding) {
                    Some(AttributeValue::Encoding(gimli::DW_ATE_signed | gimli::DW_ATE_signed_char)) => true,
                    Some(AttributeValue::Encoding(gimli::DW_ATE_float)) => return None,
                    _ => false,
                };
                let is_negative = is_signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
                let mut wide = [if is_negative { 0xff } else { 0 }; 8];
                wide[..size].copy_from_slice(&bytes);
                Some(Term::Number(i64::from_le_bytes(wide)))
            }
            _ => None,
        }
    }
}

/// Returns the value of an integer literal.
fn number(token: &str) -> Option<i64> {
    let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(&digits[1..], 8).ok(),
        None => digits.parse().ok(),
    }
}
