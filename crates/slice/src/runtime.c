/* Linked into a traced program: notes which statements ran, who called whom, and which statement read what another one
   had written. All of it goes into a file that is mapped into memory, so that nothing is lost however the program ends,
   and none of it grows with the length of the run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAIR_SLOTS (1u << 20)
#define PAGE_SLOTS (1u << 20)
#define PAGE_BITS 8
#define PAGE_BYTES (1u << PAGE_BITS)
#define DEEPEST 65536
#define PENDING 1024
#define NOBODY 0xffffffffu

struct trace {
    uint64_t magic;
    uint32_t elements;
    uint32_t last;
    uint32_t is_incomplete;
    uint32_t pair_count;
    uint64_t pairs[PAIR_SLOTS];
    uint8_t ran[LAPIDARY_ELEMENTS];
};

/* Which statement wrote each byte last, in pages that are found by hashing. */
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

/* The writers of a page; none if it is unknown and not to be made, or if there is no more room. */
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

/* Nobody wrote what a function finds on the stack before it wrote itself. */
static void forget(uintptr_t start, uintptr_t end)
{
    for (uintptr_t at = start; at < end; at = (at / PAGE_BYTES + 1) * PAGE_BYTES) {
        uint32_t *writers = writers_of(at >> PAGE_BITS, 0);
        uintptr_t stop = (at / PAGE_BYTES + 1) * PAGE_BYTES < end ? PAGE_BYTES : (end - 1) % PAGE_BYTES + 1;
        for (uintptr_t byte = at % PAGE_BYTES; writers && byte < stop; byte++)
            writers[byte] = 0;
    }
}

/* What a statement writes is noted when it is done, for it may read the same place before. */
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
