"""Faults in C++. Each function makes one, with numbers and names by chance: see `generate.Fault`."""

from generate import Fault

SANITIZED = ["-fsanitize=address"]


def missing_key(names):
    name, keys = names.word(), names.random.sample(range(1, 20), 3)
    return Fault("exception", f"""
static std::map<int, int> {name}s;
static int {name}_of(int key)
{{
    auto it = {name}s.find(key);
    if (it == {name}s.end()) //! guard
        throw std::out_of_range("no such {name}"); //! fail
    return it->second;
}}
static int move_{name}(int from, int to)
{{
    int a = {name}_of(from);
    int b = {name}_of(to); //! call
    return a + b;
}}
""", f"move_{name}({keys[0]}, {{}})", keys, [key for key in range(21, 24)], ["<map>", "<stdexcept>"],
                 [f"{name}s[{key}] = {names.number(1, 50)};" for key in keys])


def vector_at(names):
    name, size = names.word(), names.number(3, 5)
    return Fault("exception", f"""
static int pick_{name}(const std::vector<int> &values, int at)
{{
    int double_at = at * 2;
    return values.at(double_at); //! fail
}}
static void choose_{name}(int at)
{{
    std::vector<int> values;
    for (int i = 0; i < {size * 2}; i++)
        values.push_back(i);
    pick_{name}(values, 0);
    pick_{name}(values, at); //! call
}}
""", f"choose_{name}({{}})", [0, 1, size - 1], [size, size + 2], ["<vector>"])


def own_exception(names):
    name, wrong = names.word(), names.number(5, 9)
    return Fault("exception", f"""
struct {name}_error {{
    explicit {name}_error(int c) : code(c) {{}}
    int code;
}};
class {name}_gate {{
public:
    explicit {name}_gate(int limit) : limit_(limit), used_(0) {{}}
    void enter(int weight)
    {{
        used_ += weight;
        if (used_ > limit_) //! guard
            throw {name}_error(used_); //! fail
    }}
private:
    int limit_;
    int used_;
}};
static void pass_{name}(int v)
{{
    {name}_gate gate({wrong});
    gate.enter(1);
    gate.enter(v); //! call
}}
""", f"pass_{name}({{}})", [0, 2, wrong - 1], [wrong, wrong + 3])


def caught_and_uncaught(names):
    name = names.word()
    return Fault("exception", f"""
static int parse_{name}(int v)
{{
    if (v < 0) //! guard
        throw std::invalid_argument("negative {name}"); //! fail
    return v * 2;
}}
static void try_{name}(int v)
{{
    try {{
        parse_{name}(-1);
    }} catch (const std::invalid_argument &) {{
    }}
    parse_{name}(v); //! call
}}
""", f"try_{name}({{}})", [0, 2, 4], [-2, -5], ["<stdexcept>"])


def virtual_on_null(names):
    name = names.word()
    return Fault("null", f"""
struct {name} {{
    virtual ~{name}() {{}}
    virtual int size() const = 0;
}};
struct small_{name} : {name} {{
    int size() const override {{ return 1; }}
}};
struct large_{name} : {name} {{
    int size() const override {{ return 9; }}
}};
static std::unique_ptr<{name}> make_{name}(int v)
{{
    if (v == 1)
        return std::unique_ptr<{name}>(new small_{name});
    if (v == 2)
        return std::unique_ptr<{name}>(new large_{name});
    return nullptr;
}}
static int measure_{name}(int v)
{{
    std::unique_ptr<{name}> it = make_{name}(v);
    const {name} *raw = it.get();
    return raw->size(); //! fail
}}
""", f"measure_{name}({{}})", [1, 2], [3, 5, 8], ["<memory>"])


