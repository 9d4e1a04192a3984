/*
 * Context: O.  Compares a table with the one before, for group_make(); see
 * group_interval.h.
 *
 * Numbers of functions, modules and processes are of one model, and each report
 * has a model of its own, so lines are found again by a text of what they are.
 */
#include "table/group_interval.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_BETWEEN	"\001"	/* between the parts of a key */

static int
compare_interval_lines(const void *left, const void *right)
{
	const struct group_interval_line *a = left, *b = right;

	return strcmp(a->key, b->key);
}

/* Writes the process, program and thread of a line. */
static void
write_owner_key(FILE *out, const struct model *m, const struct group_line *l)
{
	if (l->process != MODEL_NONE) {
		const struct model_process *p = &m->processes[l->process];

		fprintf(out, "%" PRId32 ".%" PRIu64, p->pid, p->birth_mono);
	}
	fprintf(out, KEY_BETWEEN "%s" KEY_BETWEEN, l->program != NULL ?
	    l->program : "");
	if (l->thread != MODEL_NONE)
		fprintf(out, "%" PRId32, m->threads[l->thread].thread.tid);
}

/* Writes the module, function and place of a line. */
static void
write_code_key(FILE *out, const struct model *m, const struct group_line *l)
{
	if (l->module != MODEL_NONE)
		fputs(m->modules[l->module].path, out);
	fputs(KEY_BETWEEN, out);
	if (l->function != MODEL_NONE) {
		const struct model_function *f = &m->functions[l->function];

		/* Code that is made at run time may be made again elsewhere. */
		fprintf(out, "%s.%" PRIx64, f->name, model_is_absolute(
		    f->module) ? 0 : f->start);
	}
	fprintf(out, KEY_BETWEEN "%s.%" PRIu32 ".%" PRIx64, l->file !=
	    MODEL_NONE ? m->sources.paths.all[l->file] : "", l->line,
	    l->address);
}

/* Writes what each line is of, a text each, and stores where they are. */
static int
make_keys(struct group_interval *x, const struct model *m,
    const struct group *g)
{
	size_t bytes, *at = calloc(g->count + 1, sizeof(*at));
	FILE *out = open_memstream(&x->keys, &bytes);
	int ret = at == NULL || out == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < g->count && ret == 0; i++) {
		at[i] = (size_t)ftell(out);
		fprintf(out, "%u" KEY_BETWEEN, g->lines[i].mode);
		write_owner_key(out, m, &g->lines[i]);
		fputs(KEY_BETWEEN, out);
		write_code_key(out, m, &g->lines[i]);
		putc('\0', out);
	}
	if (out != NULL && fclose(out) != 0)
		ret = -ENOMEM;
	for (size_t i = 0; i < g->count && ret == 0; i++)
		x->lines[i].key = x->keys + at[i];
	free(at);
	return ret;
}

/* Returns the time of a line since the table before. */
static uint64_t
time_since(const struct group_interval *before,
    const struct group_interval_line *now)
{
	const struct group_interval_line *then = before->count == 0 ? NULL :
	    bsearch(now, before->lines, before->count, sizeof(*now),
	    compare_interval_lines);

	if (then == NULL || now->count < then->count)
		return now->ns;
	/* The weight of samples is an estimate, and may have become less. */
	return now->ns > then->ns ? now->ns - then->ns : 0;
}

int
group_interval_update(struct group_interval *x, struct model *m,
    struct group *g)
{
	struct group_interval now = {
		.begun = true, .count = g->count, .total_ns = g->total_ns,
	};
	int ret;

	for (size_t i = 0; i < g->count; i++)
		now.samples += g->lines[i].count;
	if (now.samples < x->samples)
		now.last_ns = g->total_ns;
	else if (g->total_ns > x->total_ns)
		now.last_ns = g->total_ns - x->total_ns;
	now.lines = calloc(g->count + 1, sizeof(*now.lines));
	ret = now.lines == NULL ? -ENOMEM : make_keys(&now, m, g);
	if (ret != 0) {
		group_interval_free(&now);
		return ret;
	}
	for (size_t i = 0; i < g->count; i++) {
		now.lines[i].count = g->lines[i].count;
		now.lines[i].ns = g->lines[i].ns;
		g->lines[i].last_ns = time_since(x, &now.lines[i]);
	}
	qsort(now.lines, now.count, sizeof(*now.lines),
	    compare_interval_lines);
	group_interval_free(x);
	*x = now;
	return 0;
}

void
group_interval_free(struct group_interval *x)
{
	free(x->lines);
	free(x->keys);
	memset(x, 0, sizeof(*x));
}
