#!/usr/bin/env bash
# Run the slow tests, one file of tests after the other.
#
#   tools/slow.sh         all of them; after an interruption, those that are left
#   tools/slow.sh 2/7     the second of seven shares, so that each night of a week has one
#   tools/slow.sh --new   all of them, whatever has passed before
#
# The files that have passed are kept in .pytest_cache for each commit. Options of pytest come last: tools/slow.sh 1/2 -x
set -euo pipefail
cd "$(dirname "$0")/.."

share=1 shares=1 new=
case "${1:-}" in
    --new) new=yes; shift ;;
    [1-9]*/[1-9]*) share=${1%/*} shares=${1#*/}; shift ;;
esac
if ! [[ $share =~ ^[0-9]+$ && $shares =~ ^[0-9]+$ ]] || ((share > shares)); then
    echo "slow.sh: share $share/$shares, expected one like 2/7" >&2
    exit 2
fi

python=.venv/bin/python
[ -x "$python" ] || python=python3
passed=.pytest_cache/slow/$(git rev-parse HEAD 2>/dev/null || echo no-commit)
mkdir -p "$(dirname "$passed")"
[ -z "$new" ] || rm -f "$passed"
touch "$passed"

listed=$("$python" -m pytest -q --collect-only -m slow tests)
files=$(sed -n 's/^\(tests[^:]*\.py\)::.*/\1/p' <<<"$listed" | sort -u)
number=0 failed=()
for file in $files; do
    number=$((number + 1))
    (((number - 1) % shares == share - 1)) || continue
    if grep -qxF "$file" "$passed"; then continue; fi
    echo "== $file"
    status=0
    "$python" -m pytest -q -n auto -m slow "$file" "$@" || status=$?
    case $status in
        0) echo "$file" >>"$passed" ;;
        1) failed+=("$file") ;;
        *) echo "slow.sh: stopped at $file; tools/slow.sh goes on from there" >&2; exit "$status" ;;
    esac
done
if ((${#failed[@]})); then
    printf 'slow.sh: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
echo "slow.sh: share $share of $shares has passed"
