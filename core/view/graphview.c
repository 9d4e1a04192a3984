/* Context: O.  Callers and callees as text, and for programs. */
#include "graphview.h"

#include "error.h"
#include "unit.h"

#include <inttypes.h>

#define HOT		10	/* percent of its own that stand out */
#define NAME_LEAST	24	/* columns that a name has on a terminal */

struct view {
	const struct term *term;
	struct model *model;
	const struct graph *graph;
	bool error;
	struct unit unit;
	int calls;		/* columns of them; 0 = none were counted */
};

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

static double
percent(const struct view *v, uint64_t ns)
{
	return v->graph->all_ns == 0 ? 0 :
	    (double)ns * 100 / (double)v->graph->all_ns;
}

/* Blank where stacks do not tell it. */
static int
put_total(const struct view *v, uint64_t ns, uint64_t count)
{
	const int more = v->error ? ERROR_COLUMNS : 0;

	if (!v->graph->timed)
		return fprintf(v->term->out, "%*s", 15 + more, "");
	fprintf(v->term->out, "%7.1f", percent(v, ns));
	if (v->error)
		error_put(v->term->out, v->model, ns, count,
		    v->graph->all_ns, false);
	putc(' ', v->term->out);
	return 8 + more + unit_put(v->term->out, &v->unit, UNIT_COLUMNS, ns);
}

static int
put_calls(const struct view *v, uint64_t calls)
{
	if (v->calls == 0)
		return 0;
	return calls == 0 ? fprintf(v->term->out, "%*s", v->calls, "") :
	    fprintf(v->term->out, "%*" PRIu64, v->calls, calls);
}

static void
put_name(const struct view *v, const char *lead, uint32_t function,
    bool inlined, int used)
{
	const struct model_function *f = &v->model->functions[function];
	int room = 0;

	used += fprintf(v->term->out, "  %s", lead);
	if (v->term->width != 0)
		room = v->term->width - used < NAME_LEAST ? NAME_LEAST :
		    v->term->width - used;
	room -= term_text(v->term, name_of(v->model, function), room);
	/* What is no function has its module's name. */
	if (f->module >= MODEL_MODULES && (v->term->width == 0 || room > 4)) {
		fputs(" [", v->term->out);
		term_text(v->term, module_of(v->model, function),
		    v->term->width == 0 ? 0 : room - 3);
		fputs(inlined ? ", inlined]" : "]", v->term->out);
	}
	putc('\n', v->term->out);
}

static void
put_node(const struct view *v, const struct graph_node *n)
{
	const bool hot = percent(v, n->self_ns) >= HOT;
	FILE *out = v->term->out;
	int used;

	fputs(hot ? term_on(v->term, TERM_HOT) : "", out);
	used = put_total(v, n->total_ns, n->total_count);
	used += fprintf(out, " %7.1f ", percent(v, n->self_ns));
	used += unit_put(out, &v->unit, UNIT_COLUMNS, n->self_ns);
	used += put_calls(v, n->calls);
	fputs(hot ? term_off(v->term) : "", out);
	put_name(v, "", n->function, n->inlined, used);
}

static void
put_edge(const struct view *v, const struct graph_edge *e, bool caller)
{
	int used = put_total(v, e->ns, e->count);

	used += fprintf(v->term->out, "%16s", "");
	used += put_calls(v, e->calls);
	put_name(v, caller ? "  <- " : "  -> ", caller ? e->from : e->self,
	    false, used);
}

static void
put_function(const struct view *v, const struct graph_node *n)
{
	const struct graph *g = v->graph;
	size_t count, first = graph_callers(g, n->function, &count);

	putc('\n', v->term->out);
	put_node(v, n);
	for (size_t i = first; i < first + count; i++)
		put_edge(v, &g->callers[i], true);
	first = graph_callees(g, n->function, &count);
	for (size_t i = first; i < first + count; i++)
		put_edge(v, &g->callees[i], false);
}

/* Columns of the largest number, 0 where none was counted. */
static int
measure_calls(const struct graph *g)
{
	uint64_t most = 0;
	int columns;

	for (size_t i = 0; i < g->count; i++)
		most = g->nodes[i].calls > most ? g->nodes[i].calls : most;
	for (size_t i = 0; i < g->edge_count; i++)
		most = g->callers[i].calls > most ? g->callers[i].calls : most;
	columns = most == 0 ? 0 : snprintf(NULL, 0, " %" PRIu64, most);
	return columns > 0 && columns < 8 ? 8 : columns;
}

static void
put_head(const struct view *v)
{
	FILE *out = v->term->out;

	const char *head = unit_head(&v->unit);

	fprintf(out, "%s%s%s %*s   %%Self %*s", term_on(v->term, TERM_HEAD),
	    v->graph->timed ? " %Total" : "       ", v->error ? "    +-" : "",
	    UNIT_COLUMNS, v->graph->timed ? head : "", UNIT_COLUMNS, head);
	if (v->calls != 0)
		fprintf(out, "%*s", v->calls, "#Calls");
	fprintf(out, "  Name, and who called it (<-) and what it called (->)"
	    "%s\n", term_off(v->term));
}

void
graphview_print(const struct term *t, struct model *m, const struct graph *g,
    const struct graphview_options *o)
{
	const struct view v = {
		.term = t, .model = m, .graph = g, .error = o->error,
		.unit = unit_of(m, g->all_ns),
		.calls = measure_calls(g),
	};

	put_head(&v);
	for (size_t i = 0; i < g->count; i++)
		put_function(&v, &g->nodes[i]);
	if (g->hidden != 0)
		fprintf(t->out, "\nnot shown: %zu function%s (%s)\n",
		    g->hidden, g->hidden == 1 ? "" : "s", o->top ?
		    "--top shows so many" : "--min=0 shows all");
}

static void
put_pair(struct sheet *s, const struct view *v, const struct graph_edge *e)
{
	double percent;

	sheet_text(s, name_of(v->model, e->from));
	sheet_text(s, module_of(v->model, e->from));
	sheet_text(s, name_of(v->model, e->self));
	sheet_text(s, module_of(v->model, e->self));
	if (e->calls != 0)
		sheet_number(s, "%" PRIu64, e->calls);
	else if (!model_is_heap(v->model))
		sheet_text(s, NULL);
	if (v->graph->timed)
		unit_field(s, &v->unit, e->ns);
	else
		sheet_text(s, NULL);
	if (v->error && error_of(v->model, e->ns, e->count, v->graph->all_ns,
	    false, &percent))
		sheet_number(s, "%.4f", percent);
	else if (v->error)
		sheet_text(s, NULL);
}

void
graphview_sheet(FILE *out, enum sheet_form form, struct model *m,
    const struct graph *g, bool error)
{
	const struct view v = {
		.model = m, .graph = g, .error = error,
		.unit = unit_of(m, g->all_ns),
	};
	char room[UNIT_ROOM];
	struct sheet s;

	sheet_init(&s, out, form);
	sheet_column(&s, "caller");
	sheet_column(&s, "caller_module");
	sheet_column(&s, "function");
	sheet_column(&s, "module");
	if (!model_is_heap(m))
		sheet_column(&s, "calls");
	sheet_column(&s, unit_column(&v.unit, "", room));
	if (error)
		sheet_column(&s, "percent_error");
	for (size_t i = 0; i < g->count; i++) {
		size_t count, first = graph_callers(g, g->nodes[i].function,
		    &count);

		for (size_t k = first; k < first + count; k++)
			put_pair(&s, &v, &g->callers[k]);
	}
	sheet_end(&s);
}
