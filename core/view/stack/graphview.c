/*
 * Context: O.  Prints the call graph for people, and as a data table, for prof
 * --graph; see graphview.h.
 */
#include "stack/graphview.h"

#include "base/name_text.h"
#include "base/quantity.h"
#include "base/sampling_error.h"

#include <inttypes.h>

#define HOT		10	/* percent of self time that is highlighted */
#define NAME_LEAST	24	/* least columns of a name on a terminal */

struct graph_output {
	const struct term *term;
	struct model *model;
	const struct graph *graph;
	bool error;
	struct quantity unit;
	int calls;	/* columns of calls; 0 = no calls were counted */
};

static const char *
graph_function_name(struct model *m, uint32_t function)
{
	const char *name = model_function_name(m, function);

	return name != NULL ? name : "?";
}

static const char *
graph_module_name(const struct model *m, uint32_t function)
{
	return model_module_name(m, m->functions[function].module);
}

static double
graph_percent(const struct graph_output *v, uint64_t ns)
{
	return v->graph->all_ns == 0 ? 0 :
	    (double)ns * 100 / (double)v->graph->all_ns;
}

/*
 * Prints a total time, or blanks if the model has no stacks.  Returns the
 * number of columns printed.
 */
static int
put_graph_total(const struct graph_output *v, uint64_t ns, uint64_t count)
{
	const int more = v->error ? SAMPLING_ERROR_COLUMNS : 0;

	if (!v->graph->timed)
		return fprintf(v->term->out, "%*s", 15 + more, "");
	fprintf(v->term->out, "%7.1f", graph_percent(v, ns));
	if (v->error)
		sampling_error_put(v->term->out, v->model, ns, count,
		    v->graph->all_ns, false);
	putc(' ', v->term->out);
	return 8 + more + quantity_put(v->term->out, &v->unit, QUANTITY_COLUMNS,
	    ns);
}

static int
put_graph_calls(const struct graph_output *v, uint64_t calls)
{
	if (v->calls == 0)
		return 0;
	return calls == 0 ? fprintf(v->term->out, "%*s", v->calls, "") :
	    fprintf(v->term->out, "%*" PRIu64, v->calls, calls);
}

/*
 * Prints the name of a function with its module, behind `used` columns.
 * inlined: says also that it was inlined.
 */
static void
put_graph_name(const struct graph_output *v, const char *lead,
    uint32_t function, bool inlined, int used)
{
	const struct model_function *f = &v->model->functions[function];
	const char *module = graph_module_name(v->model, function);
	int room = 0;

	used += fprintf(v->term->out, "  %s", lead);
	if (v->term->width != 0)
		room = v->term->width - used < NAME_LEAST ? NAME_LEAST :
		    v->term->width - used;
	room -= name_text(v->term, v->model, graph_function_name(v->model,
	    function), room);
	/* Rows outside of modules are named after their module already. */
	if (f->named && model_is_fixed_place(f->module))
		fprintf(v->term->out, " %s", v->model->modules[f->module].name);
	if (f->module >= MODEL_MODULES && (v->term->width == 0 || room > 6)) {
		fputs(" [", v->term->out);
		term_text(v->term, module, v->term->width == 0 ? 0 : room - 3);
		inlined &= v->term->width == 0 || term_columns(module) + 12 <=
		    room;
		fputs(inlined ? ", inlined]" : "]", v->term->out);
	}
	putc('\n', v->term->out);
}

static void
put_graph_node(const struct graph_output *v, const struct graph_node *n)
{
	const bool hot = graph_percent(v, n->self_ns) >= HOT;
	FILE *out = v->term->out;
	int used;

	fputs(hot ? term_on(v->term, TERM_HOT) : "", out);
	used = put_graph_total(v, n->total_ns, n->total_count);
	used += fprintf(out, " %7.1f ", graph_percent(v, n->self_ns));
	used += quantity_put(out, &v->unit, QUANTITY_COLUMNS, n->self_ns);
	used += put_graph_calls(v, n->calls);
	fputs(hot ? term_off(v->term) : "", out);
	put_graph_name(v, "", n->function, n->inlined, used);
}

static void
put_graph_edge(const struct graph_output *v, const struct graph_edge *e,
    bool caller)
{
	int used = put_graph_total(v, e->ns, e->count);

	used += fprintf(v->term->out, "%16s", "");
	used += put_graph_calls(v, e->calls);
	put_graph_name(v, caller ? "  <- " : "  -> ", caller ? e->from :
	    e->self, false, used);
}

