/*
 * Context: S.  The functions that stubs stand for, by number, for
 * core/hot/heap, preload/memory and the stubs in core/arch/CPU.  C makes tables
 * from these lists, and the assembler makes stubs: a stub jumps by its number,
 * so the order of both is the same.  Holds macros alone.
 */
#ifndef STUB_FUNCTIONS_H
#define STUB_FUNCTIONS_H

/*
 * Lists the functions that allocate: X(number, name).  The numbers are the
 * order of alloc_dispatch_table and alloc_dispatch_real.
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
 * Lists C++'s operators new and delete in the same way, numbered behind the
 * functions.  Most implementations call malloc() and free(), and are left
 * alone.  Those of some allocators do not; libmon.so has no stubs of these
 * names, but redirects their callers (got_patch.h).
 */
#define ALLOC_DISPATCH_NEW(X) \
	X(13, _Znwm) \
	X(14, _Znam) \
	X(15, _ZnwmRKSt9nothrow_t) \
	X(16, _ZnamRKSt9nothrow_t) \
	X(17, _ZnwmSt11align_val_t) \
	X(18, _ZnamSt11align_val_t) \
	X(19, _ZnwmSt11align_val_tRKSt9nothrow_t) \
	X(20, _ZnamSt11align_val_tRKSt9nothrow_t)

#define ALLOC_DISPATCH_DELETE(X) \
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

#define ALLOC_DISPATCH_OPERATORS(X) \
	ALLOC_DISPATCH_NEW(X) \
	ALLOC_DISPATCH_DELETE(X)

/*
 * Lists the functions that map memory in the same way: the order of
 * map_dispatch_table and map_real.
 */
#define MAP_REAL_FUNCTIONS(X) \
	X(0, mmap) \
	X(1, mmap64) \
	X(2, munmap) \
	X(3, mremap) \
	X(4, brk) \
	X(5, sbrk)

#endif
