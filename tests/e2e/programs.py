#!/usr/bin/env python3
# Context: O.  Programs that nobody here wrote: bare and under libmon they print
# the same, write the same files and end the same.  A row a program.
import hashlib
import os
import re
import subprocess

from harness import (Skip, case, load, long_case, main, need, orphans,
                     pick)

HERE = os.path.dirname(os.path.abspath(__file__))
LOADS = os.path.join(os.path.dirname(HERE), "load")

PY = """
import hashlib, json, multiprocessing, os, re, subprocess, sys, threading
def work(n):
    return hashlib.sha256(json.dumps(sorted(
        str(i * n % 7919) for i in range(20000))).encode()).hexdigest()
if __name__ == '__main__':
    out = [None] * 4
    def thread(i): out[i] = work(i)
    ts = [threading.Thread(target=thread, args=(i,)) for i in range(4)]
    [t.start() for t in ts]; [t.join() for t in ts]
    print(out)
    ctx = multiprocessing.get_context('fork')
    with ctx.Pool(2) as p: print(p.map(work, range(6)))
    print(subprocess.run(['sh', '-c', 'echo out; echo err >&2; exit 5'],
                         capture_output=True))
    r, w = os.pipe()
    if os.posix_spawn('/bin/echo', ['echo', 'spawned'], os.environ,
                      file_actions=[(os.POSIX_SPAWN_DUP2, w, 1)]):
        os.wait(); print(os.read(r, 100))
    print(len(re.findall('a+b', 'aab' * 30000)), file=sys.stderr)
    sys.exit(3)
"""
PERL = r"""
my %h; for my $i (1..200000) { $h{$i % 997} .= chr(65 + $i % 26) }
print join(",", map { length $h{$_} } sort { $a <=> $b } keys %h), "\n";
$SIG{ALRM} = sub { die "alarm\n" }; eval { alarm 1; select(undef,undef,undef,3) };
print $@; my $out = `echo child; exit 2`; print $out, $? >> 8, "\n";
my $pid = fork; if (!$pid) { my $x = 0; $x += $_ for 1..300000; exit 7 }
waitpid $pid, 0; print $? >> 8, "\n"; local $SIG{PROF} = sub { print "prof\n" };
kill PROF => $$; warn "warned\n"; exit 4;
"""
BASH = r"""
trap 'echo usr1' USR1; kill -USR1 $$
s=0; for ((i = 0; i < 60000; i++)); do ((s += i * i)); done; echo $s
seq 1 20000 | sort -R --random-source=/dev/zero | md5sum
(exit 9); echo $?; coproc cat; echo hi >&${COPROC[1]}; read -u ${COPROC[0]} x
echo $x; wait $! 2>/dev/null & jobs | wc -l; trap; ulimit -a | md5sum
trap 'echo prof' PROF; kill -PROF $$; sleep 0.1 & wait $!; echo err >&2; exit 6
"""
GIT = r"""
set -e; export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' HOME=$PWD
export GIT_COMMITTER_DATE='2020-01-01T00:00:00Z' GIT_CONFIG_NOSYSTEM=1
rm -rf repo; git init -q -b main repo; cd repo
git config user.name a; git config user.email a@b
for i in 1 2 3 4 5; do seq $i $((i * 3000)) >f$i; git add .; git commit -qm $i; done
git log --stat | md5sum; git gc -q; git fsck; git diff HEAD~3 | md5sum
git checkout -qb side HEAD~2; echo x >x; git add x; git commit -qm x; git rebase -q main
git rev-parse HEAD; git blame f3 | md5sum; git nonsense
"""
SQL = """
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000)
insert into t select i, hex(i * 7919 % 10007), i * 0.5 from n;
create index tb on t(b);
select count(*), sum(c), max(b) from t where b like '%3%';
select b, count(*) from t group by b order by 2 desc, 1 limit 5;
update t set c = c * 2 where a % 3 = 0; select total(c) from t;
select nonsense;
"""
C = """
#include <stdio.h>
#define F(n) static int f##n(int x) { int s = 0; for (int i = 0; i < x; i++) \\
    s += (i * n) % (x + n) ^ (s << 3); return s; }
#define G(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7)
G(1) G(2) G(3) G(4) G(5) G(6) G(7) G(8) G(9) G(10) G(11) G(12) G(13) G(14)
#define H(n) f##n##0(x) + f##n##1(x) + f##n##2(x) + f##n##3(x) + f##n##4(x) + \\
  f##n##5(x) + f##n##6(x) + f##n##7(x)
int main(void) { int x = 5; printf("%d\\n", H(1) + H(2) + H(3) + H(4) + H(5) +
  H(6) + H(7) + H(8) + H(9) + H(10) + H(11) + H(12) + H(13) + H(14));
  int unused; return 0; }
"""
CXX = """
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
int main() { std::map<std::string, int> m; 
  for (int i = 0; i < 100; i++) m[std::to_string(i)] = i;
  std::cout << m.size() << std::endl; }
"""

