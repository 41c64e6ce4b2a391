#!/usr/bin/env bash
# Checks the one-definition rule: links every object of the project with link-time optimisation, where gcc compares the
# definitions of each type across sources (-Wodr). It sees types with the same full name; not functions with equal
# signatures and different bodies.
#
# usage: tools/odr_check.sh SECONDS
# The preset odr must be configured. A build that is not finished after SECONDS is reported, which is no failure: its
# objects are kept, so that the next run continues.
set -uo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
timeout --kill-after=10 "$1" cmake --build --preset odr -j "${JOBS:-$(nproc)}" --target paraprint_definitions \
  > "$log" 2>&1
case $? in
  0) echo "odr_check.sh: no type has two definitions" ;;
  124 | 137) echo "odr_check.sh: not finished in $1 s: $(grep -o '^\[[0-9/]*\]' "$log" | tail -n 1)" ;;
  *) cut -c 1-300 "$log" | tail -n 60
     echo "odr_check.sh: FAILED"
     exit 1 ;;
esac
