# SPDX-License-Identifier: BSD-3-Clause
"""browser.py - a headless Chromium, driven over WebDriver.

Needs chromedriver and chromium in PATH, and nothing of Python but its own library.
"""
import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """A session; a context manager, which ends the browser."""

    def __init__(self, folder, width=1400, height=900):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        env = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder)
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"], env=env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = ""
        try:
            self._begin(folder, width, height)
        except BaseException:
            self.close()
            raise

    def _begin(self, folder, width, height):
        for _ in range(200):
            try:
                self._call("GET", "/status")
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--force-device-scale-factor=1",
                     "--disable-extensions", "--disable-background-networking",
                     f"--user-data-dir={folder}/profile", f"--window-size={width},{height}"]
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.session = "/session/" + answer["sessionId"]

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data,
                                         {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=100) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(json.load(e)["value"]["message"].split("\n")[0]) from None

    def call(self, method, path, body=None):
        return self._call(method, self.session + path, body)

    def open(self, path):
        """Opens a file; the logs begin with it."""
        self.call("POST", "/url", {"url": "about:blank"})
        self.log("performance"), self.log("browser")
        self.call("POST", "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *args):
        """The value of a function's body."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(args)})

    def devtools(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def find(self, css):
        return self.call("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.call("POST", f"/element/{self.find(css)}/click", {})

    def type(self, css, text):
        self.call("POST", f"/element/{self.find(css)}/value", {"text": text})

    def keys(self, *keys):
        """Presses keys where the focus is."""
        down = [{"type": t, "value": k} for k in keys for t in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "k", "actions": down}]})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def screenshot(self, path, css=None):
        where = f"/element/{self.find(css)}/screenshot" if css else "/screenshot"
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("GET", where)))

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except (OSError, RuntimeError):
            pass
        self.driver.terminate()
        try:
            self.driver.wait(10)
        except subprocess.TimeoutExpired:
            self.driver.kill()
            self.driver.wait()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