ERLANG = """
F = fun(G, 0) -> 0; (G, N) -> N + G(G, N - 1) end, P = self(),
[spawn(fun() -> P ! F(F, 50000) end) || _ <- lists:seq(1, 8)],
io:format("~p~n", [[receive X -> X end || _ <- lists:seq(1, 8)]]),
io:format("~s", [os:cmd("echo hi")]), halt(3).
"""


def write(t, name, text):
    path = os.path.join(t.dir, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def data(t):
    """Some megabytes that are neither noise nor constant, always the same."""
    path = os.path.join(t.dir, "data")
    with open(path, "wb") as f:
        h = b""
        for i in range(6000):
            h = hashlib.sha256(h + bytes([i % 7])).digest()
            f.write(h.hex().encode() * (1 + i % 9))
    return path


def row(name, programs, make, files=(), opts=("", "hz=4000"), timeout=120):
    """make(t) gives the command; `files` are compared too."""
    def run(t):
        need(*programs.split())
        argv = make(t)
        runs = {}
        for mon, o in [(False, "")] + [(True, o) for o in opts]:
            for f in files:
                if os.path.exists(os.path.join(t.dir, f)):
                    os.remove(os.path.join(t.dir, f))
            r = t.run(argv, mon=mon, opts=o, timeout=timeout,
                      profdir=f"p-{o}")
            left = [open(os.path.join(t.dir, f), "rb").read()
                    if os.path.exists(os.path.join(t.dir, f)) else None
                    for f in files]
            if not mon:
                bare = (r.status, r.out, r.err, left)
                continue
            what = f"{name} {o}"
            t.equal(f"{what}: end", bare[0], r.status)
            t.equal(f"{what}: stdout", bare[1], r.out)
            t.equal(f"{what}: stderr", bare[2], r.err)
            t.true(f"{what}: files {files}", bare[3] == left, "the same",
                   "different")
            whole(t, r, f"p-{o}", what)
    run.__name__ = name
    case(run)


def whole(t, run, profdir, what):
    """Every process that used CPU time has a profile: their sum is rusage.
    A process shorter than a tick is seen by lot, hence 4 sigma; and of each
    that ran meanwhile up to 2 ms are fork, exec and the loader's, which no
    preloaded library sees.  One that had no clock, behind man's filter, says so
    and counts with what the kernel says of it."""
    profiles = t.profiles(profdir)
    seen = sum(p.cpu if p.loss.get("THREAD_CLOCK") and not p.samples else
               p.seconds for p in profiles)
    lots = 2 * 0.004 * (run.cpu / 0.004) ** 0.5
    t.between(f"{what}: seconds of rusage {run.cpu:.3f}, {len(profiles)} "
              f"profiles", 0.95 * run.cpu - lots - 0.002 * run.forks - 0.005,
              seen, 1.02 * run.cpu + lots + 0.005)


row("python3", "python3", lambda t: [
    "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3",
    write(t, "work.py", PY)])
row("perl", "perl", lambda t: ["perl", write(t, "work.pl", PERL)])
row("bash", "bash", lambda t: ["bash", write(t, "work.sh", BASH)])
row("git", "git", lambda t: ["bash", write(t, "git.sh", GIT)])
row("gcc", "gcc", lambda t: ["gcc", "-O3", "-Wall", "-c", write(t, "a.c", C)],
    files=["a.o"])
row("gxx", "g++", lambda t: ["g++", "-O2", "-o", "b", write(t, "b.cc", CXX)],
    files=["b"])
row("sqlite3", "sqlite3", lambda t: ["sqlite3", "db", SQL], files=["db"])
# With -v it says how long it took, where that is a second or more.
row("xz", "xz", lambda t: ["xz", "-T2", "-6", "-k", "-f", data(t), "nosuch"],
    files=["data.xz"])
row("tar", "tar gzip", lambda t: [
    "tar", "-czf", "t.tgz", "--mtime=@0", "--sort=name", "--exclude=*.png",
    "-C", "/usr/share", "doc/libc6", "zoneinfo/Europe"], files=["t.tgz"])
row("sort_and_awk", "sort awk", lambda t: [
    "sh", "-c", f"sort {data(t)} | awk '{{ n[length($1) % 17]++ }} END "
    "{ for (i = 0; i < 17; i++) print i, n[i] }'; grep -c abc data"])
row("file", "file", lambda t: ["file", "-b", "/bin/true", "/etc/passwd"])
row("make", "make gcc", lambda t: [
    "make", "-s", "-j2", "-f", write(
        t, "mk", "O = " + " ".join(f"o{i}.o" for i in range(8)) +
        "\nall: $(O); @cat $(O) | md5sum\n"
        f"%.o: ; @gcc -O1 -c -o $@ {write(t, 'a.c', C)}\n")])
row("openssl", "openssl", lambda t: ["openssl", "dgst", "-sha3-512", data(t)])
row("gdb", "gdb", lambda t: ["sh", "-c", (
    "gdb -batch -nx -ex 'print 6*7' -ex run -ex 'print 6*8' /bin/false 2>&1 |"
    " sed 's/process [0-9]*/process N/'")])
row("man", "man", lambda t: ["man", "--nj", "-P", "cat", "ld"])
row("java", "java javac", lambda t: (
    subprocess.run(["javac", "-d", t.dir, os.path.join(LOADS, "Hot.java")],
                   check=True),
    ["java", "-cp", t.dir, "-Xshare:auto", "Hot", str(pick(300, 5000))])[1])
row("node", "node", lambda t: ["node", os.path.join(LOADS, "hot.js")])


def rust(t):
    exe = os.path.join(t.dir, "hot")
    r = subprocess.run(["rustc", "-O", "-o", exe, os.path.join(
        LOADS, "hot.rs")], cwd=t.dir, capture_output=True, text=True)
    if r.returncode != 0:
        raise Skip(f"rustc: {r.stderr[-300:]}")
    return [exe]


row("rust", "rustc", rust)
row("go_tool", "go", lambda t: ["go", "env", "GOOS", "GOARCH"])
row("erlang", "erl", lambda t: ["erl", "-noshell", "-eval", ERLANG])


@case
def odd_starts(t):
    """complaints 35: what ran before anybody was ready for it."""
    for argv in (["/lib64/ld-linux-x86-64.so.2", "--list", "/bin/true"],
                 ["/lib64/ld-linux-x86-64.so.2", "/bin/echo", "hi"],
                 ["/lib/x86_64-linux-gnu/libc.so.6"], ["/sbin/ldconfig", "-p"],
                 ["getconf", "PAGESIZE"], ["nice", "-n", "3", "id"],
                 ["timeout", "1", "sleep", "5"], ["env", "-i", "env"],
                 ["setsid", "-w", "echo", "x"], ["true"], ["false"]):
        if argv[0].startswith("/") and not os.path.exists(argv[0]):
            continue
        bare, mon = (t.run(argv, mon=m) for m in (False, True))
        name = " ".join(argv)
        t.equal(f"{name}: end", bare.status, mon.status)
        t.equal(f"{name}: stderr", bare.err, mon.err)
        if "--list" not in argv:        # that one shows the preload
            t.equal(f"{name}: stdout", bare.out, mon.out)


@case
def other_allocators(t):
    """complaints 7: beside another preloaded library, in both orders."""
    libs = [p for p in ("/usr/lib/x86_64-linux-gnu/libtcmalloc.so.4",
                        "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2")
            if os.path.exists(p)]
    if not libs:
        raise Skip("neither tcmalloc nor jemalloc is installed")
    from harness import LIB
    script = write(t, "work.py", PY)
    for other in libs:
        bare = t.run(["/usr/bin/python3", script], mon=False)
        for order in (f"{other}:{LIB}", f"{LIB}:{other}"):
            r = t.run(["/usr/bin/python3", script],
                      env={"LD_PRELOAD": order}, opts="hz=4000")
            t.equal(f"{order}: end", bare.status, r.status)
            t.equal(f"{order}: stdout", bare.out, r.out)
            t.equal(f"{order}: stderr", bare.err, r.err)


@case
def names_of_generated_code(t):
    """node writes /tmp/perf-PID.map; prof finds its functions there."""
    node = need("node")
    r = t.run([node, "--perf-basic-prof", "--interpreted-frames-native-stack",
               os.path.join(LOADS, "hot.js")], opts="hz=1000")
    try:
        t.equal("end", "exit 0", r.status)
        p = t.profile(pid=r.pid)
        names = [x["function"] for x in t.rows("--top", "20", p.path)]
        t.true("hot() among the first 20", any(
            "hot" in n and "hot.js" in n for n in names), "there", names)
    finally:
        for f in (f"/tmp/perf-{r.pid}.map",):
            if os.path.exists(f):
                os.remove(f)


@case
def jitdump(t):
    """node --perf-prof maps the dump that it writes: names and lines."""
    node = need("node")
    source = os.path.join(LOADS, "hot.js")
    r = t.run([node, "--perf-prof", "--interpreted-frames-native-stack",
               source], opts="hz=1000")
    t.equal("end", "exit 0", r.status)
    rows = t.rows("--lines", t.profile(pid=r.pid).path)
    hot = [x for x in rows if re.search(r"\bhot\b.*hot\.js", x["function"])]
    t.figure("hot() is there", sum(float(x["seconds"]) for x in hot) > 0.05,
             "0.05 s", rows[:5])
    # V8 writes the names of some files after it has freed them.
    lines = {int(x["line"]) for x in hot if x["line"]}
    t.true("its lines", lines <= set(range(6, 11)), "6 to 10", lines)
    t.true("its file", all(x["file"] == source for x in hot if x["line"]),
           source, hot)


@long_case
def chromium(t):
    """Several processes, a sandbox's zygote and a JIT: the page it made."""
    need("chromium")
    page = write(t, "page.html", """<html><body><p id=p></p><script>
        let s = 0; for (let i = 0; i < 5e7; i++) s = (s * 31 + i) % 1000003;
        document.getElementById('p').textContent = 'sum ' + s;
        </script></body></html>""")
    runs = {}
    for mon, opts in ((False, "bare"), (True, ""), (True, "hz=4000")):
        runs[opts] = t.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update",
             "--disable-sync", f"--user-data-dir={t.dir}/user-{opts}",
             "--dump-dom", f"file://{page}"], mon=mon, timeout=240,
            profdir=f"p-{opts}", opts=opts if mon else "")
        orphans(2)
        if b"sum " not in runs["bare"].out:
            raise Skip(f"chromium does not run: {runs['bare'].err[-300:]}")
        if mon:
            t.equal(f"{opts}: end", runs["bare"].status, runs[opts].status)
            t.equal(f"{opts}: page", runs["bare"].out, runs[opts].out)
            # Its helpers are killed, some before they were seen.
            profiles = t.profiles(f"p-{opts}")
            t.true(f"{opts}: profiles", len(profiles) > 2,
                   "of several processes", [p.name for p in profiles])


