#!/bin/sh
# AddressSanitizer reports a use of freed memory in Book::split_cheapest; the memory was freed below a push_back of the vector.
. "$(dirname "$0")/../common.sh"
timeout 10 g++-12 -std=c++17 -g1 -O0 $strict_cpp -fsanitize=address input.cpp -o "$private/a" 2> /dev/null || exit 1
timeout 3 "$private/a" < /dev/null > /dev/null 2> "$private/report"
[ $? = 1 ] || exit 1
grep -q 'AddressSanitizer: heap-use-after-free' "$private/report" || exit 1
grep -qE '^ *#0 0x[0-9a-f]+ in market::Book::split_cheapest' "$private/report" || exit 1
sed -n '/^freed by/,/^previously/p' "$private/report" | grep -q 'std::vector<market::Order.*::push_back'
