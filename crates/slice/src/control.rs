//! Control dependence: which nodes decide whether another runs (Ferrante, Ottenstein and Warren,
//! TOPLAS 1987).

use crate::flow::EXIT;

/// Returns, for each node of a function's flow, the nodes that decide whether it runs. The flow is
/// given as the successors of each node.
pub(crate) fn control_dependences(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let above = post_dominators(successors);
    let mut result = vec![Vec::new(); successors.len()];
    for (index, next) in successors.iter().enumerate().filter(|(_, next)| next.len() > 1) {
        for next in next {
            let mut at = *next;
            while above[index] != Some(at) && at != EXIT {
                result[at].push(index);
                let Some(further) = above[at].filter(|further| *further != at) else { break };
                at = further;
            }
        }
    }
    result.iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    result
}

pub(crate) fn predecessors(successors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut previous = vec![Vec::new(); successors.len()];
    for (index, next) in successors.iter().enumerate() {
        next.iter().for_each(|next| previous[*next].push(index));
    }
    previous
}

/// Returns, for each node, the first node that every path from it to the exit passes, by the
/// algorithm of Cooper, Harvey and Kennedy.
fn post_dominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let order = from_exit(successors);
    let mut rank = vec![usize::MAX; successors.len()];
    order.iter().enumerate().for_each(|(position, node)| rank[*node] = position);
    let mut above: Vec<Option<usize>> = vec![None; successors.len()];
    above[EXIT] = Some(EXIT);
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for node in order.iter().copied().skip(1) {
            let known = successors[node].iter().copied().filter(|next| above[*next].is_some());
            let found = known.reduce(|left, right| common(left, right, &above, &rank));
            if found.is_some() && above[node] != found {
                above[node] = found;
                has_changed = true;
            }
        }
    }
    above
}

fn common(mut left: usize, mut right: usize, above: &[Option<usize>], rank: &[usize]) -> usize {
    while left != right {
        let lower = if rank[left] > rank[right] { &mut left } else { &mut right };
        *lower = above[*lower].unwrap_or(EXIT);
    }
    left
}

/// Returns the nodes from which the exit can be reached, in reverse post-order of the reversed
/// graph.
fn from_exit(successors: &[Vec<usize>]) -> Vec<usize> {
    let previous = predecessors(successors);
    let mut seen = vec![false; previous.len()];
    let mut done = Vec::new();
    let mut pending = vec![(EXIT, 0)];
    seen[EXIT] = true;
    while let Some((node, child)) = pending.pop() {
        match previous[node].get(child) {
            Some(next) => {
                pending.push((node, child + 1));
                if !std::mem::replace(&mut seen[*next], true) {
                    pending.push((*next, 0));
                }
            }
            None => done.push(node),
        }
    }
    done.reverse();
    done
}
