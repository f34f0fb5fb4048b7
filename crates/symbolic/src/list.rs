//! A list that grows at its end and shares its beginning with other lists.

use std::rc::Rc;

/// A list that is cheap to copy and to extend.
#[derive(Clone)]
pub struct List<T> {
    last: Option<Rc<Link<T>>>,
}

struct Link<T> {
    value: T,
    before: Option<Rc<Link<T>>>,
    length: usize,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List { last: None }
    }
}

impl<T> List<T> {
    pub fn push(&mut self, value: T) {
        let length = self.len() + 1;
        self.last = Some(Rc::new(Link { value, before: self.last.take(), length }));
    }

    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.length)
    }

    /// Whether both are the same list: one was copied from the other, and neither has grown since.
    pub fn is(&self, other: &List<T>) -> bool {
        match (&self.last, &other.last) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The values, newest first.
    pub fn backwards(&self) -> impl Iterator<Item = &T> {
        let links = std::iter::successors(self.last.as_deref(), |link| link.before.as_deref());
        links.map(|link| &link.value)
    }

    /// The values, oldest first.
    pub fn to_vec(&self) -> Vec<&T> {
        let mut values: Vec<&T> = self.backwards().collect();
        values.reverse();
        values
    }
}

impl<T> Drop for List<T> {
    /// Drops link by link, because dropping a long list recursively would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(Ok(mut link)) = next.map(Rc::try_unwrap) {
            next = link.before.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_share_their_beginning() {
        let mut one = List::default();
        one.push(1);
        let mut other = one.clone();
        one.push(2);
        other.push(3);
        assert_eq!((one.to_vec(), other.to_vec()), (vec![&1, &2], vec![&1, &3]));
        assert_eq!(one.len(), 2);
    }

    #[test]
    fn a_long_list_goes_without_recursion() {
        let mut list = List::default();
        (0..1_000_000).for_each(|number| list.push(number));
        drop(list);
    }
}
