"""One Spark session for all tests: two executors with one core, each a separate process. Skipped without Java."""

import os
import shutil
import subprocess
import sys

import pytest
from spark_outputs import NEEDED, tables_of

EXECUTOR_MEGABYTES = 1024
# The tests run for minutes, on little data: what the second compiler and parallel collectors cost never pays.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def pytest_collection_modifyitems(items):
    if shutil.which("java") is not None or "JAVA_HOME" in os.environ:
        return
    for item in items:
        if "spark" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason=NEEDED))


@pytest.fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local-cluster[2,1,{EXECUTOR_MEGABYTES}]")
        .appName("paraprint tests")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", f"{EXECUTOR_MEGABYTES}m")
        .config("spark.driver.extraJavaOptions", JAVA_OPTIONS)
        .config("spark.executor.extraJavaOptions", JAVA_OPTIONS)
        .config("spark.executorEnv.PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def demo(root):
    folder = root / "examples" / "demo-crawl"
    return [str(folder / f"{name}.warc.gz") for name in ("first", "second", "third", "odd")]


@pytest.fixture(scope="session")
def dedup_by_program(program, tmp_path_factory):
    """Runs `paraprint dedup` and returns the bytes of its tables by name."""

    def run(inputs, *arguments):
        folder = tmp_path_factory.mktemp("program")
        tables_only = ["--no-report", "--no-records", "--no-evidence"]
        command = [program, "dedup", *inputs, "--out", folder, *tables_only, *arguments]
        subprocess.run(command, check=True, capture_output=True)
        return tables_of(folder)

    return run
