/*
 * Context: S.  Finds the object that a mapping belongs to;
 * doc/design/modules.md.
 *
 * The ELF header in memory, the loader's list and the load bias identify an
 * object.  Path, device and inode of a mapping only name it.  module_table.c
 * uses these functions; only the thread that reads the memory map may call
 * them, behind private_fds_run().  They use mon->module_name, mon->module_bytes
 * and mon->loaded.
 */
#ifndef MAPPED_OBJECT_H
#define MAPPED_OBJECT_H

#include "module/elf_headers.h"
#include "module/proc_maps.h"

/* State of one pass over the memory map, by ascending address. */
struct mapped_object {
	/* address where the last file seen so far has its first page, or 0 */
	uint64_t head;
	uint64_t device, inode;	/* of that file; path: mon->module_name */
	bool deleted;
	bool asked;		/* low and high are those of `head` */
	uint64_t low, high;	/* bounds of the object at `head`, or 0 */
	bool listed;		/* the loader's list was read */
};

/*
 * An object, and the part of a mapping that belongs to it.  Filled by
 * mapped_object_find().
 */
struct mapped_object_hit {
	struct elf_headers elf;
	uint64_t head;		/* where its ELF header is mapped, or 0 */
	uint64_t until;		/* end of the part */
	uint64_t device, inode;
	const char *path;
	size_t path_bytes;
	bool deleted;
};

/*
 * Notes a line of the map.  The caller passes each line, by ascending address,
 * before it calls mapped_object_find() for that line.
 */
void mapped_object_note_line(struct mapped_object *o,
    const struct proc_maps_line *line);

/*
 * Finds the object that an executable mapping belongs to from the address `at`
 * on.  Returns 0; -ENOEXEC if it belongs to no object up to hit->until;
 * PRIVATE_FDS_RETRY: see private_fds.h.  The path in *hit is valid until the
 * next call, and as long as that of the line.
 */
int mapped_object_find(struct mapped_object *o,
    const struct proc_maps_line *line, uint64_t at,
    struct mapped_object_hit *hit);

/* A position in the loader's list; begins as zeros. */
struct mapped_object_walk {
	bool begun;
	unsigned object;
	uint64_t at;
};

/*
 * Replaces the map where /proc is missing: writes the next executable segment
 * of the objects in the loader's list, by ascending address, as a line of a
 * map.  The line's path is valid until the next call.  Returns false after the
 * last one.
 */
bool mapped_object_next(struct mapped_object_walk *w,
    struct proc_maps_line *line);

#endif
