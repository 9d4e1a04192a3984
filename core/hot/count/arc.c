/*
 * Context: S.  Calls counted by arc; doc/internals.md, section 14.
 *
 * Stubs in core/arch count the arcs that a thread's shard has in the first two
 * places.  All else comes here: what lies further along, and what is new.
 */
#include "count/arc.h"

#include "count/arc_shard.h"
#include "module/link_map.h"
#include "module/modules.h"
#include "store/store.h"
#include "thread/thread_slot.h"

#define BLOCK_FIRST	16u	/* arcs; each block is twice the last, up to */
#define BLOCK_MOST	2048u	/* 64 KiB */
#define WAIT_MOST	1000u	/* turns for a map */

uint64_t arc_early;
struct arc_real arc_real;

static atomic_bool begun;

struct call {
	struct arc_shard *shard;
	uintptr_t self, from;
};

/* The next arc of the shard's block in the file, or of a new block. */
static struct format_arc *
next_file_arc(struct arc_shard *t)
{
	struct format_arcs *b = t->arcs == 0 ? NULL : store_at(t->arcs);
	uint32_t index, room = BLOCK_FIRST;

	if (b != NULL && t->used < b->room)
		return &b->arc[t->used++];
	if (b != NULL)
		room = b->room < BLOCK_MOST ? 2 * b->room : BLOCK_MOST;
	index = store_take(sizeof *b + room * sizeof b->arc[0]);
	if (index == 0)
		return NULL;
	b = store_at(index);
	b->room = room;
	store_publish(&store_raw_header()->arcs, index);
	t->arcs = index;
	t->used = 1;
	return &b->arc[0];
}

/*
 * An arc keeps its modules for good, so the map is read for a place that is new
 * at once, and waited for while another thread reads it.
 */
static void
locate_arc_end(uintptr_t pc, uint32_t *module, uint64_t *address)
{
	struct module_hit hit;
	unsigned i;

	modules_find(pc, &hit);
	for (i = 0; !hit.known && !hit.unrecorded && i < WAIT_MOST; i++) {
		if (hit.soon)
			SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		else if (i > 0 || atomic_load(&mon->frozen))
			break;
		modules_refresh();
		modules_find(pc, &hit);
	}
	*module = hit.record;
	*address = hit.address;
}

static struct format_arc *
make_arc(struct arc_shard *t, const struct format_arc *key)
{
	struct format_arc *a = next_file_arc(t);

	if (a == NULL)
		return NULL;
	a->from = key->from;
	a->from_module = key->from_module;
	a->self_module = key->self_module;
	__atomic_store_n(&a->self, key->self, __ATOMIC_RELEASE);
	return a;
}

static bool
count_new_arc(struct arc_shard *t, uintptr_t self, uintptr_t from)
{
	struct format_arc key, *a;

	locate_arc_end(from, &key.from_module, &key.from);
	locate_arc_end(self, &key.self_module, &key.self);
	a = arc_shard_revive(t, self, from, &key);
	if (a == NULL) {
		a = make_arc(t, &key);
		if (a == NULL)
			return false;
		arc_shard_add(t, self, from, a);
	}
	__atomic_fetch_add(&a->count, 1, __ATOMIC_RELAXED);
	return true;
}

/* The arcs of a file that is gone are gone with it. */
static void
clear_after_new_file(struct arc_shard *t)
{
	unsigned generation = atomic_load(&mon->store.generation);

	if (t->generation == generation)
		return;
	arc_shard_clear(t);
	t->generation = generation;
}

/* The shard is claimed. */
static void
count_claimed(void *call)
{
	const struct call *c = call;
	struct arc_shard *t = c->shard;

	if (!store_open_wait()) {
		loss_count(LOSS_CALL, 1);
	/* by a new file */
	} else if (!lineage_is_paused(LINEAGE_UNTIMED)) {
		clear_after_new_file(t);
		t = arc_shard_make_room(t, c->self, c->from);
		if (!count_new_arc(t, c->self, c->from))
			loss_count(LOSS_CALL_SPACE, 1);
	}
	arc_shard_release(t);
}

