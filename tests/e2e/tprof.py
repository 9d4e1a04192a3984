#!/usr/bin/env python3
# Context: O.  tprof by the kernel: what it takes of known loads, what it
# says of losses, whatever ends whom.
import collections
import os
import re
import resource
import signal
import subprocess
import time

from harness import CLEAN, ROOT, Skip, case, main, pick
from recording import (
    PERL, TPROF, burn, can, out, statistics, tprof, wait_for_work)
import tprofout


@case
def what_was_taken_is_there(t):
    """Statistics, the file, and the clock of the command agree."""
    can(t)
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock", "--tree",
              *burn(2))
    t.equal("status", 0, r.returncode)
    o = out(t)
    said = statistics(r.stderr)
    t.equal("samples", said["sample"], len(o.samples))
    t.equal("statistics in the file", o.stats,
            {k: said[k] for k in tprofout.STATS})
    t.equal("nothing lost", (0, 0), (said["overflow"],
                                     said["dropbuf_samples"]))
    t.true("ended", o.ended, "an end", "none")
    t.near("CPU seconds", 2.0, sum(s.weight for s in o.samples) / 1e9, 0.3)
    t.true("CPUs", {s.cpu for s in o.samples} <= set(range(os.cpu_count())),
           "those there are", {s.cpu for s in o.samples})
    times = [s.time for s in o.samples]
    t.true("in order of time", times == sorted(times), "ascending", "not")
    where = collections.Counter(o.module(s) for s in o.samples)
    t.true("where", "python" in where.most_common(1)[0][0], "python", where)


@case
def first_and_last_lines(t):
    """They say the scope and the other one, and what to type next."""
    can(t)
    every = tprof(t, "monitor", "-o", "x.out", "true")
    tree = tprof(t, "monitor", "--tree", "-b", "kernel", "true")
    ours = tprof(t, "monitor", "-b", "preload", "true")
    pipe = subprocess.run([TPROF, "-c", "true"], env=CLEAN, cwd=t.dir,
                          capture_output=True)
    for r, first, last in (
            (tree, "this command and what it starts; without --tree: the "
             "whole machine", "tprof.out is written; read it with: prof "
             "tprof.out"),
            (ours, "this command and what it starts; without --tree: the "
             "whole machine", "tprof.out is written; read it with: prof "
             "tprof.out"),
            (every, "whole machine; --tree: this command alone",
             "x.out is written; read it with: prof x.out")):
        lines = r.stderr.splitlines()
        if not ROOT:
            first = lines[0][7:]
        t.equal("first", "tprof: " + first, lines[0])
        t.equal("last", "tprof: " + last, lines[-1])
        t.true("the sum stands before the statistics", re.search(
            r"^tprof: \d+ samples?, none lost\ntprof statistics:$", r.stderr,
            re.M), "so", r.stderr)
    t.equal("to a pipe", b"tprof: samples are on standard output; tpfmt "
            b"reads them", pipe.stderr.splitlines()[-1])


@case
def status_is_the_commands(t):
    can(t)
    for argv, wanted in ((["true"], 0), (["sh", "-c", "exit 7"], 7),
                         (["sh", "-c", "kill -9 $$"], 137),
                         (["sh", "-c", "kill $$"], 143),
                         (["/nonexistent"], 127), (["/etc/passwd"], 126)):
        for how in (["monitor", "-b", "kernel"], ["count", "-e", "cs"]):
            r = tprof(t, *how, *argv)
            t.equal(f"{how[0]} {argv}", wanted, r.returncode)
    t.true("statistics whatever ended it", "dropbuf_samples" in
           tprof(t, "monitor", "-b", "kernel", "sh", "-c",
                 "kill -9 $$").stderr, "there", "not")


