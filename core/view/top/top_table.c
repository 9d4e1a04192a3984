/*
 * Context: O.  Makes the tables of tprof top, for cmd/top/tprof_top.c: sums
 * cells by function, process or thread, and sorts the lines; see top_table.h.
 */
#include "top/top_table.h"

#include "base/compare.h"
#include "base/vector.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * Bits that set keys of lines of processes and threads apart from those of
 * functions.
 */
#define KEY_PROCESS	(1ull << 62)
#define KEY_THREAD	(1ull << 61)

void
top_state_init(struct top_state *s)
{
	*s = (struct top_state) {
		.only_process = HASH_INDEX_NONE, .only_tid = HASH_INDEX_NONE,
		.callers_of = HASH_INDEX_NONE,
	};
}

static void
make_process_line(const struct top_input *in, uint32_t process,
    struct top_line *to)
{
	const struct top_process *p = &in->processes[process];

	snprintf(to->own, sizeof(to->own), "<%" PRId32 ":%s>", p->pid,
	    p->name);
	to->module = "";
	to->process = process;
	to->key = KEY_PROCESS | process;
}

static void
make_thread_line(const struct top_input *in, const struct aggregate_key *key,
    struct top_line *to)
{
	const char *name = "";

	for (size_t i = 0; i < in->thread_count && *name == '\0'; i++)
		if (in->threads[i].tid == key->tid &&
		    in->threads[i].process == key->process)
			name = in->threads[i].name;
	snprintf(to->own, sizeof(to->own), "<%" PRId32 ".%" PRIu32 ":%s>",
	    in->processes[key->process].pid, key->tid, name);
	to->module = in->processes[key->process].name;
	if (strcmp(to->module, name) == 0)
		to->module = "";
	to->process = key->process;
	to->tid = key->tid;
}

/*
 * Makes the key of the line that a cell belongs to, and the texts of the line,
 * in case it is new.
 */
static void
make_cell_line(const struct top_input *in, const struct top_state *s,
    const struct aggregate_cell *own, const struct name_cache_name *n,
    struct top_line *to)
{
	*to = (struct top_line) {
		.kernel = n->kernel, .process = HASH_INDEX_NONE,
		.tid = HASH_INDEX_NONE, .function = HASH_INDEX_NONE,
	};
	if (s->by == TOP_THREADS && s->only_process == HASH_INDEX_NONE) {
		to->key = KEY_THREAD | (uint64_t)own->key.process << 32 |
		    own->key.tid;
		to->kernel = false;
	} else if ((s->by == TOP_PROCESSES &&
	    s->only_process == HASH_INDEX_NONE) ||
	    (s->merge_users && !n->kernel)) {
		make_process_line(in, own->key.process, to);
		to->kernel = false;
	} else {
		to->key = n->function;
		to->function = n->function;
		to->name = n->text;
		to->module = n->module;
	}
}

/*
 * Returns the line of a key, which is made if it is missing; NULL if memory is
 * out.
 */
static struct top_line *
find_top_line(struct top_table *t, const struct top_input *in,
    const struct aggregate_cell *cell, const struct top_line *key)
{
	const uint32_t hash = hash_index_hash(key->key);
	struct top_line *own;
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (t->lines[n].key == key->key)
			return &t->lines[n];
	if (vector_grow(&t->lines, t->count, &t->room, sizeof(*own)) != 0 ||
	    hash_index_add(&t->by_key, hash, (uint32_t)t->count) != 0)
		return NULL;
	own = &t->lines[t->count++];
	*own = *key;
	if ((own->key & KEY_THREAD) != 0)
		make_thread_line(in, &cell->key, own);
	return own;
}

static void
add_aggregate_value(struct aggregate_value *to, const struct aggregate_value *v)
{
	to->count += v->count;
	to->weight += v->weight;
}

/* Returns the place of a processor in in->cpus; cpu_count if it has none. */
static size_t
cpu_index(const struct top_input *in, uint32_t cpu)
{
	size_t i = 0;

	while (i < in->cpu_count && in->cpus[i] != cpu)
		i++;
	return i;
}

/*
 * Sums cells to lines and sets line_at[] to the line of each cell.  Processors
 * are summed later, as t->cpus needs the final number of lines.
 */
