#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
struct S { int a; int b; };
struct Outer { int x; struct S inner; int list[3]; };
struct Node { struct Node *next; int *to; int n; };
union U { int i; char c[4]; struct S s; };
//// direct
int value(void) {
  int x = 1;
  x = 2;
  return x;
}
//// pointer
int value(void) {
  int x = 1;
  int *p = &x;
  *p = 2;
  return x;
}
//// pointer to pointer
int value(void) {
  int x = 1;
  int *p = 0;
  int **pp = &p;
  *pp = &x;
  *p = 3;
  return x;
}
//// out parameter
static void set(int *p) { *p = 5; }
int value(void) {
  int x = 1;
  set(&x);
  return x;
}
//// void pointer to a number
static void set(void *p) { *(int *)p = 9; }
int value(void) {
  int x = 1;
  set(&x);
  return x;
}
//// void pointer to a field
static void set(void *p) { *(int *)p = 9; }
int value(void) {
  struct S s = {1, 2};
  set(&s.b);
  return s.b;
}
//// memset through a void pointer to a struct
static void fill(void *p, unsigned long n) { memset(p, 7, n); }
int value(void) {
  struct S s = {1, 2};
  fill(&s, sizeof s);
  return s.b;
}
//// bytes of a struct
int value(void) {
  struct S s = {1, 2};
  ((char *)&s)[4] = 3;
  return s.b;
}
//// bytes of a struct in a function
static void set(char *p) { p[4] = 3; }
int value(void) {
  struct S s = {1, 2};
  set((char *)&s);
  return s.b;
}
//// struct as an array of numbers
int value(void) {
  struct S s = {1, 2};
  int *p = (int *)&s;
  p[1] = 30;
  return s.b;
}
//// array as a struct
int value(void) {
  int list[2] = {1, 2};
  struct S *s = (struct S *)list;
  s->b = 8;
  return list[1];
}
//// buffer as a struct
int value(void) {
  char *buffer = malloc(64);
  struct S *s = (struct S *)buffer;
  s->b = 8;
  return *(int *)(buffer + 4);
}
//// offset of a field
int value(void) {
  struct S s = {1, 2};
  char *base = (char *)&s;
  *(int *)(base + offsetof(struct S, b)) = 17;
  return s.b;
}
//// container of a field
int value(void) {
  struct Outer o = {1, {2, 3}, {4, 5, 6}};
  struct S *s = &o.inner;
  struct Outer *whole = (struct Outer *)((char *)s - offsetof(struct Outer, inner));
  whole->x = 11;
  return o.x;
}
//// other struct
struct T { int c; int d; };
int value(void) {
  struct S s = {1, 2};
  struct T *t = (struct T *)&s;
  t->d = 12;
  return s.b;
}
//// nested struct through a void pointer
static void fill(void *p, unsigned long n) { memset(p, 1, n); }
int value(void) {
  struct Outer o = {1, {2, 3}, {4, 5, 6}};
  fill(&o, sizeof o);
  return o.inner.b + o.list[1];
}
//// struct copied through void pointers
static void copy(void *to, const void *from, unsigned long n) { memcpy(to, from, n); }
int value(void) {
  struct S s = {1, 2}, t = {3, 4};
  copy(&s, &t, sizeof s);
  return s.b;
}
//// own byte loop
static void copy(void *to, const void *from, unsigned long n) {
  char *t = to;
  const char *f = from;
  while (n--)
    *t++ = *f++;
}
int value(void) {
  struct S s = {1, 2}, t = {3, 4};
  copy(&s, &t, sizeof s);
  return s.b;
}
//// generic vector
struct Vector { char *data; int count; int size; };
static void push(struct Vector *v, const void *item) {
  v->data = realloc(v->data, (v->count + 1) * v->size);
  memcpy(v->data + v->count * v->size, item, v->size);
  v->count++;
}
static void *at(struct Vector *v, int index) { return v->data + index * v->size; }
int value(void) {
  struct Vector v = {0, 0, sizeof(struct S)};
  struct S s = {1, 2};
  push(&v, &s);
  s.b = 6;
  push(&v, &s);
  struct S *last = at(&v, 1);
  return last->b;
}
//// pointer stored as bytes
int value(void) {
  int x = 1;
  struct Node node = {0, 0, 5};
  int *p = &x;
  memcpy((char *)&node + offsetof(struct Node, to), &p, sizeof p);
  *node.to = 66;
  return x;
}
//// pointer stored through a cast
int value(void) {
  int x = 1;
  struct Node node = {0, 0, 5};
  *(int **)((char *)&node + offsetof(struct Node, to)) = &x;
  *node.to = 66;
  return x;
}
//// pointer through a buffer
int value(void) {
  int x = 1;
  int *p = &x, *q;
  char buffer[sizeof p];
  memcpy(buffer, &p, sizeof p);
  memcpy(&q, buffer, sizeof p);
  *q = 21;
  return x;
}
//// pointer as a number
int value(void) {
  int x = 1;
  uintptr_t number = (uintptr_t)&x;
  *(int *)number = 13;
  return x;
}
//// pointer as a number in a struct
struct Handle { uintptr_t number; };
static void set(struct Handle h) { *(int *)h.number = 13; }
int value(void) {
  int x = 1;
  struct Handle h = {(uintptr_t)&x};
  set(h);
  return x;
}
//// struct assignment
int value(void) {
  struct S s = {1, 2}, t = {3, 4};
  s = t;
  return s.b;
}
//// struct assignment through a pointer
static void set(struct S *p, struct S from) { *p = from; }
int value(void) {
  struct S s = {1, 2};
  set(&s, (struct S){5, 6});
  return s.b;
}
//// struct result
static struct S made(int n) {
  struct S s;
  s.a = n;
  s.b = n + 1;
  return s;
}
int value(void) {
  struct S s = {1, 2};
  s = made(7);
  return s.b;
}
//// memset
int value(void) {
  int list[3] = {1, 2, 3};
  memset(list, 1, sizeof list);
  return list[1];
}
//// memset in a function
static void fill(int *p, unsigned long n) { memset(p, 7, n); }
int value(void) {
  int list[2] = {1, 2};
  fill(list, sizeof list);
  return list[1];
}
//// memcpy
int value(void) {
  int list[3] = {1, 2, 3}, other[3] = {4, 5, 6};
  memcpy(list, other, sizeof list);
  return list[1];
}
//// memcpy of a struct
int value(void) {
  struct S s = {1, 2}, t = {3, 4};
  memcpy(&s, &t, sizeof s);
  return s.b;
}
//// memmove inside an array
int value(void) {
  int list[3] = {1, 2, 3};
  memmove(list, list + 1, 2 * sizeof *list);
  return list[0];
}
//// union
int value(void) {
  union U u;
  u.i = 0;
  u.c[0] = 9;
  return u.i;
}
//// union through a pointer
static void set(union U *u) { u->c[0] = 9; }
int value(void) {
  union U u;
  u.i = 0;
  set(&u);
  return u.i;
}
//// global union
static union U shared;
int value(void) {
  shared.i = 0;
  shared.s.a = 4;
  return shared.i;
}
//// anonymous union
struct Tagged { int tag; union { int number; char bytes[4]; }; };
static void set(struct Tagged *t) { t->bytes[0] = 5; }
int value(void) {
  struct Tagged t = {0, {0}};
  set(&t);
  return t.number;
}
//// anonymous struct through a void pointer
struct Point { struct { int x; int y; }; int z; };
static void fill(void *p, unsigned long n) { memset(p, 2, n); }
int value(void) {
  struct Point p = {{1, 2}, 3};
  fill(&p, sizeof p);
  return p.y;
}
//// union of pointers
union P { int *number; char *bytes; };
static void set(union P *p) { p->bytes[0] = 44; }
int value(void) {
  int x = 0;
  union P p;
  p.number = &x;
  set(&p);
  return x;
}
//// variadic
static void set(int n, ...) {
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; i++) {
    int *p = va_arg(list, int *);
    *p = i + 40;
  }
  va_end(list);
}
int value(void) {
  int x = 0, y = 0;
  set(2, &x, &y);
  return y;
}
//// variadic number
static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int total = 0;
  for (int i = 0; i < n; i++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}
