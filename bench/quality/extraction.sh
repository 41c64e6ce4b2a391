#!/usr/bin/env bash
# Quality of main-content extraction on a labelled set: the scorer's table, and pages per second.
#
# usage: bench/quality/extraction.sh [--program PARAPRINT] GOLD.jsonl[.gz] SCORER [paraprint extract options ...]
#   GOLD    one JSON object per line with id, html and text (the expected main content), and fields for grouping
#   SCORER  a program called as `SCORER GOLD PREDICTIONS`
# Neither is part of this repository; if a path is missing, prints a message and succeeds.
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
