/*
 * Context: O.  tprof top of all processes or of some, by samples of the kernel,
 * for tprof_top.c.  The main thread runs all of this file but
 * look_at_attached(); see tprof_top.h.
 */
#include "top/tprof_top.h"

#include "top/top_signals.h"
#include "format.h"
#include "process/address_space_proc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(TPROF_STATS + 2 <= TOP_STATS, "statistics of a screen");

/* The kernel as the source. */
struct top_kernel {
	struct sampler sampler;
	bool open;
	struct attached attached;
	bool attach;		/* some processes, not all */
	/* the processes have ended; so has the screen of their last samples */
	bool ended, shown;
	char scope[64];
	struct top_event *events;
	/* on the screen, and of the interval before */
	uint64_t *counts, *counts_before;
	/* values when they were last read */
	uint64_t *counts_last, stats_last[TOP_STATS];
};

/*
 * Returns the number of a library in the name cache.  0 means none so far: that
 * is the kernel's number.
 */
static uint32_t
library_module(struct top_data *d, struct code_file *own, uint32_t process)
{
	const struct tprof_module id = code_file_id(own);
	struct name_cache_module m = {
		.path = id.path, .path_bytes = id.path_bytes,
		.build_id_bytes = id.build_id_bytes,
		.device = id.device, .inode = id.inode,
		.seen = id.seen, .process = process,
		.flags = (own->flags & TPROF_M_VDSO) != 0 ? FORMAT_M_VDSO :
		    (own->flags & TPROF_M_BIASED) == 0 ? FORMAT_M_NO_ELF : 0,
	};

	if (own->number == 0) {
		memcpy(m.build_id, id.build_id, m.build_id_bytes);
		own->number = name_cache_add_module(&d->names, &m);
	}
	return own->number;
}

/*
 * Returns the place of an address in the name cache; HASH_INDEX_NONE without
 * memory.
 */
static uint32_t
sampled_place(struct top_data *d, const struct sampler_seen *seen,
    const struct sampler_place *p)
{
	const uint64_t at = p->address - ((p->flags & TPROF_F_CALLER) != 0);
	struct name_cache_process who = {
		seen->pid, seen->space->uid, seen->space->birth,
	};
	uint32_t process;

	if ((p->flags & TPROF_F_CUT) != 0)
		return name_cache_request(&d->names, NAME_CACHE_CUT,
		    NAME_CACHE_ANY_PROCESS, p->address);
	if ((p->flags & TPROF_F_KERNEL) != 0)
		return name_cache_request(&d->names, NAME_CACHE_KERNEL,
		    NAME_CACHE_ANY_PROCESS, at);
	process = name_cache_add_process(&d->names, &who);
	if (p->library != NULL)
		return name_cache_request(&d->names, library_module(d,
		    p->library, process), NAME_CACHE_ANY_PROCESS,
		    at + p->library->bias);
	return name_cache_request(&d->names, address_space_find(seen->space,
	    at) != NULL ? NAME_CACHE_GENERATED : NAME_CACHE_NO_MODULE, process,
	    at);
}

/*
 * Returns the number of a process, UINT32_MAX without memory.  own->reported is
 * that number + 1; 0 if it is not known yet or the name has changed.
 */
static uint32_t
sampled_process(struct top_data *d, const struct sampler_seen *seen)
{
	struct address_space *own = seen->space;

	if (own->reported == 0)
		own->reported = top_data_add_process(d, seen->pid, own->birth,
		    address_space_program(own)) + 1;
	return own->reported - 1;
}

/* Adds the thread of a sample if it is new.  Returns 0 or -ENOMEM. */
static int
note_thread(struct top_data *d, const struct sampler_seen *seen,
    uint32_t process)
{
	const uint32_t tid = (uint32_t)seen->tid;
	const struct address_space_thread *t;

	if (!top_data_is_new_thread(d, process, tid))
		return 0;
	t = address_space_get_thread(seen->space, seen->tid);
	return t == NULL ? -ENOMEM : top_data_add_thread(d, process, tid,
	    seen->pid <= 0 ? "" : t->name);
}

/*
 * Counts a sample, as the callback of sampler_next(); top is a struct top_data.
 * Returns 0 or -ENOMEM.
 */
