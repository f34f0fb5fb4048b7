"""Runs a reducer with a limit, measures it, and leaves nothing of it running.

The process that calls this becomes the parent of whatever the reducer leaves behind, so that the time of those processes is
counted and every one of them is ended. It must not have other children meanwhile.
"""

import ctypes
import os
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

GRACE_SECONDS = 10
PR_SET_CHILD_SUBREAPER = 36


class Outcome(NamedTuple):
    ended: str
    seconds: float
    cpu_seconds: float


def execute(command, directory, environment, log, limit):
    """Runs the command; it ended as `done`, `limit` or `exit N`."""
    adopt_orphans()
    cpu_before, started = cpu_of_children(), time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )
        code = wait_or_stop(process, limit)
    seconds = min(time.monotonic() - started, limit + GRACE_SECONDS)
    end_orphans()
    # Lapidary exits with 3 when its own budget has stopped it.
    reached = code is None or (code == 3 and seconds >= limit * 0.9)
    ended = "limit" if reached else "done" if code == 0 else f"exit {code}"
    return Outcome(ended, seconds, cpu_of_children() - cpu_before)


def wait_or_stop(process, limit):
    """The exit code, or none if the process had to be stopped; nothing of its process group is left."""
    code = None
    try:
        code = process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        signal_group(process, signal.SIGTERM)
        try:
            process.wait(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
    signal_group(process, signal.SIGKILL)
    process.wait()
    return code


def signal_group(process, number):
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def adopt_orphans():
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def end_orphans():
    """Ends the processes that were left to us, then those that these leave, until there are none."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while found := children.read_text().split():
        for child in map(int, found):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
