#!/usr/bin/env python3
# Context: O.  Which object an address belongs to if the mapping alone does not
# say.
import os
import shutil
import subprocess
import tempfile

from harness import CLEAN, Failed, Skip, case, main, need, placed

NO_INLINE = ["-fno-inline"]
# Other functions that a tick may hit.
KNOWN = {"objects", "libc.so.6", "ld-linux-x86-64.so.2", "libmon.so",
         "[kernel]", "[vdso]", "[not sampled]"}
# Sorts and texts by V8's builtins and its runtime, JSON by node's C++.
SCRIPT = """
let s = 0; const a = [];
for (let i = 0; i < 100000; i++) a.push({k: i % 977, v: String(i)});
for (let r = 0; r < 4; r++) {
  a.sort((x, y) => x.k - y.k || r);
  s += a.map(x => x.v.split('').reverse().join('')).filter(
      x => x.includes('7')).length;
}
let t = "";
for (let i = 0; i < 1000; i++) {
  t += JSON.stringify({a: i, b: [1, 2, 3, t.length]});
  JSON.parse(JSON.stringify(t));
}
"""
CHAIN = ("main", "drive", "busy")


def run(t, exe, *args, wrap=None, chain=CHAIN, what=None, **how):
    """Nearly all of the time that has a place is in busy(), below its
    callers."""
    what = what or " ".join(os.path.basename(str(a)) for a in (exe, *args))
    shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
    t.good([exe, *args], opts="hz=1000", wrap=wrap, **how)
    paths = t.folded()
    code = placed(paths)
    seen = sum(s for p, s in code.items() if p[-len(chain):] == chain)
    t.figure(f"{what}: below its callers", seen >= 0.9 * sum(code.values()),
             f"90 % below {chain}",
             sorted(paths.items(), key=lambda x: -x[1])[:3])
    return paths


def modules(t):
    return {r["module"] for r in t.rows(*t.files())}


@case
def directories(t):
    """A program may lie anywhere: /dev/shm is as good as any other place."""
    exe = t.build("objects.c", "objects", *NO_INLINE)
    for place in ("/dev/shm", "/tmp", "/var/tmp"):
        if not os.access(place, os.W_OK | os.X_OK):
            continue
        with tempfile.TemporaryDirectory(dir=place) as d:
            copy = shutil.copy(exe, d)
            try:
                subprocess.run([copy, "nothing"], check=True)
            except OSError:
                continue        # noexec
            run(t, copy, what=place)
            t.equal(f"{place}: modules", set(), modules(t) - KNOWN)


@case
def calls_from_shared_memory(t):
    """-pg: the calls are of the program too, and a gmon.out is written."""
    exe = t.build("objects.c", "objects", *NO_INLINE, "-pg")
    if not os.access("/dev/shm", os.W_OK | os.X_OK):
        raise Skip("no /dev/shm")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as d:
        copy = shutil.copy(exe, d)
        run(t, copy)
        counted = t.calls(("busy", "drive"), *t.files())
        t.true("calls", counted["busy"] == 50 * counted["drive"] > 0,
               "50 of busy() by each of drive()", counted)
        t.good([copy], opts="format=gmon", cwd=d)
        t.true("gmon.out", any("gmon" in f for f in
                               os.listdir(d) + os.listdir(t.dir) +
                               os.listdir(os.path.join(t.dir, "profs"))),
               "written", os.listdir(d))


@case
def moved_text(t):
    """Text in memory of no file, at the addresses where it was loaded; with
    position-independent code and without, and linked as one segment."""
    for i, flags in enumerate(([], ["-no-pie"],
                               ["-no-pie", "-Wl,-z,noseparate-code"])):
        exe = t.build("objects.c", f"objects{i}", *NO_INLINE, *flags)
        for how in ("anonymous", "shared", "file", "whole"):
            run(t, exe, how, what=f"{flags} {how}")
            t.equal(f"{flags} {how}: modules", set(), modules(t) - KNOWN -
                    {f"objects{i}"})


