#!/usr/bin/env python3
# Context: O.  Which name a profile gets, and whose file is replaced.
import os
import shutil
import time

from harness import ROOT, Skip, case, load, main, need, stored

BURN = 0.3


@case
def relative_directory_of_children(t):
    """From where the first process was started: make starts others below."""
    os.makedirs(os.path.join(t.dir, "profs"))
    os.makedirs(os.path.join(t.dir, "below"))
    script = f"cd below && {load('kinds')} burn {BURN} && echo $PROFDIR"
    for opts in ("", "exclude=sh:dash:bash"):
        r = t.run(["sh", "-c", script], profdir=None, opts=opts,
                  env={"PROFDIR": "./profs/"})
        t.equal(f"{opts}: end", "exit 0", r.status)
        t.equal(f"{opts}: handed on", f"{t.dir}/./profs",
                r.text.splitlines()[-1])
    t.equal("elsewhere", [], os.listdir(os.path.join(t.dir, "below")))
    burnt = [p for p in t.profiles() if "kinds" in p.name]
    t.equal("profiles", 2, len(burnt))


@case
def beside_the_first(t):
    """Without PROFDIR all of a run write where its first process started,
    whether that counted anything before it went elsewhere or not."""
    burn = f"{load('kinds')} burn {BURN}"
    for i, script in enumerate((f"(cd below && {burn})",
                                f"cd below && {burn} && {burn}",
                                f"cd below && sh -c 'cd / && {burn}'")):
        d = os.path.join(t.dir, f"run{i}")
        os.makedirs(os.path.join(d, "below"))
        r = t.run(["sh", "-c", script + "; true"], profdir=None, cwd=d)
        t.equal(f"{script}: end", "exit 0", r.status)
        t.equal(f"{script}: elsewhere", [],
                os.listdir(os.path.join(d, "below")))
        found = sorted(f for f in os.listdir(d) if f != "below")
        t.equal(f"{script}: the first's", "mon.out", found[0])
        all_of_it = t.profiles(files=[os.path.join(d, f) for f in found])
        t.equal(f"{script}: runs", 1,
                len({p.info["run_pid"] for p in all_of_it}))
        t.equal(f"{script}: profiles", script.count(burn), len(
            [p for p in all_of_it if p.info["exe"].endswith("kinds")]))


@case
def long_program_names(t):
    """The file has the whole name if that is possible, else what fits."""
    for n in 15, 127, 128, 200, 255:
        program = os.path.join(t.dir, "p" * n)
        shutil.copy(load("kinds"), program)
        r = t.good([program, "burn", 0.05], profdir=f"d{n}")
        os.unlink(program)
        name = f"{r.pid}.{'p' * n}"
        [found] = [os.path.basename(f) for f in t.files(f"d{n}")]
        t.true(f"{n}", found == name if n <= 200 else
               name.startswith(found) and len(found) > 210, name, found)
        t.equal(f"{n}: profiles", 1, len(t.profiles(f"d{n}")))


@case
def links_in_a_sticky_directory(t):
    """Planted by somebody else, pointing at what they want overwritten."""
    d = os.path.join(t.dir, "sticky")
    os.mkdir(d)
    os.chmod(d, 0o1777)
    victim = os.path.join(t.dir, "victim")
    for target in (victim, os.path.join(t.dir, "not-there")):
        with open(victim, "w") as f:
            f.write("precious")
        link = os.path.join(d, "prof.kinds")
        os.symlink(target, link)
        r = t.run([load("kinds"), "burn", BURN], profdir="sticky",
                  opts="file=prof.%n")
        t.equal("end", "exit 0", r.status)
        with open(victim) as f:
            t.equal("victim", "precious", f.read())
        t.equal("link", target, os.readlink(link))
        t.true("target of a dangling link", not os.path.exists(
            os.path.join(t.dir, "not-there")), "not made", "made")
        stored(t, "beside the link", r.cpu, 0.98,
               files=[f for f in t.files("sticky") if not os.path.islink(f)])
        for f in t.files("sticky"):
            os.remove(f)


@case
def mode_of_the_file(t):
    """0600 whatever the umask allows."""
    os.umask(0)
    try:
        t.good([load("kinds"), "burn", 0.1])
    finally:
        os.umask(0o022)
    t.equal("mode", 0o600, os.stat(t.files()[0]).st_mode & 0o7777)


@case
def foreign_mon_out(t):
    """Something else of that name is not ours to replace."""
    path = os.path.join(t.dir, "mon.out")
    for text in (b"precious", b"", b"\211mon\r\n\032\nbut not a profile"):
        with open(path, "wb") as f:
            f.write(text)
        r = t.run([load("kinds"), "burn", BURN], profdir=None)
        t.equal("end", "exit 0", r.status)
        with open(path, "rb") as f:
            t.equal("mon.out", text, f.read())
        files = [f for f in os.listdir(t.dir) if f.startswith("mon.out.")]
        if t.equal("files beside it", 1, len(files)):
            stored(t, "beside it", r.cpu, 0.98,
                   files=[os.path.join(t.dir, files[0])])
            os.remove(os.path.join(t.dir, files[0]))


@case
def old_mon_out(t):
    """One of ours is replaced when its writer is gone, killed ones too."""
    path = os.path.join(t.dir, "mon.out")
    for args, kill in ((["burn", BURN], False), (["burn", 30], True),
                       (["burn", BURN], False)):
        p = t.start([load("kinds"), *args], profdir=None)
        if kill:
            time.sleep(0.3)
            os.kill(p.pid, 9)
        t.finish(p)
        q = t.profiles(files=[path])[0]
        t.equal("writer", p.pid, q.pid)
        t.equal("files", ["mon.out"], [f for f in os.listdir(t.dir)
                                       if f.startswith("mon")])


@case
def live_mon_out(t):
    """One that a living process writes is not replaced."""
    first = t.start([load("kinds"), "burn", 2], profdir=None)
    time.sleep(0.4)
    r = t.run([load("kinds"), "burn", BURN], profdir=None)
    one = t.finish(first)
    path = os.path.join(t.dir, "mon.out")
    p = t.profiles(files=[path])
    t.equal("writer of mon.out", first.pid, p[0].pid)
    stored(t, "first", one.cpu, 0.98, files=[path])
    others = [os.path.join(t.dir, f) for f in os.listdir(t.dir)
              if f.startswith("mon.out.")]
    if t.equal("files beside it", 1, len(others)):
        stored(t, "second", r.cpu, 0.98, files=others)


@case
def one_pid_many_times(t):
    """pid namespaces: every program is the same pid, none is overwritten."""
    unshare = need("unshare")
    if not ROOT:
        raise Skip("needs root for a pid namespace")
    for i in range(4):
        r = t.run([load("kinds"), "burn", 0.1],
                  wrap=[unshare, "-p", "-f", "--kill-child"])
        t.equal("end", "exit 0", r.status)
    profiles = t.profiles()
    t.equal("files", 4, len(profiles))
    t.equal("pids", {1}, {p.pid for p in profiles})


if __name__ == "__main__":
    main()
