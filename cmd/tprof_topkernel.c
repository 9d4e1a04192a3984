/* Context: O.  tprof top of all processes: samples of the kernel. */
#include "tprof_top.h"

#include "format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(TPROF_STATS + 2 <= TOP_STATS, "statistics of a screen");

struct topkernel {
	struct sampler sampler;
	bool open;
	struct top_event *events;
	uint64_t *counts, *counts_before;	/* that are shown */
	uint64_t *counts_last, stats_last[TOP_STATS];
};

/* Its number in the namer; that of the kernel is no library's. */
static uint32_t
module_of(struct topdata *d, struct library *own, uint32_t process)
{
	const struct tprof_module id = library_id(own);
	struct namer_module m = {
		.path = id.path, .path_bytes = id.path_bytes,
		.build_id_bytes = id.build_id_bytes,
		.device = id.device, .inode = id.inode,
		.seen = id.seen, .process = process,
		.flags = (own->flags & TPROF_M_VDSO) != 0 ? FORMAT_M_VDSO :
		    (own->flags & TPROF_M_BIASED) == 0 ? FORMAT_M_NO_ELF : 0,
	};

	if (own->number == 0) {
		memcpy(m.build_id, id.build_id, m.build_id_bytes);
		own->number = namer_module(&d->namer, &m);
	}
	return own->number;
}

static uint32_t
place_of(struct topdata *d, const struct sampler_seen *seen,
    const struct sampler_place *p)
{
	const uint64_t at = p->address - ((p->flags & TPROF_F_CALLER) != 0);
	struct namer_process who = {
		seen->pid, seen->space->uid, seen->space->birth,
	};
	uint32_t process;

	if ((p->flags & TPROF_F_CUT) != 0)
		return namer_ask(&d->namer, NAMER_CUT, NAMER_ANY, p->address);
	if ((p->flags & TPROF_F_KERNEL) != 0)
		return namer_ask(&d->namer, NAMER_KERNEL, NAMER_ANY, at);
	process = namer_process(&d->namer, &who);
	if (p->library != NULL)
		return namer_ask(&d->namer, module_of(d, p->library, process),
		    NAMER_ANY, at + p->library->bias);
	return namer_ask(&d->namer, space_find(seen->space, at) != NULL ?
	    NAMER_GENERATED : NAMER_NOWHERE, process, at);
}

/* Its number; 0 in told, as whenever its name changes: it is asked for. */
static uint32_t
process_of(struct topdata *d, const struct sampler_seen *seen)
{
	struct space *own = seen->space;

	if (own->told == 0)
		own->told = topdata_process(d, seen->pid, own->birth,
		    space_program(own)) + 1;
	return own->told - 1;
}

static int
note_thread(struct topdata *d, const struct sampler_seen *seen,
    uint32_t process)
{
	const uint32_t tid = (uint32_t)seen->tid;
	const struct thread_name *t;

	if (!topdata_is_new(d, process, tid))
		return 0;
	t = space_thread(seen->space, seen->tid);
	return t == NULL ? -ENOMEM : topdata_thread(d, process, tid,
	    seen->pid <= 0 ? "" : t->name);
}

static int
take(void *top, const struct sampler_seen *seen)
{
	struct topdata *d = top;
	struct census_key key = {
		.event = seen->event, .cpu = seen->cpu,
		.process = process_of(d, seen), .tid = (uint32_t)seen->tid,
	};
	const struct census_value v = { 1, seen->weight };

	if (key.process == UINT32_MAX ||
	    note_thread(d, seen, key.process) != 0)
		return -ENOMEM;
	for (size_t i = seen->depth; i-- > 0;) {
		const uint32_t place = place_of(d, seen, &seen->places[i]);

		key.node = place == FINDER_NONE ? 0 : census_node(&d->census,
		    key.node, place);
		if (key.node == 0)
			return -ENOMEM;
	}
	return census_add(&d->census, &key, &v);
}

