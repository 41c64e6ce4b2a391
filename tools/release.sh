#!/usr/bin/env bash
# Makes everything that a release consists of, from the committed sources, in clean roots, and checks it there.
#
# usage: tools/release.sh VERSION [--out FOLDER] [--work FOLDER] [--once]      (as root: it uses debootstrap and chroot)
#   --out FOLDER    where the artefacts go (default: dist/VERSION)
#   --work FOLDER   where the clean roots go, some 10 GB (default: a temporary folder, removed at the end)
#   --once          build in one root only, without comparing the bytes of two builds
#
# 1. VERSION must be that of CMakeLists.txt, CITATION.cff and CHANGELOG.md (with a date), and all must be committed.
# 2. Wheels, Debian package, tarball and bill of materials are built in a Debian root that has nothing else.
# 3. A second root builds them again: the bytes must be the same (SOURCE_DATE_EPOCH is the time of the commit).
# 4. tools/check_artefacts.sh installs and runs them in roots of their own.
# 5. The source archive and SHA256SUMS are added. PARAPRINT_SIGN, if set, is a command that gets the path of SHA256SUMS
#    and signs it: PARAPRINT_SIGN='gpg --detach-sign --armor'.
# Nothing is tagged or uploaded; the last lines say what remains to be done.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "release.sh: $1" >&2; exit 1; }
step() { printf '\n== %s (%(%H:%M:%S)T)\n' "$1" -1; }

version=
output=
work=
builds=2
while [ $# -gt 0 ]; do
  case $1 in
    --out) output=${2:?--out needs a folder}; shift 2 ;;
    --work) work=${2:?--work needs a folder}; shift 2 ;;
    --once) builds=1; shift ;;
    -*) fail "unknown option $1" ;;
    *) [ -z "$version" ] || fail "one version, please, not $version and $1"; version=$1; shift ;;
  esac
done
[ -n "$version" ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2; }

# --- 1. The sources say what they are.
problems=()
stated=$(sed -n 's/^project(paraprint VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ "$stated" = "$version" ] || problems+=("CMakeLists.txt has version $stated")
grep -qE "^## ${version//./\\.} - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md \
  || problems+=("CHANGELOG.md has no heading \"## $version - YYYY-MM-DD\"")
grep -qE "^version: \"?${version//./\\.}\"?$" CITATION.cff || problems+=("CITATION.cff has another version")
[ -z "$(git status --porcelain)" ] || problems+=("there are uncommitted changes (git status)")
[ "$(id -u)" = 0 ] || problems+=("clean roots need root (debootstrap, chroot)")
if [ ${#problems[@]} -gt 0 ]; then
  printf 'release.sh: %s\n' "${problems[@]}" >&2
  exit 1
fi
output=$(realpath -m "${output:-dist/$version}")
[ ! -e "$output" ] || [ -z "$(ls -A "$output")" ] || fail "$output is not empty; use another folder for --out"
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
work=$(realpath -m "$work")
mkdir -p "$output" "$work"

# --- 2. and 3. Built in one root, and in another.
for ((build = 1; build <= builds; ++build)); do
  step "build $build of $builds, in a clean root"
  tools/check_bare_root.sh "$work/root-$build" wheel dist sbom
  mkdir -p "$work/artefacts-$build"
  find "$work/root-$build/root/paraprint/dist" -maxdepth 1 -type f -exec cp -t "$work/artefacts-$build" {} +
  [ -n "$(ls -A "$work/artefacts-$build")" ] || fail "build $build left nothing in dist/"
  rm -rf "$work/root-$build"
done
if [ $builds = 2 ]; then
  step "the same bytes twice"
  for kind in 1 2; do (cd "$work/artefacts-$kind" && sha256sum -- * > "$work/sums-$kind"); done
  diff "$work/sums-1" "$work/sums-2" || fail "two builds differ in the files above"
fi
cp "$work"/artefacts-1/* "$output"

# --- 4.
step "installed and run where nothing else is"
tools/check_artefacts.sh "$output"

# --- 5.
step "source archive and checksums"
git archive --format=tar --prefix="paraprint-$version/" HEAD | gzip -n -9 > "$output/paraprint-$version.tar.gz"
(cd "$output" && find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\n' | LC_ALL=C sort \
  | xargs -d '\n' sha256sum -- > SHA256SUMS)
if [ -n "${PARAPRINT_SIGN:-}" ]; then
  $PARAPRINT_SIGN "$output/SHA256SUMS" || fail "signing failed: $PARAPRINT_SIGN"
fi
step "paraprint $version"
cat "$output/SHA256SUMS"
echo
[ -n "${PARAPRINT_SIGN:-}" ] || echo "Not signed: set PARAPRINT_SIGN, or sign $output/SHA256SUMS by hand."
echo "Then: git tag -s v$version && git push origin v$version, and publish $output."
