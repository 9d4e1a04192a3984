/* Context: O.  A private copy of a file; only what is asked of it is read. */
#ifndef FILECOPY_H
#define FILECOPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

struct filecopy {
	unsigned char *bytes;	/* zero where nothing was read yet */
	size_t size;
	int fd;
	bool lost;		/* something could not be read any more */
	unsigned char *have;	/* a bit a piece */
	struct stat st;
};

/* 0, -errno, or -ENOEXEC: not a regular file with bytes in it. */
int filecopy_open(struct filecopy *c, const char *path);
void filecopy_close(struct filecopy *c);

/* Read that range, as far as it lies in the file. */
void filecopy_want(struct filecopy *c, uint64_t offset, uint64_t bytes);

/* Was all that was asked there, and is the file the same as at the start? */
bool filecopy_is_true(const struct filecopy *c);

#endif
