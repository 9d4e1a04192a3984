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

/* Reads one piece.  Sets c->lost if the file does not have all of it. */
static void
file_copy_read(struct file_copy *c, size_t piece)
{
	size_t at = piece * PIECE;
	size_t end = c->size - at < PIECE ? c->size : at + PIECE;

	c->have[piece / 8] |= (unsigned char)(1u << piece % 8);
	while (at < end) {
		ssize_t n = pread(c->fd, c->bytes + at, end - at, (off_t)at);

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
	if (offset >= c->size || bytes == 0)
		return;
	if (bytes > c->size - offset)
		bytes = c->size - offset;
	for (size_t piece = offset / PIECE; piece * PIECE < offset + bytes;
	    piece++)
		if ((c->have[piece / 8] >> piece % 8 & 1) == 0)
			file_copy_read(c, piece);
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
