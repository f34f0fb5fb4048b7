"""What a program does, as gcc, gdb, valgrind, AddressSanitizer and the processor's single steps tell it.

Nothing here is Lapidary's: this is what its answers are compared with.
"""

import bisect
import json
import os
import re
import resource
import shlex
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 300
SMALL_STACK = 256 * 1024
STEPS = 3_000_000
# Of an endless recursion the beginning is compared, which is shorter than this.
RECURRING_STEPS = 50_000
ENVIRONMENT = {
    "LC_ALL": "C",
    "LD_BIND_NOW": "1",
    "MALLOC_PERTURB_": "165",
    "ASAN_OPTIONS": "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1",
}
SANITIZER = ["-fsanitize=address"]
ROW = re.compile(r"^(\S+)\s+(\d+|-)\s+0x([0-9a-f]+)(?:\[\d+\])?\s*(\d*)\s*(x?)\s*(?:END)?$")
SANITIZER_FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in .*?/?([\w.+-]+):(\d+)(?::\d+)?$")


class Unfit(Exception):
    """A program cannot be compiled or run; the text is for the reader."""


@dataclass
class Subject:
    """A program on disk with what it is run on."""

    source: Path
    arguments: list
    stdin: Path
    flags: list
    small_stack: bool = False

    def compiler(self):
        return "gcc" if self.source.suffix == ".c" else "g++"


@dataclass
class Trace:
    """Every line that a run came to, with the lines of the calls around it, outermost first."""

    events: list
    ended: int


def build(subject, name, flags=None, warnings=False):
    """Compiles a program beside its source. Returns the path of the program and what the compiler said."""
    program = subject.source.with_name(name)
    wanted = subject.flags if flags is None else flags
    command = [subject.compiler(), "-g", "-O0", "-no-pie", *wanted, *(["-Wall", "-Wextra"] if warnings else ["-w"]),
               subject.source.name, "-o", program.name]
    done = run(command, cwd=subject.source.parent)
    if done.returncode != 0:
        raise Unfit(f"does not compile: {first_error(done.stderr)}")
    return program, done.stderr


def first_error(text):
    return next((line for line in text.splitlines() if "error" in line), text[:200])


def run(command, cwd=None, stdin=subprocess.DEVNULL, small_stack=False, environment=None):
    def limits():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if small_stack:
            resource.setrlimit(resource.RLIMIT_STACK, (SMALL_STACK, SMALL_STACK))

    try:
        return subprocess.run(command, cwd=cwd, stdin=stdin, capture_output=True, text=True, errors="replace", timeout=SECONDS,
                              env=os.environ | ENVIRONMENT | (environment or {}), preexec_fn=limits, check=False)
    except subprocess.TimeoutExpired:
        raise Unfit(f"{Path(command[0]).name} takes longer than {SECONDS} s") from None


def tracer(folder):
    """The compiled trace.c, made when it is first needed."""
    program = folder / "trace"
    if not program.exists():
        partial = folder / f"trace.{os.getpid()}"
        subprocess.run(["gcc", "-O2", "-o", partial, HERE / "trace.c"], check=True)
        partial.replace(program)
    return program


def trace(subject, program, tools):
    rows = line_rows(program)
    # A program in C has no code of its own before main.
    start, low, high = code_range(program, subject.source.suffix == ".c")
    out = program.with_suffix(".trace")
    steps = RECURRING_STEPS if subject.small_stack else STEPS
    command = [tracer(tools), out, start, low, high, str(steps), program, *subject.arguments]
    with subject.stdin.open("rb") as stdin:
        done = run(command, stdin=stdin, small_stack=subject.small_stack)
    if done.returncode != 0:
        raise Unfit(f"cannot be traced: {done.stderr.strip()}")
    return events_of(out.read_bytes(), rows, subject.source.name)


def events_of(record, rows, source):
    addresses = [address for address, *_ in rows]
    starts = {address: line for address, file, line, is_statement in rows if is_statement and file == source}

    def line_of_call(back):
        index = bisect.bisect_left(addresses, back) - 1
        return rows[index][2] if index >= 0 and rows[index][1] == source else None

    events, stacks, ended = [], [()], 0
    for tag, value in struct.iter_unpack("II", record):
        if tag == 0:
            if value in starts:
                events.append((starts[value], stacks[-1]))
        elif tag == 3:
            ended = value
        elif tag == 2:
            stacks.pop()
        else:
            line = line_of_call(value)
            stacks.append(stacks[-1] if line is None else (*stacks[-1], line))
    return Trace(events, ended)