static void
put_graph_function(const struct graph_output *v, const struct graph_node *n)
{
	const struct graph *g = v->graph;
	size_t count, first = graph_callers(g, n->function, &count);

	putc('\n', v->term->out);
	put_graph_node(v, n);
	for (size_t i = first; i < first + count; i++)
		put_graph_edge(v, &g->callers[i], true);
	first = graph_callees(g, n->function, &count);
	for (size_t i = first; i < first + count; i++)
		put_graph_edge(v, &g->callees[i], false);
}

/*
 * Returns the columns of the largest number of calls; 0 if none were counted.
 */
static int
call_column_width(const struct graph *g)
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
put_graph_head(const struct graph_output *v)
{
	FILE *out = v->term->out;

	const char *head = quantity_head(&v->unit);

	if (v->graph->timed)
		fputs("%Total: the function and all that it called "
		    "(inclusive); of a pair, while the one\n"
		    "had called the other.  %Self: the function itself.\n",
		    out);
	fprintf(out, "%s%s%s %*s   %%Self %*s", term_on(v->term, TERM_HEAD),
	    v->graph->timed ? " %Total" : "       ", v->error ? "    +-" : "",
	    QUANTITY_COLUMNS, v->graph->timed ? head : "", QUANTITY_COLUMNS,
	    head);
	if (v->calls != 0)
		fprintf(out, "%*s", v->calls, "#Calls");
	fprintf(out, "  Name, and who called it (<-) and what it called (->)"
	    "%s\n", term_off(v->term));
}

void
graphview_print(const struct term *t, struct model *m, const struct graph *g,
    const struct graphview_options *o)
{
	const struct graph_output v = {
		.term = t, .model = m, .graph = g, .error = o->error,
		.unit = quantity_of(m, g->all_ns),
		.calls = call_column_width(g),
	};

	put_graph_head(&v);
	for (size_t i = 0; i < g->count; i++)
		put_graph_function(&v, &g->nodes[i]);
	if (g->hidden != 0)
		fprintf(t->out, "\nnot shown: %zu function%s (%s)\n",
		    g->hidden, g->hidden == 1 ? "" : "s", o->top ?
		    "--top=0 shows all" : "--min=0 shows all");
}

static void
put_pair_row(struct data_table *s, const struct graph_output *v,
    const struct graph_edge *e)
{
	double graph_percent;

	data_table_text(s, graph_function_name(v->model, e->from));
	data_table_text(s, graph_module_name(v->model, e->from));
	data_table_text(s, graph_function_name(v->model, e->self));
	data_table_text(s, graph_module_name(v->model, e->self));
	if (e->calls != 0)
		data_table_number(s, "%" PRIu64, e->calls);
	else if (!model_is_heap(v->model))
		data_table_text(s, NULL);
	if (v->graph->timed)
		quantity_field(s, &v->unit, e->ns);
	else
		data_table_text(s, NULL);
	if (v->error && sampling_error_percent(v->model, e->ns, e->count,
	    v->graph->all_ns, false, &graph_percent))
		data_table_number(s, "%.4f", graph_percent);
	else if (v->error)
		data_table_text(s, NULL);
}

void
graphview_data(FILE *out, enum data_table_format form, struct model *m,
    const struct graph *g, bool error)
{
	const struct graph_output v = {
		.model = m, .graph = g, .error = error,
		.unit = quantity_of(m, g->all_ns),
	};
	char room[QUANTITY_NAME_ROOM];
	struct data_table s;

	data_table_init(&s, out, form);
	data_table_column(&s, "caller");
	data_table_column(&s, "caller_module");
	data_table_column(&s, "function");
	data_table_column(&s, "module");
	if (!model_is_heap(m))
		data_table_column(&s, "calls");
	data_table_column(&s, quantity_column(&v.unit, "", room));
	if (error)
		data_table_column(&s, "percent_error");
	for (size_t i = 0; i < g->count; i++) {
		size_t count, first = graph_callers(g, g->nodes[i].function,
		    &count);

		for (size_t k = first; k < first + count; k++)
			put_pair_row(&s, &v, &g->callers[k]);
	}
	data_table_end(&s);
}
