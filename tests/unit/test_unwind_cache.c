/* Context: O.  Tests of core/hot/unwind/unwind_cache.c. */
#include "frame.h"
#include "random.h"
#include "target.h"
#include "unwind/unwind_cache.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

TestSuite(unwind_cache, .init = target_init, .fini = target_fini);

static struct cfi_row
plain(uint8_t reg, int64_t frame, int64_t fp, int64_t base)
{
	struct cfi_row row = {
		.frame = {.how = CFI_REGISTER, .reg = reg, .offset = frame},
		.ra = {.how = CFI_OFFSET, .offset = -8},
	};

	if (fp != 0)
		row.fp = (struct cfi_rule){.how = CFI_OFFSET, .offset = fp};
	if (base != 0)
		row.base = (struct cfi_rule){.how = CFI_OFFSET, .offset = base};
	return row;
}

static bool
same(const struct unwind_rule *a, uint64_t word)
{
	return a->kind == unwind_rule_kind(word) &&
	    a->by_fp == ((word & UNWIND_RULE_BY_FP) != 0) &&
	    a->fp_saved == ((word & UNWIND_RULE_FP_SAVED) != 0) &&
	    a->base_saved == ((word & UNWIND_RULE_BASE_SAVED) != 0) &&
	    a->linked == ((word & UNWIND_RULE_LINKED) != 0) &&
	    a->frame_offset == unwind_rule_frame(word) &&
	    a->fp_offset == (int64_t)unwind_rule_offset(word,
	    UNWIND_RULE_FP_AT) &&
	    a->base_offset == (int64_t)unwind_rule_offset(word,
	    UNWIND_RULE_BASE_AT) &&
	    a->ra_offset == (int64_t)unwind_rule_offset(word,
	    UNWIND_RULE_RA_AT);
}

/* A row is read as it was entered, at the edges of what fits too. */
Test(unwind_cache, are_what_was_entered)
{
	static const int64_t frames[] = {0, 8, 16, 4096, (1 << 23) - 8};
	static const int64_t offsets[] = {0, -8, -16, -16384, 16376};
	const struct unwind_cache rows = unwind_cache_current();
	uintptr_t pc = 0x7f0000001000;

	for (unsigned i = 0; i < 5; i++)
		for (unsigned k = 0; k < 5; k++)
			for (unsigned reg = 0; reg < 2; reg++) {
				struct cfi_row from = plain(reg ? FRAME_FP :
				    FRAME_SP, frames[i], offsets[k],
				    offsets[4 - k]);
				struct unwind_rule made =
				    unwind_cache_make_rule(&from);

				cr_assert_eq(made.kind, UNWIND_RULE_PLAIN);
				cr_expect_eq(made.frame_offset, frames[i]);
				cr_expect_eq(made.fp_saved, offsets[k] != 0);
				cr_expect_eq(made.fp_offset, offsets[k]);
				unwind_cache_add(&rows, ++pc,
				    unwind_cache_pack_rule(&made));
				cr_expect(same(&made, unwind_cache_find(&rows,
				    pc)));
			}
}

Test(unwind_cache, do_not_hold_what_does_not_fit)
{
	const struct cfi_row far[] = {
		plain(FRAME_SP, 1 << 23, 0, 0), plain(FRAME_SP, 12, 0, 0),
		plain(FRAME_SP, -8, 0, 0), plain(FRAME_SP, 8, -16392, 0),
		plain(FRAME_SP, 8, 16384, 0), plain(FRAME_SP, 8, -12, 0),
		plain(FRAME_SP, 8, -16, 16384), plain(0, 8, 0, 0),
	};

	for (unsigned i = 0; i < sizeof far / sizeof *far; i++)
		cr_expect_eq(unwind_cache_make_rule(&far[i]).kind,
		    UNWIND_RULE_OTHER, "%u", i);
}

/* gcc's function that aligns its stack. */
Test(unwind_cache, know_aligned_frames)
{
	static const unsigned char frame[] = {0x70 + FRAME_FP, 0x78, 0x06};
	static const unsigned char fp[] = {0x70 + FRAME_FP, 0x00};
	struct cfi_row from = {
		.frame = {.how = CFI_VAL_EXPRESSION, .bytes = sizeof frame,
		    .expression = frame},
		.fp = {.how = CFI_EXPRESSION, .bytes = sizeof fp,
		    .expression = fp},
		.ra = {.how = CFI_OFFSET, .offset = -8},
	};
	struct unwind_rule made = unwind_cache_make_rule(&from);

	cr_expect_eq(made.kind, UNWIND_RULE_ALIGNED);
	cr_expect_eq(made.ra_offset, -8);
	cr_expect_eq(made.fp_offset, 0);
	cr_expect(made.fp_saved);
	from.ra.offset = -16;
	cr_expect_eq(unwind_cache_make_rule(&from).kind, UNWIND_RULE_OTHER);
}

Test(unwind_cache, end_with_the_map)
{
	const struct cfi_row from = plain(FRAME_SP, 8, 0, 0);
	const struct unwind_rule made = unwind_cache_make_rule(&from);
	struct unwind_cache rows = unwind_cache_current();

	unwind_cache_add(&rows, 0x401000, unwind_cache_pack_rule(&made));
	cr_expect_eq(unwind_rule_kind(unwind_cache_find(&rows, 0x401000)),
	    UNWIND_RULE_PLAIN);
	cr_expect_eq(unwind_cache_find(&rows, 0x401001), 0);
	atomic_fetch_add(&mon->text_generation, 1);
	rows = unwind_cache_current();
	cr_expect_eq(unwind_cache_find(&rows, 0x401000), 0);
}

/* Each pc has a row of its own, by which a wrong one is known. */
static struct unwind_rule
row_of(uintptr_t pc)
{
	const struct cfi_row from = plain(FRAME_SP,
	    (int64_t)(pc * 0x9e3779b97f4a7c15u >> 44) * 8, 0, 0);

	return unwind_cache_make_rule(&from);
}

#define THREADS	4
#define TIMES	2000000

static void *
enter_and_find(void *seed)
{
	const struct unwind_cache rows = unwind_cache_current();
	uint64_t state = (uintptr_t)seed, wrong = 0;

	for (unsigned i = 0; i < TIMES; i++) {
		/* More than there are places: they fight for them. */
		const uintptr_t pc = 0x400000 + random_below(&state, 60000);
		const struct unwind_rule mine = row_of(pc);
		const uint64_t found = unwind_cache_find(&rows, pc);

		if (found == 0)
			unwind_cache_add(&rows, pc,
			    unwind_cache_pack_rule(&mine));
		else
			wrong += !same(&mine, found);
	}
	return (void *)(uintptr_t)wrong;
}

Test(unwind_cache, of_another_are_never_found, .timeout = 120)
{
	pthread_t thread[THREADS];
	void *wrong;

	for (uintptr_t i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&thread[i], NULL, enter_and_find,
		    (void *)(i * 7919 + 1)), 0);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &wrong);
		cr_expect_eq((uintptr_t)wrong, 0);
	}
}
