/*
 * Context: P.  Recognizes files that are no profiles, for header_read() and for
 * prof_input.c of prof; see foreign_magic.h.
 */
#include "decode/foreign_magic.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *magic;
	size_t offset, bytes;	/* where the magic is, and its length */
	const char *what, *remedy;
} kinds[] = {
	{ "PERFILE2", 0, 8, "a perf.data, which perf alone reads",
	    "perf script -i FILE > perf.txt; prof perf.txt" },
	/* e_type of a core dump, little-endian, behind the identification */
	{ "\4\0", 16, 2, "a core dump, which has no profile",
	    "gdb reads it; prof alone shows the last profile" },
	{ "\x7f" "ELF", 0, 4, "a program, not a profile",
	    "prof record PROGRAM runs and records it" },
	{ "\x1f\x8b", 0, 2, "compressed by gzip", "gunzip it first" },
	{ "\x28\xb5\x2f\xfd", 0, 4, "compressed by zstd", "unzstd it first" },
	{ "\xfd" "7zXZ", 0, 5, "compressed by xz", "unxz it first" },
	{ "BZh", 0, 3, "compressed by bzip2", "bunzip2 it first" },
	{ "PK\3\4", 0, 4, "a zip archive", "unzip it first" },
	{ "FLR\0", 0, 4, "a recording of Java Flight Recorder",
	    "the tool jfr of the JDK reads it" },
	{ "<!DOCTYPE html", 0, 14, "a page for the browser",
	    "open it there; prof reads the profile it was made of" },
	{ "SQLite format 3", 0, 15, "a database of SQLite",
	    "profiles are named mon.out, or PID.PROGRAM in PROFDIR" },
};

static int
is_elf(const unsigned char *bytes, size_t size)
{
	return size >= 4 && memcmp(bytes, "\x7f" "ELF", 4) == 0;
}

int
foreign_magic_refuse(const unsigned char *bytes, size_t size, struct fault *f)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (size < kinds[i].offset + kinds[i].bytes ||
		    memcmp(bytes + kinds[i].offset, kinds[i].magic,
		    kinds[i].bytes) != 0 ||
		    (kinds[i].offset != 0 && !is_elf(bytes, size)))
			continue;
		fault_set(f, kinds[i].what, FAULT_NO_OFFSET, 0);
		f->remedy = kinds[i].remedy;
		return -EINVAL;
	}
	return 0;
}
