#!/usr/bin/env python3
"""Has check.py tell right results from wrong ones that were made by hand: check_test.py"""

import json
import tempfile
import unittest
from pathlib import Path

import check

PROGRAM = """\
#include <assert.h>
static int limit = 3;
static int twice(int x)
{
    int r = x * 2;
    return r;
}
static void verify(int v)
{
    int b = twice(v);
    if (b > limit) {
        assert(b == 4);
    }
}
int main(void)
{
    int first = 2;
    verify(first);
    int values[] = {1, 2};
    int sum = values[0] + values[1];
    verify(sum);
    verify(9);
    return 0;
}
"""
TRUTH = {"seed": 0, "kind": "assert", "language": "c", "shape": "", "arguments": [], "stdin": "", "flags": [], "small_stack": False,
         "fail": 12, "calls": [21], "guards": [11], "causes": [20]}


class Results(unittest.TestCase):
    """Each result is the program with lines replaced, given by their numbers."""

    def reasons(self, **replaced):
        lines = [f"{line} /*{number}*/" for number, line in enumerate(PROGRAM.splitlines(), 1)]
        changes = {int(name[1:]): text for name, text in replaced.items()}
        result = [f"{changes[number]} /*{number}*/" if number in changes else line for number, line in enumerate(lines, 1)]
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "prog.c").write_text("\n".join(lines) + "\n")
            (folder / "stdin").write_text("")
            (folder / "truth.json").write_text(json.dumps(TRUTH))
            return check.check(check.Case.read(folder), "\n".join(result) + "\n", folder / "work", check.tools_folder())

    def assert_wrong(self, reason, **replaced):
        self.assertIn(reason, " ".join(self.reasons(**replaced)))

    def test_the_program_itself(self):
        self.assertEqual(self.reasons(), [])

    def test_lines_that_have_gone(self):
        self.assertEqual(self.reasons(l17="", l18="", l22=""), [])

    def test_a_call_that_has_become_its_value(self):
        self.assertEqual(self.reasons(l10="int b = 6;", l17="", l18="", l19="", l20="int sum = 3;"), [])

    def test_another_call_fails(self):
        self.assert_wrong("stack: [12, 21] has become [12, 22]", l18="", l21="")

    def test_another_value(self):
        self.assert_wrong("value: b was 6 and is 10", l18="", l20="int sum = 5;")

    def test_a_condition_that_has_gone(self):
        self.assert_wrong("guard", l11="{")

    def test_a_value_that_was_never_set(self):
        self.assert_wrong("valgrind", l18="", l10="int c, b = 6; if (c == 7) b = 6;")

    def test_a_read_behind_an_array(self):
        self.assert_wrong("stack-buffer-overflow", l18="", l19="int values[] = {3}, zero = 0;",
                          l20="int sum = values[0] + values[1] * zero;")

    def test_another_order(self):
        self.assert_wrong("run: step", l2="static int limit = 3; static int twice(int); void early(void) { twice(1); }",
                          l16="{ early();")

    def test_no_failure(self):
        self.assert_wrong("does not fail", l21="", l22="")


if __name__ == "__main__":
    unittest.main()
