#!/usr/bin/env bash
# Runs clang-tidy with the checks in .clang-tidy; every finding is an error.
#
# usage: tools/lint.sh BUILD_DIRECTORY [SECONDS] [FILE ...]
# Files that differ from the main branch (on main: from the previous commit) come first. The others follow until SECONDS
# have passed, in an order that rotates with every commit, so that a few runs cover all. The number not reached is
# reported, which is not a failure. If FILEs are given, only those are checked.
set -euo pipefail
cd "$(dirname "$0")/.."
build_directory=$1
seconds=${2:-900}
shift $(($# > 1 ? 2 : 1))

if [ $# -gt 0 ]; then
  files=("$@")
else
  sources=('src/*.cc' 'apps/*.cc')
  base=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
  [ "$base" = "$(git rev-parse HEAD)" ] && base=$(git rev-parse -q --verify HEAD~1 || git rev-parse HEAD)
  files_a_run=40
  mapfile -t files < <({ git diff --name-only --diff-filter=d "$base" -- "${sources[@]}"
                         git ls-files "${sources[@]}" | awk -v begin=$(($(git rev-list --count HEAD) * files_a_run)) \
                           '{name[NR - 1] = $0} END {for (i = 0; i < NR; ++i) print name[(begin + i) % NR]}'
                       } | awk '!seen[$0]++')
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export build_directory work deadline=$(($(date +%s) + seconds))

check_one() {
  if [ "$(date +%s)" -ge "$deadline" ]; then echo "$1" >> "$work/skipped"; return; fi
  clang-tidy-16 --quiet -p "$build_directory" "$1" > "$work/out.$$" 2>/dev/null && return
  cat "$work/out.$$"
  echo "$1" >> "$work/failed"
}
export -f check_one
printf '%s\0' "${files[@]}" | xargs -0 -r -P "$(nproc)" -n 1 bash -c 'check_one "$0"'

count() { if [ -f "$1" ]; then wc -l < "$1"; else echo 0; fi; }
echo "lint.sh: ${#files[@]} files, $(count "$work/failed") with findings," \
  "$(count "$work/skipped") not reached in $seconds s"
[ ! -f "$work/failed" ]
