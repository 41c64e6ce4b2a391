"""Drives headless Chromium through its DevTools protocol, over a plain socket. Standard library only."""
import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

ANSWER_LIMIT_SECONDS = 60
START_LIMIT_SECONDS = 60

chromium = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


class WebSocket:
    """The client's side of RFC 6455, as far as DevTools needs it: text in frames of any size."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_LIMIT_SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.received = b""
        while b"\r\n\r\n" not in self.received:
            self.received += self.socket.recv(65536)
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.splitlines()[0]:
            raise AssertionError(head.decode(errors="replace"))

    def send(self, text):
        data = text.encode()
        size = (bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
                if len(data) < 65536 else bytes([0x80 | 127]) + struct.pack(">Q", len(data)))
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        self.socket.sendall(b"\x81" + size + mask + masked)

    def take(self, size):
        while len(self.received) < size:
            got = self.socket.recv(1 << 20)
            if not got:
                raise AssertionError("the browser closed the connection")
            self.received += got
        taken, self.received = self.received[:size], self.received[size:]
        return taken

    def receive(self):
        text = b""
        while True:
            first, second = self.take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            text += self.take(size)
            if first & 0x80:
                return text.decode()


class Browser:
    """A browser with one tab. Collects what the page logs and which hosts it asks."""

    def __init__(self, size=(1400, 1000), dark=False, language="en"):
        self.folder = tempfile.mkdtemp(prefix="paraprint-browser-")
        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
             "--remote-debugging-port=0", f"--user-data-dir={self.folder}", f"--lang={language}",
             f"--window-size={size[0]},{size[1]}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self.wait_for_port()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=ANSWER_LIMIT_SECONDS) as answer:
            target = next(tab for tab in json.load(answer) if tab["type"] == "page")
        self.socket = WebSocket(port, "/" + target["webSocketDebuggerUrl"].split("/", 3)[3])
        self.number = 0
        self.logged, self.requested = [], []
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1,
                  mobile=size[0] < 600)
        if dark:
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def wait_for_port(self):
        file = pathlib.Path(self.folder) / "DevToolsActivePort"
        end = time.monotonic() + START_LIMIT_SECONDS
        while time.monotonic() < end:
            if file.exists() and "\n" in file.read_text():
                return int(file.read_text().split("\n")[0])
            time.sleep(0.05)
        raise AssertionError("Chromium did not start")

    def close(self):
        self.socket.socket.close()
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def take_event(self, message):
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.exceptionThrown":
            self.logged.append(json.dumps(parameters["exceptionDetails"]))
        elif message.get("method") == "Runtime.consoleAPICalled":
            self.logged.append(json.dumps(parameters["args"]))
        elif message.get("method") == "Log.entryAdded":
            self.logged.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))
        elif message.get("method") == "Network.requestWillBeSent":
            self.requested.append(parameters["request"]["url"])

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]
            self.take_event(message)

    def run(self, script):
        """Evaluate an expression, which may be a promise, and return its value."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, script):
        """Wait until the expression is true."""
        end = time.monotonic() + ANSWER_LIMIT_SECONDS
        while time.monotonic() < end:
            if self.run(script):
                return
            time.sleep(0.05)
        raise AssertionError(f"never true: {script}; the page says: {self.run('document.body.innerText')[:2000]}")

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def key(self, key, modifiers=0):
        """Press a key as a keyboard does."""
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38, "ArrowDown": 40}
        press = {"key": key, "modifiers": modifiers, "windowsVirtualKeyCode": codes.get(key, 0)}
        if len(key) == 1:
            press["text"] = key
        elif key == "Enter":
            press["text"] = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **press)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
