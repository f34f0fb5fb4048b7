//! Notes that a [`Hook`](crate::Hook) keeps with a path or a call. The machine copies them together
//! with the path or call and never looks inside.

use std::any::Any;
use std::rc::Rc;

/// Data that a hook keeps about a path or a call.
pub trait Note: Clone + Default + 'static {
    /// Whether paths with these notes may be merged. The merged path keeps `self`.
    fn is_like(&self, other: &Self) -> bool;
}

/// At most one note. All notes of paths have the same type, and so do those of calls.
#[derive(Clone, Default)]
pub struct Notes(Option<Rc<dyn Kept>>);

impl Notes {
    pub fn new(note: impl Note) -> Notes {
        Notes(Some(Rc::new(note)))
    }

    pub fn get<T: Note>(&self) -> Option<&T> {
        self.0.as_ref()?.as_any().downcast_ref()
    }

    /// The note, no longer shared with copies; a default note if there was none.
    pub fn get_mut<T: Note>(&mut self) -> &mut T {
        let kept = self.0.get_or_insert_with(|| Rc::new(T::default()));
        if Rc::get_mut(kept).is_none() {
            *kept = kept.copied();
        }
        let own = Rc::get_mut(kept).expect("nobody else has a fresh copy");
        own.as_any_mut().downcast_mut().expect("notes of one type")
    }

    /// Whether two paths with these notes may be merged.
    pub(crate) fn are_like(&self, other: &Notes) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), other) => one.is_like_kept(other.as_ref().map(|other| other.as_any())),
            (None, Some(other)) => other.is_like_kept(None),
        }
    }
}

/// A note of a type that only its hook knows.
trait Kept {
    fn copied(&self) -> Rc<dyn Kept>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Compares with another note, or with the default note.
    fn is_like_kept(&self, other: Option<&dyn Any>) -> bool;
}

impl<T: Note> Kept for T {
    fn copied(&self) -> Rc<dyn Kept> {
        Rc::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn is_like_kept(&self, other: Option<&dyn Any>) -> bool {
        match other {
            Some(other) => other.downcast_ref().is_some_and(|other| self.is_like(other)),
            None => self.is_like(&T::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Note for u32 {
        fn is_like(&self, other: &u32) -> bool {
            self == other
        }
    }

    #[test]
    fn copies_have_notes_of_their_own() {
        let mut one = Notes::default();
        assert_eq!(one.get::<u32>(), None);
        *one.get_mut::<u32>() = 1;
        let mut other = one.clone();
        *other.get_mut::<u32>() = 2;
        assert_eq!((one.get::<u32>(), other.get::<u32>()), (Some(&1), Some(&2)));
        assert!(!one.are_like(&other) && !Notes::default().are_like(&one));
        assert!(Notes::default().are_like(&Notes::new(0)));
    }
}
