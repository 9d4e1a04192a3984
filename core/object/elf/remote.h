/*
 * Context: O.  Debug files from servers of debuginfod(8).  Only at the user's
 * request, as it tells others what runs here, and takes time: --debuginfod of
 * prof allows it, object_files.c asks, the footer says what came.
 */
#ifndef REMOTE_H
#define REMOTE_H

#include "elf/debugfile.h"

/* Sum of the requests to servers. */
struct remote_sum {
	unsigned asked, found;	/* numbers of files */
	bool late;		/* the time limit was reached */
};

/*
 * Allows servers to be asked from now on, for at most `seconds` in all.
 * Returns 0; -ENOSYS if this build cannot, or its library is not installed;
 * -EDESTADDRREQ if the user names no server (DEBUGINFOD_URLS).
 */
int remote_allow(double seconds);

/* Returns what has been asked so far, for a message to the user. */
struct remote_sum remote_sum(void);

/*
 * Fetches and opens the debug file with this build-id.  Returns 0, or -ENOENT
 * if there is none or servers may not be asked; *refused then may say what is
 * wrong with a file that came.
 */
int remote_debugfile(struct elf_file *debug, const unsigned char *id,
    size_t bytes, struct debugfile_refused *refused);

#endif
