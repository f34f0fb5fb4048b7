/* Linked into the program under observation: sees how it fails and writes that down, then lets it fail as it would have.
 *
 * It is linked rather than preloaded, so that it works in static programs, never reaches the programs that the observed
 * one starts, and does not come before a sanitizer's library. All functions that are put in place of a library's are weak:
 * a program that has its own keeps its own.
 *
 * LAPIDARY_TRAP names the file that is written. The first process to start creates it, which makes it the one whose
 * failure counts. A report is a sequence of lines:
 *   P number                               the first process
 *   A main                                 an assertion failed
 *   S number code address overflow main    a signal arrived (main: in the first process)
 *   X main                                 an exception that nobody caught, or std::terminate
 *   F pc exact                             a frame; exact: pc is the instruction itself, not the one after a call
 *   T name length, then that many bytes    a text that belongs to the report
 *   M length, then that many bytes         a piece of /proc/self/maps
 *   E                                      the end of the report
 *   R                                      the program's own handler has returned
 *
 * Built with LAPIDARY_PLAIN, it replaces nothing but __assert_fail and __cxa_pure_virtual: for static programs, where there is no next
 * definition to be found, and for those with a sanitizer, which replaces the same functions.
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
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#define WEAK __attribute__((weak))
#define KEPT_FRAMES 512
#define KEPT_THROWS 16
#define THROW_FRAMES 128
#define ALTERNATE_STACK (256 * 1024)
#define LARGEST_FILE (4 << 20)

static const int watched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
enum { WATCHED = sizeof watched / sizeof *watched };

struct frame {
    uintptr_t pc;
    int exact;
};

static char path[4096];
static pid_t main_process;
static int installed;
static struct sigaction of_program[WATCHED];
static char reporting;
static char alternate[ALTERNATE_STACK] __attribute__((aligned(64)));

/* ---- writing -------------------------------------------------------------------------------------------------- */

static char buffer[8192];
static size_t filled;
static int file = -1;

static void flush(void)
{
    size_t done = 0;
    while (done < filled) {
        ssize_t count = write(file, buffer + done, filled - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += count;
    }
    filled = 0;
}

static void put(const char *bytes, size_t length)
{
    while (length > 0) {
        size_t room = sizeof buffer - filled;
        size_t part = length < room ? length : room;
        memcpy(buffer + filled, bytes, part);
        filled += part;
        bytes += part;
        length -= part;
        if (filled == sizeof buffer)
            flush();
    }
}

static void put_number(uintptr_t number, int base)
{
    char digits[32];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number);
    put(digits + at, sizeof digits - at);
}

static void put_field(uintptr_t number, int base)
{
    put(" ", 1);
    put_number(number, base);
}

static void put_text(const char *name, const char *text, size_t longest)
{
    size_t length = strnlen(text, longest);
    put("T ", 2);
    put(name, strlen(name));
    put_field(length, 10);
    put("\n", 1);
    put(text, length);
    put("\n", 1);
}

static void put_frames(const struct frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put("F", 1);
        put_field(frames[i].pc, 16);
        put_field(frames[i].exact, 10);
        put("\n", 1);
    }
}

static void put_maps(void)
{
    static char piece[4096];
    int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    ssize_t count;
    if (maps < 0)
        return;
    while ((count = read(maps, piece, sizeof piece)) > 0) {
        put("M", 1);
        put_field(count, 10);
        put("\n", 1);
        put(piece, count);
        put("\n", 1);
    }
    close(maps);
}

/* Only one thread reports at a time. One that waits too long goes on without a report. */
static int begin(void)
{
    for (int tries = 0; __atomic_test_and_set(&reporting, __ATOMIC_ACQUIRE); tries++) {
        if (tries == 2000)
            return 0;
        usleep(1000);
    }
    file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) {
        __atomic_clear(&reporting, __ATOMIC_RELEASE);
        return 0;
    }
    /* A program that lives on signals would fill the disk. What came last is what counts. */
    if (lseek(file, 0, SEEK_END) > LARGEST_FILE && ftruncate(file, 0) != 0)
        filled = 0;
    return 1;
}

