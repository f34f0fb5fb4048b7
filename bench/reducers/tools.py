"""The reducers that are compared, and how each is called.

A tool is given a run: `input` (a private copy of the input), `wrapper` (the test, which takes the path of a candidate or, for
C-Reduce and C-Vise, finds it in the current directory under the input's name), `out` (the directory that it starts in),
`directory` and `temporary` for whatever else it writes, and `jobs`. `results` names the files in which it may have left its result.
"""

import os
import shutil
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
INSTALLED = BENCH / "peers" / "work"
TREEREDUCE_LANGUAGES = {".c": "c", ".java": "java", ".js": "javascript", ".rs": "rust"}
# How long one run of the test may take, for every tool that lets it be said.
TEST_SECONDS = "30"
# The part of the limit that Lapidary keeps for the checks before and after its own budget.
RESERVED_SECONDS = 4


class Picire:
    """Lines, then characters; the iterators are those that its manual recommends."""

    def supports(self, source):
        return True

    def command(self, run, limit):
        return [
            INSTALLED / "picire/bin/picire", "--input", run.input, "--test", run.wrapper, "--out", run.directory / "picire",
            "--parallel", "--jobs", run.jobs, "--atom", "both", "--cache", "content", "--subset-iterator", "skip",
            "--complement-iterator", "backward", "--log-level", "WARNING",
        ]

    def results(self, run):
        return [run.directory / "picire" / run.input.name]


class Treereduce:
    """--slow repeats its passes until nothing changes and tries removals of a single byte."""

    def supports(self, source):
        return source.suffix in TREEREDUCE_LANGUAGES

    def command(self, run, limit):
        binary = INSTALLED / "treereduce/bin" / f"treereduce-{TREEREDUCE_LANGUAGES[run.input.suffix]}"
        return [
            binary, "--slow", "--jobs", run.jobs, "--source", run.input, "--output", run.out / run.input.name,
            "--temp-dir", run.temporary, "--timeout", TEST_SECONDS, "--", run.wrapper, "@@",
        ]

    def results(self, run):
        return [run.out / run.input.name]


class Shrinkray:
    """Its defaults, without the language model and without laying out the result again."""

    def supports(self, source):
        return True

    def command(self, run, limit):
        return [
            INSTALLED / "shrinkray/bin/shrinkray", "--no-llm", "--parallelism", run.jobs, "--ui", "basic", "--volume", "quiet",
            "--input-type", "arg", "--formatter", "none", "--no-history", "--trivial-is-not-error", "--timeout", TEST_SECONDS,
            "--backup", run.directory / "backup", run.wrapper, run.input,
        ]

    def results(self, run):
        return [run.input]


class InPlace:
    """C-Reduce and C-Vise with their defaults: both change a file of the directory that they start in."""

    def __init__(self, binary, *options):
        self.binary, self.options = binary, options

    def supports(self, source):
        return shutil.which(self.binary) is not None

    def command(self, run, limit):
        shutil.copyfile(run.input, run.out / run.input.name)
        return [self.binary, "--n", run.jobs, "--timeout", TEST_SECONDS, "--tidy", *self.options, run.wrapper, run.input.name]

    def results(self, run):
        return [run.out / run.input.name]


class Lapidary:
    """Its defaults."""

    def __init__(self):
        self.binary = Path(os.environ.get("LAPIDARY", BENCH.parent / "target/release/lapidary")).resolve()

    def supports(self, source):
        return self.binary.is_file()

    def command(self, run, limit):
        return [
            self.binary, "reduce", run.input, "--jobs", run.jobs, "--quiet", "--force", "--out", run.out / run.input.name,
            "--budget", f"{limit - RESERVED_SECONDS}s", *self.options_for(run.input), "--", run.wrapper, "{}",
        ]

    def options_for(self, source):
        return []

    def results(self, run):
        return [run.out / run.input.name]


class LapidarySyntaxOnly(Lapidary):
    """Without what it knows of C and C++ beyond their grammars."""

    def options_for(self, source):
        return ["--as", "tree:c" if source.suffix == ".c" else "tree:cpp"]


TOOLS = {
    "picire": Picire(),
    "treereduce": Treereduce(),
    "shrinkray": Shrinkray(),
    "creduce": InPlace("creduce"),
    "cvise": InPlace("cvise"),
    "lapidary": Lapidary(),
    "lapidary-syntax": LapidarySyntaxOnly(),
}

# What the tools find in their environment: no language model, and the grammars that `bench/peers/setup` has compiled.
ENVIRONMENT = {"SHRINKRAY_LLM": "0", "TREE_SITTER_LANGUAGE_PACK_CACHE_DIR": str(INSTALLED / "grammars")}
