"""Faults in C. Each function makes one, with numbers and names by chance: see `generate.Fault`."""

from generate import Fault

SANITIZED = ["-fsanitize=address"]


def assert_in_condition(names):
    name, limit, wrong = names.word(), names.word(), names.number(5, 9)
    return Fault("assert", f"""
static int {limit}_limit = 3;
static void check_{name}(int v)
{{
    int w = v - 1;
    if (w > {limit}_limit) {{ //! guard
        assert(w == {wrong}); //! fail
    }}
}}
""", f"check_{name}({{}})", [1, 2, 3, wrong + 1], [wrong + 2, wrong + 5], ["<assert.h>"])


def assert_of_result(names):
    name, factor = names.word(), names.number(2, 4)
    return Fault("assert", f"""
static int times_{name}(int x)
{{
    int r = x;
    for (int i = 1; i < {factor}; i++)
        r += x;
    return r;
}}
static void verify_{name}(int v)
{{
    int b = times_{name}(v);
    assert(b < {factor * 5}); //! fail
}}
""", f"verify_{name}({{}})", [1, 2, 4], [5, 6, 8], ["<assert.h>"])


def assert_of_two(names):
    low, high, name = names.word(), names.word(), names.word()
    offset = names.number(1, 3)
    return Fault("assert", f"""
struct {name}_range {{
    int {low};
    int {high};
}};
static void narrow(struct {name}_range *range, int v)
{{
    range->{low} = v;
    if (range->{high} > {10 + offset})
        range->{high} = {10 + offset};
    assert(range->{low} <= range->{high}); //! fail
}}
static void use_{name}(int v)
{{
    struct {name}_range range = {{0, 100}};
    narrow(&range, 1);
    narrow(&range, v); //! call
}}
""", f"use_{name}({{}})", [0, 3, 10], [12 + offset, 40], ["<assert.h>"])


def assert_on_global(names):
    total, name = names.word(), names.word()
    cap = names.number(20, 30)
    return Fault("assert", f"""
static int {total}_total;
static void add_{name}(int v)
{{
    {total}_total += v;
    if (v > 10) //! guard
        assert({total}_total <= {cap}); //! fail
}}
""", f"add_{name}({{}})", [1, 2, 3], [cap + 1, cap + 9], ["<assert.h>"], before=[f"add_{name}(2);"])


def lookup(names, kind, fields, use, headers=()):
    """A linked list that is searched; what is not found is used."""
    name, keys = names.word(), names.random.sample(range(1, 20), 3)
    functions = f"""
struct {name} {{
{fields}    int key;
    struct {name} *next;
}};
static struct {name} *all_{name}s;
static void insert_{name}(int key)
{{
    struct {name} *it = calloc(1, sizeof *it);
    it->key = key;
    it->next = all_{name}s;
    all_{name}s = it;
}}
static struct {name} *find_{name}(int key)
{{
    for (struct {name} *it = all_{name}s; it != NULL; it = it->next)
        if (it->key == key)
            return it;
    return NULL;
}}
static int use_{name}(int key)
{{
    struct {name} *found = find_{name}(key);
{use}
}}
"""
    setup = [f"insert_{name}({key});" for key in keys]
    missing = [key for key in range(1, 24) if key not in keys]
    return Fault(kind, functions, f"use_{name}({{}})", keys, names.random.sample(missing, 2), list(headers), setup,
                 [f"use_{name}({names.choice(keys)});"])


def null_first_member(names):
    return lookup(names, "null", "    int amount;\n", "    return found->amount; //! fail")


def null_later_member(names):
    size = names.choice([12, 24, 40])
    return lookup(names, "null", f"    char label[{size}];\n    int amount;\n", """    int old = key * 2;
    found->amount = old; //! fail
    return old;""")


def null_behind_condition(names):
    return lookup(names, "null", "    int amount;\n    int count;\n", """    int wanted = key + 1;
    if (wanted > 1) { //! guard
        found->count += wanted; //! fail
    }
    return wanted;""")


def null_text(names):
    return lookup(names, "null", "    int amount;\n    char label[8];\n", """    const char *label = found ? found->label : NULL;
    return (int)strlen(label); //! fail""", ["<string.h>"])


