//! Programs that hide how they fail or are hard to get rid of.

use crate::support::{discover, failure, failure_with, flags, outcome_of, seconds, stack};
use lapidary_crash::{Build, CrashError, Execution, Kind, Outcome};
use lapidary_predicate::{Ending, Limits, Sandbox};
use lapidary_reduce::{Cancel, FileTree};

#[test]
fn a_thread_that_crashes_or_overflows() {
    let text = "#include <pthread.h>\nvoid *f(void *p) {\n  *(int *)p = 1;\n  return 0;\n}\nint main(void) {\n  pthread_t t;\n  \
        pthread_create(&t, 0, f, 0);\n  pthread_join(t, 0);\n}\n";
    let crashed = failure_with("a.c", text, flags(&["-pthread"]));
    assert_eq!((crashed.message.as_str(), stack(&crashed).as_str()), ("null pointer", "f:3"));
    let endless = text.replace("*(int *)p = 1;", "return f((char *)f(p) + 1);");
    assert_eq!(failure_with("a.c", &endless, flags(&["-pthread"])).kind, Kind::StackOverflow);
}

const HANDLER: &str = "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <setjmp.h>\njmp_buf back;\n\
    void give_up(int n) { puts(\"sorry\"); END; }\nint f(int *p) {\n  return *p;\n}\nint main(void) {\n  \
    signal(SIGSEGV, give_up);\n  if (setjmp(back)) return 0;\n  return f(0);\n}\n";

#[test]
fn the_programs_own_handler_is_called_and_the_fault_seen() {
    for end in ["exit(3)", "abort()", "signal(n, SIG_DFL); raise(n)", "_Exit(1)"] {
        let failure = failure("a.c", &HANDLER.replace("END", end));
        assert_eq!(
            (failure.kind.clone(), stack(&failure).as_str()),
            (Kind::Signal("SIGSEGV".into()), "f:8 main:13"),
            "{end}"
        );
    }
    let recovered = outcome_of("a.c", &HANDLER.replace("END", "longjmp(back, 1)"), Build::default(), seconds(10));
    assert_eq!(recovered, Outcome::Passed(Ending::Exited(0)));
    let later = HANDLER.replace("END", "longjmp(back, 1)").replace("return 0;", "return 4;");
    assert_eq!(outcome_of("a.c", &later, Build::default(), seconds(10)), Outcome::Passed(Ending::Exited(4)));
}

#[test]
fn a_program_that_talks_like_a_sanitizer() {
    let text = "#include <stdio.h>\nint main(void) {\n  fputs(\"a.c:7:1: runtime error: nothing left\\n\", stderr);\n  \
        fputs(\"ERROR: AddressSanitizer: SEGV\\n\", stderr);\n  return 1;\n}\n";
    for build in [Build::default(), flags(&["-fsanitize=undefined"])] {
        assert_eq!(outcome_of("a.c", text, build, seconds(10)), Outcome::Passed(Ending::Exited(1)));
    }
    let killed = failure("a.c", &text.replace("return 1;", "return *(int *)0;"));
    assert_eq!(killed.kind, Kind::Signal("SIGSEGV".into()));
}

#[test]
fn a_fault_in_a_thread_is_no_overflow_of_its_stack() {
    let text = "#include <pthread.h>\n#include <sys/mman.h>\nchar *page;\nvoid *work(void *x) {\n  page[0] = 1;\n  \
        return x;\n}\nint main(void) {\n  pthread_t t;\n  page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n  \
        pthread_create(&t, 0, work, 0);\n  pthread_join(t, 0);\n}\n";
    let fault = failure_with("a.c", text, flags(&["-pthread"]));
    assert_eq!((fault.kind.clone(), stack(&fault).as_str()), (Kind::Signal("SIGSEGV".into()), "work:5"));
}

