/* Context: O.  Fuzzes prof as a whole: load, merge, symbolise, every view. */
#include "mutate.h"

#include "tools/export_callgrind.h"
#include "tools/export_firefox.h"
#include "tools/export_folded.h"
#include "html/export_html.h"
#include "tools/export_massif.h"
#include "tools/export_perf.h"
#include "tools/export_pprof.h"
#include "tools/export_speedscope.h"
#include "heap/heap_footer.h"
#include "heap/heap_summary.h"
#include "heap/heap_timeline_view.h"
#include "heap/size_histogram.h"
#include "findings/findings.h"
#include "names/symbolize.h"
#include "read/read_inputs.h"
#include "report/bracket_names.h"
#include "report/check.h"
#include "report/footer.h"
#include "report/report_head.h"
#include "report/info.h"
#include "stack/graphview.h"
#include "stack/skip_allocators.h"
#include "stack/treeview.h"
#include "table/disambiguate.h"
#include "table/flat.h"
#include "table/flat_data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *nowhere;

static void
ignore_fault(void *arg, const struct fault *f)
{
	FUZZ_MUST(f->what != NULL && f->file != NULL);
	++*(unsigned *)arg;
}

static void
ignore_progress(void *arg, size_t done, size_t all, const char *what)
{
	(void)arg;
	FUZZ_MUST(done <= all && what != NULL);
}

/* As prof prints it, grouped by everything, or by one thing alone. */
static void
view(struct model *m, unsigned by)
{
	struct group_options o = {.by = by};
	const struct flat_options flat = {.by = by, .error = true};
	struct group g;
	struct term term;

	FUZZ_MUST(group_make(&g, m, &o) == 0);
	FUZZ_MUST(disambiguate_names(m, &g) == 0);
	term_init(&term, nowhere);
	flat_print(&term, m, &g, &flat);
	report_head_print(&term, m, &g);
	FUZZ_MUST(findings_print(&term, m, g.total_ns, true) == 0);
	bracket_names_print(&term, m);
	footer_print(&term, m, &g, true);
	flat_data_print(nowhere, DATA_TABLE_JSON, m, &g, by, true);
	group_free(&g);
}

static void
view_stacks(struct model *m)
{
	struct term term;
	int ret;

	term_init(&term, nowhere);
	for (unsigned way = CALLTREE_TOP_DOWN; way <= CALLTREE_BOTTOM_UP;
	    way++) {
		struct treeview_options o = {.way =
		    (enum calltree_direction)way, .error = true};
		struct calltree tree;

		FUZZ_MUST(calltree_make(&tree, m, o.way) == 0);
		FUZZ_MUST(treeview_print(&term, m, &tree, &o) == 0);
		treeview_data(nowhere, DATA_TABLE_JSON, m, &tree, true);
		calltree_free(&tree);
	}
	FUZZ_MUST(export_folded(m, nowhere) == 0);
	FUZZ_MUST(export_callgrind(m, nowhere) == 0);
	FUZZ_MUST(export_firefox(m, nowhere) == 0);
	FUZZ_MUST(export_html(m, nowhere) == 0);
	FUZZ_MUST(export_html_diff(m, m, NULL, nowhere) == 0);
	FUZZ_MUST(export_perf(m, nowhere) == 0);
	FUZZ_MUST(export_speedscope(m, nowhere) == 0);
	ret = export_pprof(m, nowhere);
	FUZZ_MUST(ret == 0 || ret == -ENOTSUP);
}

