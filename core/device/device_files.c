/*
 * Context: O.  Makes the contents of the files of a device when proffs opens
 * one, from a snapshot of all profiles; see device_files.h.
 */
#include "device_files.h"

#include "base/term.h"
#include "device_control.h"
#include "device_snapshot.h"
#include "tools/export_folded.h"
#include "tools/export_pprof.h"
#include "names/symbolize.h"
#include "stack/skip_allocators.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* An address or a source line, and what was counted there. */
struct spot {
	/* source file; NULL for an address */
	const char *file;
	/* address or line */
	uint64_t at;
	uint64_t count, ns;
	struct model_heap heap;
};

struct spots {
	struct spot *all;
	size_t count;
};

static int
compare_device_spots(const void *left, const void *right)
{
	const struct spot *a = left, *b = right;
	int d = a->file == NULL || b->file == NULL ? 0 :
	    strcmp(a->file, b->file);

	return d != 0 ? d : (a->at > b->at) - (a->at < b->at);
}

/* Sorts the spots and merges equal ones. */
static void
merge_spots(struct spots *p)
{
	size_t kept = 0;

	if (p->count > 1)
		qsort(p->all, p->count, sizeof(*p->all), compare_device_spots);
	for (size_t i = 0; i < p->count; i++) {
		struct spot *last = &p->all[kept == 0 ? 0 : kept - 1];

		if (kept != 0 && compare_device_spots(last, &p->all[i]) == 0) {
			last->count += p->all[i].count;
			last->ns += p->all[i].ns;
			model_heap_sum(&last->heap, &p->all[i].heap);
		} else {
			p->all[kept++] = p->all[i];
		}
	}
	p->count = kept;
}

/*
 * Sets the source line of a row; if it is not known, the path of the module and
 * line 0.
 */
static void
set_source_line(struct spot *p, const struct model *m,
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

/*
 * Collects the places of a module (0: of all that are shown), or its lines.
 * Returns 0 or -ENOMEM; the caller frees p->all in either case.
 */
static int
collect_spots(struct spots *p, const struct device_snapshot *s, uint32_t module,
    bool lines)
{
	const struct model *m = &s->model;

	p->count = 0;
	p->all = calloc(m->row_count + 1, sizeof(*p->all));
	if (p->all == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		struct spot *spot = &p->all[p->count];

		if (!device_snapshot_has(s, r, module))
			continue;
		*spot = (struct spot) { NULL, r->address, r->count, r->ns,
		    *model_heap(m, r) };
		if (lines)
			set_source_line(spot, m, r);
		p->count++;
	}
	merge_spots(p);
	return 0;
}

/*
 * Writes FILE:LINE.  The name comes from outside: its control characters must
 * not make lines of their own.
 */
static void
put_source_line(FILE *out, const struct spot *at)
{
	term_text(&(struct term) { .out = out }, at->file, 0);
	fprintf(out, ":%" PRIu64 " ", at->at);
}

/* Writes one line for each place that was counted.  Returns 0 or -ENOMEM. */
static int
put_pairs(FILE *out, const struct device_snapshot *s,
    const struct device_path *n)
{
	struct spots p;
	int ret = collect_spots(&p, s, n->module, n->kind == DEVICE_PATH_LINES);

	for (size_t i = 0; ret == 0 && i < p.count; i++) {
		const struct spot *at = &p.all[i];

		if (n->kind == DEVICE_PATH_LINES) {
			put_source_line(out, at);
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n", at->count,
			    at->ns);
		} else if (n->kind == DEVICE_PATH_TIMES)
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n", at->at,
			    at->ns);
		else if (at->count != 0)
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n", at->at,
			    at->count);
	}
	free(p.all);
	return ret;
}

/* Writes the bytes that are live now, at each address that has any. */
static void
put_live_bytes(FILE *out, const struct spots *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->all[i].heap.live_bytes != 0)
			fprintf(out, "%" PRIu64 " %" PRIu64 "\n",
			    p->all[i].at, p->all[i].heap.live_bytes);
}

/*
 * Writes the bytes that are live now and the most that were live, at each
 * address.  Address 0 has the sums of the module.
 */
static void
put_memory_spots(FILE *out, const struct spots *p)
{
	struct model_heap all = { 0 };

	for (size_t i = 0; i < p->count; i++)
		model_heap_sum(&all, &p->all[i].heap);
	fprintf(out, "0 %" PRIu64 " %" PRIu64 "\n", all.live_bytes,
	    all.high_bytes);
	for (size_t i = 0; i < p->count; i++)
		fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		    p->all[i].at, p->all[i].heap.live_bytes,
		    p->all[i].heap.high_bytes);
}

static void
put_heap_lines(FILE *out, const struct spots *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct model_heap *h = &p->all[i].heap;

		put_source_line(out, &p->all[i]);
		fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		    " %" PRIu64 "\n", h->live_bytes, h->high_bytes,
		    h->live_blocks, h->total_bytes, h->total_blocks);
	}
}

