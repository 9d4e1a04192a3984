/* Context: O.  tprof top: counts, names, and one look at them. */
#include "tprof_top.h"

#include "grow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Some 100 MiB, which days of running do not go beyond. */
#define PLACES_MOST	1000000u
#define OWNERS_MOST	100000u

/* A screen that is frozen for hours is made to go on. */
#define FROZEN_MOST	(4 * (size_t)CENSUS_MOST)

/* Names may take this part of the time. */
#define NAMING_PART	4u

int
topdata_init(struct topdata *d)
{
	*d = (struct topdata) { .cells = NULL };
	census_init(&d->census, CENSUS_MOST);
	namer_init(&d->namer);
	d->in.census = &d->census;
	d->in.namer = &d->namer;
	d->in.clock = d->clock;
	d->cleared = d->turned = buffer_now();
	return d->namer.out_of_memory ? -ENOMEM : 0;
}

static void
free_owners(struct topdata *d)
{
	for (size_t i = 0; i < d->process_count; i++)
		free((char *)(uintptr_t)d->processes[i].name);
	for (size_t i = 0; i < d->in.thread_count; i++)
		free((char *)(uintptr_t)d->threads[i].name);
	d->process_count = d->in.thread_count = 0;
	finder_free(&d->by_process);
	finder_free(&d->by_thread);
}

void
topdata_free(struct topdata *d)
{
	free_owners(d);
	census_free(&d->census);
	namer_free(&d->namer);
	free(d->cells);
	free(d->processes);
	free(d->births);
	free(d->threads);
	*d = (struct topdata) { .cells = NULL };
}

static uint32_t
process_hash(int32_t pid, uint64_t birth)
{
	return finder_hash(birth ^ (uint32_t)pid);
}

/* A program that execs another is another line. */
uint32_t
topdata_process(struct topdata *d, int32_t pid, uint64_t birth,
    const char *name)
{
	const uint32_t hash = process_hash(pid, birth);
	uint32_t n;
	char *copy;

	for (size_t at = hash; (n = finder_next(&d->by_process, hash, &at)) !=
	    FINDER_NONE;)
		if (d->processes[n].pid == pid && d->births[n] == birth &&
		    strcmp(d->processes[n].name, name) == 0)
			return n;
	copy = strdup(name);
	if (copy == NULL || grow(&d->processes, d->process_count,
	    &d->process_room, sizeof(*d->processes)) != 0 ||
	    grow(&d->births, d->process_count, &d->birth_room,
	    sizeof(*d->births)) != 0 || finder_add(&d->by_process, hash,
	    (uint32_t)d->process_count) != 0) {
		free(copy);
		return UINT32_MAX;
	}
	n = (uint32_t)d->process_count++;
	d->processes[n] = (struct top_process) { pid, copy };
	d->births[n] = birth;
	/* What is shown is looked at between two turns as well. */
	d->in.processes = d->processes;
	return n;
}

static uint32_t
thread_hash(uint32_t process, uint32_t tid)
{
	return finder_hash((uint64_t)process << 32 | tid);
}

bool
topdata_is_new(struct topdata *d, uint32_t process, uint32_t tid)
{
	const uint32_t hash = thread_hash(process, tid);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&d->by_thread, hash, &at)) !=
	    FINDER_NONE;)
		if (d->threads[n].process == process &&
		    d->threads[n].tid == tid)
			return false;
	return true;
}

int
topdata_thread(struct topdata *d, uint32_t process, uint32_t tid,
    const char *name)
{
	char *copy = strdup(name);

	if (copy == NULL || grow(&d->threads, d->in.thread_count,
	    &d->thread_room, sizeof(*d->threads)) != 0 ||
	    finder_add(&d->by_thread, thread_hash(process, tid),
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

/* Not all of the time may go into names: some are asked for a look later. */
static int
look_up(struct topdata *d)
{
	const uint64_t began = buffer_now();
	uint64_t ended;
	int ret;

	if (began < d->name_again)
		return 0;
	ret = namer_run(&d->namer);
	ended = buffer_now();
	d->name_again = ended + NAMING_PART * (ended - began);
	/* Some milliseconds disturb nobody. */
	if (ended - began < 50000000u)
		d->name_again = 0;
	return ret;
}

static int
take_cells(struct topdata *d)
{
	const struct census *c = &d->census;
	struct census_cell *cells = calloc(c->cell_count + 1, sizeof(*cells));

	if (cells == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < c->cell_count; i++) {
		cells[i] = c->cells[i];
		cells[i].now = census_now(c, &c->cells[i]);
	}
	free(d->cells);
	d->cells = cells;
	d->in.cells = cells;
	d->in.cell_count = c->cell_count;
	d->in.forgotten = c->forgotten.count;
	return 0;
}

static void
take_time(struct topdata *d)
{
	const uint64_t now = buffer_now();
	const time_t real = time(NULL);
	struct tm tm;

	d->in.now_seconds = (double)(now - d->turned) / 1e9;
	d->in.all_seconds = (double)(now - d->cleared) / 1e9;
	if (localtime_r(&real, &tm) != NULL)
		strftime(d->clock, sizeof(d->clock), "%H:%M:%S", &tm);
}

int
topdata_turn(struct topdata *d, struct top_state *s)
{
	int ret = look_up(d);

	if (d->census.cell_count > FROZEN_MOST)
		s->frozen = false;
	if (ret == 0 && !s->frozen) {
		take_time(d);
		ret = take_cells(d);
	}
	d->turned = buffer_now();
	/* Cells that are shown have numbers of nodes. */
	d->census.most = s->frozen ? SIZE_MAX : CENSUS_MOST;
	if (ret == 0)
		ret = census_turn(&d->census);
	/* Nodes have other numbers where some went: so have the cells. */
	if (ret == 0 && d->in.cell_count > d->census.cell_count) {
		d->census.turn--;
		ret = take_cells(d);
		d->census.turn++;
	}
	return ret;
}

void
topdata_clear(struct topdata *d)
{
	census_clear(&d->census);
	d->cleared = d->turned = buffer_now();
}

bool
topdata_is_full(const struct topdata *d)
{
	return d->namer.place_count > PLACES_MOST ||
	    d->process_count > OWNERS_MOST ||
	    d->in.thread_count > OWNERS_MOST;
}

int
topdata_restart(struct topdata *d)
{
	struct census_value gone = d->census.forgotten;

	for (size_t i = 0; i < d->census.cell_count; i++) {
		gone.count += d->census.cells[i].all.count;
		gone.weight += d->census.cells[i].all.weight;
	}
	census_free(&d->census);
	d->census.forgotten = gone;
	namer_free(&d->namer);
	namer_init(&d->namer);
	free_owners(d);
	d->in.cell_count = 0;
	return d->namer.out_of_memory ? -ENOMEM : 0;
}
