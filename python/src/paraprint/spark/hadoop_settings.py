"""What Hadoop's file system s3a is told (fs.s3a.*), for the files that this package reads and writes itself.

These are the settings of S3A's manual: those of a bucket (fs.s3a.bucket.NAME.*) go before those of all, and keys may
be in a credential provider (hadoop.security.credential.provider.path).
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any, Iterable

import pyarrow.fs
from pyspark.sql import SparkSession

from ..stages.s3_settings import S3Settings

_OF_S3 = re.compile(r"s3a?://([^/?]+)")
# The endpoint that Spark sets where there is none; its region is not known from it.
_CENTRAL = "s3.amazonaws.com"
_OF_AWS = re.compile(r"s3[.-]([a-z0-9-]+)\.amazonaws\.com(\.cn)?")
_ADDRESS = re.compile(r"[0-9.]+(:\d+)?|\[.*")
_ANONYMOUS = "AnonymousAWSCredentialsProvider"


def s3_settings(spark: SparkSession, uris: Iterable[str]) -> S3Settings:
    """The settings for the buckets of these URIs."""
    configuration = spark.sparkContext._jsc.hadoopConfiguration()
    buckets = {found[1] for uri in uris if (found := _OF_S3.match(uri)) and "@" not in found[1]}
    by_bucket = {bucket: _arguments(_Values(configuration, bucket), bucket) for bucket in sorted(buckets)}
    return S3Settings({bucket: arguments for bucket, arguments in by_bucket.items() if arguments})


class _Values:
    """The values for a bucket, empty where there are none."""

    def __init__(self, configuration: Any, bucket: str) -> None:
        self._configuration = configuration
        self._prefixes = (f"fs.s3a.bucket.{bucket}.", "fs.s3a.")

    def of(self, name: str) -> str:
        values = (self._configuration.getTrimmed(prefix + name) for prefix in self._prefixes)
        return next((value for value in values if value), "")

    def secret(self, name: str) -> str:
        """Also from a credential provider."""
        values = (self._configuration.getPassword(prefix + name) for prefix in self._prefixes)
        return next(("".join(value).strip() for value in values if value), "")


def _arguments(values: _Values, bucket: str) -> dict[str, Any]:
    """For pyarrow's S3FileSystem; none if nothing is set that says where the bucket is or who asks."""
    arguments: dict[str, Any] = {}
    key, secret = values.secret("access.key"), values.secret("secret.key")
    if key and secret:
        arguments.update(access_key=key, secret_key=secret)
        if token := values.secret("session.token"):
            arguments["session_token"] = token
    elif _ANONYMOUS in values.of("aws.credentials.provider"):
        arguments["anonymous"] = True
    endpoint = values.of("endpoint").rstrip("/")
    if endpoint == _CENTRAL:
        endpoint = ""
    region = values.of("endpoint.region")
    if not arguments and not endpoint and not region:
        return {}
    # In a name of the bucket's own, as S3A does.
    is_virtual = bool(endpoint) and values.of("path.style.access") != "true"
    # Spark takes keys from the environment of the driver; the rest comes from there, too, then.
    endpoint = endpoint or os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    region = region or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or ""
    if endpoint:
        scheme, _, host = endpoint.rpartition("://")
        is_plain = values.of("connection.ssl.enabled") == "false"
        arguments.update(endpoint_override=host, scheme=scheme or ("http" if is_plain else "https"))
        arguments["force_virtual_addressing"] = is_virtual and not _ADDRESS.fullmatch(host)
        if (of_aws := _OF_AWS.fullmatch(host)) and not region:
            region = of_aws[1]
    elif not region:
        with contextlib.suppress(OSError):  # whoever needs the bucket says what is wrong
            region = pyarrow.fs.resolve_s3_region(bucket)
    if region:
        arguments["region"] = region
    return arguments
