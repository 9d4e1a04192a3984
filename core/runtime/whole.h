/* Context: T.  A file that replaces another is there whole, or not at all. */
#ifndef WHOLE_H
#define WHOLE_H

#include <stddef.h>
#include <stdint.h>

/* Write all of it to fd: 0 or -errno. */
typedef int whole_content(int fd, void *arg);

/*
 * Written beside `path`, as PATH.part.PID, and renamed; where the directory
 * takes no new name, over what is there.  No link is followed.  Mode 0666, less
 * the umask.  0 or -errno.
 */
int whole_write(const char *path, whole_content *content, void *arg);

/* For contents. */
int whole_put(int fd, const void *bytes, size_t n);

/* The same by small parts; what goes wrong is said at the end. */
struct whole_parts {
	int fd;
	int error;		/* -errno of the first, then nothing is done */
	size_t used;
	unsigned char bytes[2048];
};

void whole_add(struct whole_parts *w, const void *bytes, size_t n);
/* A number of so many bytes, at most 8. */
void whole_add_number(struct whole_parts *w, uint64_t value, unsigned bytes);
int whole_end(struct whole_parts *w);

#endif