static int
sum_top_lines(struct top_table *t, const struct top_input *in,
    const struct top_state *s, uint32_t *line_at)
{
	for (size_t i = 0; i < in->cell_count; i++) {
		const struct aggregate_cell *own = &in->cells[i];
		const struct aggregate_value v = top_value(s, own);
		struct top_line key, *line;
		struct name_cache_name n;

		if (!top_cell_selected(s, own))
			continue;
		n = name_cache_get(in->names,
		    in->aggregate->nodes[own->key.node].place);
		make_cell_line(in, s, own, &n, &key);
		line = find_top_line(t, in, own, &key);
		if (line == NULL)
			return -ENOMEM;
		line_at[i] = (uint32_t)(line - t->lines);
		add_aggregate_value(&line->value, &v);
		add_aggregate_value(&t->all, &v);
		if (n.kernel)
			add_aggregate_value(&t->kernel, &v);
	}
	return 0;
}

/* Makes t->cpus and the sums by processor, after sum_top_lines(). */
static int
sum_top_cpus(struct top_table *t, const struct top_input *in,
    const struct top_state *s, const uint32_t *line_at)
{
	t->cpus = calloc(t->count * in->cpu_count + 1, sizeof(*t->cpus));
	if (t->cpus == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < in->cell_count; i++) {
		const struct aggregate_cell *own = &in->cells[i];
		const size_t at = cpu_index(in, own->key.cpu);
		const uint64_t count = top_value(s, own).count;

		if (!top_cell_selected(s, own) || at == in->cpu_count)
			continue;
		t->cpus[line_at[i] * in->cpu_count + at] += count;
		t->all_cpus[at] += count;
		if (name_cache_get(in->names, in->aggregate->nodes[
		    own->key.node].place).kernel)
			t->kernel_cpus[at] += count;
	}
	return 0;
}

struct sorted_line {
	struct top_line line;
	size_t was;
	enum top_sort by;
};

static const char *
top_line_name(const struct top_line *l)
{
	return l->name != NULL ? l->name : l->own;
}

static int
compare_top_lines(const void *left, const void *right)
{
	const struct sorted_line *a = left, *b = right;
	int d = a->by == TOP_MODULE ? strcmp(a->line.module, b->line.module) :
	    a->by == TOP_NAME ? strcmp(top_line_name(&a->line),
	    top_line_name(&b->line)) : 0;

	if (d == 0)
		d = compare_u64(b->line.value.weight, a->line.value.weight);
	if (d == 0)
		d = strcmp(top_line_name(&a->line), top_line_name(&b->line));
	return d != 0 ? d : compare_u64(a->line.key, b->line.key);
}

/* Sorts the lines, together with their counts by processor. */
static int
sort_top_lines(struct top_table *t, size_t cpu_count, enum top_sort by)
{
	struct sorted_line *all = calloc(t->count + 1, sizeof(*all));
	uint64_t *cpus = calloc(t->count * cpu_count + 1, sizeof(*cpus));

	if (all == NULL || cpus == NULL) {
		free(all);
		free(cpus);
		return -ENOMEM;
	}
	for (size_t i = 0; i < t->count; i++)
		all[i] = (struct sorted_line) { t->lines[i], i, by };
	qsort(all, t->count, sizeof(*all), compare_top_lines);
	for (size_t i = 0; i < t->count; i++) {
		t->lines[i] = all[i].line;
		if (cpu_count != 0)
			memcpy(cpus + i * cpu_count, t->cpus + all[i].was *
			    cpu_count, cpu_count * sizeof(*cpus));
	}
	free(all);
	free(t->cpus);
	t->cpus = cpus;
	return 0;
}

int
top_table_make(struct top_table *t, const struct top_input *in,
    const struct top_state *s)
{
	uint32_t *line_at = calloc(in->cell_count + 1, sizeof(*line_at));
	int ret;

	*t = (struct top_table) { 0 };
	t->all_cpus = calloc(in->cpu_count + 1, sizeof(*t->all_cpus));
	t->kernel_cpus = calloc(in->cpu_count + 1, sizeof(*t->kernel_cpus));
	ret = line_at == NULL || t->all_cpus == NULL ||
	    t->kernel_cpus == NULL ? -ENOMEM : sum_top_lines(t, in, s, line_at);
	if (ret == 0)
		ret = sum_top_cpus(t, in, s, line_at);
	free(line_at);
	t->shown = t->all;
	if (ret == 0)
		ret = s->callers_of == HASH_INDEX_NONE ?
		    sort_top_lines(t, in->cpu_count, s->sort) :
		    top_callers_make(t, in, s);
	return ret;
}

void
top_table_free(struct top_table *t)
{
	free(t->lines);
	hash_index_free(&t->by_key);
	free(t->cpus);
	free(t->all_cpus);
	free(t->kernel_cpus);
	*t = (struct top_table) { 0 };
}
