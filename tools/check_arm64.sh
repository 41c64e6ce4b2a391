#!/usr/bin/env bash
# Builds paraprint for arm64 on an amd64 machine, runs tests under qemu, and checks that both processors give the same
# bytes: text tables, content, profiles, fingerprints of every algorithm, outputs of runs, answers of indexes
# (docs/processors.md).
#
# usage: tools/check_arm64.sh [TEST ...]
#   TEST   names of test programs to run, as in paraprint_TEST_test; default: those of everything that decides an
#          output. The programs that are not run are listed.
#
# JOBS is the number of parallel compilers (default: one per processor). Everything is below build/: arm64-root has the
# libraries, arm64 and release the two builds, arm64-check the outputs. Root, or sudo, is needed only to install missing
# packages: cross compiler and qemu. The system itself gets no package of another architecture.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in -*) sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
[ "$(uname -m)" = x86_64 ] || { echo "check_arm64.sh: this machine is $(uname -m); the check compares with x86_64" >&2
                                exit 2; }
. tools/bare_root.sh  # for step
fail() { printf 'check_arm64.sh: FAILED: %s\n' "$1" >&2; exit 1; }
jobs=${JOBS:-$(nproc)}
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=(
  base memory http text html report extract segment feature fingerprint index verify cluster profile engine golden
  lab_signatures lab_sketches lab_joins topics vectors
)
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-true}
configure_flags=(-DPARAPRINT_UNITY_BUILD=ON -DPARAPRINT_BUILD_LAB=ON -DPARAPRINT_BUILD_SEMANTICS=ON)
if command -v ccache >/dev/null; then
  configure_flags+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

step "cross compiler, emulator and libraries"
scripts/install_dependencies.sh arm64
tools/arm64/make_root.sh build/arm64-root

step "the program for this machine"
cmake --preset release "${configure_flags[@]}" -DPARAPRINT_BUILD_TESTS=OFF >/dev/null
cmake --build --preset release -j "$jobs" --target paraprint

step "program and tests for arm64"
cmake --preset arm64 "${configure_flags[@]}" -DPARAPRINT_BUILD_TESTS=ON >/dev/null
cmake --build --preset arm64 -j "$jobs" --target paraprint $(printf 'paraprint_%s_test ' "${tests[@]}")
emulator=(qemu-aarch64-static -L build/arm64-root)
"${emulator[@]}" build/arm64/apps/paraprint version | sed -n 1p

step "the text tables, compiled by either processor"
for table in build/release/src/text/tables/*.bin; do
  cmp "$table" "build/arm64/src/text/tables/$(basename "$table")" || fail "$(basename "$table") differs"
done
printf '   same: %s tables, %s bytes\n' "$(ls build/release/src/text/tables/*.bin | wc -l)" \
  "$(cat build/release/src/text/tables/*.bin | wc -c)"

step "tests on arm64, by qemu"
# Each program runs as a whole: started once per test, it would spend most of its time translating the same code again.
logs=build/arm64-check/tests
rm -rf build/arm64-check
mkdir -p $logs
export QEMU_LD_PREFIX=$PWD/build/arm64-root
# run_test NAME: its output in $logs, and one line about it.
run_test() {
  local program begin=$SECONDS code=0
  program=$(find build/arm64/tests -name "paraprint_$1_test" -type f)
  env -u PARAPRINT_DATA_DIR qemu-aarch64-static "$program" > "$2/$1.log" 2>&1 || code=$?
  awk -v name="$1" -v code=$code -v seconds=$((SECONDS - begin)) '
    /^\[  PASSED  \] [0-9]+ test/ {passed = $4}
    /^\[  SKIPPED \] [0-9]+ test/ {skipped = $4}
    END {printf "   %-15s %4d passed, %d skipped, %d s%s\n", name, passed, skipped, seconds,
                code == 0 ? "" : ", FAILED with code " code}' "$2/$1.log"
  return $code
}
export -f run_test
printf '%s\n' "${tests[@]}" | xargs -P "$jobs" -I '{}' bash -c "run_test {} $logs" \
  || { grep -hE '^\[  FAILED  \] [A-Za-z]' $logs/*.log | sort -u >&2; fail "tests failed; their output is in $logs"; }
awk '/^\[  PASSED  \] [0-9]+ test/ {passed += $4} END {print "   " passed " tests passed in all"}' $logs/*.log
awk '/^\[  SKIPPED \] [A-Za-z]/ && NF == 4 {print "   skipped: " $4}' $logs/*.log
sed -n 's/^build paraprint_\([a-z_]*\)_test: phony.*/\1/p' build/arm64/build.ninja | sort > $logs/all
comm -23 $logs/all <(printf '%s\n' "${tests[@]}" | sort) | xargs echo "   not run:"

step "outputs of both processors"
tools/arm64/compare_outputs.py build/arm64-check/outputs build/release/apps/paraprint build/arm64/apps/paraprint \
  qemu-aarch64-static
step "all of it worked"
