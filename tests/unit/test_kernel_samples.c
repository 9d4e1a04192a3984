/*
 * Context: O. Tests of core/hot/clock/kernel_samples.c: records in a ring of
 * the test's.
 */
#include "base/mmap_area.h"
#include "clock/kernel_samples.h"
#include "count/cct.h"
#include "count/record.h"
#include "count/tick_path.h"
#include "frame.h"
#include "module/modules.h"
#include "store/store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <linux/perf_event.h>
#include <string.h>

#define STACK_WORDS	TICK_PATH_STACK_WORDS
#define WORDS		(4 + FRAME_PERF_COUNT + STACK_WORDS + 1)

static struct thread_slot *slot;
static uint64_t *data;
static ucontext_t context;
static const uint64_t KERNEL = 0xffffffff81000000;

/* With a table, and with its return address at sp when it begins. */
__attribute__((noinline)) static int
entered(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

static void
start(void)
{
	struct perf_event_mmap_page *page;

	target_init();
	config.stack = FORMAT_STACK_AUTO;
	config.depth = 64;
	target_birth();
	slot = target_slot();
	cr_assert(record_prepare(slot));
	modules_refresh();
	page = mmap_area_alloc(9 * config.page);
	cr_assert_not_null(page);
	data = (uint64_t *)((char *)page + config.page);
	slot->kernel_clock.ring.bytes = 9 * config.page;
	slot->kernel_clock.ring.words = WORDS;
	slot->fine_clock.period = 1000000;
	slot->tick.context = &context;
	atomic_store(&slot->kernel_clock.ring.map, page);
}

TestSuite(kernel_samples, .init = start, .fini = target_fini);

static void
put_head(uint64_t pc)
{
	data[0] = (uint64_t)(8 * WORDS) << 48 | PERF_RECORD_SAMPLE;
	data[1] = pc;
	data[2] = PERF_SAMPLE_REGS_ABI_64;
	data[3 + FRAME_PERF_SP] = 0x7fff0000;
	data[3 + FRAME_PERF_PC] = (uintptr_t)entered;
	data[3 + FRAME_PERF_COUNT] = 8 * STACK_WORDS;
	data[WORDS - 1] = 8 * STACK_WORDS;
}

static void
drain(void)
{
	struct perf_event_mmap_page *page =
	    atomic_load(&slot->kernel_clock.ring.map);

	page->data_head = 8 * WORDS;
	slot->kernel_clock.ring.tail = 0;
	kernel_samples_drain(slot, 0);
}

static struct format_node *
below(const struct format_node *node, uint32_t kind, const void *place)
{
	struct module_hit hit = { .address = 0 };

	if (place != NULL)
		modules_find((uintptr_t)place, &hit);
	return cct_find_or_add(cct_index(node), kind, hit.record, hit.address);
}

/* How often the kernel's function was counted there. */
static uint64_t
counted(const struct format_node *node)
{
	const struct format_node *n = cct_find_or_add(cct_index(node),
	    FORMAT_KFUNC, 0, KERNEL);

	cr_assert_not_null(n);
	cr_expect_eq(n->ns, n->count * slot->fine_clock.period);
	return n->count;
}

static const struct format_node *
cut_by(enum format_cut why)
{
	const struct format_node *n = cct_find_or_add(slot->records.root,
	    FORMAT_CUT, 0, why);

	cr_assert_not_null(n);
	return n;
}

/* From the copy, and no word from where the stack would be. */
Test(kernel_samples, callers_of_the_past)
{
	const uintptr_t called = (uintptr_t)start + 8;
	struct format_node *n;
	struct module_hit hit;

	put_head(KERNEL);
	data[4 + FRAME_PERF_COUNT] = called;
	/* Its row leads on somewhere: by fp, or behind what was copied. */
	data[WORDS - 1] = 8;
	drain();
	modules_find(called - 1, &hit);
	n = cct_find_or_add(cct_index(cut_by(FORMAT_CUT_COPY)), FORMAT_FRAME,
	    hit.record, hit.address + 1);
	cr_assert_not_null(n);
	n = below(n, FORMAT_INTERRUPTED, entered);
	cr_assert_not_null(n);
	cr_expect_eq(counted(n), 1);
	cr_expect_eq(entered(1), 1);
}

/* The stack could not be read: the place alone is known. */
Test(kernel_samples, nothing_was_copied)
{
	put_head(KERNEL);
	data[WORDS - 1] = 0;
	drain();
	cr_expect_eq(counted(below(cut_by(FORMAT_CUT_COPY),
	    FORMAT_INTERRUPTED, entered)), 1);
}

static void
nobody_knows(void)
{
	drain();
	cr_expect_eq(counted(cut_by(FORMAT_CUT_LATE)), 1);
}

Test(kernel_samples, a_record_of_another_kind)
{
	put_head(KERNEL);
	data[0] = (uint64_t)16 << 48 | PERF_RECORD_SAMPLE;
	nobody_knows();
}

Test(kernel_samples, registers_of_32_bits)
{
	put_head(KERNEL);
	data[2] = PERF_SAMPLE_REGS_ABI_32;
	nobody_knows();
}

/* One that reads the rings of others has no stack of theirs. */
Test(kernel_samples, of_another_thread)
{
	slot->tick.context = NULL;
	put_head(KERNEL);
	nobody_knows();
}

Test(kernel_samples, without_stacks)
{
	config.stack = FORMAT_STACK_OFF;
	put_head(KERNEL);
	drain();
	cr_expect_eq(counted(store_at(slot->records.root)), 1);
}

static void
asked(struct perf_event_attr *a)
{
	memset(a, 0, sizeof *a);
	a->sample_type = PERF_SAMPLE_IP;
	kernel_samples_set_attr(a);
}

Test(kernel_samples, what_the_event_is_asked)
{
	struct perf_event_attr a;

	asked(&a);
	cr_expect_eq(a.sample_stack_user, 8 * STACK_WORDS);
	cr_expect_eq(__builtin_popcountll(a.sample_regs_user),
	    FRAME_PERF_COUNT);
	config.stack = FORMAT_STACK_OFF;
	asked(&a);
	cr_expect_eq(a.sample_type, PERF_SAMPLE_IP);
}
