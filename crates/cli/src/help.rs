//! The finishing touches to `--help`: paragraphs that are wrapped once, to the width of the
//! terminal, and the exit codes of each command.

use clap::Command;

/// The meaning of each exit code of a command.
pub type Codes = &'static [(u8, &'static str)];

const USAGE: (u8, &str) = (2, "wrong usage or bad input");

const CODES: &[(&str, Codes)] = &[
    (
        "reduce",
        &[
            (0, "done: the result still fails"),
            (1, "the input is not interesting, or the result was not when tested once more"),
            USAGE,
            (3, "stopped by budget, signal or failure; the best result so far is saved"),
        ],
    ),
    (
        "crash",
        &[
            (0, "done: the result fails in the same way"),
            (1, "the program does not fail, or the result did not when run once more"),
            USAGE,
            (3, "stopped by budget, signal or failure; the best result so far is saved"),
        ],
    ),
    ("slice", &[(0, "done"), USAGE, (3, "stopped by budget or signal")]),
    (
        "explore",
        &[
            (0, "no findings on all paths"),
            (1, "findings"),
            USAGE,
            (3, "no findings, but stopped by budget or signal, or something was not supported"),
        ],
    ),
    (
        "compare",
        &[
            (0, "equivalent"),
            (1, "different, or the change violates its specification"),
            USAGE,
            (3, "undecided: stopped by budget or signal, or something was not supported"),
            (4, "no difference found among restricted inputs, all of which were explored"),
        ],
    ),
    (
        "triage",
        &[
            (0, "no bug was found"),
            (1, "an analysis has a bug"),
            (2, "wrong usage or bad input, or no analysis answered"),
            (3, "stopped by budget or signal; the findings so far are reported"),
        ],
    ),
    (
        "report",
        &[
            (0, "done; what cannot be read in a folder is listed"),
            (2, "a journal that was named cannot be read, a folder has none, or a page cannot be written"),
        ],
    ),
    ("bundle", &[(0, "done"), (1, "done, but reproduce.sh did not show the failure when it was tried"), USAGE]),
    (
        "model",
        &[
            (0, "done; with --check, all sub-inputs were accepted"),
            (1, "a sub-input was rejected"),
            USAGE,
            (3, "stopped by budget or signal"),
        ],
    ),
    (
        "farm",
        &[
            (0, "done; with status, the farm is up"),
            (1, "the farm is broken"),
            (2, "there is no farm, or it cannot be started"),
        ],
    ),
    (
        "init",
        &[
            (0, "done: the script is written and proved"),
            (1, "the command does not fail, or no script recognises the failure, so none is written"),
            USAGE,
            (3, "stopped by a signal"),
        ],
    ),
];

/// The command line, as help shows it.
pub fn with_codes(cli: Command) -> Command {
    without_codes(cli).mut_subcommands(|command| {
        let codes = codes(command.get_name()).iter().map(|(code, meaning)| format!("\n  {code}  {meaning}"));
        let listed: String = codes.collect();
        if listed.is_empty() { command } else { command.after_long_help(format!("Exit codes:{listed}")) }
    })
}

/// The command line, for manual pages, which have a section for exit codes.
pub fn without_codes(cli: Command) -> Command {
    cli.mut_subcommands(|command| match command.get_long_about().map(ToString::to_string) {
        Some(about) => command.long_about(flowing(&about)),
        None => command,
    })
}

/// The exit codes of a command; none for one that only prints.
pub fn codes(command: &str) -> Codes {
    CODES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, codes)| codes)
}

/// Joins the lines of each paragraph, so that they are not wrapped twice. Indented lines stay.
fn flowing(text: &str) -> String {
    let is_flowing = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        match lines.last_mut().filter(|last| is_flowing(last) && is_flowing(line)) {
            Some(last) => last.extend([" ", line]),
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory;

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text = "About\n\nfirst line\nsecond line.\n\n  an example\n  another\n\nlast\nwords";
        assert_eq!(flowing(text), "About\n\nfirst line second line.\n\n  an example\n  another\n\nlast words");
    }

    #[test]
    fn every_command_that_works_on_something_has_exit_codes() {
        let names: Vec<String> =
            Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let only_print = ["demo", "completions", "man", "help"];
        let missing = |name: &&String| codes(name).is_empty() && !only_print.contains(&name.as_str());
        assert_eq!(names.iter().find(missing), None);
    }
}
