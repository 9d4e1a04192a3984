# Context: O.  Who called what, by `valgrind --tool=callgrind`: its output and
# the disassembly of the program, made into what counted calls should be.
#
# callgrind sees every call and every jump to another function.  A counted call
# is made where a function's code says so, and comes from its return address.
# So of callgrind's edges
#   - a function is entered as often as it calls the counter (mcount, ...): what
#     is inlined or was not compiled for it does not;
#   - the caller of a jump is whoever called the function that jumps.
import bisect
import csv
import os
import re
import subprocess

from harness import CLEAN, Failed, need

CONTEXT = 8             # callers that callgrind keeps: longest chain of jumps
OPTIONS = ["--tool=callgrind", "--dump-instr=yes", "--dump-line=no",
           f"--separate-callers={CONTEXT}", "--demangle=no"]
# A program may copy its environment: the variables that valgrind sets, for all.
SAME = {"GLIBCPP_FORCE_NEW": "1", "GLIBCXX_FORCE_NEW": "1", "LD_BIND_NOW": "1",
        "LD_LIBRARY_PATH": "/usr/lib/debug"}
COUNTERS = re.compile(r"\b(_?mcount|__fentry__|__cyg_profile_func_enter)\b")
LEAVER = "__cyg_profile_func_exit"


def tools():
    need("valgrind", "objdump", "nm")


def run(t, argv):
    """The program's calls, as callgrind writes them; its own end and output."""
    path = os.path.join(t.dir, "callgrind.out")
    # libc's profiler stops at the end, and a tick may come behind that.
    r = t.run(["sh", "-c", 'trap "" PROF; exec "$@"', "sh", "valgrind", "-q",
               *OPTIONS, f"--callgrind-out-file={path}", *argv], mon=False,
              env={**SAME, "PROFDIR": t.dir})
    return r, read(path)


def read(path):
    """[(object, names, address, object, names, calls)]: who called whom from
    where; names are those of a function and of its callers."""
    names, edges, at = {}, [], {"ob": "", "fn": "", "cob": None, "cfn": ""}
    calls, place = 0, 0
    with open(path, errors="surrogateescape") as f:
        for line in f:
            if m := re.match(r"(c?)(ob|fn)=(?:\((\d+)\))? ?(.*)$", line):
                c, kind, number, text = m.groups()
                key = c + kind
                if number and text:
                    names[kind, number] = text
                name = names[kind, number] if number else text
                at[key] = name
            elif m := re.match(r"calls=(\d+)", line):
                calls = int(m[1])
            elif m := re.match(r"(0x[0-9a-f]+|\+\d+|-\d+|\*)\s", line):
                place = position(m[1], place)
                if calls:
                    edges.append((at["ob"], context(at["fn"]), place,
                                  at["cob"] or at["ob"], context(at["cfn"]),
                                  calls))
                    calls, at["cob"] = 0, None
    return edges


def position(text, last):
    if text == "*":
        return last
    return last + int(text) if text[0] in "+-" else int(text, 16)


def context(name):
    """A number behind a quote is a level of recursion."""
    return tuple(n for n in name.split("'") if not n.isdigit())


class Object:
    """A file that was compiled for counting: its code and its names."""

    def __init__(self, path):
        self.path, self.name = os.path.realpath(path), os.path.basename(path)
        self.code, self.same = {}, {}
        text = self.tool("objdump", "-d", "--no-show-raw-insn", path)
        for line in text.splitlines():
            if m := re.match(r"\s*([0-9a-f]+):\s+(.*)", line):
                self.code[int(m[1], 16)] = m[2]
        places = {}
        for line in self.tool("nm", path).splitlines():
            fields = line.split()
            if len(fields) == 3 and fields[1] in "tTwWiu":
                places.setdefault(int(fields[0], 16), []).append(
                    fields[2].split("@")[0])
        self.starts = sorted(places)
        self.first = {a: min(names) for a, names in places.items()}
        for a, names in places.items():
            self.same.update((n, self.first[a]) for n in names)

    @staticmethod
    def tool(*argv):
        return subprocess.run(argv, env=CLEAN, capture_output=True, text=True,
                              check=True).stdout

    def is_jump(self, address):
        return self.code.get(address, "").startswith(
            ("j", "bnd j", "notrack j"))

    def function(self, address):
        return self.first[self.starts[
            bisect.bisect_right(self.starts, address) - 1]]

    def names(self, name):
        """Return one and the same of several names of a place."""
        return self.same.get(name, name)


