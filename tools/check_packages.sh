#!/usr/bin/env bash
# Checks the packages of `make dist` where they will live: in bare Debian 12 roots that have no compiler and no library.
#
# usage: tools/check_packages.sh DEB TARBALL [DIRECTORY]
#   DIRECTORY   where the roots are made (default: a temporary folder, which is removed); about 1 GB
#
# The Debian package: lintian, installation from the file, the demo crawl, manual pages, completions, the command of the
# unit as its user, an upgrade that keeps a changed configuration and the index, removal, and purging without a trace.
# The tarball: no library from outside but the C library, the same output from two folders, no network, no home that can
# be written. Both: clear messages for a port that is taken and for a folder of another user.
#
# Requires root, debootstrap, lintian, python3, zstd and the network of apt.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,/^set /s/^# \{0,1\}//p' "$0" >&2; exit 2; }
deb=$(realpath "$1")
tarball=$(realpath "$2")
source_directory=$(cd "$(dirname "$0")/.." && pwd)
. "$source_directory/tools/bare_root.sh"

[ "$(id -u)" = 0 ] || { echo "check_packages.sh: must run as root (chroot, mount)" >&2; exit 2; }
for tool in debootstrap lintian python3 zstd dpkg-deb setpriv unshare; do
  command -v $tool >/dev/null || { echo "check_packages.sh: $tool is missing" >&2; exit 2; }
done
if [ $# -ge 3 ]; then
  directory=$(realpath -m "$3")
  mkdir -p "$directory"
  trap unmount_roots EXIT
else
  directory=$(mktemp -d /var/tmp/check-packages.XXXXXX)
  trap 'unmount_roots; rm -rf --one-file-system "$directory"' EXIT
fi

fail() { printf 'check_packages.sh: FAILED: %s\n' "$1" >&2; exit 1; }
passed() { printf '   %s\n' "$1"; }
# expect CODE TEXT COMMAND...: the command must end with that code and print that text.
expect() {
  local code=0 wanted=$1 text=$2 said
  shift 2
  said=$("$@" 2>&1) || code=$?
  [ $code = "$wanted" ] || fail "exit code $code instead of $wanted: $*: $said"
  grep -qF -- "$text" <<< "$said" || fail "'$text' is not in the message: $said"
  passed "$(tail -n 1 <<< "$said")"
}
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
# Occupies a port for the time of a command: with_taken_port PORT COMMAND...
with_taken_port() {
  python3 -c '
import socket, subprocess, sys
taken = socket.socket()
taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
taken.bind(("127.0.0.1", int(sys.argv[1])))
taken.listen()
sys.exit(subprocess.run(sys.argv[2:]).returncode)' "$@"
}

step "a bare root"
base=$directory/base
[ -e "$base/etc/debian_version" ] || make_root bookworm "$base"
use_network_settings "$base"
for root in deb tarball; do
  rm -rf --one-file-system "${directory:?}/$root"
  cp -a "$base" "$directory/$root"
done

# --- The Debian package
step "lintian"
lintian --fail-on error,warning --suppress-tags bad-distribution-in-changes-file "$deb" || fail "lintian objects"

root=$directory/deb
mount_root "$root"
as_user=(setpriv --reuid 4321 --regid 4321 --clear-groups)
as_tester=("${as_user[@]}" env HOME=/srv/tester)
as_service=(setpriv --reuid paraprint --regid paraprint --clear-groups)
# What purging must leave as it was; the rest are the package manager's lists, logs and caches.
files_of() {
  (cd "$1" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./run -o -path ./tmp -o -path ./srv \
     -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./var/cache \) -prune -o -print | sort)
}
install -d -o 4321 -g 4321 "$root/srv/tester"
cp -r "$source_directory/examples/demo-crawl" "$root/srv/demo-crawl"
quietly "$root" apt-get update -q
# What an administrator of a service has in any case, so that it is not counted as left behind.
quietly "$root" apt-get install -y -q --no-install-recommends adduser
files_of "$root" > "$directory/before"

step "installation from the file"
cp "$deb" "$root/srv/paraprint.deb"
quietly "$root" apt-get install -y -q --no-install-recommends /srv/paraprint.deb
inside "$root" paraprint version | head -n 1
[ ! -e "$root/usr/bin/cc" ] || fail "the package has brought a compiler"
version=$(dpkg-deb -f "$deb" Version)
[ "$(inside "$root" dpkg-query -W -f '${db:Status-Status} ${Version}' paraprint)" = "installed $version" ] \
  || fail "version $version is not installed"
passed "$(inside "$root" apt-get -qq --simulate autoremove paraprint | grep -c ^Remv) packages, with its dependencies"

