/* Records each basic block that the program's first thread enters, in order.
 *
 * The compiler calls __sanitizer_cov_trace_pc at the start of every block. LAPIDARY_STEPS names the
 * file for the blocks. It is a ring, which keeps the end of a long run. Numbers are in the byte
 * order of the machine.
 *   head  the start address of the program, the number of blocks entered, 48 unused bytes
 *   step  the start of the block and the return address of its function, both relative to the start
 *         of the program; the distance of the function's frame from the end of the stack; an unused
 *         word
 */

#define KEPT_STEPS (1u << 20)

struct step {
    uint32_t pc, returns_to, frame, unused;
};

struct steps {
    uint64_t start, count, unused[6];
    struct step ring[KEPT_STEPS];
};

extern char __executable_start[] WEAK;
extern char _end[] WEAK;

static struct steps *steps;
static __thread char is_first_thread;

static uint32_t distance(uintptr_t address)
{
    uintptr_t start = (uintptr_t)__executable_start;
    return address >= start && address < (uintptr_t)_end ? address - start : UINT32_MAX;
}

void __sanitizer_cov_trace_pc(void)
{
    if (!steps || !is_first_thread)
        return;
    uintptr_t *frame = __builtin_frame_address(1);
    struct step *step = &steps->ring[steps->count++ % KEPT_STEPS];
    step->pc = distance((uintptr_t)__builtin_return_address(0));
    step->returns_to = distance(frame[1]);
    step->frame = (uintptr_t)__libc_stack_end - (uintptr_t)frame;
}

/* Stops recording in a child process, which shares the ring. */
static void forget_steps(void)
{
    steps = NULL;
}

static void follow_steps(void)
{
    const char *name = getenv("LAPIDARY_STEPS");
    int ring = name ? syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (ring < 0)
        return;
    void *memory = MAP_FAILED;
    if (ftruncate(ring, sizeof *steps) == 0)
        memory = mmap(NULL, sizeof *steps, PROT_READ | PROT_WRITE, MAP_SHARED, ring, 0);
    syscall(SYS_close, ring);
    if (memory == MAP_FAILED)
        return;
    pthread_atfork(NULL, NULL, forget_steps);
    is_first_thread = 1;
    steps = memory;
    steps->start = (uintptr_t)__executable_start;
}
