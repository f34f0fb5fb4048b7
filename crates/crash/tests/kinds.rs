//! Each kind of failure is recognised, in the right function and on the right line.

use crate::support::{failure, failure_with, flags, stack};
use lapidary_crash::Kind;

fn signal(name: &str) -> Kind {
    Kind::Signal(name.into())
}

#[test]
fn a_null_pointer() {
    let failure = failure("a.c", "int f(int *p) {\n  return *p;\n}\nint main(void) {\n  return f(0);\n}\n");
    assert_eq!((failure.kind.clone(), failure.message.as_str()), (signal("SIGSEGV"), "null pointer"));
    assert_eq!(stack(&failure), "f:2 main:5");
    assert_eq!(failure.frames[0].file.to_str(), Some("a.c"));
    assert!(failure.frames[0].column.is_some());
}

#[test]
fn a_wild_pointer_is_no_null_pointer() {
    let failure = failure("a.c", "int main(void) {\n  return *(int *)0x123456789;\n}\n");
    assert_eq!((failure.message.as_str(), failure.detail.as_str()), ("", "address 0x123456789"));
}

#[test]
fn a_library_function_with_bad_arguments_is_named() {
    let text =
        "#include <string.h>\nsize_t n(char *s) {\n  return strlen(s);\n}\nint main(void) {\n  return n(0);\n}\n";
    let failure = failure("a.c", text);
    assert_eq!(failure.message, "null pointer in strlen");
    assert_eq!(stack(&failure), "n:3 main:6");
    assert!(failure.to_string().starts_with("segmentation fault (SIGSEGV): null pointer in strlen at a.c:3 in n\n"));
}

#[test]
fn a_call_to_nowhere_is_placed_at_the_call() {
    let text = "void (*g)(void);\nvoid f(void) {\n  g();\n}\nint main(void) {\n  f();\n}\n";
    let failure = failure("a.c", text);
    assert_eq!((failure.message.as_str(), stack(&failure).as_str()), ("null pointer", "f:3 main:6"));
}

#[test]
fn a_division_by_zero() {
    let failure = failure("a.c", "int d;\nint main(void) {\n  return 7 / d;\n}\n");
    assert_eq!((failure.kind.clone(), failure.message.as_str()), (signal("SIGFPE"), "integer division by zero"));
    assert_eq!(stack(&failure), "main:3");
}

#[test]
fn traps_bus_errors_and_raised_signals() {
    let trap = failure("a.c", "int main(void) {\n  __builtin_trap();\n}\n");
    assert_eq!((trap.kind.clone(), stack(&trap).as_str()), (signal("SIGILL"), "main:2"));
    let raised = failure("a.c", "#include <signal.h>\nint main(void) {\n  raise(SIGTRAP);\n}\n");
    assert_eq!((raised.kind.clone(), raised.message.as_str()), (signal("SIGTRAP"), "in raise"));
    let text = "#include <sys/mman.h>\n#include <stdio.h>\nint main(void) {\n  FILE *f = tmpfile();\n  \
        char *p = mmap(0, 4096, PROT_READ, MAP_PRIVATE, fileno(f), 0);\n  return *p;\n}\n";
    let bus = failure("a.c", text);
    assert_eq!((bus.kind.clone(), stack(&bus).as_str()), (signal("SIGBUS"), "main:6"));
    let killed = failure("a.c", "#include <signal.h>\nint main(void) {\n  raise(SIGKILL);\n}\n");
    assert_eq!((killed.kind.clone(), killed.frames.len()), (signal("SIGKILL"), 0));
}

#[test]
fn a_signal_that_is_no_fault_has_a_place_too() {
    for name in ["SIGTERM", "SIGUSR1", "SIGALRM", "SIGPIPE"] {
        let text = format!("#include <signal.h>\nint main(void) {{\n  raise({name});\n}}\n");
        let raised = failure("a.c", &text);
        assert_eq!((raised.kind.clone(), stack(&raised).as_str()), (signal(name), "main:3"));
    }
    let text = "#include <signal.h>\nint main(void) {\n  signal(SIGTERM, SIG_IGN);\n  raise(SIGTERM);\n  \
        if (signal(SIGTERM, SIG_DFL) != SIG_IGN) return 0;\n  raise(SIGTERM);\n}\n";
    assert_eq!(stack(&failure("a.c", text)), "main:6", "what the program ignores, it ignores");
}

