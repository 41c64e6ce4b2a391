#!/usr/bin/env bash
# Near-duplicate quality on a simulated corpus: recall by edit and by strength, pairs wrongly reported by kind.
#
# usage: bench/quality/simulated.sh [--program PARAPRINT] CORPUS_FOLDER SCORER [paraprint dedup options ...]
#   CORPUS_FOLDER   the output of `paraprint simulate`
#   SCORER          a program called as `SCORER SET PREDICTIONS` that prints its figures
# HALF=train or HALF=test in the environment limits figures and table to that half of the base articles.
# Predictions are the rows of matches.tsv with verdict same or near. Skips with a message if a path is missing.
source "$(dirname "$0")/common.sh" "$@"

"$program" dedup "$first"/pages-*.warc.gz --out "$work/clean" --no-report --no-records --no-evidence --quiet \
  "${options[@]}"
awk -F '\t' '$4 == "same" || $4 == "near" {print $1 "\t" $2 "\t" $3}' "$work/clean/matches.tsv" > "$work/pairs"
run_scorer "$first" "$work/pairs"
python3 -B "$(dirname "$0")/simulated_table.py" "$first" "$work/pairs" "${HALF:-all}"