static void end(void)
{
    put_maps();
    put("E\n", 2);
    flush();
    close(file);
    __atomic_clear(&reporting, __ATOMIC_RELEASE);
}

static int is_main(void)
{
    return getpid() == main_process;
}

/* ---- stacks --------------------------------------------------------------------------------------------------- */

#if defined __x86_64__
#define PC(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RIP])
#define SP(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RSP])
#define FP(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RBP])
#elif defined __aarch64__
#define PC(context) ((uintptr_t)(context)->uc_mcontext.pc)
#define SP(context) ((uintptr_t)(context)->uc_mcontext.sp)
#define FP(context) ((uintptr_t)(context)->uc_mcontext.regs[29])
#else
#define PC(context) ((void)(context), (uintptr_t)0)
#define SP(context) ((void)(context), (uintptr_t)0)
#define FP(context) ((void)(context), (uintptr_t)0)
#endif

struct walk {
    struct frame *frames;
    size_t count, limit;
    /* Until it has started, frames are our own; it starts with the one that has this pc. */
    uintptr_t from;
    int started;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    int exact = 0;
    uintptr_t pc = _Unwind_GetIPInfo(context, &exact);
    if (!walk->started && pc != walk->from)
        return _URC_NO_REASON;
    walk->started = 1;
    if (pc == 0 || walk->count == walk->limit)
        return _URC_END_OF_STACK;
    walk->frames[walk->count++] = (struct frame){pc, exact};
    return _URC_NO_REASON;
}

static int peek(uintptr_t address, uintptr_t *words, size_t count)
{
    struct iovec here = {words, count * sizeof *words}, there = {(void *)address, count * sizeof *words};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)(count * sizeof *words);
}

/* Where there is no unwind information, as after a call to nowhere, the chain of frame pointers goes on. */
static void follow_frame_pointers(struct walk *walk, uintptr_t frame)
{
    uintptr_t words[2];
    while (walk->count < walk->limit && frame % sizeof frame == 0 && peek(frame, words, 2) && words[1]) {
        walk->frames[walk->count++] = (struct frame){words[1], 0};
        if (words[0] <= frame)
            break;
        frame = words[0];
    }
}

/* The thread that walks over a stack which may be overwritten, and where it goes on if that ends in a fault. */
static pid_t walker;
static sigjmp_buf escape;

static void walk_carefully(struct walk *walk)
{
    walker = syscall(SYS_gettid);
    if (sigsetjmp(escape, 1) == 0)
        _Unwind_Backtrace(step, walk);
    walker = 0;
}

static size_t stack_of(ucontext_t *context, struct frame *frames, size_t limit)
{
    static struct walk walk;
    uintptr_t caller;
    walk = (struct walk){frames, 0, limit, PC(context), 0};
    walk_carefully(&walk);
    if (walk.count < 2) {
        walk.count = 0;
        frames[walk.count++] = (struct frame){PC(context), 1};
        if (peek(SP(context), &caller, 1)) {
            frames[walk.count++] = (struct frame){caller, 0};
            follow_frame_pointers(&walk, FP(context));
        }
    }
    return walk.count;
}

static size_t own_stack(struct frame *frames, size_t limit)
{
    struct walk walk = {frames, 0, limit, 0, 1};
    _Unwind_Backtrace(step, &walk);
    return walk.count;
}

/* ---- signals -------------------------------------------------------------------------------------------------- */

extern void *__libc_stack_end;

/* All between the stack pointer and the end of the stack should be there. */
static int is_overflow(int number, siginfo_t *info, ucontext_t *context)
{
    uintptr_t address = (uintptr_t)info->si_addr, sp = SP(context), end = (uintptr_t)__libc_stack_end;
    const uintptr_t near = 64 * 1024;
    if ((number != SIGSEGV && number != SIGBUS) || info->si_code <= 0 || sp == 0)
        return 0;
    return address + near >= sp && (address < sp + near || (sp < end && address < end));
}

