#!/usr/bin/env python3
# Context: O.  Servers under load, on the loopback and in directories of their
# own: they answer as they do bare, stop as they do bare, and their CPU time is
# in their profiles.
import http.client
import os
import shutil
import signal
import socket
import subprocess
import time

from harness import (CLEAN, ROOT, Failed, Skip, case, ended, main, need, pick,
                     reap, stacks)

SECONDS = pick(2, 30)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def up(port, p, timeout=20):
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if ended(p.pid, 0.05):
                break
    text = p.err_file
    text.seek(0)
    raise Failed(f"{p.args[0]} does not listen: {text.read()[-500:]}")


def stop(t, p, sig):
    os.kill(p.pid, sig)
    if not ended(p.pid, 30):
        where = stacks(p.pid)
        os.killpg(p.pid, signal.SIGKILL)
        reap(p)
        raise Failed(f"{p.args[0]} does not stop\n{where}")
    return reap(p)


def client(*argv, timeout=300, **how):
    r = subprocess.run([str(a) for a in argv], env=CLEAN, timeout=timeout,
                       capture_output=True, text=True, **how)
    return r.returncode, r.stdout, r.stderr


def serve(t, argv, port, sig, work, questions, user=None, hz=("", "hz=1000"),
          slack=0.05):
    """work() loads it, questions() gives answers to compare with bare."""
    answers = None
    for mon, opts in [(False, "")] + [(True, o) for o in hz]:
        d = f"s-{opts}" if mon else "profs"
        os.makedirs(os.path.join(t.dir, d), exist_ok=True)
        os.chmod(os.path.join(t.dir, d), 0o777)
        p = t.start(argv, mon=mon, opts=opts, profdir=d, user=user)
        try:
            up(port, p)
            if mon:
                work()
            said = questions()
        except BaseException:
            os.killpg(p.pid, signal.SIGKILL)
            reap(p)
            raise
        r = stop(t, p, sig)
        if not mon:
            answers, end = said, r.status
            continue
        t.equal(f"{opts}: answers", answers, said)
        t.equal(f"{opts}: end", end, r.status)
        profiles = t.profiles(d)
        seen = sum(x.seconds for x in profiles)
        error = 4 * 0.004 * (r.cpu / 0.004 * 0.25) ** 0.5
        t.near(f"{opts}: seconds of rusage, {len(profiles)} processes", r.cpu,
               seen, slack * r.cpu + error + 0.008 * (1 + len(profiles)))


@case
def redis(t):
    server, cli, bench = need("redis-server", "redis-cli", "redis-benchmark")
    port = free_port()

    def work():
        code, out, err = client(bench, "-p", port, "-n", pick(20000, 300000),
                                "-c", 20, "-q", "-t", "set,get,lpush,sort")
        t.equal("redis-benchmark", (0, ""), (code, err))

    def questions():
        said = []
        for q in (["set", "k", "v"], ["get", "k"], ["incr", "n"],
                  ["del", "n"], ["eval", "local s = 0 for i = 1, 2e6 do "
                                 "s = s + i end return s", "0"],
                  ["save"], ["nonsense"]):
            said.append(client(cli, "-p", port, *q))
        return said

    serve(t, [server, "--port", port, "--bind", "127.0.0.1", "--dir", t.dir,
              "--save", "", "--logfile", "log"], port, signal.SIGTERM, work,
          questions)


@case
def nginx(t):
    server = need("nginx")
    ab = shutil.which("wrk") or need("ab")
    port = free_port()
    os.makedirs(os.path.join(t.dir, "www"))
    with open(os.path.join(t.dir, "www", "index.html"), "w") as f:
        f.write("<p>hello</p>\n" * 500)
    with open(os.path.join(t.dir, "conf"), "w") as f:
        f.write(f"""daemon off; worker_processes 2; pid {t.dir}/pid;
error_log {t.dir}/error.log; {'user root;' if ROOT else ''}
events {{ worker_connections 256; }}
http {{ access_log {t.dir}/access.log; gzip on; gzip_types *;
  client_body_temp_path {t.dir}/b; proxy_temp_path {t.dir}/p;
  fastcgi_temp_path {t.dir}/f; uwsgi_temp_path {t.dir}/u;
  scgi_temp_path {t.dir}/s;
  server {{ listen 127.0.0.1:{port}; root {t.dir}/www; }} }}
""")

    def work():
        url = f"http://127.0.0.1:{port}/index.html"
        argv = [ab, "-t1", "-c20", f"-d{SECONDS}s", "-H",
                "Accept-Encoding: gzip", url] if ab.endswith("wrk") else [
                    ab, "-q", "-t", SECONDS, "-c", 20, url]
        code, out, err = client(*argv)
        t.equal("load", 0, code)
        t.true("answers under load", "Non-2xx" not in out and
               "Socket errors" not in out, "all good", out)

    def questions():
        said = []
        for path in ("/index.html", "/none"):
            c = http.client.HTTPConnection("127.0.0.1", port)
            c.request("GET", path)
            r = c.getresponse()
            said.append((r.status, r.read()))
            c.close()
        return said

    serve(t, [server, "-c", f"{t.dir}/conf", "-p", t.dir], port,
          signal.SIGQUIT, work, questions)


