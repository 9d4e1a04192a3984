/*
 * Context: O.  The data of tprof top: counts, names and the present interval.
 * Filled by top_kernel.c and top_profile.c, read by tprof_top.c, all in the
 * main thread; see tprof_top.h.
 */
#include "top/tprof_top.h"

#include "base/vector.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* About 100 MiB; days of running do not exceed that. */
#define PLACES_MOST	1000000u
#define OWNERS_MOST	100000u

/* A screen that was frozen for hours is made to go on. */
#define FROZEN_MOST	(4 * (size_t)AGGREGATE_MAX)

/* Resolving names may take this part of the time. */
#define NAMING_PART	4u

int
top_data_init(struct top_data *d)
{
	*d = (struct top_data) { 0 };
	aggregate_init(&d->aggregate, AGGREGATE_MAX);
	name_cache_init(&d->names);
	d->in.aggregate = &d->aggregate;
	d->in.names = &d->names;
	d->in.clock = d->clock;
	d->start = d->interval_start = perf_buffer_now();
	return d->names.out_of_memory ? -ENOMEM : 0;
}

static void
free_processes(struct top_data *d)
{
	for (size_t i = 0; i < d->process_count; i++)
		free((char *)(uintptr_t)d->processes[i].name);
	for (size_t i = 0; i < d->in.thread_count; i++)
		free((char *)(uintptr_t)d->threads[i].name);
	d->process_count = d->in.thread_count = 0;
	hash_index_free(&d->by_process);
	hash_index_free(&d->by_thread);
}

void
top_data_free(struct top_data *d)
{
	free_processes(d);
	aggregate_free(&d->aggregate);
	name_cache_free(&d->names);
	free(d->cells);
	free(d->processes);
	free(d->births);
	free(d->threads);
	*d = (struct top_data) { 0 };
}

static uint32_t
top_process_hash(int32_t pid, uint64_t birth)
{
	return hash_index_hash(birth ^ (uint32_t)pid);
}

/*
 * The name is part of what is looked up: a program that executes another one
 * gets a second line.
 */
uint32_t
top_data_add_process(struct top_data *d, int32_t pid, uint64_t birth,
    const char *name)
{
	const uint32_t hash = top_process_hash(pid, birth);
	uint32_t n;
	char *copy;

	for (size_t at = hash; (n = hash_index_next(&d->by_process, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (d->processes[n].pid == pid && d->births[n] == birth &&
		    strcmp(d->processes[n].name, name) == 0)
			return n;
	copy = strdup(name);
	if (copy == NULL || vector_grow(&d->processes, d->process_count,
	    &d->process_room, sizeof(*d->processes)) != 0 ||
	    vector_grow(&d->births, d->process_count, &d->birth_room,
	    sizeof(*d->births)) != 0 || hash_index_add(&d->by_process, hash,
	    (uint32_t)d->process_count) != 0) {
		free(copy);
		return UINT32_MAX;
	}
	n = (uint32_t)d->process_count++;
	d->processes[n] = (struct top_process) { pid, copy };
	d->births[n] = birth;
	/* The screen may be drawn between the ends of two intervals, too. */
	d->in.processes = d->processes;
	return n;
}

static uint32_t
top_thread_hash(uint32_t process, uint32_t tid)
{
	return hash_index_hash((uint64_t)process << 32 | tid);
}

bool
top_data_is_new_thread(struct top_data *d, uint32_t process, uint32_t tid)
{
	const uint32_t hash = top_thread_hash(process, tid);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&d->by_thread, hash,
	    &at)) != HASH_INDEX_NONE;)
		if (d->threads[n].process == process &&
		    d->threads[n].tid == tid)
			return false;
	return true;
}

int
top_data_add_thread(struct top_data *d, uint32_t process, uint32_t tid,
    const char *name)
{
	char *copy = strdup(name);

	if (copy == NULL || vector_grow(&d->threads, d->in.thread_count,
	    &d->thread_room, sizeof(*d->threads)) != 0 ||
	    hash_index_add(&d->by_thread, top_thread_hash(process, tid),
	    (uint32_t)d->in.thread_count) != 0) {
		free(copy);
		return -ENOMEM;
	}
	d->threads[d->in.thread_count++] = (struct top_thread) {
		process, tid, copy,
	};
	d->in.threads = d->threads;
	return 0;
}

