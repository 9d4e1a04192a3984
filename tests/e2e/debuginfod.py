#!/usr/bin/env python3
# Context: O.  complaints 51: servers of debug files are asked when the user
# says so, for as long as he says; here by a server of our own.
import os
import socketserver
import subprocess
import threading
import time

from harness import CLEAN, PROF, Skip, case, main, need

HANGS = threading.Event()


class Server:
    """/buildid/ID/debuginfo, from a table; what is asked for is noted."""

    def __init__(self, files, hangs=False):
        asked = self.asked = []

        # http.server wants the library's html, which is html.py here.
        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                path = self.rfile.readline().split()[1].decode()
                while self.rfile.readline().strip():
                    pass
                asked.append(path)
                if hangs:
                    HANGS.wait(60)
                if path not in files:
                    self.wfile.write(b"HTTP/1.0 404 None\r\n\r\n")
                    return
                with open(files[path], "rb") as f:
                    data = f.read()
                self.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n"
                                 b"\r\n" % len(data) + data)

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0),
                                                      Handler)
        self.server.daemon_threads = True
        self.url = "http://127.0.0.1:%d/" % self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        HANGS.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        HANGS.clear()


def prof(t, url, *args):
    r = subprocess.run(
        [PROF, *args], cwd=t.dir, capture_output=True, text=True, timeout=60,
        env={**CLEAN, "DEBUGINFOD_URLS": url, "HOME": t.dir,
             "DEBUGINFOD_CACHE_PATH": os.path.join(t.dir, "cache")})
    if "libdebuginfod is not" in r.stderr:
        raise Skip("no libdebuginfod")
    return r


def stripped(t):
    """A profile of a program without names, and where they went."""
    exe = t.build("stacks.c", "stacks", "-O2", "-pthread",
                  "-Wl,--build-id=sha1")
    for args in (["--only-keep-debug", exe, exe + ".names"],
                 ["--strip-all", exe]):
        subprocess.run([need("objcopy"), *args], env=CLEAN, check=True)
    t.good([exe, "inlined"])
    p = t.profile()
    notes = subprocess.run([need("readelf"), "-n", exe], env=CLEAN,
                           capture_output=True, text=True).stdout
    build_id = notes.split("Build ID: ")[1].split()[0]
    return p.path, {f"/buildid/{build_id}/debuginfo": exe + ".names"}


@case
def not_asked(t):
    """A server that is named is not asked by that."""
    path, files = stripped(t)
    with Server(files) as s:
        for args in ([], ["--lines"], ["--tree"], ["--annotate=*"],
                     ["--embed", "-o", "copy"]):
            r = prof(t, s.url, *args, path)
            t.equal(f"{args}: status", 0, r.returncode)
            # A finding may name the option, a line of servers begins so.
            t.true(f"{args}: says", "debuginfod: " not in r.stderr + r.stdout,
                   "nothing of servers", r.stderr + r.stdout)
        t.equal("asked", [], s.asked)


@case
def asked(t):
    """Names and lines come from it, once; what it has not is not there."""
    path, files = stripped(t)
    with Server(files) as s:
        r = prof(t, s.url, "--debuginfod=20", "--lines", path)
        t.true("names", " leaf " in r.stdout and "stacks.c:" in r.stdout,
               "of its file", r.stdout)
        t.true("asked for it", set(files) <= set(s.asked), files, s.asked)
        t.true("told", "debuginfod: 1 of " in r.stdout, "how many came",
               r.stdout)
        t.equal("once each", len(set(s.asked)), len(s.asked))
        t.equal("status", 0, r.returncode)


@case
def another_file(t):
    """One of another build gives no names, and is said."""
    path, files = stripped(t)
    with Server({k: "/bin/true" for k in files}) as s:
        r = prof(t, s.url, "--debuginfod=20", path)
        t.true("no names", " leaf " not in r.stdout, "none", r.stdout)
        t.true("said", "another build-id" in r.stdout, "why", r.stdout)


@case
def hangs(t):
    """The report comes when the time is up."""
    path, files = stripped(t)
    with Server(files, hangs=True) as s:
        began = time.monotonic()
        r = prof(t, s.url, "--debuginfod=2", path)
        t.figure("in time", time.monotonic() - began < 20, "2 s and some",
                 time.monotonic() - began)
        t.true("asked", len(s.asked) > 0, "the server", s.asked)
        t.true("said", "the time limit was reached" in r.stdout, "why",
               r.stdout)
        t.equal("status", 0, r.returncode)


@case
def wrong_use(t):
    path, _ = stripped(t)
    for url, value, why in (("", "5", "names no server"),
                            ("http://127.0.0.1:9/", "soon", "of seconds"),
                            ("http://127.0.0.1:9/", "-1", "of seconds"),
                            ("http://127.0.0.1:9/", "0x10", "of seconds"),
                            ("http://127.0.0.1:9/", "1.2.3", "of seconds")):
        r = prof(t, url, f"--debuginfod={value}", path)
        t.equal(f"{value}: status", 2, r.returncode)
        t.true(f"{value}: said", why in r.stderr, why, r.stderr)
    r = prof(t, "http://127.0.0.1:9/", "--debuginfod=5", "--check", path)
    t.equal("--check: status", 2, r.returncode)
    r = prof(t, "http://127.0.0.1:9/", "--debuginfod=5", path)
    t.equal("nobody there: status", 0, r.returncode)
    t.true("nobody there", "debuginfod: 0 of " in r.stdout, "said", r.stdout)


main()
