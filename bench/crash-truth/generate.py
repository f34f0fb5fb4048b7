#!/usr/bin/env python3
"""Makes small C and C++ programs that fail, from seeds: generate.py SEED... [--out DIR]

A program is a fault (faults_c.py, faults_cpp.py), which fails for some numbers and not for others, and what is around it: the
way in which the number comes about (`CARRIERS`), calls with other numbers, functions in between, and decoys, which would fail in
the same way if something else of the program were not there. A small program has one decoy and only the fault's own functions.

Every line ends with a comment that is its number, so a line of a smaller program says which line it was. The truth about a
program is a `Truth`: where it fails, the calls that lead there, the condition around the failing statement, the cause.
"""

import argparse
import json
import random
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

MARK = re.compile(r"\s*//! *(\w+(?: \w+)*)$")
WORDS = """account batch basket budget cargo channel coupon credit depot device engine entry exam field fleet flight folder guest
harvest invoice item job label ledger lesson level locker matrix meter mixer nurse offer order outlet packet pallet parcel path
patient permit pixel plan player quota rack rate recipe record region rental report ring room route sample seat sensor session
shelf shift signal slot socket song stage stock stop store tariff task team ticket token tour track truck vault visit voucher wagon
ward wheel window yard zone""".split()
SHARE_OF_C = 0.7
# Every other block of this many seeds has small programs.
BLOCK = 14
# From this seed on, programs have the second set of faults. The programs of smaller seeds stay as they are.
SECOND_SET = 100_000


@dataclass
class Fault:
    """Code that fails for `bad` numbers and for no `good` ones. Lines are marked by `//! fail`, `guard`, `call` or `cause`."""

    kind: str
    functions: str
    call: str
    good: list
    bad: list
    headers: list = field(default_factory=list)
    setup: list = field(default_factory=list)
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)
    flags: list = field(default_factory=list)
    small_stack: bool = False


@dataclass
class Truth:
    """What is known of a generated program. Lines are of the program; `calls` are from the innermost to main."""

    seed: int
    kind: str
    language: str
    shape: str
    arguments: list
    stdin: str
    flags: list
    small_stack: bool
    fail: int
    calls: list
    guards: list
    causes: list


class Names:
    """Words that have not been used yet, and the random numbers of a seed."""

    def __init__(self, random):
        self.random = random
        self.words = random.sample(WORDS, len(WORDS))
        self.arguments, self.stdin, self.functions = [], [], {}

    def word(self):
        return self.words.pop()

    def choice(self, values):
        return self.random.choice(values)

    def number(self, low, high):
        return self.random.randint(low, high)

    def chance(self, share):
        return self.random.random() < share


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds", type=int, nargs="+")
    parser.add_argument("--out", type=Path, default=Path("."), help="where the directories of the programs go (default: here)")
    options = parser.parse_args()
    for seed in options.seeds:
        print(write(seed, options.out / str(seed)))


def write(seed, folder):
    """Writes the program of a seed, its standard input and its truth into a folder. Returns the source's path."""
    truth, text = generate(seed)
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / ("prog.c" if truth.language == "c" else "prog.cpp")
    source.write_text(text)
    (folder / "stdin").write_text(truth.stdin)
    (folder / "truth.json").write_text(json.dumps(asdict(truth), indent=2) + "\n")
    return source


