"""Runs programs in gdb until they fail and writes down what is there: gdb --batch -nx -x inspect_failure.py

$INSPECT names a JSON file with a list of programs; the answer goes into $INSPECT.out. This file is run by gdb's own Python.
"""

import json
import os

import gdb

NULL_PAGE = 4096
DEPTH = 2
OUTERMOST = 6


def main():
    gdb.execute("set pagination off")
    gdb.execute("set debuginfod enabled off")
    # The libraries' sources are of no interest, and reading where their lines are takes half of the time.
    gdb.execute("set debug-file-directory /nonexistent")
    gdb.execute("set may-call-functions off")
    gdb.execute("set print thread-events off")
    with open(os.environ["INSPECT"]) as file:
        programs = json.load(file)
    answers = []
    for program in programs:
        answers.append(inspect(program))
        write(answers)


def write(answers):
    with open(os.environ["INSPECT"] + ".out", "w") as file:
        json.dump(answers, file)


def inspect(program):
    gdb.execute(f"file {program['path']}")
    gdb.execute(f"run {program['arguments']} < {program['stdin']} > /dev/null 2> {program['stderr']}", to_string=True)
    if not gdb.selected_inferior().pid:
        return {"signal": None}
    frames = own_frames(program["source"])
    answer = {"signal": signal(), "frames": [describe(frame) for frame in frames[:40]]}
    answer["outermost"] = [describe(frame) for frame in frames[-OUTERMOST:]]
    answer["depth"] = len(frames)
    answer["values"] = values(frames, program["watched"])
    gdb.execute("kill", to_string=True)
    return answer


def signal():
    info = gdb.parse_and_eval("$_siginfo")
    number = int(info["si_signo"])
    name = {4: "SIGILL", 6: "SIGABRT", 8: "SIGFPE", 11: "SIGSEGV", 7: "SIGBUS", 5: "SIGTRAP"}.get(number, str(number))
    if name not in ("SIGSEGV", "SIGBUS"):
        return {"name": name}
    address = int(info["_sifields"]["_sigfault"]["si_addr"]) % 2**64
    stack = int(gdb.parse_and_eval("$sp")) % 2**64
    program_counter = int(gdb.parse_and_eval("$pc")) % 2**64
    return {"name": name, "address": address, "is_stack": abs(stack - address) < 65536, "is_jump": program_counter == address}


def own_frames(source):
    """The frames of the program's own functions, innermost first."""
    frames = []
    frame = gdb.newest_frame()
    while frame is not None:
        place = frame.find_sal()
        if place.symtab is not None and os.path.basename(place.symtab.filename) == source and frame.function() is not None:
            frames.append(frame)
        try:
            frame = frame.older()
        except gdb.error:
            break
    return frames


def describe(frame):
    return {"function": frame.function().name, "line": frame.find_sal().line, "parameters": parameters(frame)}


def parameters(frame):
    found = {}
    for symbol in gdb.block_for_pc(frame.pc()).function and frame_block(frame) or []:
        if symbol.is_argument:
            found[symbol.name] = text_of(lambda: symbol.value(frame))
    return found


def frame_block(frame):
    block = frame.block()
    while block.function is None:
        block = block.superblock
    return block


def values(frames, watched):
    """The values of expressions; each is looked for in the innermost frame of a function, or in the innermost of all."""
    found = {}
    for function, expression in watched:
        fitting = [frame for frame in frames if function in (None, frame.function().name)]
        if fitting:
            fitting[0].select()
            found[f"{function or ''}:{expression}"] = text_of(lambda: gdb.parse_and_eval(expression))
    return found


def text_of(value):
    """A value in a way that can be compared between programs; None if it cannot be known."""
    try:
        return plain(value(), DEPTH)
    except (gdb.error, RuntimeError, ValueError, OverflowError):
        return None


def plain(value, depth):
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        return plain(value.referenced_value(), depth)
    if kind.code == gdb.TYPE_CODE_PTR:
        return pointer(value, kind)
    if kind.code == gdb.TYPE_CODE_STRUCT:
        return structure(value, kind, depth)
    if kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR):
        return int(value)
    if kind.code == gdb.TYPE_CODE_FLT:
        return float(value)
    return None


def pointer(value, kind):
    address = int(value) % 2**64
    if address < NULL_PAGE:
        return f"null+{address}"
    target = kind.target().strip_typedefs()
    if target.code == gdb.TYPE_CODE_INT and target.sizeof == 1:
        try:
            return "text " + value.string(length=64).split("\0")[0]
        except (gdb.error, UnicodeDecodeError):
            return "pointer"
    return "pointer"


def structure(value, kind, depth):
    name = kind.name or kind.tag or ""
    if name.startswith("std::") or depth == 0:
        return None
    found = {}
    for field in kind.fields():
        if field.name and not field.is_base_class and hasattr(field, "bitpos") and not field.name.startswith("_vptr"):
            found[field.name] = plain(value[field], depth - 1)
    return found


main()