#[test]
fn endless_recursion() {
    let text = "int g(int n);\nint f(int n) {\n  return g(n + 1) + 1;\n}\nint g(int n) {\n  return f(n) + 2;\n}\n\
        int main(void) {\n  return f(0);\n}\n";
    let failure = failure("a.c", text);
    assert_eq!(failure.kind, Kind::StackOverflow);
    assert!(failure.frames.len() > 100);
    assert!(failure.frames.iter().skip(2).all(|frame| matches!(frame.line, 3 | 6)));
    assert!(failure.to_string().contains("more of the same"));
}

#[test]
fn locals_that_are_too_large() {
    let text = "#include <string.h>\nvoid f(void) {\n  char a[64 << 20];\n  memset(a, 1, sizeof a);\n}\nint main(void) {\n  f();\n}\n";
    let failure = failure("a.c", text);
    assert_eq!(failure.kind, Kind::StackOverflow);
    assert!(stack(&failure).ends_with("main:7"), "{failure}");
}

#[test]
fn an_assertion_and_one_in_an_inline_function_of_a_header() {
    let text = "#include <assert.h>\nint main(int n, char **v) {\n  assert(n == 2 && \"two\");\n}\n";
    let plain = failure("a.c", text);
    assert_eq!((plain.kind.clone(), plain.message.as_str()), (Kind::Assertion, "n == 2 && \"two\""));
    assert_eq!(stack(&plain), "main:3");
    let directory = tempfile::tempdir().unwrap();
    let header = "#include <assert.h>\nstatic inline int half(int n) {\n  assert(n % 2 == 0);\n  return n / 2;\n}\n";
    std::fs::write(directory.path().join("half.h"), header).unwrap();
    let build = lapidary_crash::Build { origin: Some(directory.path().to_path_buf()), ..flags(&["-O2"]) };
    let inlined =
        failure_with("a.c", "#include \"half.h\"\nint main(int n, char **v) {\n  return half(n);\n}\n", build);
    assert_eq!(stack(&inlined), "half:3 main:3");
    assert_eq!(inlined.frames[0].file.to_str(), Some("half.h"));
}

#[test]
fn abort_and_what_the_library_says_before_it() {
    let plain = failure("a.c", "#include <stdlib.h>\nvoid f(void) {\n  abort();\n}\nint main(void) {\n  f();\n}\n");
    assert_eq!((plain.kind.clone(), plain.message.as_str(), stack(&plain).as_str()), (Kind::Abort, "", "f:3 main:6"));
    let text = "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(9);\n  free(p);\n  free(p);\n}\n";
    let twice = failure("a.c", text);
    assert_eq!(twice.message, "free(): double free detected in tcache 2");
    assert_eq!(stack(&twice), "main:5");
    let text = "#include <string.h>\nvoid f(char *s) {\n  char a[4];\n  strcpy(a, s);\n}\nint main(void) {\n  \
        f(\"0123456789012345678901234567890123456789\");\n}\n";
    let smashed = failure_with("a.c", text, flags(&["-fstack-protector-all"]));
    assert_eq!(
        (smashed.kind.clone(), smashed.message.as_str()),
        (Kind::Abort, "*** stack smashing detected ***: terminated")
    );
}

#[test]
fn exceptions_are_placed_where_they_were_thrown() {
    let text = r#"#include <stdexcept>
#include <vector>
struct Odd : std::logic_error { Odd(int n) : std::logic_error("odd " + std::to_string(n)) {} };
void check(int n) {
  if (n % 2) throw Odd(n);
}
void rethrow() {
  try { check(3); } catch (...) { throw; }
}
void quiet() noexcept {
  check(5);
}
struct List { virtual ~List() {} int at(unsigned i) const { return std::vector<int>(3).at(i); } };
int main(int, char **arguments) {
  switch (arguments[1][0]) {
    case 'c': check(1); break;
    case 'r': rethrow(); break;
    case 'n': quiet(); break;
    case 'l': return List().at(7);
    case 'i': throw 42;
    case 's': throw "text";
  }
}
"#;
    let tree = lapidary_reduce::FileTree::file("a.cpp", text);
    let seen = |argument: &str| {
        let execution =
            lapidary_crash::Execution { arguments: vec![argument.into()], ..lapidary_crash::Execution::default() };
        let cancel = lapidary_reduce::Cancel::new();
        let observer = lapidary_crash::FailureObserver::new(flags(&[]), execution, &tree, &cancel).unwrap();
        match observer.observe(&tree, &cancel).unwrap().outcome {
            lapidary_crash::Outcome::Failed(failure) => (failure.message.clone(), stack(&failure)),
            other => panic!("{other:?}"),
        }
    };
    let expect = |argument, message: &str, stack: &str| assert_eq!(seen(argument), (message.into(), stack.into()));
    expect("c", "Odd: odd 1", "check:5 main:16");
    expect("r", "Odd: odd 3", "check:5 rethrow:8 main:17");
    expect("n", "Odd: odd 5", "check:5 quiet:11 main:18");
    let out_of_range = "std::out_of_range: vector::_M_range_check: __n (which is 7) >= this->size() (which is 3)";
    expect("l", out_of_range, "List::at:13 main:19");
    expect("i", "int: 42", "main:20");
    expect("s", "char const*: text", "main:21");
}

