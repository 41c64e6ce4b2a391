#!/usr/bin/env bash
# usage: tools/add_golden_page.sh NAME [FILE [CONTENT_TYPE]]
#
# Adds FILE (.html or .txt) as tests/golden/pages/NAME, or refreshes NAME, and shows what came of it. EXTRACTORS names
# the extractors that must give this answer. The page must be our own writing; BUILD is the build folder.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }
name=$1
folder=tests/golden/pages/$name
build=${BUILD:-build/release}

if [ $# -ge 2 ]; then
  [ ! -e "$folder" ] || { echo "$folder is there; without FILE it is refreshed" >&2; exit 2; }
  ending=html
  [ "${2##*.}" = txt ] && ending=txt
  mkdir -p "$folder"
  cp "$2" "$folder/page.$ending"
  printf 'what: %s\ncontent-type: %s\nextractors: %s\n' "say here what the page shows" "${3:-}" \
    "${EXTRACTORS:-learned-dom weighted-dom}" > "$folder/case.txt"
fi
[ -d "$folder" ] || { echo "$folder is not there; give a FILE to add it" >&2; exit 2; }

cmake --build "$build" --target paraprint_golden_test > /dev/null
status=0
PARAPRINT_GOLDEN_WRITE=$name "$build/tests/golden/paraprint_golden_test" --gtest_brief=1 \
  --gtest_filter="Pages/GoldenPage.*/${name//-/_}" || status=$?
cat "$folder/expected.txt"
git --no-pager diff --stat -- "$folder"
echo
echo "Read $folder/expected.txt: is it what a reader came for, all of it and nothing else? If not, take the extractor"
echo "that errs out of case.txt; wrong text is never expected. Then write case.txt's first line and commit the folder."
exit $status