@case
def errors_name_what_to_do(t):
    can(t)
    with open(os.path.join(t.dir, "mine"), "w") as f:
        f.write("not samples\n")
    for argv, status, words in (
            (["monitor", "-e", "nosuch", "true"], 2,
             "nosuch: there is no such event; tprof list shows"),
            (["monitor", "-e", "cpu-clock,=0", "true"], 2,
             "the part behind the comma is no number"),
            (["monitor", "--hz", "0", "true"], 2, "0: is not a rate"),
            (["monitor", "-b", "x", "true"], 2, "x: is not a backend"),
            (["monitor", "-o", "mine", "true"], 1,
             "mine: exists, and is not a tprof.out: it is not replaced"),
            (["monitor", "-o", "/nonexistent/x", "true"], 1,
             "/nonexistent/x: cannot be written"),
            (["monitor"], 2, "no command is named"),
            (["analyse", "mine"], 127, "tprof: analyse: is not found; name "
             "a program, or a command that "
             "tprof --help lists"),
            (["monitor", "--nosuch", "true"], 2,
             "tprof monitor: unknown option --nosuch; tprof monitor --help "
             "lists them"),
            (["monitor", "--seconds=", "true"], 2, "tprof monitor: option "
             "--seconds= has an empty value: use --seconds=SECS"),
            (["monitor", "-co", "x", "true"], 2, "tprof monitor: -c and -o "
             "name two places for the samples: use one"),
            (["monitor", "--tree", "-p", "1"], 2, "tprof monitor: --tree is "
             "of a command, and -p samples no other processes"),
            (["monitor", "-b", "preload", "-p", "1"], 2, "tprof monitor: "
             "libmon.so cannot be loaded into a process that runs already"),
            (["monitor", "-b", "preload", "--stacks=off", "true"], 2,
             "tprof monitor: libmon.so finds callers by itself: use no"),
            (["monitor", "-i", "1", "true"], 2,
             "tprof monitor: unknown option -i"),
            (["analyze", "-X"], 2, "tprof analyze: unknown option -X; tprof "
             "analyze --help lists them"),
            (["analyze", "a", "b"], 2, "tprof analyze: b: one file at a time"),
            (["list", "x"], 2, "tprof list: it takes no argument"),
            (["count", "true"], 2, "tprof count: no event is named: use -e "
             "EVENT"),
            (["count", "--hz=9", "-e", "cs", "true"], 2,
             "tprof count: unknown option --hz=9"),
            (["count", "-e", "cs", "-i", "x", "true"], 2, "x: is not an "
                "interval"),
            ([], 2, "usage:")):
        r = tprof(t, *argv)
        t.equal(f"{argv}: status", status, r.returncode)
        t.true(f"{argv}", words in r.stderr, words, r.stderr)
        t.equal(f"{argv}: one line", argv != [], r.stderr.count("\n") == 1)
        t.true(f"{argv}: nothing began", "statistics" not in r.stderr,
               "no statistics", r.stderr)
    with open(os.path.join(t.dir, "mine")) as f:
        t.equal("is as it was", "not samples\n", f.read())


@case
def few_descriptors_are_said(t):
    can(t)
    r = tprof(t, "monitor", "-b", "kernel", "true", preexec_fn=lambda:
              resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8)))
    t.equal("status", 1, r.returncode)
    t.equal("what, why, what to do", "tprof: what processes do: cannot be "
            "counted of all processes: Too many open files; raise the limit "
            "of open files\n", r.stderr)


@case
def an_older_file_is_kept(t):
    can(t)
    for n in range(2):
        tprof(t, "-o", "x.out", "sh", "-c", f"exit {n}")
    t.equal("the old one", "sh -c exit 0",
            out(t, "x.out.old").head["command"])
    t.equal("the new one", "sh -c exit 1", out(t, "x.out").head["command"])
    tprof(t, "-o", "x.out", "nosuchprogram")
    t.equal("what cannot be run makes none", "sh -c exit 1",
            out(t, "x.out").head["command"])


