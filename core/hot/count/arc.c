/*
 * Context: S.  Counts calls by arc; doc/design/calls.md.
 *
 * The stubs in core/arch count an arc if it is in the first two places of its
 * hash in the thread's shard, count a call before the library is relocated in
 * arc_early, and pass a call on to the function in arc_real if there is one.
 * All other calls come here, in any thread and any signal handler: those of
 * arcs in later places, and those of new arcs.
 */
#include "count/arc.h"

#include "base/loss_count.h"
#include "base/vfork_child.h"
#include "count/arc_shard.h"
#include "count/thread_arcs.h"
#include "module/link_map.h"
#include "module/modules.h"
#include "store/store.h"
#include "store/store_create.h"
#include "thread/thread_slot.h"

/* arcs in a thread's first block; each block is twice as large as the last */
#define BLOCK_FIRST	16u
#define BLOCK_MOST	2048u	/* arcs in the largest block: 64 KiB */
/* times that the CPU is yielded while another thread reads the map */
#define WAIT_MOST	1000u

uint64_t arc_early;
struct arc_real arc_real;

/* a stub has called arc_miss() since link_map_init() */
static atomic_bool begun;

/*
 * A call that is to be counted: from the code at `from` to the function at
 * `self`, in the calling thread's shard, or NULL.
 */
struct call {
	struct arc_shard *shard;
	uintptr_t self, from;
};

/*
 * Returns the next arc of the shard's block in the file, or the first one of a
 * new block, or NULL if there is no room.
 */
static struct format_arc *
next_file_arc(struct arc_shard *t)
{
	struct format_arcs *b = t->arcs == 0 ? NULL : store_at(t->arcs);
	uint32_t index, room = BLOCK_FIRST;

	if (b != NULL && t->used < b->room)
		return &b->arc[t->used++];
	if (b != NULL)
		room = b->room < BLOCK_MOST ? 2 * b->room : BLOCK_MOST;
	index = store_take(sizeof(*b) + room * sizeof(b->arc[0]));
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
 * Finds the module of an address, as the index of its record (0: none), and its
 * address there.  An arc keeps its modules for good, so for a place that is not
 * known the map is read at once; if another thread reads it, this yields the
 * CPU, WAIT_MOST times at most.
 */
static void
locate_arc_end(uintptr_t pc, uint32_t *module, uint64_t *address)
{
	struct module_hit hit;

	modules_find(pc, &hit);
	for (unsigned i = 0; !hit.known && !hit.unrecorded && i < WAIT_MOST;
	    i++) {
		if (atomic_load(&mon->frozen) || (i > 0 && !hit.soon))
			break;
		if (hit.soon)
			SYS(sched_yield, 0, 0, 0, 0, 0, 0);
		modules_refresh();
		modules_find(pc, &hit);
	}
	*module = hit.record;
	*address = hit.address;
}

/*
 * Makes an arc in the file with the modules and addresses of *key.  Returns
 * NULL if there is no room.
 */
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

/*
 * Counts a call of an arc that the claimed shard does not have, and adds it.
 * Returns false if the file has no room.
 */
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

/*
 * Clears the shard if another file has begun: the old arcs were in the old one.
 */
static void
clear_after_new_file(struct arc_shard *t)
{
	unsigned generation = atomic_load(&mon->store.generation);

	if (t->generation == generation)
		return;
	arc_shard_clear(t);
	t->generation = generation;
}

/*
 * Counts a call whose shard is claimed, and releases the shard.  Runs on the
 * shard's stack with signals blocked; in a frozen process on the caller's
 * stack, with signals as they are.
 */
static void
count_claimed(void *call)
{
	const struct call *c = call;
	struct arc_shard *t = c->shard;

	if (!store_create_wait()) {
		loss_count(LOSS_CALL, 1);
	/* the new file may have brought orders */
	} else if (!lineage_is_paused(LINEAGE_UNTIMED)) {
		clear_after_new_file(t);
		t = thread_arcs_make_room(t, c->self, c->from);
		if (!count_new_arc(t, c->self, c->from))
			loss_count(LOSS_CALL_SPACE, 1);
	}
	arc_shard_release(t);
}

/*
 * Counts a call on the shard's stack, with all signals blocked but SIGBUS,
 * SIGTRAP and a SIGSEGV of ours.  It claims the shard all the same, because
 * three things can call again meanwhile: a handler of SIGBUS, which says that
 * another program truncated a file; one of SIGTRAP, which comes at each
 * instruction where a program single-steps itself; and another thread that has
 * this thread's variables after a raw clone(2).
 */
static void
count_on_shard_stack(struct call *c)
{
	sys_sigset before;

	thread_slot_block_signals(&before);
	c->shard = thread_arcs_get();
	if (c->shard != NULL && arc_shard_claim(c->shard))
		arch_call_on_stack(thread_arcs_stack(c->shard), count_claimed,
		    c);
	else
		loss_count(LOSS_CALL, 1);
	thread_slot_restore_mask(&before);
}

/* Counts a call after a seccomp filter is set, without a system call. */
static void
count_frozen_call(struct call *c)
{
	if (c->shard != NULL && c->shard->mask != 0 &&
	    arc_shard_claim(c->shard))
		count_claimed(c);
	else
		loss_count(LOSS_CALL, 1);
}

/*
 * Returns whether this is a fork child in which nothing has begun yet, or a
 * vfork child, which may make no new arc.  (The stubs count known arcs there
 * all the same.)
 */
static bool
is_uncounted_child(void)
{
	return mon->pid == 0 || vfork_child_is_possible();
}

/* Counts a call that the stub did not find, or counts it as lost. */
static void
count_call(uintptr_t self, uintptr_t from)
{
	struct call c = {arc_shard_self, self, from};
	uint64_t *known;

	if (mon == NULL)
		return;
	/* No entry can hold this call: __cyg_profile_func_enter(NULL, NULL). */
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
 * Finds the definition of `name` behind ours, as dlsym(RTLD_NEXT) does.
 * Returns NULL if there is none, or if it is the C library's and libmon.so
 * counts: that would count the calls twice.  Not dlsym(), because that takes
 * the loader's lock, which another thread may hold while it waits for this one,
 * and uses vector registers, which are arguments of the function that is being
 * called.  The C library defines all names, so objects behind it are never
 * reached.
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
	/* The C library's own would count the calls twice: they are ours. */
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
		if (arc_real.mcount != NULL || arc_real.fentry != NULL ||
		    arc_real.enter != NULL)
			return true;
	}
	count_call(self, from);
	return false;
}
