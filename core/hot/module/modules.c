/*
 * Context: S.  Finds the mapped object that holds a program counter, for ticks,
 * counted calls, allocations and walks; see modules.h.  Any thread may read the
 * map, one at a time: mon->module_busy is its try-lock.
 *
 * Two tables take turns: one is published; the other is written and then
 * published in its place.  A reader takes a copy of a range and then checks
 * whether its table was written meanwhile, which takes two refreshes during one
 * search.
 */
#include "module/modules.h"

#include "base/loss_count.h"
#include "module/module_filter.h"
#include "module/module_stale.h"
#include "module/module_table.h"
#include "thread/private_fds.h"
#include "thread/thread_slot_each.h"

/* 10 ms: a refresh at 50 mappings takes 0.3 % of that. */
#define WAIT_LEAST	10000000u
#define WAIT_MOST	1000000000u
#define AWAIT_NS	100000u
#define AWAIT_TRIES	100

static struct module_table *
other_table(void)
{
	struct module_table *t = atomic_load(&mon->modules);

	return t == &mon->table[0] ? &mon->table[1] : &mon->table[0];
}

/*
 * Looks pc up in the published table, and fills *hit.  Returns whether it was
 * found; *torn: the table was being written, so the answer means nothing.
 */
static bool
find_range_once(uintptr_t pc, struct module_hit *hit, bool *torn)
{
	struct module_table *t = atomic_load_explicit(&mon->modules,
	    memory_order_acquire);
	const struct module_range *r;
	uint64_t start = 0, end = 0, bias = 0;
	uint32_t before;

	*torn = false;
	if (t == NULL)
		return false;	/* a fork child that is not followed */
	before = atomic_load_explicit(&t->sequence, memory_order_acquire);
	r = module_table_find(t, pc);
	hit->known = r != NULL && !r->unrecorded;
	hit->unrecorded = r != NULL && r->unrecorded;
	if (r != NULL) {
		hit->record = r->record;
		hit->watched = r->watched;
		bias = r->record != 0 ? r->bias : 0;
		start = r->start;
		end = r->readable ? r->end : 0;
	}
	atomic_thread_fence(memory_order_acquire);
	*torn = (before & 1) != 0 || before != atomic_load_explicit(
	    &t->sequence, memory_order_relaxed);
	if (*torn || r == NULL)
		return false;
	hit->address = pc - bias;
	/* JIT code makes no system calls, and may be execute-only. */
	hit->text = hit->record != 0 && end != 0 ? start : 0;
	hit->text_end = hit->text != 0 ? end : 0;
	return true;
}

bool
modules_find_text(uintptr_t pc, struct module_text *t)
{
	for (unsigned i = 0; i < 8; i++) {
		struct module_table *table = atomic_load_explicit(
		    &mon->modules, memory_order_acquire);
		const struct module_range *r;
		uint32_t before;

		if (table == NULL)	/* a fork child that is not followed */
			return false;
		before = atomic_load_explicit(&table->sequence,
		    memory_order_acquire);
		r = module_table_find(table, pc);

		if (r != NULL) {
			t->start = r->start;
			t->end = r->end;
			t->readable = r->readable;
			t->object = r->record != 0 || r->unrecorded;
			t->tables = r->tables;
		}
		atomic_thread_fence(memory_order_acquire);
		if ((before & 1) == 0 && before == atomic_load_explicit(
		    &table->sequence, memory_order_relaxed))
			return r != NULL;
	}
	return false;
}

/*
 * Returns the first range that ends behind `at`, or `count` if there is none.
 */
