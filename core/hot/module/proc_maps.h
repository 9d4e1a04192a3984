/*
 * Context: S.  Reads /proc/PID/maps line by line.  module_table.c, run.c,
 * mmap_unlock.c and profil.c read maps, behind private_fds_run(); precreate.c
 * saves a copy.  Not in a frozen process.
 */
#ifndef PROC_MAPS_H
#define PROC_MAPS_H

#include "base/sys.h"

/* A mapping.  device: major number in the upper 32 bits, minor in the lower. */
struct proc_maps_line {
	uint64_t start, end, offset;
	uint64_t device, inode;
	/* where offset 0 of its file is mapped, 0: not known */
	uint64_t head;
	bool readable, writable, executable, shared, deleted;
	const char *path;	/* NUL-terminated, "" for anonymous memory */
	size_t path_bytes;
};

/* Receives a line, which is valid during the call only. */
typedef void proc_maps_visit(const struct proc_maps_line *line, void *arg);

/*
 * Calls visit(line, arg) for every mapping, by ascending address.  pid 0 means
 * the caller.  buf: room for the longest line.  Opens a descriptor: beside
 * other threads, call it in private_fds_run().  Returns 0 or -errno; -E2BIG at
 * a line that is too long.
 */
int proc_maps_read(int pid, char *buf, size_t room, proc_maps_visit *visit,
    void *arg);

/*
 * Keeps a copy of the memory map, 1 MiB at most, for fork children when /proc
 * is out of reach later.  private_fds_run() has to run it.  Returns 0; -ENOMEM;
 * or the -errno of the open.
 */
int proc_maps_save(void *unused);

/*
 * Does what proc_maps_read() does for the caller, from the copy that
 * proc_maps_save() made.  Returns 0; -ENOENT if there is none; or -E2BIG.
 * Makes no system call.
 */
int proc_maps_read_saved(char *buf, size_t room, proc_maps_visit *visit,
    void *arg);

#endif
