#!/usr/bin/env python3
# Context: O.  Allocations by operators of C++ and by allocators that are not
# libc's are counted to the byte, once each.
import os

from harness import LIB, case, main
from heapcounts import allocators, compare, compile, info


CXX = """#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
struct big { char room[100]; };
struct alignas(64) wide { char room[128]; };
#define KEEP __attribute__((noinline))
KEEP big *one() { return new big; }
KEEP big *many() { return new big[10]; }
KEEP big *quiet() { return new (std::nothrow) big; }
KEEP wide *aligned() { return new wide; }
KEEP char *copy() { return strdup("123456789"); }
KEEP char *too_much(size_t n) { return new char[n]; }
int main()
{
	int caught = 0;
	for (int i = 0; i < 100; i++) {
		delete one();
		delete[] many();
		delete quiet();
		delete aligned();
		try { too_much((size_t)1 << 62); }
		catch (std::bad_alloc &) { caught++; }
	}
	std::map<int, std::string> m;
	for (int i = 0; i < 1000; i++)
		m[i] = std::string(100, 'x');
	copy();
	return caught != 100 || m.size() != 1000;
}
"""


def expect_operators(t, what, exe, preload=LIB):
    profdir = f"profs{len(os.listdir(t.dir))}"
    t.good([exe], opts="mode=heap", profdir=profdir,
           env={"LD_PRELOAD": preload})
    path, = t.files(profdir)
    rows = {r["function"]: (int(r["total_blocks"]), int(r["total_bytes"]),
                            int(r["live_bytes"]))
            for r in t.rows("--heap", "--no-demangle", path)}
    for name, wanted in (("_Z3onev", (100, 10000, 0)),
                         ("_Z4manyv", (100, 100000, 0)),
                         ("_Z5quietv", (100, 10000, 0)),
                         ("_Z7alignedv", (100, 12800, 0)),
                         ("_Z8too_muchm", None),
                         ("_Z4copyv", (1, 10, 10))):
        t.equal(f"{what}: {name}", wanted, rows.get(name))
    t.equal(f"{what}: operators", [], [name for name in rows if
                                       name.startswith(("_Znw", "_Zna"))])
    seen, lost = info(t, path)
    t.equal(f"{what}: all is known", (0, 0, {}),
            (seen["unknown_frees"], seen["missed_ends"], lost))


@case
def operators(t):
    """Blocks of operator new and strdup are charged to their callers; one that
    throws gives nothing out."""
    expect_operators(t, "libstdc++", compile(t, "new", CXX))


@case
def other_allocators(t):
    """Preloaded before us or after us, all is as exact."""
    for path in allocators():
        for preload in (f"{LIB}:{path}", f"{path}:{LIB}"):
            for kind in ("growing", "passed", "leaking"):
                compare(t, f"{preload}: {kind}", kind, 100, 4,
                        preload=preload)


@case
def their_operators(t):
    """Allocators have operators of their own, that call no malloc."""
    exe = compile(t, "new", CXX)
    for path in allocators():
        expect_operators(t, f"{path} after", exe, f"{LIB}:{path}")
        expect_operators(t, f"{path} before", exe, f"{path}:{LIB}")
        expect_operators(t, f"{path} linked",
                         compile(t, "linked", CXX, path))


WRAP = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
void *malloc(size_t n)
{
	static void *(*next)(size_t);
	if (next == NULL)
		next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	return next(n);
}
void free(void *p)
{
	static void (*next)(void *);
	if (next == NULL)
		next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	next(p);
}
"""


LOADED = """#include <stdlib.h>
void *volatile kept[100];
int loaded(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = malloc(1000 + i);
	for (int i = 0; i < 50; i++)
		free(kept[i]);
	return kept[99] != NULL;
}
"""


LOADS = """#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *h = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL);
	int (*f)(void) = h == 0 ? 0 : (int (*)(void))dlsym(h, "loaded");
	return argc != 2 || f == 0 || !f();
}
"""


@case
def one_before_us(t):
    """Who wraps the malloc behind it finds that, and not us; what is loaded
    later comes to us, too; the program's own malloc is out of reach."""
    wrap = compile(t, "wrap.so", WRAP, "-shared", "-fPIC", cc="gcc")
    library = compile(t, "loaded.so", LOADED, "-shared", "-fPIC", cc="gcc")
    program = compile(t, "loads", LOADS, cc="gcc")
    for before in [wrap] + allocators():
        compare(t, f"{before}", "leaking", 100, 4,
                preload=f"{before}:{LIB}")
        profdir = f"profs{len(os.listdir(t.dir))}"
        t.good([program, library], opts="mode=heap", profdir=profdir,
               env={"LD_PRELOAD": f"{before}:{LIB}"})
        rows = {r["function"]: r for r in t.rows("--heap", *t.files(profdir))}
        t.equal(f"{before}: loaded later", ("100", "50"),
                (rows["loaded"]["total_blocks"],
                 rows["loaded"]["live_blocks"]))
    own = compile(t, "own", WRAP + LOADED.replace("int loaded", "int main")
                  .replace("!= NULL", "== NULL"), "-rdynamic", cc="gcc")
    t.good([own], opts="mode=heap", profdir="alone")
    seen, lost = info(t, t.files("alone")[0])
    t.equal("the program's own", ({}, ["HEAP_BEHIND"]), (seen, list(lost)))


if __name__ == "__main__":
    main()
