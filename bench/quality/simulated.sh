#!/usr/bin/env bash
# Near-duplicate quality on a simulated corpus: recall by edit and by strength, pairs wrongly reported by kind.
#
# usage: bench/quality/simulated.sh [--program PARAPRINT] CORPUS_FOLDER SCORER [paraprint dedup options ...]
#   CORPUS_FOLDER   what `paraprint simulate` wrote
#   SCORER          a program called as `SCORER SET PREDICTIONS` that prints its figures
# Predictions are the rows of matches.tsv with verdict same or near. A missing path ends with a message and success.
set -euo pipefail

program=build/release/apps/paraprint
if [ "${1:-}" = --program ]; then program=$2; shift 2; fi
[ $# -ge 2 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2; }
corpus=$1
scorer=$2
shift 2
for path in "$program" "$corpus/labels.tsv" "$scorer"; do
  [ -e "$path" ] || { echo "simulated.sh: skipped, $path is not there"; exit 0; }
done
run_scorer() { if [[ $scorer == *.py ]]; then python3 "$scorer" "$@"; else "$scorer" "$@"; fi; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" dedup "$corpus"/pages-*.warc.gz --out "$work/clean" --no-report --no-records --no-evidence --quiet "$@"
awk -F '\t' '$4 == "same" || $4 == "near" {print $1 "\t" $2 "\t" $3}' "$work/clean/matches.tsv" > "$work/pairs"
run_scorer "$corpus" "$work/pairs"
python3 -B "$(dirname "$0")/simulated_table.py" "$corpus" "$work/pairs"
