//! Structs before and after splitting.

use super::*;
use crate::rewrite::testing::{check_c, check_cpp};

#[test]
fn a_parameter_becomes_its_members() {
    check_c(
        opportunities,
        &[
            (
                "int g(); typedef struct{char*h,*e;}b; void f(b d,char*e){g(d.e,3,d.h,e);}",
                &["int g(); void f(char*h, char*d_e,char*e){g(d_e,3,h,e);}"],
            ),
            (
                "struct s { int a; long b, c; }; long f(struct s *p) { return p->a + p->c; }",
                &["long f(int a, long c) { return a + c; }"],
            ),
        ],
    );
}

#[test]
fn calls_pass_the_members_on() {
    check_c(
        opportunities,
        &[
            (
                "struct s { int a, b; }; int f(struct s *p) { return p->a; } int g(void) { struct s x; x.b = 1; return f(&x); }",
                &["int f(int p_a, int p_b) { return p_a; } int g(void) { int x_a,x_b; x_b = 1; return f(x_a, x_b); }"],
            ),
            (
                "struct s { int a; }; int f(struct s); int g(struct s x) { return f(x) + x.a; }",
                &["int f(int); int g(int a) { return f(a) + a; }"],
            ),
        ],
    );
}

#[test]
fn variables_keep_their_values() {
    check_c(
        opportunities,
        &[
            (
                "int f(void) { struct { int a, b; } x = {1, 2}; return x.a + x.b; }",
                &["int f(void) { int a = 1,b = 2; return a + b; }"],
            ),
            (
                "union u { int a[2]; long *b; } x; int f(void) { return x.a[1] + *x.b; }",
                &["int a[2]; long*b; int f(void) { return a[1] + *b; }"],
            ),
            (
                "struct s { int a, *b; } x, *p = &x; int f(void) { return p->a + x.a; }",
                &["int x_a,p_a; int f(void) { return p_a + x_a; }"],
            ),
        ],
    );
}

#[test]
fn one_is_split_if_another_is_needed() {
    check_c(
        opportunities,
        &[(
            "struct s { int a, b; } y; struct s *g(void); int f(struct s x) { return x.a + x.a + x.a + (&y == g()); }",
            &["struct s { int a, b; } y; struct s *g(void); int f(int a) { return a + a + a + (&y == g()); }"],
        )],
    );
}

#[test]
fn what_is_wanted_whole_stays_whole() {
    check_c(
        opportunities,
        &[
            ("struct s { int a; } x; int f(void) { return x.a + sizeof x; }", &[]),
            ("struct s { int a : 3; } x; int f(void) { return x.a; }", &[]),
            ("struct s { int a; }; struct s g(void); int f(void) { struct s x = g(); return x.a; }", &[]),
            ("struct s { int a; }; int f(struct s *p) { return p[1].a; }", &[]),
            ("struct s { int a; } x = {.a = 1}; int f(void) { return x.a; }", &[]),
            ("struct s { int a; } x;", &[]),
        ],
    );
}

#[test]
fn classes_with_methods_stay() {
    check_cpp(
        opportunities,
        &[
            ("struct A { int a; int g(); }; int f(A x) { return x.a; }", &[]),
            ("struct A { int a; }; int f(A x) { return x.a; }", &["int f(int a) { return a; }"]),
        ],
    );
}
