#!/usr/bin/env bash
# Checks the wheel in /check, inside a root that tools/check_wheel.sh made and where it runs this as root. Most checks
# run as the user 1000, whose home is read-only. There is no network.
#
# usage: check_in_root.sh uses|refusal
set -euo pipefail
wheel=$(echo /check/*.whl)
version=$(basename "$wheel" | cut -d - -f 2)
log=/tmp/log-$(id -u)
passed=0
skipped=0
pass() { passed=$((passed + 1)); echo "ok: $1"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $1"; }
fail() { echo "FAILED: $1" >&2; [ ! -s "$log" ] || tail -n 30 "$log" >&2; exit 1; }
# must TEXT COMMAND...: the command succeeds.
must() { "${@:2}" > "$log" 2>&1 || fail "$1: exit code $?"; pass "$1"; }
# prints TEXT EXPECTED COMMAND...: the command succeeds and prints just that.
prints() {
  "${@:3}" > "$log" 2>&1 || fail "$1: exit code $?"
  [ "$(cat "$log")" = "$2" ] || fail "$1: not '$2', but:"
  pass "$1${2:+: $2}"
}
# must_fail TEXT CODE PATTERN COMMAND...: the command ends with the code and a message that matches.
must_fail() {
  local code=0
  "${@:4}" > "$log" 2>&1 || code=$?
  [ $code = "$2" ] || fail "$1: exit code $code, not $2"
  grep -Eq "$3" "$log" || fail "$1: no message like '$3', but:"
  pass "$1: $(grep -Em1 "$3" "$log" | cut -c 1-110)"
}

if [ "$(id -u)" = 0 ]; then
  if [ "$1" = uses ]; then
    # Debian's own Python, whose packages are in dist-packages; only root may add to them.
    python3 -m venv /tmp/installer
    pip=(/tmp/installer/bin/python -m pip -q --disable-pip-version-check --python /usr/bin/python3)
    must "root installs for the system's Python" "${pip[@]}" install --no-index --break-system-packages "$wheel"
    prints "paraprint --version" "$version" /usr/local/bin/paraprint --version
    must "is removed" "${pip[@]}" uninstall -y --break-system-packages paraprint
    prints "nothing of it remains" "" find /usr/local -name '*paraprint*'
  fi
  exec setpriv --reuid=1000 --regid=1000 --clear-groups bash "$0" "$1"
fi

mkdir /tmp/user
cd /tmp/user
python3 -m venv environment
bin=$PWD/environment/bin
pip=("$bin/python" -m pip --no-cache-dir --disable-pip-version-check)

if [ "$1" = refusal ]; then
  must_fail "another Python refuses it" 1 'is not a supported wheel on this platform' \
    "${pip[@]}" install --no-index "$wheel"
  exit
fi

# -- installation
must_fail "the home is read-only" 1 'denied' touch "$HOME/file"
# As on a system with an older C library: pip asks a module of this name which platforms it may use.
mkdir old
echo 'def manylinux_compatible(major, minor, architecture): return (major, minor) <= (2, 34)' > old/_manylinux.py
must_fail "a system with glibc 2.34 refuses it" 1 'is not a supported wheel on this platform' \
  env PYTHONPATH=old "${pip[@]}" install --no-index "$wheel"
must "installs without a network" "${pip[@]}" install --no-index "$wheel"
must "lacks nothing" "${pip[@]}" check
site=$("$bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
program=$site/paraprint/bin/paraprint

# -- the command
prints "paraprint --version" "$version" "$bin/paraprint" --version
prints "python -m paraprint --version" "$version" "$bin/python" -m paraprint --version
must "paraprint --help" "$bin/paraprint" --help
must "paraprint dedup --help" "$bin/paraprint" dedup --help
must "paraprint dedup" "$bin/paraprint" dedup /check/crawl/*.warc.gz --out clean
prints "pages removed, as many as in the manual" 63 grep -c . clean/removed.jsonl
must_fail "a wrong input gives exit code 2" 2 'nowhere' "$bin/paraprint" dedup nowhere --out never
"$bin/paraprint" extract - <<< '<p>The old bridge was closed.</p>' > "$log" || fail "standard input"
grep -q 'old bridge' "$log" || fail "standard input"
pass "standard input and output"
mkfifo pipe
sleep 60 > pipe &
"$bin/paraprint" dedup - --out stopped < pipe 2> "$log" &
command=$!
sleep 1
[ "$(readlink "/proc/$command/exe")" = "$program" ] || fail "the command did not become the program"
kill -TERM $command
code=0
wait $command || code=$?
[ $code = 5 ] || fail "stopped by a signal: exit code $code, not 5"
pass "a signal to the command stops the program with exit code 5"
# The conversion between scripts reads files that the wheel brings.
must "paraprint simulate with Chinese scripts" "$bin/paraprint" simulate /check/crawl/*.warc.gz \
  --out simulated --pages 50 --edits script

# -- other places
must "pip install --target" "${pip[@]}" install -q --no-index --target "$PWD/target" "$wheel"
prints "its command" "$version" target/bin/paraprint --version
touch pages.csv
must_fail "its command without pyarrow" 2 'pip install pyarrow' target/bin/paraprint dedup pages.csv --out none
must "pip install --user" env PYTHONUSERBASE="$PWD/base" "${pip[@]}" --python /usr/bin/python3 \
  install -q --no-index --user --break-system-packages "$wheel"
prints "its command" "$version" base/bin/paraprint --version
cp base/bin/paraprint strayed
must_fail "a command away from its package" 127 'python3 -m paraprint' ./strayed --version
rm -rf target base strayed

# -- what it brings. zlib is the one library besides those of the compiler that the platform promises.
ldd "$program" "$site"/paraprint/_core*.so | sed -n 's/^\t\(\S*\) => \(\S*\).*/\1 \2/p' | sort -u > libraries
others=$(grep -v " $site/" libraries | grep -Ev '^lib(c|m|stdc\+\+|gcc_s|resolv|pthread|dl|rt|z)\.so' || true)
[ -z "$others" ] || fail "libraries of the system are used: $others"
pass "$(grep " $site/" libraries | cut -d ' ' -f 1 | sort -u | wc -l) libraries come with the wheel"
licences=$(echo "$site"/paraprint-*.dist-info/licenses)
for library in "$site"/paraprint.libs/*; do
  grep -q "^$(basename "$library") " "$licences/bundled/README.txt" || fail "no licence of $library"
done
must "licences" test -s "$licences/LICENSE" -a -s "$licences/THIRD_PARTY.md"

# -- the package
mkdir manual
ln -s /check/crawl manual/crawl
run_manual() {
  (cd manual && rm -rf clean* known pages.parquet && "$bin/python" /check/run_manual.py /check/python.md) \
    > "$log" 2>&1 || fail "the manual"
  pass "$(tail -n 1 "$log")"
}
run_manual
touch pages.parquet
must_fail "paraprint-parquet without pyarrow" 2 'pip install pyarrow' "$bin/paraprint-parquet" pages.parquet --out none
if compgen -G '/check/packages/pyarrow*' > /dev/null; then
  must "installs with pyarrow" "${pip[@]}" install -q --no-index --find-links /check/packages "$wheel[arrow]"
  run_manual
  must "paraprint-parquet" "$bin/paraprint-parquet" manual/pages.parquet --out clean-pages --id-field doc \
    --text-field content
  prints "rows that it keeps of three" 2 "$bin/python" -c '
from pyarrow import parquet
print(parquet.read_table("clean-pages/records").num_rows)'
  must "paraprint dedup of Parquet" "$bin/paraprint" dedup manual/pages.parquet --out same-pages --id-field doc \
    --text-field content
  must "the same rows" cmp clean-pages/records/pages.parquet same-pages/records/pages.parquet
else
  skip "the manual's tables, paraprint-parquet and dedup of Parquet: no pyarrow"
fi

# -- an older processor: qemu64 has SSE3 and nothing newer. Other code paths must compute the same bytes.
if [ -x /check/qemu-x86_64-static ]; then
  emulate=(/check/qemu-x86_64-static -cpu qemu64)
  must "without AVX2: paraprint dedup" "${emulate[@]}" "$program" dedup /check/crawl/*.warc.gz --out old-processor
  for name in clusters.tsv matches.jsonl removed.jsonl; do
    must "without AVX2: the same $name" cmp clean/$name old-processor/$name
  done
  must "without AVX2: the package" "${emulate[@]}" -0 "$bin/python" "$bin/python" -c '
import paraprint
page = "<p>The river rose two metres overnight, the council said, and the old bridge was closed.</p>"
assert paraprint.compare(page, page).verdict == "same"'
else
  skip "without AVX2: no qemu-x86_64-static (package qemu-user-static)"
fi

must "is removed" "${pip[@]}" uninstall -q -y paraprint
prints "nothing of it remains" "" find environment -name '*paraprint*'
echo "$passed checks passed, $skipped skipped"
