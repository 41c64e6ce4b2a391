#!/usr/bin/env bash
# Main-content extraction quality on a labelled set: the scorer's own table, and pages per second.
#
# usage: bench/quality/extraction.sh [--program PARAPRINT] GOLD.jsonl[.gz] SCORER [paraprint extract options ...]
#   GOLD    one JSON object a line with id, html and text (the expected main content), more fields for grouping
#   SCORER  a program called as `SCORER GOLD PREDICTIONS`
# Neither is part of this repository; a missing path ends with a message and success.
source "$(dirname "$0")/common.sh" "$@"
gold=$first

started=$(date +%s.%N)
"$program" extract "$gold" "${options[@]}" > "$work/predictions.jsonl"
ended=$(date +%s.%N)
arguments=()
[[ $scorer == *.py ]] && arguments=(--min-group 20)
run_scorer "$gold" "$work/predictions.jsonl" "${arguments[@]}"
echo "$started $ended $(wc -l < "$work/predictions.jsonl")" \
  | awk '{printf "%d pages in %.1f s: %.0f pages/s, reading and writing included\n", $3, $2 - $1, $3 / ($2 - $1)}'
