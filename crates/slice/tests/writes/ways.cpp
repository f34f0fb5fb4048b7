#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>
struct S { int a; int b; };
//// map subscript inserts
int value() {
  std::map<int, int> m;
  m[3];
  return (int)m.size();
}
//// unordered map subscript inserts
int value() {
  std::unordered_map<int, int> m;
  m[3];
  return (int)m.count(3);
}
//// map subscript in a function
static void touch(std::map<int, int> &m) { m[4]; }
int value() {
  std::map<int, int> m;
  touch(m);
  return (int)m.size();
}
//// stream get
int value() {
  std::istringstream in("xy");
  char c = 'a';
  in.get(c);
  return c;
}
//// stream get moves on
int value() {
  std::istringstream in("xy");
  in.get();
  return in.get();
}
//// stream extraction
int value() {
  std::istringstream in("5 6");
  int x = 0, y = 0;
  in >> x;
  in >> y;
  return y;
}
//// stream line
int value() {
  std::istringstream in("ab\ncd");
  std::string line;
  std::getline(in, line);
  return line[0];
}
//// stream read
int value() {
  std::istringstream in("xy");
  char buffer[2] = {0};
  in.read(buffer, 2);
  return buffer[1];
}
//// stream insertion
int value() {
  std::ostringstream out;
  out << 5 << 6;
  return out.str()[1];
}
//// reference
int value() {
  int x = 1;
  int &r = x;
  r = 2;
  return x;
}
//// reference parameter
static void set(int &r) { r = 3; }
int value() {
  int x = 1;
  set(x);
  return x;
}
//// reference result
static int &pick(int *p) { return p[1]; }
int value() {
  int list[2] = {1, 2};
  pick(list) = 5;
  return list[1];
}
//// reference member
struct Holder { int &r; };
int value() {
  int x = 1;
  Holder h{x};
  h.r = 4;
  return x;
}
//// reference as bytes
static void fill(S &s) { std::memset(&s, 1, sizeof s); }
int value() {
  S s{1, 2};
  fill(s);
  return s.b;
}
//// object through a void pointer
static void fill(void *p, unsigned long n) { std::memset(p, 1, n); }
int value() {
  S s{1, 2};
  fill(&s, sizeof s);
  return s.b;
}
//// reinterpret
int value() {
  S s{1, 2};
  reinterpret_cast<char *>(&s)[4] = 3;
  return s.b;
}
//// derived through a void pointer
struct D : S { int c; };
static void fill(void *p, unsigned long n) { std::memset(p, 1, n); }
int value() {
  D d;
  d.a = d.b = d.c = 0;
  fill(&d, sizeof d);
  return d.b + d.c;
}
//// derived through its base
struct D : S { int c; };
static void fill(S *p, unsigned long n) { std::memset(p, 1, n); }
int value() {
  D d;
  d.a = d.b = d.c = 0;
  fill(&d, sizeof d);
  return d.c;
}
//// this as bytes
struct Counter {
  int n = 5;
  void clear() { std::memset(this, 0, sizeof *this); }
};
int value() {
  Counter c;
  c.clear();
  return c.n;
}
//// this as a void pointer
static void zero(void *p, unsigned long n) { std::memset(p, 0, n); }
struct Counter {
  int n = 5;
  void clear() { zero(this, sizeof *this); }
};
int value() {
  Counter c;
  c.clear();
  return c.n;
}
//// swap
int value() {
  int x = 1, y = 2;
  std::swap(x, y);
  return x;
}
//// swap of elements
int value() {
  std::vector<int> v{1, 2};
  std::swap(v[0], v[1]);
  return v[0];
}
//// swap of elements by at
int value() {
  std::vector<int> v{1, 2};
  std::swap(v.at(0), v.at(1));
  return v[0];
}
//// swap of fields
int value() {
  S s{1, 2};
  std::swap(s.a, s.b);
  return s.b;
}
//// swap of objects
int value() {
  S s{1, 2}, t{3, 4};
  std::swap(s, t);
  return s.b;
}
//// swap of containers
int value() {
  std::vector<int> v{1, 2}, w{3};
  v.swap(w);
  return v[0];
}
//// exchange
int value() {
  int x = 1;
  std::exchange(x, 5);
  return x;
}
//// move
int value() {
  std::string s = "some text that is not short at all, so that it is moved";
  std::string t = std::move(s);
  return (int)s.size() + (int)(t.size() > 0);
}
//// move into a parameter
static void take(std::string s) {}
int value() {
  std::string s = "some text that is not short at all, so that it is moved";
  take(std::move(s));
  return (int)s.size();
}
//// iterator
int value() {
  std::vector<int> v{1, 2};
  auto it = v.begin();
  *it = 5;
  return v[0];
}
//// iterator of a map
int value() {
  std::map<int, int> m{{1, 2}};
  auto it = m.find(1);
  it->second = 5;
  return m[1];
}
//// iterator from a search
int value() {
  std::vector<int> v{1, 2};
  auto it = std::find(v.begin(), v.end(), 2);
  *it = 5;
  return v[1];
}
//// iterator used at once
int value() {
  std::vector<int> v{1, 2};
  *std::max_element(v.begin(), v.end()) = 5;
  return v[1];
}
//// back inserter
int value() {
  std::vector<int> v{1, 2}, w;
  std::copy(v.begin(), v.end(), std::back_inserter(w));
  return (int)w.size();
}
//// back inserter in a variable
int value() {
  std::vector<int> w;
  auto out = std::back_inserter(w);
  *out = 3;
  return (int)w.size();
}
//// range for
int value() {
  std::vector<int> v{1, 2};
  for (int &x : v)
    x += 5;
  return v[1];
}
//// range for over objects
int value() {
  std::vector<S> v{{1, 2}};
  for (auto &s : v)
    s.b = 5;
  return v[0].b;
}
//// push back
int value() {
  std::vector<int> v;
  v.push_back(4);
  return v[0];
}
//// emplace
int value() {
  std::map<int, int> m;
  m.emplace(1, 5);
  return m.at(1);
}
//// insert
int value() {
  std::set<int> s;
  s.insert(3);
  return *s.begin();
}
//// erase
int value() {
  std::vector<int> v{1, 2};
  v.erase(v.begin());
  return v[0];
}
//// element by at
int value() {
  std::vector<int> v{1, 2};
  v.at(1) = 8;
  return v[1];
}
//// front and back
int value() {
  std::deque<int> d{1, 2};
  d.front() = 8;
  d.back() = 9;
  return d[0] + d[1];
}
//// reference to an element
int value() {
  std::vector<int> v{1, 2};
  int &r = v.at(0);
  r = 9;
  return v[0];
}
//// data of a vector
int value() {
  std::vector<int> v{1, 2};
  int *p = v.data();
  p[1] = 9;
  return v[1];
}
//// element object
int value() {
  std::vector<S> v{{1, 2}};
  v[0].b = 7;
  return v[0].b;
}
//// element object behind a pointer
int value() {
  std::vector<S> v{{1, 2}, {0, 5}};
  S *p = &v[0];
  std::sort(v.begin(), v.end(), [](const S &x, const S &y) { return x.a < y.a; });
  return p->b;
}
//// string
int value() {
  std::string s = "ab";
  s += "c";
  s[0] = 'x';
  return (int)s.size() + s[0];
}
//// array class
int value() {
  std::array<int, 2> a{1, 2};
  a[1] = 6;
  return a[1];
}
//// queue
int value() {
  std::queue<int> q;
  q.push(1);
  q.push(2);
  q.pop();
  return q.front();
}
//// stack top
int value() {
  std::stack<int> s;
  s.push(1);
  s.top() = 5;
  return s.top();
}
//// tuple
int value() {
  std::tuple<int, int> t{1, 2};
  std::get<0>(t) = 5;
  return std::get<0>(t);
}
//// tuple by reference
int value() {
  std::tuple<int, int> t{1, 2};
  auto &r = std::get<0>(t);
  r = 5;
  return std::get<0>(t);
}
//// tie
int value() {
  int x = 0, y = 0;
  std::tie(x, y) = std::make_tuple(3, 4);
  return y;
}
//// pair
int value() {
  std::pair<int, int> p{1, 2};
  p.second = 9;
  return p.second;
}
//// reference wrapper
int value() {
  int x = 1;
  auto r = std::ref(x);
  r.get() = 5;
  return x;
}
//// unique pointer
int value() {
  auto p = std::make_unique<int>(1);
  *p = 5;
  return *p;
}
//// unique pointer to an object
int value() {
  auto p = std::make_unique<S>();
  p->b = 5;
  return p.get()->b;
}
//// shared pointer
int value() {
  auto p = std::make_shared<int>(1);
  auto q = p;
  *q = 5;
  return *p;
}
//// reset
int value() {
  auto p = std::make_unique<int>(1);
  p.reset(new int(6));
  return *p;
}
//// optional
int value() {
  std::optional<int> o;
  o = 5;
  *o += 1;
  return o.value();
}
//// lambda
int value() {
  int x = 1;
  auto set = [&] { x = 5; };
  set();
  return x;
}
//// function object
int value() {
  int x = 1;
  std::function<void(int)> set = [&x](int n) { x = n; };
  set(5);
  return x;
}
//// callback with a reference
static void grow(int &x) { x += 5; }
int value() {
  std::vector<int> v{1, 2};
  std::for_each(v.begin(), v.end(), grow);
  return v[0];
}
//// lambda with a reference
int value() {
  std::vector<int> v{1, 2};
  std::for_each(v.begin(), v.end(), [](int &x) { x += 5; });
  return v[0];
}
//// lambda with a reference to an object
int value() {
  std::vector<S> v{{1, 2}};
  std::for_each(v.begin(), v.end(), [](S &s) { s.b += 5; });
  return v[0].b;
}
//// lambda with a capture
int value() {
  std::vector<int> v{1, 2};
  int sum = 0;
  std::for_each(v.begin(), v.end(), [&sum](int x) { sum += x; });
  return sum;
}
//// transform
int value() {
  std::vector<int> v{1, 2};
  std::transform(v.begin(), v.end(), v.begin(), [](int x) { return x * 2; });
  return v[1];
}
//// algorithm on an array
int value() {
  int list[3] = {1, 2, 3};
  std::fill(list, list + 3, 7);
  return list[1];
}
//// iota
int value() {
  std::vector<int> v(3);
  std::iota(v.begin(), v.end(), 5);
  return v[2];
}
//// method
struct Box {
  int n = 1;
  void set(int m) { n = m; }
};
int value() {
  Box b;
  b.set(4);
  return b.n;
}
//// method through a base
struct Base {
  int n = 1;
  virtual void set(int m) = 0;
};
struct Derived : Base {
  void set(int m) override { n = m + 1; }
};
int value() {
  Derived d;
  Base &b = d;
  b.set(4);
  return d.n;
}
//// operator
struct Box {
  int n = 1;
  Box &operator+=(int m) {
    n += m;
    return *this;
  }
};
int value() {
  Box b;
  b += 4;
  return b.n;
}
//// own subscript
struct Row {
  int list[2] = {1, 2};
  int &operator[](int i) { return list[i]; }
};
int value() {
  Row r;
  r[1] = 6;
  return r.list[1];
}
//// own get
struct Source {
  int n = 1;
  int get() { return n++; }
};
int value() {
  Source s;
  s.get();
  return s.get();
}
//// member function pointer
struct Box {
  int n = 1;
  void set(int m) { n = m; }
};
int value() {
  Box b;
  void (Box::*set)(int) = &Box::set;
  (b.*set)(4);
  return b.n;
}
//// conditional lvalue
int value() {
  int x = 1, y = 2;
  bool first = true;
  y = 5;
  (first ? x : y) = 9;
  return x + y;
}
//// placement new
int value() {
  alignas(S) char memory[sizeof(S)] = {0};
  S *s = new (memory) S{1, 2};
  s->b = 5;
  return reinterpret_cast<S *>(memory)->b;
}
//// mutable field
struct Cache {
  mutable int hits = 0;
  int look() const { return ++hits; }
};
int value() {
  const Cache c;
  c.look();
  return c.look();
}
//// constructor that writes
struct Adder {
  Adder(int &r) { r += 4; }
};
int value() {
  int x = 1;
  Adder adder(x);
  return x;
}
//// destructor that writes
struct Adder {
  int &r;
  ~Adder() { r += 4; }
};
int value() {
  int x = 1;
  {
    Adder adder{x};
  }
  return x;
}
//// template
template <class T> static void assign(T &to, const T &from) { to = from; }
int value() {
  int x = 1;
  assign(x, 7);
  return x;
}
//// smallest by reference
int value() {
  int x = 1, y = 2;
  const int &m = std::min(x, y);
  x = 0;
  return m;
}
//// const cast
static void set(const int &r) { const_cast<int &>(r) = 8; }
int value() {
  int x = 1;
  set(x);
  return x;
}
//// constant reference in an object
struct Watcher {
  const int &r;
  Watcher(const int &given) : r(given) {}
};
int value() {
  int x = 1;
  Watcher w(x);
  x = 6;
  return w.r;
}
