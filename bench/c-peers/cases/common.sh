# Sourced by every test. The candidate is input.c or input.cpp in the current directory; $private is a directory that goes away
# at the end. Nothing a candidate does may take long or fill the disk.
set -u
export LC_ALL=C
private=$(mktemp -d)
trap 'rm -rf "$private"' EXIT
trap 'exit 1' HUP INT TERM
ulimit -c 0
ulimit -f 200000

# What a reducer would otherwise slip in: C that compiles only because compilers forgive much. Words are meant to be split.
strict_c="-Werror=implicit-function-declaration -Werror=implicit-int -Werror=int-conversion
    -Werror=incompatible-pointer-types -Werror=return-type -Werror=uninitialized"
strict_cpp="-Werror=return-type -Werror=uninitialized"

# The assembly of one function.
code_of() {
    awk -v name="$1" '$1 == name ":" { inside = 1 } inside { print } $1 == ".size" && index($2, name ",") == 1 { inside = 0 }' "$2"
}
