/*
 * Context: O.  Finds the threads of processes that run already, so that they
 * can be sampled, and tells when the processes have ended.
 * recording_attached.c (tprof monitor -p) and top_kernel.c own a struct
 * attached; sampler_open.c asks for its threads.
 */
#ifndef ATTACHED_H
#define ATTACHED_H

#include "base/hash_index.h"
#include "fault.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A process that runs already. */
struct attached_process {
	pid_t pid;
	char name[16];		/* the number as text */
	uint64_t start;		/* start in real time, ns */
	bool ended;
};

/* Processes that run already. */
struct attached {
	struct attached_process *all;
	size_t count;
	size_t running;		/* those that have not ended */
	pid_t *tids;		/* their threads, in the order found */
	size_t tid_count, tid_room;
	struct hash_index by_tid;	/* numbers in `tids` */
	/*
	 * epoll(7): readable when attached_have_ended() is to be called, or
	 * when a descriptor of attached_watch() is readable
	 */
	int news;
	int timer;		/* timerfd(2) */
};

/*
 * Finds the processes of a list such as "12,13".  Returns 0; -EINVAL with *f
 * set if the list is none (f->errnum 0); or another -errno with *f set.  *f
 * borrows texts of *a and `pids`.  The caller calls attached_close() in every
 * case.
 */
int attached_open(struct attached *a, const char *pids, struct fault *f);

/*
 * Makes a->news readable while fd is.  fd stays the caller's; -1: it could not
 * be opened, and errno says why.  Returns 0, or -errno with *f set.
 */
int attached_watch(struct attached *a, int fd, struct fault *f);

/*
 * Adds the threads that are not in a->tids yet, before the sampler starts.
 * Returns their number, or -ENOMEM.
 */
ssize_t attached_find_threads(struct attached *a);

/*
 * Returns whether all processes have ended, and reads a->timer, which made
 * a->news readable.  The caller reads the descriptors of attached_watch().  Any
 * thread may call this function, one at a time: the reading thread of a sampler
 * does.
 */
bool attached_have_ended(struct attached *a);

/* Closes and frees everything. */
void attached_close(struct attached *a);

#endif
