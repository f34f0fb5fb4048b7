"""The kinds of faults. Each yields trials: functions that run one fault and return its problems,
or None if the fault did not happen because the run ended first."""

import collections
import os
import signal
import subprocess
import time

import power
from place import Place

CHANGING = "write,rename,mkdir,unlink,rmdir,link,symlink,fsync,truncate,chmod"

# The error that each class of calls gets.
ERRORS = {
    "write": ["ENOSPC", "EIO", "short", "ENOSPC+"],
    "open": ["EMFILE", "EIO", "EMFILE+"],
    "rename": ["ENOSPC", "EIO"],
    "mkdir": ["ENOSPC", "EIO", "ENOSPC+"],
    "unlink": ["EIO"],
    "link": ["EMFILE"],
    "fsync": ["EIO", "ENOSPC"],
    "truncate": ["EIO"],
    "chmod": ["EIO"],
    "read": ["EIO"],
    "readdir": ["EIO"],
    "pipe": ["EMFILE", "EMFILE+"],
    "spawn": ["EAGAIN", "ENOMEM"],
    "memory": ["ENOMEM"],
}

# If removing fails, something is left until the next run. The same holds when memory or
# descriptors run out for good.
MAY_LEAVE = {"unlink", "rmdir", "readdir", "open", "memory", "spawn", "pipe"}


class Golden:
    """An uninterrupted run, to compare with."""

    def __init__(self, place):
        ended = place.run()
        problems = place.check_end(ended, False) + place.check_saved() + place.check_left()
        if ended.code != 0 or problems:
            raise SystemExit(f"{place.subject.name} does not run: {ended} {problems}")
        self.result, self.journal, self.seconds = place.result(), place.journal(), ended.seconds


def count(place):
    """How many calls of each class succeed in a run."""
    place.run_with_fault("none", 0, "all")
    with open(os.path.join(place.root, "calls"), "rb") as file:
        return collections.Counter(line.split(b"\t")[1].decode() for line in file if line[:1].isdigit())


def injected(context, action, number, classes):
    def trial(place):
        is_killed = action.startswith("kill")
        ended = place.run_with_fault(action, number, classes)
        if ended.hit is None:
            return None
        problems = place.check_end(ended, is_killed) + place.check_saved()
        if is_killed:
            place.wait_for_warden()
        elif classes not in MAY_LEAVE and ended.signal is None:
            problems += place.check_left()
        problems += place.check_resumed(context.golden)
        return [f"{problem} [{ended.hit}]" for problem in problems]

    return trial


def kills_at_calls(context):
    for number in range(1, context.count(CHANGING) + 1):
        for action in ("kill-before", "kill-after"):
            yield f"SIGKILL {action[5:]} a call", f"{action} {number}", injected(context, action, number, CHANGING)


def ends_at_calls(context):
    for number in range(1, context.count(CHANGING) + 1):
        yield "SIGTERM after a call", f"term {number}", injected(context, "term", number, CHANGING)


def errors_at_calls(context):
    for classes, errors in ERRORS.items():
        for number in range(1, context.count(classes) + 1):
            for error in errors:
                kind = f"{error.rstrip('+')} in {classes}" + (" and all after it" if error.endswith("+") else "")
                yield kind, f"{classes} {number} {error}", injected(context, error, number, classes)


def kills_at_random(context, dice):
    while True:
        moment = dice.uniform(0, 1.05 * context.golden.seconds)

        def trial(place, moment=moment):
            process = place.start(place.words())
            time.sleep(moment)
            if process.poll() is not None:
                return None
            process.send_signal(signal.SIGKILL)
            ended = place.finish(process, time.time())
            if ended.signal != signal.SIGKILL:
                return None
            problems = place.check_saved()
            place.wait_for_warden()
            return problems + place.check_resumed(context.golden)

        yield "SIGKILL at a random time", f"after {moment:.4f} s", trial


