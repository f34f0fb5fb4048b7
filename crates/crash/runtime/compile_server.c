/* Loaded into gcc's compiler proper (cc1, cc1plus): reads the headers once, then forks for each
 * candidate.
 *
 * The compiler reads its source (LAPIDARY_SOURCE) into memory before the headers that it was told
 * to include first. The last of these is empty (LAPIDARY_GATE). When it is opened, all headers
 * before it have been parsed, but nothing of the source. At that point, requests are read from
 * standard input.
 *
 * A request is four lines: a directory, the source, the file for the assembly, and the file for
 * complaints. The files are relative to the directory, or have absolute paths. The child overwrites
 * the source in memory with the candidate and lets the compiler continue. The answer is a line with
 * the child's exit status, or the negative number of the signal that ended it. Another line before
 * the answer kills the child. The server exits at the end of standard input.
 *
 * Two steps that would be the same for each candidate are done once before the first fork, if the
 * compiler's functions for them can be found: instantiating the templates that inline functions of
 * the headers use, and setting up the code generator.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST = 4096, CANNOT = 120 };

/* The compiler's buffer for the source, and its size. */
static char *text;
static size_t room;
/* The file descriptor of the source, until the source is read. */
static int source = -1;

static ssize_t plain_read(int fd, void *to, size_t size)
{
    static ssize_t (*next)(int, void *, size_t);
    if (!next)
        next = (ssize_t (*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    return next(fd, to, size);
}

static int plain_open(const char *path, int flags, int mode)
{
    static int (*next)(const char *, int, ...);
    if (!next)
        next = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    return next(path, flags, mode);
}

/* Reads a line. Exits if there is none, or if it is too long to be one of ours. */
static void take_line(char *line)
{
    size_t length = 0;
    char byte;
    while (plain_read(0, &byte, 1) == 1) {
        if (byte == '\n') {
            line[length] = 0;
            return;
        }
        line[length++] = byte;
        if (length == LONGEST)
            break;
    }
    _exit(0);
}

static int put_candidate(const char *path)
{
    int fd = plain_open(path, O_RDONLY | O_CLOEXEC, 0);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) || (size_t)about.st_size > room)
        return 0;
    memset(text, '\n', room);
    size_t done = 0;
    ssize_t count;
    while (done < room && (count = plain_read(fd, text + done, room - done)) > 0)
        done += count;
    close(fd);
    return done == (size_t)about.st_size;
}

static int redirect(const char *path, int flags, int to)
{
    int fd = plain_open(path, flags, 0600);
    return fd >= 0 && dup2(fd, to) == to && (fd == to || close(fd) == 0);
}

static void become_compiler(char (*request)[LONGEST])
{
    const int out = O_WRONLY | O_CREAT | O_TRUNC;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(request[0]) || !put_candidate(request[1]) || !redirect("/dev/null", O_RDONLY, 0)
        || !redirect(request[2], out, 1) || !redirect(request[3], out, 2))
        _exit(CANNOT);
}

/* Waits until the child exits, which closes its end of the pipe `alive`, and writes the answer. */
static void answer(pid_t child, int alive)
{
    struct pollfd watched[2] = {{alive, POLLIN, 0}, {0, POLLIN, 0}};
    while (poll(watched, 2, -1) < 0 && errno == EINTR)
        ;
    if (!watched[0].revents) {
        char line[LONGEST];
        kill(child, SIGKILL);
        take_line(line);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    dprintf(1, "%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

static void prepare(void)
{
    void (*instantiate)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "_Z29instantiate_pending_templatesi");
    void (*set_up)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "_Z14initialize_rtlv");
    if (instantiate)
        instantiate(0);
    if (set_up)
        set_up();
}

static void serve(void)
{
    static char request[4][LONGEST];
    if (!text)
        _exit(CANNOT);
    prepare();
    dprintf(1, "ready\n");
    for (;;) {
        /* Skip a line that was meant to kill a child but came after it had exited. */
        do
            take_line(request[0]);
        while (!*request[0]);
        for (int line = 1; line < 4; line++)
            take_line(request[line]);
        int alive[2];
        if (pipe(alive))
            _exit(CANNOT);
        pid_t child = fork();
        if (child < 0)
            _exit(CANNOT);
        if (child == 0) {
            close(alive[0]);
            become_compiler(request);
            return;
        }
        close(alive[1]);
        answer(child, alive[0]);
        close(alive[0]);
    }
}

static int opened(const char *path, int fd)
{
    const char *named = getenv("LAPIDARY_SOURCE"), *gate = getenv("LAPIDARY_GATE");
    if (named && !text && !strcmp(path, named))
        source = fd;
    if (gate && !strcmp(path, gate)) {
        unsetenv("LAPIDARY_GATE");
        serve();
    }
    return fd;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = va_arg(more, int);
    va_end(more);
    return opened(path, plain_open(path, flags, mode));
}

int open64(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = va_arg(more, int);
    va_end(more);
    return opened(path, plain_open(path, flags | O_LARGEFILE, mode));
}

ssize_t read(int fd, void *to, size_t size)
{
    if (fd == source && fd >= 0) {
        text = to;
        room = size;
        source = -1;
    }
    return plain_read(fd, to, size);
}

/* Makes all candidates see the same working directory. */
char *getcwd(char *to, size_t size)
{
    const char *here = getenv("LAPIDARY_DIRECTORY");
    if (!here) {
        errno = ENOENT;
        return NULL;
    }
    if (!to)
        return strdup(here);
    if (strlen(here) >= size) {
        errno = ERANGE;
        return NULL;
    }
    return strcpy(to, here);
}
