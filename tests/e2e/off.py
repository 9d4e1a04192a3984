#!/usr/bin/env python3
# Context: O.  Switched off, not wanted, or not allowed: libmon is not there.
import os
import re
import shutil
import subprocess

from harness import (CLEAN, LIB, ROOT, Skip, case, load, main, need,
                     need_file)


def strace(t, lib, argv, env):
    out = os.path.join(t.dir, "strace")
    r = subprocess.run([need("strace"), "-f", "-o", out, "-E",
                        f"LD_PRELOAD={lib}", *argv], cwd=t.dir,
                       env={**CLEAN, **env}, capture_output=True)
    if r.returncode != 0:
        raise Skip(f"strace does not work here: {r.stderr[-200:]}")
    with open(out) as f:
        text = f.read()
    # From where the loader has mapped all and made the first thread's TLS:
    # before it, what differs is the size of the two libraries.
    at = text.index("set_tid_address")
    text = re.sub(r"^\d+ +", "", text[at:], flags=re.M)
    text = re.sub(r"^.*mprotect\(.*PROT_READ\).*\n", "", text, flags=re.M)
    return re.sub(r"0x[0-9a-f]+|[0-9]{3,}", "N", text)


@case
def empty_profdir(t):
    """Not one system call more than an empty library."""
    need_file(LIB)
    with open(os.path.join(t.dir, "empty.c"), "w") as f:
        f.write("int nothing;\n")
    empty = os.path.join(t.dir, "empty.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", empty, f.name], check=True)
    for argv in (["/bin/true"], [load("storm_process"), "spawn", "3"],
                 [load("kinds"), "blink", "0.01"]):
        # Times and clocks vary from run to run: two runs of the empty one
        # say which programs are steady.
        e = {"PROFDIR": ""}
        a, b = (strace(t, empty, argv, e) for _ in range(2))
        c = strace(t, LIB, argv, e)
        if argv[0] == "/bin/true":
            t.equal("system calls of true", a, c)
            t.equal("system calls, repeated", a, b)
        calls = [sorted(set(re.findall(r"^(\w+)\(", x, re.M)))
                 for x in (a, c)]
        t.equal(f"kinds of calls of {os.path.basename(argv[0])}", *calls)


@case
def empty_profdir_state(t):
    """No handler, no timer, no file; SIGPROF has its default."""
    # SigQ is of the whole user; what calls are made the strace case shows.
    r = [t.good(["grep", "-E", "Sig[^Q]|Threads", "/proc/self/status"], mon=m,
                profdir="") for m in (False, True)]
    t.equal("status", r[0].text, r[1].text)
    t.good([load("kinds"), "burn", 0.1], profdir="")
    t.equal("files", [], os.listdir(t.dir))
    died = t.run([load("sigprof"), "kill_default"], profdir="")
    t.equal("SIGPROF", "signal 27", died.status)


@case
def start_off(t):
    """Nothing is counted, and who was never started leaves nothing."""
    for opts in "start=off", "start=off,tier=process":
        t.good([load("kinds"), "burn", 0.3], opts=opts)
        t.equal(f"{opts}: files", [], t.files())
    t.good([load("kinds"), "burn", 0.2], opts="start=off,empty=yes")
    t.equal("samples", [0], [p.samples for p in t.profiles()])


@case
def names_chosen(t):
    """exclude= and only=, and follow=no."""
    program = load("life")
    for opts, wanted in (("exclude=sh:dash:bash", {"life"}),
                         ("only=life", {"life"}),
                         ("exclude=life", {"dash"}), ("follow=no", {"dash"})):
        d = re.sub(r"\W", "-", opts)
        script = f"i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done; {program} exit 0.1; true"
        shell = need("dash")
        r = t.run([shell, "-c", script], opts=opts, profdir=d)
        t.equal(f"{opts}: end", "exit 0", r.status)
        t.equal(f"{opts}: programs", wanted,
                {os.path.basename(p.info["exe"]) for p in t.profiles(d)})


@case
def unknown_option(t):
    """Named once on standard error, and ignored."""
    r = t.run([load("kinds"), "burn", 0.1], opts="hz=1000,colour=red,hz=no")
    t.equal("end", "exit 0", r.status)
    t.true("stderr", r.err.count(b"colour") == 1, "colour, once", r.err)
    t.equal("profiles", 1, len(t.profiles()))


def named_otherwise(t):
    """A program that comes with the library by another name: by that name it
    does not ask for the library as its own, so it is profiled."""
    other = os.path.join(t.dir, "libother.so")
    exe = t.build("kinds.c", "kinds", "-pthread", "-Wl,--no-as-needed",
                  t.build("/dev/null", "libother.so", "-shared", "-xc",
                          "-Wl,-soname,libother.so"), f"-Wl,-rpath,{t.dir}")
    shutil.copyfile(LIB, other)
    os.mkdir(os.path.join(t.dir, "open"))
    os.chmod(os.path.join(t.dir, "open"), 0o777)
    t.good([exe, "burn", 0.2], mon=False, env={"PROFDIR": t.dir + "/open"})
    t.equal("profiles", 1, len(t.profiles("open")))
    for path in t.files("open"):
        os.remove(path)
    return exe


@case
def secure_mode(t):
    """complaints 40: a set-user-id program writes nothing for its caller."""
    if not ROOT:
        raise Skip("needs root to make a set-user-id program")
    exe = named_otherwise(t)
    os.chown(exe, 0, 0)
    os.chmod(exe, 0o4755)
    r = t.run([exe, "burn", 0.2], mon=False, user="nobody", cwd="/",
              env={"PROFDIR": t.dir + "/open", "PROFOPTS": "colour=red"})
    if "cannot open shared object" in r.err.decode():
        raise Skip(f"the build directory is closed to others: {r.err}")
    t.equal("end", "exit 0", r.status)
    t.equal("stderr", b"", r.err)
    t.equal("files", [], os.listdir(os.path.join(t.dir, "open")))


@case
def preloaded_secure_program(t):
    """A set-user-id program that somebody starts under libmon: the loader
    leaves the preload out, and says nothing."""
    if not ROOT:
        raise Skip("needs root to make a set-user-id program")
    for name in ("bin", "open"):
        os.mkdir(os.path.join(t.dir, name))
        os.chmod(os.path.join(t.dir, name), 0o755 if name == "bin" else 0o777)
    exe = shutil.copy(load("kinds"), os.path.join(t.dir, "bin", "kinds"))
    os.chmod(exe, 0o4755)
    where = {"PROFDIR": t.dir + "/open"}
    for argv, wanted in (([exe, "burn", 0.2], set()),
                         (["dash", "-c", "i=0; while [ $i -lt 150000 ]; do "
                           f"i=$((i+1)); done; {exe} burn 0.2"], {"dash"})):
        r = t.run(argv, user="nobody", cwd="/", env=where)
        t.equal("end", ("exit 0", b""), (r.status, r.err))
        t.equal("programs", wanted,
                {os.path.basename(p.info["exe"]) for p in t.profiles("open")})


@case
def static_tls(t):
    """complaints 36: our share of the static TLS block is a pointer or two."""
    text = subprocess.run([os.environ.get("READELF", "readelf"), "-lW", LIB],
                          capture_output=True, text=True).stdout
    m = re.search(r"^ *TLS +\S+ \S+ \S+ \S+ (0x[0-9a-f]+)", text, re.M)
    t.true("TLS", m is None or int(m[1], 16) <= 64, "at most 64 bytes",
           m and m[1])


if __name__ == "__main__":
    main()
