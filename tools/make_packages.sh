#!/usr/bin/env bash
# Makes the tarball and the Debian package from a finished build. `make dist` calls it; docs/packaging-debian.md says
# what is in them and why.
#
# usage: tools/make_packages.sh [BUILD [OUTPUT]]
#   BUILD   the build folder (default: build/release)
#   OUTPUT  where the packages go (default: dist)
#
# The same sources give the same bytes: times come from SOURCE_DATE_EPOCH (default: the time of the last commit).
# PARAPRINT_MAINTAINER is the maintainer that the Debian package names.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath -m "${1:-build/release}")
output=$(realpath -m "${2:-dist}")
umask 022
export LC_ALL=C TZ=UTC

fail() { echo "make_packages.sh: $1" >&2; exit 1; }
[ -x "$build/apps/paraprint" ] || fail "$build/apps/paraprint does not exist; run \`make build\` first"
for tool in cpack dpkg-deb dpkg-shlibdeps file patchelf zstd strip gzip; do
  command -v $tool >/dev/null || fail "$tool is missing; run scripts/install_dependencies.sh package"
done
version=$(sed -n 's/^project(paraprint VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fail "CMakeLists.txt gives no version"
grep -q "^paraprint ($version) " packaging/debian/changelog \
  || fail "packaging/debian/changelog has no entry for version $version"
architecture=$(dpkg --print-architecture)
machine=$(uname -m)
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)
fi
export SOURCE_DATE_EPOCH
maintainer=${PARAPRINT_MAINTAINER:-paraprint developers <paraprint@localhost.localdomain>}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"

# --- What both packages have: the command, its manual pages and completions, below $work/program.
DESTDIR="$work/program" cmake --install "$build" --component program --prefix /usr --strip >/dev/null
tree=$work/program/usr
[ -d "$tree/share/man/man1" ] || fail "the installed tree has no manual pages"

# --- Libraries, one per line: the name that the program asks for, the file, the package that owns it.
# A crawl loads libcurl (src/web/curl_library.cc).
curl=$(ldconfig -p | awk '$1 == "libcurl.so.4" {print $NF; exit}')
[ -n "$curl" ] || fail "libcurl.so.4 is missing; install libcurl4"
{ echo "libcurl.so.4 => $curl"; ldd "$build/apps/paraprint" "$curl"; } \
  | awk '$2 == "=>" {print $1, $3}' | sort -u > "$work/loaded"
