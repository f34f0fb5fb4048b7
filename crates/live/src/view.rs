//! The view of a run: takes its changes from any thread, and shows them from a thread of its own.

use crate::change::Change;
use crate::diff::{Row, Tag};
use crate::events::EventFile;
use crate::keyboard::Keyboard;
use crate::keys::{Offered, Pane, Panel, Wish};
use crate::outlet;
use crate::paper::{OnPaper, Paper};
use crate::plain;
use crate::screen::{self, Body, Look};
use crate::scribe::{Scribe, Wanted};
use crate::state::{About, State};
use crate::stream::Stream;
use crate::terminal;
use lapidary::{Cancel, Control, Counts, FileTree, StageInfo, Trial, Watcher};
use ratatui::Terminal;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Not at all.
    Quiet,
    /// A plain line every few seconds.
    Plain,
    /// On the terminal: a live line, then a screen.
    Terminal,
}

impl Style {
    /// The best style for standard error.
    pub fn choose(is_quiet: bool, is_plain: bool) -> Style {
        match (is_quiet, is_plain || !terminal::is_capable()) {
            (true, _) => Style::Quiet,
            (false, true) => Style::Plain,
            (false, false) => Style::Terminal,
        }
    }
}

/// The handles that the keys pull.
#[derive(Clone, Default)]
pub struct Handles {
    /// Ends the run.
    pub cancel: Cancel,
    /// Holds it, and skips stages.
    pub control: Control,
}

/// The view of a run. Dropping it ends the view, and leaves the terminal as it was.
pub struct View {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    style: Style,
    begun: Instant,
    handles: Handles,
    state: Mutex<Shown>,
    /// Notified when the view is to end.
    ended: Condvar,
    events: Mutex<Option<EventFile>>,
}

struct Shown {
    state: State,
    is_over: bool,
}

/// How long a search lasts before it gets a screen, and how long anything else does.
const SHORT: Duration = Duration::from_secs(1);

/// How often there is a plain line, and how often a live line or the screen is drawn.
const PLAIN: Duration = Duration::from_secs(5);
const LIVE: Duration = Duration::from_millis(100);

impl View {
    /// Begins to show a run.
    pub fn new(about: About, style: Style, mut events: Option<EventFile>, handles: Handles) -> View {
        events.iter_mut().for_each(|events| events.begin(about.command, &about.input));
        let shared = Arc::new(Shared {
            style,
            begun: Instant::now(),
            handles,
            state: Mutex::new(Shown { state: State::new(about), is_over: false }),
            ended: Condvar::new(),
            events: Mutex::new(events),
        });
        if style != Style::Quiet {
            outlet::begin_view();
        }
        let showing = Arc::clone(&shared);
        let show = move || match showing.style {
            Style::Quiet => {}
            Style::Plain => showing.print_lines(),
            Style::Terminal => showing.draw(),
        };
        // If the system has no thread to spare, the run is not shown.
        let thread = (style != Style::Quiet).then(|| std::thread::Builder::new().name("view".into()).spawn(show).ok());
        View { shared, thread: thread.flatten() }
    }

    /// A handle that reports changes to this view.
    pub fn reporter(&self) -> Reporter {
        Reporter(Arc::clone(&self.shared))
    }

    /// Ends the view: the terminal is as it was, and what was held back is printed.
    pub fn end(&mut self) {
        let was_over = std::mem::replace(&mut self.shared.shown().is_over, true);
        self.shared.ended.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic of the view was reported by its hook.
            let _ = thread.join();
        }
        outlet::end_view();
        if let (false, Some(events)) = (was_over, &mut *self.shared.events())
            && let Some(problem) = events.end(self.shared.begun.elapsed())
        {
            outlet::write(Stream::Err, &format!("lapidary: warning: events are missing: {problem}\n"));
        }
    }
}

/// Reports changes to a view. Clones report to the same view.
#[derive(Clone)]
pub struct Reporter(Arc<Shared>);

impl Reporter {
    /// Takes note of a change.
    pub fn report(&self, change: &Change<'_>) {
        self.0.report(change);
    }
}

impl Watcher for Reporter {
    fn phase(&mut self, what: &str) {
        self.report(&Change::Phase(what));
    }

    fn warning(&mut self, text: &str) {
        self.report(&Change::Warning(text));
    }

    fn note(&mut self, text: &str) {
        self.report(&Change::Note(text));
    }

    fn search_begins(&mut self, bytes: u64) {
        self.report(&Change::SearchBegins(bytes));
    }

    fn stage(&mut self, stage: &StageInfo<'_>) {
        self.report(&Change::Stage(stage));
    }