def null_node(names):
    name = names.word()
    return Fault("null", f"""
struct {name} {{
    std::string label;
    int value = 0;
    {name} *next = nullptr;
}};
class {name}_chain {{
public:
    void add(int value)
    {{
        {name} *it = new {name};
        it->value = value;
        it->next = first_;
        first_ = it;
    }}
    int nth(int n) const
    {{
        const {name} *it = first_;
        while (n > 0 && it) {{
            it = it->next;
            n--;
        }}
        return it->value; //! fail
    }}
private:
    {name} *first_ = nullptr;
}};
static void read_{name}(int n)
{{
    {name}_chain chain;
    chain.add(4);
    chain.add(5);
    chain.nth(0);
    chain.nth(n); //! call
}}
""", f"read_{name}({{}})", [0, 1], [2, 4], ["<string>"])


def assert_in_method(names):
    name, cap = names.word(), names.number(10, 20)
    return Fault("assert", f"""
class {name} {{
public:
    void put(int amount)
    {{
        total_ += amount;
        assert(total_ <= {cap}); //! fail
    }}
private:
    int total_ = 0;
}};
static void fill_{name}(int v)
{{
    {name} it;
    {name} other;
    other.put({cap});
    it.put(1);
    it.put(v); //! call
}}
""", f"fill_{name}({{}})", [0, 2, cap - 1], [cap, cap + 4], ["<assert.h>"])


def zero_divisor_in_method(names):
    name, zero = names.word(), names.number(2, 7)
    return Fault("division", f"""
class {name} {{
public:
    {name}(int above, int below) : above_(above), below_(below) {{}}
    int whole() const
    {{
        return above_ / below_; //! fail
    }}
    {name} less(int by) const
    {{
        return {name}(above_ - by, below_ - by);
    }}
private:
    int above_;
    int below_;
}};
static void reduce_{name}(int v)
{{
    {name} start(20, {zero});
    start.whole();
    {name} rest = start.less(v);
    rest.whole(); //! call
}}
""", f"reduce_{name}({{}})", [0, 1, zero + 1], [zero])


def missing_text(names):
    name = names.word()
    return Fault("exception", f"""
static std::string part_{name}(const std::string &text, int from)
{{
    return text.substr(from); //! fail
}}
static void cut_{name}(int from)
{{
    std::string text = "ab";
    text += "cde";
    part_{name}("x", 1);
    part_{name}(text, from); //! call
}}
""", f"cut_{name}({{}})", [0, 3, 5], [6, 9], ["<string>"])


def bad_optional(names):
    name, limit = names.word(), names.number(3, 6)
    return Fault("exception", f"""
static std::optional<int> seat_{name}(int v)
{{
    if (v < {limit})
        return v + 1;
    return std::nullopt;
}}
static int book_{name}(int v)
{{
    std::optional<int> seat = seat_{name}(v);
    return seat.value(); //! fail
}}
""", f"book_{name}({{}})", [0, 1, limit - 1], [limit, limit + 2], ["<optional>"])


def deleted_object(names):
    name = names.word()
    return Fault("use after free", f"""
struct {name} {{
    explicit {name}(int s) : size(s) {{}}
    int size;
}};
class {name}_owner {{
public:
    explicit {name}_owner(int size) : it_(new {name}(size)) {{}}
    void shrink(int by)
    {{
        it_->size -= by;
        if (it_->size < 0)
            delete it_;
    }}
    int size() const
    {{
        return it_->size; //! fail
    }}
private:
    {name} *it_;
}};
static void use_{name}(int v)
{{
    {name}_owner owner(5);
    owner.shrink(1);
    owner.size();
    owner.shrink(v);
    owner.size(); //! call
}}
""", f"use_{name}({{}})", [0, 2, 4], [5, 9], flags=SANITIZED)


def vector_overrun(names):
    name, size = names.word(), names.number(3, 6)
    return Fault("overflow", f"""
static int sum_{name}(const int *values, int n)
{{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i]; //! fail
    return sum;
}}
static void add_{name}(int n)
{{
    std::vector<int> values({size}, 2);
    sum_{name}(values.data(), 1);
    sum_{name}(values.data(), n); //! call
}}
""", f"add_{name}({{}})", [0, 1, size], [size + 1, size + 2], ["<vector>"], flags=SANITIZED)