def pop_of_empty(names):
    name, offset = names.word(), names.choice(["", "    int weight;\n", "    char label[16];\n"])
    return Fault("null", f"""
struct {name} {{
{offset}    int value;
    struct {name} *next;
}};
struct {name}_list {{
    int size;
    struct {name} *head;
}};
static void push_{name}(struct {name}_list *list, int value)
{{
    struct {name} *it = calloc(1, sizeof *it);
    it->value = value;
    it->next = list->head;
    list->head = it;
    list->size++;
}}
static int pop_{name}(struct {name}_list *list)
{{
    struct {name} *it = list->head;
    int value = it->value; //! fail
    list->head = it->next;
    list->size--;
    free(it);
    return value;
}}
static void take_{name}s(int n)
{{
    struct {name}_list list = {{0, NULL}};
    push_{name}(&list, 4);
    push_{name}(&list, 5);
    push_{name}(&list, 6);
    for (int i = 0; i < n; i++)
        pop_{name}(&list); //! call
}}
""", f"take_{name}s({{}})", [1, 2, 3], [4, 5])


def null_function(names):
    name = names.word()
    return Fault("null", f"""
static int {name}_total;
static void {name}_add(int v)
{{
    {name}_total += v;
}}
static void {name}_drop(int v)
{{
    {name}_total -= v;
}}
static void (*{name}_actions[6])(int) = {{{name}_add, {name}_drop, {name}_add}};
static void act_{name}(int v)
{{
    int slot = v % 6;
    {name}_actions[slot](v); //! fail
}}
""", f"act_{name}({{}})", [0, 1, 2, 6], [3, 4, 5, 9])


def unset_global(names):
    name = names.word()
    return Fault("null", f"""
struct {name}_settings {{
    int width;
    int depth;
}};
static struct {name}_settings default_{name} = {{3, 4}};
static struct {name}_settings *current_{name};
static void choose_{name}(int level)
{{
    current_{name} = NULL;
    if (level < 4)
        current_{name} = &default_{name};
}}
static void open_{name}(int level)
{{
    choose_{name}(level);
    current_{name}->depth++; //! fail
}}
""", f"open_{name}({{}})", [1, 2, 3], [4, 7])


def zero_divisor(names):
    name, zero = names.word(), names.number(3, 9)
    return Fault("division", f"""
static int share_{name}(int whole, int parts)
{{
    int used = parts - {zero};
    return whole / used; //! fail
}}
static void split_{name}(int v)
{{
    int whole = v * 7;
    share_{name}(whole, v); //! call
}}
""", f"split_{name}({{}})", [1, 2, zero + 1], [zero])


def zero_modulus(names):
    name = names.word()
    return Fault("division", f"""
static int buckets_{name} = 8;
static int shrink_{name}(int times)
{{
    int n = buckets_{name};
    while (times > 0) {{
        n /= 2;
        times--;
    }}
    return n;
}}
static int slot_{name}(int times)
{{
    int n = shrink_{name}(times);
    if (times >= 0) //! guard
        return 100 % n; //! fail
    return 0;
}}
""", f"slot_{name}({{}})", [0, 1, 2, 3], [4, 5])


def mean_of_none(names):
    name, limit = names.word(), names.number(5, 9)
    return Fault("division", f"""
static int {name}_values[] = {{2, {limit}, 4, {limit - 1}}};
static int mean_{name}(int least)
{{
    int sum = 0;
    int count = 0;
    for (int i = 0; i < 4; i++) {{
        if ({name}_values[i] >= least) {{
            sum += {name}_values[i];
            count++;
        }}
    }}
    return sum / count; //! fail
}}
""", f"mean_{name}({{}})", [0, 2, limit], [limit + 1, limit + 4])


def wrong_field(names):
    name = names.word()
    return Fault("division", f"""
struct {name} {{
    int price;
    int pieces;
}};
static struct {name} make_{name}(int price)
{{
    struct {name} it = {{price, price > 6 ? 0 : 2}};
    return it;
}}
static int each_{name}(struct {name} it)
{{
    int total = it.price * 10;
    return total / it.pieces; //! fail
}}
static void sell_{name}(int v)
{{
    struct {name} it = make_{name}(v);
    each_{name}(it); //! call
}}
""", f"sell_{name}({{}})", [1, 4, 6], [7, 8, 11])


def wild_index(names):
    name, far = names.word(), names.choice([1000000, 3000000])
    return Fault("wild index", f"""
static int {name}_table[8];
static void set_{name}(int slot, int value)
{{
    int at = slot * {far};
    if (value >= 0) //! guard
        {name}_table[at] = value; //! fail
}}
static void store_{name}(int v)
{{
    set_{name}(v, v + 2); //! call
}}
""", f"store_{name}({{}})", [0], [7, 9, 12])


def underflow_index(names):
    name = names.word()
    return Fault("wild index", f"""
static int {name}_heights[] = {{4, 7, 1, 9}};
static int last_{name}(const int *values, unsigned count)
{{
    unsigned last = count - 1;
    return values[last]; //! fail
}}
static void top_{name}(int removed)
{{
    unsigned left = 4 - removed;
    last_{name}({name}_heights, left); //! call
}}
""", f"top_{name}({{}})", [0, 1, 3], [4])


