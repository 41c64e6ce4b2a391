#!/usr/bin/env bash
# usage: tools/add_golden_page.sh NAME [FILE [CONTENT_TYPE]]
#
# Adds FILE (.html or .txt) as tests/golden/pages/NAME, or updates NAME, and shows the changes. The environment variable
# EXTRACTORS names the extractors that must agree, BUILD the build folder. The page must be written for this project.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }
name=$1
folder=tests/golden/pages/$name
build=${BUILD:-build/release}

if [ $# -ge 2 ]; then
  [ ! -e "$folder" ] || { echo "$folder exists; omit FILE to update it" >&2; exit 2; }
  ending=html
  [ "${2##*.}" = txt ] && ending=txt
  mkdir -p "$folder"
  cp "$2" "$folder/page.$ending"
  printf 'what: %s\ncontent-type: %s\nextractors: %s\n' "say here what the page shows" "${3:-}" \
    "${EXTRACTORS:-learned-dom weighted-dom}" > "$folder/case.txt"
fi
[ -d "$folder" ] || { echo "$folder does not exist; pass a FILE to add it" >&2; exit 2; }

cmake --build "$build" --target paraprint_golden_test > /dev/null
status=0
PARAPRINT_GOLDEN_WRITE=$name "$build/tests/golden/paraprint_golden_test" --gtest_brief=1 \
  --gtest_filter="Pages/GoldenPage.*/${name//-/_}" || status=$?
cat "$folder/expected.txt"
git --no-pager diff --stat -- "$folder"
echo
echo "Read $folder/expected.txt: does it hold all of the main content and nothing else? If not, remove the extractor"
echo "that errs from case.txt; wrong text is never expected. Then write the first line of case.txt and commit the"
echo "folder."
exit $status