/*
 * Writes a file about memory.  Blocks are charged to the callers of the
 * allocation functions first.  Returns 0 or -ENOMEM.
 */
static int
put_heap_file(FILE *out, struct device *d, struct device_snapshot *s,
    const struct device_path *n)
{
	const bool lines = n->kind == DEVICE_PATH_HEAP;
	struct spots p = { 0 };
	int ret;

	skip_allocators(&s->model);
	ret = device_snapshot_number(s, d);
	if (ret == 0)
		ret = collect_spots(&p, s, n->module, lines);
	if (ret == 0 && lines)
		put_heap_lines(out, &p);
	else if (ret == 0 && n->kind == DEVICE_PATH_HISTOGRAM)
		put_live_bytes(out, &p);
	else if (ret == 0)
		put_memory_spots(out, &p);
	free(p.all);
	return ret;
}

#define KEEP_FOR_MEMORY \
	(MODEL_KEEP_HEAP | MODEL_KEEP_STACKS | MODEL_KEEP_LINES)

/*
 * Returns the MODEL_KEEP_* flags that a file needs.  memory: a histogram holds
 * bytes.
 */
static unsigned
model_keep_flags(enum device_path_kind kind, bool memory)
{
	switch (kind) {
	case DEVICE_PATH_HISTOGRAM:
		return memory ? KEEP_FOR_MEMORY : 0;
	case DEVICE_PATH_LINES:
		return MODEL_KEEP_LINES;
	case DEVICE_PATH_FOLDED:
		return MODEL_KEEP_STACKS | MODEL_KEEP_LINES;
	case DEVICE_PATH_MEMORY:
	case DEVICE_PATH_HEAP:
		return KEEP_FOR_MEMORY;
	case DEVICE_PATH_PPROF:
		return MODEL_KEEP_STACKS | MODEL_KEEP_LINES |
		    MODEL_KEEP_PROCESS | MODEL_KEEP_THREAD;
	default:
		return 0;
	}
}

/*
 * Writes a file from the snapshot, with names if it shows any.  Returns 0 or
 * -errno.
 */
static int
put_snapshot_file(FILE *out, struct device *d, struct device_snapshot *s,
    const struct device_path *n, bool memory)
{
	const bool plain = n->kind == DEVICE_PATH_TIMES ||
	    (n->kind == DEVICE_PATH_HISTOGRAM && !memory);
	int ret = plain ? 0 : symbolize_all(&s->model, NULL, NULL);

	if (ret != 0)
		return ret;
	if (memory)
		return put_heap_file(out, d, s, n);
	switch (n->kind) {
	case DEVICE_PATH_FOLDED:
		device_snapshot_filter(s, d, n->module);
		return export_folded(&s->model, out);
	case DEVICE_PATH_PPROF:
		device_snapshot_filter(s, d, n->module);
		ret = export_pprof(&s->model, out);
		return ret == -ENOTSUP ? -EOPNOTSUPP : ret;
	case DEVICE_PATH_MEMORY:
	case DEVICE_PATH_HEAP:
		return put_heap_file(out, d, s, n);
	default:
		return put_pairs(out, s, n);
	}
}

/* Reads all profiles and writes a file from them.  Returns 0 or -errno. */
static int
put_profile_file(FILE *out, struct device *d, const struct device_path *n)
{
	const bool memory = n->kind == DEVICE_PATH_HISTOGRAM &&
	    device_control_is_memory(d, n->pid);
	struct device_snapshot s;
	int ret = device_snapshot_open(&s, d, n->pid, model_keep_flags(n->kind,
	    memory));

	if (ret == 0)
		ret = put_snapshot_file(out, d, &s, n, memory);
	device_snapshot_close(&s);
	return ret;
}

/* Writes the file *n.  Returns as device_files_make(). */
static int
put_device_file(FILE *out, struct device *d, const struct device_path *n)
{
	const struct module_ids_entry *e = module_ids_get(&d->catalogue,
	    n->module);

	if (n->module != 0 && e == NULL)
		return -ENOENT;
	switch (n->kind) {
	case DEVICE_PATH_NAME:
		fprintf(out, "%s\n", module_ids_name(e));
		return 0;
	case DEVICE_PATH_PATH:
		fprintf(out, "%s\n", e->path);
		return 0;
	case DEVICE_PATH_CTL:
		return device_control_put_ctl(out, d, n->pid);
	case DEVICE_PATH_STATUS:
		return device_control_put_status(out, d, n->pid);
	default:
		return put_profile_file(out, d, n);
	}
}

int
device_files_make(struct device *d, const struct device_path *n, char **text,
    size_t *bytes)
{
	FILE *out = open_memstream(text, bytes);
	int ret = out == NULL ? -ENOMEM : put_device_file(out, d, n);

	if (out != NULL && fclose(out) != 0 && ret == 0)
		ret = -ENOMEM;
	if (ret != 0 && out != NULL) {
		free(*text);
		*text = NULL;
	}
	return ret;
}
