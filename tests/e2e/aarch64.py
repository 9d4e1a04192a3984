#!/usr/bin/env python3
# Context: O.  The aarch64 build, run: under qemu's user mode here, and on a
# kernel of its own where one is given.  scripts/check starts it.
#
#   MON_BUILD        a build --host=aarch64-linux-gnu, with its workloads
#   PROF             a prof that runs here; the file is the same
#   MON_ARM64_LINUX  a kernel image for qemu-system-aarch64: Debian's
#                    linux-image-cloud-arm64 has one in boot/
import base64
import os
import re
import subprocess

from harness import (LIB, LOAD, Failed, Skip, case, load, main, need,
                     told_calls)

ROOT = "/usr/aarch64-linux-gnu"
HERE = os.path.dirname(os.path.abspath(__file__))
INIT = os.path.join(os.path.dirname(HERE), "load", "vm_init.c")
LIBRARIES = ("ld-linux-aarch64.so.1", "libc.so.6", "libgcc_s.so.1")
KERNEL = os.environ.get("MON_ARM64_LINUX")


def user_mode(t, *argv):
    """Bare and with us.  qemu tells no timer's number to its program, so only
    the process tier is to be had; the rest of the library is as ever."""
    qemu = need("qemu-aarch64")
    if not os.path.isdir(ROOT):
        raise Skip(f"no {ROOT}")
    runs = []
    for mon in ((), ("-E", f"LD_PRELOAD={LIB}", "-E",
                     f"PROFDIR={t.dir}/profs", "-E", "PROFOPTS=tier=process")):
        os.makedirs(os.path.join(t.dir, "profs"), exist_ok=True)
        runs.append(t.run([qemu, "-L", ROOT, *mon, load(argv[0]),
                           *argv[1:]], mon=False))
    # A child of ours is this machine's: its loader says that it cannot.
    noise = rb"ERROR: ld.so: object '[^']*' from LD_PRELOAD cannot be .*\n"
    t.equal("end", runs[0].status, runs[1].status)
    t.equal("stderr", runs[0].err, re.sub(noise, b"", runs[1].err))
    return runs


@case
def shares(t):
    """Start, tick, file, modules, names, seal."""
    told = user_mode(t, "shares", "-q", "-t", "4", "0.5")[1].numbers()
    rows = {r["function"]: float(r["seconds"]) for r in t.rows(*t.files())}
    p = t.profile("shares")
    t.equal("machine", "183", p.info["machine"])
    # A sweep that meets a thread at its birth makes a record of it, too.
    t.equal("threads", 5, len({x["tid"] for x in p.threads()}))
    total = sum(told.values())
    for name, seconds in told.items():
        share = seconds / total
        slack = 4 * (share * (1 - share) / p.samples) ** 0.5 + 0.02
        t.near(f"share of {name}", share, rows[name] / total, slack)


@case
def kernel_time(t):
    """A pc behind `svc`: the call's own."""
    told = user_mode(t, "kinds", "syscalls", "1")[1].numbers()
    rows = {r["function"]: float(r["seconds"]) for r in t.rows(*t.files())}
    t.near("seconds in pread", told["syscalls"], rows["pread"], 0.15)


@case
def calls(t):
    """Not of a fork child: qemu does not wipe its memory."""
    cc = need("aarch64-linux-gnu-gcc")
    for n, flags in enumerate((["-pg"], ["-finstrument-functions"])):
        exe = t.build("calls.c", f"calls{n}", "-pthread", "-Wno-psabi",
                      *flags, cc=[cc])
        for kind in ("plain", "threads", "signals"):
            bare, mon = user_mode(t, exe, kind, 200)
            wanted = told_calls(mon)
            t.equal(f"{flags} {kind}", wanted, t.calls(wanted))
            for f in t.files():
                os.unlink(f)


@case
def heap(t):
    """Allocations, all and some, by the names and the stubs of this
    processor.  qemu would split PROFOPTS at its commas, so it inherits it."""
    qemu = need("qemu-aarch64")
    if not os.path.isdir(ROOT):
        raise Skip(f"no {ROOT}")
    for n, opts in enumerate(("heap=malloc", "heap=1k")):
        profs = os.path.join(t.dir, f"profs{n}")
        os.makedirs(profs)
        r = t.run([qemu, "-L", ROOT, "-E", f"LD_PRELOAD={LIB}",
                   load("heaps"), "temporary", 3000, 2], mon=False,
                  env={"PROFDIR": profs,
                       "PROFOPTS": f"tier=process,mode=heap,{opts}"})
        t.equal(f"{opts}: end", "exit 0", r.status)
        said = {k: int(v) for k, v in map(str.split, r.text.splitlines())}
        p, = t.profiles(files=t.files(profs))
        seen = {k: int(p.info["heap." + k]) for k in said}
        error = 5 / int(p.info["heap.samples"]) ** 0.5 if n else 0
        for key in ("total_bytes", "total_blocks", "temporary_blocks"):
            # The C library asks for two blocks of its own.
            t.near(f"{opts}: {key}", said[key], seen[key],
                   2 * error * said[key] + (1200 if "bytes" in key else 2))
        t.between(f"{opts}: live", 0, seen["live_blocks"], 2 if not n else 50)


