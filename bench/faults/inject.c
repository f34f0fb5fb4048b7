/* Runs a program, numbers its calls of the system, and makes one of them fail.
 *
 * usage: inject LOG ACTION NUMBER CLASSES COMMAND...
 *
 * Only the threads of the program itself are followed, not the processes that it starts. Calls are
 * numbered from 1 once the program's own code runs (the Rust runtime begins with `poll`). LOG gets
 * a line for each numbered call that succeeded or was hit, with what a replay needs to know:
 *
 *   NUMBER CLASS FIELDS...          fields are separated by tabs
 *   hit NUMBER CLASS FIELDS...      the call that the fault was injected into
 *   end exit CODE | end signal SIGNAL
 *
 * ACTION is one of
 *   none                  only log
 *   kill-before           SIGKILL before the call takes effect
 *   kill-after            SIGKILL after it took effect
 *   term                  SIGTERM right after the call
 *   short                 a write takes only half of what it was given
 *   ENOSPC, EIO, ...      the call fails with this error
 *   ENOSPC+, ...          it and every later call of the same CLASSES fails with this error
 *
 * CLASSES is `all` or a list with commas: only calls of these classes are numbered.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/ptrace.h>

#if !defined(__x86_64__)
#error "inject sets registers of x86-64 only"
#endif

enum shape { PATH, AT_PATH, TWO_PATHS, TWO_AT_PATHS, SYMLINK, SYMLINK_AT, OPEN, OPEN_AT, WRITE, SYNC, TRUNCATE, MODE,
             READ, PLAIN };

struct call {
    long number;
    const char *class;
    enum shape shape;
};

static const struct call CALLS[] = {
    {SYS_write, "write", WRITE},         {SYS_pwrite64, "write", WRITE},
    {SYS_writev, "write", PLAIN},        {SYS_open, "open", OPEN},
    {SYS_openat, "open", OPEN_AT},       {SYS_rename, "rename", TWO_PATHS},
    {SYS_renameat, "rename", TWO_AT_PATHS}, {SYS_renameat2, "rename", TWO_AT_PATHS},
    {SYS_mkdir, "mkdir", PATH},          {SYS_mkdirat, "mkdir", AT_PATH},
    {SYS_unlink, "unlink", PATH},        {SYS_unlinkat, "unlink", AT_PATH},
    {SYS_rmdir, "rmdir", PATH},          {SYS_link, "link", TWO_PATHS},
    {SYS_linkat, "link", TWO_AT_PATHS},  {SYS_symlink, "symlink", SYMLINK},
    {SYS_symlinkat, "symlink", SYMLINK_AT}, {SYS_fsync, "fsync", SYNC},
    {SYS_fdatasync, "fsync", SYNC},      {SYS_ftruncate, "truncate", TRUNCATE},
    {SYS_fchmod, "chmod", PLAIN},        {SYS_chmod, "chmod", MODE},
    {SYS_fchmodat, "chmod", PLAIN},      {SYS_mmap, "memory", PLAIN},
    {SYS_clone, "spawn", PLAIN},         {SYS_clone3, "spawn", PLAIN},
    {SYS_fork, "spawn", PLAIN},          {SYS_vfork, "spawn", PLAIN},
    {SYS_pipe2, "pipe", PLAIN},          {SYS_socketpair, "pipe", PLAIN},
    {SYS_copy_file_range, "copy", PLAIN}, {SYS_sendfile, "copy", PLAIN},
    {SYS_read, "read", READ},            {SYS_pread64, "read", READ},
    {SYS_getdents64, "readdir", PLAIN},
};

struct thread {
    pid_t id;
    const struct call *call; /* the numbered call it is in */
    uint64_t arguments[6];
    unsigned long number;
    char fields[3 * PATH_MAX];
    int is_hit;
};

static struct thread threads[4096];
static size_t thread_count;
static FILE *records;
static const char *action, *classes;
static unsigned long wanted, counted;
static int is_armed, is_sticky, wanted_error, was_hit;
static pid_t leader;

static struct thread *thread_of(pid_t id) {
    for (size_t at = 0; at < thread_count; at++)
        if (threads[at].id == id) return &threads[at];
    if (thread_count == sizeof threads / sizeof *threads) abort();
    memset(&threads[thread_count], 0, sizeof *threads);
    threads[thread_count].id = id;
    return &threads[thread_count++];
}

static size_t copy_in(uint64_t address, void *to, size_t length) {
    struct iovec here = {to, length}, there = {(void *)address, length};
    ssize_t got = process_vm_readv(leader, &here, 1, &there, 1, 0);
    return got < 0 ? 0 : (size_t)got;
}

static void text_at(uint64_t address, char *to) {
    size_t length = 0;
    while (length < PATH_MAX - 1 && copy_in(address + length, to + length, 1) == 1 && to[length]) length++;
    to[length] = 0;
}

