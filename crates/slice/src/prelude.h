#ifndef LAPIDARY_PRELUDE
#define LAPIDARY_PRELUDE
#ifdef __cplusplus
extern "C" {
#endif
void __lapidary_s(unsigned);
int __lapidary_enter(unsigned, unsigned);
void __lapidary_leave(int *);
void __lapidary_r(unsigned, const volatile void *, unsigned long);
void __lapidary_w(unsigned, const volatile void *, unsigned long);
void __lapidary_p(unsigned, const volatile void *, unsigned long);
void __lapidary_v(unsigned, const volatile void *, unsigned long);
void __lapidary_t(unsigned, const volatile void *, unsigned long);
void __lapidary_l(unsigned, const char *, unsigned long);
#ifdef __cplusplus
}
template <class T> T &lapidary_read(unsigned id, T &place) { __lapidary_r(id, &place, sizeof place); return place; }
template <class T> T &lapidary_write(unsigned id, T &place) { __lapidary_p(id, &place, sizeof place); return place; }
template <class T> T &lapidary_step(unsigned id, T &place) { return lapidary_write(id, lapidary_read(id, place)); }
template <class T> T lapidary_value(unsigned id, T value) { __lapidary_v(id, &value, sizeof value); return value; }
template <class T> T lapidary_text(unsigned id, T text) { __lapidary_t(id, text, ~0ul); return text; }
template <class T> T lapidary_string(unsigned id, T text) { __lapidary_t(id, text.data(), text.size()); return text; }
struct lapidary_source {
    char text[128];
    unsigned long size;
    bool is_whole;
    void put(char c) { if (size < sizeof text) text[size++] = c; else is_whole = false; }
    void put_number(unsigned long long n) { if (n > 9) put_number(n / 10); put((char)('0' + n % 10)); }
    void put_character(unsigned char c) {
        if (c == '"' || c == '\\') put('\\');
        if (c >= ' ' && c <= '~') { put((char)c); return; }
        put('\\'); put((char)('0' + c / 64)); put((char)('0' + c / 8 % 8)); put((char)('0' + c % 8));
    }
};
template <class N> void lapidary_show(lapidary_source &to, const N &number) {
    if (number < 0) to.put('-');
    to.put_number(number < 0 ? 0ull - (unsigned long long)number : (unsigned long long)number);
}
template <template <class, class, class> class Text, class C, class Traits, class A>
void lapidary_show(lapidary_source &to, const Text<C, Traits, A> &text) {
    to.put('"');
    for (unsigned long at = 0; at < text.size(); at++) to.put_character((unsigned char)text[at]);
    to.put('"');
}
template <class T> T lapidary_list(unsigned id, T list) {
    lapidary_source source = {{0}, 0, true};
    source.put('{');
    for (unsigned long at = 0; at < list.size() && source.is_whole; at++) {
        if (at) { source.put(','); source.put(' '); }
        lapidary_show(source, list[at]);
    }
    source.put('}');
    __lapidary_l(id, source.text, source.is_whole ? source.size : ~0ul);
    return list;
}
#define LAPIDARY_ADDRESS(x) __builtin_addressof(x)
#else
#define LAPIDARY_PLACE(note, ...) (*__extension__({ __auto_type lapidary_p = &(__VA_ARGS__); note; lapidary_p; }))
#define lapidary_read(id, ...) LAPIDARY_PLACE(__lapidary_r(id, lapidary_p, sizeof *lapidary_p), __VA_ARGS__)
#define lapidary_write(id, ...) LAPIDARY_PLACE(__lapidary_p(id, lapidary_p, sizeof *lapidary_p), __VA_ARGS__)
#define lapidary_step(id, ...) LAPIDARY_PLACE((__lapidary_r(id, lapidary_p, sizeof *lapidary_p), __lapidary_p(id, lapidary_p, sizeof *lapidary_p)), __VA_ARGS__)
#define LAPIDARY_VALUE(note, ...) __extension__({ __auto_type lapidary_v = (__VA_ARGS__); note; lapidary_v; })
#define lapidary_value(id, ...) LAPIDARY_VALUE(__lapidary_v(id, &lapidary_v, sizeof lapidary_v), __VA_ARGS__)
#define lapidary_text(id, ...) LAPIDARY_VALUE(__lapidary_t(id, lapidary_v, ~0ul), __VA_ARGS__)
#define LAPIDARY_ADDRESS(x) &(x)
#endif
#endif
#line 1
