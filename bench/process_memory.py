"""The resident memory of this process, and the most that it has been. Linux only."""
import pathlib


def resident_bytes(field="VmRSS"):
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise SystemExit(f"process_memory.py: /proc/self/status has no {field}")


def peak_bytes():
    """Since the process began, or since reset_peak()."""
    return resident_bytes("VmHWM")


def reset_peak():
    pathlib.Path("/proc/self/clear_refs").write_text("5")
