/* Context: load.  Calls that take pointers, for pointers.c. */
#ifndef POINTERS_H
#define POINTERS_H

#include <stdbool.h>
#include <stddef.h>

#define POINTERS_MOST 6

/* The objects that a good pointer points to. */
struct pointers_good {
	const void *bytes;	/* NULL: none, the argument is NULL */
	size_t n;
	size_t shown;		/* so many of them are printed after the call */
	bool wanted;		/* NULL would wait for ever */
};

struct pointers_call {
	const char *name;
	long (*call)(void *const *p);	/* -1 and errno, or a result */
	struct pointers_good good[POINTERS_MOST];
};

extern const struct pointers_call pointers_signals[], pointers_waits[];
extern const struct pointers_call pointers_others[], pointers_sleeps[];

/*
 * These have the size of a sigset_t.  None has signals 32 and 33, because glibc
 * reads 128 bytes of a set with one of these.
 */
extern unsigned long long pointers_none[16], pointers_usr1[16];
extern unsigned long long pointers_prof[16], pointers_all[16];

#define GOOD(x, shown) {&(x), sizeof(x), shown, false}
#define LIKE(x) {&(x), sizeof(x), 0, false}
/* The kernel reads and writes 8 bytes of a set. */
#define SET(x) {x, 8, 8, false}

#endif