@case
def text_mapped_again(t):
    """A second mapping of a part of the file has names, and callers by frame
    pointers, because no unwind table lies where its own would."""
    for flags in ([], ["-no-pie"]):
        exe = t.build("objects.c", "objects", *NO_INLINE, *flags,
                      "-fno-omit-frame-pointer")
        run(t, exe, "again", what=f"{flags}",
            chain=("main", "drive_elsewhere", "turn", "spin"))


@case
def javascript(t):
    """node maps its builtins again, near the code that it makes: nobody is
    unloading a library, and its stacks reach main."""
    node = need("node")
    script = os.path.join(t.dir, "work.js")
    with open(script, "w", encoding="ascii") as f:
        f.write(SCRIPT)
    for large in ("off", "on"):
        shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
        t.good([node, f"--use-largepages={large}", script], opts="hz=1000")
        paths = placed(t.folded())
        total = sum(paths.values())
        # A tick that comes while another makes the file is late.
        for what, limit, has in (
                ("other outermost frames", 0.05, lambda p: p[0] not in
                 ("_start", "clone3", "__clone", "clone", "start_thread",
                  "[no callers: the sample came late]")),
                ("a library being unloaded", 0.01, lambda p:
                 "unloaded" in p[0]),
                ("generated code", 0.6, lambda p:
                 p[-1] == "[generated code]")):
            part = sum(s for p, s in paths.items() if has(p))
            t.figure(f"{large}: {what}", part <= limit * total,
                     f"at most {limit:.0%}", f"{part / total:.1%}")


@case
def text_segments(t):
    """Two text segments that share a page of the file have one bias."""
    sections = ["-no-pie", '-DEARLY=__attribute__((section(".early")))',
                '-DLATE=__attribute__((section(".late")))']
    for early, late in ((0x8000000, 0x9000800), (0x9000800, 0x8000000),
                        (0x300000, 0x310c00)):
        flags = [f"-Wl,--section-start=.early={early:#x}",
                 f"-Wl,--section-start=.late={late:#x}"]
        exe = t.build("objects.c", "objects", *NO_INLINE, *sections, *flags)
        run(t, exe, what=f"{early:#x} {late:#x}")
        run(t, exe, "anonymous", what=f"{early:#x} {late:#x} moved")
    if shutil.which("ld.lld"):
        exe = t.build("objects.c", "objects", *NO_INLINE, "-fuse-ld=lld")
        run(t, exe, what="lld")


def without_search(path):
    """Take the search table out of .eh_frame_hdr: DW_EH_PE_omit twice."""
    with open(path, "rb") as f:
        b = bytearray(f.read())
    out = subprocess.run([need("readelf"), "-SW", path], env=CLEAN,
                         capture_output=True, text=True).stdout
    header, = [x for x in out.splitlines() if " .eh_frame_hdr " in x]
    at = int(header.split("]")[1].split()[3], 16)
    b[at + 2] = b[at + 3] = 0xff
    with open(path, "wb") as f:
        f.write(b)


@case
def unwind_tables(t):
    """Unwind entries lie in another segment than their index, or the index has
    no search table."""
    plain = t.build("objects.c", "plain.o", "-c", *NO_INLINE,
                    "-fomit-frame-pointer")
    writable = os.path.join(t.dir, "writable.o")
    subprocess.run([need("objcopy"), "--set-section-flags",
                    ".eh_frame=alloc,load,data", plain, writable],
                   env=CLEAN, check=True)
    cc = os.environ.get("CC", "cc").split()
    for obj, name in ((plain, "unsorted"), (writable, "elsewhere")):
        exe = os.path.join(t.dir, name)
        if subprocess.run([*cc, "-o", exe, obj], env=CLEAN,
                          cwd=t.dir).returncode != 0:
            raise Failed(f"{name} is not linked")
        if name == "unsorted":
            without_search(exe)
        run(t, exe)