@case
def mappings(t):
    qemu = need("qemu-aarch64")
    if not os.path.isdir(ROOT):
        raise Skip(f"no {ROOT}")
    profs = os.path.join(t.dir, "profs")
    os.makedirs(profs)
    r = t.run([qemu, "-L", ROOT, "-E", f"LD_PRELOAD={LIB}", load("mappings"),
               2000, 2], mon=False, env={
                   "PROFDIR": profs,
                   "PROFOPTS": "tier=process,mode=heap,heap=mmap"})
    t.equal("end", "exit 0", r.status)
    p, = t.profiles(files=t.files(profs))
    for line in r.text.splitlines():
        key, said = line.split()
        if key != "peak_bytes":         # of two threads there is none
            t.equal(key, said, p.info["maps." + key])


def same_in_user_mode(name, *argv):
    def run(t):
        bare, mon = user_mode(t, *argv)
        t.equal("stdout", bare.out, mon.out)
        t.true("profiles", t.profiles(), "some", t.files())
    run.__name__ = f"user_mode_{name}"
    case(run)


same_in_user_mode("start", "early", 0.2)
same_in_user_mode("vfork", "storm_process", "vfork", 8)
same_in_user_mode("spawn", "storm_process", "spawn", 40)
same_in_user_mode("shell", "storm_process", "shell", 1)
same_in_user_mode("cancel", "storm_threads", "cancel", 1)
same_in_user_mode("backtraces", "storm_threads", "backtraces", 1)
same_in_user_mode("fibres", "storm_stack", "fibres", 1)
same_in_user_mode("jumps", "storm_stack", "jumps", 1)


def archive(entries):
    """The initial file system, as cpio's `newc`."""
    out, made = b"", set()

    def add(name, mode, data=b""):
        nonlocal out
        fields = [len(made) + 1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0,
                  len(name) + 1, 0]
        made.add(name)
        out += b"070701" + b"".join(b"%08x" % f for f in fields)
        out += name.encode() + b"\0"
        out += b"\0" * (-len(out) % 4) + data
        out += b"\0" * (-len(out) % 4)

    for path, data, mode in entries:
        parts = path.strip("/").split("/")
        for i in range(1, len(parts)):
            if "/".join(parts[:i]) not in made:
                add("/".join(parts[:i]), 0o40755)
        add("/".join(parts), 0o100000 | mode, data)
    add("TRAILER!!!", 0)
    return out


def image(t, lines):
    init = os.path.join(t.dir, "init")
    r = subprocess.run([need("aarch64-linux-gnu-gcc"), "-O2", "-static", "-o",
                        init, INIT], capture_output=True, text=True)
    if r.returncode != 0:
        raise Failed(r.stderr)
    entries = [("init", init), ("lib/libmon.so", LIB)]
    entries += [(f"lib/{lib}", f"{ROOT}/lib/{lib}") for lib in LIBRARIES]
    entries += [(p, p) for p in sorted({line.split()[1] for line in lines})]
    path = os.path.join(t.dir, "initrd")
    with open(path, "wb") as f:
        f.write(archive([(name, open(p, "rb").read(), 0o755)
                         for name, p in entries] +
                        [("tests", "".join(f"{x}\n" for x in lines).encode(),
                          0o644)]))
    return path


def boot(t, lines):
    """Every line's ends and outputs, bare and under libmon; the profiles are
    in vN.  A clock that follows the instructions (-icount) makes the machine
    the same however busy this one is."""
    qemu = need("qemu-system-aarch64")
    if not KERNEL:
        raise Skip("MON_ARM64_LINUX names no kernel")
    r = t.run([qemu, "-M", "virt", "-cpu", "cortex-a72", "-smp", 2, "-m", 1024,
               "-icount", "shift=3,sleep=off", "-nographic", "-no-reboot",
               "-net", "none", "-kernel", KERNEL, "-initrd", image(t, lines),
               "-append", "console=ttyAMA0 quiet panic=-1"], mon=False,
              timeout=1200)
    said = re.findall(r"^@ (\d+) (bare|mon|file) (\S+) (\d+) (\S*)\r?$", r.text,
                      re.M)
    if "@ end" not in r.text:
        raise Failed(f"the machine did not come to its end: {r.text[-2000:]}")
    for i in range(len(lines)):
        os.makedirs(os.path.join(t.dir, f"v{i}"))
    runs = [{} for _ in lines]
    for n, kind, what, size, data in said:
        data = base64.b64decode(data)
        if kind != "file":
            runs[int(n)][kind] = (int(what), data.decode(errors="replace"))
            continue
        with open(os.path.join(t.dir, f"v{n}", what), "wb") as f:
            f.write(data)
            f.truncate(int(size))
    return runs


