//! The join points of branches: where the ways out of a branch meet again.

use lapidary_classfile::Code;

/// For each instruction, its immediate postdominator: the first instruction on every way from it to
/// a return. `None` if there is no such instruction. Exceptions are ignored, since a way that
/// throws does not come back.
pub fn join_points(code: &Code) -> Vec<Option<usize>> {
    let graph = Graph::of(code);
    let order = graph.nodes_from_exit();
    let mut rank = vec![usize::MAX; graph.next.len()];
    order.iter().enumerate().for_each(|(place, node)| rank[*node] = place);
    let mut join = vec![None; graph.next.len()];
    join[graph.exit()] = Some(graph.exit());
    while graph.improve(&order, &rank, &mut join) {}
    let exit = graph.exit();
    join.into_iter().take(exit).map(|found| found.filter(|found| *found != exit)).collect()
}

/// The control flow graph: the instructions, and an exit node after all returns.
struct Graph {
    next: Vec<Vec<usize>>,
}

impl Graph {
    fn of(code: &Code) -> Graph {
        let count = code.instructions.len();
        let mut next = vec![Vec::new(); count + 1];
        for (at, instruction) in code.instructions.iter().enumerate() {
            next[at] = instruction.targets().map(|target| (target as usize).min(count)).collect();
            if instruction.falls_through() {
                next[at].push(at + 1);
            }
            if next[at].is_empty() {
                next[at].push(count);
            }
        }
        Graph { next }
    }

    fn exit(&self) -> usize {
        self.next.len() - 1
    }

    /// Runs one round of the algorithm of Cooper, Harvey and Kennedy. Returns whether anything
    /// changed.
    fn improve(&self, order: &[usize], rank: &[usize], join: &mut [Option<usize>]) -> bool {
        let mut has_changed = false;
        for node in order.iter().copied().skip(1) {
            let known = self.next[node].iter().copied().filter(|next| join[*next].is_some());
            let found = known.reduce(|left, right| self.meet(left, right, join, rank));
            if found.is_some() && join[node] != found {
                join[node] = found;
                has_changed = true;
            }
        }
        has_changed
    }

    fn meet(&self, mut left: usize, mut right: usize, join: &[Option<usize>], rank: &[usize]) -> usize {
        while left != right {
            let lower = if rank[left] > rank[right] { &mut left } else { &mut right };
            *lower = join[*lower].unwrap_or(self.exit());
        }
        left
    }

    /// The nodes from which a return can be reached, in reverse postorder from the exit.
    fn nodes_from_exit(&self) -> Vec<usize> {
        let mut previous = vec![Vec::new(); self.next.len()];
        for (node, next) in self.next.iter().enumerate() {
            next.iter().for_each(|next| previous[*next].push(node));
        }
        let mut seen = vec![false; previous.len()];
        let (mut done, mut pending) = (Vec::new(), vec![(self.exit(), 0)]);
        seen[self.exit()] = true;
        while let Some((node, child)) = pending.pop() {
            match previous[node].get(child) {
                Some(before) => {
                    pending.push((node, child + 1));
                    if !std::mem::replace(&mut seen[*before], true) {
                        pending.push((*before, 0));
                    }
                }
                None => done.push(node),
            }
        }
        done.reverse();
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_classfile::{Condition, Instruction};

    fn code(instructions: Vec<Instruction>) -> Code {
        Code { max_stack: 4, max_locals: 4, instructions, handlers: Vec::new(), attributes: Vec::new() }
    }

    #[test]
    fn both_arms_of_a_condition_meet_behind_it() {
        use Instruction::*;
        let joins = join_points(&code(vec![If(Condition::Eq, 3), Nop, Goto(4), Nop, Return(None)]));
        assert_eq!(joins[0], Some(4));
        assert_eq!(joins[1], Some(2));
    }

    #[test]
    fn arms_that_return_never_meet() {
        use Instruction::*;
        let joins = join_points(&code(vec![If(Condition::Eq, 2), Return(None), Return(None)]));
        assert_eq!(joins[0], None);
    }

    #[test]
    fn a_loop_is_left_at_its_condition() {
        use Instruction::*;
        let joins = join_points(&code(vec![If(Condition::Eq, 3), Nop, Goto(0), Return(None)]));
        assert_eq!(joins[0], Some(3));
    }
}
