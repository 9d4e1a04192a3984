#!/usr/bin/env python3
# Context: load.  Builds a program of 100,000 functions that has more than 500
# MB of debug information: large.py DIRECTORY.  Its functions, each with a
# structure of its own and inlined ones, are compiled once and copied under
# other names, as a compiler takes an hour for all.
import os
import subprocess
import sys

COPIES, FUNCTIONS, MEMBERS = 100, 1000, 300

ONE = """struct s%(n)d { u %(members)s; struct s%(n)d *next_%(n)d; };
static inline __attribute__((always_inline)) u
in_%(n)d(struct s%(n)d *s, u x)
{
	u y = x * %(odd)du;
	s->a_%(n)d_%(at)d += y;
	return y ^ (y >> %(shift)d);
}
static inline __attribute__((always_inline)) u
in2_%(n)d(struct s%(n)d *s, u x)
{
	u z = in_%(n)d(s, x + 1);
	z += in_%(n)d(s, z);
	return z * 3;
}
u
fn_%(n)d(u x)
{
	static struct s%(n)d s;
	u r = 0;
	for (u i = 0; i < 40; i++) {
		u v = in2_%(n)d(&s, r + i);
		r ^= v >> 1;
		u w = in2_%(n)d(&s, r + i);
		r ^= w >> 3;
	}
	return r + s.a_%(n)d_3;
}
"""

MAIN = """int
main(int argc, char **argv)
{
	clock_t end = clock() + (clock_t)(atof(argv[argc - 1]) *
	    CLOCKS_PER_SEC);
	u r = 1;
	while (clock() < end)
		for (int k = 0; k < 100; k++) {
			r = r * 6364136223846793005u + 1442695040888963407u;
			r += tables[(r >> 33) %% %d][(r >> 40) %% %d](r);
		}
	printf("%%lu\\n", r);
	return 0;
}
"""


def part(f):
    f.write("typedef unsigned long u;\n")
    for n in range(FUNCTIONS):
        f.write(ONE % {"n": n, "odd": n * 2 + 1, "at": n % MEMBERS,
                       "shift": n % 31 + 1, "members": ", ".join(
                           f"a_{n}_{k}" for k in range(MEMBERS))})
    f.write("u (*const table[])(u) = {\n" + "".join(
        f"\tfn_{n},\n" for n in range(FUNCTIONS)) + "};\n")


def program(f):
    f.write("#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n"
            "typedef unsigned long u;\n")
    for i in range(COPIES):
        f.write(f"extern u (*const p{i}_table[])(u);\n")
    f.write("static u (*const *const tables[])(u) = {\n" + "".join(
        f"\tp{i}_table,\n" for i in range(COPIES)) + "};\n")
    f.write(MAIN % (COPIES, FUNCTIONS))


def run(*argv):
    subprocess.run(argv, check=True)


def main():
    os.chdir(sys.argv[1])
    for name, write in (("part.c", part), ("main.c", program)):
        with open(name, "w") as f:
            write(f)
    run("gcc", "-O1", "-g", "-c", "part.c")
    parts = [f"part{i}.o" for i in range(COPIES)]
    for i, name in enumerate(parts):
        run("objcopy", f"--prefix-symbols=p{i}_", "part.o", name)
    run("gcc", "-O1", "-g", "-o", "large", "main.c", *parts)
    for name in [*parts, "part.o"]:
        os.remove(name)


main()
