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
#ifdef __cplusplus
}
template <class T> T &lapidary_read(unsigned id, T &place) { __lapidary_r(id, &place, sizeof place); return place; }
template <class T> T &lapidary_write(unsigned id, T &place) { __lapidary_p(id, &place, sizeof place); return place; }
template <class T> T &lapidary_step(unsigned id, T &place) { return lapidary_write(id, lapidary_read(id, place)); }
#define LAPIDARY_ADDRESS(x) __builtin_addressof(x)
#else
#define LAPIDARY_PLACE(note, ...) (*__extension__({ __auto_type lapidary_p = &(__VA_ARGS__); note; lapidary_p; }))
#define lapidary_read(id, ...) LAPIDARY_PLACE(__lapidary_r(id, lapidary_p, sizeof *lapidary_p), __VA_ARGS__)
#define lapidary_write(id, ...) LAPIDARY_PLACE(__lapidary_p(id, lapidary_p, sizeof *lapidary_p), __VA_ARGS__)
#define lapidary_step(id, ...) LAPIDARY_PLACE((__lapidary_r(id, lapidary_p, sizeof *lapidary_p), __lapidary_p(id, lapidary_p, sizeof *lapidary_p)), __VA_ARGS__)
#define LAPIDARY_ADDRESS(x) &(x)
#endif
#endif
#line 1
