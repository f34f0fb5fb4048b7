"""Loads ./docopt.py and checks what it makes of two command lines. Only the parsing of a correct usage is asked for."""

import os
import sys

sys.path.insert(0, os.getcwd())
sys.dont_write_bytecode = True

USAGE = """Naval Fate.

Usage:
  naval ship new <name>...
  naval ship move <name> <x> <y> [--speed=<kn>]
  naval mine (set|remove) <x> <y> [--moored|--drifting]

Options:
  --speed=<kn>  Speed in knots [default: 10].
  --moored      Moored (anchored) mine.
"""

NOTHING_GIVEN = {
    "--drifting": False, "--moored": False, "--speed": "10", "<name>": [], "<x>": None, "<y>": None,
    "mine": False, "move": False, "new": False, "remove": False, "set": False, "ship": False,
}
MOVED = {"ship": True, "move": True, "<name>": ["Titanic"], "<x>": "1", "<y>": "2", "--speed": "15"}
MINED = {"mine": True, "set": True, "<x>": "3", "<y>": "4", "--drifting": True}


def main():
    import docopt

    moved = docopt.docopt(USAGE, ["ship", "move", "Titanic", "1", "2", "--speed=15"])
    mined = docopt.docopt(USAGE, ["mine", "set", "3", "4", "--drifting"])
    right = dict(moved) == {**NOTHING_GIVEN, **MOVED} and dict(mined) == {**NOTHING_GIVEN, **MINED}
    # Only this exit code counts: a candidate that ends the interpreter itself exits with another one.
    os._exit(0 if right else 1)


try:
    main()
finally:
    os._exit(1)
