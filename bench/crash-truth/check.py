#!/usr/bin/env python3
"""Says whether a result of `lapidary crash` fails for the reason of its original: check.py FOLDER RESULT

FOLDER is one of generate.py's. The failing run of the result must be a projection of the original's: see README.md for what is
looked at. Lapidary's own observer has no part in this.
"""

import difflib
import json
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import observe
from observe import Subject, Unfit

MARKER = re.compile(r"/\*(\d+)\*/")
# An index may be computed, but not by a call, an assignment or an increment.
INDEX = r"\[(?:(?!\+\+|--|[^=!<>]=[^=])[^][()]|\[\w+\])+\]"
NAME_CHAIN = re.compile(rf"[A-Za-z_]\w*(?:(?:->|\.)[A-Za-z_]\w*|{INDEX})*")
TOKEN = re.compile(r"\w+|->|\+\+|--|[-+*/%<>=!]=|&&|\|\||::|\S")
KEYWORDS = set("if else for while return int unsigned const char struct static void assert switch throw auto std abort free".split())
MESSAGES = [
    re.compile(r"Assertion `(.*)' failed"),
    re.compile(r"terminate called after throwing an instance of '(.*)'"),
    re.compile(r"what\(\):\s+(.*)"),
    re.compile(r"^(free\(\): .*|malloc\(\): .*)$", re.MULTILINE),
    re.compile(r"ERROR: AddressSanitizer: (?:attempting )?([\w-]+)"),
]
JUMP = re.compile(r"\b(return|break|continue|goto|throw|exit|abort)\b")
RECURRING_EVENTS = 400


@dataclass
class Case:
    """A generated program with what is known of it."""

    folder: Path
    truth: dict
    lines: list

    @staticmethod
    def read(folder):
        truth = json.loads((folder / "truth.json").read_text())
        return Case(folder, truth, source_of(folder).read_text().splitlines())

    def subject(self, source):
        truth = self.truth
        return Subject(source, truth["arguments"], self.folder / "stdin", truth["flags"], truth["small_stack"])

    def is_sanitized(self):
        return bool(self.truth["flags"])

    def is_endless(self):
        return self.truth["small_stack"]


@dataclass
class Seen:
    """All that was observed of one program."""

    failure: dict
    trace: observe.Trace
    uninitialised: list = field(default_factory=list)
    report: dict = None


@dataclass
class Mapping:
    """The original's lines that each line of the result may stand for, and the result's lines of each of the original's."""

    originals: dict
    results: dict


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.splitlines()[0])
    case = Case.read(Path(arguments[0]).resolve())
    with tempfile.TemporaryDirectory() as work:
        reasons = check(case, Path(arguments[1]).read_text(), Path(work), tools_folder())
    print("\n".join(reasons) or "ok")
    return int(bool(reasons))


def tools_folder():
    folder = observe.HERE / "work"
    folder.mkdir(exist_ok=True)
    return folder


def source_of(folder):
    return next(path for path in (folder / "prog.c", folder / "prog.cpp") if path.exists())


def check(case, text, work, tools):
    """What is wrong with a result, the worst first; nothing if it is a projection."""
    text = one_number_a_line(text)
    mapping = map_lines(case.lines, text.splitlines())
    join_statements(mapping, case.lines, text.splitlines())
    sources = []
    for name, content in (("original", "\n".join(case.lines) + "\n"), ("result", text)):
        source = work / name / source_of(case.folder).name
        source.parent.mkdir(parents=True)
        source.write_text(content)
        sources.append(source)
    try:
        original, result = observe_both(case, sources, text.splitlines(), mapping, tools)
    except Unfit as unfit:
        return [str(unfit)]
    return compare(case, mapping, text.splitlines(), original, result)


