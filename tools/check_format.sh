#!/usr/bin/env bash
# Fails and names the files if clang-format would change any tracked C++ file. `make format` reformats them.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -co --exclude-standard '*.cc' '*.h' | xargs -r -P "$(nproc)" -n 16 clang-format-16 --dry-run --Werror
echo "check_format.sh: every C++ file is formatted"
