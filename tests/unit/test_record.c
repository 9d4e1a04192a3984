/* Context: O.  Tests of core/hot/count/record.c: what a node says of its
 * place. */
#include "count/record.h"

#include "base/store_header.h"
#include "count/cct.h"
#include "mapped.h"
#include "module/modules.h"
#include "store/store.h"
#include "target.h"
#include "thread/thread_slot.h"

#include <criterion/criterion.h>

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(record, .init = start, .fini = target_fini);

static const struct format_node *
tick(struct thread_slot *s, uintptr_t pc)
{
	const struct format_node *n;

	record_tick(s, pc, RECORD_EITHER, 1, 1000);
	n = cct_find_or_add(s->records.root, FORMAT_USER, 0, pc);
	cr_assert_not_null(n);
	return n;
}

/* Index 0 is the header: no node hangs below it. */
Test(record, counts_nothing_below_no_root)
{
	struct thread_slot *s = target_slot();
	struct format_header *h = store_header(), before;

	cr_assert(record_prepare(s));
	s->records.root = 0;
	before = *h;
	record_sleep(s, 16, NULL, 1000);
	record_tick(s, 16, RECORD_EITHER, 1, 1000);
	cr_expect_arr_eq(h->magic, before.magic, sizeof h->magic);
}

/* Another thread is at the file: what can wait does, the rest is lost. */
Test(record, holds_ticks_while_the_file_is_made)
{
	struct thread_slot *s = target_slot();
	const struct format_thread *t;

	atomic_store(&mon->store.state, STORE_BUSY);
	record_tick(s, 16, RECORD_KERNEL, 1, 5);
	cr_expect_eq(target_loss(LOSS_STORE_RACE), 1, "may be user time");
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	cr_expect_eq(target_loss(LOSS_STORE_RACE), 1);
	record_tick(s, 16, RECORD_EITHER, 1, 8);
	record_tick(s, 32, RECORD_USER, 3, 9);
	record_sleep(s, 16, NULL, 7);
	record_kernel(s, 16, NULL, 1, 7);
	cr_expect_eq(target_loss(LOSS_STORE_RACE), 3);
	cr_expect_eq(s->pending.ns, 7 + 8 + 9);
	atomic_store(&mon->store.state, STORE_READY);
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	t = store_at(s->records.thread);
	cr_expect_eq(t->ticks, 6, "with those that waited");
	cr_expect_eq(s->pending.ns, 0);
	cr_expect_eq(target_loss(LOSS_STORE_RACE), 3);
}

/* There is a file, and no space in it: a tick is lost once, and for that. */
Test(record, loses_once_what_has_no_space)
{
	struct thread_slot *s = target_slot();

	while (store_take(16) != 0)
		;
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	record_kernel(s, 16, NULL, 1, 7);
	record_sleep(s, 16, NULL, 7);
	cr_expect_eq(target_loss(LOSS_STORE_FULL), 3);
	record_tick(s, 16, RECORD_USER, 5, 7);
	cr_expect_eq(target_loss(LOSS_STORE_FULL), 8, "each of several");
	cr_expect_eq(target_loss(LOSS_STORE_NONE), 0);
}

/* The thread is known, and the file has no room for one more place. */
Test(record, loses_once_what_has_no_place)
{
	struct thread_slot *s = target_slot();
	struct format_thread *t;

	record_tick(s, 16, RECORD_EITHER, 1, 7);
	while (store_take(16) != 0)
		;
	record_tick(s, 32, RECORD_EITHER, 3, 7);
	cr_expect_eq(target_loss(LOSS_STORE_FULL), 3);
	cr_expect_leq(target_loss(LOSS_PC_UNKNOWN), 1, "but that of the first");
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	cr_expect_eq(target_loss(LOSS_STORE_FULL), 3);
	t = store_at(s->records.thread);
	cr_expect_eq(t->ticks, 2);
}

