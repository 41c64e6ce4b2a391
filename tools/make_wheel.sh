#!/usr/bin/env bash
# Makes the wheels of the Python package: one for the system's own Python, and one for the stable ABI of CPython 3.12
# and later. Each has the package, the program `paraprint`, and all libraries that other systems may lack, with their
# licences (docs/packaging.md).
#
# usage: tools/make_wheel.sh [FOLDER]    (default: dist)
#   PYTHON             the Python of the first wheel (default: /usr/bin/python3)
#   PYTHON_ABI3        a Python of version 3.12 or later, for the second. By default PYTHON, if it is one, and otherwise
#                      that of a newer Debian suite, which tools/wheel/newer_python.sh unpacks below build/
#   SOURCE_DATE_EPOCH  the time that all files of the wheels get (default: that of the last commit)
# A wheel runs where the C library is as new as the one of this system. The same sources and packages give the same
# bytes. If no Python for the stable ABI can be had, the script says so and makes the first wheel alone.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$(realpath -m "${1:-dist}")
python=${PYTHON:-/usr/bin/python3}
parts=build/wheel-parts  # what is made once: tools, a reduced library, another Python
umask 022
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}
export SOURCE_DATE_EPOCH CC=${CC:-cc} CXX=${CXX:-c++} CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=true PYTHONDONTWRITEBYTECODE=1
command -v ccache >/dev/null && export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fail() { echo "make_wheel.sh: $1" >&2; exit 1; }

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 12))'; }
PYTHON=$python python/make_venv.sh "$parts/venv" tools/wheel/requirements.txt
tools=$PWD/$parts/venv/bin
# The build system is pure Python: what is installed for one Python serves the other.
modules=$("$tools/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
if [ -n "${PYTHON_ABI3:-}" ]; then
  is_new_enough "$PYTHON_ABI3" || fail "PYTHON_ABI3=$PYTHON_ABI3 is not a Python of version 3.12 or later"
  newer=$PYTHON_ABI3
elif is_new_enough "$python"; then
  newer=$python
else
  newer=$(tools/wheel/newer_python.sh "$parts/python") || newer=
fi
tools/wheel/reduce_icu_data.sh "$parts/icu"

# All wheels are built in one folder, so that the second only compiles the module again.
build() {
  local raw=$parts/raw
  rm -rf "$raw"
  PYTHONPATH=$modules "$1" - "$raw" "$python" <<'END'
import os
import sys

import scikit_build_core.build

os.makedirs(sys.argv[1])
# Python3 only runs generators, so that it is the same for all wheels; Python, which is not named here, is this one.
settings = {"build-dir": "build/wheel", "logging.level": "WARNING", "cmake.define.Python3_EXECUTABLE": sys.argv[2]}
print("built", scikit_build_core.build.build_wheel(sys.argv[1], settings))
END
  # --plat auto, the default, is the platform with the lowest version that all libraries allow.
  PATH=$tools:$PATH LD_LIBRARY_PATH=$PWD/$parts/icu "$tools/auditwheel" repair -w "$parts/repaired" "$raw"/*.whl
  for wheel in "$parts"/repaired/*.whl; do
    # Asked again, now that the libraries are inside.
    platform=$(basename "$wheel" .whl | sed 's/.*-//')
    "$tools/auditwheel" show "$wheel" | tr '\n' ' ' | grep -q "platform tag: \"$platform\"" \
      || fail "$wheel needs a newer system than its name says"
    "$tools/python" tools/wheel/add_licences.py "$wheel" "$parts/finished"
  done
  mkdir -p "$output"
  mv "$parts"/finished/*.whl "$output/"
  rm -rf "$parts/repaired" "$parts/finished"
}
build "$python"
if [ -z "$newer" ]; then
  echo "make_wheel.sh: no wheel for the stable ABI: no Python of version 3.12 or later could be had (see above)." \
       "Name one with its headers: PYTHON_ABI3=/path/to/python3 make wheel" >&2
elif [ "$newer" != "$python" ]; then
  build "$newer"
fi

maximum_bytes=$((40 * 1000 * 1000))
for wheel in "$output"/paraprint-*.whl; do
  size=$(stat -c %s "$wheel")
  printf '%s  %s bytes  sha256 %s\n' "$wheel" "$size" "$(sha256sum < "$wheel" | cut -d ' ' -f 1)"
  [ "$size" -le "$maximum_bytes" ] || fail "$wheel is larger than $maximum_bytes bytes"
done
