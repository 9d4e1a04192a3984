/* Context: O.  Tests of core/hot/base/mmap_area.c. */
#include "base/mmap_area.h"
#include "base/state.h"
#include "target.h"

#include <criterion/criterion.h>
#include <string.h>

#define PAGE	4096u
#define FAR	((uintptr_t)1 << 30)

TestSuite(mmap_area, .init = target_init, .fini = target_fini);

static void *
at_null(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	cr_assert_neq(p, MAP_FAILED);
	return p;
}

static uintptr_t
between(const void *a, const void *b)
{
	return a < b ? (uintptr_t)b - (uintptr_t)a :
	    (uintptr_t)a - (uintptr_t)b;
}

/* The kernel looks first in the hole that the program made last. */
Test(mmap_area, not_in_the_holes_of_others)
{
	char *hole = at_null(16 * PAGE), *p;

	munmap(hole, 16 * PAGE);
	p = mmap_area_alloc(PAGE);
	cr_assert_not_null(p);
	cr_expect(mmap_area_contains(p, PAGE));
	cr_expect_gt(between(p, hole), FAR);
	p[0] = p[PAGE - 1] = 1;
	cr_expect_eq(at_null(16 * PAGE), hole, "the kernel has it still");
	mmap_area_unmap(p, PAGE);
}

Test(mmap_area, one_behind_the_other)
{
	char *a = mmap_area_alloc(PAGE), *b = mmap_area_alloc(3 * PAGE - 1), *c;

	cr_expect_eq(b, a + PAGE);
	c = mmap_area_alloc(PAGE);
	cr_expect_eq(c, b + 3 * PAGE);
	mmap_area_unmap(c, PAGE);
	mmap_area_unmap(b, 3 * PAGE - 1);
	cr_expect_eq(mmap_area_alloc(PAGE), b, "the last are used again");
}

/* Another mapping is there and stays. */
Test(mmap_area, replaces_nothing)
{
	char *a = mmap_area_alloc(PAGE), *b, *other;

	other = mmap(a + PAGE, 64 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	cr_assert_eq(other, a + PAGE);
	memset(other, 7, 64 * PAGE);
	b = mmap_area_alloc(PAGE);
	cr_assert_not_null(b);
	cr_expect(b < other || b >= other + 64 * PAGE);
	cr_expect(mmap_area_contains(b, PAGE));
	cr_expect_eq(other[0], 7);
	cr_expect_eq(other[64 * PAGE - 1], 7);
}

/* Runtimes of languages reserve more than the region has. */
Test(mmap_area, goes_on_in_a_further_region)
{
	char *a = mmap_area_alloc(PAGE), *b, *c;
	const size_t whole = (size_t)48 << 30;
	char *other = mmap(a + PAGE, whole, PROT_NONE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	cr_assert_eq(other, a + PAGE);
	b = mmap_area_alloc(PAGE);
	cr_assert_not_null(b);
	cr_expect_gt(between(a, b), whole);
	cr_expect(mmap_area_contains(b, PAGE));
	cr_expect(mmap_area_has_placed((uintptr_t)b, (uintptr_t)b + PAGE));
	cr_expect(mmap_area_has_placed((uintptr_t)a, (uintptr_t)a + PAGE));
	c = mmap_area_map_sparse(PAGE, 64 << 20, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	cr_expect_eq(c, b + PAGE);
	mmap_area_unmap(c, 64 << 20);
	cr_expect_eq(mmap_area_alloc(PAGE), c, "the last are used again");
	b[0] = c[0] = 1;
	/* the holes of the program are its own */
	a = at_null(16 * PAGE);
	munmap(a, 16 * PAGE);
	cr_expect_gt(between(mmap_area_alloc(PAGE), a), FAR);
}

Test(mmap_area, sparse)
{
	const size_t cap = 64 << 20;
	char *p = mmap_area_map_sparse(PAGE, cap, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	cr_assert_not_null(p);
	p[0] = p[cap - 1] = 1;
	cr_expect(mmap_area_contains(p, cap));
	cr_expect_eq(mmap_area_alloc(PAGE), p + cap);
}

/* A mapping that the kernel refuses is not tried again elsewhere. */
Test(mmap_area, refused)
{
	cr_expect_null(mmap_area_map(PAGE, PROT_READ, MAP_SHARED, -1));
	cr_expect_null(mmap_area_alloc((size_t)1 << 60));
}
