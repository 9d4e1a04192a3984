/* Context: O.  Tests of core/hot/heap_paths/path_cache_table.c. */
#include "heap_paths/path_cache.h"
#include "heap_paths/path_cache_table.h"
#include "target.h"

#include <criterion/criterion.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#define DEPTH	300u
#define STACK	4096u		/* words */
#define BEYOND	65536u		/* address that no one may read */

/*
 * A stack of the test's own, and calls from it whose frames are one word each.
 */
static uintptr_t *words;
static struct path_cache_stack stack;
static struct path_cache *r;

static void
begin(void)
{
	target_init();
	words = mmap(NULL, (STACK + BEYOND) * sizeof *words, PROT_NONE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_eq(mprotect(words, STACK * sizeof *words,
	    PROT_READ | PROT_WRITE), 0);
	stack.low = (uintptr_t)words;
	stack.high = (uintptr_t)(words + STACK);
	r = aligned_alloc(64, (sizeof *r + 63) & ~(size_t)63);
	memset(r, 0, sizeof *r);
	path_cache_table_init(r, 1);
	r->frame = calloc(DEPTH, sizeof *r->frame);
	r->word = calloc(DEPTH, sizeof *r->word);
	r->last = 0;
}

static void
end(void)
{
	free(r->frame);
	free(r->word);
	free(r);
	munmap(words, (STACK + BEYOND) * sizeof *words);
	target_fini();
}

TestSuite(path_cache_table, .init = begin, .fini = end);

/*
 * By n frames, the innermost at words[at], each with a word of `pcs` above it.
 */
static struct alloc_caller
call(unsigned at, unsigned n, const uintptr_t *pcs)
{
	uint64_t frames = 0;

	for (unsigned i = 0; i < n; i++) {	/* outermost first */
		struct path_cache_frame *f = &r->frame[i];

		*f = (struct path_cache_frame){ .pc = pcs[i],
		    .sp = (uintptr_t)&words[at + n - 1 - i], .words = i };
		f->frames = frames = path_cache_table_hash(frames, f->pc);
		if (i == 0)
			continue;
		f->ra_at = f->sp;
		words[at + n - 1 - i] = pcs[i - 1];
		r->word[i - 1] = (struct path_cache_word){ f->ra_at,
		    pcs[i - 1] };
	}
	r->count = n;
	return (struct alloc_caller){ .pc = pcs[n - 1],
	    .sp = (uintptr_t)&words[at] };
}

static uint32_t
learn(uint32_t heap)
{
	r->heap = heap;
	path_cache_table_insert(r);
	return r->last;
}

Test(path_cache_table, again_is_all_the_same_words)
{
	static const uintptr_t pcs[] = { 11, 22, 33, 44 };
	struct alloc_caller from = call(100, 4, pcs);

	learn(7);
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 7);
	for (unsigned i = 100; i < 103; i++) {
		words[i] ^= 8;
		cr_expect_eq(path_cache_table_last(r, &from, &stack), 0, "%u",
		    i);
		words[i] ^= 8;
	}
	from.pc++;
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 0);
	from.pc--;
	from.sp += 8;
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 0);
}

Test(path_cache_table, words_that_changed_places_are_others)
{
	static const uintptr_t pcs[] = { 11, 22, 33, 44, 55 };
	struct alloc_caller from = call(100, 5, pcs);
	uintptr_t word = words[100];

	learn(7);
	words[100] = words[102];
	words[102] = word;
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 0);
}

Test(path_cache_table, what_came_after_it_is_followed)
{
	uintptr_t pcs[] = { 11, 22, 33 };
	struct alloc_caller from[6];

	/* The first, and after it each of the others. */
	for (unsigned i = 1; i < 6; i++) {
		pcs[1] = 22;
		from[0] = call(100, 3, pcs);
		if (!path_cache_table_find(r, &stack))
			learn(1);
		pcs[1] = 100 * i;
		from[i] = call(100, 3, pcs);
		learn(i + 1);
	}
	for (unsigned i = 1; i < 6; i++) {
		pcs[1] = 22;
		call(100, 3, pcs);
		cr_assert(path_cache_table_find(r, &stack));
		pcs[1] = 100 * i;
		call(100, 3, pcs);
		/* Four are remembered: the first gave way to the fifth. */
		cr_expect_eq(path_cache_table_next(r, &from[i], &stack),
		    i == 1 ? 0 : i + 1, "%u", i);
	}
}

Test(path_cache_table, registers_count_where_they_are_needed)
{
	static const uintptr_t pcs[] = { 11, 22, 33 };
	struct alloc_caller from = call(100, 3, pcs);

	from.fp = r->frame[2].fp = 1000;
	from.base = 5;
	r->frame[2].needs = PATH_CACHE_FP;
	learn(7);
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 7);
	from.base = 6;
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 7);
	from.fp = 1008;
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 0);
}

Test(path_cache_table, no_word_beyond_the_stack_is_read)
{
	static const uintptr_t pcs[] = { 11, 22, 33 };
	const struct alloc_caller from = call(100, 3, pcs);
	struct path_cache_stack less = stack;

	learn(7);
	less.high = (uintptr_t)&words[102];
	cr_expect_eq(path_cache_table_last(r, &from, &less), 7);
	less.high = (uintptr_t)&words[101];
	cr_expect_eq(path_cache_table_last(r, &from, &less), 0);
}