declare -A owners=()
# dpkg knows a file by the folder that it was unpacked to, which may be /lib where the loader says /usr/lib.
while IFS=: read -r owner _ path; do owners[${path# }]=$owner; done < <(
  awk '{print $2}' "$work/loaded" | while read -r file; do
    real=$(readlink -f "$file")
    printf '%s\n' "$file" "$real" "${real#/usr}" "/usr$real"
  done | sort -u | xargs dpkg-query -S 2>/dev/null | sed 's/^\([^:]*\): /\1:any: /')
while read -r library file; do
  real=$(readlink -f "$file")
  owner=${owners[$real]:-${owners[$file]:-${owners[${real#/usr}]:-${owners[/usr$real]:-}}}}
  [ -n "$owner" ] || fail "no package owns $file, so its licence is unknown"
  echo "$library $real $owner"
done < "$work/loaded" > "$work/libraries"
# From the system, never bundled: the C library, its loader and what is built together with them.
grep -v ' libc6$' "$work/libraries" > "$work/beyond-libc"
# In the archive that this system installs from; apt knows others only as installed.
awk '{print $3}' "$work/beyond-libc" | sort -u | xargs apt-cache madison | awk '{print $1}' | sort -u > "$work/archive"
awk 'NR == FNR {known[$1] = 1; next} !($3 in known)' "$work/archive" "$work/beyond-libc" > "$work/not-in-archive"

# copy_libraries LIST FOLDER: under the names that the program asks for, looking for each other in their own folder.
copy_libraries() {
  mkdir -p "$2"
  while read -r library file _; do
    cp "$file" "$2/$library"
    chmod 644 "$2/$library"
    patchelf --set-rpath '$ORIGIN' "$2/$library"
  done < "$1"
}

# copy_licence PACKAGE FOLDER: Debian's copyright file of a package.
copy_licence() {
  local copyright=/usr/share/doc/$1/copyright
  [ -f "$copyright" ] || fail "$copyright is missing; install $1 with its documentation"
  mkdir -p "$2"
  cp -L "$copyright" "$2/$1"
}

finish_times() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# --- The tarball.
top=paraprint-$version-linux-$machine
mkdir "$work/$top"
cp -a "$tree/." "$work/$top/"
copy_libraries "$work/beyond-libc" "$work/$top/lib/paraprint"
documents=$work/$top/share/doc/paraprint
mkdir -p "$documents"
licences=$documents/licences
awk '{print $3}' "$work/beyond-libc" | sort -u | while read -r owner; do copy_licence "$owner" "$licences"; done
# Code of headers and archives, and tables of dictionaries, are inside the program.
static=$(grep -q '^librocksdb' "$work/loaded" || echo librocksdb-dev)
for owner in $static libhwy-dev libcli11-dev rapidjson-dev libboost1.74-dev libexpected-dev libeigen3-dev \
             python3-jieba libopencc-data; do
  copy_licence "$owner" "$licences"
done
# The copyright files refer to the texts of common licences by their path on Debian.
grep -rhoE '/usr/share/common-licenses/[A-Z]+-[0-9.]*[0-9]' "$licences" | sort -u | while read -r text; do
  cp -L "$text" "$licences/"
done
{
  echo "# Library, package of Debian, its source package and version (apt-get source PACKAGE=VERSION gives the source)."
  while read -r library _ owner; do
    dpkg-query -W -f "$library \${Package} \${Version}, source \${source:Package} \${source:Version}\n" "$owner"
  done < "$work/beyond-libc"
} > "$documents/BUNDLED"
# Of what is in this tree: the newest symbol version of the C library that any file needs.
glibc=$(objdump -T "$work/$top/bin/paraprint" "$work/$top"/lib/paraprint/* \
        | grep '\*UND\*' | grep -oE 'GLIBC_2\.[0-9]+' | sort -uV | tail -n 1)
glibc=${glibc#GLIBC_}
sed -e "s/@VERSION@/$version/g" -e "s/@GLIBC@/$glibc/g" -e "s/@MACHINE@/$machine/g" packaging/tarball-readme.md \
  > "$work/$top/README.md"
cp -rL /usr/share/opencc "$work/$top/share/opencc"  # `paraprint simulate` reads it
cp LICENSE THIRD_PARTY.md CHANGELOG.md "$documents/"
mkdir "$documents/manual" "$documents/systemd"
cp docs/*.md "$documents/manual/"
cp packaging/systemd/* "$documents/systemd/"
find "$work/$top" -type f -path '*/share/*' -exec chmod 644 {} +
finish_times "$work/$top"
rm -f "$output/$top.tar.zst"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu --mtime="@$SOURCE_DATE_EPOCH" \
  -cf - "$top" | zstd -q -16 -T1 -o "$output/$top.tar.zst"

# --- The Debian package: what the archive lacks is bundled, everything else is a dependency.
stage=$work/stage
mkdir -p "$stage/usr"
cp -a "$tree/." "$stage/usr/"
mkdir -p "$stage/usr/share/zsh/vendor-completions"
mv "$stage/usr/share/zsh/site-functions/_paraprint" "$stage/usr/share/zsh/vendor-completions/"
rmdir "$stage/usr/share/zsh/site-functions"
find "$stage/usr/share/man" -name '*.1' -exec gzip -9n {} +
documents=$stage/usr/share/doc/paraprint
mkdir -p "$documents/manual"
cp packaging/debian/copyright "$documents/"
gzip -9nc packaging/debian/changelog > "$documents/changelog.gz"
cp docs/*.md "$documents/manual/"
if [ -s "$work/not-in-archive" ]; then
  copy_libraries "$work/not-in-archive" "$stage/usr/lib/paraprint"
  awk '{print $3}' "$work/not-in-archive" | sort -u | while read -r owner; do
    copy_licence "$owner" "$documents/licences"
  done
  # Not relative to the program, which the loader learns from /proc: a root that is being installed may not have it.
  patchelf --set-rpath /usr/lib/paraprint "$stage/usr/bin/paraprint"
else
  patchelf --remove-rpath "$stage/usr/bin/paraprint"
fi
install -D -m 644 packaging/systemd/serve.toml "$stage/etc/paraprint/serve.toml"
mkdir -p "$stage/lib/systemd/system"
sed 's|^ExecStart=paraprint |ExecStart=/usr/bin/paraprint |' packaging/systemd/paraprint.service \
  > "$stage/lib/systemd/system/paraprint.service"
if [ -f packaging/debian/lintian-overrides ]; then
  install -D -m 644 packaging/debian/lintian-overrides "$stage/usr/share/lintian/overrides/paraprint"
fi
find "$stage" -type f ! -path '*/bin/*' -exec chmod 644 {} +
find "$stage" -type d -exec chmod 755 {} +
finish_times "$stage"
PACKAGE_VERSION=$version PACKAGE_STAGE=$stage PACKAGE_OUTPUT=$output PACKAGE_SCRIPTS=$PWD/packaging/debian \
PACKAGE_PRIVATE_LIBRARIES=$stage/usr/lib/paraprint PACKAGE_ARCHITECTURE=$architecture PACKAGE_MAINTAINER=$maintainer \
  cpack --config cmake/Package.cmake -G DEB > "$work/cpack.log" 2>&1 || { cat "$work/cpack.log" >&2; exit 1; }
rm -rf "$output/_CPack_Packages"

for package in "$output/$top.tar.zst" "$output/paraprint_${version}_$architecture.deb"; do
  [ -f "$package" ] || fail "$package was not made"
  printf '%s  %d bytes\n' "$package" "$(stat -c %s "$package")"
done
echo "the tarball needs glibc $glibc; bundled in the Debian package:$(awk '{printf " %s", $1}' "$work/not-in-archive")"
