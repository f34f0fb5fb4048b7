/* Reports memory at the moment of the failure: the stack, the program's global variables, and the
 * targets of pointers in these and in their targets. It is read through the kernel, which returns
 * an error for unmapped memory. */

#define KEPT_STACK (64 * 1024)
#define KEPT_VARIABLES (64 * 1024)
#define KEPT_OF_FRAME 2048
#define KEPT_TARGET 256
#define KEPT_TARGETS 1024

extern char __data_start[] WEAK;
extern char __start_lapidary_apart[] WEAK, __stop_lapidary_apart[] WEAK;

static size_t copy(uintptr_t address, char *place, size_t length)
{
    struct iovec here = {place, length}, there = {(void *)address, length};
    ssize_t count = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    return count < 0 ? 0 : count;
}

static void put_piece(uintptr_t address, size_t length)
{
    static char page[4096] APART;
    for (size_t done = 0; done < length;) {
        size_t wanted = length - done < sizeof page ? length - done : sizeof page;
        size_t count = copy(address + done, page, wanted);
        if (count == 0)
            return;
        put("K", 1);
        put_field(address + done, 16);
        put_field(count, 10);
        put("\n", 1);
        put(page, count);
        put("\n", 1);
        done += count;
    }
}

/* Reports the target of a pointer up to the end of its page, since the next may not be mapped. */
static void put_target(uintptr_t address)
{
    size_t to_end_of_page = 4096 - address % 4096;
    put_piece(address, to_end_of_page < KEPT_TARGET ? to_end_of_page : KEPT_TARGET);
}

static uintptr_t targets[KEPT_TARGETS] APART;
static size_t target_count APART;

/* Reports the targets of these words, if they are pointers to memory that is not reported yet. */
static void put_targets(const uintptr_t *words, size_t count, uintptr_t low, uintptr_t high)
{
    for (size_t word = 0; word < count && target_count < KEPT_TARGETS; word++) {
        size_t known = 0;
        if (words[word] < 65536 || words[word] >> 47 || (words[word] >= low && words[word] < high))
            continue;
        while (known < target_count && targets[known] != words[word])
            known++;
        if (known < target_count)
            continue;
        put_target(words[word]);
        targets[target_count++] = words[word];
    }
}

static void put_targets_in(uintptr_t start, size_t length, uintptr_t low, uintptr_t high)
{
    static uintptr_t words[KEPT_OF_FRAME / sizeof(uintptr_t)] APART;
    size_t count = copy(start, (char *)words, length < sizeof words ? length : sizeof words);
    put_targets(words, count / sizeof *words, low, high);
}

struct range {
    uintptr_t start, end;
};

/* Returns the memory of the program's global variables, before and after our own. It is empty if
 * there is too much of it. */
static void find_variables(struct range found[2])
{
    uintptr_t start = (uintptr_t)__data_start, end = (uintptr_t)_end;
    uintptr_t apart = (uintptr_t)__start_lapidary_apart, after = (uintptr_t)__stop_lapidary_apart;
    found[0] = found[1] = (struct range){0, 0};
    if (start == 0 || end == 0)
        return;
    if (apart < start || after > end)
        apart = after = end;
    if (apart - start + end - after > KEPT_VARIABLES)
        return;
    found[0] = (struct range){start, apart};
    found[1] = (struct range){after, end};
}

/* Reports the targets of pointers in the active frames and in global variables, then the targets of
 * pointers in those: an element of `row->cell` is two pointers away. */
static void put_all_targets(const struct frame *frames, size_t count, uintptr_t low, uintptr_t high)
{
    struct range variables[2];
    target_count = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        uintptr_t start = frames[i].sp, end = frames[i + 1].sp;
        if (distance(frames[i].pc) != UINT32_MAX && start < end)
            put_targets_in(start, end - start, low, high);
    }
    find_variables(variables);
    for (size_t i = 0; i < 2; i++)
        for (uintptr_t at = variables[i].start; at < variables[i].end; at += KEPT_OF_FRAME)
            put_targets_in(at, variables[i].end - at, low, high);
    for (size_t i = 0, direct = target_count; i < direct; i++)
        put_targets_in(targets[i], KEPT_TARGET, low, high);
}

static void put_variables(void)
{
    struct range variables[2];
    find_variables(variables);
    for (size_t i = 0; i < 2; i++)
        put_piece(variables[i].start, variables[i].end - variables[i].start);
}

static void put_memory(const struct frame *frames, size_t count)
{
    size_t first = 0;
    /* Skip frames outside the program: a handler may run on another stack. */
    while (first < count && distance(frames[first].pc) == UINT32_MAX)
        first++;
    if (!steps || first == count)
        return;
    uintptr_t low = frames[first].sp, high = frames[count - 1].sp + 64;
    if (high <= low)
        return;
    if (high - low > KEPT_STACK)
        high = low + KEPT_STACK;
    put_piece(low, high - low);
    put_all_targets(frames, count, low, high);
    put_variables();
}