    fn skipped(&mut self, stage: &StageInfo<'_>) {
        self.report(&Change::Skipped(stage));
    }

    fn trying(&mut self, trial: &Trial<'_>) {
        self.report(&Change::Trying(trial));
    }

    fn test(&mut self, event: &lapidary::Event<'_>, counts: &Counts) {
        self.report(&Change::Tested(event, counts));
    }

    fn improved(&mut self, best: &FileTree, bytes: u64) {
        self.report(&Change::Improved(best, bytes));
    }

    fn search_ends(&mut self) {
        self.report(&Change::SearchEnds);
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn shown(&self) -> MutexGuard<'_, Shown> {
        // A view that panicked shows nothing more; the run goes on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn events(&self) -> MutexGuard<'_, Option<EventFile>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report(&self, change: &Change<'_>) {
        if let Some(events) = &mut *self.events() {
            // Read with the lock, so that events are in order.
            events.change(self.begun.elapsed(), change);
        }
        if self.style == Style::Quiet {
            return;
        }
        self.shown().state.apply(self.begun.elapsed(), change);
        if let Change::SearchEnds = change {
            outlet::close_screen();
        }
    }

    /// Waits until the view is to end, at most for this long. Returns whether it is.
    fn is_over_after(&self, pause: Duration) -> bool {
        let wait = self.ended.wait_timeout_while(self.shown(), pause, |shown| !shown.is_over);
        wait.unwrap_or_else(PoisonError::into_inner).0.is_over
    }

    fn print_lines(&self) {
        while !self.is_over_after(PLAIN) {
            if !outlet::has_caught_up() {
                continue;
            }
            let line = plain::line(&self.shown().state, self.begun.elapsed());
            outlet::write(Stream::Err, &format!("{}\n", crate::harmless(&line)));
        }
    }

    /// Draws a live line, and a screen once it is worth while.
    fn draw(&self) {
        let mut pause = Duration::ZERO;
        while !self.is_over_after(pause) {
            pause = LIVE;
            let now = self.begun.elapsed();
            let (line, wants_screen) = {
                let shown = self.shown();
                (plain::line(&shown.state, now), is_worth_a_screen(&shown.state, now))
            };
            if wants_screen && outlet::open_screen() {
                match Screen::new() {
                    Ok(screen) => screen.show(self),
                    Err(_) => outlet::close_screen(),
                }
                outlet::close_screen();
            } else {
                outlet::draw_line(&line);
            }
        }
    }

    fn grant(&self, wish: Wish) {
        match wish {
            Wish::Stop => {
                self.report(&Change::Stopping);
                self.handles.control.pause(false);
                self.handles.cancel.cancel();
            }
            Wish::Skip => self.handles.control.skip_stage(),
            Wish::Pause => {
                let is_paused = !self.handles.control.is_paused();
                self.handles.control.pause(is_paused);
                self.report(&Change::Paused(is_paused));
            }
            Wish::Suspend => suspend(),
        }
    }
}

/// Whether a run has lasted so long that a screen would not only flash by.
fn is_worth_a_screen(state: &State, now: Duration) -> bool {
    match (&state.search, state.about.is_search()) {
        (Some(search), _) => !search.is_over && now.saturating_sub(search.since) >= SHORT,
        (None, true) => false,
        (None, false) => {
            state.phase.as_ref().is_some_and(|(_, since)| now.saturating_sub(*since) >= SHORT) || now >= 2 * SHORT
        }
    }
}

/// Stops the program as Ctrl-Z does, until the shell lets it go on.
fn suspend() {
    /// A terminal that takes nothing for so long does not hold the user's key.
    const LONG: Duration = Duration::from_secs(1);
    outlet::close_screen();
    outlet::settle(LONG);
    // SAFETY: raising a signal touches no memory of ours.
    unsafe { libc::raise(libc::SIGTSTP) };
}

/// An open screen.
struct Screen {
    terminal: Terminal<OnPaper>,
    paper: Paper,
    keyboard: Keyboard,
    look: Look,
    panel: Panel,
    text: Text,
    /// How long the last drawing took.
    drawn: Option<Duration>,
}

impl Screen {
    fn new() -> io::Result<Screen> {
        let paper = Paper::default();
        let mut terminal = Terminal::new(OnPaper::new(paper.clone()))?;
        terminal.clear()?;
        Ok(Screen {
            terminal,
            paper,
            keyboard: Keyboard::new(),
            look: terminal::look(),
            panel: Panel::default(),
            text: Text::default(),
            drawn: None,
        })
    }