def line_rows(program):
    """(address, file, line, is a statement's start), by address."""
    said = run(["objdump", "--dwarf=decodedline", program]).stdout
    rows = {}
    for line in said.splitlines():
        found = ROW.match(line)
        if found:
            file, number, address, _, is_statement = found.groups()
            number = int(number) if number != "-" else 0
            rows[int(address, 16)] = (file if number else "", number, bool(is_statement))
    return [(address, *row) for address, row in sorted(rows.items())]


def code_range(program, from_main):
    """Where to start, and from where to where the program's code goes, in hexadecimal."""
    said = run(["readelf", "-hlsW", program]).stdout
    start = re.search(r": 0*([0-9a-f]+) .* main$" if from_main else r"Entry point address:\s+0x([0-9a-f]+)", said, re.MULTILINE)[1]
    low, size = re.search(r"LOAD\s+0x[0-9a-f]+ 0x([0-9a-f]+) 0x[0-9a-f]+ 0x[0-9a-f]+ 0x([0-9a-f]+) R E", said).groups()
    return start, low, f"{int(low, 16) + int(size, 16):x}"


def debug(runs):
    """What gdb sees when programs fail, given as (subject, program, watched expressions), with what they wrote to stderr."""
    folder = runs[0][1].parent
    request = folder / "inspect.json"
    programs = []
    for subject, program, watched in runs:
        programs.append({
            "path": str(program), "arguments": shlex.join(subject.arguments), "stdin": str(subject.stdin),
            "stderr": str(program.with_suffix(".stderr")), "source": subject.source.name, "watched": watched,
        })
    request.write_text(json.dumps(programs))
    command = ["gdb", "--batch", "-nx", "-x", HERE / "inspect_failure.py"]
    done = run(command, small_stack=runs[0][0].small_stack, environment={"INSPECT": str(request)})
    answers = folder / "inspect.json.out"
    if not answers.exists():
        raise Unfit(f"gdb says nothing: {done.stderr[-300:]}")
    found = json.loads(answers.read_text())
    if len(found) < len(runs):
        raise Unfit(f"gdb stops early: {done.stderr[-300:]}")
    for answer, program in zip(found, programs):
        answer["stderr"] = Path(program["stderr"]).read_text(errors="replace")
    return found


def memcheck(subject, program):
    """What valgrind says about values that were never set, without numbers that change."""
    with subject.stdin.open("rb") as stdin:
        done = run(["valgrind", "-q", "--leak-check=no", "--vgdb=no", "--read-inline-info=no", program, *subject.arguments], stdin=stdin)
    said = [re.sub(r"==\d+== ", "", line) for line in done.stderr.splitlines()]
    return [line for line in said if "uninitialised" in line]


def sanitize(subject, name):
    """The report of AddressSanitizer on a program: see `report_of`."""
    program, _ = build(subject, name, [*(flag for flag in subject.flags if flag not in SANITIZER), *SANITIZER])
    with subject.stdin.open("rb") as stdin:
        done = run([program, *subject.arguments], stdin=stdin, small_stack=False)
    return report_of(done.stderr, subject.source.name)


def report_of(text, source):
    """The kind of a report, the access, and lines of the program's own functions where memory was used, freed and allocated."""
    found = {"kind": None, "access": None, "object": None, "used": [], "freed": [], "allocated": []}
    section = None
    for line in text.splitlines():
        head = re.search(r"ERROR: AddressSanitizer: (attempting )?([\w-]+)", line)
        access = re.match(r"(READ|WRITE) of size (\d+)", line)
        frame = SANITIZER_FRAME.match(line)
        if head and not found["kind"]:
            found["kind"], section = head[2], "used"
        elif access and not found["access"]:
            found["access"] = " ".join(access.groups())
        elif re.search(r"'(\w+)' \(line \d+\) <==|global variable '(\w+)", line) and not found["object"]:
            found["object"] = re.search(r"'(\w+)", line)[1]
        elif "is located in stack of" in line:
            section = "allocated"
        elif line.startswith("freed by"):
            section = "freed"
        elif line.startswith(("previously allocated by", "allocated by")):
            section = "allocated"
        elif line.startswith(("SUMMARY", "Shadow bytes")):
            break
        elif frame and section and frame[1] == source:
            found[section].append(int(frame[2]))
    return found
