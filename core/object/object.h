/* Context: O.  Names for the addresses of one module. */
#ifndef OBJECT_H
#define OBJECT_H

#include "lines.h"
#include "symbol_lookup.h"

/* What a profile knows of a module. */
struct object_ref {
	const char *path;	/* as /proc/PID/maps spells it */
	const unsigned char *build_id;
	size_t build_id_bytes;	/* 0 = not known; then count: */
	uint64_t device;
	uint64_t inode;
	uint64_t seen;		/* in memory, ns since 1970 */
	bool vdso;
	int pid;		/* lives and has it mapped here; or 0 */
	uint64_t start;		/* where it has it mapped */
	uint64_t end;
};

enum object_state {
	OBJECT_FOUND = 0,
	OBJECT_DEBUG_TRUNCATED,	/* found, but its separate debug file is cut */
	OBJECT_DEBUG_WRONG_ID,	/* found, but that is of another build ... */
	OBJECT_DEBUG_WRONG_CRC,	/* ... by its contents */
	OBJECT_DEBUG_NOT_ELF,
	OBJECT_DEBUG_NO_PERMISSION,	/* found, but that may not be read */
	/* found, but its .gnu_debugdata is damaged */
	OBJECT_MINIDEBUG_DAMAGED,
	OBJECT_MISSING,		/* no file, and no debug file either */
	OBJECT_NO_PERMISSION,		/* a file that may not be read */
	OBJECT_UNREADABLE,	/* a file that cannot be opened or read */
	OBJECT_CHANGED,		/* a file, but not the one that ran */
	OBJECT_TRUNCATED,		/* it has less than its headers say */
	OBJECT_NOT_ELF,
	OBJECT_NO_BIAS,		/* nobody knows how its addresses map */
	OBJECT_HIDDEN,		/* the kernel, see kptr_restrict in proc(5) */
	OBJECT_STATES,
};

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
 * Names for `count` addresses, ascending and each once.  A name is given only
 * when the file is the one that ran: same build-id, or without one the same
 * device and inode, not changed since, nor while it is read.  *debug is the
 * debug file that *state speaks of, in the arena, else NULL.  lines: where
 * they are in the source, for lines_free(); NULL = not asked.  0 or -ENOMEM.
 */
int object_resolve(const struct object_ref *ref, struct symbol *asked,
    size_t count, struct arena *arena, enum object_state *state,
    const char **debug, struct lines *lines);

/*
 * The build-id of our own vdso into `id`, of OBJECT_BUILD_ID_MAX bytes; how
 * many, 0 = none.
 */
#define OBJECT_BUILD_ID_MAX 32
size_t object_vdso_id(unsigned char *id);

/* Bytes of the file that ran, at a link-time address. */
struct object_code {
	unsigned char *bytes;	/* malloced; NULL = none */
	size_t size;		/* as many as are there */
	unsigned machine;	/* EM_* */
};

/* 0, also where there are none; or -ENOMEM. */
int object_read_code(const struct object_ref *ref, uint64_t address,
    size_t size, struct object_code *code);

#endif