@case
def to_standard_output(t):
    """A reader that is slow gets all; one that goes is an error."""
    can(t)
    p = subprocess.Popen([TPROF, "-c", *burn(2)], env=CLEAN, cwd=t.dir,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2.5)
    data, err = p.communicate(timeout=60)
    t.equal("status", 0, p.returncode)
    o = tprofout.Out(data)
    t.equal("samples", statistics(err.decode())["sample"], len(o.samples))
    t.true("ended", o.ended, "an end", "none")
    p = subprocess.Popen([TPROF, "-c", "sleep", "0.5"], env=CLEAN, cwd=t.dir,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdout.close()
    err = p.stderr.read().decode()
    t.equal("status without a reader", 1, p.wait(60))
    t.true("it is said", "standard output: cannot be written" in err,
           "cannot be written", err)


@case
def output_of_the_command(t):
    """The output of a command is never among its samples if these go to
    standard output."""
    # The file contains the command, so its output is spelled differently.
    script = ("echo be''fore; i=0; while [ $i -lt 50000 ]; do i=$((i+1)); "
              "done; head -c 70000 /dev/zero | tr '\\0' x; echo af''ter")
    ways = [["-c", "-b", "preload"], ["-o", "-", "-b", "preload"]]
    try:
        can(t)
        ways += [["-c"], ["-o", "-"]]
    except Skip:
        pass            # the kernel forbids sampling
    for way in ways:
        argv = [TPROF, "monitor", *way, "sh", "-c", script]
        r = subprocess.run(argv, env=CLEAN, cwd=t.dir, capture_output=True,
                           timeout=60)
        what = " ".join(way)
        t.equal(f"{what}: status", 0, r.returncode)
        o = tprofout.Out(r.stdout)
        t.true(f"{what}: whole", o.ended, "an end", "none")
        t.equal(f"{what}: samples", statistics(r.stderr.decode())["sample"],
                len(o.samples))
        for text in (b"before\n", b"x" * 70000, b"after\n"):
            t.true(f"{what}: {text[:6]}", text in r.stderr, "on standard "
                   "error", r.stderr[:200])
            t.true(f"{what}: {text[:6]}", text not in r.stdout, "elsewhere",
                   "among samples")
    # With a file for the samples its output stays where it was.
    r = subprocess.run([TPROF, "-b", "preload", "sh", "-c", "echo out"],
                       env=CLEAN, cwd=t.dir, capture_output=True, timeout=60)
    t.equal("output", b"out\n", r.stdout)
    # If standard error is closed, no other file becomes standard output.
    r = subprocess.run(["sh", "-c", f"exec {TPROF} -c -b preload sh -c "
                        "'echo out' 2>&-"], env=CLEAN, cwd=t.dir,
                       stdout=subprocess.PIPE, timeout=60)
    t.true("closed", b"out\n" not in r.stdout, "nowhere", r.stdout)


@case
def signals_to_tprof(t):
    can(t)
    for sig, ends in ((signal.SIGINT, False), (signal.SIGQUIT, False),
                      (signal.SIGTERM, True), (signal.SIGHUP, True)):
        p = subprocess.Popen([TPROF, "monitor", "-b", "kernel", "sh", "-c",
                              "exec sleep 10" if ends else
                              "sleep 1; exit 5"], env=CLEAN, cwd=t.dir,
                             stderr=subprocess.PIPE, text=True)
        wait_for_work(p, 0)
        time.sleep(0.4)
        p.send_signal(sig)
        err = p.communicate(timeout=30)[1]
        t.equal(f"{sig.name}: status", 128 + sig if ends else 5, p.returncode)
        t.true(f"{sig.name}: statistics", "dropbuf_samples" in err, "there",
               err)
    p = subprocess.Popen([TPROF, "monitor", "-b", "kernel", *burn(1.5)],
                         env=CLEAN, cwd=t.dir, stderr=subprocess.DEVNULL)
    wait_for_work(p, 0.8)
    p.kill()
    p.wait()
    o = out(t)
    t.figure("SIGKILL: what was there is in the file", len(o.samples) > 300,
             "over 300 samples", len(o.samples))
    t.true("SIGKILL: it has no end", not o.ended, "none", "one")
    time.sleep(1)


@case
def what_is_lost_is_counted(t):
    """A tprof that is stopped while a ring runs over."""
    can(t)
    p = subprocess.Popen([TPROF, "monitor", "-b", "kernel", "-e", "cpu-clock",
                          "--tree", "--hz", "20000", *burn(4)], env=CLEAN,
                         cwd=t.dir, stderr=subprocess.PIPE, text=True)
    wait_for_work(p)
    p.send_signal(signal.SIGSTOP)
    time.sleep(2.5)
    p.send_signal(signal.SIGCONT)
    said = statistics(p.communicate(timeout=60)[1])
    o = out(t)
    t.figure("overflow", said["overflow"] > 100, "over 100", said)
    t.equal("what is there", said["sample"], len(o.samples))
    # Not all that the clock wanted to take it could, on a slow machine.
    each = sum(s.weight for s in o.samples) / len(o.samples)
    t.between("samples and losses, CPU seconds", 2.5,
              (said["sample"] + said["overflow"]) * each / 1e9, 4.4)


@case
def a_full_disk_is_said(t):
    can(t)
    if not ROOT:
        raise Skip("only root can mount a small file system")
    at = os.path.join(t.dir, "small")
    os.mkdir(at)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs",
                       at]).returncode != 0:
        raise Skip("nothing can be mounted here")
    try:
        r = tprof(t, "-o", os.path.join(at, "out"), *burn(1))
        t.equal("status", 1, r.returncode)
        t.true("it is said, once", r.stderr.count("cannot be written") == 1,
               "one line", r.stderr)
        t.figure("what there is can be read",
                 len(tprofout.read(os.path.join(at, "out")).samples) > 10,
                 "samples", "none")
    finally:
        subprocess.run(["umount", at])