def generate(seed):
    import faults_c
    import faults_cpp

    names = Names(random.Random(seed))
    language = "c" if names.chance(SHARE_OF_C) else "cpp"
    module = faults_c if language == "c" else faults_cpp
    faults = module.FAULTS if seed < SECOND_SET else module.SECOND_FAULTS
    # Seeds that follow each other go through all faults, so that few seeds have them all.
    maker = faults[seed % len(faults)]
    fault = maker(names)
    lines, shape = assemble(names, fault, is_small=seed // BLOCK % 2 == 1)
    return truth_of(seed, fault, language, f"{maker.__name__}/{shape}", names, lines), "\n".join(numbered(lines)) + "\n"


def truth_of(seed, fault, language, shape, names, lines):
    marked = {"fail": [], "call": [], "guard": [], "cause": []}
    for number, line in enumerate(lines, 1):
        found = MARK.search(line)
        for mark in found[1].split() if found else []:
            marked[mark].append(number)
    assert len(marked["fail"]) == 1, lines
    return Truth(seed, fault.kind, language, shape, [str(word) for word in names.arguments],
                 "".join(f"{word}\n" for word in names.stdin), fault.flags, fault.small_stack, marked["fail"][0],
                 sorted(marked["call"]), marked["guard"], marked["cause"])


def numbered(lines):
    return [f"{MARK.sub('', line)} /*{number}*/" for number, line in enumerate(lines, 1)]


def assemble(names, fault, is_small):
    """The lines of the program, with their marks."""
    carrier = names.choice(SMALL_CARRIERS if is_small else CARRIERS)
    bad = names.choice(fault.bad)
    steps, expression = carrier(names, bad)
    call, depth = fault.call, 0 if is_small else names.choice([0, 0, 1, 1, 2])
    wrappers = ""
    for _ in range(depth):
        wrappers, call = wrap(names, wrappers, call)
    body = list(fault.setup)
    body += good_calls(names, fault, call, 1 if is_small else names.number(1, 2))
    body += fault.before
    body += [*steps[:-1], f"{steps[-1]} //! cause"] if steps else []
    if not steps and not is_small and names.chance(0.5):
        body += filler(names)
    body.append(f"{call.format(expression)}; //! call")
    body += fault.after
    if not is_small:
        body += [f"{call.format(names.choice(fault.bad))};"] if names.chance(0.5) else []
        body += [f"{call.format(names.choice(fault.good))};"] if names.chance(0.3) else []
    functions = "\n".join(names.functions.values())
    headers = sorted({"<stdlib.h>", *(["<stdio.h>"] if names.stdin else []), *fault.headers})
    text = "".join(f"#include {header}\n" for header in headers) + "\n" + functions + fault.functions + wrappers + main_of(names, body, is_small)
    shape = f"{carrier.__name__}/{'small' if is_small else depth}"
    return [line for line in text.splitlines() if line.strip()], shape


def main_of(names, body, is_small):
    indented = "".join(f"    {line}\n" for line in body)
    unused = "" if names.arguments or "argv" in indented else "    (void)argc;\n    (void)argv;\n"
    if not is_small and names.chance(0.3):
        name = f"{names.word()}_main"
        return (f"static int {name}(int argc, char **argv)\n{{\n{unused}"
                + ("    if (argc < 1)\n        return 2;\n" if not unused else "") + indented
                + f"    return 0;\n}}\nint main(int argc, char **argv)\n{{\n    return {name}(argc, argv); //! call\n}}\n")
    check = f"    if (argc < {len(names.arguments) + 1})\n        return 2;\n" if not unused else ""
    return f"int main(int argc, char **argv)\n{{\n{unused}{check}{indented}    return 0;\n}}\n"


def good_calls(names, fault, call, count):
    """Calls that do not fail, some of which would if the lines before them were not there."""
    lines = []
    for _ in range(count):
        number, style = names.choice(fault.good), names.number(0, 3)
        bad = names.choice(fault.bad)
        if style == 0:
            lines.append(f"{call.format(number)};")
        elif style == 1:
            name = names.word()
            lines += [f"int {name} = {bad};", f"{name} = {number};", f"{call.format(name)};"]
        elif style == 2:
            name = names.word()
            lines += [f"int {name} = {number + 2};", f"for (int i = 0; i < 2; i++)", f"    {name}--;", f"{call.format(name)};"]
        else:
            name = names.word()
            lines += [f"int {name} = argc > 90;", f"if ({name})", f"    {call.format(bad)};", f"{call.format(number)};"]
    return lines


def wrap(names, wrappers, call):
    """A function between main and the fault, with a call of its own before or around the one that fails."""
    name, parameter = f"{names.word()}_step", names.choice(["value", "n", "which", "x"])
    style = names.number(0, 3)
    inner = call.format(parameter)
    if style == 0:
        body = f"    {inner}; //! call\n"
    elif style == 1:
        body = f"    int doubled = {parameter} * 2;\n    if (doubled != 1)\n        {inner}; //! call\n"
    elif style == 2:
        body = f"    for (int round = 0; round < 2; round++)\n        {inner}; //! call\n"
    else:
        body = f"    int copy = {parameter};\n    {call.format('copy')}; //! call\n    {inner};\n"
    return f"{wrappers}static void {name}(int {parameter})\n{{\n{body}}}\n", name + "({})"


def filler(names):
    name = names.word()
    return [f"int {name} = {names.number(1, 9)};", f"for (int i = 0; i < {names.number(2, 4)}; i++)", f"    {name} += i;",
            f"if ({name} < 0)", "    return 1;"]


# How a number comes about. Each returns lines for main and an expression; the last line is the cause.


def literal(names, number):
    return [], str(number)


def argument(names, number):
    names.arguments.append(number)
    name = names.word()
    return [f"int {name} = atoi(argv[{len(names.arguments)}]);"], name


def computed_argument(names, number):
    add, name = names.number(1, 9), names.word()
    names.arguments.append(number - add)
    names.functions["shifted"] = "static int shifted(int n, int by)\n{\n    int sum = n + by;\n    return sum;\n}\n"
    return [f"int {name} = shifted(atoi(argv[{len(names.arguments)}]), {add});"], name


def standard_input(names, number):
    skipped, name = [names.number(1, 9) for _ in range(names.number(0, 2))], names.word()
    names.stdin += [*skipped, number]
    names.functions["read_number"] = (
        "static int read_number(void)\n{\n    int n = 0;\n    if (scanf(\"%d\", &n) != 1)\n        exit(2);\n    return n;\n}\n")
    return [*["read_number();" for _ in skipped], f"int {name} = read_number();"], name


def loop_sum(names, number):
    parts = [names.number(1, 5) for _ in range(names.number(2, 4))]
    parts.append(number - sum(parts))
    table, name = names.word(), names.word()
    return [f"int {table}[] = {{{', '.join(map(str, parts))}}};", f"int {name} = 0;", f"for (int i = 0; i < {len(parts)}; i++)",
            f"    {name} += {table}[i];"], name


def global_count(names, number):
    start, name, change = number + names.number(2, 4), names.word(), names.word()
    names.functions[name] = f"static int {name} = {start};\nstatic void {change}_down(void)\n{{\n    {name}--;\n}}\n"
    return [f"for (int i = 0; i < {start - number}; i++)", f"    {change}_down();"], name


def structure(names, number):
    kind, name, other = names.word(), names.word(), names.number(1, 9)
    names.functions[kind] = (
        f"struct {kind} {{\n    int first;\n    int second;\n}};\n"
        f"static void fill_{kind}(struct {kind} *it, int first, int second)\n{{\n    it->first = first;\n    it->second = second;\n}}\n")
    return [f"struct {kind} {name};", f"fill_{kind}(&{name}, {other}, {number - other});"], f"{name}.first + {name}.second"


def branches(names, number):
    name, limit = names.word(), names.number(2, 6)
    names.arguments.append(limit + 1)
    return [f"int {name} = {number + 1};", f"if (atoi(argv[{len(names.arguments)}]) > {limit})", f"    {name} = {number};"], name


def out_parameter(names, number):
    name, half = names.word(), names.number(1, 9)
    names.functions["split_into"] = (
        "static void split_into(int whole, int part, int *rest)\n{\n    if (part > 0)\n        *rest = whole - part;\n    else\n"
        "        *rest = whole;\n}\n")
    return [f"int {name} = 1;", f"split_into({number + half}, {half}, &{name});"], name


def recursion(names, number):
    name, depth = names.word(), names.number(2, 4)
    names.functions["count_down"] = (
        "static int count_down(int n, int from)\n{\n    if (n == 0)\n        return from;\n    return count_down(n - 1, from - 1);\n}\n")
    return [f"int {name} = count_down({depth}, {number + depth});"], name


CARRIERS = [literal, argument, computed_argument, standard_input, loop_sum, global_count, structure, branches, out_parameter,
            recursion]
# Those that need no function.
SMALL_CARRIERS = [literal, argument, loop_sum, branches]


if __name__ == "__main__":
    main()