def guarded_abort(names):
    name, wrong = names.word(), names.number(4, 8)
    return Fault("abort", f"""
static int {name}_level = 1;
static void raise_{name}(int v)
{{
    {name}_level = {name}_level + v;
    if ({name}_level > {wrong + 4}) {{ //! guard
        abort(); //! fail
    }}
    {name}_level = 1;
}}
""", f"raise_{name}({{}})", [0, 1, 3, wrong], [wrong + 4, wrong + 7])


def abort_in_helper(names):
    name = names.word()
    return Fault("abort", f"""
static void fail_{name}(int code)
{{
    if (code != 0) //! guard
        abort(); //! fail
}}
static void test_{name}(int v)
{{
    int odd = v % 2;
    int big = v > 20;
    fail_{name}(big);
    fail_{name}(odd); //! call
}}
""", f"test_{name}({{}})", [0, 2, 4, 8], [1, 5, 9])


def switch_default(names):
    name = names.word()
    return Fault("abort", f"""
enum {name}_state {{ {name.upper()}_IDLE, {name.upper()}_BUSY, {name.upper()}_DONE, {name.upper()}_LOST }};
static int {name}_seen;
static enum {name}_state next_{name}(int v)
{{
    return (enum {name}_state)(v % 4);
}}
static void handle_{name}(int v)
{{
    enum {name}_state state = next_{name}(v);
    switch (state) {{ //! guard
    case {name.upper()}_IDLE:
        {name}_seen += 1;
        break;
    case {name.upper()}_BUSY:
        {name}_seen += 2;
        break;
    case {name.upper()}_DONE:
        {name}_seen += 3;
        break;
    default:
        abort(); //! fail
    }}
}}
""", f"handle_{name}({{}})", [0, 1, 2, 4], [3, 7, 11])


def endless_recursion(names):
    name, step = names.word(), names.number(2, 3)
    good = [step, step * 2, step * 3]
    return Fault("stack overflow", f"""
static int depth_{name}(int n)
{{
    int rest;
    if (n == 0)
        return 0;
    rest = depth_{name}(n - {step}); //! fail
    return rest + 1;
}}
""", f"depth_{name}({{}})", good, [step + 1, step * 2 + 1], small_stack=True)


def mutual_recursion(names):
    name = names.word()
    return Fault("stack overflow", f"""
static int odd_{name}(int n);
static int even_{name}(int n)
{{
    if (n == 0)
        return 1;
    return odd_{name}(n - 1); //! fail
}}
static int odd_{name}(int n)
{{
    if (n == 1)
        return 1;
    return even_{name}(n - 1);
}}
""", f"even_{name}({{}})", [0, 2, 4], [-1, -2], small_stack=True)


def double_free(names):
    name = names.word()
    return Fault("double free", f"""
struct {name} {{
    int *numbers;
    int is_shared;
}};
static void close_{name}(struct {name} *it)
{{
    free(it->numbers); //! fail
}}
static void use_{name}(int v)
{{
    struct {name} it = {{malloc(16), v > 5}};
    if (it.numbers == NULL)
        return;
    it.numbers[0] = v;
    if (it.is_shared)
        close_{name}(&it);
    close_{name}(&it); //! call
}}
""", f"use_{name}({{}})", [1, 3, 5], [6, 8], flags=names.choice([[], SANITIZED]))


def use_after_free(names):
    name = names.word()
    return Fault("use after free", f"""
struct {name} {{
    int size;
    int total;
}};
static struct {name} *open_{name}(int size)
{{
    struct {name} *it = malloc(sizeof *it);
    if (it == NULL)
        exit(2);
    it->size = size;
    it->total = 0;
    return it;
}}
static void shrink_{name}(struct {name} *it, int by)
{{
    it->size -= by;
    if (it->size <= 0)
        free(it);
}}
static void use_{name}(int v)
{{
    struct {name} *it = open_{name}(10);
    shrink_{name}(it, 1);
    shrink_{name}(it, v);
    it->total += v; //! fail
}}
""", f"use_{name}({{}})", [1, 5, 8], [9, 10, 14], flags=SANITIZED)