def recursive_method(names):
    name = names.word()
    return Fault("stack overflow", f"""
struct {name} {{
    int weight;
    const {name} *parent;
    int depth() const
    {{
        if (parent == nullptr)
            return 0;
        return 1 + parent->depth(); //! fail
    }}
}};
static void climb_{name}(int v)
{{
    {name} root = {{1, nullptr}};
    {name} child = {{2, &root}};
    if (v > 3)
        root.parent = &child;
    child.depth(); //! call
}}
""", f"climb_{name}({{}})", [0, 1, 3], [4, 6], small_stack=True)


def terminate_in_switch(names):
    name = names.word()
    return Fault("abort", f"""
enum class {name}_mode {{ slow, fast, still }};
static int speed_{name}({name}_mode mode)
{{
    switch (mode) {{ //! guard
    case {name}_mode::slow:
        return 1;
    case {name}_mode::fast:
        return 9;
    default:
        abort(); //! fail
    }}
}}
static void drive_{name}(int v)
{{
    speed_{name}({name}_mode::slow);
    speed_{name}(static_cast<{name}_mode>(v % 3)); //! call
}}
""", f"drive_{name}({{}})", [0, 1, 3], [2, 5])


FAULTS = [
    missing_key, vector_at, assert_in_method, null_node, own_exception, zero_divisor_in_method, deleted_object, bad_optional,
    caught_and_uncaught, virtual_on_null, missing_text, vector_overrun, recursive_method, terminate_in_switch,
]


# The second set: see faults_c.py.


def off_by_one_in_method(names):
    name, size = names.word(), names.number(3, 6)
    return Fault("overflow", f"""
class {name} {{
public:
    void put(int at, int amount)
    {{
        if (at > {size})
            return;
        used_++;
        amounts_[at] = amount; //! fail
    }}
private:
    int used_ = 0;
    int amounts_[{size}] = {{}};
}};
static void fill_{name}(int at)
{{
    {name} spare;
    {name} it;
    spare.put(0, 3);
    it.put(1, 4);
    it.put(at, 5); //! call
}}
""", f"fill_{name}({{}})", [0, 1, size - 1, size + 2], [size], flags=SANITIZED)


def method_of_element(names):
    """Several objects of an array throw in this method."""
    name, limit = names.word(), names.number(5, 9)
    return Fault("exception", f"""
class {name} {{
public:
    void load(int weight)
    {{
        weight_ = weight;
    }}
    int rest(int limit) const
    {{
        if (weight_ > limit) //! guard
            throw std::range_error("too heavy"); //! fail
        return limit - weight_;
    }}
private:
    int weight_ = 0;
}};
static {name} {name}s[5];
static void weigh_{name}(int at)
{{
    for (int i = 0; i < 5; i++)
        {name}s[i].load(i % 2 ? {limit + 1} : 1);
    const {name} *chosen = &{name}s[at];
    {name}s[0].rest({limit});
    chosen->rest({limit}); //! call
}}
""", f"weigh_{name}({{}})", [0, 2, 4], [1, 3], ["<stdexcept>"])


def selected_reader(names):
    """A table of functions of which two fail for this object."""
    name = names.word()
    return Fault("null", f"""
struct {name} {{
    int size = 3;
    const int *first = nullptr;
    const int *second = nullptr;
}};
static int size_of_{name}(const {name} *it)
{{
    return it->size;
}}
static int first_of_{name}(const {name} *it)
{{
    return *it->first;
}}
static int second_of_{name}(const {name} *it)
{{
    return *it->second; //! fail
}}
using {name}_reader = int (*)(const {name} *);
static const {name}_reader {name}_readers[] = {{size_of_{name}, first_of_{name}, second_of_{name}}};
static int read_{name}({name}_reader reader, const {name} *it)
{{
    return reader(it); //! call
}}
static void show_{name}(int which)
{{
    {name} both[2];
    both[0].first = &both[0].size;
    read_{name}({name}_readers[1], &both[0]);
    read_{name}({name}_readers[which % 3], &both[1]); //! call
}}
""", f"show_{name}({{}})", [0, 3, 6], [2, 5, 8])


SECOND_FAULTS = [off_by_one_in_method, method_of_element, selected_reader]
