/* Linked into a traced program: records which statements ran, the callers of each function, the
   statement that wrote each value that was read, and the last values of expressions. The trace is a
   file mapped into memory, so nothing is lost however the program ends. Its size does not depend on
   the length of the run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAIR_SLOTS (1u << 20)
#define PAGE_SLOTS (1u << 20)
#define PAGE_BITS 8
#define PAGE_BYTES (1u << PAGE_BITS)
#define DEEPEST 65536
#define PENDING 1024
#define NOBODY 0xffffffffu
#define VALUE_BYTES 128

/* The form of a recorded value. NEVER means that the expression was not computed. VARIES is added
   if it had different values. */
enum form { NEVER, PLAIN, TEXT, SOURCE, VARIES = 0x100 };

/* The last value of an expression. The size is 0 if the value was too large. */
struct value {
    uint32_t size, form;
    uint8_t bytes[VALUE_BYTES];
};

struct trace {
    uint64_t magic;
    uint32_t elements;
    uint32_t last;
    uint32_t is_incomplete;
    uint32_t pair_count;
    uint64_t pairs[PAIR_SLOTS];
    struct value values[LAPIDARY_VALUES];
    uint8_t ran[LAPIDARY_ELEMENTS];
};

/* The last writer of each byte of a page, plus 1. Pages are found by hashing. */
struct page {
    uintptr_t number;
    uint32_t *writers;
};

struct pending {
    uint32_t depth, writer;
    uintptr_t start;
    unsigned long size;
};

static struct trace *trace;
static struct page *pages;
static uint32_t page_count;
static int is_started;

static __thread uint32_t depth;
static __thread uint32_t current[DEEPEST];
static __thread struct pending pending[PENDING];
static __thread uint32_t pending_count;

static void *mapped(size_t size, int file)
{
    int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
    void *memory = mmap(0, size, PROT_READ | PROT_WRITE, flags, file, 0);
    return memory == MAP_FAILED ? 0 : memory;
}

static int is_tracing(void)
{
    if (is_started)
        return trace != 0;
    is_started = 1;
    const char *path = getenv("LAPIDARY_TRACE");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof(struct trace)) != 0)
        return 0;
    pages = mapped(PAGE_SLOTS * sizeof(struct page), -1);
    struct trace *made = mapped(sizeof(struct trace), file);
    close(file);
    if (!pages || !made)
        return 0;
    made->elements = LAPIDARY_ELEMENTS;
    made->last = NOBODY;
    made->magic = 0x315041474e4f4c4cull;
    trace = made;
    return 1;
}

static uint64_t scattered(uint64_t key)
{
    key ^= key >> 31;
    key *= 0x9e3779b97f4a7c15ull;
    return key ^ key >> 29;
}

static void note_pair(uint64_t kind, uint64_t from, uint64_t to)
{
    uint64_t key = (kind << 62 | from << 31 | to) + 1;
    for (uint64_t slot = scattered(key);; slot++) {
        uint64_t *place = &trace->pairs[slot % PAIR_SLOTS];
        if (*place == key)
            return;
        if (*place == 0) {
            if (trace->pair_count >= PAIR_SLOTS / 4 * 3) {
                trace->is_incomplete = 1;
                return;
            }
            trace->pair_count++;
            *place = key;
            return;
        }
    }
}

/* Returns the writers of a page. 0 if it is new and `is_made` is 0, or if there is no room. */
static uint32_t *writers_of(uintptr_t number, int is_made)
{
    static uint32_t *room;
    static uint32_t room_left;
    for (uint64_t slot = scattered(number);; slot++) {
        struct page *page = &pages[slot % PAGE_SLOTS];
        if (page->writers && page->number == number)
            return page->writers;
        if (page->writers)
            continue;
        if (!is_made)
            return 0;
        if (room_left == 0) {
            room = page_count < PAGE_SLOTS / 4 * 3 ? mapped(1024 * PAGE_BYTES * sizeof(uint32_t), -1) : 0;
            room_left = room ? 1024 : 0;
        }
        if (room_left == 0) {
            trace->is_incomplete = 1;
            return 0;
        }
        room_left--;
        page_count++;
        page->number = number;
        page->writers = room + room_left * PAGE_BYTES;
        return page->writers;
    }
}

static void note_write(uint32_t writer, uintptr_t start, unsigned long size)
{
    uint32_t *writers = 0;
    for (uintptr_t at = start; at < start + size; at++) {
        if (!writers || at % PAGE_BYTES == 0)
            writers = writers_of(at >> PAGE_BITS, 1);
        if (!writers)
            return;
        writers[at % PAGE_BYTES] = writer + 1;
    }
}