def freed_list(names):
    name = names.word()
    return Fault("use after free", f"""
struct {name} {{
    int key;
    struct {name} *next;
}};
static struct {name} *push_{name}(struct {name} *rest, int key)
{{
    struct {name} *it = malloc(sizeof *it);
    if (it == NULL)
        exit(2);
    it->key = key;
    it->next = rest;
    return it;
}}
static int sum_{name}(struct {name} *it, int unwanted)
{{
    int sum = 0;
    while (it != NULL) {{
        if (it->key == unwanted)
            free(it);
        sum += it->key; //! fail
        it = it->next;
    }}
    return sum;
}}
static void count_{name}(int v)
{{
    struct {name} *list = push_{name}(push_{name}(push_{name}(NULL, 3), 5), 7);
    sum_{name}(list, v); //! call
}}
""", f"count_{name}({{}})", [1, 2, 4], [3, 5, 7], flags=SANITIZED)


def heap_overflow(names):
    name, size = names.word(), names.number(4, 8)
    return Fault("overflow", f"""
static int *make_{name}(int n)
{{
    int *it = calloc(n, sizeof *it);
    if (it == NULL)
        exit(2);
    return it;
}}
static void fill_{name}(int last)
{{
    int *spare = make_{name}(3);
    int *values = make_{name}({size});
    spare[0] = 1;
    for (int i = 0; i <= last; i++)
        values[i] = i; //! fail
    free(spare);
    free(values);
}}
""", f"fill_{name}({{}})", [0, 2, size - 1], [size, size + 2], flags=SANITIZED)


def stack_overrun(names):
    name, size = names.word(), names.number(4, 8)
    return Fault("overflow", f"""
static int read_{name}(const int *values, int at)
{{
    int result = 0;
    if (at >= 0) //! guard
        result = values[at]; //! fail
    return result;
}}
static void scan_{name}(int at)
{{
    int values[{size}] = {{1, 2}};
    int other[{size + 6}] = {{1, 2}};
    read_{name}(other, at);
    read_{name}(values, at); //! call
}}
""", f"scan_{name}({{}})", [0, 1, size - 1], [size, size + 1], flags=SANITIZED)


def global_overrun(names):
    name, size = names.word(), names.number(4, 8)
    return Fault("overflow", f"""
static int {name}_values[{size}];
static int {name}_used;
static void push_{name}(int v)
{{
    {name}_values[{name}_used++] = v; //! fail
}}
static void push_many_{name}(int n)
{{
    {name}_used = 0;
    for (int i = 0; i < n; i++)
        push_{name}(i * 2); //! call
}}
""", f"push_many_{name}({{}})", [0, 2, size], [size + 1, size + 3], flags=SANITIZED)


def text_overflow(names):
    name, size = names.word(), names.number(4, 7)
    return Fault("overflow", f"""
static void copy_{name}(char *to, const char *from, int n)
{{
    for (int i = 0; i < n; i++)
        to[i] = from[i]; //! fail
}}
static void label_{name}(int n)
{{
    char *label = malloc({size});
    if (label == NULL)
        return;
    copy_{name}(label, "abc", 2);
    copy_{name}(label, "abcdefghijklmn", n); //! call
    free(label);
}}
""", f"label_{name}({{}})", [0, 1, size], [size + 1, size + 4], flags=SANITIZED)


FAULTS = [
    assert_in_condition, null_first_member, zero_divisor, guarded_abort, wild_index, pop_of_empty, double_free, use_after_free,
    assert_of_result, null_later_member, zero_modulus, abort_in_helper, underflow_index, endless_recursion, heap_overflow,
    assert_of_two, null_behind_condition, mean_of_none, switch_default, null_function, stack_overrun, freed_list,
    assert_on_global, null_text, wrong_field, unset_global, mutual_recursion, global_overrun, text_overflow,
]


# The second set: checks that are the bug, pointers to one of several elements, and tables that select what fails.


def off_by_one_check(names):
    name, size = names.word(), names.number(4, 8)
    return Fault("overflow", f"""
static int {name}_marks[{size}] = {{3, 1, 2}};
static int mark_{name}(int at, int count)
{{
    if (at > count)
        return 0;
    int mark = {name}_marks[at]; //! fail
    return mark;
}}
static void show_{name}(int at)
{{
    mark_{name}(0, {size});
    mark_{name}(at, {size}); //! call
}}
""", f"show_{name}({{}})", [0, 1, size - 1, size + 2], [size], flags=SANITIZED)


def off_by_one_divisor(names):
    name, used = names.word(), names.number(3, 9)
    return Fault("division", f"""
static int {name}_used = {used};
static int share_{name}(int whole, int seats)
{{
    int left = seats - {name}_used;
    if (whole < 1)
        return 0;
    if (left < 0)
        return -1;
    return whole / left; //! fail
}}
static void book_{name}(int seats)
{{
    share_{name}(12, {used + 2});
    share_{name}(20, seats); //! call
}}
""", f"book_{name}({{}})", [1, used - 1, used + 3], [used])