static int
add_kernel_sample(void *top, const struct sampler_seen *seen)
{
	struct top_data *d = top;
	struct aggregate_key key = {
		.event = seen->event, .cpu = seen->cpu,
		.process = sampled_process(d, seen), .tid = (uint32_t)seen->tid,
	};
	const struct aggregate_value v = { 1, seen->weight };

	if (key.process == UINT32_MAX ||
	    note_thread(d, seen, key.process) != 0)
		return -ENOMEM;
	for (size_t i = seen->depth; i-- > 0;) {
		const uint32_t place = sampled_place(d, seen, &seen->places[i]);

		key.node = place == HASH_INDEX_NONE ? 0 :
		    aggregate_find_node(&d->aggregate, key.node, place);
		if (key.node == 0)
			return -ENOMEM;
	}
	return aggregate_add(&d->aggregate, &key, &v);
}

/*
 * Prepares what the screen is made from.  The sampler is open.  Returns 0 or
 * -ENOMEM.
 */
static int
init_input(struct tprof_top *t)
{
	struct top_kernel *k = t->kernel;
	struct top_input *in = &t->data.in;
	const size_t events = t->set.events.count;
	const size_t counts = events * k->sampler.cpu_count;

	k->events = calloc(events, sizeof(*k->events));
	k->counts = calloc(counts, sizeof(*k->counts));
	k->counts_before = calloc(counts, sizeof(*k->counts_before));
	k->counts_last = calloc(counts, sizeof(*k->counts_last));
	if (k->events == NULL || k->counts == NULL ||
	    k->counts_before == NULL || k->counts_last == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < events; i++)
		k->events[i] = (struct top_event) {
			t->set.events.all[i].name, t->set.events.all[i].ns,
		};
	in->events = k->events;
	in->event_count = events;
	in->cpus = k->sampler.cpus;
	in->cpu_count = k->sampler.cpu_count;
	in->counts = k->counts;
	in->counts_before = k->counts_before;
	in->scope = k->scope;
	in->stat_count = TPROF_STATS + 2;
	for (unsigned i = 0; i < TPROF_STATS; i++)
		in->stat_names[i] = tprof_stat_name(i);
	in->stat_names[TPROF_STATS] = TOP_NOT_UNDERSTOOD;
	in->stat_names[TPROF_STATS + 1] = TOP_UNREPORTED;
	return 0;
}

static int
fault_not_permitted(struct fault *f)
{
	fault_set(f, "this user may not watch it", FAULT_NO_OFFSET, 0);
	f->file = "all processes";
	f->remedy = "be root, see kernel.perf_event_paranoid, or name a "
	    "process of yours: tprof top PID";
	return -EACCES;
}

/*
 * Reads the signals, and looks at the processes.  Returns whether sampling is
 * to end.  The reading thread of the sampler calls this.
 */
static bool
look_at_attached(void *top)
{
	struct tprof_top *t = top;
	const bool over = top_signals_read(t);

	return attached_have_ended(&t->kernel->attached) || over;
}

/* Prepares to sample some processes, and names them for the screen. */
static int
attach_processes(struct tprof_top *t, const char *pids,
    struct sampler_options *o, struct fault *f)
{
	struct top_kernel *k = t->kernel;
	char name[ADDRESS_SPACE_NAME] = "";
	int ret;

	k->attach = true;
	ret = attached_open(&k->attached, pids, f);
	if (ret == 0)
		ret = attached_watch(&k->attached, t->signal_fd, f);
	if (ret != 0)
		return ret;
	o->attached = &k->attached;
	o->watch = look_at_attached;
	o->watch_fd = k->attached.news;
	if (k->attached.count == 1)
		address_space_proc_thread(k->attached.all[0].pid,
		    k->attached.all[0].pid, name);
	snprintf(k->scope, sizeof(k->scope), "process %.30s%s%s", pids,
	    *name != '\0' ? " " : "", name);
	return 0;
}

