/* Context: O.  One profile file, read and decoded. */
#ifndef LOAD_H
#define LOAD_H

#include "decode.h"
#include "snapshot.h"

#include <sys/types.h>

struct load {
	struct snapshot copy;
	struct decode decode;
	dev_t device;		/* of the file that was read in the end */
	ino_t inode;
};

#define LOAD_OTHER 1		/* not a profile, not yet, nor a pointer */
#define LOAD_PARTLY 2		/* read except for a part; *f says which */

/* 0, LOAD_OTHER, or -errno; *f is set unless 0. */
int load_open(struct load *l, const char *path, struct fault *f);

/*
 * The same, with what was counted before it began anew: its bytes as they are.
 */
int load_open_raw(struct load *l, const char *path, struct fault *f);
void load_close(struct load *l);

/*
 * The file that the name stands for: itself, or the one that it points to; of
 * PATH_MAX bytes.  0, LOAD_OTHER, or -errno; *f is set unless 0.
 */
int load_resolve_path(const char *path, char *live, struct fault *f);

/* Does the file begin as a profile (or a pointer)?  Quiet; false on errors. */
bool load_is_profile(const char *path);

/*
 * Is `path` the copy "PATH.part" that a seal had not finished when its process
 * was killed?  It is, if PATH is a pointer to the live file of that process,
 * which can be read.
 */
bool load_is_part(const char *path);

/* Only the header, checked.  0, LOAD_OTHER or -errno. */
int load_header(const char *path, struct format_header *h);

#endif