step "the demo crawl, as an ordinary user"
inside "$root" "${as_tester[@]}" paraprint dedup /srv/demo-crawl --out /srv/tester/out --quiet
python3 "$source_directory/tools/tell_demo.py" "$root/srv/tester/out" "$source_directory/examples/demo-crawl" \
  | grep -E 'remain|truth'

step "manual pages and completions"
inside "$root" "${as_tester[@]}" paraprint manual --out /srv/tester/man >/dev/null
for page in "$root"/srv/tester/man/*.1; do
  installed=$root/usr/share/man/man1/$(basename "$page").gz
  zcat "$installed" 2>/dev/null | cmp -s - "$page" || fail "$installed is not what the program prints"
done
passed "$(ls "$root/usr/share/man/man1" | grep -c ^paraprint) manual pages"
inside "$root" bash -c 'complete() { echo "$@"; }; . /usr/share/bash-completion/completions/paraprint' \
  | grep -q paraprint || fail "the completion for bash completes nothing"
[ -s "$root/usr/share/zsh/vendor-completions/_paraprint" ] || fail "no completion for zsh"
[ -s "$root/usr/share/fish/vendor_completions.d/paraprint.fish" ] || fail "no completion for fish"

step "the service, by the command of its unit"
unit=$root/lib/systemd/system/paraprint.service
grep -qx User=paraprint "$unit" || fail "the unit has another user"
read -ra service < <(sed -n 's/^ExecStart=//p' "$unit")
[ -x "$root${service[0]}" ] || fail "${service[0]} of the unit is not a program"
inside "$root" stat -c '%U %a' /var/lib/paraprint | grep -qx 'paraprint 700' || fail "the index folder is not private"
[ ! -e "$root/var/lib/paraprint/known" ] || fail "the service has been started by the installation"
port=$(free_port)
sed -i "s/^port = .*/port = $port/" "$root/etc/paraprint/serve.toml"
probe() {  # probe VERDICT
  python3 "$source_directory/tools/packages/probe_service.py" "$root/run/notify" "$port" "$1" \
    chroot "$root" "${as_service[@]}" env -i NOTIFY_SOCKET=/run/notify PATH=/usr/bin "${service[@]}" 2>> "$root.log" \
    || { tail -n 5 "$root.log" >&2; fail "the service did not do what it should"; }
}
passed "$(probe new)"
run_service() { inside "$root" "${as_service[@]}" "${service[@]}" "$@"; }
run_as_tester() { inside "$root" "${as_tester[@]}" paraprint "$@"; }
expect 1 "port $port: Address already in use; stop the program" \
  with_taken_port "$port" chroot "$root" "${as_service[@]}" "${service[@]}"
expect 1 "/var/lib/paraprint/known: Permission denied" \
  run_as_tester serve --data /var/lib/paraprint/known --port 0
chmod 755 "$root/var/lib/paraprint"
expect 1 "Permission denied" run_as_tester serve --data /var/lib/paraprint/known --port 0
chmod 700 "$root/var/lib/paraprint"
echo 'prot = 1' >> "$root/etc/paraprint/serve.toml"
line=$(wc -l < "$root/etc/paraprint/serve.toml")
expect 2 "/etc/paraprint/serve.toml:$line: [serve] has no option 'prot'" run_service
sed -i '$d' "$root/etc/paraprint/serve.toml"

step "upgrade: the changed configuration and the index survive"
dpkg-deb -R "$deb" "$directory/newer"
sed -i "s/^Version: .*/Version: $version+check/" "$directory/newer/DEBIAN/control"
sed -i 's/^log = .*/log = "errors"/' "$directory/newer/etc/paraprint/serve.toml"
(cd "$directory/newer" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) \
  > "$directory/md5sums"
mv "$directory/md5sums" "$directory/newer/DEBIAN/md5sums"
dpkg-deb --root-owner-group -b "$directory/newer" "$root/srv/newer.deb" >/dev/null
rm -rf "$directory/newer"
quietly "$root" apt-get install -y -q -o Dpkg::Options::=--force-confold /srv/newer.deb
inside "$root" dpkg-query -W -f '${Version}' paraprint | grep -qx "$version+check" || fail "not upgraded"
grep -qx "port = $port" "$root/etc/paraprint/serve.toml" || fail "the changed configuration was lost"
[ -e "$root/etc/paraprint/serve.toml.dpkg-dist" ] || fail "the new configuration is not next to the changed one"
passed "$(probe same)"

