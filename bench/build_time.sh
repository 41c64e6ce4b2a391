#!/usr/bin/env bash
# Measures what `make demo` costs from nothing: processor seconds of clones of two commits, one after the other.
#
# usage: bench/build_time.sh [OTHER_COMMIT]     default: the commit before this one
# No compiler cache is used. The machine should be idle; a build takes minutes to an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
other=${1:-HEAD~1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the processor seconds of `make demo` in a clone of the commit.
cost_of() {
  git clone -q --no-local . "$work/clone"
  git -C "$work/clone" checkout -q "$1"
  # `times` of the shell that ran it: the second line has user and system time of its children.
  (cd "$work/clone" && CCACHE_DISABLE=1 make demo > "$work/log" 2>&1 && times | tail -n 1) \
    | awk '{gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4}' || { tail -n 20 "$work/log" >&2; exit 1; }
  rm -rf "$work/clone"
}

scripts/install_dependencies.sh build > /dev/null
before=$(cost_of "$(git rev-parse "$other")")
after=$(cost_of "$(git rev-parse HEAD)")
awk -v before="$before" -v after="$after" -v other="$other" 'BEGIN {
  printf "make demo from nothing, processor seconds: %s %.0f, HEAD %.0f, share %.2f\n",
         other, before, after, after / before}'