#[test]
fn a_child_that_crashes_is_not_the_program() {
    let text = "#include <unistd.h>\n#include <stdlib.h>\n#include <sys/wait.h>\nint main(void) {\n  \
        if (fork() == 0) abort();\n  wait(0);\n  return 0;\n}\n";
    assert_eq!(outcome_of("a.c", text, Build::default(), seconds(10)), Outcome::Passed(Ending::Exited(0)));
    let both = failure("a.c", &text.replace("return 0;", "return *(int *)0;"));
    assert_eq!((both.message.as_str(), stack(&both).as_str()), ("null pointer", "main:7"));
}

#[test]
fn nothing_is_left_of_a_daemon() {
    let name = format!("lapidary-daemon-{}", std::process::id());
    let text = format!(
        "#include <unistd.h>\n#include <sys/prctl.h>\nint main(void) {{\n  if (fork() == 0) {{\n    setsid();\n    \
         if (fork() == 0) {{\n      execlp(\"sleep\", \"{name}\", \"600\", (char *)0);\n    }}\n    _exit(0);\n  }}\n  \
         usleep(100000);\n  return *(int *)0;\n}}\n"
    );
    assert_eq!(stack(&failure("a.c", &text)), "main:12");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let arguments = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    assert_eq!(arguments.filter(|words| words.starts_with(name.as_bytes())).count(), 0);
}

#[test]
fn a_gigabyte_of_output_and_a_program_that_hangs() {
    let text = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  static char a[1 << 20];\n  \
        for (int i = 0; i < 1024; i++)\n    fwrite(a, 1, sizeof a, stdout);\n  abort();\n}\n";
    assert_eq!(stack(&failure("a.c", text)), "main:7");
    let hanging = outcome_of("a.c", "int main(void) {\n  for (;;);\n}\n", Build::default(), seconds(1));
    assert!(matches!(hanging, Outcome::TimedOut(_)), "{hanging:?}");
}

#[test]
fn memory_without_end_is_limited() {
    let text = "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n  for (;;) {\n    char *p = malloc(1 << 24);\n    \
        memset(p, 1, 1 << 24);\n  }\n}\n";
    let limits = Limits { memory: Some(256 << 20), ..Limits::default() };
    let outcome = outcome_of("a.c", text, Build::default(), Execution { limits, ..seconds(20) });
    let Outcome::Failed(failure) = outcome else { panic!("{outcome:?}") };
    assert_eq!((failure.message.as_str(), stack(&failure).as_str()), ("null pointer in memset", "main:6"));
}

#[test]
fn a_source_that_is_not_utf_8() {
    let mut bytes = b"#include <assert.h>\n/* \xe4\xff */\nint main(int n, char **v) {\n  assert(n == 2 && \"".to_vec();
    bytes.extend(b"\xe4\");\n}\n");
    let tree = FileTree::file("a.c", bytes);
    let cancel = Cancel::new();
    let observer =
        lapidary_crash::FailureObserver::new(Build::default(), Execution::default(), &tree, &cancel).unwrap();
    let Outcome::Failed(failure) = observer.observe(&tree, &cancel).unwrap().outcome else { panic!("it fails") };
    assert_eq!((failure.kind.clone(), stack(&failure).as_str()), (Kind::Assertion, "main:4"));
}