@case
def objects_without_a_path(t):
    """A library in a memfd, or one whose file is gone, is an object: it has a
    module of its own, and callers by its tables."""
    exe = t.build("objects.c", "objects", *NO_INLINE)
    for how in ("dlopen", "gone", "memfd"):
        library = t.build("objects.c", "lib.so", *NO_INLINE, "-shared",
                          "-fPIC", "-fomit-frame-pointer")
        shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
        t.good([exe, how, library], opts="hz=1000")
        seen = modules(t)
        t.true(f"{how}: not generated", "[generated code]" not in seen,
               "a module", seen)
        paths = placed(t.folded())
        share = sum(s for p, s in paths.items() if "main" in p)
        total = sum(paths.values())
        t.figure(f"{how}: below main", share >= 0.9 * total, "90 %",
                 share / total)


@case
def addresses_that_change_hands(t):
    """Each tick is of what is there now, if the program unmapped the rest."""
    exe = t.build("handover.c", "handover")
    library = t.build("handover.c", "lib.so", "-shared", "-fPIC")
    if t.run([exe, "munmap", library], mon=False).status == "exit 3":
        raise Skip("the library is mapped elsewhere each time")
    for how in ("munmap", "memfd", "replace", "move"):
        shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
        r = t.run([exe, how, library], opts="hz=1000")
        if r.status == "exit 3":
            continue
        t.equal(f"{how}: status", "exit 0", r.status)
        share = {}
        for row in t.rows(*t.files()):
            share[row["module"]] = (share.get(row["module"], 0) +
                                    float(row["percent"]))
        for who in ("[generated code]", "lib.so"):
            t.figure(f"{how}: {who}", 35 < share.get(who, 0) < 65,
                     "half of the time", share)


@case
def packed_programs(t):
    """A program that another one unpacked has not that one's names."""
    if os.uname().machine != "x86_64":
        raise Skip("x86-64 only")
    for build_id in ("sha1", "none"):
        flag = f"-Wl,--build-id={build_id}"
        payload = t.build("objects.c", "payload", *NO_INLINE, flag)
        exe = t.build("packed.c", "packed", "-nostdlib", "-static-pie",
                      "-fPIE", "-fno-stack-protector", "-ffreestanding",
                      f'-DPAYLOAD="{payload}"', flag)
        shutil.rmtree(os.path.join(t.dir, "profs"), ignore_errors=True)
        t.good([exe, "plain"])
        names = {r["function"] for r in t.rows(*t.files())
                 if r["module"] == "packed"}
        t.true(f"{build_id}: names", names and all(
            n.startswith("packed+0x") for n in names), "addresses", names)
        report = t.prof(*t.files())
        t.true(f"{build_id}: why", "packed is not the file that ran" in
               str(report), "in the footer", report)


@case
def without_proc(t):
    """Names and callers come from the loader's list if /proc is missing."""
    if os.geteuid() != 0:
        raise Skip("only root may have a namespace of mounts")
    wrap = [need("unshare"), "-m", "sh", "-c",
            'umount -l /proc && exec "$@"', "sh"]
    for flags in ([], ["-no-pie"]):
        exe = t.build("objects.c", "objects", *NO_INLINE, *flags)
        library = t.build("objects.c", "lib.so", *NO_INLINE, "-shared",
                          "-fPIC")
        if t.run([exe, "nothing"], mon=False, wrap=wrap).status != "exit 0":
            raise Skip("/proc stays")
        run(t, exe, wrap=wrap, what=f"{flags}")
        run(t, exe, "dlopen", library, wrap=wrap, what=f"{flags} dlopen")
        # A tick before dlopen() returns reads the list; it is read again 10
        # ms later at the earliest, which is 10 ticks in the library.
        losses = dict(t.profile("objects").loss)
        t.between(f"{flags}: places", 0, losses.pop("PC_UNKNOWN", 0), 20)
        t.equal(f"{flags}: losses", {}, losses)


if __name__ == "__main__":
    main()