@case
def postgres(t):
    bench, psql = need("pgbench", "psql")
    places = [os.path.dirname(os.path.realpath(p)) for p in
              [shutil.which("postgres")] if p]
    if not places:
        raise Skip("postgres is not installed")
    home, port = places[0], free_port()
    user = None
    if ROOT:
        user = "postgres"
        try:
            shutil.chown(t.dir, user)
        except LookupError:
            raise Skip("no user postgres, and root may not run it")
    data = os.path.join(t.dir, "data")
    code, out, err = client(f"{home}/initdb", "-D", data, "-A", "trust", "-U",
                            "postgres", "-N", "--no-locale", cwd=t.dir,
                            user=user)
    if code != 0:
        raise Skip(f"initdb: {err[-300:]}")
    at = ["-h", "127.0.0.1", "-p", port, "-U", "postgres"]

    def sql(text):
        return client(psql, *at, "-X", "-At", "-c", text, "postgres")

    def work():
        # It listens before it answers: "the database system is starting up".
        end = time.monotonic() + 20
        while sql("select 1")[0] != 0 and time.monotonic() < end:
            time.sleep(0.05)
        code, out, err = client(bench, *at, "-i", "-q", "-s", 2, "postgres")
        t.true("pgbench -i", code == 0, "status 0", f"{code}: {err}")
        code, out, err = client(bench, *at, "-c", 4, "-j", 2, "-T", SECONDS,
                                "postgres")
        t.true("pgbench", code == 0, "status 0", f"{code}: {err}")
        t.true("failed transactions", "failed transactions: 0 " in out,
               "none", out)

    def questions():
        return [sql("select sum(i * 3 % 7) from generate_series(1, 400000) i"),
                sql("select md5(string_agg(i::text, '')) from "
                    "generate_series(1, 50000) i"),
                sql("select nonsense"),
                sql("select pg_sleep(0.1), 1 / 0")]

    serve(t, [f"{home}/postgres", "-D", data, "-p", port, "-h", "127.0.0.1",
              "-k", "", "-c", "fsync=off", "-c", "log_destination=stderr",
              "-c", "logging_collector=off"], port, signal.SIGINT, work,
          questions, user=user)


@case
def node_server(t):
    node = need("node")
    ab = shutil.which("wrk") or need("ab")
    port = free_port()
    js = os.path.join(t.dir, "server.js")
    with open(js, "w") as f:
        f.write("""const http = require('http'), zlib = require('zlib');
const server = http.createServer((q, a) => {
	let x = 1;
	for (let i = 0; i < 20000; i++) x = (Math.imul(x, 31) + i) >>> 0;
	zlib.gzip('x'.repeat(5000), (e, b) => a.end(x + ' ' + b.length + '\\n'));
});
server.listen(%d, '127.0.0.1');
process.on('SIGTERM', () => process.exit(5));
""" % port)

    def work():
        url = f"http://127.0.0.1:{port}/"
        code, out, err = client(*([ab, "-t1", "-c10", f"-d{SECONDS}s", url]
                                  if ab.endswith("wrk") else
                                  [ab, "-q", "-t", SECONDS, "-c", 10, url]))
        t.equal("load", 0, code)

    def questions():
        c = http.client.HTTPConnection("127.0.0.1", port)
        c.request("GET", "/")
        r = c.getresponse()
        return r.status, r.read()

    serve(t, [node, js], port, signal.SIGTERM, work, questions)


if __name__ == "__main__":
    main()