def observe_both(case, sources, result_lines, mapping, tools):
    subjects = [case.subject(source) for source in sources]
    programs = [observe.build(subject, "program")[0] for subject in subjects]
    traces = [observe.trace(subject, program, tools) for subject, program in zip(subjects, programs)]
    watched = watched_expressions(case, mapping, result_lines)
    failures = observe.debug([(subject, program, watched) for subject, program in zip(subjects, programs)])
    seen = [Seen(failure, trace) for failure, trace in zip(failures, traces)]
    for one, subject in zip(seen, subjects):
        one.report = report_of(case, one, subject)
    if not case.is_endless():
        plain = observe.build(subjects[1], "plain", [])[0] if case.is_sanitized() else programs[1]
        seen[1].uninitialised = observe.memcheck(subjects[1], plain)
    return seen


def report_of(case, seen, subject):
    """What AddressSanitizer says. Of an endless recursion only its own runs can say something, with a stack of another size."""
    if case.is_sanitized():
        return observe.report_of(seen.failure["stderr"], subject.source.name)
    return None if case.is_endless() else observe.sanitize(subject, "sanitized")


def compare(case, mapping, result_lines, original, result):
    truth_broken = broken_truth(case, original)
    if truth_broken:
        return [f"template: {truth_broken}"]
    if not result.failure["signal"]:
        return ["does not fail"]
    reasons = []
    reasons += compare_faults(original, result)
    reasons += compare_stacks(case, mapping, original, result)
    reasons += compare_values(case, mapping, result_lines, original, result)
    reasons += compare_targets(case, mapping, original, result)
    reasons += compare_guards(case, mapping, result_lines)
    reasons += compare_checks(case, mapping, result_lines, original, result)
    reasons += compare_traces(case, mapping, original, result)
    reasons += [f"valgrind: {line.strip()}" for line in result.uninitialised[:1]]
    reasons += compare_reports(mapping, original, result)
    return reasons


def broken_truth(case, original):
    """Why the original does not fail as its truth says, which is the generator's fault."""
    truth, failure = case.truth, original.failure
    if not failure["signal"]:
        return "the original does not fail"
    lines = [frame["line"] for frame in failure["frames"]]
    if case.is_endless():
        return None if truth["fail"] in lines else f"the original recurs at {lines[:4]}"
    if lines[0] != truth["fail"] or sorted(lines[1:]) != truth["calls"]:
        return f"the original fails at {lines}"
    return None


# Lines.


def map_lines(original, result):
    """Lines have their numbers in comments. One that has lost it stands for the most similar one in between its neighbours."""
    marked = [[int(number) for number in MARKER.findall(line)] for line in result]
    originals = {}
    for index, (line, numbers) in enumerate(zip(result, marked), 1):
        if not numbers and line.strip():
            before = next((known[-1] for known in reversed(marked[:index - 1]) if known), 0)
            after = next((known[0] for known in marked[index:] if known), len(original))
            numbers = most_similar(original, line, range(before + 1, after + 1) if before < after else range(1, len(original) + 1))
        originals[index] = set(numbers)
    results = {}
    for index, numbers in originals.items():
        for number in numbers:
            results.setdefault(number, []).append(index)
    return Mapping(originals, results)


def one_number_a_line(text):
    """Where functions were put into their callers, several of the original's lines are one line; here each has its own again."""
    return re.sub(r"(/\*\d+\*/)(?=[^\n])", r"\1\n", text)


def join_statements(mapping, original, result):
    """Statements that have become one, such as `a = /*7*/ b = 1; /*8*/`, run in no order that can be told."""
    joined = []
    for index, line in enumerate(result, 1):
        joined.append(index)
        all_of_them = set().union(*(mapping.originals[one] for one in joined))
        for one in joined:
            mapping.originals[one] = all_of_them
        was_ended = all(is_ended(original[number - 1]) for number in all_of_them)
        if is_ended(line) or not was_ended:
            joined = []


def is_ended(line):
    return MARKER.sub("", line).strip()[-1:] in ("", ";", "{", "}", ":")


def most_similar(original, line, candidates):
    wanted = TOKEN.findall(line)
    scores = {}
    for number in candidates:
        if number <= len(original):
            tokens = TOKEN.findall(MARKER.sub("", original[number - 1]))
            scores[number] = difflib.SequenceMatcher(None, tokens, wanted, autojunk=False).ratio()
    best = max(scores.values(), default=0)
    return [number for number, score in scores.items() if best > 0 and score == best]


