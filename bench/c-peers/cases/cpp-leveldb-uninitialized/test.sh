#!/bin/sh
# clang says that manifest_size may be uninitialized where ReuseManifest passes it to the constructor of log::Writer.
. "$(dirname "$0")/../common.sh"
timeout 10 clang++-19 -std=c++17 -fsyntax-only -Wno-everything -Wconditional-uninitialized -Werror=return-type \
    -Werror=sometimes-uninitialized -Werror=uninitialized input.cpp 2> "$private/messages" || exit 1
grep -A 1 "warning: variable 'manifest_size' may be uninitialized when used here" "$private/messages" | grep -q 'log::Writer('
