/* Context: T.  A file that replaces another is there whole, or not at all. */
#ifndef ATOMIC_WRITE_H
#define ATOMIC_WRITE_H

#include <stddef.h>
#include <stdint.h>

/* Write all of it to fd: 0 or -errno. */
typedef int atomic_write_fn(int fd, void *arg);

/*
 * Written beside `path`, as PATH.part.PID, and renamed; where the directory
 * takes no new name, over what is there.  No link is followed.  Mode 0666, less
 * the umask.  0 or -errno.
 */
int atomic_write_file(const char *path, atomic_write_fn *content, void *arg);

/* For contents. */
int atomic_write_bytes(int fd, const void *bytes, size_t n);

/* The same by small parts; what goes wrong is said at the end. */
struct atomic_write_buffer {
	int fd;
	int error;		/* -errno of the first, then nothing is done */
	size_t used;
	unsigned char bytes[2048];
};

void atomic_write_add(struct atomic_write_buffer *w, const void *bytes,
    size_t n);
/* A number of so many bytes, at most 8. */
void atomic_write_number(struct atomic_write_buffer *w, uint64_t value,
    unsigned bytes);
int atomic_write_flush(struct atomic_write_buffer *w);

#endif