def text_of(lines, numbers):
    return " ".join(MARKER.sub("", lines[number - 1]) for number in numbers)


# The fault.


def compare_faults(original, result):
    reasons = []
    before, after = fault_class(original.failure["signal"]), fault_class(result.failure["signal"])
    if before != after:
        reasons.append(f"fault: {before} has become {after}")
    messages = [[found for pattern in MESSAGES for found in pattern.findall(one.failure["stderr"])] for one in (original, result)]
    if messages[0] != messages[1]:
        reasons.append(f"message: {messages[0]} has become {messages[1]}")
    return reasons


def fault_class(signal):
    if "address" not in signal:
        return signal["name"]
    if signal["is_jump"]:
        place = "jump to "
    else:
        place = ""
    if signal["address"] < 4096:
        return f"{signal['name']} {place}null+{signal['address']}"
    if signal["is_stack"] and not place:
        return f"{signal['name']} stack"
    return f"{signal['name']} {place}wild"


def compare_reports(mapping, original, result):
    if original.report is None:
        return []
    before, after = original.report, result.report
    reasons = []
    for what in ("kind", "access", "object"):
        if before[what] != after[what]:
            reasons.append(f"AddressSanitizer: {what} {before[what]} has become {after[what]}")
    for what in ("used", "freed", "allocated"):
        if not is_stack_of(mapping, list(reversed(after[what])), list(reversed(before[what]))) or bool(before[what]) != bool(after[what]):
            reasons.append(f"AddressSanitizer: {what} at {before[what]} has become {back(mapping, after[what])}")
    return reasons


# Stacks.


def back(mapping, lines):
    """Lines of the result as the original's."""
    return [min(mapping.originals.get(line, ()), default=f"new {line}") for line in lines]


def is_stack_of(mapping, result, original):
    """Whether the calls of the result, outermost first, are among those of the original, in that order."""
    index = 0
    for line in result:
        known = mapping.originals.get(line, ())
        while index < len(original) and original[index] not in known:
            index += 1
        if index == len(original):
            return False
        index += 1
    return True


def compare_stacks(case, mapping, original, result):
    if not result.failure["frames"]:
        return ["stack: no function of the program is on it"]
    if case.is_endless():
        # The stack may also end where a function is entered, so the innermost frame is not looked at.
        cycles = [{frame["line"] for frame in one.failure["frames"][1:21]} for one in (original, result)]
        mapped = {number for line in cycles[1] for number in mapping.originals.get(line, ())}
        return [] if cycles[0] == mapped else [f"stack: calls at {sorted(cycles[0])} recur, in the result {sorted(mapped)}"]
    lines = [[frame["line"] for frame in one.failure["frames"]] for one in (original, result)]
    reasons = []
    if case.truth["fail"] not in mapping.originals.get(lines[1][0], ()):
        reasons.append(f"stack: fails at line {back(mapping, lines[1])[0]}, not {case.truth['fail']}")
    if not is_stack_of(mapping, lines[1][::-1], lines[0][::-1]):
        reasons.append(f"stack: {lines[0]} has become {back(mapping, lines[1])}")
    return reasons


# Values.


def watched_expressions(case, mapping, result_lines):
    """What the failing statement and its guards name, as (function, expression); the function is the innermost one."""
    texts = [text_of(case.lines, [case.truth["fail"], *case.truth["guards"]])]
    wanted = list(mapping.results.get(case.truth["fail"], []))
    wanted += [line for guard in case.truth["guards"] for line in mapping.results.get(guard, [])]
    texts.append(text_of(result_lines, wanted))
    found = {}
    for text in texts:
        for chain in chains_in(re.sub(r'"[^"]*"', "", text)):
            for expression in prefixes(chain):
                found[expression] = None
    for expression, _ in replaced_in_failing_line(case, mapping, result_lines):
        found[expression] = None
    return [(None, expression) for expression in found if expression not in KEYWORDS]


