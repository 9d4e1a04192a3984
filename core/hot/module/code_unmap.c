/*
 * Context: S.  Forwards the program's calls that unmap or replace code, for the
 * stubs of mappings and map_hooks.c, in any thread and any signal handler; see
 * code_unmap.h.
 */
#include "module/code_unmap.h"

#include "heap/map_real.h"
#include "module/modules.h"

#include <sys/mman.h>

#define REAL(name, type)	((type)map_real[MAP_##name])

typedef void *real_mmap_function(void *, size_t, int, int, int, long);
typedef int real_munmap_function(void *, size_t);
typedef void *real_mremap_function(void *, size_t, size_t, int, ...);

#define FAILED		((void *)-1)

/* Returns the kind of code that the table of modules has in n bytes at `at`. */
static enum modules_code_kind
code_kind_at(const void *at, size_t n)
{
	return modules_code_kind_in((uintptr_t)at, n);
}

/*
 * Has the map read again if the call has unmapped code (gone).  Does not hold
 * up walks of other threads, as dlclose(3) does: a program that moves its text
 * keeps its unwind tables, and a memory fault is caught.
 */
static void
note_unmapped_code(enum modules_code_kind kind, bool gone)
{
	if (kind == MODULES_NO_CODE || !gone)
		return;
	modules_note_code_gone(kind == MODULES_OBJECT);
	/*
	 * Reads the map now, so that calls of the code that is mapped there
	 * next count for that code.
	 */
	if (kind == MODULES_OBJECT && atomic_load(&mon->shards) != NULL)
		modules_refresh();
}

/* Without MAP_FIXED the kernel replaces nothing. */
static void *
map_over_code(real_mmap_function *real, void *at, size_t n, int prot, int flags,
    int fd, long offset)
{
	enum modules_code_kind kind;
	void *p;

	if ((flags & MAP_FIXED) == 0)
		return real(at, n, prot, flags, fd, offset);
	kind = code_kind_at(at, n);
	p = real(at, n, prot, flags, fd, offset);
	note_unmapped_code(kind, p != FAILED);
	return p;
}

void *
code_unmap_mmap(void *at, size_t n, int prot, int flags, int fd, long offset)
{
	return map_over_code(REAL(mmap, real_mmap_function *), at, n, prot,
	    flags, fd, offset);
}

void *
code_unmap_mmap64(void *at, size_t n, int prot, int flags, int fd, long offset)
{
	return map_over_code(REAL(mmap64, real_mmap_function *), at, n, prot,
	    flags, fd, offset);
}

int
code_unmap_munmap(void *at, size_t n)
{
	enum modules_code_kind kind = code_kind_at(at, n);
	int ret;

	/* A tick during the call then has no frame of libmon.so. */
	if (kind == MODULES_NO_CODE)
		return REAL(munmap, real_munmap_function *)(at, n);
	ret = REAL(munmap, real_munmap_function *)(at, n);
	note_unmapped_code(kind, ret == 0);
	return ret;
}

void *
code_unmap_mremap(void *at, size_t n, size_t to, int flags, void *there)
{
	enum modules_code_kind from = code_kind_at(at, n), over =
	    MODULES_NO_CODE;
	void *p;

	if ((flags & MREMAP_FIXED) != 0)
		over = code_kind_at(there, to);
	if (from == MODULES_NO_CODE && over == MODULES_NO_CODE)
		return REAL(mremap, real_mremap_function *)(at, n, to, flags,
		    there);
	p = REAL(mremap, real_mremap_function *)(at, n, to, flags, there);
	note_unmapped_code(over, p != FAILED);
	note_unmapped_code(from, p != FAILED);
	return p;
}