static uint32_t
first_range_after(const struct module_table *t, uintptr_t at, uint32_t count)
{
	uint32_t low = 0, high = count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t->range[middle].end > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

enum modules_code_kind
modules_code_kind_in(uintptr_t at, size_t n)
{
	const struct module_table *t = mon == NULL ? NULL :
	    atomic_load_explicit(&mon->modules, memory_order_acquire);
	enum modules_code_kind kind = MODULES_NO_CODE;
	uint32_t count, i, before;

	if (t == NULL)
		return MODULES_NO_CODE;
	before = atomic_load_explicit(&t->sequence, memory_order_acquire);
	count = t->count <= MODULE_MAX ? t->count : MODULE_MAX;
	for (i = first_range_after(t, at, count); kind != MODULES_OBJECT &&
	    i < count && (t->range[i].start <= at ||
	    t->range[i].start - at < n); i++)
		kind = t->range[i].record != 0 || t->range[i].unrecorded ?
		    MODULES_OBJECT : MODULES_GENERATED;
	atomic_thread_fence(memory_order_acquire);
	/*
	 * The table was written meanwhile: report an object, because reading
	 * the map once too often loses nothing.
	 */
	return (before & 1) == 0 && before == atomic_load_explicit(
	    &t->sequence, memory_order_relaxed) ? kind : MODULES_OBJECT;
}

/*
 * Looks pc up, at most eight times while the table is being written.  Returns
 * false if the table does not have it.
 */
static bool
find_module_range(uintptr_t pc, struct module_hit *hit)
{
	bool torn = true;

	for (unsigned i = 0; i < 8 && torn; i++)
		if (find_range_once(pc, hit, &torn))
			return true;
	hit->known = hit->unrecorded = false;
	return false;
}

/*
 * Returns whether the table says that pc is in generated code, although code of
 * that kind was unmapped since: a library may be there now.
 */
static bool
is_range_doubtful(uintptr_t pc)
{
	struct module_hit hit = { 0 };

	return atomic_load_explicit(&mon->module_gone,
	    memory_order_relaxed) && find_module_range(pc, &hit) && hit.known &&
	    hit.record == 0;
}

bool
modules_find_known(uintptr_t pc, struct module_hit *hit)
{
	return !atomic_load_explicit(&mon->module_stale,
	    memory_order_relaxed) && !is_range_doubtful(pc) &&
	    find_module_range(pc, hit) && hit->known;
}

/*
 * Returns whether the map was read `wait` ns ago or earlier, or never.  Returns
 * false in a frozen process.
 */
static bool
is_refresh_due(uint64_t wait)
{
	uint64_t now;

	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed))
		return false;
	now = sys_clock(CLOCK_MONOTONIC);
	return mon->module_mono == 0 || now - mon->module_mono >= wait;
}

void
modules_find(uintptr_t pc, struct module_hit *hit)
{
	bool looked = false;

	hit->record = 0;
	hit->address = pc;
	hit->text = hit->text_end = 0;
	hit->soon = hit->unrecorded = false;
	hit->watched = !module_filter_is_on();
	/* Some programs unmap generated code thousands of times a second. */
	if (atomic_load_explicit(&mon->module_stale, memory_order_relaxed) ||
	    (is_range_doubtful(pc) && is_refresh_due(WAIT_LEAST)))
		modules_refresh();
	if (find_module_range(pc, hit))
		return;
	if (is_refresh_due(mon->module_wait)) {
		modules_refresh();
		looked = true;
		if (find_module_range(pc, hit)) {
			mon->module_wait = WAIT_LEAST;
			return;
		}
	}
	if (looked && mon->module_wait < WAIT_MOST)
		mon->module_wait *= 2;
	if (looked && mon->modules_listed)
		loss_count(LOSS_MODULE_READ, 1);
	hit->soon = atomic_load(&mon->module_busy) != 0;
	/* Another thread may have read the map meanwhile. */
	if (!hit->soon && find_module_range(pc, hit))
		return;
	hit->record = 0;
	hit->address = pc;
}

