"""Drives a headless Chromium through the DevTools protocol over a pipe, with the standard library.

Every message of the console, every uncaught error and every request is kept, so that a test can say
that there were none.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--force-color-profile=srgb", "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
]
SECONDS = 60


class Chromium:
    """A browser with one tab."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise SystemExit("chromium is missing: scripts/setup browser installs it")
        self.profile = tempfile.mkdtemp(prefix="lapidary-chromium-")
        commands, self.write_end = os.pipe()
        self.read_end, answers = os.pipe()
        # Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
        shell = f'exec "$0" "$@" 3<&{commands} 4>&{answers}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, program, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            pass_fds=[commands, answers], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(commands)
        os.close(answers)
        self.buffer, self.number, self.events = b"", 0, []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write_end)
        os.close(self.read_end)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, deadline):
        """The next message of the browser."""
        while b"\0" not in self.buffer:
            rest = deadline - time.monotonic()
            if rest <= 0 or not select.select([self.read_end], [], [], rest)[0]:
                raise TimeoutError("chromium does not answer")
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise EOFError("chromium has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        text = json.dumps(command).encode() + b"\0"
        while text:
            text = text[os.write(self.write_end, text):]
        deadline = time.monotonic() + SECONDS
        while True:
            message = self.message(deadline)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def open(self, path, width=1280, height=900, dark=False):
        """Opens a page from disk and waits until its script has run."""
        self.resize(width, height)
        self.colours(dark)
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.monotonic() + SECONDS
        while not self.evaluate("document.documentElement?.dataset.ready === 'true'"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{path} is not ready: {self.complaints()}")
            time.sleep(0.05)

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def colours(self, dark):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def press(self, key):
        """Presses a key that types a character, or a named one."""
        for kind in ["keyDown", "keyUp"]:
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def requests(self):
        """What the page asked for, apart from itself."""
        self.evaluate("0")
        sent = [event["params"] for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in sent
                if one.get("type") != "Document" and not one["request"]["url"].startswith("data:")]

    def complaints(self):
        """Errors and warnings of the page."""
        found = []
        for event in self.events:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"].get("exception", parameters))[:500])
            if event["method"] == "Runtime.consoleAPICalled":
                found.append(str(parameters["args"])[:500])
            if event["method"] == "Log.entryAdded":
                found.append(parameters["entry"]["text"][:500])
        return found

    def screenshot(self, path, whole=False, clip=None):
        options = {"format": "png"}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = (0, 0, size["width"], min(size["height"], 16000))
        if clip:
            x, y, width, height = clip
            options |= {"captureBeyondViewport": True,
                        "clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}}
        image = self.call("Page.captureScreenshot", **options)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(image))
