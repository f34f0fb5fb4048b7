//! The notes in a journal with which the crash can be shown without Lapidary.

use super::{CrashOptions, Program};
use crate::bundle::LONG_STDIN;
use crate::bundle::record::{Bytes, How, LONGEST_STDIN, ProgramRun, Reproduction, SourceFile};
use lapidary_crash::{Failure, Kind};

/// The program with its commands, and how it fails.
pub(super) fn of(program: &Program, options: &CrashOptions, failure: &Failure) -> Reproduction {
    let (tree, build) = (&program.tree, &program.build);
    let commands = build.plain_commands(tree);
    let is_short = options.stdin.len() <= LONGEST_STDIN;
    let sources = commands.sources.into_iter().map(|source| SourceFile {
        path: source.path.to_string_lossy().into_owned(),
        compiler: source.compiler,
        flags: source.flags,
    });
    let run = ProgramRun {
        sources: sources.collect(),
        linker: commands.linker,
        link: commands.link,
        origin: build.origin.as_ref().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default(),
        arguments: options.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        stdin: if is_short { Bytes::of(&options.stdin) } else { Bytes::default() },
        kind: match &failure.kind {
            Kind::Signal(name) => name.clone(),
            Kind::StackOverflow => "stack-overflow".to_owned(),
            Kind::Assertion => "assertion".to_owned(),
            Kind::Abort => "abort".to_owned(),
            Kind::Exception => "exception".to_owned(),
            Kind::Sanitizer(name) => name.clone(),
        },
        message: failure.message.clone(),
        // The line is that of the original.
        headline: Failure { frames: Vec::new(), ..failure.clone() }.headline(),
        sandbox: options.sandbox.is_some(),
    };
    let mut reproduction = Reproduction::of("crash", &program.path, tree.name(), How::Program(run));
    reproduction.lacks.extend((!is_short).then(|| LONG_STDIN.to_owned()));
    reproduction
}
