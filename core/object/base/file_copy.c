/*
 * Context: O.  A private copy of a file, read piece by piece, for elf_file.c;
 * see file_copy.h.
 */
#include "base/file_copy.h"

#include "base/regular_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * A mapping of the file itself raises SIGBUS when a process truncates the file,
 * and its bytes can change between a check and a use.  To copy all of it is
 * slow: a browser has 250 MB, of which the symbols are little.  So each piece
 * is read once, when it is asked for.
 */
#define PIECE	16384u		/* as fast as 4096 and 65536 on 33 MB of cc1 */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE	23	/* Linux 5.14 */
#endif

/* Reserves memory for the whole file.  Returns 0 or -ENOMEM. */
static int
file_copy_alloc(struct file_copy *c)
{
	c->size = (size_t)c->st.st_size;
	c->have = calloc(c->size / PIECE / 8 + 1, 1);
	if (c->have == NULL)
		return -ENOMEM;
	c->bytes = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (c->bytes != MAP_FAILED)
		return 0;
	c->bytes = NULL;
	return -ENOMEM;
}

int
file_copy_open(struct file_copy *c, const char *path)
{
	int ret = -ENOEXEC;

	memset(c, 0, sizeof(*c));
	c->fd = regular_file_open(path, 0, &c->st);
	if (c->fd < 0)
		return c->fd;
	if (c->st.st_size > 0)
		ret = file_copy_alloc(c);
	if (ret != 0)
		file_copy_close(c);
	return ret;
}

void
file_copy_close(struct file_copy *c)
{
	if (c->bytes != NULL)
		munmap(c->bytes, c->size);
	free(c->have);
	close(c->fd);
	memset(c, 0, sizeof(*c));
}

static bool
has_piece(const struct file_copy *c, size_t piece)
{
	return (c->have[piece / 8] >> piece % 8 & 1) != 0;
}

/*
 * Reads the pieces from `first` up to `end`.  Sets c->lost if the file does not
 * have all of them.
 */
static void
read_pieces(struct file_copy *c, size_t first, size_t end)
{
	size_t at = first * PIECE;
	const size_t stop = c->size / PIECE < end ? c->size : end * PIECE;

	for (size_t piece = first; piece < end; piece++)
		c->have[piece / 8] |= (unsigned char)(1u << piece % 8);
	/* One call is cheaper than the page fault of each page. */
	madvise(c->bytes + at, stop - at, MADV_POPULATE_WRITE);
	while (at < stop) {
		ssize_t n = pread(c->fd, c->bytes + at, stop - at, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			c->lost = true;
			return;
		}
		at += (size_t)n;
	}
}

void
file_copy_fetch(struct file_copy *c, uint64_t offset, uint64_t bytes)
{
	size_t last, first;

	if (offset >= c->size || bytes == 0)
		return;
	if (bytes > c->size - offset)
		bytes = c->size - offset;
	last = (offset + bytes - 1) / PIECE;
	for (size_t piece = offset / PIECE; piece <= last; piece++) {
		if (has_piece(c, piece))
			continue;
		first = piece;
		while (piece < last && !has_piece(c, piece + 1))
			piece++;
		read_pieces(c, first, piece + 1);
	}
}

bool
file_copy_is_unchanged(const struct file_copy *c)
{
	struct stat now;

	return !c->lost && fstat(c->fd, &now) == 0 &&
	    now.st_size == c->st.st_size &&
	    now.st_mtim.tv_sec == c->st.st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == c->st.st_mtim.tv_nsec;
}
