#!/usr/bin/env bash
# Builds and runs the tests of a sanitizer's preset, folder by folder, until SECONDS have passed.
#
# usage: tools/sanitize.sh PRESET SECONDS [FOLDER ...]
#   PRESET   asan or tsan, already configured
#   FOLDER   folders under tests/; default: all
# The folder base comes first, then those whose sources differ from the previous commit. The others follow in an order
# that rotates with every commit, so that a few runs cover all. Folders not reached are reported; that is no failure,
# because progress depends on the machine and its compiler cache. A failed build or test is a failure, and so is a run
# that finishes no folder.
set -uo pipefail
cd "$(dirname "$0")/.."
preset=$1
seconds=$2
shift 2
jobs=${JOBS:-$(nproc)}
deadline=$(($(date +%s) + seconds))
folders=("$@")
[ ${#folders[@]} -gt 0 ] || mapfile -t folders < <(
  find tests -mindepth 2 -maxdepth 3 -name CMakeLists.txt -printf '%h\n' | sed 's|^tests/||' \
    | grep -vxE 'architecture|install(/consumer)?' | sort)

changed=$(git diff --name-only HEAD~1 -- src tests apps 2>/dev/null \
  | awk -F/ '{print $1 == "apps" ? "cli" : $2 == "lab" || $2 == "semantics" ? $2 "/" $3 : $2}')
begin=$(($(git rev-list --count HEAD 2>/dev/null || echo 0) * 3 % ${#folders[@]}))
mapfile -t folders < <({ printf '%s\n' "${folders[@]}" | grep -xF base
                         printf '%s\n' "${folders[@]}" | grep -xF "$changed"
                         printf '%s\n' "${folders[@]:begin}" "${folders[@]:0:begin}"; } | awk 'NF && !seen[$0]++')

seconds_left() { echo $((deadline - $(date +%s))); }
# run COMMAND...: 124 if the time is over.
run() {
  local left
  left=$(seconds_left)
  [ "$left" -gt 0 ] || return 124
  timeout --kill-after=10 "$left" "$@"
}

check_folder() {
  run cmake --build --preset "$preset" -j "$jobs" --target "tests/$1/all" > "$log" 2>&1 || return
  # Tests are labelled with the name of their program, which in nested folders is not the folder's.
  local label
  label=$(sed -n 's/^paraprint_test(\([a-z_]*\).*/\1/p' "tests/$1/CMakeLists.txt" | head -n 1)
  # ctest succeeds if it finds no tests: a folder without tests is not part of this preset.
  run ctest --preset "$preset" -j "$jobs" -L "^${label:-$1}\$" -LE 'long|source' > "$log" 2>&1
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=()
failed=()
missed=()
for folder in "${folders[@]}"; do
  check_folder "$folder"
  case $? in
    0) passed+=("$folder") ;;
    124 | 137) missed+=("$folder") ;;
    *) failed+=("$folder")
       awk '/\*\*\*/ && !/Skipped/ {shown = 60} /error:|FAILED:/ {shown = 12} shown-- > 0' "$log"
       tail -n 12 "$log" ;;
  esac
done
echo "sanitize.sh: $preset: passed: ${passed[*]:-none}"
[ ${#missed[@]} = 0 ] || echo "sanitize.sh: $preset: not reached in $seconds s: ${missed[*]}"
[ ${#failed[@]} = 0 ] || echo "sanitize.sh: $preset: FAILED: ${failed[*]}"
[ ${#failed[@]} = 0 ] && [ ${#passed[@]} -gt 0 ]