int value(void) {
  int x = 3;
  x = 8;
  return sum(2, 5, x);
}
//// variadic in another function
static void take(va_list list) { *va_arg(list, int *) = 14; }
static void set(int n, ...) {
  va_list list;
  va_start(list, n);
  take(list);
  va_end(list);
}
int value(void) {
  int x = 0;
  set(1, &x);
  return x;
}
//// variadic copied
static void set(int n, ...) {
  va_list list, other;
  va_start(list, n);
  va_copy(other, list);
  *va_arg(other, int *) = 15;
  va_end(other);
  va_end(list);
}
int value(void) {
  int x = 0;
  set(1, &x);
  return x;
}
//// variadic to the library
static void scan(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsscanf(text, format, list);
  va_end(list);
}
int value(void) {
  int x = 0, y = 0;
  scan("5 6", "%d %d", &x, &y);
  return y;
}
//// variadic struct
static void set(int n, ...) {
  va_list list;
  va_start(list, n);
  struct S *s = va_arg(list, struct S *);
  s->b = 23;
  va_end(list);
}
int value(void) {
  struct S s = {1, 2};
  set(1, &s);
  return s.b;
}
//// variadic through a function pointer
static void set(int n, ...) {
  va_list list;
  va_start(list, n);
  *va_arg(list, int *) = 51;
  va_end(list);
}
int value(void) {
  int x = 0;
  void (*chosen)(int, ...) = set;
  chosen(1, &x);
  return x;
}
//// swap
static void swap(int *p, int *q) {
  int t = *p;
  *p = *q;
  *q = t;
}
int value(void) {
  int x = 1, y = 2;
  swap(&x, &y);
  return x;
}
//// macro
#define SET(place) ((place) = 18)
int value(void) {
  int x = 1;
  SET(x);
  return x;
}
//// macro that steps
#define STEP(place) ((*(place))++)
int value(void) {
  int x = 1;
  int *p = &x;
  STEP(p);
  return x;
}
//// scanf
int value(void) {
  int x = 1;
  scanf("%d", &x);
  return x;
}
//// second scanf
int value(void) {
  int x = 1, y = 1;
  scanf("%d", &x);
  scanf("%d", &y);
  return y;
}
//// sscanf into a field
int value(void) {
  struct S s = {1, 2};
  sscanf("4 5", "%d %d", &s.a, &s.b);
  return s.b;
}
//// fgets
int value(void) {
  char line[20] = "x";
  fgets(line, sizeof line, stdin);
  return atoi(line);
}
//// getline
int value(void) {
  char *line = 0;
  size_t n = 0;
  getline(&line, &n, stdin);
  return atoi(line);
}
//// fread
int value(void) {
  char line[4] = "x";
  fread(line, 1, 2, stdin);
  return line[1];
}
//// sprintf
int value(void) {
  char text[20] = "3";
  sprintf(text, "%d", 77);
  return atoi(text);
}
//// printf counts
int value(void) {
  int n = 0;
  fprintf(stderr, "abc%n\n", &n);
  return n;
}
//// printf counts with a format that is no literal
int value(void) {
  int n = 0;
  const char *format = "abc%n\n";
  fprintf(stderr, format, &n);
  return n;
}
//// printf counts in a character
int value(void) {
  signed char n = 0;
  fprintf(stderr, "abcd%hhn\n", &n);
  return n;
}
//// strcpy
int value(void) {
  char text[20] = "3";
  strcpy(text, "42");
  return atoi(text);
}
//// strcat
int value(void) {
  char text[20] = "3";
  strcat(text, "42");
  return atoi(text);
}
//// strtol ends
int value(void) {
  char text[] = "12x";
  char *end = 0;
  strtol(text, &end, 10);
  *end = '9';
  return atoi(text);
}
//// strchr
int value(void) {
  char text[] = "12x";
  char *found = strchr(text, 'x');
  *found = '9';
  return atoi(text);
}
//// strtok
int value(void) {
  char text[] = "1,2,3";
  char *token = strtok(text, ",");
  token = strtok(NULL, ",");
  return atoi(token);
}
//// strtok gives a part of the text
int value(void) {
  char text[] = "1,2,3";
  char *token = strtok(text, ",");
  token = strtok(NULL, ",");
  token[0] = '8';
  return text[2];
}
//// strtok_r
int value(void) {
  char text[] = "1,2,3", *rest = 0;
  char *token = strtok_r(text, ",", &rest);
  token = strtok_r(0, ",", &rest);
  token[0] = '8';
  return text[2];
}
//// strsep
int value(void) {
  char text[] = "1,2,3";
  char *rest = text;
  char *token = strsep(&rest, ",");
  token = strsep(&rest, ",");
  token[0] = '7';
  return text[2];
}
//// errno
int value(void) {
  errno = 0;
  strtol("99999999999999999999999", NULL, 10);
  int code = errno;
  return code;
}
//// errno in a function
static void fail(void) { fclose(fopen("/no/such/file", "r") ?: stdin); }
int value(void) {
  errno = 0;
  fail();
  return errno == ENOENT;
}
//// errno through a pointer
int value(void) {
  int *code = &errno;
  *code = 5;
  return errno;
}
//// errno of a mathematical function
int value(void) {
  volatile double zero = 0;
  errno = 0;
  double result = strtod("1e999999", 0);
  return errno + (result > 1);
}
//// environment
int value(void) {
  setenv("LAPIDARY_TEST", "12", 1);
  return atoi(getenv("LAPIDARY_TEST"));
}
//// qsort
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int value(void) {
  int list[3] = {3, 1, 2};
  qsort(list, 3, sizeof *list, compare);
  return list[0];
}
//// qsort of structs
static int compare(const void *a, const void *b) {
  const struct S *p = a, *q = b;
  return p->b - q->b;
}
int value(void) {
  struct S list[2] = {{1, 5}, {2, 4}};
  list[1].b = 3;
  qsort(list, 2, sizeof *list, compare);
  return list[0].a;
}
//// callback of qsort that counts
static int calls;
static int compare(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}
int value(void) {
  int list[3] = {3, 1, 2};
  qsort(list, 3, sizeof *list, compare);
  return calls > 0;
}
//// callback that writes its argument
static int compare(const void *a, const void *b) {
  int *p = (int *)a;
  *p |= 64;
  return 0;
}
int value(void) {
  int list[2] = {3, 1};
  qsort(list, 2, sizeof *list, compare);
  return list[0] + list[1];
}
//// callback with a context
static int compare(const void *a, const void *b, void *context) {
  *(int *)context = 5;
  return *(const int *)a - *(const int *)b;
}
int value(void) {
  int list[2] = {3, 1}, seen = 0;
  qsort_r(list, 2, sizeof *list, compare, &seen);
  return seen;
}
//// bsearch
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int value(void) {
  int list[3] = {1, 2, 3}, key = 2;
  int *found = bsearch(&key, list, 3, sizeof *list, compare);
  *found = 20;
  return list[1];
}
//// callback in a variable
static int calls;
static int compare(const void *a, const void *b) {
  calls++;
  return *(const int *)a - *(const int *)b;
}
int value(void) {
  int list[3] = {3, 1, 2};
  int (*chosen)(const void *, const void *) = compare;
  qsort(list, 3, sizeof *list, chosen);
  return list[0] + (calls > 0);
}
//// own callback
static void set(void *context) { *(int *)context = 6; }
static void call(void (*f)(void *), void *context) { f(context); }
int value(void) {
  int x = 0;
  call(set, &x);
  return x;
}
//// callback in a struct
struct Object { void (*set)(struct Object *, int); int n; };
static void set(struct Object *o, int n) { o->n = n; }
int value(void) {
  struct Object o = {set, 1};
  o.set(&o, 4);
  return o.n;
}
//// atexit
static int x = 1;
static void change(void) { x = 2; }
int value(void) {
  atexit(change);
  return x;
}
//// static variable
static int next(void) {
  static int n;
  return ++n;
}
int value(void) {
  next();
  return next();
}
//// global
static int x = 1;
static void set(void) { x = 2; }
int value(void) {
  set();
  return x;
}
//// conditional pointer
int value(void) {
  int x = 1, y = 2;
  y = 7;
  int *p = &y;
  *(x ? &y : &x) += 5;
  return *p;
}
//// conditional struct
int value(void) {
  struct S s = {1, 2}, t = {3, 4};
  int which = 1;
  (which ? &s : &t)->b = 9;
  return s.b;
}
//// pointer to the middle
int value(void) {
  int list[4] = {0};
  int *p = list;
  p[2] = 5;
  *(p + 3) = 6;
  return list[2] + list[3];
}
//// matrix
int value(void) {
  int matrix[2][2] = {{1, 2}, {3, 4}};
  int *p = &matrix[0][0];
  p[3] = 8;
  return matrix[1][1];
}
//// pointer to an array
static void set(int (*row)[2]) { (*row)[1] = 8; }
int value(void) {
  int matrix[2][2] = {{1, 2}, {3, 4}};
  set(&matrix[1]);
  return matrix[1][1];
}
//// linked list
int value(void) {
  int x = 1;
  struct Node last = {0, &x, 1}, first = {&last, 0, 2};
  *first.next->to = 50;
  return x;
}
//// comma and conditions
int value(void) {
  int x = 0, y = (x = 3, x + 1);
  int z = x && (y = 9);
  return y + z;
}
//// statement expression
int value(void) {
  int x = 1;
  int y = ({ x = 5; x + 1; });
  return x + y;
}
//// compound literal
int value(void) {
  struct S *s = &(struct S){1, 2};
  s->b = 3;
  return s->b;
}
//// struct in a struct by pointer
static void set(struct S *s) { s->b = 19; }
int value(void) {
  struct Outer o = {1, {2, 3}, {4, 5, 6}};
  set(&o.inner);
  return o.inner.b;
}
//// array in a struct
static void set(int *p) { p[2] = 29; }
int value(void) {
  struct Outer o = {1, {2, 3}, {4, 5, 6}};
  set(o.list);
  return o.list[2];
}
//// wide text
int value(void) {
  wchar_t text[4] = L"a";
  wcscpy(text, L"b");
  return text[0];
}
//// time
int value(void) {
  time_t t = 0;
  struct tm *broken = gmtime(&t);
  time_t later = 3600;
  gmtime(&later);
  return broken->tm_hour;
}
//// aligned memory
int value(void) {
  void *memory = 0;
  posix_memalign(&memory, 64, 64);
  int *p = memory;
  p[1] = 4;
  return ((int *)memory)[1];
}
//// modf
int value(void) {
  int x = 0;
  double y = frexp(8.0, &x);
  return x + (y > 2);
}