static const char *abort_message(void)
{
    struct message {
        unsigned size;
        char text[];
    } **message = dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE");
    return message && *message ? (*message)->text : NULL;
}

static struct frame stack[KEPT_FRAMES];

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
    put_frames(stack, stack_of(context, stack, KEPT_FRAMES));
    if (number == SIGABRT && (message = abort_message()))
        put_text("abort", message, 4096);
    end();
}

static void report_return(void)
{
    if (begin()) {
        put("R\n", 2);
        end();
    }
}

static int slot_of(int number)
{
    for (int slot = 0; slot < WATCHED; slot++)
        if (watched[slot] == number)
            return slot;
    return -1;
}

static int in_a_handler(ucontext_t *context)
{
    stack_t current;
    uintptr_t sp = SP(context);
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
    int saved = errno, nested = in_a_handler(context);
    struct sigaction *action = &of_program[slot_of(number)];
    void (*handler)(int) = action->sa_handler;
    if (handler == SIG_IGN && info->si_code <= 0 && number != SIGABRT)
        return;
    if (!nested)
        report_signal(number, info, context);
    if (handler == SIG_DFL || handler == SIG_IGN) {
        die_of(number);
    } else {
        struct sigaction called = *action;
        if (called.sa_flags & SA_RESETHAND)
            action->sa_handler = SIG_DFL;
        if (called.sa_flags & SA_SIGINFO)
            called.sa_sigaction(number, info, context);
        else
            handler(number);
        if (!nested)
            report_return();
    }
    errno = saved;
}

/* ---- assertions ----------------------------------------------------------------------------------------------- */

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

/* ---- exceptions ----------------------------------------------------------------------------------------------- */

struct type {
    void **virtuals;
    const char *name;
};

struct derived_type {
    struct type type;
    const struct type *base;
};

struct multiply_derived_type {
    struct type type;
    unsigned flags, count;
    struct {
        const struct type *base;
        long place;
    } bases[];
};

extern char _ZTVN10__cxxabiv120__si_class_type_infoE[] WEAK;
extern char _ZTVN10__cxxabiv121__vmi_class_type_infoE[] WEAK;
extern struct type *__cxa_current_exception_type(void) WEAK;
extern void _ZSt17current_exceptionv(void **) WEAK;
extern void (*_ZSt13set_terminatePFvvE(void (*)(void)))(void) WEAK;

extern void _ZSt9terminatev(void) WEAK;

static void (*next_terminate)(void);
static const char *reason;

static struct {
    void *object;
    struct frame frames[THROW_FRAMES];
    size_t count;
} throws[KEPT_THROWS];
static unsigned throw_count;

static int has_virtuals(const struct type *type, const char *virtuals)
{
    return virtuals && (char *)type->virtuals == virtuals + 2 * sizeof(void *);
}

/* The part of an object that is a std::exception, if there is one. */
static void *exception_part(const struct type *type, char *object)
{
    if (strcmp(type->name, "St9exception") == 0)
        return object;
    if (has_virtuals(type, _ZTVN10__cxxabiv120__si_class_type_infoE))
        return exception_part(((const struct derived_type *)type)->base, object);
    if (!has_virtuals(type, _ZTVN10__cxxabiv121__vmi_class_type_infoE))
        return NULL;
    const struct multiply_derived_type *multiple = (const void *)type;
    for (unsigned i = 0; i < multiple->count; i++) {
        long place = multiple->bases[i].place, offset = place >> 8;
        char *base = object + (place & 1 ? *(long *)(*(char **)object + offset) : offset);
        void *found = exception_part(multiple->bases[i].base, base);
        if (found)
            return found;
    }
    return NULL;
}

