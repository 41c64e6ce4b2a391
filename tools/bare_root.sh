# Bare Debian roots for checks; sourced by tools/check_*.sh. Needs root (chroot, mount) and debootstrap. Functions write
# the log of what they run to ROOT.log and its end to standard error if it fails.
# shellcheck shell=bash

step() { printf '\n== %s (%(%H:%M:%S)T)\n' "$1" -1; }

# The archive that this system installs from: the first Debian one that is not a security suite.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(SUITE)' 'Created-By: Packages' \
    | awk '$2 == "Debian" && $3 !~ /security/ && !found {print $1; found = 1}'
}

# make_root SUITE ROOT: nothing but what Debian calls essential, and apt.
make_root() {
  local mirror
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || { echo "no Debian archive in this system's apt configuration" >&2; return 1; }
  mkdir -p "$2"
  debootstrap --variant=minbase "$1" "$2" "$mirror" > "$2.log" 2>&1 || { tail -n 20 "$2.log" >&2; return 1; }
  if [ "$1" = bookworm ] || [ "$1" = trixie ]; then
    printf 'deb %s %s main\ndeb %s %s-updates main\n' "$mirror" "$1" "$mirror" "$1" > "$2/etc/apt/sources.list"
  fi
}

# use_network_settings ROOT: mirror's proxy, name resolution and trusted certificates of this machine.
use_network_settings() {
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
  apt-config dump Acquire | grep -iE '::(proxy|ca(info|path)|verify)' > "$1/etc/apt/apt.conf.d/90host-network" || true
  if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    mkdir -p "$1/etc/ssl/certs"
    [ -e "$1/etc/ssl/certs/ca-certificates.crt" ] || cp -L /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/"
  fi
  if [ -d /usr/local/share/ca-certificates ]; then  # picked up when ca-certificates is installed
    mkdir -p "$1/usr/local/share"
    cp -rL /usr/local/share/ca-certificates "$1/usr/local/share/"
  fi
}

# mount_root ROOT: until the script ends, which must call unmount_roots (trap unmount_roots EXIT).
mounted=()
mount_root() {
  mount -t proc proc "$1/proc" && mounted+=("$1/proc")
  mount -t tmpfs -o mode=1777 shm "$1/dev/shm" && mounted+=("$1/dev/shm")
}
unmount_roots() {
  local i
  for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do umount "${mounted[i]}" || true; done
  mounted=()
}

# inside ROOT COMMAND...: with only the variables of a login, so that nothing of this machine's toolchain leaks in.
inside() {
  local root=$1
  shift
  chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    ${no_proxy:+no_proxy="$no_proxy"} "$@"
}

# quietly ROOT COMMAND...: inside, with the output in ROOT.log.
quietly() { inside "$@" >> "$1.log" 2>&1 || { tail -n 20 "$1.log" >&2; return 1; }; }