    /// Shows the run until its search ends, or the view does.
    fn show(mut self, shared: &Shared) {
        loop {
            {
                let shown = shared.shown();
                if shown.is_over || !is_worth_a_screen(&shown.state, shared.begun.elapsed()) {
                    return;
                }
            }
            let begun = Instant::now();
            if !outlet::draw_on_screen(|| self.draw(shared)) {
                return;
            }
            self.drawn = Some(begun.elapsed());
            if self.wait_for_keys(shared) == Some(Wish::Suspend) {
                return;
            }
        }
    }

    /// Waits until the next drawing, or for a key.
    fn wait_for_keys(&mut self, shared: &Shared) -> Option<Wish> {
        const SLICE: Duration = Duration::from_millis(50);
        let until = Instant::now() + self.drawn.map_or(LIVE, pause_after);
        let key = loop {
            let pause = until.saturating_duration_since(Instant::now()).min(SLICE);
            match self.keyboard.wait(pause) {
                Some(key) => break key,
                // A run that has ended does not wait for its view.
                None if pause.is_zero() || shared.shown().is_over => return None,
                None => {}
            }
        };
        let offered = {
            let shown = shared.shown();
            let size = self.terminal.size().unwrap_or_default();
            let height = screen::text_height(size.into(), &shown.state, shared.begun.elapsed());
            Offered { search: shown.state.searching().is_some(), lines: self.text.rows.len(), height }
        };
        let wish = self.panel.key(key, offered);
        wish.into_iter().for_each(|wish| shared.grant(wish));
        wish
    }

    /// The bytes that bring the terminal up to date.
    fn draw(&mut self, shared: &Shared) -> Vec<u8> {
        self.text.update(shared, self.panel.pane);
        let body = Body { title: &self.text.title, rows: &self.text.rows };
        let (panel, look, now) = (&self.panel, self.look, shared.begun.elapsed());
        {
            let shown = shared.shown();
            // A terminal without a size shows nothing.
            let _ = self.terminal.draw(|frame| screen::draw(frame, &shown.state, panel, &body, now, look));
        }
        self.paper.take()
    }
}

/// Drawing takes at most one part in a hundred of the time, but the screen is never old.
fn pause_after(took: Duration) -> Duration {
    const OLD: Duration = Duration::from_millis(500);
    (took * 100).clamp(LIVE, OLD)
}

/// The text part of the screen. A thread of its own makes that of results, see [`Scribe`].
#[derive(Default)]
struct Text {
    title: String,
    rows: Vec<Row>,
    scribe: Scribe,
    /// The text that was asked for last.
    asked: Option<Wanted>,
    /// The number of findings that are shown.
    found: u64,
    /// When the rows were made, and how long that took.
    made: Option<(Instant, Duration)>,
}

impl Text {
    fn update(&mut self, shared: &Shared, pane: Pane) {
        let shown = shared.shown();
        let Some([input, best]) = shown.state.search.as_ref().and_then(|search| search.trees.clone()) else {
            self.list(&shown.state);
            return;
        };
        drop(shown);
        self.ask(Wanted { pane, input, best });
        if let Some(made) = self.scribe.made() {
            (self.title, self.rows, self.made) = (made.title, made.rows, Some((made.at, made.took)));
        }
    }

    /// Asks for another text, unless it is the one that is there or comes.
    fn ask(&mut self, wanted: Wanted) {
        let is_other_pane = self.asked.as_ref().is_none_or(|asked| asked.pane != wanted.pane);
        let is_known = self.asked.as_ref().is_some_and(|asked| asked.is_same(&wanted));
        if !is_known && (is_other_pane || self.may_be_made_again()) {
            self.scribe.ask(wanted.clone());
            self.asked = Some(wanted);
        }
    }

    /// Lists what was found, the latest first.
    fn list(&mut self, state: &State) {
        self.title = "found so far, the latest first".to_owned();
        if self.found == state.found_in_all || !self.may_be_made_again() {
            return;
        }
        let begun = Instant::now();
        let tag = |is_finding: bool| if is_finding { Tag::Removed } else { Tag::Plain };
        let row = |(text, is_finding): &(String, bool)| {
            Row::new(tag(*is_finding), crate::harmless(text).replace(['\n', '\t'], " "))
        };
        self.rows = state.found.iter().rev().map(row).collect();
        (self.found, self.made) = (state.found_in_all, Some((begun, begun.elapsed())));
    }

    fn may_be_made_again(&self) -> bool {
        const OLD: Duration = Duration::from_secs(10);
        self.made.is_none_or(|(at, took)| at.elapsed() >= (took * 100).min(OLD))
    }
}
