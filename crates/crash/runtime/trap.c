/* Linked into the program under observation: records how it fails, then lets the failure happen.
 *
 * It is linked rather than preloaded, so that it works in static programs, does not affect the
 * programs that the observed one starts, and does not come before a sanitizer's library. All
 * functions that replace library functions are weak, so a program's own definitions win.
 *
 * LAPIDARY_TRAP names the report file. The first process to start creates it, and only the failure
 * of that process counts. A report is a sequence of lines:
 *   P number                             the id of the first process
 *   A main                               an assertion failed (main: 1 in the first process)
 *   S number code address overflow main  a signal arrived
 *   X main                               an uncaught exception, or std::terminate
 *   Z address main                       a sanitizer ends the program, if LAPIDARY_STEPS is set
 *   F pc exact sp                        a frame; exact: pc is the instruction itself, not the one
 *                                        after a call; sp: the start of its part of the stack, or 0
 *   K address length, then the bytes     a piece of memory, if LAPIDARY_STEPS is set
 *   T name length, then the bytes        a text that belongs to the report
 *   C microseconds                       the processor time used so far; the only line if a
 *                                        sanitizer ends the program without LAPIDARY_STEPS
 *   M length, then the bytes             a piece of /proc/self/maps
 *   E                                    the end of the report
 *   H                                    the process ends inside one of the program's own handlers
 *   N                                    the program starts a thread
 *
 * LAPIDARY_PROCESSOR_TIME is the limit on processor time in milliseconds.
 *
 * With LAPIDARY_PLAIN, only __assert_fail and __cxa_pure_virtual are replaced. This is for static
 * programs, where no next definition can be found, and for programs with a sanitizer, which
 * replaces the same functions.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#define WEAK __attribute__((weak))
/* Keeps our large variables apart from the program's. Only gcc passes on the section type that is
 * written into the name. */
#ifdef __clang__
#define APART
#else
#define APART __attribute__((section("lapidary_apart,\"aw\",@nobits#")))
#endif
#define KEPT_FRAMES 512
#define KEPT_THROWS 16
#define THROW_FRAMES 128
#define ALTERNATE_STACK (256 * 1024)
#define LARGEST_FILE (4 << 20)

/* The first FAULTS signals are faults: our handler calls the program's. The others end a program by
 * default, and are watched only while the program keeps that default. */
static const int watched[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGTRAP,   SIGSYS,  SIGHUP,
                              SIGINT,  SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1,   SIGUSR2, SIGXCPU,
                              SIGXFSZ, SIGPROF, SIGPOLL, SIGPWR,  SIGVTALRM, SIGSTKFLT};
enum { FAULTS = 7, WATCHED = sizeof watched / sizeof *watched };

struct frame {
    uintptr_t pc;
    int exact;
    uintptr_t sp;
};

static char path[4096] APART;
static pid_t main_process;
static int installed;
static struct sigaction of_program[WATCHED];
static char reporting;
extern void *__libc_stack_end;

#include "report.h"
#include "walk.h"
#include "steps.h"
#include "memory.h"

/* ---- signals --------------------------------------------------------------------------------- */

/* The end of this thread's stack, if pthread_create was called through us. */
static __thread uintptr_t end_of_thread;

/* Returns the end of this thread's stack, or 0 if it is unknown. */
static uintptr_t end_of_stack(void)
{
    int is_first = (pid_t)syscall(SYS_gettid) == getpid();
    return is_first ? (uintptr_t)__libc_stack_end : end_of_thread;
}

/* Returns whether a fault is a stack overflow: the address is near the stack pointer or between it
 * and the end of the stack, where all memory should be mapped. */
static int is_overflow(int number, siginfo_t *info, ucontext_t *context)
{
    uintptr_t address = (uintptr_t)info->si_addr, sp = SP(context), end = end_of_stack();
    const uintptr_t near = 64 * 1024;
    if ((number != SIGSEGV && number != SIGBUS) || info->si_code <= 0 || sp == 0)
        return 0;
    return address + near >= sp && address < (sp < end ? end : sp + near);
}

static const char *abort_message(void)
{
    struct message {
        unsigned size;
        char text[];
    } **message = dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE");
    return message && *message ? (*message)->text : NULL;
}

static struct frame stack[KEPT_FRAMES] APART;

