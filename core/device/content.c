/* Context: O.  What is in the files of a device. */
#include "content.h"

#include "allocators.h"
#include "export_folded.h"
#include "export_pprof.h"
#include "sight.h"
#include "conduct.h"
#include "symbolise.h"
#include "term.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A place, or a line of source, and what was seen there. */
struct spot {
	const char *file;	/* NULL of a place */
	uint64_t at;
	uint64_t count, ns;
	struct model_heap heap;
};

struct spots {
	struct spot *all;
	size_t count;
};

static int
spot_compare(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	int d = a->file == NULL || b->file == NULL ? 0 :
	    strcmp(a->file, b->file);

	return d != 0 ? d : (a->at > b->at) - (a->at < b->at);
}

/* Ascending, each once. */
static void
merge(struct spots *p)
{
	size_t kept = 0;

	if (p->count > 1)
		qsort(p->all, p->count, sizeof(*p->all), spot_compare);
	for (size_t i = 0; i < p->count; i++) {
		struct spot *last = &p->all[kept == 0 ? 0 : kept - 1];

		if (kept != 0 && spot_compare(last, &p->all[i]) == 0) {
			last->count += p->all[i].count;
			last->ns += p->all[i].ns;
			model_sum_heap(&last->heap, &p->all[i].heap);
		} else {
			p->all[kept++] = p->all[i];
		}
	}
	p->count = kept;
}

/* Of a line that is not known: its module, and 0. */
static void
place_in_source(struct spot *p, const struct model *m,
    const struct model_row *r)
{
	const struct model_scope *s = r->scopes == 0 ? NULL :
	    &m->scopes[r->scope];

	if (s == NULL || s->file == MODEL_NONE) {
		p->file = m->modules[r->module].path;
		p->at = 0;
	} else {
		p->file = m->sources.paths.all[s->file];
		p->at = s->line;
	}
}

static int
collect(struct spots *p, const struct sight *s, uint32_t module, bool lines)
{
	const struct model *m = &s->model;

	p->count = 0;
	p->all = calloc(m->row_count + 1, sizeof(*p->all));
	if (p->all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		struct spot *spot = &p->all[p->count];

		if (!sight_has(s, r, module))
			continue;
		*spot = (struct spot) { NULL, r->address, r->count, r->ns,
		    *model_heap(m, r) };
		if (lines)
			place_in_source(spot, m, r);
		p->count++;
	}
	merge(p);
	return 0;
}

/* A name from outside must not be a line of its own. */
static void
put_line_of_source(FILE *out, const struct spot *at)
{
	term_text(&(struct term) { .out = out }, at->file, 0);
	fprintf(out, ":%" PRIu64 " ", at->at);
}

static int
put_pairs(FILE *out, const struct sight *s, const struct node *n)
{
	struct spots p;
	int ret = collect(&p, s, n->module, n->kind == NODE_LINES);

	for (size_t i = 0; ret == 0 && i < p.count; i++) {
		const struct spot *at = &p.all[i];

		if (n->kind == NODE_LINES) {
			put_line_of_source(out, at);
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n", at->count,
			    at->ns);
		} else if (n->kind == NODE_TIMES)
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n", at->at,
			    at->ns);
		else if (at->count != 0)
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n", at->at,
			    at->count);
	}
	free(p.all);
	return ret;
}

/* Writes the bytes that are live now, at each place that has any. */
static void
put_bytes(FILE *out, const struct spots *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->all[i].heap.live_bytes != 0)
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n",
			    p->all[i].at, p->all[i].heap.live_bytes);
}

/* What is there now, and the most that was; of the module at 0. */
static void
put_memory(FILE *out, const struct spots *p)
{
	struct model_heap all = { 0 };

	for (size_t i = 0; i < p->count; i++)
		model_sum_heap(&all, &p->all[i].heap);
	fprintf(out, "0 %" PRIu64 " %" PRIu64 "\n", all.live_bytes,
	    all.high_bytes);
	for (size_t i = 0; i < p->count; i++)
		fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		    p->all[i].at, p->all[i].heap.live_bytes,
		    p->all[i].heap.high_bytes);
}

