/*
 * Context: S.  Where calls of allocation functions go; doc/internals.md,
 * section 22.
 *
 * Stubs in core/arch have the names of libc's functions.  They go by
 * alloc_dispatch_table: to the real ones, or to what counts.
 */
#ifndef ALLOC_DISPATCH_H
#define ALLOC_DISPATCH_H

#include <stdbool.h>

/*
 * X(number, name): in the order of alloc_dispatch_table and
 * alloc_dispatch_real; stubs know it.
 */
#define ALLOC_DISPATCH_FUNCTIONS(X) \
	X(0, malloc) \
	X(1, free) \
	X(2, calloc) \
	X(3, realloc) \
	X(4, reallocarray) \
	X(5, posix_memalign) \
	X(6, aligned_alloc) \
	X(7, memalign) \
	X(8, valloc) \
	X(9, pvalloc) \
	X(10, cfree) \
	X(11, free_sized) \
	X(12, free_aligned_sized)

/*
 * C++'s operators: most call malloc, and are left alone.  Allocators have some
 * that do not; these come behind the functions, in the same order, and have no
 * names here: got_patch.h.
 */
#define ALLOC_DISPATCH_OPERATORS(X) \
	X(13, _Znwm) \
	X(14, _Znam) \
	X(15, _ZnwmRKSt9nothrow_t) \
	X(16, _ZnamRKSt9nothrow_t) \
	X(17, _ZnwmSt11align_val_t) \
	X(18, _ZnamSt11align_val_t) \
	X(19, _ZnwmSt11align_val_tRKSt9nothrow_t) \
	X(20, _ZnamSt11align_val_tRKSt9nothrow_t) \
	X(21, _ZdlPv) \
	X(22, _ZdaPv) \
	X(23, _ZdlPvm) \
	X(24, _ZdaPvm) \
	X(25, _ZdlPvRKSt9nothrow_t) \
	X(26, _ZdaPvRKSt9nothrow_t) \
	X(27, _ZdlPvSt11align_val_t) \
	X(28, _ZdaPvSt11align_val_t) \
	X(29, _ZdlPvmSt11align_val_t) \
	X(30, _ZdaPvmSt11align_val_t) \
	X(31, _ZdlPvSt11align_val_tRKSt9nothrow_t) \
	X(32, _ZdaPvSt11align_val_tRKSt9nothrow_t)

enum {
#define ALLOC_DISPATCH_NUMBER(number, name) ALLOC_##name = number,
	ALLOC_DISPATCH_FUNCTIONS(ALLOC_DISPATCH_NUMBER)
	ALLOC_DISPATCH_COUNT,
	ALLOC_DISPATCH_OPERATORS(ALLOC_DISPATCH_NUMBER)
#undef ALLOC_DISPATCH_NUMBER
	ALLOC_DISPATCH_ALL
};

/* Of the names.  NULL: not looked for yet. */
extern void *alloc_dispatch_table[ALLOC_DISPATCH_COUNT]
    __attribute__((visibility("hidden")));

/* What is called in the end: the next functions of these names behind ours. */
extern void *alloc_dispatch_real[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));
extern const char *const alloc_dispatch_names[ALLOC_DISPATCH_ALL];

/*
 * Where others' functions are called, got_patch.h: code that goes by another
 * way, to where alloc_dispatch_real leads now.  Our names lead behind us then,
 * as who calls them is the other one, who wraps what is behind it.
 */
extern void *const alloc_dispatch_entry[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));
extern void *alloc_dispatch_entry_table[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));
/* NULL: it has no other */
extern void *alloc_dispatch_next[ALLOC_DISPATCH_COUNT];

/* Look for them in the loader's list.  False: it has none. */
bool alloc_dispatch_find_next(void);

/*
 * Callers have been led to alloc_dispatch_entry, where others' functions are
 * first.
 */
extern bool alloc_dispatch_patched;

/*
 * Do all calls come to us?  Not where another malloc stands before ours, or an
 * allocator has operators of its own.
 */
bool alloc_dispatch_interposes(void);

/*
 * All calls go to them from now on, or are counted first where they are to be.
 */
void alloc_dispatch_update(void);

/* Calls are counted first from now on.  False: not all come to us. */
bool alloc_dispatch_start(void);

#endif
