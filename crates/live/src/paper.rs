//! The terminal as the drawing library sees it: paper, whose bytes are sent later.

use crossterm::terminal;
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Bytes that are to be written to the terminal. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Paper(Rc<RefCell<Vec<u8>>>);

impl Paper {
    /// Takes the bytes of a frame.
    pub fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Draws on paper, and asks the terminal nothing but its size.
///
/// The library asks for the cursor's place before it clears a screen. The question would go to
/// standard output, which may be somebody's file or a pipe that nobody empties, and the answer would
/// come among the user's keys.
pub(crate) struct OnPaper(CrosstermBackend<Paper>);

impl OnPaper {
    pub fn new(paper: Paper) -> OnPaper {
        OnPaper(CrosstermBackend::new(paper))
    }
}

impl Backend for OnPaper {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, content: I) -> io::Result<()> {
        self.0.draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    /// The cursor is hidden, so its place does not matter.
    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> io::Result<()> {
        self.0.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        let (width, height) = terminal::size()?;
        Ok(Size { width, height })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
