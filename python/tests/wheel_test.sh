#!/usr/bin/env bash
# Builds the wheel, installs it into an empty environment without a package index, and uses it from another folder.
#
# usage: python/tests/wheel_test.sh PYTHON    (of the environment that python/make_venv.sh made)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v ccache >/dev/null && export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
export CC=${CC:-cc} CXX=${CXX:-c++} CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=true

"$python" -m pip wheel -q --no-build-isolation --no-deps --wheel-dir "$work" "$root"
wheel=$(ls "$work"/paraprint-*.whl)
listed=$("$python" -m zipfile --list "$wheel")
for name in paraprint/__init__.py paraprint/_core.pyi paraprint/py.typed "paraprint/_core\.[ac]" \
            paraprint/bin/paraprint; do
  grep -q "$name" <<< "$listed" || { echo "wheel_test.sh: no $name in $wheel" >&2; exit 1; }
done
if grep -Ev 'paraprint|File Name' <<< "$listed"; then
  echo "wheel_test.sh: the wheel contains foreign files" >&2
  exit 1
fi

"$python" -m venv "$work/environment"
"$work/environment/bin/python" -m pip install -q --no-index --no-deps "$wheel"
cd "$work"
env -u PYTHONPATH "$work/environment/bin/python" - <<'EOF'
import paraprint
page = "<p>The river rose two metres overnight, the council said, and the old bridge was closed.</p>"
assert paraprint.compare(page, page).verdict == "same"
assert paraprint.dedup([{"html": page}, {"html": page}]).survivors == ["0"]
EOF
"$work/environment/bin/paraprint" --version
touch "$work/pages.csv"
code=0
"$work/environment/bin/paraprint" dedup "$work/pages.csv" --out "$work/clean" 2> "$work/said" || code=$?
if [ $code != 2 ] || ! grep -q 'pip install pyarrow' "$work/said"; then  # said by the package, which was found
  echo "wheel_test.sh: exit code $code: $(cat "$work/said")" >&2
  exit 1
fi
"$work/environment/bin/paraprint-parquet" --help > "$work/help"
grep -q -- --near "$work/help"
echo "wheel_test.sh: $(basename "$wheel") installs and works"
