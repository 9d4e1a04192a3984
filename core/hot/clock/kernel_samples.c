/*
 * Context: S.  kernel=detail: samples of kernel functions, for perf_event.c,
 * perf_clock.c and tick_count.c; see doc/design/clocks.md and
 * doc/design/unwind.md.
 *
 * They are read at coarse ticks, when the thread is elsewhere.  So each ring
 * entry contains the registers with which the program entered the kernel, and
 * the part of its stack that holds its next callers.
 */
#include "clock/kernel_samples.h"

#include "clock/perf_ring.h"
#include "count/record.h"
#include "count/tick_path.h"
#include "frame.h"

/* 123 ring entries: 0.13 s of kernel time at 1 kHz */
#define PAGES		64u
#define PAGES_LEAST	8u	/* 15 entries, or 2,048 without stacks */

/*
 * Places of the words of a ring entry, after the first ones of perf_ring.h; see
 * perf_event_open(2).
 */
enum {
	AT_ABI = PERF_RING_SAMPLE_WORDS,
	AT_REGISTERS,
	AT_STACK_BYTES = AT_REGISTERS + FRAME_PERF_COUNT,
	AT_STACK,
	AT_STACK_COPIED = AT_STACK + TICK_PATH_STACK_WORDS,
	WORDS,
};

static bool
has_kernel_stacks(void)
{
	return config.stack != FORMAT_STACK_OFF;
}

void
kernel_samples_set_attr(struct perf_event_attr *a)
{
	if (!has_kernel_stacks())
		return;
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_regs_user = FRAME_PERF_REGS;
	a->sample_stack_user = 8 * TICK_PATH_STACK_WORDS;
}

bool
kernel_samples_map(struct perf_ring *r, int fd)
{
	if (!has_kernel_stacks())
		return perf_ring_map(r, fd, PAGES_LEAST,
		    PERF_RING_SAMPLE_WORDS);
	/* Rings take locked memory, of which a user has little. */
	for (unsigned pages = PAGES; pages >= PAGES_LEAST; pages /= 2)
		if (perf_ring_map(r, fd, pages, WORDS))
			return true;
	return false;
}

static uintptr_t
sampled_register(const struct perf_ring *r, uint64_t at, enum frame_perf which)
{
	return perf_ring_word(r, at, AT_REGISTERS + (unsigned)which);
}

/*
 * Reads from the ring entry at `at` where the program entered the kernel, into
 * e.  Returns false if the entry does not say, or was overwritten meanwhile.
 */
static bool
read_entry_registers(struct tick_path_entry *e, const struct perf_ring *r,
    uint64_t at)
{
	uint64_t copied;

	if (perf_ring_word(r, at, 0) >> 48 != 8 * WORDS ||
	    perf_ring_word(r, at, AT_ABI) != PERF_SAMPLE_REGS_ABI_64)
		return false;
	e->from.pc = sampled_register(r, at, FRAME_PERF_PC);
	e->from.sp = sampled_register(r, at, FRAME_PERF_SP);
	e->from.called = false;
	e->from.registers = true;
	e->from.fp = sampled_register(r, at, FRAME_PERF_FP);
	e->from.base = sampled_register(r, at, FRAME_PERF_BASE);
	e->from.link = sampled_register(r, at, FRAME_PERF_LINK);
	e->from.all = NULL;
	for (unsigned i = 0; i < TICK_PATH_STACK_WORDS; i++)
		e->stack[i] = perf_ring_word(r, at, AT_STACK + i);
	copied = perf_ring_word(r, at, AT_STACK_COPIED) / 8;
	e->from.stack = e->stack;
	e->from.words = copied < TICK_PATH_STACK_WORDS ? (unsigned)copied :
	    TICK_PATH_STACK_WORDS;
	e->from.asleep = false;
	return perf_ring_is_intact(r, at);
}

/*
 * Counts n samples at the kernel's pc, for perf_ring_drain().  arg: the slot.
 */
static void
count_kernel_sample(const struct perf_ring *record, uint64_t at, uintptr_t pc,
    uint64_t n, void *arg)
{
	struct thread_slot *s = arg;
	struct tick_path_entry *e = record == NULL ? NULL : tick_path_entry(s);

	if (e != NULL && !read_entry_registers(e, record, at))
		e = NULL;
	record_kernel(s, pc, e == NULL ? NULL : &e->from, n,
	    n * s->fine_clock.period);
}

void
kernel_samples_drain(struct thread_slot *s, uintptr_t pc)
{
	s->tick.pc = pc;
	perf_ring_drain(&s->kernel_clock.ring, 0, LOSS_KERNEL_RING,
	    count_kernel_sample, s);
}
