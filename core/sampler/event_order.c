/*
 * Context: O.  Puts ring entries in the order of time and makes samples of
 * them, for sampler_next(), in its thread; see event_order.h.
 */
#include "event_order.h"

#include "base/clock_ns.h"
#include "base/compare.h"
#include "format.h"
#include "process/perf_unwind.h"
#include "base/vector.h"

#include <string.h>

/*
 * Most frames of a sample.  The kernel keeps 127, unless it is configured for
 * another number.
 */
#define DEEPEST		1024u

/* A ring entry that is held. */
struct entry {
	uint64_t time;
	/* orders ring entries of the same time as they came */
	uint64_t number;
	size_t at;		/* offset in s->held */
};

uint64_t
event_order_real_offset(void)
{
	const uint64_t real = clock_ns_now(CLOCK_REALTIME);

	return real - perf_buffer_now();
}

/* Notes the ring entry at byte `at` of s->held.  Returns 0 or -ENOMEM. */
static int
hold_record(struct sampler *s, const struct perf_record *k, size_t at)
{
	if (vector_grow(&s->entries, s->entry_count, &s->entry_room,
	    sizeof(*s->entries)) != 0)
		return -ENOMEM;
	s->entries[s->entry_count] = (struct entry) {
		k->time, s->entry_count, at,
	};
	s->entry_count++;
	return 0;
}

int
event_order_hold(struct sampler *s, const struct perf_buffer_batch *b)
{
	const size_t before = s->held_bytes;
	size_t at = 0, own;

	if (b->used > s->held_room - s->held_bytes) {
		const size_t want = s->held_bytes + b->used;
		unsigned char *held = realloc(s->held, want);

		if (held == NULL)
			return -ENOMEM;
		s->held = held;
		s->held_room = want;
	}
	if (b->used != 0)
		memcpy(s->held + before, b->bytes, b->used);
	s->held_bytes += b->used;
	while ((own = perf_record_size(b->bytes + at, b->used - at)) != 0) {
		struct perf_record k;

		if (!perf_record_read(&k, &s->form, b->bytes + at, own))
			s->strange++;
		else if (hold_record(s, &k, before + at) != 0)
			return -ENOMEM;
		at += own;
	}
	return 0;
}

static int
compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	const int d = compare_u64(a->time, b->time);

	return d != 0 ? d : compare_u64(a->number, b->number);
}

/* Drops the first `done` ring entries and moves the others to the front. */
static void
drop_delivered(struct sampler *s, size_t done)
{
	unsigned char *kept;
	size_t bytes = 0;

	memmove(s->entries, s->entries + done,
	    (s->entry_count - done) * sizeof(*s->entries));
	s->entry_count -= done;
	if (s->entry_count == 0) {
		s->held_bytes = 0;
		return;
	}
	for (size_t i = 0; i < s->entry_count; i++)
		s->entries[i].number = i;
	kept = malloc(s->held_bytes);

	if (kept == NULL)
		return;		/* it only takes more memory */
	for (size_t i = 0; i < s->entry_count; i++) {
		struct entry *e = &s->entries[i];
		const size_t own = perf_record_size(s->held + e->at,
		    s->held_bytes - e->at);

		memcpy(kept + bytes, s->held + e->at, own);
		e->at = bytes;
		bytes += own;
	}
	memcpy(s->held, kept, bytes);
	s->held_bytes = bytes;
	free(kept);
}

/*
 * Adds a frame behind those of the sample, and finds its file; drops it if
 * there are DEEPEST.  s->places has room.
 */
static void
add_place(struct sampler *s, struct sampler_seen *seen, uint32_t flags,
    uint64_t address)
{
	struct sampler_place *p = &s->places[seen->depth];

	if (seen->depth == DEEPEST)
		return;
	*p = (struct sampler_place) { .flags = flags, .address = address };
	seen->depth++;
	if ((flags & (TPROF_F_KERNEL | TPROF_F_CUT)) == 0) {
		/* A call may be the last instruction of a mapping. */
		const struct address_mapping *m =
		    address_space_find(seen->space,
		    address - ((flags & TPROF_F_CALLER) != 0));

		if (m == NULL)
			return;
		code_files_resolve(&s->spaces.libraries, m->library,
		    seen->pid);
		p->library = &s->spaces.libraries.all[m->library];
		if ((p->library->flags & TPROF_M_NO_FILE) != 0)
			p->library = NULL;
		else if ((p->library->flags & TPROF_M_BIASED) == 0)
			p->address = address - m->start + m->offset;
		else
			p->address = address - address_space_bias(&s->spaces,
			    m) - p->library->bias;
	}
}

/*
 * Adds the callers in the kernel, and those in the program if the kernel
 * followed frame pointers.
 */
