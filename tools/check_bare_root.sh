#!/usr/bin/env bash
# Checks that `make demo` and `make test` work in a bare Debian root with nothing but git and make, as the README says.
#
# usage: tools/check_bare_root.sh [--suite NAME] [--reuse] DIRECTORY [make-target ...]
#   DIRECTORY     folder of the root; must be empty or absent unless --reuse is given. It is kept, so that failures can
#                 be examined; remove it with: rm -rf --one-file-system DIRECTORY
#   --suite NAME  the Debian suite (default: bookworm)
#   --reuse       DIRECTORY is the root of an earlier run: keep it and only replace the clone
#   make-target   what to run inside, in this order (default: demo test)
#
# Requires root and debootstrap. Tests the commit at HEAD, not the work tree. Mirror, proxy settings, name resolution
# and trusted certificates are copied from this machine into the new root.
set -euo pipefail

suite=bookworm
reuse=no
while [[ ${1:-} == --* ]]; do
  case $1 in
    --suite) suite=$2; shift 2 ;;
    --reuse) reuse=yes; shift ;;
    *) echo "check_bare_root.sh: unknown option $1" >&2; exit 2 ;;
  esac
done
[ $# -ge 1 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root_directory=$(realpath -m "$1")
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(demo test)

[ "$(id -u)" = 0 ] || { echo "check_bare_root.sh: must run as root (chroot, mount)" >&2; exit 2; }
source_directory=$(cd "$(dirname "$0")/.." && pwd)
. "$source_directory/tools/bare_root.sh"

if [ $reuse = no ]; then
  if [ -e "$root_directory" ] && [ -n "$(ls -A "$root_directory")" ]; then
    echo "check_bare_root.sh: $root_directory is not empty (use --reuse, or another directory)" >&2
    exit 2
  fi
  step "debootstrap $suite into $root_directory"
  make_root "$suite" "$root_directory"
fi

step "network settings of this machine"
use_network_settings "$root_directory"
trap unmount_roots EXIT
mount_root "$root_directory"

step "what a stranger has: git and make"
quietly "$root_directory" apt-get update -q
quietly "$root_directory" apt-get install -y -q --no-install-recommends git make

step "fresh clone of $(git -C "$source_directory" rev-parse --short HEAD)"
rm -rf "$root_directory/root/paraprint"
git clone -q --no-local "$source_directory" "$root_directory/root/paraprint"
chown -R 0:0 "$root_directory/root/paraprint"

for target in "${targets[@]}"; do
  step "make $target"
  inside "$root_directory" make -C /root/paraprint "$target" \
    || { echo "check_bare_root.sh: make $target FAILED" >&2; exit 1; }
done
step "all of it worked: make ${targets[*]}"
