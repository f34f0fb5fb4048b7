//! The meaning of a key: a [`Wish`] about the run, or another part of the text.

use crate::keyboard::Pressed;

/// The part of the screen below the facts, and how far it is scrolled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// The content of the text part.
    pub pane: Pane,
    /// Whether the help covers it.
    pub shows_help: bool,
    /// The first line that is shown. With findings it counts from the end.
    pub scrolled: usize,
}

/// The content of the text part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The best result, or what was found.
    #[default]
    Text,
    /// The difference between the input and the best result.
    Diff,
}

/// A wish of the user about the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Stop with the best result saved.
    Stop,
    /// Leave the stage in progress.
    Skip,
    /// Hold the run, or let it go on.
    Pause,
    /// Leave the terminal to the shell.
    Suspend,
}

/// The wishes that this run can grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Whether there are stages to skip, tests to hold and a best result to compare.
    pub search: bool,
    /// The number of lines in the text part.
    pub lines: usize,
    /// How many of them fit.
    pub height: usize,
}

/// A key, its meaning in a word and in a sentence, and whether only a search has it.
pub type Key = (&'static str, &'static str, &'static str, bool);

/// The keys with their meanings, for the help and the last line.
pub const KEYS: [Key; 6] = [
    ("q", "stop", "stop, and keep what was found (Ctrl-C does the same)", false),
    ("s", "skip stage", "leave this stage and go on with the next", true),
    ("p", "pause", "hold back new tests, or go on", true),
    ("d", "diff", "show the difference to the input, or the result again", true),
    ("↑↓", "scroll", "scroll; Page Up, Page Down, Home and End too", false),
    ("?", "help", "show or hide this", false),
];

impl Panel {
    /// Takes a key. Returns what it asks of the run.
    pub(crate) fn key(&mut self, key: Pressed, offered: Offered) -> Option<Wish> {
        let was_helped = std::mem::take(&mut self.shows_help);
        match key {
            Pressed::Control('c') | Pressed::Char('q' | 'Q') => return Some(Wish::Stop),
            Pressed::Control('z') => return Some(Wish::Suspend),
            Pressed::Char('s' | 'S') if offered.search => return Some(Wish::Skip),
            Pressed::Char('p' | 'P') if offered.search => return Some(Wish::Pause),
            Pressed::Char('d' | 'D') if offered.search => self.turn_over(),
            Pressed::Char('?' | 'h') => self.shows_help = !was_helped,
            key => self.scroll(key, offered),
        }
        None
    }

    fn turn_over(&mut self) {
        self.pane = if self.pane == Pane::Diff { Pane::Text } else { Pane::Diff };
        self.scrolled = 0;
    }

    fn scroll(&mut self, key: Pressed, offered: Offered) {
        let page = offered.height.saturating_sub(1).max(1);
        let last = offered.lines.saturating_sub(offered.height);
        let to = match key {
            Pressed::Up | Pressed::Char('k') => self.scrolled.saturating_sub(1),
            Pressed::Down | Pressed::Char('j') => self.scrolled + 1,
            Pressed::PageUp => self.scrolled.saturating_sub(page),
            Pressed::PageDown | Pressed::Char(' ') => self.scrolled + page,
            Pressed::Home => 0,
            Pressed::End => last,
            _ => self.scrolled,
        };
        self.scrolled = to.min(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEARCH: Offered = Offered { search: true, lines: 100, height: 10 };

    fn press(panel: &mut Panel, key: Pressed) -> Option<Wish> {
        panel.key(key, SEARCH)
    }

    #[test]
    fn letters_ask_something_of_the_run() {
        let mut panel = Panel::default();
        let wishes = ['q', 's', 'p', 'x'].map(|letter| press(&mut panel, Pressed::Char(letter)));
        assert_eq!(wishes, [Some(Wish::Stop), Some(Wish::Skip), Some(Wish::Pause), None]);
        assert_eq!(press(&mut panel, Pressed::Control('c')), Some(Wish::Stop));
    }

    #[test]
    fn a_run_without_stages_cannot_skip_one() {
        let (mut panel, nothing) = (Panel::default(), Offered { search: false, ..SEARCH });
        let wishes = ['s', 'p', 'd'].map(|letter| panel.key(Pressed::Char(letter), nothing));
        assert_eq!((wishes, panel), ([None; 3], Panel::default()));
    }

    #[test]
    fn scrolling_ends_at_both_ends() {
        let mut panel = Panel::default();
        let mut after = |key| {
            press(&mut panel, key);
            panel.scrolled
        };
        let keys = [Pressed::Up, Pressed::Down, Pressed::PageDown, Pressed::End, Pressed::Down, Pressed::PageUp];
        assert_eq!(keys.map(&mut after), [0, 1, 10, 90, 90, 81]);
        assert_eq!(after(Pressed::Home), 0);
    }

    #[test]
    fn the_diff_and_the_help_come_and_go() {
        let mut panel = Panel { scrolled: 7, ..Panel::default() };
        press(&mut panel, Pressed::Char('d'));
        assert_eq!(panel, Panel { pane: Pane::Diff, ..Panel::default() });
        press(&mut panel, Pressed::Char('?'));
        assert!(panel.shows_help);
        press(&mut panel, Pressed::Char('d'));
        assert_eq!(panel, Panel::default(), "any key hides the help");
    }
}