/*
 * SIGBUS tells of a file that was cut, and SIGTRAP comes by each instruction
 * where a program steps through itself: both may be met here, and a handler of
 * theirs may call.  So may another thread that has this one's variables, of a
 * raw clone(2).
 */
static void
count_on_shard_stack(struct call *c)
{
	sys_sigset before;

	thread_slot_block_signals(&before);
	c->shard = arc_shard_get();
	if (c->shard != NULL && arc_shard_claim(c->shard))
		arch_call_on_stack(arc_shard_stack(c->shard), count_claimed, c);
	else
		loss_count(LOSS_CALL, 1);
	thread_slot_restore_mask(&before);
}

/* Behind seccomp: no system call but those that the program makes. */
static void
count_frozen_call(struct call *c)
{
	if (c->shard != NULL && c->shard->mask != 0 &&
	    arc_shard_claim(c->shard))
		count_claimed(c);
	else
		loss_count(LOSS_CALL, 1);
}

/* A fork child that has not begun yet, or a vfork child, which may not. */
static bool
is_uncounted_child(void)
{
	return mon->pid == 0 || (atomic_load_explicit(&virtual_signals.vforks,
	    memory_order_relaxed) != 0 && sys_getpid() != mon->pid);
}

static void
count_call(uintptr_t self, uintptr_t from)
{
	struct call c = {arc_shard_self, self, from};
	uint64_t *known;

	if (mon == NULL)
		return;
	/* What no entry can hold: __cyg_profile_func_enter(NULL, NULL). */
	if (self <= ARC_SHARD_NO_ADDRESS || is_uncounted_child()) {
		loss_count(LOSS_CALL, 1);
		return;
	}
	if (!atomic_load_explicit(&mon->running, memory_order_relaxed) ||
	    lineage_is_paused(LINEAGE_PAUSED | LINEAGE_UNTIMED))
		return;
	known = c.shard == NULL || c.shard->mask == 0 ? NULL :
	    arc_shard_find(c.shard, self, from);
	if (known != NULL)
		__atomic_fetch_add(known, 1, __ATOMIC_RELAXED);
	else if (atomic_load_explicit(&mon->frozen, memory_order_relaxed))
		count_frozen_call(&c);
	else
		count_on_shard_stack(&c);
}

void
arc_report_early(void)
{
	if (arc_early != 0)
		loss_count(LOSS_CALL, arc_early);
}

/*
 * As dlsym(RTLD_NEXT) finds it; but that takes the loader's lock, which another
 * thread may hold while it waits for this one, and vector registers, which are
 * arguments of the function that is being called.  The C library has all names,
 * so that what comes behind it is never met.
 */
static void *
find_next_definition(const char *name)
{
	const struct link_map_object *l = link_map_first;
	void *function = NULL;

	while (l != NULL && !link_map_is_own(l))
		l = l->next;
	for (l = l == NULL ? NULL : l->next; l != NULL; l = l->next) {
		function = link_map_function(l, name);
		if (function != NULL)
			break;
	}
	/* Its own would be counted twice: calls are ours. */
	if (function != NULL && mon != NULL &&
	    link_map_function(l, "__libc_start_main") != NULL)
		return NULL;
	return function;
}

void
arc_resolve_real(void)
{
	arc_real.leave = find_next_definition("__cyg_profile_func_exit");
	arc_real.enter = find_next_definition("__cyg_profile_func_enter");
	arc_real.fentry = find_next_definition("__fentry__");
	arc_real.mcount = find_next_definition("_mcount");
}

bool
arc_miss(uintptr_t self, uintptr_t from)
{
	if (link_map_first == NULL) {
		__atomic_fetch_add(&arc_early, 1, __ATOMIC_RELAXED);
		return false;
	}
	if (!atomic_load_explicit(&begun, memory_order_relaxed) &&
	    !atomic_exchange(&begun, true)) {
		arc_resolve_real();
		if (arc_real.mcount != NULL || arc_real.enter != NULL)
			return true;
	}
	count_call(self, from);
	return false;
}
