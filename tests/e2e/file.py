#!/usr/bin/env python3
# Context: O.  Whatever happens to the place where the profile lies, the program
# is unharmed, nothing of others is overwritten, and the loss is named.
import os
import re
import shutil
import subprocess
import time

from harness import (ROOT, CLEAN, Failed, Skip, case, load, main, need, pick,
                     stored)

BURN = 0.3


def unharmed(t, r, what):
    t.equal(f"{what}: end", "exit 0", r.status)
    t.equal(f"{what}: stdout", f"{what} done\n", r.text[-len(what) - 6:])
    t.equal(f"{what}: stderr", b"", r.err)


def simple(what, low=0.98, args=(), **how):
    def run(t):
        if what in ("chroot", "setuid") and not ROOT:
            raise Skip("needs root")
        r = t.run([load("hostile"), what, BURN, *args], **how)
        unharmed(t, r, what)
        stored(t, what, r.cpu, low)
    run.__name__ = what
    case(run)


simple("chdir")
simple("chroot")
simple("close")
simple("standard")
simple("umask")
simple("nofile")
simple("setuid")
simple("fsize", 0.4, args=(100000,))


def jail(t, how, before, profdir):
    """Make a PROFDIR that only root, or its owner, can write to."""
    os.makedirs(os.path.join(t.dir, profdir), exist_ok=True)
    if how == "capset":
        os.chown(os.path.join(t.dir, profdir), 1, 1)
    r = t.good([load("jailed"), how, before, BURN, BURN], profdir=profdir,
               cwd=t.dir)
    if b"no landlock" in r.out:
        return False
    if os.path.isdir(os.path.join(t.dir, "jail")):
        os.rmdir(os.path.join(t.dir, "jail"))
    return True


def jailed(how, child=False):
    """The profile has what a daemon does after it gave up its access to files;
    the report names a child that could have no file."""
    def run(t):
        if not ROOT:
            raise Skip("needs root")
        for before in (0, 0.1):
            d = f"profs-{before}"
            if not jail(t, how, before, d):
                raise Skip("no Landlock here")
            profiles = t.profiles(d)
            if not t.equal(f"{before}: files", 2 if child else 1,
                           len(profiles)):
                return
            first = min(profiles, key=lambda p: p.pid)
            t.between(f"{before}: {first.describe()}", 0.9 * BURN,
                      first.sampled - before, 1.1 * BURN + 0.02)
            names = {r["function"] for r in t.rows(first.path)}
            t.true(f"{before}: names", any(n.startswith("load_")
                                           for n in names), "load_*", names)
            t.equal(f"{before}: children without one", 0 if child else 1,
                    first.loss.get("CHILD_FILE", 0))
    run.__name__ = f"jailed_by_{how}"
    case(run)


for name in ("chroot", "raw_chroot", "setuid", "setresuid", "raw_setreuid",
             "seteuid", "both", "capset", "landlock", "unshare", "nofile",
             "raw_nofile", "fsize"):
    jailed(name)
jailed("nothing", child=True)


@case
def umask_of_all_bits(t):
    """The owner can read the profile whatever the umask is."""
    t.good(["/bin/sh", "-c", 'umask 777 && exec "$@"', "sh", load("hostile"),
            "chdir", 0.1])
    t.true("files", t.files(), "at least one", t.files())
    for f in t.files():
        t.equal("mode", 0o600, os.stat(f).st_mode & 0o7777)


@case
def executed_in_a_jail(t):
    """A process that gives up its rights and executes a program says in its own
    file that this one could have none, and only if that is so."""
    if not ROOT:
        raise Skip("needs root")
    setpriv = [need("setpriv"), "--reuid=65534", "--regid=65534",
               "--clear-groups"]
    chroot = [need("chroot"), "--userspec=65534:65534", "/"]
    for n, (wrap, group, mode, lost) in enumerate((
            (setpriv, 0, 0o755, 1), (chroot, 0, 0o755, 1),
            (setpriv, 65534, 0o775, 0), (chroot, 0, 0o1777, 0),
            ([need("setpriv"), "--reuid=0"], 0, 0o755, 0))):
        d = f"profs-{n}"
        os.mkdir(os.path.join(t.dir, d))
        os.chown(os.path.join(t.dir, d), 0, group)
        os.chmod(os.path.join(t.dir, d), mode)
        t.good([*wrap, "/bin/true"], profdir=d)
        t.equal(f"{' '.join(wrap)}, {mode:o}", lost,
                sum(p.loss.get("IMAGE_FILE", 0) for p in t.profiles(d)))


