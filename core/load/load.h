/*
 * Context: O.  Reads one profile into memory, checks it and makes it ready to
 * be decoded.  While a process runs, mon.out may hold only the name of the live
 * profile and of its process (a pointer); the functions below follow it.  All
 * tools that read profiles use them.  Reading takes no lock, so the process may
 * write meanwhile; doc/format.md, "Reading a live file", shows why the copy is
 * consistent.  load_open() may then lock and truncate a file whose process is
 * gone; it does not wait for the lock.
 */
#ifndef LOAD_H
#define LOAD_H

#include "decode/decode.h"
#include "decode/snapshot.h"

#include <sys/types.h>

/* One loaded profile. */
struct load {
	/* the bytes of the file */
	struct snapshot copy;
	struct decode decode;
	/* device and inode of the file that was read, not of a pointer to it */
	dev_t device;
	ino_t inode;
};

/* nothing to report from: not a profile, gone, or nothing counted yet */
#define LOAD_OTHER 1
/*
 * not a result of the functions here: the readers of other profilers' files
 * return it when they have read all but a part, which *f names
 */
#define LOAD_PARTLY 2

/*
 * Loads the profile `path`, or the one it points to, and subtracts its
 * baseline.  Then truncates the file to what is used if its process is gone and
 * left it longer (see trim.h); the copy is not affected.  Returns 0; LOAD_OTHER
 * if the file is no profile and no pointer, is not regular, is gone, or its
 * process has counted nothing yet; or -errno.  On failure sets *f, where
 * f->file is `path`, which is borrowed.  The caller calls load_close() after a
 * success only.
 */
int load_open(struct load *l, const char *path, struct fault *f);

/*
 * Loads a profile like load_open(), but keeps its bytes as they are: no
 * baseline is subtracted, and the file is not truncated.  Results are those of
 * load_open().  For those that write the bytes again: dumps, resets and prof
 * --embed.
 */
int load_open_raw(struct load *l, const char *path, struct fault *f);

/* Frees a loaded profile. */
void load_close(struct load *l);

/*
 * Finds the profile that `path` stands for: the file itself, or the one that it
 * points to.  Stores its name in `live`, PATH_MAX bytes.  Opens the file to see
 * whether it is of the process that the pointer names.  Returns 0, LOAD_OTHER
 * or -errno as load_open(); sets *f unless it returns 0.
 */
int load_resolve_path(const char *path, char *live, struct fault *f);

/*
 * Returns whether the file begins like a profile or a pointer; false on errors.
 * Does not follow a pointer.
 */
bool load_is_profile(const char *path);

/*
 * Returns whether `path` is a partial copy "PATH.part" of a profile: its
 * process is sealing, or was killed while it did.  It is one if PATH is a
 * regular file with a pointer to a live file that can be opened, and the copy
 * has no whole header yet, or the header of the same process.
 */
bool load_is_part(const char *path);

/*
 * Reads only the header of the profile `path`, or of the one it points to, and
 * checks it.  Does not subtract a baseline.  Returns 0; LOAD_OTHER if the file
 * is no profile, is not regular or is gone; or -errno, also if its process has
 * counted nothing yet.  Unless it returns 0, *h may be partly filled.
 */
int load_header(const char *path, struct format_header *h);

#endif
