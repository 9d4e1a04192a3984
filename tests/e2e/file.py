#!/usr/bin/env python3
# Context: O.  Whatever happens to the place where the profile lies, the
# program is unharmed, nothing of others is overwritten, and the loss is
# named.
import collections
import os
import re
import shutil
import subprocess

from harness import CLEAN, ROOT, TOP, Skip, case, load, main, need, pick, stored
from unharmed import BURN, unharmed


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
                      first.seconds - before, 1.1 * BURN + 0.02)
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
def little_address_space(t):
    """The file is made before RLIMIT_AS leaves no room for it."""
    for before in (0, 0.1):
        d = f"space{before}"
        t.good([load("jailed"), "space", before, 0.2], profdir=d)
        t.near(f"{before}: time", 0.2 + before, t.profile(
            "jailed", profdir=d).seconds, 0.05)


@case
def groups_given_up(t):
    """A user who can create files by a group's rights alone gives them up
    before anything is counted."""
    if not ROOT:
        raise Skip("needs root")
    own, more = ["--regid=777", "--clear-groups"], ["--regid=65534",
                                                    "--groups=777"]
    for how, groups in (("setgid", own), ("raw_setresgid", own),
                        ("setgroups", more), ("raw_setgroups", more),
                        ("initgroups", more)):
        d = os.path.join(t.dir, how)
        os.mkdir(d)
        os.chown(d, 0, 777)
        os.chmod(d, 0o770)
        os.chmod(t.dir, 0o755)
        t.good([load("jailed"), how, 0, 0.1], profdir=how, wrap=[
            need("setpriv"), "--reuid=65533", *groups,
            "--inh-caps=+setgid", "--ambient-caps=+setgid"])
        t.equal(f"{how}: files", 1, len(t.files(how)))
        t.true(f"{how}: time", sum(float(x["seconds"]) for x in
                                   t.rows(*t.files(how))) > 0.05, "counted",
               t.rows(*t.files(how)))


@case
def numbers_of_the_stubs(t):
    """Each system call that hook_syscall() handles leads there from the stub of
    each processor: from the first call by number on, the stubs alone decide."""
    def read(name):
        with open(os.path.join(TOP, "preload", "process", name)) as f:
            return f.read()
    handled = set(re.findall(r"case (SYS_\w+):", read("hook_syscall.c")))
    t.true("found", len(handled) > 20, "over 20", handled)
    for cpu in ("x86_64", "aarch64"):
        listed = set(re.findall(r"cmp\w*\t.*[$#](SYS_\w+)",
                                read(f"vfork_{cpu}.S")))
        # aarch64 has no fork(2).
        t.equal(cpu, set(), handled - listed - {"SYS_fork"})


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
    # A child whose first tick comes before its mount has made a file.
    for run in range(20):
        where = f"run{run}"
        t.good([load("jailed"), "clone", 0, 0], cwd=t.dir, profdir=where)
        profiles = t.profiles(where)
        without = sum(p.loss.get("CHILD_FILE", 0) for p in profiles)
        t.equal("both are known", 2, len(profiles) + without)
        if without != 0:
            break
    t.equal("children without one", 1, without)
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
def failing_exec_and_exit(t):
    """Both reach for the file, unseen by a thread that opens files."""
    for i in range(5):
        t.both([load("hostile"), "exec", BURN], what=f"run {i}",
               profdir=f"p{i}")
        t.true("profile", t.profiles(f"p{i}"), "one", "none")


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
    """PROFDIR that cannot be used: nothing is written.  A user who did not ask
    for messages is told so if it is no directory at all."""
    def run(t):
        d = os.path.join(t.dir, "place")
        make(d)
        user = "nobody" if ROOT else None
        r = t.run([load("kinds"), "burn", BURN], profdir=None,
                  env={"PROFDIR": d}, user=user, cwd="/")
        t.equal("end", "exit 0", r.status)
        t.equal("stderr", "" if os.path.isdir(d) else
                f"libmon: {d}: is no directory, so no profile can be written "
                "there\n", r.err.decode())
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


def with_and_without_log(t, base):
    """Run a program that forks much, in pairs.  Returns what the two kinds of
    runs cost: CPU seconds, and the numbers of files and bytes of all runs."""
    script = "i=0; while [ $i -lt 300 ]; do ( : ); i=$((i+1)); done"
    cpu, files, size = {}, collections.Counter(), collections.Counter()
    for turn in range(10):
        for opts in base, base + ",log=yes":
            d = f"{opts}-{turn}"
            r = t.good(["/bin/sh", "-c", script], opts=opts, profdir=d)
            found = t.files(d)
            cpu[opts] = min(cpu.get(opts, r.cpu), r.cpu)
            files[opts] += len(found)
            size[opts] += sum(map(os.path.getsize, found))
            shutil.rmtree(os.path.join(t.dir, d))
        without, log = cpu.values()
        if turn > 1 and log <= 1.1 * without:
            break
    t.between(f"{base}: CPU seconds with the time line", 0, log, 1.2 * without)
    return files.values(), size.values(), turn + 1


@case
def time_line_of_many_forks(t):
    """log=yes costs a program that forks much no more CPU time, and files and
    space only for what the time line holds."""
    files, size, turns = with_and_without_log(t, "empty=yes")
    t.equal("files", [301 * turns] * 2, list(files))
    without, log = size
    t.between("bytes with the time line", 0, log, 1.1 * without)
    # Few of the children meet a tick; the depth matters nothing here.
    (without, log), _, turns = with_and_without_log(t, "depth=200")
    t.between("files with the time line", 0, log, 2 * without + 10 * turns)


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