def chains_in(text):
    """Variables with their members and elements, such as `p->rows[i + 1].sum`, and those in the indices."""
    for match in NAME_CHAIN.finditer(text):
        rest = text[match.end():].lstrip()
        # A variable that is given a value there holds anything before.
        is_given = re.fullmatch(r"\w+", match[0]) and re.match(r"=(?!=)", rest)
        if not rest.startswith("(") and not is_given:
            yield match[0]
        for index in re.findall(INDEX, match[0]):
            yield from chains_in(index[1:-1])


def prefixes(chain):
    """The chain and its beginnings, cut before each member and each element, but not inside an index."""
    depth, ends = 0, []
    for position, character in enumerate(chain):
        is_cut = character == "[" or character == "." or chain.startswith("->", position)
        if depth == 0 and is_cut:
            ends.append(position)
        depth += (character == "[") - (character == "]")
    return [chain[:end] for end in [*ends, len(chain)]]


def replaced_in_failing_line(case, mapping, result_lines):
    """Operands of the failing statement that have become a number, as (operand, number)."""
    failing = case.truth["fail"]
    before = TOKEN.findall(text_of(case.lines, [failing]))
    after = TOKEN.findall(text_of(result_lines, mapping.results.get(failing, [])))
    pieces = []
    for change, start, end, first, last in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        put = "".join(after[first:last])
        if change == "replace" and re.fullmatch(r"-?\d+", put):
            pieces.append(("".join(before[start:end]), int(put)))
    return pieces


def compare_values(case, mapping, result_lines, original, result):
    reasons = []
    for operand, number in replaced_in_failing_line(case, mapping, result_lines):
        value = original.failure["values"].get(f":{operand}")
        if value is not None and value not in (number, f"null+{number}"):
            reasons.append(f"value: {operand} was {value} and has become {number}")
    # How deep an endless recursion comes depends on the size of its frames, and so do its innermost values.
    values = {} if case.is_endless() else original.failure["values"]
    for key, value in values.items():
        other = result.failure["values"].get(key)
        if not is_arbitrary(case, key) and not is_same_value(value, other):
            reasons.append(f"value: {key[1:]} was {value} and is {other}")
    frames = [one.failure["outermost" if case.is_endless() else "frames"] for one in (original, result)]
    reasons += [reason for before, after in pairs_of_frames(mapping, *frames) for reason in compare_parameters(before, after)]
    if case.is_endless():
        reasons = reasons[-1:]
    return reasons


def is_arbitrary(case, key):
    """Memory that was freed holds anything, and so does what lies behind an array."""
    is_freed = "->" in key and case.truth["kind"] in ("use after free", "double free")
    is_outside = "[" in key and case.truth["kind"] == "overflow"
    return is_freed or is_outside


def compare_parameters(before, after):
    for name, value in before["parameters"].items():
        # What main is given is the same for both: its arguments may only be missing.
        if before["function"] != "main" and not is_same_value(value, after["parameters"].get(name)):
            yield f"value: parameter {name} of {before['function']} was {value} and is {after['parameters'][name]}"


def pairs_of_frames(mapping, originals, results):
    """The frames of the result with those of the original that they are, outermost first."""
    rest = list(reversed(originals))
    for frame in reversed(results):
        lines, name = mapping.originals.get(frame["line"], ()), plain_name(frame["function"])
        fits = [plain_name(candidate["function"]) == name and candidate["line"] in lines for candidate in rest]
        if any(fits):
            yield rest[fits.index(True)], frame
            rest = rest[fits.index(True) + 1:]


def is_same_value(before, after):
    """What is unknown or no longer there is not different. Of a structure what is left must be the same.

    A pointer to a structure that has become the structure itself cannot be compared.
    """
    if before is None or after is None or isinstance(before, dict) != isinstance(after, dict):
        return True
    if isinstance(before, dict):
        return all(is_same_value(value, after.get(name)) for name, value in before.items())
    return before == after


# Pointers.


