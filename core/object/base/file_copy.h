/*
 * Context: O.  A private copy of a file in memory.  Pieces are read when they
 * are asked for, and a process that changes or truncates the file is noticed.
 * For elf_file.c alone.
 */
#ifndef FILE_COPY_H
#define FILE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

/* An open file and the pieces of it that were read. */
struct file_copy {
	/* Bytes of the whole file; zero where nothing was read yet */
	unsigned char *bytes;
	size_t size;
	int fd;
	/* A piece that was asked for could not be read */
	bool lost;
	unsigned char *have;	/* bit map of the pieces that were read */
	struct stat st;		/* of the file when it was opened */
};

/*
 * Opens the file at `path`.  Returns 0, -errno, or -ENOEXEC if it is no regular
 * file with bytes in it.
 */
int file_copy_open(struct file_copy *c, const char *path);
/* Closes a file that file_copy_open() has opened, and frees the copy. */
void file_copy_close(struct file_copy *c);

/*
 * Reads `bytes` bytes at `offset` into the copy, as far as they lie in the
 * file.
 */
void file_copy_fetch(struct file_copy *c, uint64_t offset, uint64_t bytes);

/*
 * Returns whether all that was asked for could be read and the file is the same
 * as when it was opened.
 */
bool file_copy_is_unchanged(const struct file_copy *c);

#endif