def killed_tests(context):
    """Kills each run of the test from outside, one in each reduction. For `crash`, the compiler
    takes the place of the test."""
    kind = {"worker": "killed worker", "crash": "killed compiler"}.get(context.subject.name, "killed test")
    for number in range(1, context.tests() + 1):

        def trial(place, number=number):
            with open(os.path.join(place.work, "stop-at"), "w") as file:
                file.write(f"{number}\n")
            begun = time.time()
            process = place.start(place.words())
            stopped = os.path.join(place.work, "stopped")
            while process.poll() is None and not os.path.exists(stopped):
                time.sleep(0.002)
            was_stopped = os.path.exists(stopped)
            if was_stopped:
                kill_stopped(place, stopped)
            ended = place.finish(process, begun)
            if not was_stopped:
                return None
            for name in ("stop-at", "runs", "stopped"):
                os.unlink(os.path.join(place.work, name))
            problems = place.check_end(ended, False) + place.check_saved() + place.check_left()
            if ended.code != 0 or place.result() != context.golden.result:
                problems.append(f"a killed test changed the result: {ended} {str(place.result())[:100]}")
            return problems + place.check_resumed(context.golden)

        yield kind, f"run {number}", trial


def kill_stopped(place, stopped):
    with open(stopped) as file:
        test = int(file.read())
    victim = test
    if place.subject.name == "worker":
        with open(f"/proc/{test}/stat") as file:
            victim = int(file.read().rsplit(")", 1)[1].split()[1])
    os.kill(victim, signal.SIGKILL)


def killed_wardens(context, dice):
    return killed_children(context, dice, "__warden", "killed warden")


def killed_parsers(context, dice):
    """Kills processes that read sources. Only inputs in C and C++ have such."""
    if context.subject.name not in ("C", "crash"):
        return iter(())
    return killed_children(context, dice, "__foreign", "killed parser")


def killed_children(context, dice, text, kind):
    """Kills children of the run whose command line has a text, at random times."""
    while True:
        moment = dice.uniform(0, context.golden.seconds)

        def trial(place, moment=moment):
            begun = time.time()
            process = place.start(place.words())
            time.sleep(moment)
            was_killed = kill_child(process.pid, text)
            ended = place.finish(process, begun)
            if not was_killed:
                return None
            problems = place.check_end(ended, False) + place.check_saved() + place.check_left()
            if ended.code != 0 or place.result() != context.golden.result:
                problems.append(f"a killed process changed the result: {ended} {str(place.result())[:100]}")
            return problems + place.check_resumed(context.golden)

        yield kind, f"after {moment:.4f} s", trial


def kill_child(pid, text):
    found = subprocess.run(["pgrep", "-P", str(pid), "-f", "--", text], capture_output=True, text=True).stdout.split()
    for child in found:
        try:
            os.kill(int(child), signal.SIGKILL)
            return True
        except ProcessLookupError:
            pass
    return False


def lost_writes(context, dice):
    """States of the disk that a loss of power may leave."""
    recording = context.recording()
    for at, choice, state in power.states(recording, dice):

        def trial(place, state=state):
            power.restore(state, place.work)
            problems = power.check(place, state)
            return problems + place.check_resumed(context.golden)

        yield f"power lost, {choice}", f"after operation {at}", trial


class Context:
    """A subject with what is known of it."""

    def __init__(self, subject, tools, root):
        self.subject, self.tools, self.root = subject, tools, root
        self.counts = None
        self.golden = self.at("golden", lambda place: Golden(place))

    def at(self, name, use):
        place = Place(os.path.join(self.root, name), self.subject, self.tools)
        try:
            return use(place)
        finally:
            place.remove()

    def count(self, classes):
        """How many calls of these classes a run makes."""
        self.counts = self.counts or self.at("count", count)
        return sum(self.counts[one] for one in classes.split(","))

    def tests(self):
        """How often a run starts the test."""

        def run(place):
            with open(os.path.join(place.work, "stop-at"), "w") as file:
                file.write("0\n")
            place.run()
            with open(os.path.join(place.work, "runs")) as file:
                return len(file.readlines())

        return self.at("tests", run)

    def recording(self):
        def record(place):
            place.run_with_fault("none", 0, power.CLASSES)
            return power.Recording(os.path.join(place.root, "calls"), place.work, self.subject)

        return self.at("recorded", record)
