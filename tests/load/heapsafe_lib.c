/*
 * Context: O.  A malloc that signals' handlers may call, and leave by
 * longjmp(), in any thread at any time: lists without locks, of sizes that
 * double.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define LEAST	5u		/* 32 bytes, 16 of them ours */
#define SIZES	36u
#define ROOM	((size_t)1 << 36)

struct block {
	size_t bits;
	union {
		_Atomic(struct block *) next;
		char first[1];
	} in;
} __attribute__((aligned(16)));

/* The upper 16 bits: how often it was changed. */
static _Atomic uint64_t list[SIZES];
static _Atomic size_t used;
static char *_Atomic room;

static struct block *
pop(_Atomic uint64_t *from)
{
	uint64_t head = *from;
	struct block *b;

	do {
		b = (struct block *)(head & UINT64_MAX >> 16);
		if (b == NULL)
			return NULL;
	} while (!atomic_compare_exchange_weak(from, &head,
	    ((head >> 48) + 1) << 48 | (uintptr_t)b->in.next));
	return b;
}

static void
push(_Atomic uint64_t *to, struct block *b)
{
	uint64_t head = *to;

	do
		b->in.next = (struct block *)(head & UINT64_MAX >> 16);
	while (!atomic_compare_exchange_weak(to, &head,
	    ((head >> 48) + 1) << 48 | (uintptr_t)b));
}

static char *
place(void)
{
	char *p = room, *none = NULL;

	if (p != NULL)
		return p;
	p = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return atomic_compare_exchange_strong(&room, &none, p) ? p : none;
}

void *
malloc(size_t n)
{
	size_t bits = LEAST;
	struct block *b;

	while (((size_t)1 << bits) - offsetof(struct block, in) < n)
		if (++bits == SIZES) {
			errno = ENOMEM;
			return NULL;
		}
	b = pop(&list[bits]);
	if (b == NULL)
		b = (struct block *)(place() + atomic_fetch_add(&used,
		    (size_t)1 << bits));
	b->bits = bits;
	return b->in.first;
}

static struct block *
block_of(void *p)
{
	return (struct block *)((char *)p - offsetof(struct block, in));
}

void
free(void *p)
{
	if (p != NULL)
		push(&list[block_of(p)->bits], block_of(p));
}

void *
calloc(size_t n, size_t each)
{
	size_t bytes;
	void *p = NULL;

	if (__builtin_mul_overflow(n, each, &bytes))
		errno = ENOMEM;
	else
		p = malloc(bytes);
	return p == NULL ? NULL : memset(p, 0, bytes);
}

void *
realloc(void *p, size_t n)
{
	size_t old = p == NULL ? 0 : ((size_t)1 << block_of(p)->bits) -
	    offsetof(struct block, in);
	void *to = malloc(n);

	if (to != NULL && p != NULL) {
		memcpy(to, p, old < n ? old : n);
		free(p);
	}
	return to;
}
