/*
 * Context: O.  Folded stacks: a line a path, outermost function first, with ';'
 * between names, then a blank and a number, as flamegraph.pl reads them.
 *
 * The number is microseconds of CPU time.  Samples would lie: one of the coarse
 * clock stands for four times as long as one of the fine.  Of the heap it is
 * bytes that were live at the peak.
 */
#include "export_folded.h"

#include "calltree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define UNIT	1000u	/* ns; of the heap 1 byte */

struct folded {
	FILE *out;
	struct model *model;
	const struct calltree *tree;
	uint32_t *path;		/* room for the deepest */
	uint64_t left;		/* ns, of no whole number yet */
};

/* What ends a name, or a line, in this format cannot be in one. */
static void
put_name(FILE *out, const char *name)
{
	for (; *name != '\0'; name++)
		putc(*name == ';' ? ':' : (unsigned char)*name < ' ' ? '?' :
		    *name, out);
}

static void
put_path(struct folded *f, uint32_t node, uint64_t number)
{
	size_t n = 0;

	for (; node != 0; node = f->tree->nodes[node].parent)
		f->path[n++] = node;
	while (n-- > 0) {
		const char *name = model_function_shown(f->model,
		    f->tree->nodes[f->path[n]].function);

		put_name(f->out, name != NULL ? name : "?");
		putc(n != 0 ? ';' : ' ', f->out);
	}
	fprintf(f->out, "%" PRIu64 "\n", number);
}

static void
put_tree(struct folded *f)
{
	const uint64_t unit = model_is_heap(f->model) ? 1 :
	    UNIT;

	for (uint32_t i = 1; i < f->tree->count; i++) {
		uint64_t ns = f->tree->nodes[i].self_ns;

		if (ns == 0)
			continue;
		/* Carried on, so that the sum is right. */
		ns += f->left;
		f->left = ns % unit;
		if (ns >= unit)
			put_path(f, i, ns / unit);
	}
}

int
export_folded(struct model *m, FILE *out)
{
	struct calltree tree;
	struct folded f = { .out = out, .model = m, .tree = &tree };
	int ret = calltree_make(&tree, m, CALLTREE_DOWN);

	if (ret == 0) {
		f.path = calloc(calltree_depth(&tree) + 1, sizeof(*f.path));
		ret = f.path == NULL ? -ENOMEM : 0;
	}
	if (ret == 0)
		put_tree(&f);
	free(f.path);
	calltree_free(&tree);
	return ret;
}
