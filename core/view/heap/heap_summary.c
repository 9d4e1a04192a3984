/*
 * Context: O.  Prints a summary of the heap: sums, and the largest consumers of
 * each kind as call trees, for prof --heap=summary and the page; see
 * heap_summary.h.
 */
#include "heap/heap_summary.h"

#include "base/quantity.h"
#include "derive/library_functions.h"
#include "heap/heap_footer.h"
#include "heap/heap_known.h"
#include "heap/heap_timeline_sum.h"
#include "heap/size_histogram.h"
#include "stack/skip_allocators.h"
#include "stack/treeview.h"

#include <errno.h>
#include <stdlib.h>

/* functions of each kind, unless --top is used */
#define FUNCTIONS	5
/* percent of a function's weight that a caller must have */
#define SHARE		20.0
#define DEPTH		10	/* depth of a path */

static const struct {
	enum metric measure;
	const char *title;
} sections[] = {
	{ METRIC_PEAK, "peak consumers" },
	{ METRIC_BLOCKS, "most calls of allocation functions" },
	{ METRIC_TEMPORARY, "most temporary blocks (freed before their "
	    "thread asked for another)" },
	{ METRIC_LIVE, "largest leaks" },
	{ METRIC_MAPPED_PEAK, "most mapped, at the peak" },
};

static void
put_section_title(const struct term *t, const struct model *m,
    const char *title, uint64_t all)
{
	const struct quantity u = quantity_of(m, all);

	fprintf(t->out, "\n%s%s", term_on(t, TERM_HEAD), title);
	if (u.measure == METRIC_LIVE)
		fprintf(t->out, " (live %s)", heap_footer_live_text(m));
	fputs(": ", t->out);
	quantity_put(t->out, &u, 0, all);
	fprintf(t->out, "%s in all%s\n", metric_is_bytes(u.measure) ?
	    " bytes" : "", term_off(t));
}

/* Prints the bottom-up tree of the model's metric, with its title. */
static int
put_section(const struct term *t, struct model *m, const char *title,
    const struct heap_summary_options *o, const bool *library)
{
	const struct treeview_options how = {
		.way = CALLTREE_BOTTOM_UP, .least = o->least, .part = true,
		.share = SHARE, .deepest = DEPTH,
		.roots = o->top != 0 ? o->top : FUNCTIONS, .places = !o->all,
	};
	struct calltree tree;
	int ret = calltree_make_folded(&tree, m, CALLTREE_BOTTOM_UP, library);

	if (ret == 0)
		put_section_title(t, m, title, tree.all_ns);
	if (ret == 0)
		ret = treeview_print(t, m, &tree, &how);
	calltree_free(&tree);
	return ret;
}

static void
put_median_size(FILE *out, const struct model *m)
{
	const unsigned half = size_histogram_median(m);
	char room[QUANTITY_TEXT_ROOM];

	if (half != FORMAT_SIZES)
		fprintf(out, "half of the blocks have at most %s bytes "
		    "(--heap=sizes)\n",
		    quantity_format_bytes(size_histogram_class_max(half),
		    room));
}

/*
 * Prints the sections of what was counted.  library: by function, whether it is
 * one of a library, or NULL; leaves the model with another metric.
 */
static int
put_sections(const struct term *t, struct model *m,
    const struct heap_summary_options *o, const bool *library,
    struct heap_known *known)
{
	const bool blocks = model_heap_has_blocks(m);
	int ret = 0;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) &&
	    ret == 0; i++) {
		if (metric_is_mapped(sections[i].measure) ?
		    m->map_files == 0 : !blocks)
			continue;
		model_heap_set_metric(m, sections[i].measure);
		if (sections[i].measure == METRIC_LIVE)
			heap_known_take(known, m);
		ret = put_section(t, m, sections[i].title, o, library);
		if (sections[i].measure == METRIC_LIVE)
			heap_known_print(t->out, known);
	}
	return ret;
}

int
heap_summary_print(const struct term *t, struct model *m,
    const struct heap_summary_options *o)
{
	const bool blocks = model_heap_has_blocks(m);
	struct heap_known known = { 0 };
	bool *library = NULL;
	int ret;

	heap_footer_sums(t->out, m);
	if (blocks)
		put_median_size(t->out, m);
	ret = heap_timeline_sum_print_all(t->out, m);
	if (ret == 0)
		ret = heap_known_find(&known, m);
	if (ret == 0 && !o->all) {
		library = library_functions_make_system(m);
		if (library == NULL)
			ret = -ENOMEM;
		else
			skip_allocators_libraries(m, library);
	}
	if (ret == 0)
		ret = put_sections(t, m, o, library, &known);
	heap_known_free(&known);
	free(library);
	return ret;
}
