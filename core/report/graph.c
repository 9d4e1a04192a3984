/* Context: O.  Who called what, and how often. */
#include "graph.h"

#include "order.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int
by_self(const void *left, const void *right)
{
	const struct graph_edge *a = left, *b = right;
	int d = order(a->self, b->self);

	return d != 0 ? d : order(a->from, b->from);
}

static int
most_by_self(const void *left, const void *right)
{
	const struct graph_edge *a = left, *b = right;
	int d = order(a->self, b->self);

	if (d == 0)
		d = order(b->calls, a->calls);
	return d != 0 ? d : order(a->from, b->from);
}

static int
most_by_from(const void *left, const void *right)
{
	const struct graph_edge *a = left, *b = right;
	int d = order(a->from, b->from);

	if (d == 0)
		d = order(b->calls, a->calls);
	return d != 0 ? d : order(a->self, b->self);
}

int
graph_make(struct graph *g, struct model *m)
{
	size_t kept = 0, n = m->arc_count;

	memset(g, 0, sizeof(*g));
	g->callers = calloc(n + 1, sizeof(*g->callers));
	g->callees = calloc(n + 1, sizeof(*g->callees));
	if (g->callers == NULL || g->callees == NULL)
		return -ENOMEM;
	if (n == 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		g->callers[i] = (struct graph_edge) {
			.from = m->rows[m->arcs[i].from_row].function,
			.self = m->rows[m->arcs[i].self_row].function,
			.calls = m->arcs[i].calls,
		};
	qsort(g->callers, n, sizeof(*g->callers), by_self);
	for (size_t i = 1; i < n; i++)
		if (by_self(&g->callers[kept], &g->callers[i]) == 0)
			g->callers[kept].calls += g->callers[i].calls;
		else
			g->callers[++kept] = g->callers[i];
	g->count = kept + 1;
	memcpy(g->callees, g->callers, g->count * sizeof(*g->callees));
	qsort(g->callers, g->count, sizeof(*g->callers), most_by_self);
	qsort(g->callees, g->count, sizeof(*g->callees), most_by_from);
	return 0;
}

void
graph_free(struct graph *g)
{
	free(g->callers);
	free(g->callees);
	memset(g, 0, sizeof(*g));
}

/* The first edge of a function, by the member that its array ascends by. */
static size_t
first_of(const struct graph_edge *edges, size_t count, uint32_t function,
    bool callers)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint32_t key = callers ? edges[middle].self :
		    edges[middle].from;

		if (key < function)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *
name_of(struct model *m, uint32_t function)
{
	const char *name = model_function_shown(m, function);

	return name != NULL ? name : "?";
}

static const char *
module_of(const struct model *m, uint32_t function)
{
	return model_module_shown(m, m->functions[function].module);
}

struct page {
	const struct term *term;
	struct model *model;
	int name;		/* columns of the longest name, within reason */
};

static void
put_name(const struct page *s, uint32_t function, int indent)
{
	int used;

	fprintf(s->term->out, "%*s", indent, "");
	used = term_text(s->term, name_of(s->model, function), 0);
	fprintf(s->term->out, "%*s", s->name + 2 - used > 2 ?
	    s->name + 2 - used : 2, "");
	term_text(s->term, module_of(s->model, function), 0);
	putc('\n', s->term->out);
}

/* A share of the calls of the one function, or of those that it makes. */
static void
put_edges(const struct page *s, const struct graph_edge *edges, size_t count,
    uint32_t function, bool callers)
{
	size_t first = first_of(edges, count, function, callers), i;
	uint64_t all = 0;

	for (i = first; i < count && (callers ? edges[i].self :
	    edges[i].from) == function; i++)
		all += edges[i].calls;
	for (size_t k = first; k < i; k++) {
		fprintf(s->term->out, "%20" PRIu64 "%8.1f  %s ",
		    edges[k].calls, (double)edges[k].calls * 100 / (double)all,
		    callers ? "<-" : "->");
		put_name(s, callers ? edges[k].from : edges[k].self, 0);
	}
}

static bool
has_edges(const struct graph *g, uint32_t function)
{
	size_t caller = first_of(g->callers, g->count, function, true);
	size_t callee = first_of(g->callees, g->count, function, false);

	return (caller < g->count && g->callers[caller].self == function) ||
	    (callee < g->count && g->callees[callee].from == function);
}

void
graph_print(const struct term *t, struct model *m, const struct graph *g,
    const struct group *lines)
{
	struct page s = { .term = t, .model = m };

	for (size_t i = 0; i < lines->count; i++) {
		int own = term_columns(name_of(m, lines->lines[i].function));

		if (own > s.name && own <= 40)
			s.name = own;
	}
	fprintf(t->out, "%s Seconds      #Calls   Share     Name%s\n",
	    term_on(t, TERM_HEAD), term_off(t));
	for (size_t i = 0; i < lines->count; i++) {
		const struct group_line *l = &lines->lines[i];

		if (!has_edges(g, l->function))
			continue;
		fprintf(t->out, "\n%s%8.3f%12" PRIu64 "%s", term_on(t,
		    TERM_HOT), (double)l->ns / 1e9, l->calls, term_off(t));
		put_name(&s, l->function, 13);
		put_edges(&s, g->callers, g->count, l->function, true);
		put_edges(&s, g->callees, g->count, l->function, false);
	}
}

void
graph_sheet(FILE *out, enum sheet_form form, struct model *m,
    const struct graph *g, const struct group *lines)
{
	struct sheet s;

	sheet_init(&s, out, form);
	sheet_column(&s, "caller");
	sheet_column(&s, "caller_module");
	sheet_column(&s, "function");
	sheet_column(&s, "module");
	sheet_column(&s, "calls");
	for (size_t i = 0; i < lines->count; i++) {
		uint32_t function = lines->lines[i].function;
		size_t k = first_of(g->callers, g->count, function, true);

		for (; k < g->count && g->callers[k].self == function; k++) {
			sheet_text(&s, name_of(m, g->callers[k].from));
			sheet_text(&s, module_of(m, g->callers[k].from));
			sheet_text(&s, name_of(m, function));
			sheet_text(&s, module_of(m, function));
			sheet_number(&s, "%" PRIu64, g->callers[k].calls);
		}
	}
	sheet_end(&s);
}