int
top_kernel_open(struct tprof_top *t, const char *pids, struct fault *f)
{
	struct sampler_options o = {
		.events = &t->set.events, .pid = -1, .stacks = t->set.stacks,
		.watch_fd = t->signal_fd, .watch = top_signals_read, .arg = t,
	};
	int ret = 0;

	t->kernel = calloc(1, sizeof(*t->kernel));
	if (t->kernel == NULL)
		return fault_set_no_memory(f);
	snprintf(t->kernel->scope, sizeof(t->kernel->scope), "all processes");
	if (pids != NULL)
		ret = attach_processes(t, pids, &o, f);
	if (ret == 0)
		ret = sampler_open(&t->kernel->sampler, &o, f);
	if (pids == NULL && (ret == -EACCES || ret == -EPERM))
		return fault_not_permitted(f);
	if (ret != 0)
		return ret;
	t->kernel->open = true;
	if (init_input(t) != 0)
		return fault_set_no_memory(f);
	return sampler_start(&t->kernel->sampler, f);
}

/* Returns after each batch of 125 ms; the caller checks the time. */
int
top_kernel_wait(struct tprof_top *t, uint64_t until)
{
	struct top_kernel *k = t->kernel;
	int ret;

	if (k->ended)
		return top_signals_wait(t, until);
	ret = sampler_next(&k->sampler, add_kernel_sample, &t->data);
	if (ret != 0 || !k->attach ||
	    __atomic_load_n(&t->ending, __ATOMIC_ACQUIRE))
		return ret;
	k->ended = true;
	t->data.in.note = "no such process runs any more: these are its last "
	    "samples";
	return 1;
}

bool
top_kernel_has_ended(const struct tprof_top *t)
{
	return t->kernel->shown;
}

/* Begins anew: the numbers that libraries and processes have are void. */
static int
restart_top_kernel(struct tprof_top *t)
{
	struct address_spaces *s = &t->kernel->sampler.spaces;

	for (size_t i = 0; i < s->count; i++)
		s->all[i]->reported = 0;
	for (size_t i = 0; i < s->libraries.count; i++)
		s->libraries.all[i].number = 0;
	return top_data_reset(&t->data);
}

/*
 * Reads the counters.  A difference covers one interval, also after the screen
 * was frozen for long.
 */
static void
read_counts(struct tprof_top *t, bool shown)
{
	struct top_kernel *k = t->kernel;
	const struct sampler *own = &k->sampler;
	const size_t count = t->set.events.count * own->cpu_count;
	const size_t bytes = count * sizeof(*k->counts);

	if (shown)
		memcpy(k->counts_before, k->counts_last, bytes);
	for (size_t i = 0; i < count; i++) {
		struct counter_value v;

		if (counters_sum(&own->counters, (uint32_t)(i /
		    own->cpu_count), own->cpus[i % own->cpu_count], &v))
			k->counts_last[i] = v.value;
	}
	if (shown)
		memcpy(k->counts, k->counts_last, bytes);
}

/*
 * Reads the statistics.  shown: false while the screen is frozen: its numbers
 * stay.
 */
static void
read_stats(struct tprof_top *t, bool shown)
{
	struct top_input *in = &t->data.in;
	struct top_kernel *k = t->kernel;

	if (shown)
		memcpy(in->stats_before, k->stats_last,
		    sizeof(k->stats_last));
	sampler_total(&k->sampler);
	memcpy(k->stats_last, k->sampler.stats, sizeof(k->sampler.stats));
	k->stats_last[TPROF_STATS] = k->sampler.strange;
	k->stats_last[TPROF_STATS + 1] = k->sampler.unplaced;
	if (shown)
		memcpy(in->stats, k->stats_last, sizeof(k->stats_last));
}

int
top_kernel_update(struct tprof_top *t, struct top_state *s)
{
	if (top_data_is_full(&t->data)) {
		s->frozen = false;
		s->only_process = s->only_tid = HASH_INDEX_NONE;
		s->callers_of = HASH_INDEX_NONE;
		return restart_top_kernel(t);
	}
	read_stats(t, !s->frozen);
	read_counts(t, !s->frozen);
	t->kernel->shown = t->kernel->ended && !s->frozen;
	return 0;
}

void
top_kernel_close(struct tprof_top *t)
{
	struct top_kernel *k = t->kernel;

	if (k == NULL)
		return;
	if (k->open)
		sampler_close(&k->sampler);
	if (k->attach)
		attached_close(&k->attached);
	free(k->events);
	free(k->counts);
	free(k->counts_before);
	free(k->counts_last);
	free(k);
	t->kernel = NULL;
}