@case
def what_a_command_inherits(t):
    """Its signals, and what was closed for it, are as without us."""
    can(t)
    prog = ("import os,signal,sys\n"
            "print([s for s in range(1, 32) if s not in (9, 19) and "
            "signal.getsignal(s) == signal.SIG_IGN], "
            "signal.pthread_sigmask(signal.SIG_BLOCK, []), "
            "sorted(os.listdir('/proc/self/fd')), file=open('x', 'w'))\n")
    argv = ["/usr/bin/env", "python3", "-c", prog]

    def seen(before):
        subprocess.run(before + argv, cwd=t.dir, env=CLEAN, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(os.path.join(t.dir, "x")) as f:
            return f.read()

    bare = seen([])
    for backend in ("kernel", "preload"):
        t.equal(backend, bare, seen([TPROF, "monitor", "-b", backend]))
    for shut in (">&-", "2>&-", "<&- >&- 2>&-"):
        shell = f'exec "$@" {shut}'
        r = subprocess.run(["sh", "-c", shell, "sh", TPROF, "-o", "shut.out",
                            "sh", "-c", "exit 3"], cwd=t.dir, env=CLEAN)
        t.equal(f"{shut}: status", 3, r.returncode)
        with open(os.path.join(t.dir, "shut.out"), "rb") as f:
            t.true(f"{shut}: no message is in the file",
                   b"statistics" not in f.read(), "none", "one")


@case
def a_limit_of_file_size_is_said(t):
    can(t)
    r = tprof(t, "-o", "small.out", "sh", "-c", "exit 0", preexec_fn=lambda:
              resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    t.equal("status", 1, r.returncode)
    t.true("it is said", "small.out: cannot be written" in r.stderr,
           "cannot be written", r.stderr)


@case
def not_root(t):
    """The command and what it starts, in user mode at least."""
    if not ROOT:
        raise Skip("only root can become another")
    os.chmod(t.dir, 0o777)
    can(t, "--tree")
    r = tprof(t, "monitor", "-b", "kernel", "-o", "nobody.out",
              *PERL, user=65534)
    if r.returncode != 0 and "cannot be counted" in r.stderr:
        raise Skip("perf_event_paranoid is above 2")
    t.equal("status", 0, r.returncode)
    t.true("whose", "the command and what it started" in r.stderr,
           "the command", r.stderr)
    o = out(t, "nobody.out")
    t.near("CPU seconds", 0.5, sum(s.weight for s in o.samples) / 1e9, 0.2)
    r = tprof(t, "monitor", "-b", "kernel", "-e", "cpu-clock:k", "true",
              user=65534)
    t.equal("the kernel: status", 1, r.returncode)
    t.true("the kernel: said", "kernel.perf_event_paranoid" in r.stderr,
           "a remedy", r.stderr)


@case
def storm(t):
    """Processes and threads by thousands: all that was taken is somebody's."""
    can(t)
    n = pick(400, 6000)
    prog = (f"import os,threading\n"
            f"for i in range({n}):\n"
            f" if os.fork() == 0:\n"
            f"  if i % 2: os.execv('/bin/true', ['true'])\n"
            f"  os._exit(0)\n"
            f" t=threading.Thread(target=sum, args=(range(999),)); t.start()\n"
            f" os.wait()\n")
    r = tprof(t, "monitor", "-b", "kernel", "--tree", "--hz", "5000",
              *burn(0)[:2], prog)
    t.equal("status", 0, r.returncode)
    o = out(t)
    said = statistics(r.stderr)
    t.equal("samples", said["sample"], len(o.samples))
    t.equal("lost", (0, 0), (said["overflow"], said["dropbuf_samples"]))
    user = [s for s in o.samples if not s.kernel]
    lost = [s for s in user if not o.module(s)]
    t.figure("user samples in no file", len(lost) <= len(user) / 50,
             f"at most {len(user) // 50}", f"{len(lost)}, as of "
             f"{o.processes.get(lost[0].pid) if lost else ''}")
    t.true("all have a process", {s.pid for s in o.samples} <=
           set(o.processes), "those told", "others")


if __name__ == "__main__":
    main()