#[test]
fn terminate_without_an_exception_and_pure_virtual_calls() {
    let text = "#include <exception>\nint main() {\n  std::terminate();\n}\n";
    let plain = failure("a.cpp", text);
    assert_eq!((plain.kind.clone(), plain.message.as_str()), (Kind::Abort, "terminate without an exception"));
    assert_eq!(stack(&plain), "main:3");
    let text = "struct A {\n  A() { f(); }\n  void f() { g(); }\n  virtual void g() = 0;\n};\nstruct B : A {\n  \
        void g() {}\n};\nint main() {\n  B b;\n}\n";
    let pure = failure("a.cpp", text);
    assert_eq!(pure.message, "pure virtual method called");
    assert_eq!(stack(&pure), "A::f:3 A::A:2 B::B:6 main:10");
}

#[test]
fn address_sanitizer() {
    let sanitized = |text: &str| failure_with("a.c", text, flags(&["-fsanitize=address"]));
    let text =
        "#include <stdlib.h>\nint f(int *p) {\n  return p[10];\n}\nint main(void) {\n  return f(malloc(40));\n}\n";
    let overflow = sanitized(text);
    assert_eq!(overflow.kind, Kind::Sanitizer("AddressSanitizer".into()));
    assert_eq!(
        (overflow.message.as_str(), stack(&overflow).as_str()),
        ("heap-buffer-overflow: READ of size 4, behind its end", "f:3 main:6")
    );
    assert!(overflow.detail.contains("40-byte region"), "{}", overflow.detail);
    let text = "#include <string.h>\n#include <stdlib.h>\nint main(void) {\n  char *p = malloc(4);\n  memset(p, 1, 4);\n  \
        return strlen(p);\n}\n";
    assert_eq!(sanitized(text).message, "heap-buffer-overflow: READ of size 5, behind its end in strlen");
    let text = "int main(int n, char **v) {\n  int a[4] = {0};\n  return a[n - 3];\n}\n";
    assert_eq!(sanitized(text).message, "stack-buffer-underflow: READ of size 4, before it starts");
    let null = sanitized("int main(void) {\n  int *volatile p = 0;\n  return *p;\n}\n");
    assert_eq!((null.message.as_str(), stack(&null).as_str()), ("SEGV: READ of a null pointer", "main:3"));
    let text = "int f(int n) {\n  volatile char a[999];\n  a[0] = n;\n  return f(n + a[0]) + 1;\n}\nint main(void) {\n  return f(0);\n}\n";
    assert_eq!(sanitized(text).kind, Kind::StackOverflow);
    let text = "#include <assert.h>\nint main(int n, char **v) {\n  assert(n == 2);\n}\n";
    assert_eq!(sanitized(text).kind, Kind::Assertion, "what is no finding is seen as ever");
}

#[test]
fn undefined_behaviour_sanitizer() {
    let text = "int f(int n) {\n  return n + 1;\n}\nint main(void) {\n  return f(2147483647) == 5;\n}\n";
    for sanitizers in ["-fsanitize=undefined", "-fsanitize=address,undefined"] {
        let found = failure_with("a.c", text, flags(&[sanitizers]));
        assert_eq!(found.kind, Kind::Sanitizer("UndefinedBehaviorSanitizer".into()));
        let message = "signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        assert_eq!((found.message.as_str(), stack(&found).as_str()), (message, "f:2 main:5"));
    }
}

#[test]
fn static_programs() {
    let text = "#include <assert.h>\nint main(int n, char **v) {\n  assert(n == 2);\n}\n";
    let failure = failure_with("a.c", text, flags(&["-static"]));
    assert_eq!((failure.kind.clone(), stack(&failure).as_str()), (Kind::Assertion, "main:3"));
}

#[test]
fn c_of_long_ago() {
    let text = "f(p)\n  char *p;\n{\n  return *p;\n}\nmain()\n<%\n  return f(0);\n%>\n";
    let failure = failure("a.c", text);
    assert_eq!((failure.message.as_str(), stack(&failure).as_str()), ("null pointer", "f:4 main:8"));
}