/* Reads the map into the table that is not published, then publishes it. */
static int
swap_module_tables(void *unused)
{
	struct module_table *fresh = other_table();
	const bool reread = atomic_load(&mon->module_reread);
	bool gone;
	int error;

	(void)unused;
	/*
	 * At least one of the two flags stays set until the new table is
	 * published.
	 */
	if (reread) {
		atomic_store(&mon->module_rereading, true);
		atomic_store(&mon->module_reread, false);
	}
	atomic_store(&mon->module_stale, false);
	gone = atomic_exchange(&mon->module_gone, false);
	atomic_fetch_add_explicit(&fresh->sequence, 1, memory_order_acq_rel);
	atomic_thread_fence(memory_order_release);
	error = module_table_read(atomic_load(&mon->modules), fresh, reread);
	if (error != 0 && reread)
		atomic_store(&mon->module_reread, true);
	atomic_fetch_add_explicit(&fresh->sequence, 1, memory_order_release);
	if (error == 0)
		atomic_store_explicit(&mon->modules, fresh,
		    memory_order_release);
	else if (gone)
		atomic_store(&mon->module_gone, true);
	/*
	 * Threads have cached unwind rules of generated code by the old table.
	 */
	if (error == 0 && gone)
		atomic_fetch_add(&mon->text_generation, 1);
	atomic_store(&mon->module_rereading, false);
	return error;
}

void
modules_refresh(void)
{
	unsigned idle = 0;

	if (atomic_load_explicit(&mon->frozen, memory_order_relaxed) ||
	    !atomic_compare_exchange_strong(&mon->module_busy, &idle, 1))
		return;
	mon->module_mono = sys_clock(CLOCK_MONOTONIC);
	if (private_fds_run(swap_module_tables, NULL) != 0)
		loss_count(LOSS_MODULE_READ, 1);
	/*
	 * Takes the time again, because a map of thousands of lines takes long
	 * to read.
	 */
	mon->module_mono = sys_clock(CLOCK_MONOTONIC);
	if (mon->module_wait == 0)
		mon->module_wait = WAIT_LEAST;
	atomic_store(&mon->module_busy, 0);
}

void
modules_await(void)
{
	const struct timespec a_while = {0, AWAIT_NS};

	for (unsigned i = 0; i < AWAIT_TRIES &&
	    atomic_load(&mon->module_busy) != 0 && !atomic_load(&mon->frozen);
	    i++)
		SYS(nanosleep, &a_while, NULL, 0, 0, 0, 0);
}

/*
 * Waits, 100 sleeps of 0.1 ms at most, for a tick, or a look of the helper of
 * clock=wall, that may have begun at the slot before mon->unloading was set.  A
 * frozen process spins 100 times instead.  A tick takes microseconds, but its
 * thread may lose the processor.
 */
static void
await_slot_tick(struct thread_slot *s, void *arg)
{
	const struct timespec a_while = {0, AWAIT_NS};

	(void)arg;
	for (unsigned i = 0; i < AWAIT_TRIES && atomic_load(&s->busy) != 0;
	    i++) {
		if (atomic_load(&mon->frozen))
			arch_cpu_relax();
		else
			SYS(nanosleep, &a_while, NULL, 0, 0, 0, 0);
	}
}

/* Sleeps while ticks run, so only T code may call it. */
void
modules_unload_begin(void)
{
	atomic_fetch_add(&mon->unloading, 1);
	thread_slot_for_each(await_slot_tick, NULL);
}

void
modules_note_code_gone(bool object)
{
	if (!object) {
		atomic_store(&mon->module_gone, true);
		return;
	}
	/*
	 * Another object of the same file name may be mapped at the same place.
	 */
	atomic_store(&mon->module_reread, true);
	module_stale_mark();
	atomic_fetch_add(&mon->text_generation, 1);
}

void
modules_unloaded(bool gone)
{
	unsigned n = atomic_load(&mon->unloading);

	if (gone)
		modules_note_code_gone(true);
	/*
	 * The count is 0 in a fork child that a destructor in dlclose() has
	 * made.
	 */
	while (n != 0 && !atomic_compare_exchange_weak(&mon->unloading, &n,
	    n - 1))
		;
}

bool
modules_are_current(void)
{
	return atomic_load(&mon->unloading) == 0 &&
	    !atomic_load(&mon->module_reread) &&
	    !atomic_load(&mon->module_rereading);
}

void
modules_reset(void)
{
	struct module_table *t = other_table();

	atomic_fetch_add(&t->sequence, 1);
	t->count = 0;
	atomic_fetch_add(&t->sequence, 1);
	atomic_store(&mon->modules, t);
	mon->module_mono = 0;
	mon->modules_unloaded = 0;
}