static int
init_input(struct tprof_top *t)
{
	struct topkernel *k = t->kernel;
	struct top_input *in = &t->data.in;
	const size_t events = t->set.events.count;
	const size_t counts = k->sampler.counters.count;

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
	in->scope = "all processes";
	in->stat_count = TPROF_STATS + 2;
	for (unsigned i = 0; i < TPROF_STATS; i++)
		in->stat_names[i] = tprof_stat_name(i);
	in->stat_names[TPROF_STATS] = TOP_NOT_UNDERSTOOD;
	in->stat_names[TPROF_STATS + 1] = TOP_UNTOLD;
	return 0;
}

static int
refused(struct fault *f)
{
	fault_set(f, "may not be watched by this user", FAULT_NO_OFFSET, 0);
	f->file = "all processes";
	f->remedy = "be root, see kernel.perf_event_paranoid, or name a "
	    "process that runs under libmon.so: tprof top PID";
	return -EACCES;
}

int
topkernel_open(struct tprof_top *t, struct fault *f)
{
	const struct sampler_options o = {
		.events = &t->set.events, .pid = -1, .stacks = t->set.stacks,
		.watch_fd = t->signals, .watch = tprof_top_signals, .arg = t,
	};
	int ret;

	t->kernel = calloc(1, sizeof(*t->kernel));
	if (t->kernel == NULL)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	ret = sampler_open(&t->kernel->sampler, &o, f);
	if (ret == -EACCES || ret == -EPERM)
		return refused(f);
	if (ret != 0)
		return ret;
	t->kernel->open = true;
	if (init_input(t) != 0)
		return fault_set(f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	return sampler_start(&t->kernel->sampler, f);
}

/* A batch each 125 ms: whether it is time is for who asks to see. */
int
topkernel_wait(struct tprof_top *t, uint64_t until)
{
	(void)until;
	return sampler_next(&t->kernel->sampler, take, &t->data);
}

/* Numbers that libraries and processes were given mean nothing any more. */
static int
restart(struct tprof_top *t)
{
	struct spaces *s = &t->kernel->sampler.spaces;

	for (size_t i = 0; i < s->count; i++)
		s->all[i]->told = 0;
	for (size_t i = 0; i < s->libraries.count; i++)
		s->libraries.all[i].number = 0;
	return topdata_restart(&t->data);
}

/* Differences are of one interval, also after a screen was frozen for long. */
static void
read_counts(struct tprof_top *t, bool shown)
{
	struct topkernel *k = t->kernel;
	const struct counters *c = &k->sampler.counters;
	const size_t bytes = c->count * sizeof(*k->counts);

	if (shown)
		memcpy(k->counts_before, k->counts_last, bytes);
	for (size_t i = 0; i < c->count; i++) {
		struct counter_value v;

		if (counter_read(c, &c->all[i], &v))
			k->counts_last[i] = v.value;
	}
	if (shown)
		memcpy(k->counts, k->counts_last, bytes);
}

static void
read_stats(struct tprof_top *t, bool shown)
{
	struct top_input *in = &t->data.in;
	struct topkernel *k = t->kernel;

	if (shown)
		memcpy(in->stats_before, k->stats_last,
		    sizeof(k->stats_last));
	sampler_total(&k->sampler);
	memcpy(k->stats_last, k->sampler.stats, sizeof(k->sampler.stats));
	k->stats_last[TPROF_STATS] = k->sampler.strange;
	k->stats_last[TPROF_STATS + 1] = k->sampler.untold;
	if (shown)
		memcpy(in->stats, k->stats_last, sizeof(k->stats_last));
}

int
topkernel_look(struct tprof_top *t, struct top_state *s)
{
	if (topdata_is_full(&t->data)) {
		s->frozen = false;
		s->only_process = s->only_tid = FINDER_NONE;
		s->callers_of = FINDER_NONE;
		return restart(t);
	}
	read_stats(t, !s->frozen);
	read_counts(t, !s->frozen);
	return 0;
}

void
topkernel_close(struct tprof_top *t)
{
	struct topkernel *k = t->kernel;

	if (k == NULL)
		return;
	if (k->open)
		sampler_close(&k->sampler);
	free(k->events);
	free(k->counts);
	free(k->counts_before);
	free(k->counts_last);
	free(k);
	t->kernel = NULL;
}
