"""Runs `lapidary compare` and reads what it says."""

import json
import os
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# How long a run may take beyond the time that it was given, for the start of JVMs and for replays.
GRACE = 120


def lapidary(given):
    """The program to measure: the one that was given, or the one of this checkout."""
    if given:
        return Path(given).resolve()
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "lapidary-cli"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/lapidary"


def compile_java(sources, into):
    if not into.exists():
        subprocess.run(["javac", "-nowarn", "-g", "-d", str(into), *map(str, sources)], check=True)


def compare(program, versions, main, seconds, *options):
    """What the comparison said, without random testing; with a key `failed` if it said nothing."""
    return run(program, versions, main, seconds, "--fuzz-first", "0", *options)


def random_alone(program, versions, main, seconds, *options):
    """What the random tester said. The symbolic comparison, which cannot be left out, gets the shortest time there is."""
    summary = run(program, versions, main, seconds, "--fuzz-first", str(seconds), *options)
    return summary.get("random") or {"failed": summary.get("failed", "no answer")}


def run(program, versions, main, seconds, *options):
    command = [program, "compare", *versions, "--main", main, "--budget", f"{seconds}s", "--json", "-", *options]
    begin = time.monotonic()
    try:
        ended = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        return {"failed": "limit"}
    if ended.returncode not in (0, 1, 3, 4) or not ended.stdout:
        return {"failed": (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]}
    return {**json.loads(ended.stdout), "wall": time.monotonic() - begin}


def says_same(summary):
    """Whether everything within the bounds was looked at and nothing differs."""
    return summary.get("verdict") in ("equivalent", "no difference found")


def random_cells(summary):
    """Whether the random tester has found something, and in how many calls."""
    if "failed" in summary:
        return {"random": f"failed: {summary['failed']}", "random_calls": ""}
    return {"random": "found" if summary["found"] else "nothing", "random_calls": summary["calls"]}
