//! A candidate preserves the reason for the failure: its failing run is a projection of the
//! original's.

mod support;

use lapidary_crash::CrashPredicate;
use lapidary_reduce::{Cancel, FileTree, Predicate};
use support::discover_with_reason;

/// A program and the predicate for its failure, to ask why another text does not have the same
/// failure.
struct Original {
    name: &'static str,
    text: &'static str,
    predicate: CrashPredicate,
}

fn original(name: &'static str, text: &'static str) -> Original {
    let predicate = discover_with_reason(name, text).unwrap();
    assert_eq!(predicate.limits(), [""; 0], "everything is compared");
    Original { name, text, predicate }
}

impl Original {
    fn refused(&self, changes: &[(&str, &str)]) -> Option<String> {
        let text = changes.iter().fold(self.text.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replacen(from, to, 1)
        });
        let judgment = self.predicate.judge(&FileTree::file(self.name, text.as_str()), &Cancel::new()).unwrap();
        (!judgment.is_interesting()).then_some(judgment.reason)
    }
}

#[test]
fn the_condition_of_a_throw_stays_and_so_do_arguments() {
    let text = "#include <map>\n#include <stdexcept>\n#include <string>\nstd::map<std::string, int> ages;\n\
        int age(const std::string &name) {\n  auto it = ages.find(name);\n  if (it == ages.end())\n    throw std::out_of_range(\"none\");\n\
        return it->second;\n}\nint main() {\n  ages[\"ann\"] = 3;\n  int sum = age(\"ann\");\n  sum += age(\"bob\");\n  return sum;\n}\n";
    let original = original("a.cpp", text);
    assert_eq!(original.refused(&[]), None);
    assert_eq!(
        original.refused(&[("  ages[\"ann\"] = 3;", ""), ("  int sum = age(\"ann\");", "  int sum = 0;")]),
        None
    );
    let gone = original.refused(&[("  if (it == ages.end())", "")]).unwrap();
    assert_eq!(gone, "the condition in line 7 that guards the failure is gone");
    let constant = original.refused(&[("it == ages.end()", "true")]).unwrap();
    assert_eq!(constant, "the condition in line 7 that guards the failure is gone");
    let other = original.refused(&[("  ages[\"ann\"] = 3;", ""), ("  sum += age(\"bob\");", "")]).unwrap();
    assert!(other.starts_with("fails by another way"), "the other call fails: {other}");
    let argument = original.refused(&[("age(\"bob\")", "age(\"\")")]).unwrap();
    assert_eq!(argument, "`name` was \"bob\" in the original and is \"\"");
}

#[test]
fn a_jump_before_a_throw_is_its_condition() {
    let text = "#include <stdexcept>\nint table[3] = {4, 5, 6};\nint find(int key) {\n  for (int i = 0; i < 3; i++)\n    if (table[i] == key)\n\
        return i;\n  throw std::runtime_error(\"none\");\n}\nint main() {\n  return find(4) + find(7);\n}\n";
    let original = original("a.cpp", text);
    let gone =
        original.refused(&[("  for (int i = 0; i < 3; i++)", ""), ("    if (table[i] == key)", ""), ("return i;", "")]);
    assert!(gone.is_some_and(|reason| reason.ends_with("that guards the failure is gone")));
    let emptied = original.refused(&[("return i;", ";")]);
    assert!(emptied.is_some_and(|reason| reason.ends_with("that guards the failure is gone")), "it decides nothing");
}

#[test]
fn values_stay_and_expressions_may_become_what_they_were() {
    let text = "#include <assert.h>\n#include <stdio.h>\nint twice(int x) {\n  return 2 * x;\n}\nint main(void) {\n  int a = twice(2);\n  \
        int b = twice(3);\n  printf(\"%d\\n\", a);\n  assert(b == 5);\n  return 0;\n}\n";
    let original = original("a.c", text);
    assert_eq!(
        original.refused(&[("twice(3)", "6"), ("  int a = twice(2);", ""), ("  printf(\"%d\\n\", a);", "")]),
        None
    );
    assert_eq!(original.refused(&[("twice(3)", "7")]).unwrap(), "`b` was 6 in the original and is 7");
    let unset = original.refused(&[(" = twice(3)", "")]).unwrap();
    assert!(unset.contains("uninitialized") || unset.starts_with("`b` was 6"), "{unset}");
}

