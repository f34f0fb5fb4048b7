//! A candidate preserves the reason for the failure: its failing run is a projection of the
//! original's.

use crate::support::discover_with_reason;
use lapidary_crash::CrashPredicate;
use lapidary_reduce::{Cancel, FileTree, Predicate};

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

#[test]
fn the_run_of_a_plainly_compiled_program_is_compared_too() {
    let text = "#include <assert.h>\nint total;\nvoid add(int n) {\n  total += n;\n}\nvoid check(int n) {\n  assert(n < 3);\n}\nint main(void) {\n  \
        add(1);\n  check(3);\n  return 0;\n}\n";
    let plain = discover_with_reason("a.c", text).unwrap().compiling_plainly();
    let judge = |text: &str| plain.judge(&FileTree::file("a.c", text), &Cancel::new()).unwrap();
    assert!(judge(&text.replace("  add(1);", "")).is_interesting());
    let other = judge(&text.replace("add(1);", "check(0);"));
    assert_eq!(other.reason, "takes another way: a.c:7 is run where the original did not");
}

/// Recording makes this run several times as long as all runs before it.
#[test]
fn a_run_that_takes_long_to_record_is_compared_all_the_same() {
    let text = "#include <assert.h>\nunsigned mix(unsigned state) {\n  if (state & 1)\n    return state * 3 + 1;\n  return state / 2;\n}\n\
        int main(void) {\n  unsigned state = 27;\n  for (int i = 0; i < 150000; i++)\n    state = mix(state) + 7;\n  int limit = 3;\n  \
        limit += 2;\n  assert(limit < 5);\n  return (int)state;\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[("    state = mix(state) + 7;", "    ;")]), None);
    assert_eq!(original.refused(&[("limit = 3", "limit = 4")]).unwrap(), "`limit` was 5 in the original and is 6");
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
    let build = crate::support::flags(&["-fsanitize=address"]);
    let predicate = crate::support::discover_with_reason_by("a.c", text, build).unwrap();
    let refused = |from: &str, to: &str| {
        let judgment =
            predicate.judge(&FileTree::file("a.c", text.replacen(from, to, 1).as_str()), &Cancel::new()).unwrap();
        (!judgment.is_interesting()).then_some(judgment.reason)
    };
    assert_eq!(predicate.limits(), [""; 0], "everything is compared");
    assert_eq!(refused("  n += read(place, n) + 1;", ""), None);
    assert_eq!(refused("read(place, 5)", "read(place, 6)").unwrap(), "`at` was 5 in the original and is 6");
}

const MEMBERS: &str = "#include <stdlib.h>\nstruct member { int books; int *fees; };\n\
    static struct member members[] = { { 2, NULL }, { 1, NULL } };\nstatic struct member *lookup(int books) {\n  for (int i = 0; i < 2; i++)\n    \
    if (members[i].books == books)\n      return &members[i];\n  return NULL;\n}\nstatic int fee(struct member *m, int days) {\n  if (m->books > 1)\n    \
    m->fees = calloc(4, sizeof(int));\n  m->fees[0] += days;\n  return m->fees[0];\n}\nint main(void) {\n  fee(lookup(2), 3);\n  fee(lookup(1), 4);\n  return 0;\n}\n";

#[test]
fn a_pointer_stays_at_its_element_of_a_variable() {
    let original = original("a.c", MEMBERS);
    let call = ("fee(lookup(2), 3);", "");
    let condition = ("  if (m->books > 1)\n    m->fees = calloc(4, sizeof(int));", "\n");
    assert_eq!(original.refused(&[call, ("lookup(1)", "&members[1]"), condition]), None);
    let without_books = [("int books; ", ""), ("{ 2, NULL }, { 1, NULL }", "{ NULL }, { NULL }")];
    let lookup = ("if (members[i].books == books)", "if (i == 1)");
    assert_eq!(original.refused(&[&without_books[..], &[call, lookup, condition]].concat()), None, "a smaller element");
    let other = original.refused(&[call, ("lookup(1)", "&members[0]"), condition]).unwrap();
    assert_eq!(other, "`m` was &members[1] in the original and is &members[0]");
}

#[test]
fn a_pointer_stays_at_its_variable_of_a_caller() {
    let text = "#include <stddef.h>\nstruct list { int *head; };\nint pop(struct list *list) {\n  return *list->head;\n}\n\
        int main(void) {\n  struct list full = {NULL}, empty = {NULL};\n  full.head = &(int){1};\n  pop(&full);\n  return pop(&empty);\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[("  pop(&full);", "")]), None);
    let other =
        original.refused(&[("  pop(&full);", ""), ("full.head = &(int){1};", ""), ("pop(&empty)", "pop(&full)")]);
    assert_eq!(other.unwrap(), "`list` was &empty in the original and is &full");
}

