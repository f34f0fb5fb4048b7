# Sourced by every test: $work is where setup installed things, $input the candidate, and the current directory is a private
# one that goes away at the end. Messages are in English, and nothing a candidate does may take long.
set -u
export LC_ALL=C
cases=$(dirname "$(readlink -f "$0")")/..
work=$cases/../work
input=$(readlink -f "$1")
private=$(mktemp -d)
trap 'rm -rf "$private"' EXIT
trap 'exit 1' HUP INT TERM
cd "$private" || exit 1
