/* Context: S.  The program's calls that unmap or replace code; see textmap.h. */
#include "textmap.h"

#include "mapway.h"
#include "modules.h"

#include <sys/mman.h>

#define REAL(name, type)	((type)map_real[MAP_##name])

typedef void *map_it(void *, size_t, int, int, int, long);
typedef int unmap_it(void *, size_t);
typedef void *move_it(void *, size_t, size_t, int, ...);

#define FAILED		((void *)-1)

static enum modules_text_kind
text_in(const void *at, size_t n)
{
	return modules_text_in((uintptr_t)at, n);
}

/*
 * Walks of other threads are not held up meanwhile, as they are in dlclose(3): a
 * program that moves its text keeps its unwind tables, and a fault is caught.
 */
static void
end(enum modules_text_kind kind, bool gone)
{
	if (kind == MODULES_NONE || !gone)
		return;
	modules_code_gone(kind == MODULES_OBJECT);
	/*
	 * Reads the map now, so that calls of the code that is mapped there
	 * next count for that code.
	 */
	if (kind == MODULES_OBJECT && atomic_load(&mon->shards) != NULL)
		modules_refresh();
}

/* Without MAP_FIXED the kernel replaces nothing. */
static void *
map_at(map_it *real, void *at, size_t n, int prot, int flags, int fd,
    long offset)
{
	enum modules_text_kind kind;
	void *p;

	if ((flags & MAP_FIXED) == 0)
		return real(at, n, prot, flags, fd, offset);
	kind = text_in(at, n);
	p = real(at, n, prot, flags, fd, offset);
	end(kind, p != FAILED);
	return p;
}

void *
textmap_mmap(void *at, size_t n, int prot, int flags, int fd, long offset)
{
	return map_at(REAL(mmap, map_it *), at, n, prot, flags, fd, offset);
}

void *
textmap_mmap64(void *at, size_t n, int prot, int flags, int fd, long offset)
{
	return map_at(REAL(mmap64, map_it *), at, n, prot, flags, fd, offset);
}

int
textmap_munmap(void *at, size_t n)
{
	enum modules_text_kind kind = text_in(at, n);
	int ret;

	/* A tick in the call then has no frame of ours. */
	if (kind == MODULES_NONE)
		return REAL(munmap, unmap_it *)(at, n);
	ret = REAL(munmap, unmap_it *)(at, n);
	end(kind, ret == 0);
	return ret;
}

void *
textmap_mremap(void *at, size_t n, size_t to, int flags, void *there)
{
	enum modules_text_kind from = text_in(at, n), over = MODULES_NONE;
	void *p;

	if ((flags & MREMAP_FIXED) != 0)
		over = text_in(there, to);
	if (from == MODULES_NONE && over == MODULES_NONE)
		return REAL(mremap, move_it *)(at, n, to, flags, there);
	p = REAL(mremap, move_it *)(at, n, to, flags, there);
	end(over, p != FAILED);
	end(from, p != FAILED);
	return p;
}
