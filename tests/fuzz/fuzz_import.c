/*
 * Context: O. Fuzzes the readers of other profilers' files, and prof behind.
 */
#include "fuzz.h"


#include "derive/calltree.h"
#include "export.h"
#include "import.h"
#include "findings/findings.h"
#include "names/symbolize.h"
#include "read/read_inputs.h"
#include "report/bracket_names.h"
#include "report/footer.h"
#include "report/report_head.h"
#include "stack/graphview.h"
#include "table/disambiguate.h"
#include "table/flat_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *nowhere;

struct seen {
	const struct import *in;
	uint64_t samples, frames;
};

/* Each byte of it is there. */
static void
look(struct text t)
{
	volatile char last = '\0';

	for (size_t i = 0; t.at != NULL && i < t.bytes; i++)
		last = t.at[i];
	(void)last;
}

static void
look_at(const struct import_frame *f)
{
	look(f->name);
	look(f->file);
	look(f->module.path);
	look(f->module.build_id);
}

static int
on_sample(void *arg, const struct import_sample *s)
{
	struct seen *seen = arg;

	for (size_t i = 0; i < s->depth; i++)
		look_at(&s->frames[i]);
	FUZZ_MUST(s->depth == 0 || !s->frames[s->depth - 1].inlined);
	FUZZ_MUST(s->pid >= -1 && s->tid >= -1);
	look(s->program);
	look(s->thread);
	seen->samples++;
	seen->frames += s->depth;
	return 0;
}

static int
on_call(void *arg, const struct import_call *c)
{
	struct seen *seen = arg;

	look_at(&c->from);
	look_at(&c->self);
	FUZZ_MUST(c->self.name.at != NULL);
	seen->samples++;
	return 0;
}

/* A file can be read as the kind it is said to be, or the fault is reported. */
static void
decode(const uint8_t *data, size_t size, unsigned format)
{
	struct import in;
	struct seen s = { .in = &in };
	const struct import_sink sink = { &s, on_sample, on_call };
	struct fault f = { .what = NULL };
	int ret = import_open(&in, data, size, (enum import_format)format, &f);

	FUZZ_MUST(ret == 0 || ret == IMPORT_OTHER || f.what != NULL);
	if (ret == 0) {
		ret = import_read(&in, &sink, &f);
		FUZZ_MUST((ret == 0) == (f.what == NULL));
		FUZZ_MUST(s.samples <= in.size && s.frames / 257 <= in.size);
		look(in.unit);
	}
	import_close(&in);
}

static void
ignore_fault(void *arg, const struct fault *f)
{
	(void)arg;
	FUZZ_MUST(f->what != NULL && f->file != NULL && f->errnum == 0);
}

static void
ignore_progress(void *arg, size_t done, size_t all, const char *what)
{
	(void)arg;
	FUZZ_MUST(done <= all && what != NULL);
}

static void
show(struct model *m, unsigned by)
{
	const struct group_options o = { .by = by, .callers = true };
	const struct graph_options all = { .sort = GROUP_SORT_TIME };
	struct calltree tree;
	struct graph graph;
	struct group g;
	struct term term;

	term_init(&term, nowhere);
	FUZZ_MUST(group_make(&g, m, &o) == 0);
	FUZZ_MUST(disambiguate_names(m, &g) == 0);
	flat_data_print(nowhere, DATA_TABLE_JSON, m, &g, o.by, true);
	report_head_print(&term, m, &g);
	FUZZ_MUST(findings_print(&term, m, g.total_ns, true) == 0);
	bracket_names_print(&term, m);
	footer_print(&term, m, &g, true);
	FUZZ_MUST(calltree_make(&tree, m, CALLTREE_TOP_DOWN) == 0);
	FUZZ_MUST(graph_make(&graph, m, &tree, &all) == 0);
	graphview_data(nowhere, DATA_TABLE_CSV, m, &graph, false);
	graph_free(&graph);
	calltree_free(&tree);
	group_free(&g);
}

/* Read, shown, and, as it takes most of the time, some written. */
static void
report(const struct input *in, bool write)
{
	struct filter filter = { 0 };
	struct fault f = { 0 };
	struct model m;

	FUZZ_MUST(model_init(&m, &filter, MODEL_KEEP_ARCS | MODEL_KEEP_STACKS |
	    MODEL_KEEP_LINES | MODEL_KEEP_PROCESS, DEMANGLE_SHORT) == 0);
	m.signs = !write;
	FUZZ_MUST(read_inputs(&m, in, ignore_fault, ignore_progress, NULL)
	    == 0);
	FUZZ_MUST(symbolize_all(&m, NULL, NULL) == 0);
	show(&m, 1u << GROUP_FUNCTION);
	show(&m, (1u << GROUP_COUNT) - 1);
	for (unsigned i = EXPORT_NONE + 1; i < EXPORT_FORMATS; i++)
		if (write && export_has_stacks((enum export_format)i))
			FUZZ_MUST(export_write(&m, NULL, NULL,
			    (enum export_format)i, "/dev/null", &f) == 0 ||
			    f.what != NULL);
	model_free(&m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input_file file = { .path = strdup(fuzz_file(data, size)),
		.named = true };
	struct input in = { .files = &file, .count = 1, .room = 1 };

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	FUZZ_MUST(nowhere != NULL && file.path != NULL);
	for (unsigned i = IMPORT_NONE; i < IMPORT_FORMATS; i++)
		decode(data, size, i);
	report(&in, size % 16 == 0);
	free(file.path);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return fuzz_mutate(data, size, room, seed, 2, fuzz_mutate_bytes);
}
