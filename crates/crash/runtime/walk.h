/* Walks the stack, even if it has been overwritten. */

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
    /* The pc of the first frame to keep. Frames before it are our own. */
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
    walk->frames[walk->count++] = (struct frame){pc, exact, _Unwind_GetCFA(context)};
    return _URC_NO_REASON;
}

static int peek(uintptr_t address, uintptr_t *words, size_t count)
{
    struct iovec here = {words, count * sizeof *words}, there = {(void *)address, count * sizeof *words};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)(count * sizeof *words);
}

/* Follows the chain of frame pointers where there is no unwind information, as after a call through
 * an invalid pointer. */
static void follow_frame_pointers(struct walk *walk, uintptr_t frame)
{
    uintptr_t words[2];
    while (walk->count < walk->limit && frame % sizeof frame == 0 && peek(frame, words, 2) && words[1]) {
        walk->frames[walk->count++] = (struct frame){words[1], 0, frame + 2 * sizeof frame};
        if (words[0] <= frame)
            break;
        frame = words[0];
    }
}

/* The thread that is walking a stack, and the point where it continues after a fault. */
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
        frames[walk.count++] = (struct frame){PC(context), 1, SP(context)};
        if (peek(SP(context), &caller, 1)) {
            frames[walk.count++] = (struct frame){caller, 0, SP(context) + sizeof caller};
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