static void
view_graph(struct model *m)
{
	const struct graph_options o = {.sort = GROUP_SORT_CALLS};
	const struct graphview_options how = {.error = true};
	struct calltree tree;
	struct graph g;
	struct term term;
	double sum = 0;

	term_init(&term, nowhere);
	FUZZ_MUST(calltree_make(&tree, m, CALLTREE_TOP_DOWN) == 0);
	FUZZ_MUST(graph_make(&g, m, &tree, &o) == 0);
	for (size_t i = 1; i < tree.count; i++)
		sum += (double)tree.nodes[i].self_ns;
	/* Numbers that are made up overflow. */
	for (size_t i = 0; i < g.count && sum < 1e18; i++)
		FUZZ_MUST(g.nodes[i].self_ns <= g.nodes[i].total_ns &&
		    g.nodes[i].total_ns <= g.all_ns);
	graphview_print(&term, m, &g, &how);
	graph_free(&g);
	calltree_free(&tree);
}

/* Prints views of whole processes, and over time. */
static void
view_processes(struct model *m)
{
	struct term term;
	int ret;

	term_init(&term, nowhere);
	FUZZ_MUST(heap_timeline_view_print(&term, m, 3) == 0);
	heap_timeline_view_data(nowhere, DATA_TABLE_CSV, m);
	if (size_histogram_median(m) != FORMAT_SIZES)
		size_histogram_print(&term, m);
	size_histogram_data(nowhere, DATA_TABLE_JSON, m);
	ret = export_massif(m, nowhere);
	FUZZ_MUST(ret == 0 || ret == -E2BIG);
}

/* By a count that is not the first, then by all of them. */
static void
view_heap(struct model *m)
{
	const struct heap_summary_options o = {.top = 0};
	struct group_options by = {.by = 1u << GROUP_FUNCTION};
	struct group g;
	struct term term;

	term_init(&term, nowhere);
	skip_allocators(m);
	model_heap_set_metric(m, METRIC_FREED);
	FUZZ_MUST(heap_summary_print(&term, m, &o) == 0);
	FUZZ_MUST(group_make(&g, m, &by) == 0);
	heap_footer_print(&term, m, &g, true);
	group_free(&g);
}

/* Keep: what of, beside what views of all need. */
static void
report(const struct input *in, bool asleep, unsigned keep)
{
	const unsigned all = (1u << GROUP_COUNT) - 1;
	struct filter filter = {.asleep = asleep};
	struct model m;
	unsigned faults = 0;

	FUZZ_MUST(model_init(&m, &filter, group_keep(all) |
	    MODEL_KEEP_STACKS | MODEL_KEEP_ARCS | MODEL_KEEP_MOMENTS | keep,
	    DEMANGLE_SHORT) == 0);
	FUZZ_MUST(read_inputs(&m, in, ignore_fault, ignore_progress, &faults)
	    == 0);
	FUZZ_MUST(faults <= 1);
	FUZZ_MUST(symbolize_all(&m, NULL, NULL) == 0);
	if (model_is_heap(&m)) {
		view_heap(&m);
		view_processes(&m);
	}
	view(&m, all);
	for (unsigned i = 0; i < GROUP_COUNT; i++)
		view(&m, 1u << i);
	view_stacks(&m);
	view_graph(&m);
	model_free(&m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct input_file file = {.path = strdup(path), .named = true};
	struct input in = {.files = &file, .count = 1, .room = 1};
	struct fault f = {0};
	struct data_table sheet;

	if (nowhere == NULL)
		nowhere = fopen("/dev/null", "w");
	FUZZ_MUST(nowhere != NULL && file.path != NULL);
	FUZZ_MUST(check_file(nowhere, path, &f) == 0 || f.what != NULL);
	data_table_init(&sheet, nowhere, DATA_TABLE_CSV);
	for (unsigned i = 0; i < 3; i++)
		data_table_column(&sheet, "");
	FUZZ_MUST(info_file(nowhere, size % 2 != 0 ? &sheet : NULL, path, &f)
	    == 0 || f.what != NULL);
	report(&in, size % 4 == 1, size % 3 == 0 ? MODEL_KEEP_HEAP :
	    size % 3 == 1 ? MODEL_KEEP_PLACES : 0);
	free(file.path);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed)
{
	return mutate_profile(data, size, room, seed);
}
