#!/usr/bin/env bash
# Installs the missing packages that build, tests and demo need on Debian and Ubuntu.
#
# usage: scripts/install_dependencies.sh [build|wheel|package|test|docs|arm64|develop|libraries]
#   build    compiler, build tools and libraries (default)
#   wheel    build, plus what `make wheel` needs
#   package  build, plus what `make dist` needs
#   test     build, plus what `make test` needs
#   docs     build, plus what `make docs` needs
#   arm64    build, plus cross compiler and emulator of `make check-arm64`
#   develop  test, plus clang (fuzzing, lint, format)
#   libraries  installs nothing: prints the packages of the libraries that are linked, lexbor left out, for
#              tools/arm64/make_root.sh
#
# lexbor: installed from the system's archive if that has liblexbor-dev. Older suites (Debian 12) do not; the two
# packages of the newer suite need only a C library of 2.33 or later, so exactly those two are fetched from the mirror
# that the system already uses and installed unchanged. No archive is added to the system's configuration.
set -euo pipefail

level=${1:-build}
build_packages=(g++ cmake ninja-build make pkg-config python3 ca-certificates libopencc-data python3-jieba)
build_libraries=(
  libexpected-dev libfmt-dev libspdlog-dev libcli11-dev rapidjson-dev libsimdjson-dev
  libicu-dev libdeflate-dev zlib1g-dev libminizip-dev libzstd-dev libbrotli-dev libxxhash-dev libb2-dev libssl-dev
  libboost-dev libhwy-dev librocksdb-dev libopencc-dev libcurl4-openssl-dev libexpat1-dev libcld2-dev
  libfasttext-dev libeigen3-dev
)
wheel_packages=(python3-dev python3-venv icu-devtools)
package_packages=(dpkg-dev file patchelf zstd)
arm64_packages=(g++-aarch64-linux-gnu qemu-user-static)
test_libraries=(libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev libuchardet-dev)
test_packages=("${test_libraries[@]}" zstd chromium python3-dev python3-venv)
develop_packages=(clang-16 clang-tidy-16 clang-format-16 libclang-rt-16-dev ccache)
lexbor_minimum=2.4

packages=("${build_packages[@]}" "${build_libraries[@]}")
case $level in
  libraries) printf '%s\n' "${build_libraries[@]}" "${test_libraries[@]}"; exit ;;
  build) ;;
  wheel) packages+=("${wheel_packages[@]}") ;;
  package) packages+=("${package_packages[@]}") ;;
  test) packages+=("${test_packages[@]}") ;;
  docs) packages+=(doxygen python3-venv) ;;
  arm64) packages+=("${arm64_packages[@]}") ;;
  develop) packages+=("${test_packages[@]}" "${develop_packages[@]}") ;;
  *)
    echo "install_dependencies.sh: unknown level '$level' (build, wheel, package, test, docs, arm64 or develop)" >&2
    exit 2 ;;
esac

if ! command -v apt-get >/dev/null; then
  echo "install_dependencies.sh: this system has no apt-get; install the libraries listed in THIRD_PARTY.md by hand" >&2
  exit 1
fi
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
is_installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

missing=()
for package in "${packages[@]}"; do is_installed "$package" || missing+=("$package"); done
updated=no
update_once() {
  [ $updated = yes ] && return
  root apt-get update -q
  updated=yes
}
if [ ${#missing[@]} -gt 0 ]; then
  update_once
  root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

fail() { echo "install_dependencies.sh: $1" >&2; exit 1; }
from_source="build lexbor >= $lexbor_minimum from source and run this again"

has_lexbor() {
  pkg-config --exists "lexbor >= $lexbor_minimum" 2>/dev/null \
    || [ -e /usr/include/lexbor/html/html.h ] || [ -e /usr/local/include/lexbor/html/html.h ]
}

install_lexbor_of_newer_suite() {
  local mirror suite runtime
  mirror=$(apt-get indextargets --format '$(ORIGIN) $(SUITE) $(REPO_URI)' 'Created-By: Packages' \
           | awk '$1 == "Debian" && $2 !~ /security/ && !found {print $3; found = 1}')
  [ -n "$mirror" ] || fail "this system has no liblexbor-dev and no Debian archive configured; $from_source"
  work=$(mktemp -d)  # not local: the trap runs when the script ends
  trap 'rm -rf "$work"' EXIT
  chmod 755 "$work"
  mkdir -p "$work/lists/partial"
  for suite in forky sid; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" > "$work/suite.list"
    local apart=(-o "Dir::Etc::sourcelist=$work/suite.list" -o Dir::Etc::sourceparts=- -o Dir::Etc::preferences=-
                 -o "Dir::State::lists=$work/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
                 -o APT::Sandbox::User=root
                 # The index of a lagging mirror has expired (but is still signed); any lexbor in it is recent enough.
                 -o Acquire::Check-Valid-Until=false)
    root apt-get "${apart[@]}" update -q || continue
    runtime=$(apt-cache "${apart[@]}" depends liblexbor-dev 2>/dev/null \
              | sed -n 's/.*Depends: \(liblexbor[0-9]*\)$/\1/p' | sort -u | head -n 1)
    [ -n "$runtime" ] || continue
    (cd "$work" && root apt-get "${apart[@]}" download liblexbor-dev "$runtime" && root dpkg -i ./*.deb) && return
  done
  fail "no lexbor package could be had; $from_source"
}

if ! has_lexbor; then
  update_once
  if apt-cache show liblexbor-dev >/dev/null 2>&1; then
    root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends liblexbor-dev
  else
    install_lexbor_of_newer_suite
  fi
fi
echo "install_dependencies.sh: everything for '$level' is installed" >&2
