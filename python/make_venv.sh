#!/usr/bin/env bash
# Makes the virtual environment that builds and tests the Python package, or does nothing if it is there already.
#
# usage: python/make_venv.sh FOLDER [REQUIREMENTS_FILE ...]
# The files default to python/requirements-test.txt. PYTHON names the interpreter, by default the system's own, whose
# headers scripts/install_dependencies.sh installs. Exit code 3: no package index can be reached; nothing is left.
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
  echo "make_venv.sh: $python can't make a virtual environment (Debian: python3-venv); $log says why" >&2
  exit 3
}
arguments=()
for file in "${requirements[@]}"; do arguments+=(-r "$file"); done
pip=("$folder/bin/python" -m pip install -q --disable-pip-version-check --retries 1)
if ! "${pip[@]}" "${arguments[@]}" >> "$log" 2>&1; then
  tail -n 1 "$log" >&2
  ls "$folder"/installed-* >/dev/null 2>&1 || rm -rf "$folder"
  echo "make_venv.sh: the packages of ${requirements[*]} can't be installed; $log says why" >&2
  exit 3
fi
rm -f "$folder"/installed-*
touch "$stamp"
