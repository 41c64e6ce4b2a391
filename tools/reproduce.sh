#!/usr/bin/env bash
# Fills the published tables with figures of your pages; docs/reproduce.md explains each.
#
# `make reproduce` builds what is needed and runs all.
#
# usage: tools/reproduce.sh [--out FOLDER] [--pages N] [--only NAME,...] [--program PARAPRINT] [INPUT ...]
#   INPUT      pages from which the reposts are simulated, as for dedup. Default: the archives, pages of known content
#              and labelled sets of the folder PARAPRINT_DATA_DIR, else the bundled demo crawl
#   --out      results, and all tables in Markdown (default: build/reproduce)
#   --pages    simulated pages (default: 500000, the size of the published collection; 1000 of the bundled crawl).
#              Experiments that do not depend on it take a tenth of them
#   --only     some of: extraction collection systems real variants sampling sites keywords ablation hashes
# Labelled sets (real) and pages of known content (extraction) are taken from PARAPRINT_DATA_DIR/neardup/* and
# PARAPRINT_DATA_DIR/extraction/*.jsonl.gz; without them these tables are left out, with a message.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/reproduce
pages=
program=$root/build/release/apps/paraprint
benchmarks=$root/build/bench/bench
experiments=(extraction collection systems real variants sampling sites keywords ablation hashes)
while [[ "${1:-}" == --* ]]; do
  case $1 in
    --out) out=$2 ;;
    --pages) pages=$2 ;;
    --program) program=$2 ;;
    --only) IFS=, read -ra experiments <<< "$2" ;;
    *) sed -n '2,/^set/{s/^# \?//p}' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
shopt -s nullglob
inputs=("$@")
data=${PARAPRINT_DATA_DIR:-$root/no-data}
gold=("$data"/extraction/*.jsonl.gz)
sets=("$data"/neardup/*/docs.jsonl.gz)
sets=("${sets[@]%/docs.jsonl.gz}")
if [ ${#inputs[@]} -eq 0 ]; then
  inputs=("$data"/corpus/*.warc.gz "${gold[@]}" "$data"/neardup/*/docs.jsonl.gz)
fi
if [ ${#inputs[@]} -eq 0 ]; then
  inputs=("$root"/examples/demo-crawl/*.warc.gz)
  pages=${pages:-1000}
fi
pages=${pages:-500000}
mkdir -p "$out"

note() { echo "reproduce.sh: $*" >&2; }

# evaluate NAME ARGUMENT...: one run of `eval` into its folder.
evaluate() {
  local name=$1
  shift
  "$program" eval "$@" --quiet --out "$out/$name" > "$out/$name.txt"
}

# make_corpus PAGES: the corpus of reposts, in $corpus. Base articles are short, so that many pages have enough of them.
make_corpus() {
  corpus=$out/corpus-$1
  [ ! -f "$corpus/summary.json" ] || return 0
  note "simulating $1 pages"
  "$program" simulate "${inputs[@]}" --out "$corpus" --pages "$1" --max-characters 1000 --seed 7 --quiet > /dev/null
}
small=$((pages < 50000 ? pages : pages / 10))

# The systems of the tables as published, and the same methods and ours after the same extraction.
systems=seed-004,seed-004-shingle,seed-004-i-match,seed-004-simhash
systems+=,paragraph,paragraph-literal,shingle,i-match,simhash-128
literal_curve=paragraph-literal:distance_bits=0,3,6,9,12,16,20,24
# What the thesis on SimHash, the article on keywords and positions, and the five Tianwang rules compare.
variants=simhash-64,simhash-position,simhash-shingles,simhash-integrated,keyword-cosine,scam,keyword-position
variants+=,tianwang-abstract,tianwang-keywords,tianwang-keywords-sim,tianwang-sorted,tianwang-sorted-sim

run_extraction() {
  if [ ${#gold[@]} -eq 0 ]; then note "extraction left out: no pages of known content"; return; fi
  "$program" eval-extract "${gold[@]}" --quiet --out "$out/extraction" > "$out/extraction.txt"
}
run_collection() { "$benchmarks/collection_figures" "${inputs[@]}" > "$out/collection.tsv"; }
run_systems() {
  make_corpus "$pages"
  evaluate systems "$corpus" --algorithms "$systems" --sweep "$literal_curve"
}
run_real() {
  if [ ${#sets[@]} -eq 0 ]; then note "real left out: no labelled sets"; return; fi
  evaluate real "${sets[@]}" --algorithms "$systems" --sweep "$literal_curve"
}
run_variants() {
  make_corpus "$small"
  evaluate variants "$corpus" --algorithms "$variants"
}
run_sampling() {
  make_corpus "$small"
  evaluate sampling "$corpus" --write-pairs \
    --algorithms shingle,shingle-fetterly,minhash-one-permutation
}
# Published without extraction: whole pages, with the templates of their sites.
run_sites() {
  make_corpus "$small"
  evaluate sites "$corpus" --write-pairs --extractor whole-page \
    --algorithms shingle-fetterly,random-projection,henzinger,simhash-64
}
run_keywords() {
  make_corpus "$small"
  evaluate keywords "$corpus" --algorithms tianwang-keywords \
    --sweep tianwang-keywords:keywords=3,5,8,10,15,20,30
}
run_ablation() {
  make_corpus "$small"
  evaluate ablation "$corpus" --ablation
}
run_hashes() {
  "$benchmarks/bench_string_hashes" "${inputs[@]}" > "$out/hashes.txt"
  make_corpus "$small"
  "$benchmarks/bench_string_hashes" "$corpus"/pages-*.warc.gz > "$out/hashes-reposts.txt"
}

for experiment in "${experiments[@]}"; do
  if ! declare -F "run_$experiment" > /dev/null; then note "no experiment of that name: $experiment"; exit 2; fi
done
for experiment in "${experiments[@]}"; do
  begin=$(date +%s)
  "run_$experiment"
  note "$experiment: $(($(date +%s) - begin)) s"
done
python3 -B "$root/tools/reproduce_tables.py" "$out" > "$out/tables.md"
note "tables: $out/tables.md"
