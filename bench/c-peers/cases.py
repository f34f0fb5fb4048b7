"""Where the cases are: those of this folder, and those of the folder that $CASES names."""

import os
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
WORK = HERE / "work"
OWN = HERE / "cases"
OTHERS = Path(os.environ.get("CASES", HERE.parents[2] / "shared/cases/c"))


class Case(NamedTuple):
    name: str
    input: Path
    test: Path


def all_cases():
    """Every case by name. The input of one of ours is where `install` made it, that of another beside its test."""
    found = [Case(test.parent.name, made_input(test.parent.name), test) for test in OWN.glob("*/test.sh")]
    found += [Case(test.parent.name, given_input(test.parent), test.resolve()) for test in OTHERS.glob("*/test.sh")]
    return {case.name: case for case in sorted(found)}


def made_input(name):
    suffix = ".cpp" if name.startswith("cpp-") else ".c"
    return WORK / "inputs" / name / f"input{suffix}"


def given_input(folder):
    return next(folder.glob("input.*"))
