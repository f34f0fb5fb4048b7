//! Which instructions were run on any path.

use crate::method::Method;

#[derive(Default)]
pub struct Coverage {
    /// By number of the method.
    methods: Vec<Vec<bool>>,
}

impl Coverage {
    pub(crate) fn visit(&mut self, method: &Method, at: usize) {
        let number = method.number as usize;
        if self.methods.len() <= number {
            self.methods.resize(number + 1, Vec::new());
        }
        let seen = &mut self.methods[number];
        if seen.len() <= at {
            let count = method.prepared().map_or(0, |prepared| prepared.code.instructions.len());
            seen.resize(count.max(at + 1), false);
        }
        seen[at] = true;
    }

    /// Whether an instruction was ever run.
    pub fn has_visited(&self, method: &Method, at: usize) -> bool {
        self.methods.get(method.number as usize).and_then(|seen| seen.get(at)).copied().unwrap_or(false)
    }
}
