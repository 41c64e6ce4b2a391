#!/usr/bin/env bash
# Builds the documentation as a site that works from disk: build/docs/site/index.html. Needs doxygen, and the built
# Python package, whose stub describes the compiled module (`make docs` builds it).
#
# usage: tools/make_docs.sh [PACKAGE_FOLDER]     (build/release/python)
# Every warning of Doxygen, MkDocs or a check of the links fails. Links to other sites are listed in
# build/docs/external-links.txt and not followed.
set -euo pipefail
cd "$(dirname "$0")/.."
package=${1:-build/release/python}
work=build/docs
venv=build/docs-venv
export PYTHONDONTWRITEBYTECODE=1

fail() { echo "make_docs.sh: $1" >&2; exit 1; }
command -v doxygen >/dev/null || fail "doxygen is missing; install it (apt install doxygen)"
[ -e "$package/paraprint/_core.pyi" ] || fail "no Python package in $package; run \`make python\` first"
python/make_venv.sh "$venv" docs-site/requirements.txt

rm -rf "$work"
mkdir -p "$work/doxygen"
{
  cat docs-site/Doxyfile
  echo "INPUT = include/paraprint"
  echo "STRIP_FROM_PATH = include"
  echo "STRIP_FROM_INC_PATH = include"
  echo "INPUT_FILTER = \"python3 docs-site/doxygen_comments.py\""
  echo "OUTPUT_DIRECTORY = $work/doxygen"
} > "$work/doxygen/Doxyfile"
doxygen "$work/doxygen/Doxyfile" || fail "Doxygen has warnings; see above"

"$venv/bin/python" docs-site/stage.py . "$package" "$work/doxygen/xml" "$work"
# Not --quiet, under which --strict does not see warnings.
PYTHONPATH=docs-site NO_MKDOCS_2_WARNING=1 "$venv/bin/python" -m mkdocs build --strict -f "$work/mkdocs.yml" \
  > "$work/mkdocs.log" 2>&1 || { grep -v '^INFO' "$work/mkdocs.log" >&2; fail "MkDocs has warnings; see above"; }
cp -r "$work/plain/." "$work/site/"
"$venv/bin/python" docs-site/check_site.py "$work/site" > "$work/external-links.txt"
echo "The site: $PWD/$work/site/index.html"
