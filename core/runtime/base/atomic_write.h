/*
 * Context: T.  Writes the files of classic formats (format=, monitor(3C),
 * gmon.out), for the writers of the room classic: each replaces another one
 * whole or not at all, where the directory takes a new name.  May run in a
 * signal handler: calls no libc.
 */
#ifndef ATOMIC_WRITE_H
#define ATOMIC_WRITE_H

#include <stddef.h>
#include <stdint.h>

/* Writes all of a file's content to fd.  Returns 0 or -errno. */
typedef int atomic_write_fn(int fd, void *arg);

/*
 * Writes a file beside `path`, as PATH.part.PID, and renames it to `path`; if
 * the directory takes no new name, overwrites the regular file that is there.
 * Follows no link.  Mode 0666, less the umask.  content(fd, arg) writes the
 * content.  Opens a descriptor in the caller's table: a caller that must not
 * show it uses private_fds_run().  Blocks SIGXFSZ meanwhile.  Returns 0 or
 * -errno.
 */
int atomic_write_file(const char *path, atomic_write_fn *content, void *arg);

/* Writes n bytes to fd.  For content functions.  Returns 0 or -errno. */
int atomic_write_bytes(int fd, const void *bytes, size_t n);

/*
 * A buffer for content functions that write small parts.  They set `fd` and
 * zero the rest; atomic_write_flush() returns the first error.
 */
struct atomic_write_buffer {
	int fd;
	/* -errno of the first failure; then nothing is written */
	int error;
	size_t used;
	unsigned char bytes[2048];
};

/* Appends n bytes, and notes an error in w->error. */
void atomic_write_add(struct atomic_write_buffer *w, const void *bytes,
    size_t n);
/* Appends a little-endian number of `bytes` bytes, at most 8. */
void atomic_write_number(struct atomic_write_buffer *w, uint64_t value,
    unsigned bytes);

/* Writes what is in the buffer.  Returns 0 or -errno of the first failure. */
int atomic_write_flush(struct atomic_write_buffer *w);

#endif
