#!/usr/bin/env bash
# Makes a folder with the arm64 libraries and headers that paraprint and its tests link: the root for cross-compiling
# and for running the result under qemu. The packages are those of the archive that this system already uses, checked
# with its keys and only unpacked. The system itself gets no package of another architecture.
#
# usage: tools/arm64/make_root.sh FOLDER
# A root that FOLDER already has is kept if it was made of the same list of packages. Exit code 3: a package cannot be
# downloaded.
set -euo pipefail
[ $# = 1 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2; }
source_directory=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(realpath -m "$1")
fail() { echo "make_root.sh: $1" >&2; exit 3; }
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail "this system has no apt-get"
[ -r /usr/share/keyrings/debian-archive-keyring.gpg ] || fail "no keys of Debian's archive (debian-archive-keyring)"
. "$source_directory/tools/bare_root.sh"  # for debian_mirror
mirror=$(debian_mirror)
[ -n "$mirror" ] || fail "no Debian archive in this system's apt configuration"
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$suite" ] || fail "/etc/os-release has no VERSION_CODENAME"

compiler_version=$(aarch64-linux-gnu-g++ -dumpversion | cut -d . -f 1)
mapfile -t packages < <("$source_directory/scripts/install_dependencies.sh" libraries)
packages+=(libc6-dev "libstdc++-$compiler_version-dev")
contents="$suite ${packages[*]}"
if [ -e "$folder/contents" ] && [ "$(cat "$folder/contents")" = "$contents" ]; then exit; fi
rm -rf "$folder"
mkdir -p "$folder/usr/lib" "$folder/apt/archives/partial"
: > "$folder/apt/status"
log=$folder/apt/log

# with_archive SUITE COMMAND...: apt with all of its state in the folder and an empty list of installed packages, so
# that it resolves down to the C library.
with_archive() {
  local lists=$folder/apt/$1 tool=$2
  mkdir -p "$lists/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main" > "$folder/apt/$1.list"
  shift 2
  (cd "$folder/apt/archives" && "$tool" -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
    -o "Dir::Etc::sourcelist=$lists.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null \
    -o Dir::Etc::preferencesparts=/dev/null -o "Dir::State::lists=$lists" -o "Dir::State::status=$folder/apt/status" \
    -o "Dir::Cache::archives=$folder/apt/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o APT::Sandbox::User= -o Debug::NoLocking=1 -o Acquire::Languages=none \
    -o Acquire::Check-Valid-Until=false "$@" 2>> "$log")
}
give_up() { tail -n 3 "$log" >&2; fail "$1"; }

with_archive "$suite" apt-get update >> "$log" || give_up "the archive has no suite $suite"
# lexbor comes from a newer suite where this one has none, as in scripts/install_dependencies.sh.
lexbor=()
if with_archive "$suite" apt-cache show liblexbor-dev > /dev/null 2>&1; then
  packages+=(liblexbor-dev)
else
  for newer in forky sid; do
    with_archive $newer apt-get update >> "$log" || continue
    mapfile -t lexbor < <(with_archive $newer apt-cache depends liblexbor-dev \
                          | sed -n 's/.*Depends: \(liblexbor[0-9]*\)$/\1/p' | sort -u)
    [ ${#lexbor[@]} = 0 ] || break
  done
  [ ${#lexbor[@]} = 1 ] || give_up "no suite has lexbor for arm64"
  with_archive $newer apt-get download liblexbor-dev "${lexbor[0]}" >> "$log" || give_up "cannot download lexbor"
fi
with_archive "$suite" apt-get install -y --no-install-recommends --download-only "${packages[@]}" >> "$log" \
  || give_up "cannot download the libraries of suite $suite for arm64"

for name in bin sbin lib; do
  mkdir -p "$folder/usr/$name"
  ln -s "usr/$name" "$folder/$name"
done
for package in "$folder"/apt/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" \
    | tar -x -C "$folder" --no-same-owner --keep-directory-symlink --exclude=./usr/share/doc --exclude=./usr/share/man
done
# Absolute links would lead the linker out of the root.
find "$folder" -path "$folder/apt" -prune -o -type l -lname '/*' -print0 \
  | while IFS= read -r -d '' link; do ln -snfr "$folder$(readlink "$link")" "$link"; done
echo "unpacked $(ls "$folder/apt/archives" | grep -c '\.deb$') packages of $suite for arm64" >&2
rm -rf "$folder/apt"
echo "$contents" > "$folder/contents"
