/* Context: O.  Buffers that end at an unmapped page, for tests of parsers. */
#include "tail.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pages for `size` bytes, without the guard that follows them. */
static size_t
span(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

unsigned char *
tail_copy(const void *bytes, size_t size)
{
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *map = mmap(NULL, span(size) + guard,
	    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED ||
	    mprotect(map + span(size), guard, PROT_NONE) != 0)
		abort();
	if (size != 0)
		memcpy(map + span(size) - size, bytes, size);
	return map + span(size) - size;
}

void
tail_free(unsigned char *copy, size_t size)
{
	munmap(copy + size - span(size),
	    span(size) + (size_t)sysconf(_SC_PAGESIZE));
}
