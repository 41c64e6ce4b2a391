#!/usr/bin/env bash
# Builds the servers that the tests of object stores need into FOLDER: of S3 and of Google's storage with Go, from its
# module proxy (SeaweedFS takes ten minutes of a processor); of Azure's from npm; of HDFS from Maven, with the library
# through which pyarrow speaks to it, which is compiled from the sources in a package of PyPI. The tests of a server
# that cannot be built are skipped.
#
# usage: python/tests/store_servers.sh FOLDER
set -euo pipefail
folder=$(realpath -m "$1")
hadoop_version=3.4.2

skip() {
  echo "store_servers.sh: $1; the tests of $2 will be skipped" >&2
}

build_go() {  # PROGRAM MODULE STORE
  [[ -x $folder/$1 ]] && return
  if ! command -v go >/dev/null; then
    skip "Go is not installed" "$3"
  elif ! GOBIN=$folder go install "$2"; then
    skip "$2 cannot be built" "$3"
  fi
}

# pip asks the package's setup.py for its name, which needs an old setuptools.
download_pydoop() {
  python3 -m venv "$1/venv" && "$1/venv/bin/pip" install --quiet 'setuptools<70' wheel &&
    "$1/venv/bin/pip" download --quiet --no-deps --no-build-isolation --no-binary :all: -d "$1" pydoop==2.0.0
}

# The last step makes hdfs/libhdfs.so, which says that all others have succeeded.
build_hdfs() {
  local java_home sources
  java_home=$(dirname "$(dirname "$(realpath "$(command -v javac)")")")
  sources=$(mktemp -d)
  trap 'rm -rf "$sources"' RETURN
  mkdir -p "$folder/hdfs/jars"
  cat >"$sources/pom.xml" <<END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>paraprint</groupId><artifactId>hdfs</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-client-minicluster</artifactId>
      <version>$hadoop_version</version></dependency>
    <dependency><groupId>javax.xml.bind</groupId><artifactId>jaxb-api</artifactId><version>2.3.1</version></dependency>
  </dependencies>
</project>
END
  mvn -B -q -f "$sources/pom.xml" dependency:copy-dependencies -DincludeScope=runtime \
    -DoutputDirectory="$folder/hdfs/jars" >"$folder/hdfs/log" 2>&1 &&
    download_pydoop "$sources" >>"$folder/hdfs/log" 2>&1 &&
    tar -xzf "$sources/pydoop-2.0.0.tar.gz" -C "$sources" --strip-components=1 &&
    (cd "$sources/src/libhdfs" && cc -O2 -w -shared -fPIC -o "$folder/hdfs/libhdfs.so" hdfs.c jni_helper.c exception.c \
      common/htable.c os/posix/*.c -I. -Iinclude -Ios/posix -I"$java_home/include" -I"$java_home/include/linux" \
      -L"$java_home/lib/server" -ljvm -Wl,-rpath,"$java_home/lib/server")
}

# Its go.mod replaces modules, which `go install` rejects.
build_seaweedfs() {
  local module=github.com/seaweedfs/seaweedfs@v0.0.0-20261109003541-7506e5f91cd6 sources
  [[ -x $folder/weed ]] && return
  if ! command -v go >/dev/null; then
    skip "Go is not installed" SeaweedFS
    return
  fi
  sources=$(go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",\{0,1\}$/\1/p')
  if [[ -z $sources ]] || ! (cd "$sources" && go build -o "$folder/weed" ./weed); then
    skip "$module cannot be built" SeaweedFS
  fi
}

build_go gofakes3 github.com/johannesboyne/gofakes3/cmd/gofakes3@v1.2.0 S3
build_go fake-gcs-server github.com/fsouza/fake-gcs-server@v1.56.1 "Google's storage"
build_seaweedfs
if [[ ! -x $folder/azurite/node_modules/.bin/azurite-blob ]]; then
  if ! command -v npm >/dev/null; then
    skip "npm is not installed" "Azure's storage"
  elif ! npm install --silent --no-audit --no-fund --prefix "$folder/azurite" azurite@3.35.0; then
    skip "azurite cannot be installed" "Azure's storage"
  fi
fi
if [[ ! -f $folder/hdfs/libhdfs.so ]]; then
  if ! command -v javac >/dev/null || ! command -v mvn >/dev/null || ! command -v cc >/dev/null; then
    skip "javac, mvn or cc is not installed" HDFS
  elif ! build_hdfs; then
    skip "its server cannot be built, see $folder/hdfs/log" HDFS
  fi
fi
