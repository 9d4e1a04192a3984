/*
 * Context: O.  Another count of allocations, behind libmon.so: all that comes
 * to it is what comes to libc.  At the end it appends a line to the file
 * HEAPLOG.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t),
    *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_ulong blocks, bytes, temporary, resized;
static _Thread_local void *last;

static void *
given(void *p, size_t n)
{
	if (p != NULL) {
		blocks++;
		bytes += n;
		last = p;
	}
	return p;
}

void *
malloc(size_t n)
{
	return given(__libc_malloc(n), n);
}

void *
calloc(size_t n, size_t each)
{
	return given(__libc_calloc(n, each), n * each);
}

void *
realloc(void *p, size_t n)
{
	void *to = __libc_realloc(p, n);

	resized += p != NULL && to != NULL;
	return given(to, n);
}

void *
memalign(size_t align, size_t n)
{
	return given(__libc_memalign(align, n), n);
}

void *
aligned_alloc(size_t align, size_t n)
{
	return memalign(align, n);
}

int
posix_memalign(void **p, size_t align, size_t n)
{
	void *got = memalign(align, n);

	if (got == NULL)
		return ENOMEM;
	*p = got;
	return 0;
}

void
free(void *p)
{
	if (p != NULL && p == last) {
		temporary++;
		last = NULL;
	}
	__libc_free(p);
}

__attribute__((destructor)) static void
end(void)
{
	const char *path = getenv("HEAPLOG");
	int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND |
	    O_CLOEXEC, 0666);
	char line[200];
	int n = snprintf(line, sizeof line, "%d %lu %lu %lu %lu\n",
	    (int)getpid(), blocks, bytes, temporary, resized);

	if (fd >= 0 && write(fd, line, (size_t)n) == n)
		close(fd);
}