@case
def valgrind(t):
    """It knows few ways to make a thread, and ours is none of them."""
    r = t.good([need("valgrind"), "-q", load("shares"), "-t", "2", "0.2"],
               profdir="p")
    t.equal("stderr", b"", r.err)
    t.equal("profiles", [], [p.name for p in t.profiles("p")
                             if p.name == "shares"])


@case
def calls_of_its_own(t):
    """A program with its own sigaction() and raise(), which call the next
    ones: ours call none of its."""
    bare, mon = t.both([load("forward")], opts="hz=1000")
    t.equal("bare", b"1 1\n" * 3, bare.out)


@case
def audited(t):
    """complaints 36: beside a library of LD_AUDIT, which takes static TLS and
    makes the loader bind differently."""
    audit = t.build("audit.c", "audit.so", "-shared", "-fPIC")
    script = write(t, "work.py", PY)
    bare, mon = t.both([need("python3"), script], opts="hz=4000",
                       env={"LD_AUDIT": audit})
    t.true("the library was there", b"audited" in bare.err, "its line",
           bare.err)
    whole(t, mon, "profs", "audited")


def foreign(t, cc, *flags):
    """A program of threads, signals and children that is not our libc's."""
    exe = t.build("foreign.c", "foreign", *flags, cc=[need(cc)])
    bare, mon = t.both([exe], opts="hz=1000")
    t.equal("end", "exit 3", bare.status)
    t.true("work", b"foreign wrong 0" in bare.out, "done", bare.out)
    names = {os.path.basename(p.info["exe"]) for p in t.profiles()}
    t.true("programs", "foreign" not in names, "its children at most", names)


@case
def musl(t):
    """complaints 38: under another libc's loader a preload must not harm."""
    foreign(t, "musl-gcc", "-pthread")


@case
def static(t):
    """complaints 37: no loader, no preload."""
    foreign(t, "gcc", "-static", "-pthread")


if __name__ == "__main__":
    main()