#[test]
fn a_function_pointer_stays_at_its_function() {
    let text = "#include <stddef.h>\nint one(void) { return 1; }\nint two(void) { return 2; }\nint apply(int (*f)(void), int *p) {\n  \
        return *p + f();\n}\nint main(void) {\n  int n = 1;\n  apply(two, &n);\n  return apply(one, NULL);\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[("  apply(two, &n);", "")]), None);
    let other = original.refused(&[("apply(one, NULL)", "apply(two, NULL)")]).unwrap();
    assert_eq!(other, "`f` was &one in the original and is &two");
}

const DIVISION: &str = "struct sample { int sum; int count; };\nstatic struct sample table[4];\nstatic void record(int at, int value) {\n  \
    struct sample *s = &table[at];\n  s->sum += value;\n  s->count++;\n  if (value == 500)\n    s->count = 0;\n}\n\
    static int average(int b) {\n  if (table[b].sum == 0)\n    return 0;\n  return table[b].sum / table[b].count;\n}\n\
    int main(void) {\n  record(1, 70);\n  record(2, 300);\n  record(2, 500);\n  for (int b = 0; b < 4; b++)\n    average(b);\n  return 0;\n}\n";

#[test]
fn array_elements_stay_and_so_does_the_check_of_an_operand() {
    let original = original("a.c", DIVISION);
    let late = ("int b = 0;", "int b = 2;");
    assert_eq!(original.refused(&[("  record(1, 70);", ""), late]), None);
    let other = original.refused(&[("  record(2, 300);", ""), late]).unwrap();
    assert_eq!(other, "`table[b].sum` was 800 in the original and is 500");
    let unchecked = original.refused(&[("  if (table[b].sum == 0)\n    return 0;", "\n"), late]);
    assert_eq!(unchecked.unwrap(), "the condition in line 11 that guards the failure is gone");
}

#[test]
fn elements_behind_pointers_stay() {
    let text = "#include <assert.h>\n#include <stdlib.h>\nstruct row { int width; int *cell; };\nint check(struct row *r, int at) {\n  \
        assert(r->cell[at + 1] < 3);\n  return *(r->cell + at);\n}\nint main(void) {\n  struct row *r = malloc(sizeof *r);\n  r->width = 4;\n  \
        r->cell = malloc(4 * sizeof(int));\n  for (int i = 0; i < 4; i++)\n    r->cell[i] = 2 * i;\n  return check(r, 2);\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[("  r->width = 4;", "")]), None);
    let other = original.refused(&[("2 * i", "3 * i")]).unwrap();
    assert_eq!(other, "`r->cell[at+1]` was 6 in the original and is 9");
}

#[test]
fn elements_of_a_vector_stay() {
    let text = "#include <cassert>\n#include <vector>\nvoid check(const std::vector<int> &v, unsigned at) {\n  assert(v[at] < 3);\n}\n\
        int main() {\n  std::vector<int> v;\n  v.push_back(1);\n  v.push_back(7);\n  check(v, 1);\n}\n";
    let original = original("a.cpp", text);
    assert_eq!(original.refused(&[]), None);
    let other = original.refused(&[("v.push_back(7)", "v.push_back(8)")]).unwrap();
    assert_eq!(other, "`v[at]` was 7 in the original and is 8");
}

#[test]
fn an_element_that_cannot_be_compared_is_a_limit() {
    let text = "#include <assert.h>\nint table[3] = {4, 5, 6};\nint last(void) {\n  return 2;\n}\nint main(void) {\n  assert(table[last()] == 5);\n}\n";
    let predicate = discover_with_reason("a.c", text).unwrap();
    let limit = "an element in the failing statement or its condition could not be read, so it is not compared";
    assert_eq!(predicate.limits(), [limit]);
}

