/* Context: S.  /proc/PID/maps, line by line. */
#ifndef MAPS_H
#define MAPS_H

#include "sys.h"

struct maps_line {
	uint64_t start, end, offset;
	uint64_t device, inode;
	uint64_t head;		/* where its offset 0 is mapped, 0 unknown */
	bool readable, writable, executable, shared, deleted;
	const char *path;	/* NUL-terminated, "" for anonymous memory */
	size_t path_bytes;
};

typedef void maps_visit(const struct maps_line *line, void *arg);

/*
 * Every mapping, ascending; pid 0 is the caller.  buf: room for the longest
 * line.  0 or -errno.
 */
int maps_read(int pid, char *buf, size_t room, maps_visit *visit, void *arg);

/*
 * Keeps a copy of the memory map, for this process and its fork children when
 * /proc is out of reach later.  Must run by aside().  Returns 0 or -errno.
 */
int maps_keep(void *unused);

/*
 * Does what maps_read() does, from the copy that maps_keep() made.  Returns
 * -ENOENT if there is none.
 */
int maps_read_kept(char *buf, size_t room, maps_visit *visit, void *arg);

#endif
