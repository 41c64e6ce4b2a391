#!/usr/bin/env bash
# Installs the players and readers that judge archives in tests/replay, below build/replay-tools.
#
# usage: tests/replay/install_tools.sh [FOLDER]
#
#   venv/         pywb, warcio, FastWARC and cdxj-indexer (requirements.txt), with pip
#   wabac/        wabac.js, the player of replayweb.page, with npm; it runs in Chromium, which is not installed here
#   jwarc.jar     jwarc, with Maven; it needs Java
#
# What is installed already is kept; what cannot be installed is named, and its tests are skipped. Exit code 0 if
# everything is installed, 3 otherwise. Nothing here is needed to build or to use paraprint.
set -uo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build/replay-tools}
wabac_version=2.27.3
jwarc_version=0.35.0
missing=()
mkdir -p "$folder"

python/make_venv.sh "$folder/venv" tests/replay/requirements.txt || missing+=("pywb and the readers for Python")

# The package's own bundle is complete: its dependencies are not installed.
install_wabac() {
  [ -e "$folder/wabac/dist/sw.js" ] && grep -qs "\"version\": \"$wabac_version\"" "$folder/wabac/package.json" && return
  command -v npm >/dev/null || return 1
  local work
  work=$(mktemp -d)
  (cd "$work" && npm pack --silent --fetch-retries=1 "@webrecorder/wabac@$wabac_version" && tar xzf ./*.tgz) \
    >"$folder/npm.log" 2>&1 && rm -rf "$folder/wabac" && mv "$work/package" "$folder/wabac"
  local code=$?
  rm -rf "$work"
  return $code
}
install_wabac || missing+=("wabac.js (needs npm)")

install_jwarc() {
  local name=jwarc-$jwarc_version.jar
  if [ ! -e "$folder/$name" ]; then
    command -v mvn >/dev/null || return 1
    mvn -q -B dependency:copy "-Dartifact=org.netpreserve:jwarc:$jwarc_version" \
      "-DoutputDirectory=$(realpath "$folder")" >"$folder/maven.log" 2>&1 || return
  fi
  ln -sfn "$name" "$folder/jwarc.jar"
}
install_jwarc || missing+=("jwarc (needs Maven)")

[ ${#missing[@]} = 0 ] && exit 0
printf 'install_tools.sh: not installed: %s\n' "${missing[@]}" >&2
exit 3
