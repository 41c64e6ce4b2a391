#!/usr/bin/env bash
# Proves the README's promise: in a bare Debian root with nothing but git and make, `make demo` and `make test` work.
#
# usage: tools/check_bare_root.sh [--suite NAME] [--reuse] DIRECTORY [make-target ...]
#   DIRECTORY     where the root is made; must be empty or absent unless --reuse is given. It is left in place, so that
#                 a failure can be looked at; remove it with: rm -rf --one-file-system DIRECTORY
#   --suite NAME  the Debian suite (default: bookworm)
#   --reuse       DIRECTORY is a root of an earlier run: take it as it is and only renew the clone
#   make-target   what to run inside, in this order (default: demo test)
#
# Runs as root and needs debootstrap. The commit that HEAD names is tested, not the work tree. Mirror, proxy settings,
# name resolution and trusted certificates are those of this machine, copied into the new root and nowhere else.
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

step() { printf '\n== %s (%(%H:%M:%S)T)\n' "$1" -1; }

# The archive this system installs from: the first one that is Debian's own, without the security suite.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(SUITE)' 'Created-By: Packages' \
         | awk '$2 == "Debian" && $3 !~ /security/ {print $1; exit}')
[ -n "$mirror" ] || { echo "check_bare_root.sh: no Debian archive in this system's apt configuration" >&2; exit 1; }

if [ $reuse = no ]; then
  if [ -e "$root_directory" ] && [ -n "$(ls -A "$root_directory")" ]; then
    echo "check_bare_root.sh: $root_directory is not empty (use --reuse, or another directory)" >&2
    exit 2
  fi
  step "debootstrap $suite into $root_directory"
  mkdir -p "$root_directory"
  debootstrap --variant=minbase "$suite" "$root_directory" "$mirror" > "$root_directory.debootstrap.log" \
    || { tail -n 20 "$root_directory.debootstrap.log" >&2; exit 1; }
fi

step "network settings of this machine"
cp -L /etc/resolv.conf /etc/hosts "$root_directory/etc/"
apt-config dump Acquire | grep -iE '::(proxy|ca(info|path)|verify)' \
  > "$root_directory/etc/apt/apt.conf.d/90host-network" || true
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  mkdir -p "$root_directory/etc/ssl/certs"
  [ -e "$root_directory/etc/ssl/certs/ca-certificates.crt" ] \
    || cp -L /etc/ssl/certs/ca-certificates.crt "$root_directory/etc/ssl/certs/"
fi
if [ -d /usr/local/share/ca-certificates ]; then  # taken up when the package ca-certificates is installed
  mkdir -p "$root_directory/usr/local/share"
  cp -rL /usr/local/share/ca-certificates "$root_directory/usr/local/share/"
fi
if [ "$suite" = bookworm ] || [ "$suite" = trixie ]; then
  printf 'deb %s %s main\ndeb %s %s-updates main\n' "$mirror" "$suite" "$mirror" "$suite" \
    > "$root_directory/etc/apt/sources.list"
fi

mounted=()
unmount_all() { for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do umount "${mounted[i]}" || true; done; }
trap unmount_all EXIT
mount_inside() { mount "$@" && mounted+=("${!#}"); }
mount_inside -t proc proc "$root_directory/proc"
mount_inside -t tmpfs -o mode=1777 shm "$root_directory/dev/shm"

# Only what a login would set; nothing of the build machine's toolchain leaks in.
inside() {
  chroot "$root_directory" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    ${no_proxy:+no_proxy="$no_proxy"} "$@"
}

step "what a stranger has: git and make"
inside apt-get update -q > "$root_directory.apt.log" 2>&1 || { tail -n 20 "$root_directory.apt.log" >&2; exit 1; }
inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends git make \
  >> "$root_directory.apt.log" 2>&1 || { tail -n 20 "$root_directory.apt.log" >&2; exit 1; }

step "fresh clone of $(git -C "$source_directory" rev-parse --short HEAD)"
rm -rf "$root_directory/root/paraprint"
git clone -q --no-local "$source_directory" "$root_directory/root/paraprint"
chown -R 0:0 "$root_directory/root/paraprint"

for target in "${targets[@]}"; do
  step "make $target"
  inside make -C /root/paraprint "$target" || { echo "check_bare_root.sh: make $target FAILED" >&2; exit 1; }
done
step "all of it worked: make ${targets[*]}"
