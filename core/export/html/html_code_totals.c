/*
 * Context: O.  Sums up and writes what passed through each instruction and
 * line, for html_code.c; see html_code_totals.h.
 */
#include "html/html_code_totals.h"

#include "base/compare.h"
#include "base/vector.h"
#include "html/html_code_costs.h"
#include "html/varint_column.h"

#include <errno.h>
#include <stdlib.h>

/* The state of summing up. */
struct totals_work {
	struct html_code_totals *totals;
	const struct model *model;
	const struct code *const *codes;
	uint32_t *places;	/* by function: its place in the order + 1 */
	uint32_t *files;	/* by source of the model; 0: not asked yet */
	/* a: function, b: file, c: at; as in struct html_code_total */
	struct key_table spots;
	struct key_table keys;	/* a: number of the spot, b: of */
	/* By number of the key: */
	uint64_t *ns;
	size_t *stamps;		/* the last sample that was added */
	size_t ns_room, stamp_room;

	/* The sample in work: */
	const struct html_tree_sample *sample;
	size_t stamp;		/* its number + 1 */
};

/* Adds the sample in work to an instruction or line. */
static int
add_total(struct totals_work *w, uint32_t place, uint32_t file, size_t at)
{
	const uint32_t spot = key_table_add(&w->spots, place, file, at);
	const size_t before = w->keys.count;
	const uint32_t of = w->totals->by_sample ? (uint32_t)w->stamp - 1 :
	    w->sample->thread;
	const uint32_t n = spot == UINT32_MAX ? UINT32_MAX :
	    key_table_add(&w->keys, spot, of, 0);

	if (n == UINT32_MAX)
		return -ENOMEM;
	if (n == before) {
		if (vector_grow(&w->ns, n, &w->ns_room, sizeof(*w->ns)) != 0 ||
		    vector_grow(&w->stamps, n, &w->stamp_room,
		    sizeof(*w->stamps)) != 0)
			return -ENOMEM;
		w->ns[n] = w->stamps[n] = 0;
	}
	if (w->stamps[n] != w->stamp)
		w->ns[n] += w->sample->ns;
	w->stamps[n] = w->stamp;
	return 0;
}

/* Adds the sample in work to a line of a file, whose name is `path`. */
static int
add_line(struct totals_work *w, uint32_t place, const char *path,
    uint32_t line)
{
	const uint32_t file = string_pool_add(&w->totals->files, path);

	return file == UINT32_MAX ? -ENOMEM :
	    add_total(w, place, file + 1, line);
}

/* Adds the sample in work to the line of a scope, if it is known. */
static int
add_source_line(struct totals_work *w, uint32_t place,
    const struct model_scope *s)
{
	const char *const *paths = w->model->sources.paths.all;
	uint32_t *file;

	if (s->file == MODEL_NONE || s->line == 0)
		return 0;
	file = &w->files[s->file];
	if (*file == 0)
		*file = string_pool_add(&w->totals->files, paths[s->file]) + 1;
	return *file == 0 ? -ENOMEM : add_total(w, place, *file, s->line);
}

/*
 * Adds the sample in work to a place of a function on its stack: to the
 * instruction, and to the line of each function that is inlined there.
 */
static int
add_place(struct totals_work *w, uint32_t function, uint64_t address,
    const struct model_scope *scopes, uint32_t scope_count)
{
	const uint32_t place = function == MODEL_NONE ? 0 : w->places[function];
	const struct code *code;
	size_t at;
	int ret;

	if (place == 0)
		return 0;
	code = w->codes[place - 1];
	at = code_at(code, address);
	ret = add_total(w, place - 1, 0, at);
	for (uint32_t i = 0; i < scope_count && ret == 0; i++)
		ret = add_source_line(w, place - 1, &scopes[i]);
	if (ret != 0 || scope_count != 0 || at == code->count ||
	    code->all[at].file == NULL)
		return ret;
	/* Without inlined functions the model has no lines. */
	return add_line(w, place - 1, code->all[at].file, code->all[at].line);
}

/* Adds the sample in work to all places on its stack. */
static int
add_sample_places(struct totals_work *w)
{
	const struct model *m = w->model;
	const struct model_row *r = &m->rows[w->sample->row];
	const struct stack_frame *frames = m->stacks.frames;
	int ret = add_place(w, r->function, model_lookup_address(r),
	    m->scopes + r->scope, r->scopes);

	for (uint32_t f = r->stack; f != 0 && ret == 0; f = frames[f].caller) {
		const struct stack_frame *s = &frames[f];

		/* A return address may be that of the next line. */
		ret = add_place(w, s->function, s->address -
		    (s->kind == FORMAT_FRAME && s->address != 0),
		    m->scopes + s->scope, s->scopes);
	}
	return ret;
}

static int
compare_totals(const void *left, const void *right)
{
	const struct html_code_total *a = left, *b = right;
	int d = compare_u64(a->function, b->function);

	if (d == 0)
		d = compare_u64(a->file, b->file);
	if (d == 0)
		d = compare_u64(a->at, b->at);
	return d != 0 ? d : compare_u64(a->of, b->of);
}

