#!/usr/bin/env bash
# Checks wheels of the Python package where they will live: in a bare Debian root that has nothing but Python, without a
# network, as an ordinary user whose home cannot be written. tools/wheel/check_in_root.sh has the checks.
#
# usage: tools/check_wheel.sh [--roots FOLDER] [--only-core] WHEEL ...
#   --roots FOLDER  where roots are kept for the next run (default: build/roots); to remove them: rm -rf FOLDER
#   --only-core     leave out what needs pyarrow, which is downloaded from PyPI
# A wheel for CPython 3.11 is checked in Debian 12, one for the stable ABI in Debian 13 (CPython 3.13). Requires root,
# debootstrap, and the network to make a root and to download pyarrow. The run on a processor without AVX2 needs
# qemu-x86_64-static (package qemu-user-static). What cannot be checked is reported as skipped.
# Exit code 1: a check failed; 2: wrong usage.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
roots=$repository/build/roots
only_core=no
while [[ ${1:-} == --* ]]; do
  case $1 in
    --roots) roots=$(realpath -m "$2"); shift 2 ;;
    --only-core) only_core=yes; shift ;;
    *) echo "check_wheel.sh: unknown option $1" >&2; exit 2 ;;
  esac
done
[ $# -ge 1 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0" | head -n -1 >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "check_wheel.sh: must run as root (debootstrap, chroot)" >&2; exit 2; }
for tool in debootstrap unshare setpriv; do
  command -v $tool >/dev/null || { echo "check_wheel.sh: no $tool; install it" >&2; exit 2; }
done

# The root of a suite, with Python and nothing else. A root that is being made is not mistaken for a finished one.
make_root() {
  local root=$roots/$1-python mirror
  [ -d "$root" ] && return
  # The archive that this system installs from: the first Debian one that is not a security suite.
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(SUITE)' 'Created-By: Packages' \
           | awk '$2 == "Debian" && $3 !~ /security/ && !found {print $1; found = 1}')
  [ -n "$mirror" ] || { echo "check_wheel.sh: no Debian archive in this system's apt configuration" >&2; exit 2; }
  echo "== debootstrap $1 into $root"
  mkdir -p "$roots"
  rm -rf --one-file-system "$root.unfinished"
  debootstrap --variant=minbase --include=python3,python3-venv "$1" "$root.unfinished" "$mirror" \
    > "$root.log" 2>&1 || { tail -n 20 "$root.log" >&2; exit 1; }
  rm -rf "$root.unfinished"/var/cache/apt/archives/*.deb "$root.unfinished"/var/lib/apt/lists/*
  mv "$root.unfinished" "$root"
}

# A copy of a root, which is removed at the end.
work=$(mktemp -d)
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT
chmod 755 "$work"

# in_root SUITE WHEEL WHAT: runs the checks named WHAT in a new copy of the suite's root, without a network.
in_root() {
  local suite=$1 wheel=$2 what=$3
  make_root "$suite"
  rm -rf --one-file-system "$root"
  cp -a --reflink=auto "$roots/$suite-python" "$root"
  install -d -m 555 "$root/home/user"
  mkdir "$root/check"
  cp "$wheel" "$repository"/tools/wheel/{check_in_root.sh,run_manual.py} "$repository/docs/python.md" "$root/check/"
  cp -r "$repository/examples/demo-crawl" "$root/check/crawl"
  [ ! -d "$work/packages" ] || cp -r "$work/packages" "$root/check/"
  cp "$(command -v qemu-x86_64-static)" "$root/check/" 2>/dev/null || true
  unshare --mount --net --pid --fork --kill-child bash -euc '
    mount -t proc proc "$1/proc"
    mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
    exec chroot "$1" env -i HOME=/home/user LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin \
      bash /check/check_in_root.sh "$2"' - "$root" "$what"
}

check() {
  local wheel=$1 suite python other
  case $(basename "$wheel") in
    *-cp311-cp311-*) suite=bookworm python=3.11 other=trixie ;;
    *-cp312-abi3-*) suite=trixie python=3.13 other=bookworm ;;
    *) echo "check_wheel.sh: $wheel: neither for CPython 3.11 nor for the stable ABI of 3.12" >&2; return 1 ;;
  esac
  [ -f "$wheel" ] || { echo "check_wheel.sh: $wheel: no such file" >&2; return 1; }
  rm -rf "$work/packages"
  if [ $only_core = no ]; then
    python3 -m pip download -q --disable-pip-version-check --only-binary :all: --python-version $python \
      -d "$work/packages" 'pyarrow>=15' || echo "check_wheel.sh: cannot download pyarrow" >&2
  fi
  echo "== $(basename "$wheel") on $suite, CPython $python"
  in_root "$suite" "$wheel" uses || return 1
  echo "== $(basename "$wheel") on $other, whose Python it is not for"
  in_root "$other" "$wheel" refusal || return 1
}

failed=0
for wheel in "$@"; do
  check "$wheel" || { echo "check_wheel.sh: FAILED: $wheel" >&2; failed=1; }
done
[ $failed = 0 ] && echo "== all wheels passed"
exit $failed
