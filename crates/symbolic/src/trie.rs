//! A sparse array whose copies share their common parts: copying is free, and a change copies one
//! path of the tree.
//!
//! Heaps, static fields and path conditions are tries, so that forking a state does not copy them.
//! A part that is not shared is changed in place.

use std::rc::Rc;

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;

/// Values by number. Missing numbers take no memory.
#[derive(Clone)]
pub struct Trie<T> {
    root: Option<Rc<Node<T>>>,
    /// The number of levels of branches above the leaves.
    height: u32,
}

/// Leaves of small values are smaller than branches. The waste is small, and boxing would cost a
/// pointer on every access.
#[derive(Clone)]
#[allow(clippy::large_enum_variant)]
enum Node<T> {
    Branch([Option<Rc<Node<T>>>; WIDTH]),
    Leaf([Option<T>; WIDTH]),
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Trie { root: None, height: 0 }
    }
}

impl<T: Clone> Trie<T> {
    pub fn get(&self, key: u32) -> Option<&T> {
        if self.is_too_low_for(key) {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            match &**node {
                Node::Leaf(values) => return values[place(key, 0)].as_ref(),
                Node::Branch(children) => node = children[place(key, level)].as_ref()?,
            }
            level -= 1;
        }
    }

    /// Mutable access to a value, if it exists.
    pub fn get_mut(&mut self, key: u32) -> Option<&mut T> {
        self.get(key)?;
        self.slot(key).as_mut()
    }

    pub fn insert(&mut self, key: u32, value: T) {
        *self.slot(key) = Some(value);
    }

    pub fn remove(&mut self, key: u32) {
        if self.get(key).is_some() {
            *self.slot(key) = None;
        }
    }

    /// The numbers at which the two may hold different values. Shared parts are skipped.
    pub fn differences(&self, other: &Trie<T>) -> Vec<u32> {
        let mut found = Vec::new();
        let (mut one, mut other) = (self.clone(), other.clone());
        while one.height < other.height {
            one.grow();
        }
        while other.height < one.height {
            other.grow();
        }
        collect_differences(one.root.as_ref(), other.root.as_ref(), 0, one.height, &mut found);
        found
    }

    fn slot(&mut self, key: u32) -> &mut Option<T> {
        while self.is_too_low_for(key) {
            self.grow();
        }
        let mut level = self.height;
        let mut node = self.root.get_or_insert_with(|| Node::empty(level));
        loop {
            match Rc::make_mut(node) {
                Node::Leaf(values) => return &mut values[place(key, 0)],
                Node::Branch(children) => {
                    let below = level - 1;
                    node = children[place(key, level)].get_or_insert_with(|| Node::empty(below));
                }
            }
            level -= 1;
        }
    }

    fn is_too_low_for(&self, key: u32) -> bool {
        u64::from(key) >> (BITS * (self.height + 1)) != 0
    }

    fn grow(&mut self) {
        self.height += 1;
        self.root = self.root.take().map(|root| {
            let mut children = [const { None }; WIDTH];
            children[0] = Some(root);
            Rc::new(Node::Branch(children))
        });
    }
}

impl<T> Node<T> {
    fn empty(level: u32) -> Rc<Node<T>> {
        Rc::new(if level == 0 { Node::Leaf([const { None }; WIDTH]) } else { Node::Branch([const { None }; WIDTH]) })
    }
}

fn collect_differences<T>(
    one: Option<&Rc<Node<T>>>,
    other: Option<&Rc<Node<T>>>,
    key: u32,
    level: u32,
    found: &mut Vec<u32>,
) {
    let is_shared = match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        _ => false,
    };
    if is_shared {
        return;
    }
    for place in 0..WIDTH {
        let key = key | (place as u32) << (BITS * level);
        if level > 0 {
            let child = |node: Option<&Rc<Node<T>>>| match node.map(|node| &**node) {
                Some(Node::Branch(children)) => children[place].clone(),
                _ => None,
            };
            collect_differences(child(one).as_ref(), child(other).as_ref(), key, level - 1, found);
        } else if has_value(one, place) || has_value(other, place) {
            found.push(key);
        }
    }
}

fn has_value<T>(node: Option<&Rc<Node<T>>>, place: usize) -> bool {
    matches!(node.map(|node| &**node), Some(Node::Leaf(values)) if values[place].is_some())
}

fn place(key: u32, level: u32) -> usize {
    (key.checked_shr(BITS * level).unwrap_or(0) as usize) % WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn a_copy_does_not_see_later_changes() {
        let mut one = Trie::default();
        one.insert(3, "three");
        let other = one.clone();
        one.insert(3, "drei");
        one.insert(70_000, "far");
        assert_eq!((one.get(3), other.get(3)), (Some(&"drei"), Some(&"three")));
        assert_eq!((one.get(70_000), other.get(70_000)), (Some(&"far"), None));
    }

    #[test]
    fn only_unshared_parts_differ() {
        let mut one = Trie::default();
        (0..1000).for_each(|number| one.insert(number, number));
        let mut other = one.clone();
        assert_eq!(one.differences(&other), []);
        other.insert(500, 7);
        other.insert(100_000, 8);
        let differences = one.differences(&other);
        assert!(differences.contains(&500) && differences.contains(&100_000));
        assert!(differences.len() <= WIDTH + 1, "{differences:?}");
    }

    proptest! {
        #[test]
        fn it_behaves_like_a_map(changes in prop::collection::vec((prop_oneof![0u32..100, any::<u32>()], any::<u8>()), 0..200)) {
            let (mut trie, mut map) = (Trie::default(), HashMap::new());
            let mut copies = Vec::new();
            for (key, value) in &changes {
                copies.push((trie.clone(), map.clone()));
                trie.insert(*key, *value);
                map.insert(*key, *value);
            }
            copies.push((trie, map));
            for (trie, map) in copies {
                for (key, _) in &changes {
                    prop_assert_eq!(trie.get(*key), map.get(key));
                }
            }
        }
    }
}