static void
put_heaplines(FILE *out, const struct spots *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct model_heap *h = &p->all[i].heap;

		put_line_of_source(out, &p->all[i]);
		fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		    " %" PRIu64 "\n", h->live_bytes, h->high_bytes,
		    h->live_blocks, h->total_bytes, h->total_blocks);
	}
}

static int
put_heap(FILE *out, struct device *d, struct sight *s, const struct node *n)
{
	const bool lines = n->kind == NODE_HEAP;
	struct spots p = { 0 };
	int ret;

	allocators_skip(&s->model);
	ret = sight_number(s, d);
	if (ret == 0)
		ret = collect(&p, s, n->module, lines);
	if (ret == 0 && lines)
		put_heaplines(out, &p);
	else if (ret == 0 && n->kind == NODE_HISTOGRAM)
		put_bytes(out, &p);
	else if (ret == 0)
		put_memory(out, &p);
	free(p.all);
	return ret;
}

#define KEEP_FOR_MEMORY \
	(MODEL_KEEP_HEAP | MODEL_KEEP_STACKS | MODEL_KEEP_LINES)

/* Returns what the model has to keep.  memory: a histogram holds bytes. */
static unsigned
keep_for(enum node_kind kind, bool memory)
{
	switch (kind) {
	case NODE_HISTOGRAM:
		return memory ? KEEP_FOR_MEMORY : 0;
	case NODE_LINES:
		return MODEL_KEEP_LINES;
	case NODE_FOLDED:
		return MODEL_KEEP_STACKS | MODEL_KEEP_LINES;
	case NODE_MEMORY:
	case NODE_HEAP:
		return KEEP_FOR_MEMORY;
	case NODE_PPROF:
		return MODEL_KEEP_STACKS | MODEL_KEEP_LINES |
		    MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD;
	default:
		return 0;
	}
}

static int
put_seen(FILE *out, struct device *d, struct sight *s, const struct node *n,
    bool memory)
{
	const bool plain = n->kind == NODE_TIMES ||
	    (n->kind == NODE_HISTOGRAM && !memory);
	int ret = plain ? 0 : symbolise_all(&s->model, NULL, NULL);

	if (ret != 0)
		return ret;
	if (memory)
		return put_heap(out, d, s, n);
	switch (n->kind) {
	case NODE_FOLDED:
		sight_narrow(s, d, n->module);
		return export_folded(&s->model, out);
	case NODE_PPROF:
		sight_narrow(s, d, n->module);
		ret = export_pprof(&s->model, out);
		return ret == -ENOTSUP ? -EOPNOTSUPP : ret;
	case NODE_MEMORY:
	case NODE_HEAP:
		return put_heap(out, d, s, n);
	default:
		return put_pairs(out, s, n);
	}
}

static int
put_counted(FILE *out, struct device *d, const struct node *n)
{
	const bool memory = n->kind == NODE_HISTOGRAM &&
	    conduct_is_memory(d, n->pid);
	struct sight s;
	int ret = sight_open(&s, d, n->pid, keep_for(n->kind, memory));

	if (ret == 0)
		ret = put_seen(out, d, &s, n, memory);
	sight_close(&s);
	return ret;
}

static int
put(FILE *out, struct device *d, const struct node *n)
{
	const struct catalogue_entry *e = catalogue_at(&d->catalogue,
	    n->module);

	if (n->module != 0 && e == NULL)
		return -ENOENT;
	switch (n->kind) {
	case NODE_NAME:
		fprintf(out, "%s\n", catalogue_name(e));
		return 0;
	case NODE_PATH:
		fprintf(out, "%s\n", e->path);
		return 0;
	case NODE_CTL:
		return conduct_put_ctl(out, d, n->pid);
	case NODE_STATUS:
		return conduct_put_status(out, d, n->pid);
	default:
		return put_counted(out, d, n);
	}
}

int
content_make(struct device *d, const struct node *n, char **text, size_t *bytes)
{
	FILE *out = open_memstream(text, bytes);
	int ret = out == NULL ? -ENOMEM : put(out, d, n);

	if (out != NULL && fclose(out) != 0 && ret == 0)
		ret = -ENOMEM;
	if (ret != 0 && out != NULL) {
		free(*text);
		*text = NULL;
	}
	return ret;
}