def compare_targets(case, mapping, original, result):
    """Pointers into a variable that is still there must point to the same element or member of it."""
    reasons = []
    there = Variables.of(result.failure)
    watched = {} if case.is_endless() else original.failure["targets"]
    for key, before in watched.items():
        after = result.failure["targets"].get(key)
        if not is_arbitrary(case, key) and not is_same_target(before, after, there):
            reasons.append(f"pointer: {key[1:]} pointed to {name_of_target(before)} and points to {name_of_target(after)}")
    frames = [one.failure["outermost" if case.is_endless() else "frames"] for one in (original, result)]
    for before, after in pairs_of_frames(mapping, *frames):
        for name, target in before["targets"].items():
            other = after["targets"].get(name)
            if before["function"] != "main" and not is_same_target(target, other, there):
                reasons.append(f"pointer: parameter {name} of {before['function']} pointed to {name_of_target(target)}"
                               f" and points to {name_of_target(other)}")
    return reasons


def is_same_target(before, after, there):
    """Nothing is known of what is no pointer, points to the heap, or points to a variable that has gone."""
    if not before or after is None:
        return True
    if any(is_same_place(one, other, there) for one in before for other in after):
        return True
    return not any(is_function(one) or there.has(one) for one in before)


def is_same_place(before, after, there):
    """Whether two places are the same one. A function with the variable may have been put into its caller."""
    if before["name"] != after["name"]:
        return False
    functions = {plain_name(before["function"]), plain_name(after["function"])}
    if len(functions) > 1 and (plain_name(before["function"]), before["name"]) in there.known:
        return False
    return is_same_path(before["path"], after["path"])


@dataclass
class Variables:
    """The variables at a failure as (function, name), and the active functions."""

    known: set
    active: set

    @staticmethod
    def of(failure):
        known = {(plain_name(function), name) for function, name in failure["variables"]}
        return Variables(known, {plain_name(frame["function"]) for frame in failure["frames"]})

    def has(self, target):
        """Whether the variable is still there, if need be in another function, into which its own was put."""
        function = plain_name(target["function"])
        return (function, target["name"]) in self.known or bool(
            function and function not in self.active and any(name == target["name"] for _, name in self.known))


def plain_name(function):
    """The name of a function without its parameters, of which some may have gone."""
    return function.partition("(")[0]


def is_same_path(before, after):
    """An array of which one element is left may have become that element, so the first of something is that something."""
    common = min(len(before), len(after))
    rest = [*before[common:], *after[common:]]
    return [name for name, _ in before[:common]] == [name for name, _ in after[:common]] and all(is_first for _, is_first in rest)


def is_function(target):
    return target["path"][:1] == [["()", True]]


def name_of_target(candidates):
    texts = [one["name"] + "".join(name for name, _ in one["path"]) for one in candidates if not is_end(one)]
    texts += [f"the end of {one['name']}" for one in candidates if is_end(one)]
    return " or ".join(texts) or "no variable"


def is_end(target):
    return target["path"] == [["end", False]]


# Conditions.


def compare_guards(case, mapping, result_lines):
    """The line of a condition may have become empty but for its number."""
    gone = []
    for guard in case.truth["guards"]:
        keyword = "switch" if "switch" in case.lines[guard - 1] else "if"
        if not re.search(rf"\b{keyword}\b", text_of(result_lines, mapping.results.get(guard, []))):
            gone.append(guard)
    return [f"guard: the condition at line {guard} is gone" for guard in gone]


def compare_checks(case, mapping, result_lines, original, result):
    """Earlier checks with a jump that the failing call evaluated are still there, if they name a variable of the failing statement."""
    reasons = []
    evaluated = set() if case.is_endless() else lines_of_last_call(result.trace, set())
    for line in checks_of(case, original):
        lines = mapping.results.get(line, [])
        conditions = [condition_of(text) for text in (text_of(case.lines, [line]), text_of(result_lines, lines))]
        if conditions[1] is None:
            reasons.append(f"check: the condition at line {line} is gone")
        elif conditions[0] != conditions[1]:
            reasons.append(f"check: the condition at line {line} was ({' '.join(conditions[0])}) and is ({' '.join(conditions[1])})")
        elif not JUMP.search(text_of(result_lines, [*lines, *mapping.results.get(line + 1, [])])):
            reasons.append(f"check: the jump behind the condition at line {line} is gone")
        elif not case.is_endless() and not evaluated & set(lines):
            reasons.append(f"check: the condition at line {line} is not evaluated")
    return reasons