/* Its thread ends, or the process does. */
Test(record, counts_what_waited_in_vain)
{
	struct thread_slot *s = target_slot();
	const struct format_thread *t;

	record_flush_pending(s);
	cr_expect_eq(target_loss(LOSS_STORE_RACE), 0);
	atomic_store(&mon->store.state, STORE_BUSY);
	cr_expect_not(record_has_pending(s));
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	cr_expect(record_has_pending(s));
	atomic_store(&mon->store.state, STORE_READY);
	cr_expect_not(record_has_pending(s));
	record_flush_pending(s);
	cr_expect_eq(target_loss(LOSS_STORE_RACE), 0);
	t = store_at(store_raw_header()->threads);
	cr_expect_eq(t->ticks, 2);
	cr_expect_eq(t->tid, gettid());
}

Test(record, loses_what_waited_for_no_file)
{
	struct thread_slot *s = target_slot();

	atomic_store(&mon->store.state, STORE_BUSY);
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	atomic_store(&mon->store.state, STORE_CLOSED);
	record_flush_pending(s);
	cr_expect_eq(target_loss(LOSS_STORE_RACE), 2);
}

/* Another thread reads the map, for the first time perhaps. */
Test(record, holds_one_tick_while_the_map_is_read)
{
	struct thread_slot *s = target_slot();
	const struct format_thread *t;

	atomic_store(&mon->module_busy, 1);
	record_tick(s, (uintptr_t)tick, RECORD_EITHER, 1, 7);
	cr_assert(record_prepare(s));
	t = store_at(s->records.thread);
	cr_expect_eq(t->ticks, 0);
	atomic_store(&mon->module_busy, 0);
	record_tick(s, (uintptr_t)tick, RECORD_EITHER, 1, 7);
	cr_expect_eq(t->ticks, 2);
	cr_expect_eq(target_loss(LOSS_PC_UNKNOWN), 0);
	/* It may take longer than to the next tick. */
	modules_reset();
	atomic_store(&mon->module_busy, 1);
	for (unsigned i = 0; i < 3; i++)
		record_tick(s, (uintptr_t)tick, RECORD_EITHER, 1, 7);
	cr_expect_eq(t->ticks, 2);
	atomic_store(&mon->module_busy, 0);
	record_tick(s, (uintptr_t)tick, RECORD_EITHER, 1, 7);
	cr_expect_eq(t->ticks, 6);
	cr_expect_eq(target_loss(LOSS_PC_UNKNOWN), 0);
	/* But not longer than the thread lives. */
	modules_reset();
	atomic_store(&mon->module_busy, 1);
	record_tick(s, (uintptr_t)tick, RECORD_EITHER, 1, 7);
	record_flush_pending(s);
	cr_expect_eq(t->ticks, 7);
	cr_expect_eq(target_loss(LOSS_PC_UNKNOWN), 1);
}

/* log=yes: each tick, in order, in blocks that grow. */
Test(record, logs_when_each_tick_was)
{
	struct thread_slot *s = target_slot();
	const struct format_tick_log *b, *first;
	uint64_t before = sys_clock(CLOCK_MONOTONIC);

	tick(s, 16);
	cr_expect_eq(store_raw_header()->moments, 0, "not asked");
	config.log = true;
	for (unsigned i = 0; i < 20; i++)
		record_tick(s, i == 15 ? 32 : 16, RECORD_EITHER, 1, 100 + i);
	b = store_at(store_raw_header()->moments);
	first = store_at(b->next);
	cr_assert_eq(first->next, 0);
	cr_expect_eq(first->thread, s->records.thread);
	cr_expect_eq(b->thread, s->records.thread);
	cr_expect_gt(b->room, first->room);
	for (unsigned i = 0; i < 20; i++) {
		const struct format_logged_tick *m = i < first->room ?
		    &first->moment[i] : &b->moment[i - first->room];
		const struct format_node *n = cct_find_or_add(s->records.root,
		    FORMAT_USER, 0, i == 15 ? 32 : 16);

		cr_expect_eq(m->node, cct_index(n), "%u", i);
		cr_expect_eq(m->ns, 100 + i);
		cr_expect_geq(m->mono, before);
		before = m->mono;
	}
	cr_expect_eq(b->moment[20 - first->room].mono, 0);
	cr_expect_eq(target_loss(LOSS_MOMENT), 0);
}