step "removal keeps configuration and index, purging does not"
quietly "$root" apt-get remove -y -q paraprint
[ ! -e "$root/usr/bin/paraprint" ] || fail "the program is still there"
grep -qx "port = $port" "$root/etc/paraprint/serve.toml" || fail "removal took the configuration"
[ -d "$root/var/lib/paraprint/known" ] || fail "removal took the index"
quietly "$root" apt-get purge -y -q paraprint
quietly "$root" apt-get autoremove --purge -y -q
files_of "$root" > "$directory/after"
databases='^\./etc/((passwd|group|shadow|gshadow|subuid|subgid)-?|ld\.so\.cache)$'
left=$(comm -13 "$directory/before" "$directory/after" | grep -vE "$databases" || true)
[ -z "$left" ] || fail "purging left: $left"
inside "$root" id paraprint | sed 's/^/   kept, so that its number is not given to another: /'

# --- The tarball
root=$directory/tarball
mount_root "$root"
step "the tarball: nothing from outside but the C library"
install -d -o 4321 -g 4321 "$root/srv/one" "$root/srv/tester"
install -d -m 555 "$root/srv/read-only"
cp -r "$source_directory/examples/demo-crawl" "$root/srv/demo-crawl"
zstd -dc "$tarball" | tar -xf - -C "$root/srv/one" --strip-components=1
libc='lib(c|m|dl|rt|pthread|resolv|util)\.so\.[0-9]|ld-linux|linux-vdso'
outside=$(inside "$root" ldd /srv/one/bin/paraprint | grep -v '/srv/one/' | grep -vE "$libc" || true)
[ -z "$outside" ] || fail "libraries from outside: $outside"
grep -E 'GNU C library' "$root/srv/one/README.md" | sed 's/^/   /'
for library in "$root"/srv/one/lib/paraprint/*; do
  owner=$(awk -v name="$(basename "$library")" '$1 == name {print $2}' "$root/srv/one/share/doc/paraprint/BUNDLED")
  [ -s "$root/srv/one/share/doc/paraprint/licences/$owner" ] || fail "no licence of $(basename "$library")"
done
passed "$(ls "$root/srv/one/lib/paraprint" | wc -l) libraries, each with its licence"

step "from two folders, as an ordinary user, with a read-only home and without a network"
# run FOLDER COMMAND...: in a network namespace that has not even a loopback interface.
run() {
  local folder=$1
  shift
  inside "$root" unshare --net "${as_user[@]}" env HOME=/srv/read-only "$folder/bin/paraprint" "$@"
}
run /srv/one dedup /srv/demo-crawl --out /srv/tester/one --quiet
mv "$root/srv/one" "$root/srv/moved to here"
run "/srv/moved to here" dedup /srv/demo-crawl --out /srv/tester/two --quiet
expect 0 "no page could be fetched" run "/srv/moved to here" crawl http://site.example/ --out /srv/tester/crawl
diff -r --exclude timing.json --exclude .paraprint "$root/srv/tester/one" "$root/srv/tester/two" \
  || fail "the output depends on the folder"
python3 "$source_directory/tools/tell_demo.py" "$root/srv/tester/two" "$source_directory/examples/demo-crawl" \
  | grep truth
ln -s "/srv/moved to here/bin/paraprint" "$root/usr/local/bin/paraprint"
inside "$root" paraprint version | head -n 1
[ -z "$(find "$root/srv/read-only" -mindepth 1)" ] || fail "something was written into the home"
# The data of OpenCC, found next to the program.
run "/srv/moved to here" simulate /srv/demo-crawl --out /srv/tester/simulated --pages 40 --edits script \
  > /dev/null 2>&1 || fail "the simulator does not find the data of OpenCC"

step "the service of the tarball"
port=$(free_port)
python3 "$source_directory/tools/packages/probe_service.py" "$root/run/notify" "$port" new \
  chroot "$root" "${as_user[@]}" env -i NOTIFY_SOCKET=/run/notify HOME=/srv/read-only \
  "/srv/moved to here/bin/paraprint" serve --data /srv/tester/known --port "$port" 2>> "$root.log" | sed 's/^/   /'
in_tarball() { chroot "$root" "${as_user[@]}" "/srv/moved to here/bin/paraprint" "$@"; }
expect 1 "port $port: Address already in use; stop the program" with_taken_port "$port" \
  chroot "$root" "${as_user[@]}" "/srv/moved to here/bin/paraprint" serve --data /srv/tester/other --port "$port"
install -d -m 700 "$root/srv/of-root"
expect 1 "/srv/of-root/known: Permission denied" in_tarball serve --data /srv/of-root/known --port 0
expect 1 "Permission denied" in_tarball dedup /srv/demo-crawl --out /srv/of-root/out --quiet
step "all of it worked"
