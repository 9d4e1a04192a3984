/*
 * Context: O.  Names, source lines and code at the addresses of one module,
 * from its file and its debug file.  The model (names/symbolize.c,
 * read/bin_split.c) and views of code call it, one module after another;
 * symbol/symbol_text.h has the kernel and perf maps, code/jitdump.h jitdumps.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include "dwarf/lines.h"
#include "symbol/symbol_lookup.h"

/* A module as a profile identifies it. */
struct object_ref {
	const char *path;	/* as /proc/PID/maps shows it */
	const unsigned char *build_id;
	/* 0: not known; then device, inode and seen identify the file */
	size_t build_id_bytes;
	uint64_t device;
	uint64_t inode;
	uint64_t seen;		/* when it was seen in memory, ns since 1970 */
	bool vdso;
	int pid;		/* a living process that has it mapped, or 0 */
	uint64_t start;		/* bounds of the mapping in that process */
	uint64_t end;
};

/* Whether and why not the names of a module could be found. */
enum object_state {
	OBJECT_FOUND = 0,
	/* Found, but its separate debug file is truncated */
	OBJECT_DEBUG_TRUNCATED,
	/* Found, but the debug file has another build-id */
	OBJECT_DEBUG_WRONG_ID,
	OBJECT_DEBUG_WRONG_CRC,	/* found, but the debug file has another CRC */
	OBJECT_DEBUG_NOT_ELF,
	/* Found, but the debug file may not be read */
	OBJECT_DEBUG_NO_PERMISSION,
	/* Found, but its .gnu_debugdata is damaged */
	OBJECT_MINIDEBUG_DAMAGED,
	OBJECT_MISSING,		/* neither the file nor a debug file is there */
	OBJECT_NO_PERMISSION,		/* the file may not be read */
	OBJECT_UNREADABLE,	/* the file cannot be opened or read */
	OBJECT_CHANGED,		/* there is a file, but not the one that ran */
	/* The file is shorter than its headers say */
	OBJECT_TRUNCATED,
	OBJECT_NOT_ELF,
	OBJECT_NO_BIAS,		/* how its addresses map is not known */
	/* The kernel hides its names: kptr_restrict in proc(5) */
	OBJECT_HIDDEN,
	OBJECT_STATES,
};

/*
 * object_is_found() returns whether a state means that names were found, and
 * object_is_debug() whether it means that a separate debug file has a fault.
 */
static inline bool
object_is_found(enum object_state state)
{
	return state < OBJECT_MISSING;
}

static inline bool
object_is_debug(enum object_state state)
{
	return state >= OBJECT_DEBUG_TRUNCATED &&
	    state <= OBJECT_DEBUG_NO_PERMISSION;
}

/*
 * Finds names for `count` addresses, ascending and each once, and clears those
 * that they had.  Gives names only if the file is the one that ran: same
 * build-id, or without one the same device and inode, and not changed since,
 * nor while it is read.  *debug receives the path of the debug file that *state
 * is about, in the arena, or NULL.  *lines receives the places in the source,
 * to be freed with lines_free() whatever is returned, and must be all zero
 * before; NULL: not wanted.  Returns 0 or -ENOMEM.
 */
int object_resolve(const struct object_ref *ref, struct symbol *asked,
    size_t count, struct arena *arena, enum object_state *state,
    const char **debug, struct lines *lines);

/* Bytes of the file that ran, at a link-time address. */
struct object_code {
	unsigned char *bytes;	/* malloced; NULL: none */
	size_t size;		/* number of bytes that are there */
	unsigned machine;	/* EM_* */
};

/*
 * Reads up to `size` bytes of code at the link-time address `address` from the
 * file that ran.  The caller frees code->bytes.  Returns 0, also if there are
 * none, or -ENOMEM.
 */
int object_read_code(const struct object_ref *ref, uint64_t address,
    size_t size, struct object_code *code);

#endif
