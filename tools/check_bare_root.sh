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

step() { printf '\n== %s (%(%H:%M:%S)T)\n' "$1" -1; }

# The archive that this system installs from: the first Debian one that is not a security suite.
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
if [ -d /usr/local/share/ca-certificates ]; then  # picked up when ca-certificates is installed
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

# Only the variables of a login, so that nothing of this machine's toolchain leaks in.
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
