//! A real terminal to run the binary in: a window of tmux with a server of its own.

use super::{Place, wait_until};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Output};
use std::time::Duration;

/// A window of tmux. Its server ends with it.
pub struct Term<'p> {
    place: &'p Place,
    /// The last screen, for messages.
    last: RefCell<String>,
    /// The process of the server while it is stopped.
    server: Cell<Option<i32>>,
}

impl<'p> Term<'p> {
    /// Opens a window of this size and runs a shell script in it. When that has ended, the window
    /// shows its exit code and stays.
    pub fn open(place: &'p Place, (columns, rows): (u16, u16), script: &str) -> Term<'p> {
        let term = Term { place, last: RefCell::default(), server: Cell::default() };
        let script = format!("echo before\n{script}\necho code $?\nexec sleep 5000\n");
        let script = place.write("in-the-terminal.sh", script);
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let shell = format!("exec sh '{}'", script.display());
        term.tmux(&["new-session", "-d", "-x", &columns, "-y", &rows, &shell]);
        term
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("tmux");
        command.args(["-u", "-f", "/dev/null", "-L", "test"]).args(arguments);
        command.current_dir(self.place.path("")).env("TMUX_TMPDIR", self.place.path("")).env_remove("TMUX");
        command.env("TMPDIR", self.place.tmpdir()).env("LC_ALL", "C.UTF-8").env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR").env("LAPIDARY", env!("CARGO_BIN_EXE_lapidary")).env("SHELL", "/bin/sh");
        command.output().expect("tmux is installed; scripts/setup installs it")
    }

    /// The text in the window.
    pub fn screen(&self) -> String {
        let screen = String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned();
        self.last.replace(screen.clone());
        screen
    }

    /// The text in the window, with the sequences for colours.
    pub fn coloured(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p", "-e"]).stdout).into_owned()
    }

    /// Waits until the window shows all of these at once.
    #[track_caller]
    pub fn shows(&self, words: &[&str]) -> &Self {
        let shows = || {
            let screen = self.screen();
            words.iter().all(|word| screen.contains(word))
        };
        wait_until(&format!("the terminal shows {words:?}"), shows);
        self
    }

    /// Waits until the window does not show this any more.
    #[track_caller]
    pub fn hides(&self, word: &str) -> &Self {
        wait_until(&format!("the terminal hides {word:?}"), || !self.screen().contains(word));
        self
    }

    /// Presses a key, by the name that tmux has for it.
    pub fn press(&self, key: &str) -> &Self {
        self.tmux(&["send-keys", key]);
        self
    }

    pub fn resize(&self, columns: u16, rows: u16) -> &Self {
        self.tmux(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
        self
    }

    /// Stops tmux and fills the terminal, so that whoever writes there waits, until [`Term::revive`].
    pub fn stall(&self) {
        let tty = self.asked("#{pane_tty}");
        self.server.set(Some(self.asked("#{pid}").parse().unwrap()));
        self.signal(Signal::STOP);
        let flags = libc::O_NONBLOCK | libc::O_NOCTTY;
        let mut terminal = File::options().write(true).custom_flags(flags).open(tty).unwrap();
        // The system moves what it has taken from one buffer to the next.
        for _ in 0..20 {
            while terminal.write(&[b'\r'; 4096]).is_ok() {}
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Lets tmux go on.
    pub fn revive(&self) {
        self.signal(Signal::CONT);
        self.server.set(None);
    }

    /// The answer of tmux about the window.
    fn asked(&self, format: &str) -> String {
        String::from_utf8(self.tmux(&["display-message", "-p", format]).stdout).unwrap().trim().to_owned()
    }

    /// Sends a signal to the server, if it is known and still there.
    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.server.get().and_then(Pid::from_raw) {
            let sent = kill_process(pid, signal);
            assert!(matches!(sent, Ok(()) | Err(Errno::SRCH)), "{sent:?}");
        }
    }

    /// Waits for the end of the script, and returns what the window then shows.
    #[track_caller]
    pub fn ends_with(&self, code: i32) -> String {
        self.shows(&["\ncode "]);
        let screen = self.screen();
        assert!(screen.contains(&format!("\ncode {code}\n")), "{screen}");
        screen
    }
}

impl Drop for Term<'_> {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
        self.tmux(&["kill-server"]);
        if std::thread::panicking() {
            eprintln!("--- the terminal\n{}---", self.last.borrow());
        }
    }
}
