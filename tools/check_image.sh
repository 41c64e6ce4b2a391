#!/usr/bin/env bash
# Builds the image of packaging/container/Containerfile and checks it: its size, that it has no compiler and no shell,
# and that it serves and deduplicates as an ordinary user in a read-only file system.
#
# usage: tools/check_image.sh [--bare-base] [NAME]
#   --bare-base  make the base image with debootstrap instead of pulling debian:12-slim
#   NAME         name of the image (default: paraprint:check); it is kept
#
# Requires root and buildah, with --bare-base also debootstrap; podman runs the image if it can, otherwise its file
# system is run as a root (chroot). Uses the tarball in dist if there is one.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/bare_root.sh
base=docker.io/library/debian:12-slim
if [ "${1:-}" = --bare-base ]; then base=localhost/debian:12-bare; shift; fi
image=${1:-paraprint:check}
size_limit_bytes=150000000
work=$(mktemp -d)
trap 'unmount_roots; rm -rf --one-file-system "$work"' EXIT
fail() { printf 'check_image.sh: FAILED: %s\n' "$1" >&2; exit 1; }
passed() { printf '   %s\n' "$1"; }

if [ $base = localhost/debian:12-bare ] && ! buildah inspect --type image $base >/dev/null 2>&1; then
  step "a base image from debootstrap"
  make_root bookworm "$work/base"
  use_network_settings "$work/base"
  container=$(buildah from scratch)
  buildah add -q "$container" "$work/base" / >/dev/null
  buildah commit -q "$container" $base >/dev/null
  buildah rm "$container" >/dev/null
  rm -rf --one-file-system "$work/base"
fi

step "the image"
buildah build -q --isolation chroot --network host --build-arg BASE=$base -f packaging/container/Containerfile \
  -t "$image" . > "$work/build.log" 2>&1 || { tail -n 20 "$work/build.log" >&2; fail "the image was not built"; }
container=$(buildah from "$image")
tree=$(buildah mount "$container")
size=$(du -sb --one-file-system "$tree" | cut -f 1)
[ "$size" -le $size_limit_bytes ] || fail "the image has $size bytes, more than $size_limit_bytes"
passed "$((size / 1000000)) MB"
for program in sh bash cc gcc g++ ld apt dpkg python3; do
  found=$(find "$tree" -name $program \( -type f -o -type l \) -print -quit)
  [ -z "$found" ] || fail "the image has $found"
done
passed "no shell, no compiler, no package manager"
buildah inspect --type image --format '{{.OCIv1.Config.User}}' "$image" | grep -qx 10001:10001 || fail "it runs as root"

step "run"
mkdir "$work/out" "$work/data"
chown 10001:10001 "$work/out" "$work/data"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cp -r examples/demo-crawl "$work/crawl"
if podman run --rm --read-only --network host "$image" --version >/dev/null 2>"$work/podman.log"; then
  passed "with podman, read-only"
  run=(podman run --rm --read-only --network host --cap-drop all --security-opt no-new-privileges
       -v "$work/crawl:/crawl:ro" -v "$work/out:/out" -v "$work/data:/var/lib/paraprint" "$image")
  serve=(podman run --rm --read-only --network host --cap-drop all -v "$work/data:/var/lib/paraprint"
         -v "$work:/run/check" -e NOTIFY_SOCKET=/run/check/notify "$image")
else
  passed "podman cannot run here ($(tail -n 1 "$work/podman.log")): as a root instead"
  mkdir -p "$tree/crawl" "$tree/out" "$tree/run/check" "$tree/proc"
  mount --bind "$work/crawl" "$tree/crawl" && mounted+=("$tree/crawl")
  mount --bind "$work/out" "$tree/out" && mounted+=("$tree/out")
  mount --bind "$work/data" "$tree/var/lib/paraprint" && mounted+=("$tree/var/lib/paraprint")
  mount --bind "$work" "$tree/run/check" && mounted+=("$tree/run/check")
  mount -t proc proc "$tree/proc" && mounted+=("$tree/proc")
  as_user=(chroot --userspec 10001:10001 "$tree")
  run=("${as_user[@]}" /opt/paraprint/bin/paraprint)
  serve=(env -i PATH="$PATH" NOTIFY_SOCKET=/run/check/notify "${run[@]}")
fi
"${run[@]}" dedup /crawl --out /out/clean --quiet
python3 tools/tell_demo.py "$work/out/clean" examples/demo-crawl | grep -E 'remain|truth'
chmod 711 "$work"
python3 tools/packages/probe_service.py "$work/notify" "$port" new \
  "${serve[@]}" serve --data /var/lib/paraprint/known --port "$port" 2>> "$work/serve.log" | sed 's/^/   /' \
  || { tail -n 5 "$work/serve.log" >&2; fail "the service did not do what it should"; }
unmount_roots
buildah umount "$container" >/dev/null
buildah rm "$container" >/dev/null
step "all of it worked: $image"
