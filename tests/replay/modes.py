"""Runs paraprint over archives in each of the ways that write archives."""
import pathlib
import re
import subprocess
import zlib

import tools  # noqa: F401  (finds replay)
import replay

# Name of a mode -> arguments. docs/archives.md says what each of them leaves of a page.
MODES = {
    "dedup": ["dedup", "--no-report"],
    "dedup --revisits": ["dedup", "--no-report", "--revisits"],
    "dedup --payloads": ["dedup", "--no-report", "--payloads"],
    "payloads": ["payloads"],
    "payloads, all sizes": ["payloads", "--min-payload-bytes", "0"],
}
KNOWN = "payloads --known"  # needs the index of an earlier collection, which the caller makes
WACZ = "wacz"  # of the inputs as they are, and of what `payloads` leaves of them
WACZ_PAYLOADS = "payloads, wacz"
COPIES = ["store", "metadata", "skip"]  # of the crawler

RUN_LIMIT_SECONDS = 1800


def is_archive(path):
    """Whether the file begins like a WARC or ARC file, compressed or not."""
    with open(path, "rb") as stream:
        head = stream.read(4096)
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(31).decompress(head, 64)
        except zlib.error:
            return False
    return head.lstrip().startswith((b"WARC/", b"filedesc:"))


def archives_below(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file() and is_archive(path))


def is_warc(path):
    return path.name.endswith((".warc", ".warc.gz"))


def run_command(program, arguments, inputs, out):
    command = [str(program), arguments[0], *map(str, inputs), *arguments[1:], "--out", str(out), "--quiet"]
    done = subprocess.run(command, capture_output=True, timeout=RUN_LIMIT_SECONDS)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr.decode(errors='replace')[-3000:]}")


def run(program, arguments, inputs, out):
    """Runs the command; returns the archives that it wrote."""
    run_command(program, arguments, inputs, out)
    return archives_below(pathlib.Path(out) / "records")


def pack(program, inputs, out):
    """Packs the inputs into a WACZ file; returns its path."""
    run_command(program, ["wacz"], inputs, out)
    return pathlib.Path(out)


def fetched_again(paths, folder):
    """Copies of WARC files in which everything was captured four years later (29 February stays a date), under ids of
    their own."""
    folder = pathlib.Path(folder)
    folder.mkdir()
    copies = []
    for path in paths:
        data = re.sub(rb"(\r\nWARC-(?:Refers-To-)?Date: ?)(\d{4})",
                      lambda match: match[1] + b"%04d" % (int(match[2]) + 4), replay.content_of(path))
        data = re.sub(rb"(\r\nWARC-(?:Record-ID|Refers-To|Concurrent-To|Warcinfo-ID): ?<urn:)", rb"\1again:", data)
        copies.append(folder / ("again-" + path.name.removesuffix(".gz")))
        copies[-1].write_bytes(data)
    return copies
