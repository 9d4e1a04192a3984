/*
 * Context: O. Tests of core/hot/heap/alloc_dispatch.c: functions that no
 * library has.
 */
#include "heap/alloc_dispatch.h"
#include "target.h"

#include <criterion/criterion.h>
#include <errno.h>

TestSuite(alloc_dispatch, .init = target_init, .fini = target_fini);

typedef int posix(void **block, size_t alignment, size_t bytes);
typedef void *aligned(size_t alignment, size_t bytes);

Test(alloc_dispatch, a_missing_function_has_no_memory)
{
	void *block = NULL;

	alloc_dispatch_real[ALLOC_posix_memalign] = NULL;
	alloc_dispatch_real[ALLOC_aligned_alloc] = NULL;
	alloc_dispatch_update();
	cr_expect_eq(((posix *)alloc_dispatch_table[ALLOC_posix_memalign])(
	    &block, 64, 100), ENOMEM);
	cr_expect_null(block);
	cr_expect_null(((aligned *)alloc_dispatch_table[ALLOC_aligned_alloc])(
	    64, 128));
}
