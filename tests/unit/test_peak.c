/* Context: O.  Tests of core/hot/heap_live/peak.c. */
#include "heap_live/peak.h"
#include "target.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <sys/mman.h>

enum { OTHER, OWN, IDLE, ALLOC_THREADS };	/* the last is met first */

#define PAGE	4096u

static struct alloc_thread thread[ALLOC_THREADS];
static struct format_heap heap[ALLOC_THREADS];
static struct format_memory memory;
static unsigned meanwhile;

/* The first of a page of its own, which is before the others'. */
static struct live_bytes_counter *
stake_apart(void)
{
	struct live_bytes_counter *last = live_bytes_create(), *s;

	for (;; last = s) {
		s = live_bytes_create();
		if (((uintptr_t)s ^ (uintptr_t)last) / PAGE != 0)
			return s;
	}
}

static void
start(void)
{
	target_init();
	for (unsigned i = 0; i < ALLOC_THREADS; i++) {
		thread[i].generation = 1;
		thread[i].record = i + 1;
		thread[i].memory = &memory;
		thread[i].live_counter = i == IDLE ? stake_apart() :
		    live_bytes_create();
		live_bytes_reset(thread[i].live_counter, 1);
	}
}

TestSuite(peak, .init = start, .fini = target_fini);

static void
give(unsigned i, uint64_t bytes)
{
	peak_add(&thread[i], &heap[i], bytes);
	heap[i].node.ns += bytes;
}

static void
take(unsigned i, uint64_t bytes)
{
	peak_subtract(&thread[i], &heap[i], bytes);
	heap[i].freed_bytes += bytes;
	peak_subtract_done(&thread[i]);
}

static void
protect_idle(int prot)
{
	mprotect((void *)((uintptr_t)thread[IDLE].live_counter &
	    ~(uintptr_t)(PAGE - 1)), PAGE, prot);
}

/* The first store to the idle one is when the other gives out a block. */
static void
on_store(int sig, siginfo_t *si, void *context)
{
	(void)sig, (void)si, (void)context;
	protect_idle(PROT_READ | PROT_WRITE);
	meanwhile++;
	give(OTHER, 40000);
}

Test(peak, is_of_all_alloc_threads)
{
	give(OWN, 60000);
	give(OTHER, 40000);
	take(OWN, 60000);
	cr_expect_eq(memory.peak_bytes, 100000);
	give(IDLE, 59999);
	cr_expect_eq(memory.peak_bytes, 100000);
	give(OWN, 2);
	cr_expect_eq(memory.peak_bytes, 100001);
}

/* Bytes given out while another thread looks come from the share it had. */
Test(peak, is_not_passed_unseen)
{
	const struct sigaction act = {
		.sa_sigaction = on_store,
		.sa_flags = SA_SIGINFO,
	};

	sigaction(SIGSEGV, &act, NULL);
	give(OWN, 100000);
	take(OWN, 100000);
	give(OTHER, 1);		/* it has half of the rest now */
	protect_idle(PROT_READ);
	give(OWN, 60000);
	cr_expect_eq(meanwhile, 1);
	give(OWN, 5000);
	give(OTHER, 5000);
	cr_expect_eq(peak_live_sum(1), 110001);
	cr_expect_eq(memory.peak_bytes, 110001, "%lu",
	    (unsigned long)memory.peak_bytes);
}
