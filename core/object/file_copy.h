/* Context: O.  A private copy of a file; only what is asked of it is read. */
#ifndef FILE_COPY_H
#define FILE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

struct file_copy {
	unsigned char *bytes;	/* zero where nothing was read yet */
	size_t size;
	int fd;
	bool lost;		/* something could not be read any more */
	unsigned char *have;	/* a bit a piece */
	struct stat st;
};

/* 0, -errno, or -ENOEXEC: not a regular file with bytes in it. */
int file_copy_open(struct file_copy *c, const char *path);
void file_copy_close(struct file_copy *c);

/* Read that range, as far as it lies in the file. */
void file_copy_fetch(struct file_copy *c, uint64_t offset, uint64_t bytes);

/* Was all that was asked there, and is the file the same as at the start? */
bool file_copy_is_unchanged(const struct file_copy *c);

#endif
