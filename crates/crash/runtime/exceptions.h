/* Reports the type and text of an uncaught exception, by the C++ ABI that gcc and clang share. */

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
} throws[KEPT_THROWS] APART;
static unsigned throw_count;

static int has_virtuals(const struct type *type, const char *virtuals)
{
    return virtuals && (char *)type->virtuals == virtuals + 2 * sizeof(void *);
}

/* Returns the std::exception part of an object, or NULL. */
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

/* Copies the text of an exception. Calling `what` may run code of the program, as the library's own
 * handler would. */
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
            put_memory(throws[slot].frames, throws[slot].count);
            return;
        }
    }
    size_t count = own_stack(stack, KEPT_FRAMES);
    put_frames(stack, count);
    put_memory(stack, count);
}

static void on_terminate(void)
{
    static char what[4096] APART;
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