class Calls:
    """Return the calls that should be counted in these files."""

    def __init__(self, edges, paths):
        self.objects = {o.path: o for o in map(Object, paths)}
        self.edges = edges
        self.entered, self.arcs, self.jumped, self.homes = {}, {}, {}, {}
        self.enter()
        self.note_jumps()
        for e in edges:
            self.arc(*e)

    def key(self, ob, name):
        o = self.objects.get(ob)
        return (o.name, o.names(name)) if o else (os.path.basename(ob), "")

    def enter(self):
        """Every call of a counter is an entry."""
        for ob, names, place, _, callee, calls in self.edges:
            o = self.objects.get(ob)
            if o is None or not COUNTERS.search(o.code.get(place, "")):
                continue
            key = o.name, o.function(place)
            self.entered[key] = self.entered.get(key, 0) + calls

    def note_jumps(self):
        """How a function got to another: by a call, a jump, or either."""
        for ob, names, place, cob, callee, calls in self.edges:
            how = self.jumps(ob, place)
            self.homes.setdefault(names[0], set()).add(ob)
            self.jumped.setdefault((names[0], callee[0]), set()).add(how)

    def jumps(self, ob, place):
        """So does a library's PLT, which is in no file by callgrind."""
        return ob == "???" or (ob in self.objects and
                               self.objects[ob].is_jump(place))

    def caller(self, ob, names, place):
        """The function that the return address is in, and its file or None."""
        if not self.jumps(ob, place):
            # callgrind does not see a return from one part of a function to
            # another: what it says of the place is right.
            o = self.objects.get(ob)
            return o.function(place) if o else "", ob
        for at in range(len(names) - 1):
            how = self.jumped.get((names[at + 1], names[at]), set())
            if how == {False}:
                return names[at + 1], None
            if how != {True}:
                break
        raise Failed(f"callgrind: who called {names} at {place:#x}?")

    def home(self, name):
        """The file of a caller that callgrind only names in a context."""
        found = self.homes.get(name, set())
        if len(found) != 1:
            raise Failed(f"callgrind: {name} is in {found}")
        return next(iter(found))

    def arc(self, ob, names, place, cob, callee, calls):
        to = self.key(cob, callee[0])
        if to not in self.entered:
            return
        name, file = self.caller(ob, names, place)
        key = self.key(file or self.home(name), name), to
        self.arcs[key] = self.arcs.get(key, 0) + calls

    def no_call(self):
        """Entries that no call or jump led to: signal handlers, by name."""
        seen = {}
        for (_, to), n in self.arcs.items():
            seen[to] = seen.get(to, 0) + n
        return {to[1]: n - seen.get(to, 0) for to, n in self.entered.items()
                if n != seen.get(to, 0)}


def fresh(t):
    for f in t.files() if os.path.isdir(f"{t.dir}/profs") else []:
        os.unlink(f)


def ours(t, calls):
    """Return the calls that libmon counted: per function and per arc, with the
    names that `calls` has; a caller in a file not compiled for it is that
    file."""
    objects = {o.name: o for o in calls.objects.values()}

    def key(module, name):
        o = objects.get(module)
        return (module, o.names(name)) if o else (module, "")

    entered, arcs = {}, {}
    for r in t.rows("--no-demangle", *t.files()):
        if int(r["calls"] or 0):
            k = key(r["module"], r["function"])
            entered[k] = entered.get(k, 0) + int(r["calls"])
    graph = t.prof("--csv", "--graph", "--no-demangle", "--no-inline",
                   *t.files()).stdout
    for r in csv.DictReader(graph.splitlines(True)):
        k = (key(r["caller_module"], r["caller"]),
             key(r["module"], r["function"]))
        arcs[k] = arcs.get(k, 0) + int(r["calls"] or 0)
    return entered, arcs


def different(t, what, wanted, got):
    """Equal, else each line that is not."""
    t.count += 1
    for k in sorted(set(wanted) | set(got), key=str):
        if wanted.get(k, 0) != got.get(k, 0):
            t.fail(f"{what}: {k}", wanted.get(k, 0), got.get(k, 0))


def compare(t, what, files, argv, handlers=()):
    """The program bare, under callgrind and under libmon."""
    bare, mon = t.both(argv, what, env=SAME)
    under, edges = run(t, argv)
    t.equal(f"{what}: callgrind: end", bare.status, under.status)
    t.equal(f"{what}: callgrind: stdout", bare.out, under.out)
    wanted = Calls(edges, files)
    t.true(f"{what}: functions", len(wanted.entered) > 5, "many",
           wanted.entered)
    entered, arcs = ours(t, wanted)
    different(t, f"{what}: calls", wanted.entered, entered)
    # The kernel calls a handler, callgrind says that nobody does; the return
    # address is that of libc's trampoline.
    t.equal(f"{what}: called by none", sorted(handlers),
            sorted(wanted.no_call()))
    for name, n in wanted.no_call().items():
        wanted.arcs[("libc.so.6", ""), (os.path.basename(files[0]), name)] = n
    different(t, f"{what}: arcs", wanted.arcs, arcs)
    p = t.profiles()
    t.equal(f"{what}: losses", [{}], [{k: v for k, v in x.loss.items()
                                       if k.startswith("CALL") and v}
                                      for x in p])
    fresh(t)
    return wanted