@case
def executed_in_vain_in_a_jail(t):
    """A program that could not be executed is no program without a file: a
    child takes back what it has counted in its parent's."""
    if not ROOT:
        raise Skip("needs root")
    jail(t, "in_vain", 0, "profs")
    p, = t.profiles()
    t.equal("programs", 0, p.loss.get("IMAGE_FILE", 0))
    t.equal("ticks", True, p.sampled > 0)


@case
def cloned_into_namespaces(t):
    """The maker's file tells that a child in a new namespace has none."""
    if not ROOT:
        raise Skip("needs root")
    t.good([load("jailed"), "clone", 0, 0], cwd=t.dir)
    profiles = t.profiles()
    t.equal("files", 1, len(profiles))
    t.equal("children without one", 1,
            sum(p.loss.get("CHILD_FILE", 0) for p in profiles))
    t.true("its ticks", sum(p.loss.get("STORE_NONE", 0) for p in profiles) > 5,
           "counted", [p.loss for p in profiles])


@case
def jailed_and_idle(t):
    """A process that counts nothing after such a call removes its file, if it
    can."""
    if not ROOT:
        raise Skip("needs root")
    for _ in range(pick(5, 50)):
        t.good([need("setpriv"), "--reuid=65534", "--clear-groups", "true"],
               profdir="reuid")
        os.chmod(os.path.join(t.dir, "reuid"), 0o1777)
        t.good([need("unshare"), "-m", "true"])
    r = t.good([need("unshare"), "-m", load("hostile"), "chdir", BURN])
    for profile in t.profiles() + t.profiles("reuid"):
        t.true(profile.name, profile.samples > 0 or profile.threads() or
               profile.loss.get("IMAGE_FILE"), "something counted or lost",
               profile.describe())
    stored(t, "what unshare ran", r.cpu, 0.98,
           files=[f for f in t.files() if f.endswith(".hostile")])


@case
def relative_directory(t):
    """PROFDIR is taken where the program started, not where it went."""
    os.mkdir(os.path.join(t.dir, "profs"))
    r = t.run([load("hostile"), "chdir", BURN], profdir=None,
              env={"PROFDIR": "profs"})
    unharmed(t, r, "chdir")
    stored(t, "relative", r.cpu, 0.98)


@case
def file_size_limit(t):
    """SIGXFSZ kills: the limit is asked before each step."""
    for limit in (0, 100, 4096, 70000, 200000):
        d = f"p{limit}"
        r = t.run([load("hostile"), "chdir", BURN], profdir=d,
                  wrap=[need("prlimit"), f"--fsize={limit}"], cwd=t.dir)
        # The bare program writes to the harness's file: under 100 bytes.
        t.true(f"limit {limit}: end", r.status == "exit 0" or limit < 20,
               "exit 0", r.status)
        shutil.rmtree(os.path.join(t.dir, "elsewhere"), ignore_errors=True)
        for f in t.files(d):
            t.true(f"limit {limit}: size", os.path.getsize(f) <= limit,
                   f"at most {limit}", os.path.getsize(f))
        if limit >= 70000:
            stored(t, f"limit {limit}", r.cpu, 0.5, d)


@case
def locked_memory(t):
    """mlockall makes real what is mapped, and counts it against a limit: no
    memory of ours is the program's, neither the 64 MiB of the file.  The
    stack's few pages differ from run to run."""
    bare = t.good([load("hostile"), "mlockall", BURN], mon=False)
    for i, opts in enumerate(("", "clock=wall", "mode=time+heap", "hz=1000")):
        r = t.good([load("hostile"), "mlockall", BURN], opts=opts,
                   profdir=f"p{i}")
        if not opts:
            stored(t, "mlockall", r.cpu, 0.98, "p0")
        for what, one, other in zip(("now", "future", "later"), locked(bare),
                                    locked(r), strict=True):
            t.near(f"{opts}: KiB locked, {what}", one, other, 128)


def locked(r):
    return [int(n) for n in re.findall(r"locked (\d+) KiB", r.text)]


@case
def failing_exec_and_exit(t):
    """Both reach for the file, unseen by a thread that opens files."""
    for i in range(5):
        t.both([load("hostile"), "exec", BURN], what=f"run {i}",
               profdir=f"p{i}")
        t.true("profile", t.profiles(f"p{i}"), "one", "none")


