#!/usr/bin/env bash
# Installs axe-core, which checks the explorer's page for accessibility in view_browser_test.py, below build/axe-core.
#
# usage: tests/cli/install_axe.sh [FOLDER]
#
# Needs npm. What is installed already is kept. Exit code 3 if it cannot be installed: the test is skipped then. It is a
# tool of the tests, not a part of paraprint.
set -uo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build/axe-core}
version=4.14.1
[ -e "$folder/axe.min.js" ] && grep -qs "\"version\": \"$version\"" "$folder/package.json" && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if command -v npm >/dev/null && (cd "$work" && npm pack --silent --fetch-retries=1 "axe-core@$version" >/dev/null &&
    tar xzf ./*.tgz); then
  mkdir -p "$folder" && cp "$work"/package/{axe.min.js,package.json,LICENSE} "$folder/" && exit 0
fi
echo "install_axe.sh: axe-core was not installed (it needs npm and the package registry)" >&2
exit 3