static void report_signal(int number, siginfo_t *info, ucontext_t *context)
{
    const char *message;
    if (!begin())
        return;
    put("S", 1);
    put_field(number, 10);
    put_field(info->si_code > 0 ? info->si_code : 0, 10);
    put_field((uintptr_t)info->si_addr, 16);
    put_field(is_overflow(number, info, context), 10);
    put_field(is_main(), 10);
    put("\n", 1);
    size_t count = stack_of(context, stack, KEPT_FRAMES);
    put_frames(stack, count);
    put_memory(stack, count);
    if (number == SIGABRT && (message = abort_message()))
        put_text("abort", message, 4096);
    end();
}

/* Writes a single line outside any report. */
static void put_note(const char *line)
{
    if (is_main() && begin()) {
        put(line, strlen(line));
        finish();
    }
}

static int slot_of(int number)
{
    for (int slot = 0; slot < WATCHED; slot++)
        if (watched[slot] == number)
            return slot;
    return -1;
}

/* Returns whether an address is on the alternate stack, where signal handlers run. */
static int is_in_a_handler(uintptr_t sp)
{
    stack_t current;
    if (sigaltstack(NULL, &current) != 0 || (current.ss_flags & SS_DISABLE))
        return 0;
    return sp >= (uintptr_t)current.ss_sp && sp < (uintptr_t)current.ss_sp + current.ss_size;
}

#ifdef LAPIDARY_PLAIN
static int next_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    return sigaction(number, action, old);
}
#else
static void *next_definition(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

static int next_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    static int (*next)(int, const struct sigaction *, struct sigaction *);
    if (!next)
        *(void **)&next = next_definition("sigaction");
    return next(number, action, old);
}
#endif

static void die_of(int number)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    next_sigaction(number, &standard, NULL);
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (walker && walker == (pid_t)syscall(SYS_gettid))
        siglongjmp(escape, 1);
    int saved = errno, nested = is_in_a_handler(SP((ucontext_t *)context));
    struct sigaction *action = &of_program[slot_of(number)];
    void (*handler)(int) = action->sa_handler;
    if (handler == SIG_IGN && info->si_code <= 0 && number != SIGABRT)
        return;
    if (!nested)
        report_signal(number, info, context);
    if (handler == SIG_DFL || handler == SIG_IGN) {
        if (nested)
            put_note("H\n");
        die_of(number);
    } else {
        struct sigaction called = *action;
        if (called.sa_flags & SA_RESETHAND)
            action->sa_handler = SIG_DFL;
        if (called.sa_flags & SA_SIGINFO)
            called.sa_sigaction(number, info, context);
        else
            handler(number);
    }
    errno = saved;
}

/* ---- assertions ------------------------------------------------------------------------------ */

extern char *program_invocation_short_name;

WEAK __attribute__((noreturn)) void __assert_fail(const char *expression, const char *source, unsigned line,
                                                  const char *function)
{
    if (installed && begin()) {
        put("A", 1);
        put_field(is_main(), 10);
        put("\n", 1);
        put_text("assertion", expression, 65536);
        end();
    }
    fprintf(stderr, "%s: %s:%u: %s%sAssertion `%s' failed.\n", program_invocation_short_name, source, line,
            function ? function : "", function ? ": " : "", expression);
    fflush(stderr);
    abort();
}

#include "exceptions.h"

/* ---- replacements of library functions ------------------------------------------------------- */

#ifndef LAPIDARY_PLAIN

/* Records the stack of a throw. When an exception leaves a noexcept function, the place of the
 * throw is no longer on the stack. */
WEAK __attribute__((noreturn)) void __cxa_throw(void *object, void *type, void (*destructor)(void *))
{
    static void (*next)(void *, void *, void (*)(void *)) __attribute__((noreturn));
    unsigned slot = __atomic_fetch_add(&throw_count, 1, __ATOMIC_ACQ_REL) % KEPT_THROWS;
    throws[slot].object = object;
    throws[slot].count = own_stack(throws[slot].frames, THROW_FRAMES);
    if (!next)
        *(void **)&next = next_definition("__cxa_throw");
    next(object, type, destructor);
}

static void on_exit_inside_a_handler(void)
{
    char here;
    if (installed && is_in_a_handler((uintptr_t)&here))
        put_note("H\n");
}

__attribute__((destructor)) static void leave(void)
{
    on_exit_inside_a_handler();
}

WEAK __attribute__((noreturn)) void _exit(int code)
{
    on_exit_inside_a_handler();
    for (;;)
        syscall(SYS_exit_group, code);
}

WEAK __attribute__((noreturn)) void _Exit(int code)
{
    _exit(code);
}

/* Installs the program's action for a signal that is no fault. Our handler is used only in place of
 * the default action, which ends the program. */
