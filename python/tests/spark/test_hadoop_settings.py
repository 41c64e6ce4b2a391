"""What the settings of S3A become for pyarrow, and that they reach the process of a task without being shown."""

import pickle
from types import SimpleNamespace

import pytest
from spark_outputs import NEEDED

pytest.importorskip("pyspark", reason=NEEDED)

from paraprint.spark.hadoop_settings import s3_settings  # noqa: E402
from paraprint.stages import s3_settings as in_process  # noqa: E402
from paraprint.stages.storage import open_file_system  # noqa: E402

KEYS = {"access.key": "name", "secret.key": "hidden"}


@pytest.fixture(autouse=True)
def without_environment(monkeypatch):
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)


class Configuration:
    """Hadoop's, as far as it is asked."""

    def __init__(self, values, provided=None):
        self._values = {f"fs.s3a.{name}": value for name, value in values.items()}
        self._provided = {f"fs.s3a.{name}": list(value) for name, value in (provided or {}).items()}

    def getTrimmed(self, name):
        value = self._values.get(name)
        return value and value.strip()

    def getPassword(self, name):
        return self._provided.get(name, self._values.get(name))


def settings_of(values, provided=None, uris=("s3a://bucket/run", "/local")):
    context = SimpleNamespace(_jsc=SimpleNamespace(hadoopConfiguration=lambda: Configuration(values, provided)))
    return s3_settings(SimpleNamespace(sparkContext=context), uris)


def arguments_of(values, provided=None):
    return settings_of(values, provided)._by_bucket.get("bucket")


@pytest.mark.parametrize("values, expected", [
    ({}, None),
    ({"endpoint": "s3.amazonaws.com", "path.style.access": "false"}, None),  # what Spark sets by itself
    ({"access.key": "name"}, None),  # half of a key
    ({"endpoint": "http://127.0.0.1:9000/", "endpoint.region": "there"},
     {"endpoint_override": "127.0.0.1:9000", "scheme": "http", "region": "there", "force_virtual_addressing": False}),
    ({**KEYS, "session.token": "token", "endpoint": "s3.eu-west-1.amazonaws.com"},
     {"access_key": "name", "secret_key": "hidden", "session_token": "token", "scheme": "https",
      "endpoint_override": "s3.eu-west-1.amazonaws.com", "region": "eu-west-1", "force_virtual_addressing": True}),
    ({"endpoint": "store.example", "connection.ssl.enabled": "false", "path.style.access": "true",
      "aws.credentials.provider": "org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider"},
     {"anonymous": True, "endpoint_override": "store.example", "scheme": "http", "force_virtual_addressing": False}),
    ({**KEYS, "endpoint.region": "there", "bucket.bucket.secret.key": "of the bucket", "bucket.other.access.key": "x"},
     {"access_key": "name", "secret_key": "of the bucket", "region": "there"}),
])
def test_arguments(values, expected):
    assert arguments_of(values) == expected


def test_keys_of_a_provider_and_places_of_the_environment(monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://localhost:9000")
    monkeypatch.setenv("AWS_REGION", "there")
    assert arguments_of({}, KEYS) == {"access_key": "name", "secret_key": "hidden", "endpoint_override":
                                      "localhost:9000", "scheme": "http", "region": "there",
                                      "force_virtual_addressing": False}


def test_settings_are_used_where_they_arrive_and_are_not_shown():
    settings = settings_of({**KEYS, "endpoint": "http://127.0.0.1:9000", "endpoint.region": "there"})
    assert "hidden" not in repr(settings)
    stored = pickle.dumps(settings)
    with in_process.S3Settings({}).used():
        assert in_process.in_use().file_system_of("s3://bucket/run") is None
        pickle.loads(stored)  # as a task does
        file_system, path = open_file_system("s3a://bucket/run/stages")
        assert path == "bucket/run/stages" and file_system.region == "there"
        assert in_process.in_use().file_system_of("s3://elsewhere/run") is None
        assert in_process.in_use().file_system_of("s3://bucket/run?region=here") is None
    assert in_process.in_use().file_system_of("s3://bucket/run") is None
