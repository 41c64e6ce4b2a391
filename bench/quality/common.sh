# Sourced by the quality benchmarks. Sets `program` (--program, or the release build), the paths `first` and `scorer`,
# and `options` (the other arguments). Exits with the usage if arguments are missing, with success if a path is missing.
set -euo pipefail

program=build/release/apps/paraprint
if [ "${1:-}" = --program ]; then program=$2; shift 2; fi
[ $# -ge 2 ] || { sed -n '2,/^source /s/^# \{0,1\}//p' "$0" >&2; exit 2; }
first=$1
scorer=$2
shift 2
options=("$@")
for path in "$program" "$first" "$scorer"; do
  [ -e "$path" ] || { echo "$(basename "$0"): skipped, $path is not there"; exit 0; }
done
run_scorer() { if [[ $scorer == *.py ]]; then python3 "$scorer" "$@"; else "$scorer" "$@"; fi; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
