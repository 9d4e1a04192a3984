/*
 * Context: S.  Which object a mapping belongs to; doc/internals.md, section 7.
 *
 * An object is what its ELF header in memory, the loader's list and its load
 * bias say.  Path, device and inode of a mapping only name it.
 */
#ifndef MAPOBJECT_H
#define MAPOBJECT_H

#include "elfmem.h"
#include "maps.h"

/* What is known while the map is read, in ascending order. */
struct mapobject {
	uint64_t head;		/* where a file begins that lies below, or 0 */
	uint64_t device, inode;	/* ... and its names; mon->module_name */
	bool deleted;
	bool asked;		/* low and high are known ... */
	uint64_t low, high;	/* ... the object's bounds; 0 it is none */
	bool listed;		/* the loader's list was read */
};

/* An object, and what part of a mapping is of it. */
struct mapobject_hit {
	struct elfmem elf;
	uint64_t head;		/* where its ELF header is mapped, or 0 */
	uint64_t until;		/* end of the part */
	uint64_t device, inode;
	const char *path;
	size_t path_bytes;
	bool deleted;
};

/* Each line of the map, before anything is asked about it. */
void mapobject_pass(struct mapobject *o, const struct maps_line *line);

/*
 * The object that an executable mapping belongs to from `at` on.  0;
 * -ENOEXEC: to none, which holds as far as hit->until; ASIDE_AGAIN: see
 * aside.h.  What *hit points to is good until the next call.
 */
int mapobject_find(struct mapobject *o, const struct maps_line *line,
    uint64_t at, struct mapobject_hit *hit);

/* Where one is in the loader's list; begins as zeros. */
struct mapobject_walk {
	bool begun;
	unsigned object;
	uint64_t at;
};

/*
 * Where there is no map: the next executable segment of the objects in the
 * loader's list, in ascending order, as a line of a map.  Its path is good
 * until the next call.  False: there is none.
 */
bool mapobject_next(struct mapobject_walk *w, struct maps_line *line);

#endif
