/* Context: O.  The heap at a glance: sums, and who has the most of each. */
#include "heapsummary.h"

#include "growthsum.h"
#include "heapfoot.h"
#include "sizesview.h"
#include "treeview.h"
#include "unit.h"

#define FUNCTIONS	5	/* of each kind, unless --top says */
#define SHARE		20.0	/* percent of one's that who called it has */
#define DEPTH		10	/* functions of a path */

static const struct {
	enum measure measure;
	const char *title;
} sections[] = {
	{ MEASURE_PEAK, "peak consumers" },
	{ MEASURE_BLOCKS, "most calls of allocation functions" },
	{ MEASURE_TEMPORARY, "most temporary blocks (freed before their "
	    "thread asked for another)" },
	{ MEASURE_LIVE, "largest leaks (live at the end, or now)" },
	{ MEASURE_MAPPED_PEAK, "most mapped, at the peak" },
};

static void
put_title(const struct term *t, const struct model *m, const char *title,
    uint64_t all)
{
	const struct unit u = unit_of(m, all);

	fprintf(t->out, "\n%s%s: ", term_on(t, TERM_HEAD), title);
	unit_put(t->out, &u, 0, all);
	fprintf(t->out, "%s in all%s\n", measure_is_bytes(u.measure) ?
	    " bytes" : "", term_off(t));
}

static int
put_section(const struct term *t, struct model *m, const char *title,
    const struct heapsummary_options *o)
{
	const struct treeview_options how = {
		.way = CALLTREE_UP, .least = o->least, .part = true,
		.share = SHARE, .deepest = DEPTH,
		.roots = o->top != 0 ? o->top : FUNCTIONS,
	};
	struct calltree tree;
	int ret = calltree_make(&tree, m, CALLTREE_UP);

	if (ret == 0)
		put_title(t, m, title, tree.all_ns);
	if (ret == 0)
		ret = treeview_print(t, m, &tree, &how);
	calltree_free(&tree);
	return ret;
}

static void
put_sizes(FILE *out, const struct model *m)
{
	const unsigned half = sizesview_half(m);
	char room[UNIT_SCALED];

	if (half != FORMAT_SIZES)
		fprintf(out, "half of the blocks have at most %s bytes "
		    "(--heap=sizes)\n", unit_bytes(sizesview_most(half),
		    room));
}

int
heapsummary_print(const struct term *t, struct model *m,
    const struct heapsummary_options *o)
{
	const bool blocks = model_has_blocks(m);
	int ret = 0;

	heapfoot_sums(t->out, m);
	if (blocks)
		put_sizes(t->out, m);
	ret = growthsum_say_all(t->out, m);
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections) &&
	    ret == 0; i++) {
		if (measure_is_mapped(sections[i].measure) ?
		    m->map_files == 0 : !blocks)
			continue;
		model_weigh(m, sections[i].measure);
		ret = put_section(t, m, sections[i].title, o);
	}
	return ret;
}