/* The absolute path of a path argument. */
static void path_of(int directory, uint64_t address, char *to) {
    char name[PATH_MAX], link[64], base[PATH_MAX];
    text_at(address, name);
    if (name[0] == '/') {
        strcpy(to, name);
        return;
    }
    if (directory == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", leader);
    else snprintf(link, sizeof link, "/proc/%d/fd/%d", leader, directory);
    ssize_t got = readlink(link, base, sizeof base - 1);
    base[got < 0 ? 0 : got] = 0;
    snprintf(to, PATH_MAX, "%.2000s/%.2000s", base, name);
}

static int state_of(int descriptor, struct stat *state) {
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", leader, descriptor);
    return stat(link, state);
}

static unsigned long long position_of(int descriptor) {
    char name[64];
    unsigned long long position = 0;
    unsigned flags = 0;
    struct stat state;
    snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", leader, descriptor);
    FILE *info = fopen(name, "r");
    if (!info) return 0;
    if (fscanf(info, "pos: %llu flags: %o", &position, &flags) != 2) position = 0;
    fclose(info);
    if (flags & O_APPEND && state_of(descriptor, &state) == 0) position = state.st_size;
    return position;
}

static void describe(struct thread *thread) {
    uint64_t *with = thread->arguments;
    char one[PATH_MAX] = "", two[PATH_MAX] = "";
    struct stat state = {0};
    char *to = thread->fields;
    size_t size = sizeof thread->fields;
    *to = 0;
    switch (thread->call->shape) {
    case PATH: path_of(AT_FDCWD, with[0], one); snprintf(to, size, "%s", one); break;
    case MODE: path_of(AT_FDCWD, with[0], one); snprintf(to, size, "%s\t%o", one, (unsigned)with[1]); break;
    case AT_PATH: path_of((int)with[0], with[1], one); snprintf(to, size, "%s", one); break;
    case OPEN: path_of(AT_FDCWD, with[0], one); snprintf(to, size, "%s\t%u", one, (unsigned)with[1]); break;
    case OPEN_AT: path_of((int)with[0], with[1], one); snprintf(to, size, "%s\t%u", one, (unsigned)with[2]); break;
    case TWO_PATHS:
        path_of(AT_FDCWD, with[0], one), path_of(AT_FDCWD, with[1], two);
        snprintf(to, size, "%s\t%s\t0", one, two);
        break;
    case TWO_AT_PATHS:
        path_of((int)with[0], with[1], one), path_of((int)with[2], with[3], two);
        snprintf(to, size, "%s\t%s\t%u", one, two, thread->call->number == SYS_renameat2 ? (unsigned)with[4] : 0);
        break;
    case SYMLINK: text_at(with[0], one), path_of(AT_FDCWD, with[1], two); snprintf(to, size, "%s\t%s", one, two); break;
    case SYMLINK_AT: text_at(with[0], one), path_of((int)with[1], with[2], two); snprintf(to, size, "%s\t%s", one, two); break;
    case WRITE:
        state_of((int)with[0], &state);
        snprintf(to, size, "%d\t%s\t%lu\t%llu", (int)with[0], S_ISREG(state.st_mode) ? "file" : "stream",
                 (unsigned long)state.st_ino,
                 thread->call->number == SYS_pwrite64 ? (unsigned long long)with[3] : position_of((int)with[0]));
        break;
    case SYNC: state_of((int)with[0], &state); snprintf(to, size, "%lu", (unsigned long)state.st_ino); break;
    case TRUNCATE:
        state_of((int)with[0], &state);
        snprintf(to, size, "%lu\t%lld", (unsigned long)state.st_ino, (long long)with[1]);
        break;
    case READ:
        state_of((int)with[0], &state);
        snprintf(to, size, "%s", S_ISREG(state.st_mode) ? "file" : "stream");
        break;
    case PLAIN: break;
    }
}

static int is_in_classes(const char *class) {
    if (!strcmp(classes, "all")) return 1;
    size_t length = strlen(class);
    for (const char *at = classes; (at = strstr(at, class)); at += length)
        if ((at == classes || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
    return 0;
}

static const struct call *call_of(long number) {
    for (size_t at = 0; at < sizeof CALLS / sizeof *CALLS; at++)
        if (CALLS[at].number == number) return is_in_classes(CALLS[at].class) ? &CALLS[at] : NULL;
    return NULL;
}

static void enter(struct thread *thread, const struct ptrace_syscall_info *info) {
    thread->call = NULL;
    is_armed |= info->entry.nr == SYS_poll;
    const struct call *call = is_armed ? call_of(info->entry.nr) : NULL;
    if (!call) return;
    thread->call = call;
    memcpy(thread->arguments, info->entry.args, sizeof thread->arguments);
    describe(thread);
    /* Pipes to other processes do not fail like a disk; standard output and error may. */
    int is_file = strstr(thread->fields, "file") != NULL;
    int is_pipe = call->shape == WRITE && wanted_error && !is_file && (is_sticky || thread->arguments[0] > 2);
    if ((call->shape == READ && !is_file) || is_pipe) {
        thread->call = NULL;
        return;
    }
    thread->number = ++counted;
    thread->is_hit = counted == wanted || (is_sticky && counted > wanted);
    if (!thread->is_hit) return;
    if (!was_hit) {
        fprintf(records, "hit %lu\t%s\t%s\n", counted, call->class, thread->fields);
        fflush(records);
    }
    was_hit = 1;
    struct user_regs_struct registers;
    if (!strcmp(action, "kill-before")) kill(leader, SIGKILL);
    if (ptrace(PTRACE_GETREGS, thread->id, 0, &registers)) return;
    if (!strcmp(action, "short") && call->shape == WRITE) registers.rdx = (registers.rdx + 1) / 2;
    if (wanted_error) registers.orig_rax = -1;
    ptrace(PTRACE_SETREGS, thread->id, 0, &registers);
}

static void write_data(uint64_t address, size_t length) {
    unsigned char part[4096];
    fputc('\t', records);
    while (length) {
        size_t got = copy_in(address, part, length < sizeof part ? length : sizeof part);
        if (!got) break;
        for (size_t at = 0; at < got; at++) fprintf(records, "%02x", part[at]);
        address += got, length -= got;
    }
}

static void leave(struct thread *thread, const struct ptrace_syscall_info *info) {
    const struct call *call = thread->call;
    thread->call = NULL;
    if (!call) return;
    int64_t returned = info->exit.rval;
    if (thread->is_hit && wanted_error) {
        struct user_regs_struct registers;
        if (ptrace(PTRACE_GETREGS, thread->id, 0, &registers)) return;
        registers.rax = -(long)wanted_error;
        ptrace(PTRACE_SETREGS, thread->id, 0, &registers);
        return;
    }
    if (thread->is_hit && !strcmp(action, "kill-after")) kill(leader, SIGKILL);
    if (thread->is_hit && !strcmp(action, "term")) kill(leader, SIGTERM);
    if (returned < 0) return;
    fprintf(records, "%lu\t%s\t%s", thread->number, call->class, thread->fields);
    struct stat state = {0};
    if (call->shape == OPEN || call->shape == OPEN_AT) {
        state_of((int)returned, &state);
        fprintf(records, "\t%lu\t%s", (unsigned long)state.st_ino, S_ISDIR(state.st_mode) ? "directory" : "file");
    }
    if (call->shape == WRITE && strstr(thread->fields, "\tfile\t"))
        write_data(thread->arguments[1], (size_t)returned);
    fputc('\n', records);
}

static void stopped(pid_t id, int status) {
    struct thread *thread = thread_of(id);
    struct ptrace_syscall_info info;
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
        if (ptrace(PTRACE_GET_SYSCALL_INFO, id, sizeof info, &info) > 0) {
            if (info.op == PTRACE_SYSCALL_INFO_ENTRY) enter(thread, &info);
            if (info.op == PTRACE_SYSCALL_INFO_EXIT) leave(thread, &info);
        }
        signal = 0;
    } else if (status >> 16 || (signal == SIGSTOP && id != leader)) {
        signal = 0; /* an event of ptrace, or the first stop of a new thread */
    }
    /* After the only fault nothing is left to see. */
    int is_over = was_hit && !is_sticky && !thread->is_hit;
    ptrace(is_over ? PTRACE_CONT : PTRACE_SYSCALL, id, 0, signal);
}

static int error_named(const char *name) {
    static const struct { const char *name; int error; } ERRORS[] = {
        {"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN},
        {"EDQUOT", EDQUOT}, {"EACCES", EACCES}, {"EINTR", EINTR}};
    for (size_t at = 0; at < sizeof ERRORS / sizeof *ERRORS; at++)
        if (!strncmp(name, ERRORS[at].name, strlen(ERRORS[at].name))) return ERRORS[at].error;
    return 0;
}

int main(int count, char **words) {
    if (count < 6) {
        fprintf(stderr, "usage: inject LOG ACTION NUMBER CLASSES COMMAND...\n");
        return 2;
    }
    records = fopen(words[1], "we");
    if (!records) return perror(words[1]), 2;
    action = words[2], wanted = strtoul(words[3], NULL, 10), classes = words[4];
    wanted_error = error_named(action);
    is_sticky = strchr(action, '+') != NULL;
    leader = fork();
    if (leader == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        execv(words[5], words + 5);
        _exit(126);
    }
    int status, last = 0;
    waitpid(leader, &status, 0);
    ptrace(PTRACE_SETOPTIONS, leader, 0,
           PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    ptrace(PTRACE_SYSCALL, leader, 0, 0);
    for (pid_t id; (id = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (id > 0 && WIFSTOPPED(status)) stopped(id, status);
        else if (id == leader) {
            last = status;
            break;
        }
    }
    if (WIFSIGNALED(last)) fprintf(records, "end signal %d\n", WTERMSIG(last));
    else fprintf(records, "end exit %d\n", WEXITSTATUS(last));
    fclose(records);
    return WIFSIGNALED(last) ? 128 + WTERMSIG(last) : WEXITSTATUS(last);
}