def checks_of(case, original):
    """The lines of the checks in the failing call. Of an endless recursion all that could have ended it are wanted."""
    failing = case.truth["fail"]
    heads = heads_of_functions(case.lines)
    if case.is_endless():
        evaluated = set(range(max((head for head in heads if head < failing), default=1), failing))
    else:
        evaluated = lines_of_last_call(original.trace, heads)
    wanted = variables_in(text_of(case.lines, [failing]))
    for line in sorted(evaluated):
        if line < failing and line not in case.truth["guards"] and is_check(case.lines, line):
            named = variables_in(" ".join(condition_of(text_of(case.lines, [line]))))
            if named & wanted or case.is_endless():
                yield line


def is_check(lines, line):
    text = text_of(lines, [line])
    if condition_of(text) is None:
        return False
    # The jump is on the line of the condition or on the next one.
    return bool(JUMP.search(text if text.rstrip().endswith(";") else text_of(lines, [line, line + 1])))


def condition_of(text):
    """The tokens in the parentheses behind the first `if`; None if there is none."""
    tokens = TOKEN.findall(text)
    if "if" not in tokens:
        return None
    depth, found = 0, []
    for token in tokens[tokens.index("if") + 1:]:
        depth -= token == ")"
        if depth > 0:
            found.append(token)
        depth += token == "("
        if depth == 0:
            break
    return found


def variables_in(text):
    """The variables that a text reads; members of others and functions are none."""
    tokens = ["", *TOKEN.findall(re.sub(r'"[^"]*"', "", text)), ""]
    return {token for before, token, after in zip(tokens, tokens[1:], tokens[2:])
            if re.match(r"[A-Za-z_]", token) and token not in KEYWORDS and before not in ("->", ".", "::") and after not in ("(", "=")}


def lines_of_last_call(trace, heads):
    """The lines that the last call of a function came to, without those of the functions that it called."""
    found = set()
    last = trace.events[-1][1] if trace.events else ()
    for line, stack in reversed(trace.events):
        if stack == last:
            found.add(line)
        elif stack[:len(last)] != last:
            break
        if stack == last and line in heads:
            break
    return found


# Runs.


def compare_traces(case, mapping, original, result):
    """The lines that the result came to must be a subsequence of the original's, under the same calls, up to the failure."""
    heads = heads_of_functions(case.lines)
    is_head = lambda event: mapping.originals.get(event[0], set()) & heads  # noqa: E731
    before, after = original.trace.events, without_repeats(result.trace.events)
    # Whether a function stops on its first line depends on the size of its frame.
    after = [event for event in after if not is_head(event)]
    if case.is_endless():
        before, after = before[:RECURRING_EVENTS * 4], after[:RECURRING_EVENTS]
    elif after and before and not is_event_of(mapping, after[-1], before[-1]):
        return [f"run: ends at {describe(mapping, after[-1])}, not at line {before[-1][0]} called from {list(before[-1][1])}"]
    index = 0
    for position, event in enumerate(after):
        while index < len(before) and not is_event_of(mapping, event, before[index]):
            index += 1
        if index == len(before):
            return [f"run: step {position + 1}, {describe(mapping, event)}, is not the original's"]
        index += 1
    return []


def heads_of_functions(lines):
    """The numbers of the lines before one that opens a body."""
    bare = [MARKER.sub("", line).strip() for line in lines]
    return {number for number in range(1, len(bare)) if bare[number] == "{"}


def without_repeats(events):
    return [event for before, event in zip([None, *events], events) if event != before]


def is_event_of(mapping, result, original):
    return original[0] in mapping.originals.get(result[0], ()) and is_stack_of(mapping, result[1], original[1])


def describe(mapping, event):
    return f"line {back(mapping, [event[0]])[0]} called from {back(mapping, event[1])}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
