#!/usr/bin/env bash
# Near-duplicate quality on labelled sets: one table with one row per set.
#
# usage: bench/quality/neardup.sh [--program PARAPRINT] DATA_DIRECTORY SCORER [paraprint dedup options ...]
#   DATA_DIRECTORY  has one folder per set: docs.jsonl[.gz] (id and html or text), labels.tsv[.gz] (id_a, id_b, label:
#                   dup, near, topic, diff), optionally clusters.tsv.gz, set.json and labels_detail.tsv.gz
#   SCORER          a program called as `SCORER SET PREDICTIONS --json` that prints {"pairwise": {...}, "clusters": ...}
# Predictions are the rows of matches.tsv with verdict same or near. Sets and scorers are not part of this repository;
# if a path is missing, prints a message and succeeds.
source "$(dirname "$0")/common.sh" "$@"
data=$first

for set in "$data"/*/; do
  name=$(basename "$set")
  documents=${set}docs.jsonl.gz
  [ -e "$documents" ] || documents=${set}docs.jsonl
  [ -e "$documents" ] || continue
  started=$(date +%s.%N)
  "$program" dedup "$documents" --out "$work/$name" "${options[@]}" > "$work/$name.log" 2>&1 \
    || { echo "neardup.sh: $name failed" >&2; tail -n 5 "$work/$name.log" >&2; continue; }
  seconds=$(echo "$(date +%s.%N) $started" | awk '{printf "%.1f", $1 - $2}')
  awk -F '\t' '$4 == "same" || $4 == "near" {print $1 "\t" $2 "\t" $3}' "$work/$name/matches.tsv" > "$work/$name.pairs"
  run_scorer "$set" "$work/$name.pairs" --json > "$work/$name.json"
  printf '%s\t%s\t%s\n' "$name" "$seconds" "$set" >> "$work/sets"
done
[ -f "$work/sets" ] || { echo "neardup.sh: skipped, no set in $data"; exit 0; }
python3 -B "$(dirname "$0")/neardup_table.py" "$work"
