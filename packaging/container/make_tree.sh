#!/usr/bin/env bash
# Makes the file system of the image in TREE from the tarball of `make dist`; runs in the first stage of the
# Containerfile.
#
# usage: packaging/container/make_tree.sh TREE
set -euo pipefail
cd "$(dirname "$0")/../.."
tree=$1
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
apt-get update -q
apt-get install -y -q --no-install-recommends ca-certificates zstd
shopt -s nullglob
tarballs=(dist/paraprint-*.tar.zst)
if [ ${#tarballs[@]} = 0 ]; then
  apt-get install -y -q --no-install-recommends make
  make dist
  tarballs=(dist/paraprint-*.tar.zst)
fi
[ ${#tarballs[@]} = 1 ] || { echo "make_tree.sh: dist has ${#tarballs[@]} tarballs; keep one" >&2; exit 1; }

mkdir -p "$tree/opt/paraprint" "$tree/etc/ssl/certs" "$tree/var/lib" "$tree/lib64"
zstd -dc "${tarballs[0]}" | tar -xf - -C "$tree/opt/paraprint" --strip-components=1
# Manual pages and completions are of no use without a shell.
rm -r "$tree"/opt/paraprint/share/{man,bash-completion,zsh,fish}
# The C library and what it loads by name: resolvers of host names, conversions are not used.
library=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")
mkdir -p "$tree/$library"
for name in libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2 libutil.so.1 \
            libnss_dns.so.2 libnss_files.so.2; do
  cp -L "/$library/$name" "$tree/$library/"
done
cp -L /lib64/ld-linux-x86-64.so.2 "$tree/lib64/"
mkdir -p "$tree/usr/share/doc/libc6" "$tree/usr/share/doc/ca-certificates"
for package in libc6 ca-certificates; do
  cp -L "/usr/share/doc/$package/copyright" "$tree/usr/share/doc/$package/"
done
cp -L /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
echo 'paraprint:x:10001:10001:paraprint:/var/lib/paraprint:/sbin/nologin' > "$tree/etc/passwd"
echo 'paraprint:x:10001:' > "$tree/etc/group"
echo 'hosts: files dns' > "$tree/etc/nsswitch.conf"
install -d -m 1777 "$tree/tmp"
install -d -o 10001 -g 10001 -m 0700 "$tree/var/lib/paraprint"
