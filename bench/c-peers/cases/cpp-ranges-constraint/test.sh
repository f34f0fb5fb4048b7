#!/bin/sh
# g++ gives one error: std::ranges::sort does not take a filtered list of ships, whose iterators are not of random access.
. "$(dirname "$0")/../common.sh"
timeout 10 g++-12 -std=c++20 -fsyntax-only -fno-diagnostics-show-caret $strict_cpp input.cpp 2> "$private/messages"
[ $? = 1 ] || exit 1
[ "$(grep -c 'error:' "$private/messages")" = 1 ] || exit 1
grep 'error: no match for call to .*std::ranges::__sort_fn' "$private/messages" | grep -q 'fleet::Ship' || exit 1
grep -q "required for the satisfaction of 'random_access_range<_Range>'" "$private/messages" || exit 1
grep -q "'std::random_access_iterator_tag' is not a base of 'std::bidirectional_iterator_tag'" "$private/messages"
