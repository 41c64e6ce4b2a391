#!/usr/bin/env bash
# Installs and runs what `make wheel` and `make dist` made, in roots that have nothing else.
#
# usage: tools/check_artefacts.sh [FOLDER]     default: dist      (as root: it uses debootstrap and chroot)
# Runs tools/check_wheel.sh for the wheels and tools/check_packages.sh for the Debian package and the tarball, whichever
# the folder has. Fails if it has none, or if one of them does.
set -uo pipefail
cd "$(dirname "$0")/.."
folder=${1:-dist}
[ -d "$folder" ] || { echo "check_artefacts.sh: $folder: no such folder; run make wheel and make dist" >&2; exit 1; }
shopt -s nullglob
wheels=("$folder"/paraprint-*.whl)
packages=("$folder"/paraprint_*.deb)
tarballs=("$folder"/paraprint-*-linux-*.tar.*)
failed=()
checked=0

# check NAME COMMAND...
check() {
  echo "== $1"
  checked=$((checked + 1))
  "${@:2}" || failed+=("$1")
}
[ ${#wheels[@]} = 0 ] || check wheels tools/check_wheel.sh "${wheels[@]}"
if [ ${#packages[@]} -gt 1 ] || [ ${#tarballs[@]} -gt 1 ]; then
  echo "check_artefacts.sh: $folder has packages of several versions" >&2
  exit 1
fi
[ ${#packages[@]} = 0 ] || [ ${#tarballs[@]} = 0 ] \
  || check "Debian package and tarball" tools/check_packages.sh "${packages[0]}" "${tarballs[0]}"
[ $checked -gt 0 ] || { echo "check_artefacts.sh: $folder has no wheel and no package" >&2; exit 1; }
if [ ${#failed[@]} -gt 0 ]; then
  printf 'check_artefacts.sh: FAILED: %s\n' "${failed[@]}" >&2
  exit 1
fi
echo "check_artefacts.sh: $checked of $checked passed"