def off_by_one_loop(names):
    name, size = names.word(), names.number(3, 5)
    return Fault("null", f"""
struct {name} {{
    int weight;
    int price;
}};
static struct {name} light_{name} = {{1, 2}};
static struct {name} heavy_{name} = {{9, 8}};
static struct {name} *all_{name}s[{size + 2}];
static int price_{name}s(int count)
{{
    int sum = 0;
    for (int i = 0; i < 20; i++) {{
        if (i > count)
            break;
        sum += all_{name}s[i]->price; //! fail
    }}
    return sum;
}}
static void sell_{name}s(int count)
{{
    for (int i = 0; i < {size}; i++)
        all_{name}s[i] = i % 2 ? &heavy_{name} : &light_{name};
    price_{name}s(count); //! call
}}
""", f"sell_{name}s({{}})", [0, 1, size - 1], [size, size + 1])


def one_of_several(names):
    """Two of the elements are equal and fail."""
    name, price = names.word(), names.number(5, 30)
    return Fault("division", f"""
struct {name} {{
    int price;
    int pieces;
}};
static struct {name} {name}s[] = {{{{12, 3}}, {{{price}, 0}}, {{5, 2}}, {{{price}, 0}}}};
static int each_{name}(const struct {name} *it)
{{
    int price = it->price;
    return price / it->pieces; //! fail
}}
static void sell_{name}(int at)
{{
    const struct {name} *chosen = &{name}s[at % 4];
    each_{name}(&{name}s[0]);
    each_{name}(chosen); //! call
}}
""", f"sell_{name}({{}})", [0, 2, 4, 6], [1, 3, 5, 7])


def member_without_boss(names):
    """Several elements of an array of the caller have a null pointer."""
    name, offset = names.word(), names.choice(["", "    int shift;\n"])
    return Fault("null", f"""
struct {name} {{
{offset}    int id;
    struct {name} *boss;
}};
static int rank_{name}(const struct {name} *member, int level)
{{
    if (level > 0) //! guard
        return member->boss->id; //! fail
    return 0;
}}
static void ask_{name}(int at)
{{
    struct {name} members[6] = {{0}};
    for (int i = 0; i < 6; i += 2) {{
        members[i].id = i + 1;
        members[i].boss = &members[i + 1];
    }}
    rank_{name}(&members[1], 0);
    rank_{name}(&members[at], 2); //! call
}}
""", f"ask_{name}({{}})", [0, 2, 4], [1, 3, 5])


def selected_rule(names):
    """A table of functions of which two fail for this number."""
    name, zero = names.word(), names.number(3, 9)
    return Fault("division", f"""
static int plain_{name}(int v)
{{
    return v + 1;
}}
static int third_{name}(int v)
{{
    int rest = v - {zero};
    return 30 / rest; //! fail
}}
static int fourth_{name}(int v)
{{
    int rest = v - {zero};
    return 40 / rest;
}}
static int (*{name}_rules[])(int) = {{plain_{name}, third_{name}, fourth_{name}, plain_{name}}};
static int apply_{name}(int (*rule)(int), int v)
{{
    return rule(v); //! call
}}
static void use_{name}(int which)
{{
    int (*rule)(int) = {name}_rules[which];
    apply_{name}(fourth_{name}, {zero + 1});
    apply_{name}(rule, {zero}); //! call
}}
""", f"use_{name}({{}})", [0, 3], [1])


def selected_row(names):
    """A table that is searched. Two of its rows fail."""
    name, keys = names.word(), names.random.sample(range(1, 20), 4)
    return Fault("division", f"""
struct {name}_unit {{
    int code;
    int per;
}};
static struct {name}_unit {name}_units[] = {{{{{keys[0]}, 4}}, {{{keys[1]}, 0}}, {{{keys[2]}, 0}}, {{{keys[3]}, 5}}}};
static int convert_{name}(int amount, int code)
{{
    int row = -1;
    for (int i = 0; i < 4; i++)
        if ({name}_units[i].code == code)
            row = i;
    if (row < 0)
        return 0;
    return amount / {name}_units[row].per; //! fail
}}
static void show_{name}(int code)
{{
    convert_{name}(60, {keys[0]});
    convert_{name}(40, code); //! call
}}
""", f"show_{name}({{}})", [keys[0], keys[3], 21, 25], keys[1:3])


SECOND_FAULTS = [
    off_by_one_check, one_of_several, selected_rule, off_by_one_divisor, member_without_boss, selected_row, off_by_one_loop,
]
