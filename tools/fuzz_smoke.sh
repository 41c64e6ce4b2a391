#!/usr/bin/env bash
# Runs every fuzzer for a short time from its seed corpus; fails on the first crash, hang or leak.
#
# usage: tools/fuzz_smoke.sh DIRECTORY_OF_FUZZERS [SECONDS_EACH]
# New inputs go to a temporary folder; an input that breaks something is kept and named.
set -euo pipefail
cd "$(dirname "$0")/.."
fuzzers=$1
seconds=${2:-20}
input_timeout_seconds=10  # one input; a page may be slow under the sanitizers, a hang is not
memory_limit_mb=2560      # sanitizers triple what the parsers use
work=$(mktemp -d "${TMPDIR:-/tmp}/fuzz-smoke.XXXXXX")

run_one() {
  local program=$1 name log
  name=$(basename "$program")
  log=$work/$name.log
  mkdir -p "$work/$name/new" "$work/$name/found"
  local corpora=("$work/$name/new")
  [ -d "fuzz/corpus/${name#fuzz_}" ] && corpora+=("fuzz/corpus/${name#fuzz_}")
  local dictionary=()
  [ -f "fuzz/${name#fuzz_}.dict" ] && dictionary=(-dict="fuzz/${name#fuzz_}.dict")
  if "$program" -max_total_time="$seconds" -timeout=$input_timeout_seconds -rss_limit_mb=$memory_limit_mb \
       -print_final_stats=1 -artifact_prefix="$work/$name/found/" "${dictionary[@]}" "${corpora[@]}" > "$log" 2>&1; then
    printf '  %-28s ok, %s inputs run\n' "$name" "$(sed -n 's/stat::number_of_executed_units: *//p' "$log")"
  else
    printf '  %-28s FAILED; log and input in %s\n' "$name" "$work/$name/found"
    tail -n 30 "$log"
    return 1
  fi
}
export -f run_one
export seconds work input_timeout_seconds memory_limit_mb

mapfile -t programs < <(find "$fuzzers" -maxdepth 1 -type f -name 'fuzz_*' -executable | sort)
if [ ${#programs[@]} = 0 ]; then echo "fuzz_smoke.sh: no fuzzer in $fuzzers"; rm -rf "$work"; exit 0; fi
printf '%s\0' "${programs[@]}" | xargs -0 -P "$(nproc)" -n 1 bash -c 'run_one "$0"'
rm -rf "$work"
echo "fuzz_smoke.sh: ${#programs[@]} fuzzers, nothing found"