/*
 * Resolves names, for a limited part of the time: some names come an interval
 * later.  Returns 0 or -ENOMEM.
 */
static int
resolve_top_names(struct top_data *d)
{
	const uint64_t began = perf_buffer_now();
	uint64_t ended;
	int ret;

	if (began < d->name_again)
		return 0;
	ret = name_cache_resolve(&d->names);
	ended = perf_buffer_now();
	d->name_again = ended + NAMING_PART * (ended - began);
	/* Some milliseconds do no harm. */
	if (ended - began < 50000000u)
		d->name_again = 0;
	return ret;
}

/* Copies the counts to what the screen is made from.  Returns 0 or -ENOMEM. */
static int
copy_cells(struct top_data *d)
{
	const struct aggregate *c = &d->aggregate;
	struct aggregate_cell *cells = calloc(c->cell_count + 1,
	    sizeof(*cells));

	if (cells == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < c->cell_count; i++) {
		cells[i] = c->cells[i];
		cells[i].now = aggregate_interval_value(c, &c->cells[i]);
	}
	free(d->cells);
	d->cells = cells;
	d->in.cells = cells;
	d->in.cell_count = c->cell_count;
	d->in.forgotten = c->forgotten.count;
	return 0;
}

/*
 * Sets the times on the screen: of the interval, of all counts, and the clock.
 */
static void
update_interval_time(struct top_data *d)
{
	const uint64_t now = perf_buffer_now();
	const time_t real = time(NULL);
	struct tm tm;

	d->in.now_seconds = (double)(now - d->interval_start) / 1e9;
	d->in.all_seconds = (double)(now - d->start) / 1e9;
	if (localtime_r(&real, &tm) != NULL)
		strftime(d->clock, sizeof(d->clock), "%H:%M:%S", &tm);
}

int
top_data_next_interval(struct top_data *d, struct top_state *s)
{
	int ret = resolve_top_names(d);

	if (d->aggregate.cell_count > FROZEN_MOST)
		s->frozen = false;
	if (ret == 0 && !s->frozen) {
		update_interval_time(d);
		ret = copy_cells(d);
	}
	d->interval_start = perf_buffer_now();
	/*
	 * The cells on a frozen screen refer to nodes by number: forget none.
	 */
	d->aggregate.most = s->frozen ? SIZE_MAX : AGGREGATE_MAX;
	if (ret == 0)
		ret = aggregate_next_interval(&d->aggregate);
	/*
	 * If cells were forgotten, nodes have new numbers: copy the cells
	 * again.
	 */
	if (ret == 0 && d->in.cell_count > d->aggregate.cell_count) {
		d->aggregate.turn--;
		ret = copy_cells(d);
		d->aggregate.turn++;
	}
	return ret;
}

void
top_data_clear(struct top_data *d)
{
	aggregate_clear(&d->aggregate);
	d->start = d->interval_start = perf_buffer_now();
}

bool
top_data_is_full(const struct top_data *d)
{
	return d->names.place_count > PLACES_MOST ||
	    d->process_count > OWNERS_MOST ||
	    d->in.thread_count > OWNERS_MOST;
}

int
top_data_reset(struct top_data *d)
{
	struct aggregate_value gone = d->aggregate.forgotten;

	for (size_t i = 0; i < d->aggregate.cell_count; i++) {
		gone.count += d->aggregate.cells[i].all.count;
		gone.weight += d->aggregate.cells[i].all.weight;
	}
	aggregate_free(&d->aggregate);
	d->aggregate.forgotten = gone;
	name_cache_free(&d->names);
	name_cache_init(&d->names);
	free_processes(d);
	d->in.cell_count = 0;
	return d->names.out_of_memory ? -ENOMEM : 0;
}
