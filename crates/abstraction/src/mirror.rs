//! Mirrors method bodies as graphs of statements (thesis §6.2.2 and §6.2.4): calls on other objects
//! are repeated, control flow is kept, and every condition becomes a choice.

use crate::Policy;
use crate::body::Made;
use crate::caught::read_caught_directly;
use crate::graph::{Block, End, Graph, Handler};
use crate::names::marker;
use crate::points_to::{Source, Sources};
use crate::protect::{Part, protect};
use crate::prune::prune;
use crate::simplify::simplify;
use crate::structure::{dispatcher, structure};
use crate::subject::Scope;
use crate::tree::{Expression, Node, Statement, Variable};
use crate::value::Writing;
use lapidary_classfile::{Arithmetic, FieldOp, Instruction, InvokeOp, MemberRef, Position, Text};
use lapidary_jvm::{FieldType, MethodType};
use std::collections::{BTreeMap, BTreeSet};

/// The limit on blocks. A larger method is unreadable, and may be nested too deeply for the
/// compiler.
const MOST_BLOCKS: usize = 400;

impl<'h> Writing<'_, 'h> {
    /// The whole body; `None` if it is too large.
    pub fn tree(&self) -> Option<Vec<Node>> {
        self.graph(false);
        let shared = self.shared_variables();
        self.shared.replace(shared);
        self.variables.take();
        let graph = self.graph(false);
        if graph.reverse_postorder().len() > MOST_BLOCKS {
            return None;
        }
        let mut tree = structure(&graph).unwrap_or_else(|| dispatcher(&self.graph(true)));
        read_caught_directly(&mut tree);
        Some(simplify(tree))
    }

    fn graph(&self, by_block: bool) -> Graph {
        let start = self.body.hand_over.map_or(0, |hand_over| hand_over + 1);
        let blocks = self.blocks(start);
        let numbers: BTreeMap<Position, usize> =
            blocks.iter().enumerate().map(|(number, (from, _))| (*from, number)).collect();
        let mut graph = Graph { blocks: Vec::new(), entry: numbers.get(&start).copied().unwrap_or(0) };
        for (from, to) in &blocks {
            let block = self.block(*from, *to, &numbers);
            graph.blocks.push(block);
        }
        prune(&mut graph);
        let parts = self.parts(&mut graph, &numbers);
        protect(&mut graph, parts, by_block);
        prune(&mut graph);
        graph.shorten();
        prune(&mut graph);
        graph
    }

    /// The basic blocks as ranges of instructions.
    fn blocks(&self, start: Position) -> Vec<(Position, Position)> {
        let code = self.body.code;
        let mut leaders = BTreeSet::from([start]);
        for handler in &code.handlers {
            leaders.extend([handler.start, handler.end, handler.target]);
        }
        for position in self.body.positions() {
            let instruction = self.body.instruction(position);
            leaders.extend(instruction.targets());
            if instruction.targets().next().is_some() || !instruction.falls_through() {
                leaders.insert(position + 1);
            }
        }
        let end = code.instructions.len() as Position;
        let bounds: Vec<Position> = leaders.into_iter().filter(|leader| *leader < end).chain([end]).collect();
        let all = bounds.windows(2).map(|pair| (pair[0], pair[1]));
        all.filter(|(from, _)| *from >= start && self.body.is_reached(*from)).collect()
    }

    fn block(&self, from: Position, to: Position, numbers: &BTreeMap<Position, usize>) -> Block {
        let statements = (from..to).flat_map(|position| self.steps(position)).collect();
        let last = to - 1;
        let instruction = self.body.instruction(last);
        let end = match instruction {
            Instruction::Return(None) => End::Return(None),
            Instruction::Return(Some(_)) => End::Return(
                self.body.type_.result.as_ref().map(|wanted| self.value(last, &self.body.operand(last, 0), wanted)),
            ),
            Instruction::AThrow => End::Throw(self.thrown(last)),
            _ => {
                let next = Some(to).filter(|_| instruction.falls_through());
                let mut targets = Vec::new();
                for target in next.into_iter().chain(instruction.targets()).filter_map(|target| numbers.get(&target)) {
                    if !targets.contains(target) {
                        targets.push(*target);
                    }
                }
                End::Jump(targets)
            }
        };
        let is_stuck = matches!(&end, End::Jump(targets) if targets.is_empty());
        let nothing = self.body.type_.result.as_ref().map(|wanted| Expression::new(self.anything(last, wanted)));
        Block { statements, end: if is_stuck { End::Return(nothing) } else { end } }
    }

    fn thrown(&self, position: Position) -> Expression {
        let throwable = FieldType::Object("java/lang/Throwable".into());
        let type_ = self
            .body
            .operand_type(position, 0)
            .filter(|type_| self.subject.names.type_(type_).is_some())
            .unwrap_or(throwable);
        let value = self.value(position, &self.body.operand(position, 0), &type_);
        let is_free = type_.class().is_some_and(|class| self.subject.is_thrown_freely(self.body, position, class));
        if is_free {
            return value;
        }
        self.subject.throws_freely.set(true);
        Expression::new(format!("{}.<RuntimeException>thrown({value})", marker(&self.subject.class.name.as_str())))
    }

    /// The statements for one instruction.
    fn steps(&self, position: Position) -> Vec<Statement> {
        match self.body.instruction(position) {
            Instruction::Invoke(_, member) if member.name == "<init>" => self.construction(position, member),
            Instruction::Invoke(_, member) => {
                if self.subject.mirrored(self.body, position).is_none() {
                    let mut steps = self.remember_arguments(position, member);
                    steps.extend(self.making(position));
                    steps
                } else if member.descriptor.as_bytes().ends_with(b")V") {
                    self.call(position).map(|(text, _)| Statement::call(Expression::new(text))).into_iter().collect()
                } else {
                    self.making(position).into_iter().collect()
                }
            }
            Instruction::Field(op @ (FieldOp::PutField | FieldOp::PutStatic), member) => {
                self.put(position, *op, member)
            }
            Instruction::ArrayStore(_) => self.store_element(position),
            Instruction::New(_) => Vec::new(),
            Instruction::Field(..)
            | Instruction::InvokeDynamic(_)
            | Instruction::ArrayLoad(_)
            | Instruction::NewArray(_)
            | Instruction::ANewArray(_) => self.making(position).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// A statement that creates a value and assigns it to its variable.
    fn making(&self, site: Position) -> Option<Statement> {
        let made = self.made_text(site)?;
        let source = Source::Site(site);
        let variable = self.variable(&source, &self.source_type(&source)?);
        let is_pure = made.is_pure;
        Some(Statement {
            defines: Some(variable),
            expression: made.expression,
            is_pure,
            may_throw: made.may_throw,
            serves: None,
            needs_variable: self.has_type_arguments(site),
        })
    }

    fn construction(&self, position: Position, member: &MemberRef) -> Vec<Statement> {
        let sites = self.body.positions().filter(|site| self.body.construction(*site) == Some(position));
        let mut steps: Vec<Statement> = sites.filter_map(|site| self.making(site)).collect();
        if steps.is_empty() {
            steps = self.remember_arguments(position, member);
        }
        steps
    }

    /// Remembers the arguments of a call that is left out, because the callee may keep them.
    fn remember_arguments(&self, position: Position, member: &MemberRef) -> Vec<Statement> {
        let count = MethodType::parse(member.descriptor.as_bytes()).map_or(0, |type_| type_.parameters.len());
        (0..count).rev().flat_map(|depth| self.remember(&self.body.operand(position, depth), self.scope())).collect()
    }

    fn remember(&self, sources: &Sources, scope: Scope) -> Vec<Statement> {
        let is_news = |source: &&Source| match source {
            Source::Site(site) => matches!(self.subject.made(self.body, *site), Made::Again(_)),
            Source::Parameter(_) | Source::This => scope != self.scope(),
            _ => false,
        };
        let steps =
            sources.iter().filter(is_news).filter(|_| self.subject.policy == Policy::Mnemonic).flat_map(|source| {
                let type_ = self.source_type(source).filter(FieldType::is_reference);
                let text = match source {
                    Source::This => Some("this".to_owned()),
                    Source::Parameter(place) => self.parameters.get(*place).cloned(),
                    _ => type_.as_ref().map(|type_| crate::tree::marker(self.variable(source, type_))),
                };
                text.zip(type_).map(|(text, type_)| self.subject.remembering(scope, &text, &type_)).unwrap_or_default()
            });
        steps.map(|step| Statement::plain(Expression::new(step))).collect()
    }

    fn put(&self, position: Position, op: FieldOp, member: &MemberRef) -> Vec<Statement> {
        let sources = self.body.operand(position, 0);
        let can_be_written = match self.subject.own_field(member) {
            Some(field) => self.subject.kept.contains(&field) && !self.subject.is_constant(field),
            None => self.subject.foreign_field(member),
        };
        let field = self.field(position, op, member, 1).filter(|_| can_be_written);
        match (field, FieldType::parse(member.descriptor.as_bytes())) {
            (Some(field), Ok(wanted)) => {
                let value = self.value(position, &sources, &wanted);
                vec![Statement::plain(Expression::new(format!("{field} = {value}")))]
            }
            _ => self.remember(&sources, if op == FieldOp::PutStatic { Scope::Class } else { self.scope() }),
        }
    }

    fn store_element(&self, position: Position) -> Vec<Statement> {
        let (array, sources) = (self.body.operand(position, 2), self.body.operand(position, 0));
        let index = match self.body.operand(position, 1).iter().collect::<Vec<_>>()[..] {
            [Source::Number(crate::literal::Number::Int(index))] => Some(*index),
            _ => None,
        };
        let ours = match array.iter().collect::<Vec<_>>()[..] {
            [source @ Source::Site(site)] if self.is_new_array(*site) => Some((source.clone(), *site)),
            _ => None,
        };
        if let (Some(index), Some((source, site))) = (index, ours)
            && let (Made::Again(type_), Some(length)) =
                (self.subject.made(self.body, site), self.subject.constant_length(self.body, site))
            && let FieldType::Array(element) = &type_
            && (0..length).contains(&index)
        {
            let variable = self.variable(&source, &type_);
            let value = self.value(position, &sources, element);
            let text = format!("{}[{index}] = {value}", crate::tree::marker(variable));
            return vec![Statement { serves: Some(variable), ..Statement::plain(Expression::new(text)) }];
        }
        self.remember(&sources, self.scope())
    }

    fn is_new_array(&self, site: Position) -> bool {
        matches!(self.body.instruction(site), Instruction::NewArray(_) | Instruction::ANewArray(_))
    }

    /// The protected parts of the exception table, with a block in front of each handler that
    /// receives the exception.
    fn parts(&self, graph: &mut Graph, numbers: &BTreeMap<Position, usize>) -> Vec<Part> {
        let mut ranges: Vec<(Position, Position)> = Vec::new();
        for handler in &self.body.code.handlers {
            if !ranges.contains(&(handler.start, handler.end)) {
                ranges.push((handler.start, handler.end));
            }
        }
        ranges.into_iter().map(|(start, end)| self.part(graph, numbers, start, end)).collect()
    }

    fn part(&self, graph: &mut Graph, numbers: &BTreeMap<Position, usize>, start: Position, end: Position) -> Part {
        let blocks: BTreeSet<usize> = numbers.range(start..end).map(|(_, number)| *number).collect();
        let mut part = Part { blocks, handlers: Vec::new(), unseen: Vec::new() };
        let mut caught: Vec<Text> = Vec::new();
        for handler in self.body.code.handlers.iter().filter(|handler| (handler.start, handler.end) == (start, end)) {
            let Some(target) = numbers.get(&handler.target).copied() else { continue };
            let class = handler.catch.clone().unwrap_or_else(|| "java/lang/Throwable".into());
            let is_late = caught.iter().any(|earlier| self.subject.is_below(&class, earlier));
            if is_late || (start..end).contains(&handler.target) {
                continue;
            }
            let type_ = FieldType::Object(class.clone());
            let holder = self
                .source_type(&Source::Caught(handler.target))
                .map(|held| self.variable(&Source::Caught(handler.target), &held));
            if let Some(name) = self.subject.names.class(&class).filter(|_| self.may_be_thrown(start, end, &class)) {
                let variable = self.new_variable(&type_);
                let taken = holder.map(|holder| taking(holder, Expression::variable(variable)));
                let front = graph.add(taken.into_iter().collect(), End::Jump(vec![target]));
                part.handlers.push(Handler { class: name, variable, target: front });
                caught.push(class.clone());
            }
            if handler.catch.is_some() && self.leaves_out(start, end) {
                let made_up = Expression::new(self.subject.fresh(&type_, 1));
                part.unseen.push((holder.map(|holder| taking(holder, made_up)).into_iter().collect(), target));
            }
        }
        part
    }

    fn new_variable(&self, type_: &FieldType) -> Variable {
        self.variables.borrow_mut().push((Source::Unknown, type_.clone()));
        self.variables.borrow().len() - 1
    }

    /// Returns whether the compiler allows an exception in the range to be caught as this class.
    fn may_be_thrown(&self, start: Position, end: Position, class: &Text) -> bool {
        if self.subject.is_unchecked(class)
            || ["java/lang/Throwable", "java/lang/Exception"].iter().any(|any| *class == **any)
        {
            return true;
        }
        let related = |thrown: &Text| self.subject.is_below(thrown, class) || self.subject.is_below(class, thrown);
        (start..end).any(|position| match self.body.instruction(position) {
            Instruction::AThrow => self
                .body
                .operand_type(position, 0)
                .and_then(|type_| type_.class().cloned())
                .is_some_and(|thrown| related(&thrown)),
            Instruction::Invoke(..) => {
                let made = self.body.positions().find(|site| self.body.construction(*site) == Some(position));
                let constructed =
                    made.and_then(|site| self.subject.construct_target(self.body, site)).map(|(_, id)| id);
                let called = constructed.or_else(|| self.subject.mirrored(self.body, position));
                called.is_some_and(|id| {
                    !self.subject.is_pure(id)
                        && self.subject.names.hierarchy.method(id).exceptions().iter().any(related)
                })
            }
            _ => false,
        })
    }

    /// Returns whether an instruction in the range that might throw is left out.
    fn leaves_out(&self, start: Position, end: Position) -> bool {
        (start..end).any(|position| match self.body.instruction(position) {
            Instruction::Invoke(InvokeOp::Special, member) if member.name == "<init>" => {
                let made = self.body.positions().find(|site| self.body.construction(*site) == Some(position));
                made.is_some_and(|site| self.subject.construct_target(self.body, site).is_none())
            }
            Instruction::Invoke(..) => {
                self.subject.mirrored(self.body, position).is_none_or(|id| self.subject.is_pure(id))
            }
            Instruction::ArrayLoad(_)
            | Instruction::ArrayStore(_)
            | Instruction::Arithmetic(Arithmetic::Div | Arithmetic::Rem, _) => true,
            _ => false,
        })
    }
}

fn taking(holder: Variable, value: Expression) -> Statement {
    Statement::plain(value).defining(holder).pure()
}