#[test]
fn what_runs_was_run_in_that_order_by_those_calls() {
    let text = "#include <assert.h>\nint total;\nvoid add(int n) {\n  total += n;\n}\nvoid check(int n) {\n  assert(n < 3);\n}\nint main(void) {\n  \
        add(1);\n  for (int i = 0; i < 4; i++)\n    if (i % 2)\n      check(i);\n    else\n      add(i);\n  return 0;\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[("  add(1);", "")]), None);
    assert_eq!(original.refused(&[("      add(i);", "      ;")]), None);
    let other = original.refused(&[("add(1);", "check(0);")]).unwrap();
    assert_eq!(other, "takes another way: a.c:7 is run where the original did not");
}

/// Behind the last statement of `load` lie the handlers that destroy its temporaries. They belong
/// to earlier lines and do not run.
#[test]
fn handlers_that_do_not_run_are_no_steps() {
    let text = "#include <map>\n#include <string>\nstd::map<std::string, int> fares;\nvoid note(const std::string &) {\n}\n\
        void load() {\n  note(\"a\");\n  fares[\"x\"] = 1;\n  fares[\"y\"] = 2;\n}\nint main() {\n  load();\n  return fares.at(\"z\");\n}\n";
    assert_eq!(original("a.cpp", text).refused(&[("  note(\"a\");", "")]), None);
}

#[test]
fn a_fault_stays_at_its_distance_from_null() {
    let text = "#include <stddef.h>\nstruct node { struct node *next; int value; };\nstruct list { struct node *head; };\nint pop(struct list *list) {\n  \
        struct node *node = list->head;\n  return node->value;\n}\nint main(void) {\n  struct list list = {NULL};\n  return pop(&list);\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[]), None);
    let other = original.refused(&[("node->value", "node->next != 0")]).unwrap();
    assert_eq!(other, "the failing statement is not what it was");
    let null = original.refused(&[("pop(&list)", "pop(0)")]).unwrap();
    assert!(null.starts_with("fails"), "{null}");
}

#[test]
fn freed_memory_is_not_just_any_memory() {
    let text = "#include <stdlib.h>\n#include <string.h>\nstruct node { long *value; };\nint main(void) {\n  struct node *node = malloc(sizeof *node);\n  \
        node->value = malloc(sizeof(long));\n  *node->value = 1;\n  free(node);\n  long *other = malloc(sizeof *node);\n  *other = 0x1234567812345678;\n  \
        return *node->value;\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[("  *node->value = 1;", "")]), None);
    let wild = original
        .refused(&[("  free(node);", ""), ("long *other = malloc(sizeof *node)", "long *other = (long *)node")])
        .unwrap();
    assert!(wild.contains("-fsanitize=address"), "{wild}");
}

#[test]
fn a_loop_that_is_not_entered_again_is_not_run() {
    let text = "#include <assert.h>\nint seen[4];\nint find(int n) {\n  for (int i = 0; i < 4; i++)\n    if (seen[i] == n)\n      return i;\n  return 0;\n}\n\
        int main(void) {\n  int n = 0, unused = 0;\n  while (n < 3) {\n    int at = find(n);\n    unused += at;\n    if (at == 0)\n      seen[n] = n;\n    n++;\n  }\n  \
        for (int i = 0; i < n; i++) {\n    int *place = &seen[i];\n    assert(*place < 2);\n  }\n  return unused;\n}\n";
    let original = original("a.c", text);
    assert_eq!(
        original.refused(&[("    unused += at;", ""), ("return unused", "return 0"), (", unused = 0", "")]),
        None
    );
    let often =
        original.refused(&[("      seen[n] = n;", "      seen[n] = n, n == 2 && seen[3]++ < 1 && n--;")]).unwrap();
    assert!(often.starts_with("takes another way"), "{often}");
}

#[test]
fn arguments_stay_when_a_sanitizer_finds_the_failure() {
    // A function with the name of a library function belongs to the program.
    let text = "#include <stdlib.h>\nint read(int *place, int at) {\n  return place[at];\n}\nint main(void) {\n  int *place = malloc(3 * sizeof(int));\n  \
        int n = 1;\n  n += read(place, n) + 1;\n  return read(place, 5);\n}\n";
    let build = support::flags(&["-fsanitize=address"]);
    let predicate = support::discover_with_reason_by("a.c", text, build).unwrap();
    let refused = |from: &str, to: &str| {
        let judgment =
            predicate.judge(&FileTree::file("a.c", text.replacen(from, to, 1).as_str()), &Cancel::new()).unwrap();
        (!judgment.is_interesting()).then_some(judgment.reason)
    };
    assert_eq!(predicate.limits(), [""; 0], "everything is compared");
    assert_eq!(refused("  n += read(place, n) + 1;", ""), None);
    assert_eq!(refused("read(place, 5)", "read(place, 6)").unwrap(), "`at` was 5 in the original and is 6");
}
