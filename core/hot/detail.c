/*
 * Context: S.  kernel=detail: samples of kernel functions; doc/internals.md,
 * sections 4 and 18.
 *
 * They are read at coarse ticks, when the thread is elsewhere.  So each brings
 * the registers with which the program went into the kernel, and as much of its
 * stack as its next callers are in.
 */
#include "detail.h"

#include "frame.h"
#include "path.h"
#include "record.h"
#include "ring.h"

#define PAGES		64u	/* 123 records: 0.13 s of the kernel at 1 kHz */
#define PAGES_LEAST	8u	/* 15; 2,048 without stacks */

/* Words of a record, after those of any: doc of perf_event_open(2). */
enum {
	AT_ABI = RING_SAMPLE_WORDS,
	AT_REGISTERS,
	AT_STACK_BYTES = AT_REGISTERS + FRAME_PERF_COUNT,
	AT_STACK,
	AT_STACK_COPIED = AT_STACK + PATH_STACK_WORDS,
	WORDS,
};

static bool
with_stacks(void)
{
	return config.stack != FORMAT_STACK_OFF;
}

void
detail_ask(struct perf_event_attr *a)
{
	if (!with_stacks())
		return;
	a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	a->sample_regs_user = FRAME_PERF_REGS;
	a->sample_stack_user = 8 * PATH_STACK_WORDS;
}

bool
detail_map(struct ring *r, int fd)
{
	unsigned pages;

	if (!with_stacks())
		return ring_map(r, fd, PAGES_LEAST, RING_SAMPLE_WORDS);
	/* They cost locked memory, of which a user has little. */
	for (pages = PAGES; pages >= PAGES_LEAST; pages /= 2)
		if (ring_map(r, fd, pages, WORDS))
			return true;
	return false;
}

static uintptr_t
reg(const struct ring *r, uint64_t at, enum frame_perf which)
{
	return ring_word(r, at, AT_REGISTERS + (unsigned)which);
}

/* Where the program was; false: the record does not tell. */
static bool
read_entry(struct path_entry *e, const struct ring *r, uint64_t at)
{
	uint64_t copied;
	unsigned i;

	if (ring_word(r, at, 0) >> 48 != 8 * WORDS ||
	    ring_word(r, at, AT_ABI) != PERF_SAMPLE_REGS_ABI_64)
		return false;
	e->from.pc = reg(r, at, FRAME_PERF_PC);
	e->from.sp = reg(r, at, FRAME_PERF_SP);
	e->from.called = false;
	e->from.registers = true;
	e->from.fp = reg(r, at, FRAME_PERF_FP);
	e->from.base = reg(r, at, FRAME_PERF_BASE);
	e->from.link = reg(r, at, FRAME_PERF_LINK);
	e->from.all = NULL;
	for (i = 0; i < PATH_STACK_WORDS; i++)
		e->stack[i] = ring_word(r, at, AT_STACK + i);
	copied = ring_word(r, at, AT_STACK_COPIED) / 8;
	e->from.stack = e->stack;
	e->from.words = copied < PATH_STACK_WORDS ? (unsigned)copied :
	    PATH_STACK_WORDS;
	e->from.asleep = false;
	return ring_holds(r, at);
}

static void
take(const struct ring *record, uint64_t at, uintptr_t pc, uint64_t n,
    void *arg)
{
	struct slot *s = arg;
	struct path_entry *e = record == NULL ? NULL : path_entry(s);

	if (e != NULL && !read_entry(e, record, at))
		e = NULL;
	record_kernel(s, pc, e == NULL ? NULL : &e->from, n,
	    n * s->period);
}

void
detail_drain(struct slot *s, uintptr_t pc)
{
	s->now = pc;
	ring_drain(&s->kernel, 0, LOSS_KERNEL_RING, take, s);
}