#[test]
fn a_check_before_the_failing_statement_stays() {
    let text = "#include <stdlib.h>\nstatic int n = 7;\nstatic int at(const int *cell, int i) {\n  if (i > n)\n    return 0;\n  return cell[i];\n}\n\
        int main(void) {\n  int sum = 0, *cell = calloc(n, sizeof(int));\n  for (int i = 0; i <= 10; i++)\n    sum += at(cell, i);\n  return sum;\n}\n";
    let build = crate::support::flags(&["-fsanitize=address"]);
    let predicate = crate::support::discover_with_reason_by("a.c", text, build).unwrap();
    assert_eq!(predicate.limits(), [""; 0], "everything is compared");
    let refused = |changes: &[(&str, &str)]| {
        let text = changes.iter().fold(text.to_owned(), |text, (from, to)| text.replacen(from, to, 1));
        let judgment = predicate.judge(&FileTree::file("a.c", text.as_str()), &Cancel::new()).unwrap();
        (!judgment.is_interesting()).then_some(judgment.reason)
    };
    let once = ("for (int i = 0; i <= 10; i++)\n    sum += at(cell, i);", "\n    sum += at(cell, 7);");
    assert_eq!(refused(&[once]), None);
    let gone = refused(&[once, ("  if (i > n)\n    return 0;", "\n")]).unwrap();
    assert_eq!(gone, "the condition in line 4 that guards the failure is gone");
}

#[test]
fn a_check_of_other_variables_or_that_did_not_run_may_go() {
    let text = "#include <stdlib.h>\nint debug, level, *cell;\nint at(int i) {\n  if (debug)\n    return 0;\n  if (level > 3) {\n    \
        if (i > 9)\n      return 1;\n  }\n  while (i > 2) {\n    i--;\n    if (i == 3)\n      continue;\n    level += cell[i];\n  }\n  return 0;\n}\n\
        int main(void) {\n  return at(5);\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[("  if (debug)\n    return 0;", "\n")]), None);
    let unrun = ("  if (level > 3) {\n    if (i > 9)\n      return 1;\n  }", "\n\n\n");
    assert_eq!(original.refused(&[unrun]), None);
    let gone = original.refused(&[("if (i == 3)\n      continue;", "\n")]).unwrap();
    assert_eq!(gone, "the condition in line 12 that guards the failure is gone");
}

#[test]
fn a_check_that_throws_is_one() {
    let text = "#include <stdexcept>\nint n = 7, *cell;\nint at(int i) {\n  if (i > n)\n    throw std::out_of_range(\"none\");\n  return cell[i];\n}\n\
        int main() {\n  return at(7);\n}\n";
    let original = original("a.cpp", text);
    assert_eq!(original.refused(&[]), None);
    let gone = original.refused(&[("if (i > n)", ""), ("throw std::out_of_range(\"none\");", "")]).unwrap();
    assert_eq!(gone, "the condition in line 4 that guards the failure is gone");
}

/// A copy of an object is another object: in it, no node can be its own peer.
#[test]
fn a_pointer_into_an_object_does_not_become_one_into_a_copy() {
    let text = "#include <assert.h>\nstruct node { int color; struct node *peer; };\nstruct graph { struct node n[3]; };\n\
        void verify(struct graph *g, int i) {\n  struct node *n = &g->n[i];\n  if (n->peer)\n    assert(n->color != n->peer->color);\n}\n\
        int main(void) {\n  struct graph g = {0};\n  g.n[1].peer = &g.n[1];\n  verify(&g, 1);\n  return 0;\n}\n";
    let original = original("a.c", text);
    assert_eq!(original.refused(&[]), None);
    let copied = original.refused(&[("struct graph *g", "struct graph g"), ("g->n", "g.n"), ("verify(&g", "verify(g")]);
    assert_eq!(copied.unwrap(), "`n` was &g.n[1] in the original and is not null");
}

/// Memory that is not set is filled with patterns. They must not be alike in any property that a
/// condition asks for.
#[test]
fn memory_that_is_not_set_is_neither_always_even_nor_always_odd() {
    for (condition, first) in [("to->kind % 2 == 0", "chain[0].kind = 0;"), ("to->kind % 2 != 0", "chain[0].kind = 1;")]
    {
        let text = format!(
            "#include <stdlib.h>\nstruct message {{ int kind, owned; }};\nstruct message reply(struct message *to) {{\n  \
             struct message m;\n  m.kind = to->kind + 2;\n  if ({condition})\n    m.owned = to->owned;\n  else\n    m.owned = 0;\n  \
             return m;\n}}\nvoid finish(struct message *m) {{\n  if (m->owned)\n    abort();\n}}\nint main(void) {{\n  \
             struct message chain[3];\n  {first}\n  chain[0].owned = 1;\n  for (int i = 1; i < 3; i++)\n    \
             chain[i] = reply(&chain[i - 1]);\n  finish(&chain[2]);\n  return 0;\n}}\n"
        );
        let original = original("a.c", text.leak());
        assert_eq!(original.refused(&[]), None);
        assert!(original.refused(&[(first, "")]).is_some(), "{condition}");
    }
}