def tmpfs(t, name, options):
    if not ROOT:
        raise Skip("needs root to mount a small tmpfs")
    d = os.path.join(t.dir, name)
    os.mkdir(d)
    r = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", d],
                       capture_output=True, text=True)
    if r.returncode != 0:
        raise Skip(f"mount: {r.stderr.strip()}")
    return d


@case
def full_file_system(t):
    """Full from the start; full after the header; full in the middle."""
    for kib in (0, 8, 40, 72, 140):
        name = f"full{kib}"
        d = tmpfs(t, name, "size=300k")
        try:
            with open(os.path.join(d, "filler"), "wb") as f:
                f.write(b"x" * ((296 - kib) << 10))
            for program, args in (("hostile", ["chdir", BURN]),
                                  ("shares", ["-t", 8, 0.1])):
                r = t.run([load(program), *args], profdir=name)
                t.equal(f"{kib} KiB left: {program}: end", "exit 0", r.status)
                t.equal(f"{kib} KiB left: {program}: stderr", b"", r.err)
                shutil.rmtree(os.path.join(t.dir, "elsewhere"),
                              ignore_errors=True)
            files = [f for f in t.files(name) if not f.endswith("filler")]
            p = t.profiles(files=files)
            lost = sum(sum(x.loss.values()) for x in p)
            seen = sum(x.seconds for x in p)
            t.true(f"{kib} KiB left: time or its loss",
                   not p or lost > 0 or seen > 0.8, "either",
                   [x.describe() for x in p])
            with open(os.path.join(d, "filler"), "rb") as f:
                t.equal("filler", b"x", f.read()[-1:])
        finally:
            subprocess.run(["umount", "-l", d])


@case
def full_in_the_middle(t):
    """A run of many addresses, whose file grows until nothing is left."""
    d = tmpfs(t, "small", "size=200k")
    try:
        script = ("import re, json, random\n"
                  "random.seed(1)\n"
                  "for i in range(60):\n"
                  "    s = json.dumps([random.random() for _ in range(5000)])\n"
                  "    sorted(re.findall('[0-9]+', s))\n"
                  "print('done')\n")
        r = t.run([need("python3"), "-c", script], profdir="small",
                  opts="hz=10000")
        t.equal("end", "exit 0", r.status)
        t.equal("stdout", b"done\n", r.out)
        for p in t.profiles("small"):
            t.true("size", os.path.getsize(p.path) <= 64 << 20, "capped",
                   os.path.getsize(p.path))
    finally:
        subprocess.run(["umount", "-l", d])


@case
def size_option(t):
    """The cap is a cap; what does not fit is counted."""
    r = t.run([load("shares"), "-t", 8, 0.2], opts="size=128k,hz=10000")
    t.equal("end", "exit 0", r.status)
    p = t.profile("shares")
    t.true("size", os.path.getsize(p.path) <= 131072, "at most 131072",
           os.path.getsize(p.path))


@case
def notes(t):
    """msg=yes reports a file= that cannot be, and a single tick."""
    r = t.run([load("kinds"), "burn", BURN], profdir=None,
              opts="msg=yes,file=/nowhere/%p.x")
    t.equal("note", "libmon: /nowhere/%p.x: no profile could be written: "
            "no such directory\n", r.err.decode())
    r = t.run(["/bin/true"], profdir=None, opts="msg=yes,start=on")
    said = r.err.decode().split(": ")[-1].strip()
    t.true("ticks", said in ("0 ticks", "1 tick", "2 ticks"), "a number", said)


def directory(what, make, files, why):
    """PROFDIR that cannot be used: nothing is written, nobody is told who did
    not ask."""
    def run(t):
        d = os.path.join(t.dir, "place")
        make(d)
        user = "nobody" if ROOT else None
        r = t.run([load("kinds"), "burn", BURN], profdir=None,
                  env={"PROFDIR": d}, user=user, cwd="/")
        t.equal("end", "exit 0", r.status)
        t.equal("stderr", b"", r.err)
        r = t.run([load("kinds"), "burn", BURN], profdir=None, opts="msg=yes",
                  env={"PROFDIR": d}, user=user, cwd="/")
        t.equal("end", "exit 0", r.status)
        t.equal("note", f"libmon: {d}/: no profile could be written: {why}\n",
                r.err.decode())
        if os.path.isdir(d):
            t.equal("files", files, len(os.listdir(d)))
            os.chmod(d, 0o700)
    run.__name__ = what
    case(run)


