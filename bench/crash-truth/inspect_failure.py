"""Runs programs in gdb until they fail and writes down what is there: gdb --batch -nx -x inspect_failure.py

$INSPECT names a JSON file with a list of programs; the answer goes into $INSPECT.out. This file is run by gdb's own Python.
"""

import json
import os
import re

import gdb

NULL_PAGE = 4096
DEPTH = 2
OUTERMOST = 6
# Registers that a called function need not restore.
OVERWRITTEN = re.compile(r"\$(rax|rcx|rdx|rsi|rdi|r8|r9|r10|r11)\b")


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
    add_targets(answer, frames, program)
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
    """The outermost block of a frame's function."""
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


# Pointers that are not null, and the variables that they point into.


def add_targets(answer, frames, program):
    """Writes down which variables there are, and which of them parameters and watched expressions point into."""
    known = [*frames[:40], *frames[max(40, len(frames) - OUTERMOST):]]
    variables = [*variables_of_file(frames), *(found for frame in known for found in variables_of_frame(frame))] if frames else []
    answer["variables"] = sorted({(variable["function"] or "", variable["name"]) for variable in variables})
    answer["targets"] = {}
    for function, expression in program["watched"]:
        fitting = [frame for frame in frames if function in (None, frame.function().name)]
        if fitting:
            fitting[0].select()
            answer["targets"][f"{function or ''}:{expression}"] = target_of(lambda: gdb.parse_and_eval(expression), variables)
    for frame, described in [*zip(frames, answer["frames"]), *zip(frames[-OUTERMOST:], answer["outermost"])]:
        described["targets"] = {symbol.name: target_of(lambda: symbol.value(frame), variables)
                                for symbol in frame_block(frame) if symbol.is_argument}


def variables_of_frame(frame):
    function = frame.function().name
    block = frame.block()
    while True:
        yield from variables_of_block(block, function, frame)
        if block.function is not None:
            return
        block = block.superblock


def variables_of_file(frames):
    """Globals, static variables, and the static ones of functions that are not active."""
    symtab = frames[0].find_sal().symtab
    active = {frame.function().name for frame in frames}
    for block in (symtab.global_block(), symtab.static_block()):
        yield from variables_of_block(block, None, None)
        for symbol in block:
            if symbol.is_function and symbol.symtab == symtab and symbol.name not in active:
                inner = gdb.block_for_pc(int(symbol.value().address))
                if inner is not None:
                    yield from variables_of_block(inner, symbol.name, None)


def variables_of_block(block, function, frame):
    for symbol in block:
        if not (symbol.is_variable or symbol.is_argument) or symbol.needs_frame and (frame is None or is_lost(symbol, frame)):
            continue
        try:
            value = symbol.value(frame) if symbol.needs_frame else symbol.value()
            kind = value.type.strip_typedefs()
            is_object = kind.code not in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF) and kind.sizeof > 0
            if is_object and value.address is not None:
                yield {"name": symbol.name, "function": function or "", "address": int(value.address) % 2**64, "type": kind}
        except (gdb.error, RuntimeError, ValueError):
            pass


def is_lost(symbol, frame):
    """With AddressSanitizer, gcc finds some variables by a register that calls overwrite; gdb then sees them at a wrong place."""
    frame.select()
    return bool(OVERWRITTEN.search(gdb.execute(f"info address {symbol.name}", to_string=True)))


def target_of(value, variables):
    """What a pointer points to: a list of candidates, which is empty if it is no variable; None if this is no such pointer.

    The end of one variable may be the beginning of another.
    """
    try:
        value = value()
        kind = value.type.strip_typedefs()
        if kind.code != gdb.TYPE_CODE_PTR:
            return None
        address = int(value) % 2**64
    except (gdb.error, RuntimeError, ValueError):
        return None
    if address < NULL_PAGE:
        return None
    target = kind.target().strip_typedefs().unqualified()
    if target.code == gdb.TYPE_CODE_FUNC:
        block = gdb.block_for_pc(address)
        return [candidate(block.function.name, "", [["()", True]])] if block is not None and block.function else []
    found = []
    for variable in variables:
        offset = address - variable["address"]
        if 0 <= offset < variable["type"].sizeof:
            found.append(candidate(variable["name"], variable["function"], path_to(variable["type"], offset, target)))
        elif offset == variable["type"].sizeof:
            found.append(candidate(variable["name"], variable["function"], [["end", False]]))
    return found


def candidate(name, function, path):
    return {"name": name, "function": function, "path": path}


def path_to(kind, offset, wanted):
    """The elements and members on the way to what has the wanted type, each with whether it is the first of its parent."""
    path = []
    is_any = wanted.code == gdb.TYPE_CODE_VOID or wanted.code == gdb.TYPE_CODE_INT and wanted.sizeof == 1
    while True:
        kind = kind.strip_typedefs().unqualified()
        if offset == 0 and (is_any or str(kind) == str(wanted)):
            return path
        if kind.code == gdb.TYPE_CODE_ARRAY:
            kind = kind.target()
            index, offset = divmod(offset, kind.sizeof)
            path.append([f"[{index}]", index == 0])
            continue
        inner = member_at(kind, offset) if kind.code == gdb.TYPE_CODE_STRUCT else None
        if inner is None:
            return path if offset == 0 else [*path, [f"+{offset}", False]]
        start = inner.bitpos // 8
        path.append([f".{inner.name}", start == 0])
        kind, offset = inner.type, offset - start


def member_at(kind, offset):
    for member in kind.fields():
        if hasattr(member, "bitpos") and member.name and member.bitpos // 8 <= offset < member.bitpos // 8 + member.type.sizeof:
            return member
    return None


main()
