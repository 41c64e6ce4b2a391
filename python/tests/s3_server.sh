#!/usr/bin/env bash
# Builds the S3 server that test_object_stores.py needs into FOLDER, with Go, from its module proxy.
#
# usage: python/tests/s3_server.sh FOLDER
set -euo pipefail
folder=$(realpath -m "$1")
[[ -x $folder/gofakes3 ]] && exit 0
if ! command -v go >/dev/null; then
  echo "s3_server.sh: Go is not installed; the tests of object stores will be skipped" >&2
  exit 0
fi
GOBIN=$folder go install github.com/johannesboyne/gofakes3/cmd/gofakes3@v1.2.0