/* Makes the list of totals from the keys. */
static int
list_totals(const struct totals_work *w)
{
	struct html_code_totals *t = w->totals;

	t->all = calloc(w->keys.count + 1, sizeof(*t->all));
	if (t->all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < w->keys.count; i++) {
		const struct key_table_key *k = &w->keys.all[i];
		const struct key_table_key *spot = &w->spots.all[k->a];

		t->all[i] = (struct html_code_total) {
			.function = (uint32_t)spot->a,
			.file = (uint32_t)spot->b, .at = (uint32_t)spot->c,
			.of = (uint32_t)k->b, .ns = w->ns[i],
		};
	}
	t->count = w->keys.count;
	if (t->count > 1)
		qsort(t->all, t->count, sizeof(*t->all), compare_totals);
	return 0;
}

int
html_code_totals_collect(struct html_code_totals *t, const struct model *m,
    const struct html_tree_samples *samples, const uint32_t *order,
    const struct code *const *codes, uint32_t count)
{
	struct totals_work w = { .totals = t, .model = m, .codes = codes };
	int ret = 0;

	t->by_sample = html_code_costs_by_sample(m, samples);
	w.places = calloc(m->function_count + 1, sizeof(*w.places));
	w.files = calloc(m->sources.paths.count + 1, sizeof(*w.files));
	if (w.places == NULL || w.files == NULL)
		ret = -ENOMEM;
	for (uint32_t i = 0; i < count && ret == 0; i++)
		if (codes[i]->count != 0)
			w.places[order[i]] = i + 1;
	for (size_t i = 0; i < samples->count && ret == 0 &&
	    w.keys.count <= HTML_CODE_TOTALS; i++) {
		w.sample = &samples->all[i];
		w.stamp = i + 1;
		ret = add_sample_places(&w);
	}
	t->full = w.keys.count > HTML_CODE_TOTALS;
	if (ret == 0 && !t->full)
		ret = list_totals(&w);
	key_table_free(&w.spots);
	key_table_free(&w.keys);
	free(w.places);
	free(w.files);
	free(w.ns);
	free(w.stamps);
	return ret;
}

int
html_code_totals_find(struct html_code_totals *t,
    struct html_code_source *source, uint32_t i)
{
	int ret = 0;

	t->first = t->end;
	while (t->first < t->count && t->all[t->first].function < i)
		t->first++;
	for (t->end = t->first; t->end < t->count && ret == 0 &&
	    t->all[t->end].function == i; t->end++) {
		struct html_code_total *own = &t->all[t->end];

		if (own->file != 0)
			ret = html_code_source_add(source,
			    t->files.all[own->file - 1], own->at, &own->file);
	}
	return ret;
}

/* Returns whether total i is the first one of its instruction or line. */
static bool
begins_spot(const struct html_code_totals *t, size_t i)
{
	const struct html_code_total *own = &t->all[i];

	return i == t->first || own[-1].file != own->file ||
	    own[-1].at != own->at;
}

/*
 * Writes columns of the totals [from, to): of each instruction or line, its
 * number and how many totals it has; of each total the thread or sample, as the
 * difference from the one before, and the time, unless the page has it.
 */
static void
put_totals(const struct html_code_totals *t, FILE *out, size_t from, size_t to,
    bool lines)
{
	struct varint_column c;

	varint_column_begin(&c, out, "at");
	for (size_t i = from; i < to; i++)
		if (begins_spot(t, i))
			varint_column_put(&c, t->all[i].at);
	varint_column_end(&c);
	if (lines) {
		varint_column_begin_next(&c, out, "file");
		for (size_t i = from; i < to; i++)
			if (begins_spot(t, i))
				varint_column_put(&c, t->all[i].file);
		varint_column_end(&c);
	}
	varint_column_begin_next(&c, out, "count");
	for (size_t i = from, end; i < to; i = end) {
		for (end = i + 1; end < to && !begins_spot(t, end); end++)
			;
		varint_column_put(&c, end - i);
	}
	varint_column_end(&c);
	varint_column_begin_next(&c, out, "of");
	for (size_t i = from; i < to; i++)
		varint_column_put(&c, t->all[i].of - (begins_spot(t, i) ? 0 :
		    t->all[i - 1].of));
	varint_column_end(&c);
	if (t->by_sample)
		return;
	varint_column_begin_next(&c, out, "ns");
	for (size_t i = from; i < to; i++)
		varint_column_put(&c, t->all[i].ns);
	varint_column_end(&c);
}

void
html_code_totals_put(const struct html_code_totals *t, FILE *out)
{
	size_t lines = t->first;

	if (t->full)
		return;
	while (lines < t->end && t->all[lines].file == 0)
		lines++;
	fputs(",\n\"totals\":{", out);
	put_totals(t, out, t->first, lines, false);
	fputs("},\n\"lineTotals\":{", out);
	put_totals(t, out, lines, t->end, true);
	putc('}', out);
}

void
html_code_totals_free(struct html_code_totals *t)
{
	string_pool_free(&t->files);
	free(t->all);
}
