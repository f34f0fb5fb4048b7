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


POINTERS = """\
#include <stdlib.h>
struct member {
    int id;
    struct member *boss;
};
static int grades[4] = {5, 6, 6, 7};
static int twice(int v) { return v * 2; }
static int thrice(int v) { return v * 3; }
static int rank(const struct member *it, int at, int limit, int (*rule)(int))
{
    if (at > limit)
        return 0;
    if (rule == NULL)
        exit(2);
    if (grades[at + 1] > 5) {
        return it->boss->id + grades[at];
    }
    return 1;
}
static int promote(int at)
{
    struct member members[3] = {{1, NULL}, {2, NULL}, {3, NULL}};
    struct member others[3] = {{1, NULL}, {2, NULL}, {3, NULL}};
    others[0].boss = members;
    return rank(&members[at], at, 2, twice);
}
int main(void)
{
    promote(1);
    return thrice(0);
}
"""
POINTERS_TRUTH = TRUTH | {"kind": "null", "fail": 16, "calls": [25, 29], "guards": [15], "causes": []}
RECURSION = """\
static int depth(int n)
{
    if (n == 0)
        return 0;
    return depth(n - 2) + 1;
}
int main(void)
{
    return depth(3);
}
"""
RECURSION_TRUTH = TRUTH | {"kind": "stack overflow", "fail": 5, "calls": [9], "guards": [], "causes": [], "small_stack": True}


class Results(unittest.TestCase):
    """Each result is the program with lines replaced, given by their numbers."""

    program, truth = PROGRAM, TRUTH

    def reasons(self, **replaced):
        lines = [f"{line} /*{number}*/" for number, line in enumerate(self.program.splitlines(), 1)]
        changes = {int(name[1:]): text for name, text in replaced.items()}
        result = [f"{changes[number]} /*{number}*/" if number in changes else line for number, line in enumerate(lines, 1)]
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "prog.c").write_text("\n".join(lines) + "\n")
            (folder / "stdin").write_text("")
            (folder / "truth.json").write_text(json.dumps(self.truth))
            return check.check(check.Case.read(folder), "\n".join(result) + "\n", folder / "work", check.tools_folder())

    def assert_wrong(self, reason, **replaced):
        self.assertIn(reason, " ".join(self.reasons(**replaced)))


class Programs(Results):
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


class Pointers(Results):
    program, truth = POINTERS, POINTERS_TRUTH

    def test_the_program_itself(self):
        self.assertEqual(self.reasons(), [])

    def test_a_smaller_array_and_a_value(self):
        self.assertEqual(self.reasons(l22="struct member members[2] = {};", l23="", l24="", l25="return rank(&members[1], 1, 2, twice);"), [])

    def test_members_that_have_gone(self):
        self.assertEqual(self.reasons(l22="struct member members[3] = {0};", l23="", l24="", l20="static int promote(int at)"), [])

    def test_an_array_that_has_become_its_last_part(self):
        self.assert_wrong("pointer: it pointed to members[1] and points to members", l22="struct member members = {1, NULL};", l23="",
                          l24="", l25="return rank(&members, at, 2, twice);")

    def test_another_element(self):
        self.assert_wrong("pointer: it pointed to members[1] and points to members[0]", l25="return rank(&members[0], at, 2, twice);")

    def test_another_array(self):
        self.assert_wrong("pointer: parameter it of rank pointed to members[1] and points to others[1]",
                          l25="return rank(&others[at], at, 2, twice);")

    def test_the_heap_instead_of_a_variable(self):
        self.assert_wrong("pointer: it pointed to members[1] and points to no variable",
                          l25="return rank(calloc(1, sizeof *members), at, 2, twice);")

    def test_a_variable_that_has_gone(self):
        self.assertEqual(self.reasons(l22="struct member *spare = calloc(2, sizeof *spare);", l23="", l24="",
                                      l25="return rank(&spare[at], at, 2, twice);"), [])

    def test_another_function(self):
        self.assert_wrong("pointer: parameter rule of rank pointed to twice() and points to thrice()",
                          l25="return rank(&members[at], at, 2, thrice);")

    def test_another_value_of_an_element(self):
        self.assert_wrong("value: grades[at + 1] was 6 and is 7", l6="static int grades[4] = {5, 6, 7};")

    def test_a_check_that_has_gone(self):
        self.assert_wrong("check: the condition at line 11 is gone", l11="", l12="")

    def test_a_check_of_another_variable(self):
        self.assertEqual(self.reasons(l13="", l14=""), [])

    def test_another_check(self):
        self.assert_wrong("check: the condition at line 11 was (at > limit) and is (at >= limit)", l11="if (at >= limit)")

    def test_a_check_without_its_jump(self):
        self.assert_wrong("check: the jump behind the condition at line 11 is gone", l12="    ;")

    def test_a_check_that_is_jumped_over(self):
        self.assert_wrong("check: the condition at line 11 is not evaluated", l10="{ goto next;", l13="next: if (rule == NULL)")


class Recursion(Results):
    program, truth = RECURSION, RECURSION_TRUTH

    def test_the_program_itself(self):
        self.assertEqual(self.reasons(), [])

    def test_an_end_that_has_gone(self):
        self.assert_wrong("check: the condition at line 3 is gone", l3="", l4="")


class Expressions(unittest.TestCase):
    def test_elements_and_members(self):
        self.assertEqual(list(check.chains_in("x = p->rows[i + q.at].sum + f(a[b[2]]) + c[n++] + d[g(1)]")),
                         ["p->rows[i + q.at].sum", "i", "q.at", "a[b[2]]", "b[2]", "c", "n", "d"])

    def test_beginnings(self):
        self.assertEqual(check.prefixes("p->rows[i + q.at].sum"), ["p", "p->rows", "p->rows[i + q.at]", "p->rows[i + q.at].sum"])


if __name__ == "__main__":
    unittest.main()
