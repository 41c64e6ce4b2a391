#!/usr/bin/env bash
# Unpacks the Python of a newer Debian suite, with its headers, and prints the path of its interpreter. Nothing is
# installed, and no root is needed: the packages are those of the archive that the system already uses, checked with its
# keys, and the interpreter runs with the C library it was built for, which is unpacked beside it.
#
# usage: tools/wheel/newer_python.sh FOLDER [SUITE]    (default: trixie, whose Python is 3.13)
# An interpreter that FOLDER already has is reused. Exit code 3: the packages cannot be had.
set -euo pipefail
folder=$(realpath -m "$1")
suite=${2:-trixie}
interpreter=$folder/root/usr/bin/python3
if [ -x "$interpreter" ] && "$interpreter" -c '' 2>/dev/null; then
  echo "$interpreter"
  exit
fi
fail() { echo "newer_python.sh: $1" >&2; exit 3; }
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail "this system has no apt-get"
[ -r /usr/share/keyrings/debian-archive-keyring.gpg ] || fail "no keys of Debian's archive (debian-archive-keyring)"
mirror=$(apt-get indextargets --format '$(ORIGIN) $(SUITE) $(REPO_URI)' 'Created-By: Packages' \
         | awk '$1 == "Debian" && $2 !~ /security/ && !found {print $3; found = 1}')
[ -n "$mirror" ] || fail "no Debian archive in this system's apt configuration"

rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/root"
: > "$folder/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$folder/suite.list"
# All of apt's state is in the folder; with an empty list of installed packages it resolves down to the C library.
apt=(apt-get -q -o "Dir::Etc::sourcelist=$folder/suite.list" -o Dir::Etc::sourceparts=- -o Dir::Etc::preferences=-
     -o Dir::Etc::preferencesparts=- -o "Dir::State::lists=$folder/lists" -o "Dir::State::status=$folder/status"
     -o "Dir::Cache::archives=$folder/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
     -o APT::Sandbox::User= -o Debug::NoLocking=1 -o Acquire::Languages=none)
log=$folder/apt.log
"${apt[@]}" update > "$log" 2>&1 || { tail -n 3 "$log" >&2; fail "the archive has no suite $suite"; }
version=$(apt-cache "${apt[@]:2}" depends python3 2>/dev/null \
          | sed -n 's/.*Depends: python\(3\.[0-9]*\)$/\1/p' | head -n 1)
[ -n "$version" ] || fail "no package python3 in suite $suite"
"${apt[@]}" install -y --no-install-recommends --download-only "python$version-venv" "libpython$version-dev" \
  >> "$log" 2>&1 || { tail -n 3 "$log" >&2; fail "cannot download Python $version of suite $suite"; }
for package in "$folder"/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder/root" --no-same-owner
done
rm -rf "$folder/lists" "$folder/archives"
# Debian's pyconfig.h only includes the one of the architecture, from a folder where a compiler looks.
headers=$folder/root/usr/include
cp "$headers/$(uname -m)-linux-gnu/python$version/pyconfig.h" "$headers/python$version/pyconfig.h"

cat > "$interpreter" <<END
#!/bin/sh
libraries=$folder/root/usr/lib/$(uname -m)-linux-gnu
program=$folder/root/usr/bin/python$version
exec "\$libraries"/ld-linux-*.so.* --argv0 "\$0" --library-path "\$libraries" "\$program" "\$@"
END
chmod +x "$interpreter"
"$interpreter" -c '' || fail "the unpacked $interpreter does not run"
echo "$interpreter"