directory("unwritable_directory", lambda d: os.mkdir(d, 0o555), 0,
          "not permitted")
directory("missing_directory", lambda d: None, 0, "no such directory")
directory("file_as_directory", lambda d: open(d, "w").close(), 0,
          "not a directory")
directory("dangling_link_as_directory",
          lambda d: os.symlink("/nonexistent/x", d), 0, "no such directory")


def ready(t, do, low, profdir="profs", opts=""):
    """Run `hostile ready`; when it is, do the worst to its live file."""
    p = t.start([load("hostile"), "ready", BURN], profdir=profdir, opts=opts)
    end = time.monotonic() + 10
    while os.fstat(p.out_file.fileno()).st_size < 6:
        if time.monotonic() > end:
            raise Failed("hostile ready: never ready")
        time.sleep(0.005)
    files = t.files(profdir)
    if len(files) != 1:
        raise Failed(f"live files: wanted one, got {files}")
    do(files[0])
    r = t.finish(p)
    unharmed(t, r, "ready")
    return r, files[0]


@case
def truncated_by_somebody(t):
    def truncate(path):
        with open(path, "w"):
            pass
    r, path = ready(t, truncate, 0)
    files = [f for f in t.files() if os.path.getsize(f) > 0]
    # The next file is not made at once: it is over by then, or nearly.
    profiles = stored(t, "truncated", r.cpu, 0, files=files)
    for loss in "STORE_TAKEN", "STORE_NONE":
        t.true("loss", any(loss in p.loss for p in profiles or ()), loss,
               [p.describe() for p in profiles or ()])


@case
def cut_in_half_by_somebody(t):
    def cut(path):
        os.truncate(path, 8192)
    r, path = ready(t, cut, 0)
    t.equal("still there", True, os.path.exists(path))


@case
def unlinked_by_somebody(t):
    r, path = ready(t, os.remove, 0)
    t.true("nothing came back in its place", True, "", "")


@case
def directory_that_vanishes(t):
    def vanish(path):
        shutil.rmtree(os.path.dirname(path))
    p = t.start([load("hostile"), "ready", BURN])
    time.sleep(0.35)
    shutil.rmtree(os.path.join(t.dir, "profs"))
    r = t.finish(p)
    unharmed(t, r, "ready")
    t.true("directory", not os.path.exists(os.path.join(t.dir, "profs")),
           "not made again", "there")


@case
def time_line_of_many_forks(t):
    """log=yes costs a program that forks much no more CPU time, and space only
    for what the time line holds: runs in pairs; each process leaves a file."""
    script = "i=0; while [ $i -lt 300 ]; do ( : ); i=$((i+1)); done"
    cpu, size = {}, {}
    for turn in range(10):
        for opts in "empty=yes", "empty=yes,log=yes":
            d = f"{opts}-{turn}"
            r = t.good(["/bin/sh", "-c", script], opts=opts, profdir=d)
            files = t.files(d)
            cpu[opts] = min(cpu.get(opts, r.cpu), r.cpu)
            size[opts] = sum(map(os.path.getsize, files))
            t.equal(f"{opts}: files", 301, len(files))
            shutil.rmtree(os.path.join(t.dir, d))
        without, log = cpu.values()
        if turn > 1 and log <= 1.1 * without:
            break
    t.between("CPU seconds with the time line", 0, log, 1.2 * without)
    without, log = size.values()
    t.between("bytes with the time line", 0, log, 1.1 * without)


@case
def on_fuse(t):
    """A network or FUSE directory gets the sealed file; the live one is
    local."""
    bindfs = need("bindfs")
    if not ROOT or not os.path.exists("/dev/fuse"):
        raise Skip("needs root and /dev/fuse")
    under, over = (os.path.join(t.dir, d) for d in ("under", "over"))
    os.mkdir(under)
    os.mkdir(over)
    subprocess.run([bindfs, under, over], check=True, env=CLEAN)
    try:
        r = t.run([load("kinds"), "burn", BURN], profdir="over")
        t.equal("end", "exit 0", r.status)
        stored(t, "fuse", r.cpu, 0.98, profdir="over")
        t.equal("left in /dev/shm", [],
                [f for f in os.listdir("/dev/shm")
                 if f.startswith("libmon-") and f"-{r.pid}." in f])
    finally:
        subprocess.run(["umount", over])


if __name__ == "__main__":
    main()
