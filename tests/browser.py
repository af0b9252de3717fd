"""Opens pages in Debian's chromium without a window, by the DevTools protocol on pipes. Needs no other package."""

import base64
import json
import os
import select
import shutil
import subprocess

CHROMIUM = shutil.which("chromium")
ANSWER_SECONDS = 300  # ends a test whose browser hangs


def local(url):
    return url.startswith(("file:", "data:", "about:"))


def fault(event):
    """Returns what is wrong if an event tells of an error on the page or of a request to another host, or None."""
    method, said = event["method"], event.get("params", {})
    if method == "Network.requestWillBeSent" and not local(said["request"]["url"]):
        return f"request of {said['request']['url']}"
    if method == "Log.entryAdded" and said["entry"]["level"] == "error":
        return f"error: {said['entry']['text']} {said['entry'].get('url', '')}".rstrip()
    if method == "Runtime.consoleAPICalled" and said["type"] == "error":
        return f"error: {' '.join(str(value.get('value')) for value in said['args'])}"
    if method == "Runtime.exceptionThrown":
        details = said["exceptionDetails"]
        return f"error: {details.get('exception', {}).get('description', details['text']).splitlines()[0]}"
    return None


class Browser:
    """One page of a browser that finds no other host. `with Browser(folder, width) as browser` ends it."""

    def __init__(self, folder, width, height=1000):
        commands, self._to_browser = os.pipe()
        self._from_browser, answers = os.pipe()
        start = f'exec "$0" "$@" 3<&{commands} 4>&{answers}'  # the browser reads from 3 and writes to 4
        self._process = subprocess.Popen(
            ["bash", "-c", start, CHROMIUM, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--disable-dev-shm-usage",
             f"--user-data-dir={folder}"], pass_fds=[commands, answers], env={**os.environ, "HOME": str(folder)},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._received, self._session, self._count, self._events = b"", None, 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._to_browser)  # chromium ends when nobody can command it
        self._process.wait()
        os.close(self._from_browser)

    def _next_message(self):
        while b"\0" not in self._received:
            if not select.select([self._from_browser], [], [], ANSWER_SECONDS)[0]:
                self._process.kill()
                raise TimeoutError(f"chromium said nothing for {ANSWER_SECONDS} s")
            part = os.read(self._from_browser, 1 << 16)
            if not part:
                raise ConnectionError(f"chromium has ended with status {self._process.wait()}")
            self._received += part
        message, _, self._received = self._received.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """Returns the result of a command, and keeps the events that come before it."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next_message()
            if answer.get("id") == self._count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            if "method" in answer:
                self._events.append(answer)

    def evaluate(self, script):
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def open(self, url):
        """Opens a page, and returns what went wrong until it was loaded."""
        self._events.clear()
        self.call("Page.navigate", url=url)
        while not any(event["method"] == "Page.loadEventFired" for event in self._events):
            message = self._next_message()
            if "method" in message:
                self._events.append(message)
        self.evaluate("document.fonts.ready.then(() => 0)")
        return [text for event in self._events if (text := fault(event))]

    def screenshot(self, path):
        image = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(image))
