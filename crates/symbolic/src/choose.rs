//! Choices between several alternatives, with one path for each.

use crate::Ending;
use crate::halt::Halt;
use crate::input::Restriction;
use crate::machine::Machine;
use crate::state::{Choice, State};
use std::rc::Rc;

impl Machine {
    /// Forks over the numbers below `count` without asking the solver. Returns this path's number.
    pub fn choose(&mut self, state: &mut State, count: u32) -> u32 {
        let for_input = state.is_making_input();
        let scripted = self.next_choice(state, for_input).map(|choice| choice.chosen);
        let chosen = self.taken(state, scripted.filter(|chosen| *chosen < count), count);
        self.note_choice(state, Choice { for_input, chosen, label: None });
        chosen
    }

    /// Forks over the ways to make an input. Ways are identified by label, because another version
    /// of the program may offer different ones.
    pub(crate) fn choose_way(&mut self, state: &mut State, labels: &[Rc<str>]) -> Result<u32, Halt> {
        let wanted = self.next_choice(state, true).and_then(|choice| choice.label);
        let scripted = wanted.as_ref().and_then(|label| labels.iter().position(|way| way == label));
        if wanted.is_some() && scripted.is_none() {
            self.restrictions.insert(Restriction::OfBothVersions);
            return Err(Halt::End(Ending::Infeasible));
        }
        let chosen = self.taken(state, scripted.map(|place| place as u32), labels.len() as u32);
        let label = labels.get(chosen as usize).cloned();
        self.note_choice(state, Choice { for_input: true, chosen, label });
        Ok(chosen)
    }

    fn next_choice(&self, state: &State, for_input: bool) -> Option<Choice> {
        self.hook.as_ref()?.next_choice(state, for_input)
    }

    fn note_choice(&self, state: &mut State, choice: Choice) {
        if let Some(hook) = &self.hook {
            hook.has_chosen(state, choice.for_input);
        }
        state.choices.push(choice);
    }

    /// Returns the scripted number, or else the first one. The copy that takes the next number
    /// forks off the one after it only when it runs, so that a long list of choices takes no
    /// memory.
    fn taken(&mut self, state: &mut State, scripted: Option<u32>, count: u32) -> u32 {
        let chosen = state.next_choice.take().or(scripted).unwrap_or(0);
        if scripted.is_none() && chosen + 1 < count {
            let mut copy = state.clone();
            copy.next_choice = Some(chosen + 1);
            self.forked.push(copy);
            self.counts.forks += 1;
        }
        chosen
    }
}