def numbers(text):
    return {k: float(v) for k, v in
            re.findall(r"^(\S+) ([0-9.]+)$", text, re.M)}


# Programs that print the same, bare and under libmon.
SAME = ["hz=4000 same", "hz=1000 alone 1"] + [
    f"{opts} sigprof {use}" for use in (
        "itimer", "timer", "kill", "sigwait", "signalfd", "pending", "ignore",
        "default", "threads", "restore", "async", "interrupt")
    for opts in ("hz=4000",)] + [
    f"hz=10000 storm_{x}" for x in (
        "process fork 1", "process vfork 20", "process spawn 16",
        "process chain 10", "threads cancel 1", "threads backtraces 1",
        "threads busy 20000", "stack fibres 1", "stack altstack 1",
        "stack nested 1", "stack jumps 1")] + [
    f"hz=1000 confined {x} 0.1 0.2" for x in ("prctl", "seccomp", "strict")]
LIVES = ("exit 0.2 7", "_exit 0.2 7", "abort 0.2", "exec 0.2",
         "thread_exec 0.2", "pthread_exit 0.2", "raw_thread 0.2", "fork 0.2",
         "raw_fork 0.2", "vfork 0.2", "spawn 0.2", "session 0.2")


def expand(lines):
    return [" ".join([o, os.path.join(LOAD, program), *args]) for
            o, program, *args in (line.split() for line in lines)]


@case
def machine_same(t):
    for line, run in zip(SAME, boot(t, expand(SAME))):
        t.equal(f"{line}: end", run["bare"][0], run["mon"][0])
        t.equal(f"{line}: output", run["bare"][1], run["mon"][1])


@case
def machine_eintr(t):
    lines = [f"{o} eintr 2" for o in ("hz=4000", "tier=timer", "clock=wall")]
    for line, run in zip(lines, boot(t, expand(lines))):
        t.equal(f"{line}: bare end", 0, run["bare"][0])
        t.equal(f"{line}: end", 0, run["mon"][0])
        for x in run["mon"][1].splitlines():
            t.true(line, " EINTR 0 wrong 0" in x, "no EINTR", x)


@case
def machine_lives(t):
    """Each process's profiles against what it said."""
    lines = [f"hz=1000 life {x}" for x in LIVES]
    for i, (line, run) in enumerate(zip(lines, boot(t, expand(lines)))):
        t.equal(f"{line}: end", run["bare"][0], run["mon"][0])
        told = numbers(run["mon"][1])
        found = t.profiles(f"v{i}")
        t.true(f"{line}: processes", told, "some", run["mon"][1])
        for pid, cpu in told.items():
            mine = [p for p in found if str(p.pid) == pid]
            t.near(f"{line}: seconds of {pid}", cpu,
                   sum(p.seconds for p in mine), 0.02 * cpu + 0.012 +
                   0.008 * sum(p.members for p in mine))


@case
def machine_truth(t):
    """Shares, names, sums and kernel time by both clocks."""
    lines = ["hz=1000 shares -q -t 4 0.5", "tier=timer kinds syscalls 2",
             "hz=1000 kinds burn 1"]
    runs = boot(t, expand(lines))
    profiles = [t.profiles(f"v{i}")[0] for i in range(len(lines))]
    rows = [{r["function"]: float(r["seconds"]) for r in t.rows(p.path)}
            for p in profiles]
    told = numbers(runs[0]["mon"][1])
    total = sum(rows[0][n] for n in told)
    for name, seconds in told.items():
        share = seconds / sum(told.values())
        t.near(f"share of {name}", share, rows[0][name] / total, 4 * (
            share * (1 - share) / profiles[0].samples) ** 0.5 + 0.01)
    told = numbers(runs[1]["mon"][1])
    t.equal("coarse clock", "thread-cpu", profiles[1].info["coarse"])
    t.near("seconds", told["cpu"], profiles[1].sampled, 0.02 * told["cpu"])
    # That libc is not on this machine: its functions have no names.
    calls = sum(float(r["seconds"]) for r in t.rows(profiles[1].path)
                if r["module"] == "libc.so.6")
    t.near("seconds in calls", told["syscalls"], calls,
           0.1 * told["syscalls"])
    told = numbers(runs[2]["mon"][1])
    t.true("fine clock", "on" in profiles[2].info["fine"], "on",
           profiles[2].describe())
    t.near("seconds by the fine clock", told["cpu"], profiles[2].sampled,
           0.06 * told["cpu"])


if __name__ == "__main__":
    main()