/* Copies what an exception says about itself. It may run code of the program's, as the library does in this case too. */
static void describe(const struct type *type, void *object, char *text, size_t room)
{
    const char *name = type->name[0] == '*' ? type->name + 1 : type->name;
    void *exception = exception_part(type, object);
    text[0] = 0;
    if (exception) {
        const char *(*what)(void *) = (*(const char *(***)(void *))exception)[2];
        snprintf(text, room, "%s", what(exception));
    } else if (strcmp(name, "PKc") == 0 || strcmp(name, "Pc") == 0) {
        snprintf(text, room, "%s", *(const char **)object ? *(const char **)object : "(null)");
    } else if (strcmp(name, "i") == 0) {
        snprintf(text, room, "%d", *(int *)object);
    }
}

static void put_throw(void *object)
{
    unsigned last = __atomic_load_n(&throw_count, __ATOMIC_ACQUIRE);
    for (unsigned back = 1; object && back <= KEPT_THROWS && back <= last; back++) {
        unsigned slot = (last - back) % KEPT_THROWS;
        if (throws[slot].object == object) {
            put_frames(throws[slot].frames, throws[slot].count);
            return;
        }
    }
    put_frames(stack, own_stack(stack, KEPT_FRAMES));
}

static void on_terminate(void)
{
    static char what[4096];
    const struct type *type = __cxa_current_exception_type ? __cxa_current_exception_type() : NULL;
    void *object = NULL;
    if (type && _ZSt17current_exceptionv)
        _ZSt17current_exceptionv(&object);
    if (type && object)
        describe(type, object, what, sizeof what);
    if (begin()) {
        put("X", 1);
        put_field(is_main(), 10);
        put("\n", 1);
        if (type)
            put_text("type", type->name[0] == '*' ? type->name + 1 : type->name, 65536);
        if (what[0])
            put_text("what", what, sizeof what);
        if (reason)
            put_text("reason", reason, 256);
        put_throw(object);
        end();
    }
    if (next_terminate)
        next_terminate();
    abort();
}

WEAK void __cxa_pure_virtual(void)
{
    static const char message[] = "pure virtual method called";
    reason = message;
    dprintf(STDERR_FILENO, "%s\n", message);
    if (_ZSt9terminatev)
        _ZSt9terminatev();
    abort();
}

/* ---- what is replaced in the library -------------------------------------------------------------------------- */

#ifndef LAPIDARY_PLAIN

/* Where an exception comes from is no longer on the stack when a function that must not throw lets it out. */
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

/* The program's handler is called by ours, so that a failure is seen first. */
WEAK int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    int slot = slot_of(number);
    struct sigaction before;
    if (slot < 0 || !installed)
        return next_sigaction(number, action, old);
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
    void *result = start.routine(start.argument);
    sigaltstack(&none, NULL);
    munmap(memory, ALTERNATE_STACK);
    return result;
}

/* A thread that overflows its stack needs another one to be seen on. The heap is left as the program has it. */
WEAK int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
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

/* ---- the beginning -------------------------------------------------------------------------------------------- */

/* A signal that somebody watches already, which is a sanitizer at this moment, is left to them. */
static void watch(int slot)
{
    struct sigaction current, ours = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&ours.sa_mask);
    if (next_sigaction(watched[slot], NULL, &current) == 0 && current.sa_handler == SIG_DFL)
        next_sigaction(watched[slot], &ours, NULL);
}

__attribute__((constructor(101))) static void install(void)
{
    const char *name = getenv("LAPIDARY_TRAP");
    stack_t own = {.ss_sp = alternate, .ss_size = sizeof alternate}, current;
    if (!name || strlen(name) >= sizeof path)
        return;
    strcpy(path, name);
    int created = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (created >= 0) {
        main_process = getpid();
        dprintf(created, "P %d\n", (int)main_process);
        close(created);
    }
    if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE))
        sigaltstack(&own, NULL);
    for (int slot = 0; slot < WATCHED; slot++)
        watch(slot);
    if (_ZSt13set_terminatePFvvE)
        next_terminate = _ZSt13set_terminatePFvvE(on_terminate);
    installed = 1;
}
