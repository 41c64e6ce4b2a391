"""A small WARC 1.1 writer: one gzip member per record; the output depends only on the arguments."""
import base64
import gzip
import hashlib
import uuid

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "demo-crawl.example")


def record_id(name):
    """Return a WARC-Record-ID that depends only on the name."""
    return f"urn:uuid:{uuid.uuid5(NAMESPACE, name)}"


def sha1_digest(payload):
    return "sha1:" + base64.b32encode(hashlib.sha1(payload).digest()).decode("ascii")


def http_response(status, content_type, payload, extra=()):
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", *extra, f"Content-Length: {len(payload)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii") + payload


def record(kind, name, date, block, content_type, url=None, payload=None):
    lines = ["WARC/1.1", f"WARC-Type: {kind}", f"WARC-Record-ID: <{record_id(name)}>", f"WARC-Date: {date}"]
    if url:
        lines.append(f"WARC-Target-URI: {url}")
    if payload is not None:
        lines.append(f"WARC-Payload-Digest: {sha1_digest(payload)}")
    lines += [f"Content-Type: {content_type}", f"Content-Length: {len(block)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8") + block + b"\r\n\r\n"


def member(record_bytes):
    return gzip.compress(record_bytes, compresslevel=9, mtime=0)


def information_record(file_name, date):
    text = f"software: make_demo_crawl.py\r\nformat: WARC File Format 1.1\r\nfilename: {file_name}\r\n".encode("ascii")
    return record("warcinfo", file_name, date, text, "application/warc-fields")


def response_record(name, date, url, status, content_type, payload, extra=()):
    block = http_response(status, content_type, payload, extra)
    return record("response", name, date, block, "application/http;msgtype=response", url, payload)
