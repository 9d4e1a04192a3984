/*
 * Context: O.  Writes folded stacks, for export_write() and the prof device: a
 * line for each path, outermost function first, with ';' between names, then a
 * blank and a number, as flamegraph.pl reads them.
 *
 * The number is microseconds of CPU time, or of time asleep.  Numbers of
 * samples would mislead: a sample of the coarse clock stands for four times as
 * long as one of the fine clock.  In a heap profile the number is what rows
 * weigh, by default bytes that were live at the peak.
 */
#include "tools/export_folded.h"

#include "derive/calltree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define UNIT	1000u	/* ns; in a heap profile 1 byte */

struct folded {
	FILE *out;
	struct model *model;
	const struct calltree *tree;
	uint32_t *path;		/* room for the deepest path */
	uint64_t left;		/* ns that made no whole number yet */
};

/*
 * Returns the last blank of a name that ends in a number or a blank, because
 * readers would take what follows for the line's own number; or NULL.
 */
static const char *
number_blank(const char *name)
{
	const char *end = name + strlen(name);

	while (end > name && strchr("0123456789.-", end[-1]) != NULL)
		end--;
	return end > name && end[-1] == ' ' ? end - 1 : NULL;
}

/*
 * Writes a name.  Characters that end a name or a line in this format cannot be
 * in one, nor can blanks at the ends of a line.
 */
static void
put_folded_name(FILE *out, const char *name, bool first, bool last)
{
	const char *blank = last ? number_blank(name) : NULL;

	if (*name == '\0')
		name = "[unknown]";
	for (const char *at = name; *at != '\0'; at++)
		putc(*at == ';' ? ':' : (unsigned char)*at < ' ' ? '?' :
		    at == blank || (first && at == name && *at == ' ') ? '_' :
		    *at, out);
}

/* Writes the line of the path that ends at a node. */
static void
put_path(struct folded *f, uint32_t node, uint64_t number)
{
	size_t n = 0, depth;

	for (; node != 0; node = f->tree->nodes[node].parent)
		f->path[n++] = node;
	depth = n;
	while (n-- > 0) {
		const char *name = model_function_name(f->model,
		    f->tree->nodes[f->path[n]].function);

		put_folded_name(f->out, name != NULL ? name : "?",
		    n + 1 == depth, n == 0);
		putc(n != 0 ? ';' : ' ', f->out);
	}
	fprintf(f->out, "%" PRIu64 "\n", number);
}

/* Writes a line for each node with weight of its own. */
static void
put_tree(struct folded *f)
{
	const uint64_t unit = model_is_heap(f->model) ? 1 :
	    UNIT;

	for (uint32_t i = 1; i < f->tree->count; i++) {
		uint64_t ns = f->tree->nodes[i].self_ns;

		if (ns == 0)
			continue;
		/* The remainder is carried on, so that the sum is right. */
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
	int ret = calltree_make(&tree, m, CALLTREE_TOP_DOWN);

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
