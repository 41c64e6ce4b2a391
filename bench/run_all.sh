#!/usr/bin/env bash
# Runs every micro-benchmark of a build directory, one after the other.
#
# usage: bench/run_all.sh DIRECTORY_OF_BENCHMARKS [arguments for each, e.g. --benchmark_filter=...]
set -euo pipefail
directory=$1
shift
mapfile -t programs < <(find "$directory" -maxdepth 1 -type f -name 'bench_*' -executable | sort)
[ ${#programs[@]} -gt 0 ] || { echo "run_all.sh: no bench_* program in $directory" >&2; exit 1; }
for program in "${programs[@]}"; do
  echo "== $(basename "$program")"
  "$program" "$@"
done
