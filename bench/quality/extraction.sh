#!/usr/bin/env bash
# Main-content extraction quality on a labelled set: the scorer's own table, and pages per second.
#
# usage: bench/quality/extraction.sh [--program PARAPRINT] GOLD.jsonl[.gz] SCORER [paraprint extract options ...]
#   GOLD    one JSON object a line with id, html and text (the expected main content), more fields for grouping
#   SCORER  a program called as `SCORER GOLD PREDICTIONS`
# Neither is part of this repository; a missing path ends with a message and success.
set -euo pipefail

program=build/release/apps/paraprint
if [ "${1:-}" = --program ]; then program=$2; shift 2; fi
[ $# -ge 2 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2; }
gold=$1
scorer=$2
shift 2
for path in "$program" "$gold" "$scorer"; do
  [ -e "$path" ] || { echo "extraction.sh: skipped, $path is not there"; exit 0; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
started=$(date +%s.%N)
"$program" extract "$gold" "$@" > "$work/predictions.jsonl"
ended=$(date +%s.%N)
if [[ $scorer == *.py ]]; then python3 "$scorer" "$gold" "$work/predictions.jsonl" --min-group 20
else "$scorer" "$gold" "$work/predictions.jsonl"; fi
echo "$started $ended $(wc -l < "$work/predictions.jsonl")" \
  | awk '{printf "%d pages in %.1f s: %.0f pages/s, reading and writing included\n", $3, $2 - $1, $3 / ($2 - $1)}'
