# Context: O.  A headless Chromium by chromedriver, in W3C's WebDriver protocol.
import base64
import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request

from harness import CLEAN, Failed, need

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """With a directory of its own; `with Browser(t) as b`."""

    def __init__(self, t, *arguments, width=1200, height=900):
        need("chromedriver", "chromium")
        self.t = t
        self.session = None
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), "--port=0"],
            env={**CLEAN, "HOME": t.dir}, cwd=t.dir, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in self.driver.stdout:
            m = re.search(r"started successfully on port (\d+)", line)
            if m:
                self.url = f"http://127.0.0.1:{m[1]}"
                break
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu",
                            f"--window-size={width},{height}",
                            f"--user-data-dir={t.dir}/chromium", *arguments],
                   "binary": shutil.which("chromium")}
        made = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        try:
            if self.session:
                self.ask("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def ask(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else \
            json.dumps(body or {}).encode()
        request = urllib.request.Request(
            self.url + path, data, {"Content-Type": "application/json"},
            method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise Failed(f"{method} {path}: {e.read().decode()[:600]}")

    def open(self, path):
        self.ask("POST", self.session + "/url",
                 {"url": "file://" + os.path.abspath(path)})

    def js(self, script, *args):
        return self.ask("POST", self.session + "/execute/sync",
                        {"script": script, "args": list(args)})

    def find(self, selector):
        return self.ask("POST", self.session + "/element", {
            "using": "css selector", "value": selector})[ELEMENT]

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])"
                       ".textContent", selector)

    def click(self, selector):
        self.ask("POST", f"{self.session}/element/{self.find(selector)}/click")

    def type(self, selector, text):
        self.ask("POST", f"{self.session}/element/{self.find(selector)}/value",
                 {"text": text})

    def choose(self, selector, value):
        self.js("const s = document.querySelector(arguments[0]);"
                "s.value = arguments[1];"
                "s.dispatchEvent(new Event('change'))", selector, value)

    def press(self, *keys):
        self.ask("POST", self.session + "/actions", {"actions": [{
            "type": "key", "id": "keys", "actions": [
                {"type": kind, "value": key} for key in keys
                for kind in ("keyDown", "keyUp")]}]})

    def point(self, x, y, click=False):
        """At a place of the window."""
        actions = [{"type": "pointerMove", "x": round(x), "y": round(y)}]
        if click:
            actions += [{"type": "pointerDown", "button": 0},
                        {"type": "pointerUp", "button": 0}]
        self.ask("POST", self.session + "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "actions": actions}]})

    def drag(self, from_x, from_y, to_x, to_y):
        self.ask("POST", self.session + "/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "x": round(from_x),
                 "y": round(from_y)},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerMove", "x": round(to_x), "y": round(to_y)},
                {"type": "pointerUp", "button": 0}]}]})

    def resize(self, width, height):
        """Size the window that shows pages: a window has a least width."""
        self.ask("POST", self.session + "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride", "params": {
                "width": width, "height": height, "deviceScaleFactor": 1,
                "mobile": False}})

    def complaints(self):
        return [x["message"] for x in self.ask(
            "POST", self.session + "/se/log", {"type": "browser"})
            if x["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.ask(
                "GET", self.session + "/screenshot")))