/* More than 32 bits of ns take several entries; zero takes one. */
Test(record, logs_long_times)
{
	struct thread_slot *s = target_slot();
	const struct format_tick_log *b;

	config.log = true;
	record_tick(s, 16, RECORD_EITHER, 1, 10000000000);
	record_tick(s, 16, RECORD_EITHER, 1, 0);
	b = store_at(store_raw_header()->moments);
	cr_expect_eq((uint64_t)b->moment[0].ns + b->moment[1].ns +
	    b->moment[2].ns, 10000000000);
	cr_expect_neq(b->moment[3].mono, 0);
	cr_expect_eq(b->moment[3].ns, 0);
	cr_expect_eq(b->moment[4].mono, 0);
}

/* Half of the file is for what ticks count; what is not logged is told. */
Test(record, logs_in_half_of_the_file)
{
	struct thread_slot *s = target_slot();
	const struct format_header *h = store_header();
	const struct format_thread *t;
	unsigned ticks = 0;

	config.log = true;
	do
		record_tick(s, 16, RECORD_EITHER, 1, 7);
	while (++ticks < 100000000 && target_loss(LOSS_MOMENT) == 0);
	cr_expect_eq(target_loss(LOSS_MOMENT), 1);
	cr_expect_leq(h->used, h->cap / 2);
	cr_expect_gt(h->used, h->cap / 2 - 32768);
	t = store_at(s->records.thread);
	cr_expect_eq(t->ticks, ticks);
	record_tick(s, 32, RECORD_EITHER, 1, 7);
	cr_expect_eq(t->ticks, ticks + 1);
	cr_expect_eq(target_loss(LOSS_MOMENT), 2);
	cr_expect_eq(target_loss(LOSS_STORE_FULL), 0);
}

/* A slot's next thread has blocks of its own. */
Test(record, logs_by_thread)
{
	struct thread_slot *s = target_slot();
	uint32_t thread, block;

	config.log = true;
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	thread = s->records.thread;
	block = store_raw_header()->moments;
	s->records.thread = 0;
	record_tick(s, 16, RECORD_EITHER, 1, 7);
	cr_expect_neq(store_raw_header()->moments, block);
	cr_expect_eq(((struct format_tick_log *)store_at(block))->thread,
	    thread);
	cr_expect_eq(((struct format_tick_log *)
	    store_at(store_raw_header()->moments))->thread, s->records.thread);
	cr_expect_neq(s->records.thread, thread);
}

/* Behind seccomp the time cannot be asked for. */
Test(record, logs_nothing_where_it_is_frozen)
{
	struct thread_slot *s = target_slot();

	config.log = true;
	tick(s, 16);
	atomic_store(&mon->frozen, true);
	tick(s, 16);
	atomic_store(&mon->frozen, false);
	cr_expect_eq(target_loss(LOSS_MOMENT), 1);
}

/* New memory: no mapping until the map is read again. */
Test(record, marks_a_place_until_the_map_shows_it)
{
	struct thread_slot *s = target_slot();
	uintptr_t pc;

	cr_expect_eq(tick(s, 16)->how, FORMAT_HOW_UNMAPPED);
	mon->module_wait = 3600000000000;
	pc = (uintptr_t)mapped_page(-1, MAP_PRIVATE | MAP_ANONYMOUS);
	cr_expect_eq(tick(s, pc)->how, FORMAT_HOW_UNMAPPED);
	cr_expect_eq(tick(s, pc)->how, FORMAT_HOW_UNMAPPED);
	modules_refresh();
	cr_expect_eq(tick(s, pc)->how, FORMAT_HOW_PC);
	cr_expect_eq(tick(s, 16)->how, FORMAT_HOW_UNMAPPED);
}
