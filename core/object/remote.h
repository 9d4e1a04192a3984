/*
 * Context: O.  Debug files from servers of debuginfod(8), when the user asks
 * for that: never by itself, as it tells others what runs here, and takes time.
 */
#ifndef REMOTE_H
#define REMOTE_H

#include "debugfile.h"

struct remote_sum {
	unsigned asked, found;
	bool late;		/* the time was up */
};

/*
 * Servers are asked from now on, for so many seconds in all.  0; -ENOSYS: this
 * build cannot, or its library is not here; -EDESTADDRREQ: no server is named
 * (DEBUGINFOD_URLS).
 */
int remote_allow(double seconds);

/* What has been asked so far, for the user. */
struct remote_sum remote_sum(void);

/* Of a build-id: 0; -ENOENT: there is none, or nobody may be asked. */
int remote_debugfile(struct elf_file *debug, const unsigned char *id,
    size_t bytes, struct debugfile_refused *refused);

#endif
