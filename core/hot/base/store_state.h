/*
 * Context: S.  The mapped profile of the process.  The thread that makes the
 * file writes it while the state is STORE_BUSY; the seal, a failed exec and the
 * handler of SIGBUS write it later.  Part of state.h.
 */
#ifndef STORE_STATE_H
#define STORE_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The life of the store. */
enum store_state {
	STORE_NONE = 0,		/* there is no file (yet, or any more) */
	STORE_BUSY,		/* one thread is making the file */
	STORE_READY,		/* the file is mapped and takes records */
	STORE_CLOSED,		/* sealed, or given up for good */
};

/* The mapped profile of the process. */
struct store {
	_Atomic unsigned state;	/* enum store_state */
	/* number of files that this process has made; 0: none yet */
	_Atomic unsigned generation;
	unsigned char *base;	/* address of the mapping; NULL: none */
	uint64_t cap;		/* bytes mapped */
	uint64_t device, inode;	/* identity of the file; 0: memory alone */
	unsigned attempts;	/* failed attempts, and files that were lost */
	int error;		/* errno of the last failed attempt */
	/* -errno of the last request for space that was refused */
	_Atomic int refused;
	/*
	 * The system has refused space, or a file, since the last tick; no
	 * thread asks again before the next tick.
	 */
	_Atomic bool barren;
	/* CLOCK_MONOTONIC, ns, before which no new attempt is made */
	uint64_t retry_mono;
	/* an exec removed the file because it was empty */
	bool removed;
	/*
	 * The directory is on a network, so the file is elsewhere until the
	 * seal.
	 */
	bool local;
	char *path;		/* path of the file while the process runs */
	char *final;		/* if local: path of the file after the seal */
};

#endif