static void
add_chain(struct sampler *s, struct sampler_seen *seen,
    const struct perf_record *k)
{
	uint32_t flags = seen->kernel ? TPROF_F_KERNEL : 0;
	bool first = true;	/* first of its mode: no call precedes it */
	bool cut = false;

	for (uint64_t i = 0; i < k->chain_count; i++) {
		const uint64_t address = perf_record_caller(k, i);

		if (address >= (uint64_t)PERF_CONTEXT_MAX) {
			flags = address == (uint64_t)PERF_CONTEXT_KERNEL ?
			    TPROF_F_KERNEL : 0;
			first = true;
			continue;
		}
		/* A register held something else than a frame pointer. */
		if (!first && flags == 0 && address_space_find(seen->space,
		    address - 1) == NULL) {
			if (!cut)
				add_place(s, seen, TPROF_F_CUT,
				    FORMAT_CUT_UNMAPPED);
			cut = true;
			continue;
		}
		/* The pc itself comes first and was added already. */
		if (!first || seen->depth != 1 || address != seen->pc)
			add_place(s, seen, flags | (first ? 0 :
			    TPROF_F_CALLER), address);
		first = false;
	}
}

/*
 * Adds the callers that the tables of the program give, from the copies of
 * stack and registers, if there are any.
 */
static void
add_copied(struct sampler *s, struct sampler_seen *seen,
    const struct perf_record *k)
{
	uint64_t callers[DEEPEST];
	unsigned why = 0;
	size_t count;

	if (k->abi == 0 || s->set.stacks != SAMPLER_STACKS_COPY)
		return;
	count = perf_unwind_callers(&s->spaces, seen->space, k, callers,
	    DEEPEST - seen->depth, &why);
	for (size_t i = 0; i < count; i++)
		/*
		 * The first is the place of the program itself, not a caller.
		 */
		if (i != 0 || seen->kernel)
			add_place(s, seen, i == 0 ? 0 : TPROF_F_CALLER,
			    callers[i]);
	if (why != 0)
		add_place(s, seen, TPROF_F_CUT, why);
}

/* Returns the counter with this id; NULL if there is none. */
static const struct counter *
counter_of(const struct sampler *s, uint64_t id)
{
	const uint32_t hash = hash_index_hash(id);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&s->by_id, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (s->counters.all[n].id == id)
			return &s->counters.all[n];
	return NULL;
}

/*
 * Returns whether a sample was taken by the counters that watch its thread: the
 * first that sampled it.  A thread that started while the threads of its
 * process were looked up can be watched twice: it has counters of its own, and
 * those of the thread that started it.
 */
static bool
is_of_watcher(struct sampler *s, const struct sampler_seen *seen,
    const struct counter *c)
{
	struct address_space_thread *t;

	if (s->set.attached == NULL || seen->tid <= 0)
		return true;
	t = address_space_get_thread(seen->space, seen->tid);
	if (t == NULL)
		return true;
	if (t->watcher == 0)
		t->watcher = c->task + 1;
	return t->watcher == c->task + 1;
}

/*
 * Makes a sample of a ring entry and hands it to `take`.  Returns what `take`
 * returned, 0 if it was left out, or -ENOMEM.
 */
static int
deliver_sample(struct sampler *s, const struct perf_record *k,
    sampler_take *take, void *arg)
{
	const struct counter *c = counter_of(s, k->id);
	struct sampler_seen seen = {
		.cpu = k->cpu, .pid = k->pid, .tid = k->tid, .pc = k->ip,
		.weight = k->period, .time = k->time, .places = s->places,
		.libraries = &s->spaces.libraries,
		.kernel = (k->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
		    PERF_RECORD_MISC_KERNEL,
	};

	/*
	 * The pid of a process that is already gone is -1: the process has no
	 * number in the pid namespace of the event.
	 */
	seen.space = address_spaces_get(&s->spaces, k->pid);
	if (c == NULL) {
		s->strange++;
		return 0;
	}
	if (seen.space == NULL)
		return -ENOMEM;
	seen.event = c->event;
	if (!is_of_watcher(s, &seen, c)) {
		s->doubled++;
		return 0;
	}
	add_place(s, &seen, seen.kernel ? TPROF_F_KERNEL : 0, k->ip);
	add_chain(s, &seen, k);
	add_copied(s, &seen, k);
	s->stats[TPROF_S_SAMPLE]++;
	return take(arg, &seen);
}

int
event_order_deliver(struct sampler *s, uint64_t until, sampler_take *take,
    void *arg)
{
	size_t done = 0;
	int ret = 0;

	if (s->places == NULL)
		s->places = calloc(DEEPEST, sizeof(*s->places));
	if (s->places == NULL)
		return -ENOMEM;
	if (s->entry_count > 1)
		qsort(s->entries, s->entry_count, sizeof(*s->entries),
		    compare_entries);
	for (; done < s->entry_count && ret == 0 &&
	    s->entries[done].time < until; done++) {
		const size_t at = s->entries[done].at;
		struct perf_record k;

		perf_record_read(&k, &s->form, s->held + at,
		    s->held_bytes - at);
		if (k.type == PERF_RECORD_SAMPLE)
			ret = deliver_sample(s, &k, take, arg);
		else
			address_spaces_update(&s->spaces, &k);
		if (!s->counters.lost)
			s->stats[TPROF_S_OVERFLOW] += k.lost;
	}
	drop_delivered(s, done);
	return ret != 0 ? ret : s->spaces.out_of_memory ? -ENOMEM : 0;
}
