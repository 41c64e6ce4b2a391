#!/usr/bin/env bash
# Keeps what a campaign found for the next one: of each fuzzer's inputs, about the fewest that cover the same edges, as
# fuzz/kept/NAME.tar.zst. tools/fuzz_smoke.sh starts from them.
#
# usage: tools/fuzz_keep.sh PRESET FUZZ_CORPUS NAME...
#   PRESET       asan, whose fuzzers are built
#   FUZZ_CORPUS  the folder of `make fuzz-campaign`
#   NAME         fuzzers, without "fuzz_". Those whose corpus began with pages of others (tools/fuzz_seeds.py) do not
#                belong into the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
corpus=$2
shift 2
work=$(mktemp -d "${TMPDIR:-/tmp}/fuzz-keep.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p fuzz/kept
for name in "$@"; do
  mkdir -p "$work/all" "$work/fewest"
  # A copy: a fuzzer that is running replaces its inputs by shorter ones.
  for folder in "fuzz/corpus/$name" "$corpus/$name"; do
    if [ -d "$folder" ]; then find "$folder" -type f -exec cp -t "$work/all" {} +; fi
  done
  if [ -f "fuzz/kept/$name.tar.zst" ]; then tar --zstd -xf "fuzz/kept/$name.tar.zst" -C "$work/all"; fi
  "build/$preset/fuzz/fuzz_$name" -set_cover_merge=1 -timeout=10 "$work/fewest" "$work/all" > "$work/log" 2>&1
  # The same inputs give the same file.
  find "$work/fewest" -type f -printf '%f\n' | LC_ALL=C sort |
    tar --zstd --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -C "$work/fewest" -T - \
      -cf "fuzz/kept/$name.tar.zst"
  printf '  %-28s %s of %s inputs, %s bytes\n' "$name" "$(find "$work/fewest" -type f | wc -l)" \
    "$(find "$work/all" -type f | wc -l)" "$(stat -c %s "fuzz/kept/$name.tar.zst")"
  rm -rf "$work/all" "$work/fewest"
done