/* Forgets the writers of a stack frame. The next function there does not read their values. */
static void forget(uintptr_t start, uintptr_t end)
{
    for (uintptr_t at = start; at < end; at = (at / PAGE_BYTES + 1) * PAGE_BYTES) {
        uint32_t *writers = writers_of(at >> PAGE_BITS, 0);
        uintptr_t stop = (at / PAGE_BYTES + 1) * PAGE_BYTES < end ? PAGE_BYTES : (end - 1) % PAGE_BYTES + 1;
        for (uintptr_t byte = at % PAGE_BYTES; writers && byte < stop; byte++)
            writers[byte] = 0;
    }
}

/* Records the pending writes of finished statements. A write counts only after its statement, which
   may read the old value first. */
static void finish(uint32_t from)
{
    while (pending_count > 0 && pending[pending_count - 1].depth >= from) {
        struct pending *done = &pending[--pending_count];
        note_write(done->writer, done->start, done->size);
    }
}

void __lapidary_s(unsigned element)
{
    if (!is_tracing())
        return;
    finish(depth);
    trace->ran[element] = 1;
    trace->last = element;
    if (depth < DEEPEST)
        current[depth] = element + 1;
}

int __lapidary_enter(unsigned callable, unsigned element)
{
    if (!is_tracing())
        return 0;
    uint32_t caller = depth < DEEPEST ? current[depth] : 0;
    if (caller)
        note_pair(1, callable, caller - 1);
    trace->ran[element] = 1;
    depth++;
    if (depth < DEEPEST)
        current[depth] = element + 1;
    return 1;
}

__attribute__((noinline)) void __lapidary_leave(int *was_entered)
{
    if (!*was_entered)
        return;
    finish(depth);
    depth--;
    forget((uintptr_t)__builtin_frame_address(0), (uintptr_t)__builtin_frame_address(1));
}

void __lapidary_r(unsigned reader, const volatile void *place, unsigned long size)
{
    if (!is_tracing())
        return;
    uintptr_t start = (uintptr_t)place;
    uint32_t *writers = 0, last = 0;
    for (uintptr_t at = start; at < start + size; at++) {
        if (at == start || at % PAGE_BYTES == 0)
            writers = writers_of(at >> PAGE_BITS, 0);
        uint32_t writer = writers ? writers[at % PAGE_BYTES] : 0;
        if (writer && writer != last)
            note_pair(0, reader, writer - 1);
        last = writer;
    }
}

void __lapidary_w(unsigned writer, const volatile void *place, unsigned long size)
{
    if (is_tracing())
        note_write(writer, (uintptr_t)place, size);
}

void __lapidary_p(unsigned writer, const volatile void *place, unsigned long size)
{
    if (!is_tracing())
        return;
    if (pending_count == PENDING)
        finish(0);
    pending[pending_count++] = (struct pending){depth, writer, (uintptr_t)place, size};
}

/* Records the value of an expression, and whether it differs from an earlier one. */
static void note_value(unsigned expression, uint32_t form, const volatile uint8_t *bytes, unsigned long size)
{
    struct value *value = &trace->values[expression];
    uint32_t kept = size <= VALUE_BYTES ? size : 0;
    uint32_t is_other = value->form != NEVER && ((value->form & ~VARIES) != form || value->size != kept);
    for (uint32_t at = 0; at < kept; at++) {
        is_other |= value->form != NEVER && value->bytes[at] != bytes[at];
        value->bytes[at] = bytes[at];
    }
    /* Values that are too large cannot be compared, so they count as different. */
    is_other |= kept < size && value->form != NEVER;
    value->form = form | (value->form & VARIES) | (is_other ? VARIES : 0);
    value->size = kept;
}

void __lapidary_v(unsigned expression, const volatile void *place, unsigned long size)
{
    if (is_tracing())
        note_value(expression, PLAIN, place, size);
}

/* Records a text of this length, or up to its null byte if the length is ~0. The pointer may be
   invalid, so the kernel reads the text. */
void __lapidary_t(unsigned expression, const volatile void *text, unsigned long length)
{
    if (!is_tracing())
        return;
    if (!text) {
        note_value(expression, PLAIN, (const volatile uint8_t *)&text, sizeof text);
        return;
    }
    uint8_t bytes[VALUE_BYTES];
    unsigned long wanted = length < VALUE_BYTES ? length : VALUE_BYTES;
    struct iovec to = {bytes, wanted}, from = {(void *)text, wanted};
    long read = wanted ? process_vm_readv(getpid(), &to, 1, &from, 1, 0) : 0;
    for (long at = 0; at < read && length == ~0ul; at++)
        if (!bytes[at])
            length = at;
    int is_whole = read >= 0 && length <= (unsigned long)read;
    note_value(expression, is_whole ? TEXT : PLAIN, bytes, is_whole ? length : ~0ul);
}

/* Records a value as a piece of source code. */
void __lapidary_l(unsigned expression, const char *source, unsigned long size)
{
    if (is_tracing())
        note_value(expression, SOURCE, (const volatile uint8_t *)source, size);
}