#[test]
fn errors_say_why_a_program_cannot_be_observed() {
    let message = |name, text| discover(name, text).map(|_| ()).unwrap_err().to_string();
    let broken = message("a.c", "int main(void) {\n  return x;\n}\n");
    assert!(broken.starts_with("the program does not compile:\na.c:2:10: error:"), "{broken}");
    let fine = message("a.c", "#include <stdio.h>\nint main(void) {\n  puts(\"hello\");\n  return 3;\n}\n");
    assert_eq!(fine, "the program does not fail: exit code 3\n  hello");
    let text = "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n  if (!isatty(0)) { perror(\"stdin\"); return 1; }\n}\n";
    let terminal = message("a.c", text);
    assert!(terminal.contains("it seems to want a terminal"), "{terminal}");
    let missing = message("a.c", "int f(void);\nint main(void) {\n  return f();\n}\n");
    assert!(missing.contains("undefined reference to"), "{missing}");
    let build = Build { compiler: Some("clang-99".into()), ..Build::default() };
    let tree = FileTree::file("a.c", "int main(void) {}\n");
    let error = lapidary_crash::FailureObserver::new(build, Execution::default(), &tree, &Cancel::new()).err().unwrap();
    assert_eq!(error.to_string(), "no compiler clang-99: install the package clang-99, or name another one");
    let nothing = FileTree::directory("p", [("a.txt".into(), lapidary_reduce::Entry::file(""))].into());
    let error =
        lapidary_crash::FailureObserver::new(Build::default(), Execution::default(), &nothing, &Cancel::new()).err();
    assert!(matches!(error, Some(CrashError::NoSource(_))));
}

#[test]
fn a_sandbox_stops_writing_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("read"), "7").unwrap();
    let text = "#include <stdio.h>\nint main(void) {\n  FILE *in = fopen(\"read\", \"r\");\n  FILE *out = fopen(\"written\", \"w\");\n  \
        if (!in) return 3;\n  if (out) fputs(\"x\", out);\n  return fgetc(in) / (out != 0);\n}\n";
    let execution = |sandbox| Execution { sandbox, directory: Some(directory.path().to_path_buf()), ..seconds(10) };
    let tree = FileTree::file("a.c", text);
    let sandbox = Sandbox::new().unwrap_or_else(|reason| panic!("this test needs a sandbox: {reason}"));
    let observer =
        lapidary_crash::FailureObserver::new(Build::default(), execution(Some(sandbox)), &tree, &Cancel::new())
            .unwrap();
    let sandboxed = observer.observe(&tree, &Cancel::new()).unwrap().outcome;
    let Outcome::Failed(failure) = sandboxed else { panic!("{sandboxed:?}") };
    assert_eq!((failure.message.as_str(), stack(&failure).as_str()), ("integer division by zero", "main:7"));
    assert!(!directory.path().join("written").exists());
    let free = outcome_of("a.c", text, Build::default(), execution(None));
    assert_eq!(free, Outcome::Passed(Ending::Exited(b'7'.into())));
    assert!(directory.path().join("written").exists());
}

#[test]
fn failures_in_a_sandbox_are_those_without() {
    let sandbox = Sandbox::new().unwrap_or_else(|reason| panic!("this test needs a sandbox: {reason}"));
    let programs: [(&str, &str, &[&str]); 8] = [
        ("a.c", "#include <assert.h>\nint main(int n, char **v) {\n  assert(n > 5);\n}\n", &[]),
        ("a.c", "#include <stdlib.h>\nint main(void) {\n  abort();\n}\n", &[]),
        ("a.c", "int main(void) {\n  int *p = 0;\n  return *p;\n}\n", &[]),
        (
            "a.c",
            "int f(int n) {\n  volatile int a[999] = {n};\n  return f(n + 1) + a[1];\n}\nint main(void) {\n  return f(0);\n}\n",
            &[],
        ),
        ("a.c", "#include <signal.h>\nint main(void) {\n  raise(SIGTERM);\n}\n", &[]),
        ("a.c", "int main(void) {\n  return 255;\n}\n", &[]),
        ("a.cpp", "#include <stdexcept>\nint main() {\n  throw std::runtime_error(\"no\");\n}\n", &[]),
        (
            "a.c",
            "#include <stdlib.h>\nint main(void) {\n  char *p = malloc(3);\n  return p[3];\n}\n",
            &["-fsanitize=address"],
        ),
    ];
    for (name, text, options) in programs {
        let outcome = |sandbox| outcome_of(name, text, flags(options), Execution { sandbox, ..seconds(20) });
        assert_eq!(outcome(None), outcome(Some(sandbox.clone())), "{text}");
    }
}
