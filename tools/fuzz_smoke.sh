#!/usr/bin/env bash
# Builds every fuzzer and runs it for a short time from its seed corpus; fails on the first crash, hang or leak.
#
# usage: tools/fuzz_smoke.sh PRESET [SECONDS_EACH [SECONDS]]
#   PRESET    asan, already configured
#   SECONDS   after this time no further fuzzer is started. Those not reached are reported, which is not a failure; the
#             order rotates with every commit, so that a few runs cover all.
# Dictionaries name the fuzzers they are for in their second line (fuzz/dictionaries/).
# New inputs go to a temporary folder; a failing input is kept and its path printed. With FUZZ_CORPUS=FOLDER they go
# there and are used by the next run, and a line is added to FOLDER/figures.tsv for each fuzzer: processor seconds,
# inputs run, edges and features covered, inputs kept.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
seconds=${2:-20}
deadline=$(($(date +%s) + ${3:-7200}))
input_timeout_seconds=10  # per input: pages may be slow under the sanitizers, but must not hang
memory_limit_mb=2560      # sanitizers triple the memory of the parsers
work=$(mktemp -d "${TMPDIR:-/tmp}/fuzz-smoke.XXXXXX")

build_in_time() {
  local left=$((deadline - $(date +%s)))
  [ $left -gt 0 ] && timeout --kill-after=5 $left cmake --build --preset "$preset" --target "$1"
}

run_one() {
  local name=fuzz_$1 program=build/$preset/fuzz/fuzz_$1 log
  log=$work/$name.log
  if [ "$(date +%s)" -ge "$deadline" ]; then echo "$1" >> "$work/missed"; return; fi
  # One build at a time: two would write the same object files. The time left is read once the lock is held, or a build
  # that waited for another would get its time on top.
  if ! flock "$work" bash -c 'build_in_time "$0"' "$name" > "$log" 2>&1; then
    if [ "$(date +%s)" -ge "$deadline" ]; then echo "$1" >> "$work/missed"; return; fi
    printf '  %-28s FAILED to build\n' "$name"
    tail -n 30 "$log"
    return 1
  fi
  local new=${FUZZ_CORPUS:-$work/$name/new}
  [ -n "${FUZZ_CORPUS:-}" ] && new+=/$1
  mkdir -p "$new" "$work/$name/found"
  local corpora=("$new")
  [ -d "fuzz/corpus/${name#fuzz_}" ] && corpora+=("fuzz/corpus/${name#fuzz_}")
  # What earlier campaigns found (tools/fuzz_keep.sh).
  if [ -f "fuzz/kept/$1.tar.zst" ]; then
    mkdir -p "$work/$name/kept"
    tar --zstd -xf "fuzz/kept/$1.tar.zst" -C "$work/$name/kept"
    corpora+=("$work/$name/kept")
  fi
  # Several dictionaries may be for this fuzzer, and libFuzzer takes one file.
  local dictionary=() words=$work/$name.dict
  grep -lE "^# fuzzers:.* $1( |\$)" fuzz/dictionaries/*.dict | xargs -r cat > "$words"
  [ -s "$words" ] && dictionary=(-dict="$words")
  local TIMEFORMAT='%U %S'
  if { time "$program" -max_total_time="$seconds" -timeout=$input_timeout_seconds -rss_limit_mb=$memory_limit_mb \
       -print_final_stats=1 -artifact_prefix="$work/$name/found/" "${dictionary[@]}" "${corpora[@]}" > "$log" 2>&1
     } 2> "$work/$name.time"; then
    local inputs
    inputs=$(sed -n 's/stat::number_of_executed_units: *//p' "$log")
    printf '  %-28s ok, %s inputs run\n' "$name" "$inputs"
    if [ -n "${FUZZ_CORPUS:-}" ]; then
      awk -v name="$1" -v seconds="$(awk '{print int($1 + $2)}' "$work/$name.time")" -v inputs="$inputs" -v OFS='\t' \
        '{for (i = 2; i < NF; ++i) if ($i ~ /^(cov|ft|corp):$/) last[$i] = $(i + 1)}
         END {print name, seconds, inputs, last["cov:"], last["ft:"], last["corp:"]}' \
        "$log" >> "$FUZZ_CORPUS/figures.tsv"
    fi
  else
    printf '  %-28s FAILED; log and input in %s\n' "$name" "$work/$name/found"
    tail -n 30 "$log"
    return 1
  fi
}
export -f run_one build_in_time
export preset deadline seconds work input_timeout_seconds memory_limit_mb

mapfile -t names < <(find fuzz -maxdepth 1 -name '*.cc' -printf '%f\n' | sed 's/\.cc$//' | sort)
begin=$(($(git rev-list --count HEAD 2>/dev/null || echo 0) * 5 % ${#names[@]}))
names=("${names[@]:begin}" "${names[@]:0:begin}")
printf '%s\0' "${names[@]}" | xargs -0 -P "$(nproc)" -n 1 bash -c 'run_one "$0"'
if [ -f "$work/missed" ]; then echo "fuzz_smoke.sh: not reached in time: $(sort "$work/missed" | tr '\n' ' ')"; fi
echo "fuzz_smoke.sh: ${#names[@]} fuzzers, nothing found"
rm -rf "$work"