/*
 * A second thread takes over an alloc_thread.  Its stack ends earlier: it calls
 * by the same frames from the same place, with a frame in between that is
 * smaller.
 */
Test(path_cache_table, no_word_beyond_the_next_threads_stack_is_read)
{
	static const uintptr_t pcs[] = { 11, 22, 33 };
	struct path_cache_stack less = stack;
	uint32_t line;

	call(100, 3, pcs);
	r->frame[1].sp = r->frame[1].ra_at = (uintptr_t)&words[900];
	r->word[0] = (struct path_cache_word){ (uintptr_t)&words[900], 11 };
	words[900] = 11;
	line = learn(7);
	r->last = 0;
	cr_assert(path_cache_table_find(r, &stack));
	cr_expect_eq(r->last, line);
	words[101] = 11;
	less.high = (uintptr_t)&words[900];
	cr_assert(path_cache_table_find(r, &less));
	cr_expect_neq(r->last, line);
	cr_expect_eq(r->heap, 7);
}

Test(path_cache_table, from_another_place_of_the_stack_it_is_the_same)
{
	static const uintptr_t pcs[] = { 11, 22, 33 };
	struct alloc_caller from = call(100, 3, pcs);
	const uint32_t first = learn(7);
	uint32_t second;

	from = call(200, 3, pcs);
	r->heap = 0;
	cr_assert(path_cache_table_find(r, &stack));
	cr_expect_eq(r->heap, 7);
	second = r->last;
	cr_expect_neq(second, first);
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 7);
	call(100, 3, pcs);
	cr_assert(path_cache_table_find(r, &stack));
	cr_expect_eq(r->last, first);
	call(200, 3, pcs);
	cr_assert(path_cache_table_find(r, &stack));
	cr_expect_eq(r->last, second);
}

/* A function takes stack as it likes: the table does not grow with it. */
Test(path_cache_table, from_anywhere_it_takes_four_records)
{
	static const uintptr_t pcs[] = { 11, 22, 33 };
	struct alloc_caller from = call(100, 3, pcs);
	uint32_t used;

	learn(7);
	for (unsigned at = 101; at < 104; at++) {
		call(at, 3, pcs);
		cr_assert(path_cache_table_find(r, &stack));
	}
	used = r->used;
	for (unsigned at = 104; at < 4000; at++) {
		from = call(at, 3, pcs);
		r->heap = 0;
		cr_assert(path_cache_table_find(r, &stack));
		cr_assert_eq(path_cache_table_last(r, &from, &stack), 7);
	}
	cr_expect_eq(r->used, used);
}

Test(path_cache_table, of_more_words_than_are_summed_the_frames_tell)
{
	uintptr_t pcs[DEPTH];
	struct alloc_caller from;

	for (unsigned i = 0; i < DEPTH; i++)
		pcs[i] = 1000 + i;
	from = call(100, DEPTH, pcs);
	learn(7);
	cr_expect_eq(path_cache_table_last(r, &from, &stack), 0);
	cr_expect(path_cache_table_find(r, &stack));
	cr_expect_eq(r->heap, 7);
	pcs[0] = 1;
	call(100, DEPTH, pcs);
	cr_expect_not(path_cache_table_find(r, &stack));
}

/* The table grows, and is emptied when it may not: what is found is right. */
Test(path_cache_table, more_than_there_is_room_for)
{
	uintptr_t pcs[] = { 0, 22, 33 };
	unsigned turn, found = 0;

	for (turn = 0; turn < 2; turn++) {
		for (uintptr_t i = 1; i < 2 * PATH_CACHE_LINES_MAX; i++) {
			pcs[0] = i / 2;	/* each twice */
			call(100, 3, pcs);
			if (!path_cache_table_find(r, &stack))
				learn((uint32_t)pcs[0] + 1);
			else
				found++;
			cr_assert_eq(r->heap, pcs[0] + 1);
		}
	}
	cr_expect_eq(r->most, PATH_CACHE_LINES_MAX);
	cr_expect_geq(found, 2 * (PATH_CACHE_LINES_MAX - 1));
	path_cache_table_clear(r);
	cr_expect_not(path_cache_table_find(r, &stack));
}

static sigjmp_buf out;

static void
leave(int sig)
{
	siglongjmp(out, sig);
}

/* Text went away, and a handler left what forgets its paths amid that. */
Test(path_cache_table, what_is_forgotten_in_part_is_forgotten_again)
{
	static const uintptr_t pcs[] = { 11, 22, 33 };
	unsigned char *index;
	unsigned i;

	for (i = 0; r->most < 4 * PATH_CACHE_LINES_MIN; i++) {
		uintptr_t others[] = { 100 + i, 22, 33 };

		call(100, 3, others);
		learn(1);
	}
	call(100, 3, pcs);
	learn(7);
	index = r->lines + (size_t)r->most * PATH_CACHE_LINE;
	atomic_fetch_add(&mon->text_generation, 1);
	signal(SIGSEGV, leave);
	if (sigsetjmp(out, 1) == 0) {
		mprotect(index, 4096, PROT_NONE);
		path_cache_validate(r);
		cr_assert_fail();
	}
	mprotect(index, 4096, PROT_READ | PROT_WRITE);
	cr_expect_not(path_cache_validate(r));
	cr_expect(path_cache_validate(r));
	call(100, 3, pcs);
	cr_expect_not(path_cache_table_find(r, &stack));
}
