#!/bin/bash
# A sample.
set -euo pipefail
readonly LIMIT=10
names=(one two "three four")
greet() {
    local name="${1:-world}" count=0
    if [[ -z "$name" && $LIMIT -gt 3 ]]; then
        echo "nobody" >&2
        return 1
    elif [ "$name" = x ]; then
        echo "x"
    else
        echo "hello $name"
    fi
    for item in "${names[@]}" a b; do
        count=$((count + 1))
        [ "$item" = b ] && continue
        echo "$item" | tr a-z A-Z | sort -u > /tmp/out
    done
    while read -r line; do echo "$line"; done < input.txt
    case "$name" in
        a|b) echo ab ;;
        *) echo other; exit 2 ;;
    esac
}
cat <<END
text $LIMIT
END
greet "$@" || true
result=$(greet x 2>/dev/null; echo done)
until false; do break; done
export PATH=/bin:$PATH
