/* Writes a report, using only functions that are safe in a signal handler. System calls are made
 * directly, since the program may define functions named `read` or `write`. */

static char buffer[8192] APART;
static size_t filled;
static int file = -1;

static void flush(void)
{
    size_t done = 0;
    while (done < filled) {
        ssize_t count = syscall(SYS_write, file, buffer + done, filled - done);
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
        put_field(frames[i].sp, 16);
        put("\n", 1);
    }
}

static void put_maps(void)
{
    static char piece[4096] APART;
    int maps = syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
    ssize_t count;
    if (maps < 0)
        return;
    while ((count = syscall(SYS_read, maps, piece, sizeof piece)) > 0) {
        put("M", 1);
        put_field(count, 10);
        put("\n", 1);
        put(piece, count);
        put("\n", 1);
    }
    syscall(SYS_close, maps);
}

/* Starts a report. Only one thread reports at a time; returns 0 if another takes too long. */
static int begin(void)
{
    for (int tries = 0; __atomic_test_and_set(&reporting, __ATOMIC_ACQUIRE); tries++) {
        if (tries == 2000)
            return 0;
        usleep(1000);
    }
    file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0) {
        __atomic_clear(&reporting, __ATOMIC_RELEASE);
        return 0;
    }
    /* Start over when the file is large: a program that handles many faults would fill the disk,
     * and only the last report counts. */
    if (lseek(file, 0, SEEK_END) > LARGEST_FILE && ftruncate(file, 0) != 0)
        filled = 0;
    return 1;
}

static void put_processor_time(void)
{
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0)
        return;
    put("C", 1);
    put_field((uintptr_t)used.tv_sec * 1000000 + used.tv_nsec / 1000, 10);
    put("\n", 1);
}

static void finish(void)
{
    flush();
    syscall(SYS_close, file);
    __atomic_clear(&reporting, __ATOMIC_RELEASE);
}

static void end(void)
{
    put_processor_time();
    put_maps();
    put("E\n", 2);
    finish();
}

static int is_main(void)
{
    return getpid() == main_process;
}
