//! The program of which every sub-program was tried. Only of that program can it be said that it is
//! the smallest selection of its parts.

use lapidary_reduce::strategy::{Exhaustive, TooLarge};
use lapidary_reduce::{FileTree, Key};
use std::sync::{Arc, Mutex, PoisonError};

/// The latest program whose sub-programs were tried, and their number. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Enumerated(Arc<Mutex<Option<(Key, u32)>>>);

impl Enumerated {
    /// Notes a program whose sub-programs are about to be tried, or that there is none.
    pub(super) fn note(&self, program: Option<(Key, u32)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = program;
    }

    /// Returns the number of sub-programs of this program, if all were tried.
    pub(super) fn count_of(&self, tree: &FileTree) -> Option<u32> {
        let noted = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.filter(|(key, _)| *key == tree.key()).map(|(_, count)| count)
    }

    /// Returns the strategy that tries every sub-program. If there are too many combinations to
    /// look at, it withdraws the note.
    pub(super) fn strategy(&self) -> Exhaustive {
        let enumerated = self.clone();
        let too_large = TooLarge::Tell(Box::new(move || enumerated.note(None)));
        Exhaustive { too_large, ..Exhaustive::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lapidary_logic::{Cnf, Reasoner, VarSet};
    use lapidary_reduce::strategy::{Oracle, Stop};
    use lapidary_reduce::{Item, Space, Strategy};

    struct Never;

    impl Oracle for Never {
        fn test(&mut self, _: &VarSet) -> Result<bool, Stop> {
            Ok(false)
        }
    }

    #[test]
    fn a_search_that_gave_up_has_not_tried_everything() {
        let tree = FileTree::file("a.c", "int main() {}");
        let tried = |patience| {
            let enumerated = Enumerated::default();
            enumerated.note(Some((tree.key(), 8)));
            let constraint = Cnf::new(3);
            let items = ["a", "b", "c"].map(|name| Item::new(name, "item"));
            let reasoner = Reasoner::new(&constraint);
            let space = Space::new(&items, &reasoner, VarSet::full(3));
            let strategy = Exhaustive { patience, ..enumerated.strategy() };
            assert!(strategy.reduce(&space, &mut Never).is_ok_and(|kept| kept == VarSet::full(3)));
            enumerated.count_of(&tree)
        };
        assert_eq!(tried(1_000), Some(8));
        assert_eq!(tried(2), None);
    }

    #[test]
    fn a_note_is_about_one_program() {
        let (one, other) = (FileTree::file("a.c", "int a;"), FileTree::file("a.c", "int b;"));
        let enumerated = Enumerated::default();
        enumerated.note(Some((one.key(), 8)));
        assert_eq!((enumerated.count_of(&one), enumerated.count_of(&other)), (Some(8), None));
    }
}
