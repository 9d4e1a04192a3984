/*
 * Context: S.  Tables of function pointers by which calls of allocation
 * functions go to the real functions or to those that count.  The first call of
 * a function fills them; the start, an order that asks for mode=heap, and
 * got_patch.c fill them again; doc/design/heap.md.
 *
 * The stubs in preload/memory/stubs_CPU.S have the names of libc's functions.
 * Each jumps by its word of alloc_dispatch_table, so counting is turned on and
 * off by storing other words there.
 */
#ifndef ALLOC_DISPATCH_H
#define ALLOC_DISPATCH_H

#include "stub_functions.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * ALLOC_malloc and so on: the numbers of the functions and operators, and how
 * many functions (ALLOC_DISPATCH_COUNT), and functions and operators
 * (ALLOC_DISPATCH_ALL), there are.
 */
enum {
#define ALLOC_DISPATCH_NUMBER(number, name) ALLOC_##name = number,
	ALLOC_DISPATCH_FUNCTIONS(ALLOC_DISPATCH_NUMBER)
	ALLOC_DISPATCH_COUNT,
	ALLOC_DISPATCH_OPERATORS(ALLOC_DISPATCH_NUMBER)
#undef ALLOC_DISPATCH_NUMBER
	ALLOC_DISPATCH_ALL
};

/*
 * The function that the stub of each name jumps to.  NULL: the real function
 * has not been looked for yet.
 */
extern void *alloc_dispatch_table[ALLOC_DISPATCH_COUNT]
    __attribute__((visibility("hidden")));

/*
 * The real functions, which are called in the end: the next definitions of
 * these names behind ours, or the owner's, where callers were redirected.
 * NULL: there is none, or none was looked for.
 */
extern void *alloc_dispatch_real[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));
/* The names of the functions and operators, by number. */
extern const char *const alloc_dispatch_names[ALLOC_DISPATCH_ALL];

/*
 * Where another library's functions come before ours, got_patch.h redirects the
 * callers to these stubs, alloc_dispatch_entry.  A stub jumps by its word of
 * alloc_dispatch_entry_table, in the end to the function that
 * alloc_dispatch_real has now.  The stubs with libc's names then lead to
 * alloc_dispatch_next, because only that other library, which wraps the
 * functions behind it, calls them.
 */
extern void *const alloc_dispatch_entry[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));
extern void *alloc_dispatch_entry_table[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));
/* The next definition behind ours where callers were redirected, else NULL. */
extern void *alloc_dispatch_next[ALLOC_DISPATCH_COUNT];

/*
 * Fills the functions of alloc_dispatch_real, not the operators, from the
 * loader's list of objects, without its lock.  Returns false if that has no
 * malloc().  hook_resolve.c calls it at the first call of an allocation
 * function, and got_patch.c.
 */
bool alloc_dispatch_find_next(void);

/*
 * Set once callers have been redirected to alloc_dispatch_entry, because
 * another library's functions come before ours.
 */
extern bool alloc_dispatch_patched;

/*
 * Returns whether all calls reach libmon.so.  They do not if another malloc()
 * comes before ours, or if an allocator has operators of its own, unless their
 * callers have been redirected.
 */
bool alloc_dispatch_interposes(void);

/*
 * Returns the modes that no order can turn on: FORMAT_MODE_MEMORY if not all
 * calls reach libmon.so.
 */
uint32_t alloc_dispatch_no_modes(void);

/*
 * Makes the tables agree with the configuration and the modes: from now on
 * calls are counted first, or go straight to the real functions.  Those that
 * call alloc_dispatch_find_next() call it then.
 */
void alloc_dispatch_update(void);

/* Stubs that count all calls, or chosen ones only: core/arch/CPU/heap.S. */
extern void *const alloc_dispatch_counting[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));
extern void *const alloc_dispatch_sampling[ALLOC_DISPATCH_ALL]
    __attribute__((visibility("hidden")));

/*
 * Sets the stubs to which calls go while all of them are counted, or chosen
 * ones only, by number.  The start calls it once, before `mon` is set; a fork
 * child keeps them.  The stubs are not named here, because they call what takes
 * orders, which calls alloc_dispatch_start().
 */
void alloc_dispatch_set_stubs(void *const *counting, void *const *sampling);

/*
 * Stands for a function that no library has, and for libc's where that is not
 * found before libmon.so is relocated: returns NULL.
 */
void *alloc_dispatch_missing(void) __attribute__((visibility("hidden")));

/*
 * Stands for posix_memalign(3) likewise: returns ENOMEM, as 0 would say that
 * there is a block.
 */
int alloc_dispatch_missing_posix(void) __attribute__((visibility("hidden")));

/*
 * Makes the tables count calls from now on, those that map memory as well, as
 * configured.  The start calls it, and an order that asks for mode=heap, in any
 * thread.  Where no call has been made yet, the first one fills the tables.
 * alloc_dispatch_set_stubs() has run.  Returns false if not all calls reach
 * libmon.so; then allocations are not counted, but mappings are.
 */
bool alloc_dispatch_start(void);

#endif
