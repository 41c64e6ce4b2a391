#!/usr/bin/env bash
# Fails and shows the difference if clang-format would change any tracked C++ file. `make format` reformats them.
# Compares the text itself, because --dry-run of clang-format 16 also reports replacements that change nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -co --exclude-standard '*.cc' '*.h' | xargs -r -P "$(nproc)" -n 16 bash -c '
  status=0
  for file in "$@"; do
    clang-format-16 "$file" | diff -u --label "$file" --label "$file, formatted" "$file" - || status=1
  done
  exit "$status"' bash
echo "check_format.sh: every C++ file is formatted"
