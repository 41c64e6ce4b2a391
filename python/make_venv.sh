#!/usr/bin/env bash
# Creates the virtual environment that builds and tests the Python package, unless it already exists.
#
# usage: python/make_venv.sh FOLDER [REQUIREMENTS_FILE ...]
# The files default to python/requirements-test.txt. PYTHON names the interpreter, by default the system's own, whose
# headers scripts/install_dependencies.sh installs. Exit code 3: the environment or its packages cannot be installed.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
shift
requirements=("$@")
[ ${#requirements[@]} -gt 0 ] || requirements=(python/requirements-test.txt)
python=${PYTHON:-/usr/bin/python3}
command -v "$python" >/dev/null || python=python3
log=$folder.log

wanted=$({ "$python" --version; cat "${requirements[@]}"; } | sha256sum | cut -d ' ' -f 1)
stamp=$folder/installed-$wanted
[ -e "$stamp" ] && exit 0
mkdir -p "$(dirname "$folder")"
[ -x "$folder/bin/python" ] || "$python" -m venv "$folder" > "$log" 2>&1 || {
  rm -rf "$folder"
  echo "make_venv.sh: $python cannot create a virtual environment (on Debian, install python3-venv); see $log" >&2
  exit 3
}
arguments=()
for file in "${requirements[@]}"; do arguments+=(-r "$file"); done
pip=("$folder/bin/python" -m pip install -q --disable-pip-version-check --retries 1)
if ! "${pip[@]}" "${arguments[@]}" >> "$log" 2>&1; then
  tail -n 1 "$log" >&2
  ls "$folder"/installed-* >/dev/null 2>&1 || rm -rf "$folder"
  echo "make_venv.sh: cannot install the packages of ${requirements[*]}; see $log" >&2
  exit 3
fi
rm -f "$folder"/installed-*
touch "$stamp"