static int replace_ending(int number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction ours, before;
    if (action && action->sa_handler == SIG_DFL) {
        ours = *action;
        ours.sa_sigaction = on_signal;
        ours.sa_flags |= SA_SIGINFO | SA_ONSTACK;
        action = &ours;
    }
    int result = next_sigaction(number, action, &before);
    if (before.sa_sigaction == on_signal)
        before.sa_handler = SIG_DFL;
    if (old)
        *old = before;
    return result;
}

/* Stores the program's handler for a fault. Our handler calls it after recording the failure. */
WEAK int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    int slot = slot_of(number);
    struct sigaction before;
    if (slot < 0 || !installed)
        return next_sigaction(number, action, old);
    if (slot >= FAULTS)
        return replace_ending(number, action, old);
    before = of_program[slot];
    if (action)
        of_program[slot] = *action;
    if (old)
        *old = before;
    return 0;
}

WEAK void (*signal(int number, void (*handler)(int)))(int)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

struct start {
    void *(*routine)(void *);
    void *argument;
};

static void *start_thread(void *memory)
{
    struct start start = *(struct start *)memory;
    stack_t none = {.ss_flags = SS_DISABLE}, own = {.ss_sp = memory, .ss_size = ALTERNATE_STACK};
    sigaltstack(&own, NULL);
    end_of_thread = (uintptr_t)&start;
    void *result = start.routine(start.argument);
    sigaltstack(&none, NULL);
    munmap(memory, ALTERNATE_STACK);
    return result;
}

/* Gives each thread an alternate stack, so that a stack overflow can be handled. It is mapped
 * rather than allocated, so that the program's heap does not change. */
WEAK int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static char is_noted;
    if (!__atomic_test_and_set(&is_noted, __ATOMIC_RELAXED))
        put_note("N\n");
    struct start *start = mmap(NULL, ALTERNATE_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!next)
        *(void **)&next = next_definition("pthread_create");
    if (start == MAP_FAILED)
        return next(thread, attributes, routine, argument);
    *start = (struct start){routine, argument};
    int result = next(thread, attributes, start_thread, start);
    if (result != 0)
        munmap(start, ALTERNATE_STACK);
    return result;
}

#endif

/* ---- start ----------------------------------------------------------------------------------- */

/* Handles a signal, unless it already has a handler, which can only be a sanitizer's. */
static void watch(int slot)
{
    struct sigaction current, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    if (next_sigaction(watched[slot], NULL, &current) == 0 && current.sa_handler == SIG_DFL)
        next_sigaction(watched[slot], &ours, NULL);
}

/* Ends infinite loops early. Unlike wall-clock time, processor time does not depend on what else
 * the machine does. */
static void limit_processor_time(void)
{
    const char *text = getenv("LAPIDARY_PROCESSOR_TIME");
    long milliseconds = text ? strtol(text, NULL, 10) : 0;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec limit = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000000}};
    int timer;
    if (milliseconds > 0 && syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0)
        syscall(SYS_timer_settime, timer, 0, &limit, NULL);
}

/* A sanitizer writes its own report, calls this callback, and ends the program. */
extern WEAK void __sanitizer_set_death_callback(void (*callback)(void));
/* The address that AddressSanitizer complains about, or null. */
extern WEAK void *__asan_get_report_address(void);

static void on_finding(void)
{
    if (!is_main() || !begin())
        return;
    if (!steps) {
        put_processor_time();
        finish();
        return;
    }
    put("Z", 1);
    put_field(__asan_get_report_address ? (uintptr_t)__asan_get_report_address() : 0, 16);
    put(" 1\n", 3);
    size_t count = own_stack(stack, KEPT_FRAMES);
    put_frames(stack, count);
    put_memory(stack, count);
    end();
}

__attribute__((constructor(101))) static void install(void)
{
    const char *name = getenv("LAPIDARY_TRAP");
    stack_t own = {.ss_size = ALTERNATE_STACK}, current;
    if (!name || strlen(name) >= sizeof path)
        return;
    strcpy(path, name);
    int created = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (created >= 0) {
        main_process = getpid();
        dprintf(created, "P %d\n", (int)main_process);
        syscall(SYS_close, created);
        limit_processor_time();
        follow_steps();
    }
    own.ss_sp = mmap(NULL, ALTERNATE_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own.ss_sp != MAP_FAILED && sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE))
        sigaltstack(&own, NULL);
    for (int slot = 0; slot < WATCHED; slot++)
        watch(slot);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(on_finding);
    if (_ZSt13set_terminatePFvvE)
        next_terminate = _ZSt13set_terminatePFvvE(on_terminate);
    installed = 1;
}
