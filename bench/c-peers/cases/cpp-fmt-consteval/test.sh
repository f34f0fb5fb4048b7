#!/bin/sh
# g++ gives one error: a format string is checked at compile time, through formatter<Metre>, and reaches on_error.
. "$(dirname "$0")/../common.sh"
timeout 10 g++-12 -std=c++20 -fsyntax-only -fno-diagnostics-show-caret $strict_cpp input.cpp 2> "$private/messages"
[ $? = 1 ] || exit 1
[ "$(grep -c 'error:' "$private/messages")" = 1 ] || exit 1
grep -q "error: call to non-'constexpr' function 'void fmt::v9::detail::error_handler::on_error(const char\*)'" \
    "$private/messages" || exit 1
grep -q "in 'constexpr' expansion of .*fmt::v9::formatter<survey::Metre>" "$private/messages"
