/*
 * Context: O.  Prints the call tree for people, and as a data table, for prof's
 * views and the summary of the heap; see treeview.h.
 *
 * A function that called only one other function is in the same column as that
 * one, as most of a deep stack is a chain.  Where the tree forks, each branch
 * begins with a '+', and the rest of the branch is indented below its name.
 */
#include "stack/treeview.h"

#include "base/name_text.h"
#include "base/quantity.h"
#include "base/sampling_error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define HOT		10	/* percent of self time that is highlighted */
#define NAME_LEAST	24	/* least columns of a name on a terminal */
#define PLACE_ROOM	280	/* bytes of a place: a name of a file, a line */
#define STEP		2	/* columns by which a fork is indented */
/* columns; deeper forks are not indented further */
#define INDENT_MOST	40

struct tree_output {
	const struct term *term;
	struct model *model;
	const struct calltree *tree;
	const struct treeview_options *options;
	uint64_t total;
	/* ns of the outermost line that is being printed */
	uint64_t root;
	uint64_t hidden;	/* branches not shown */
	struct quantity unit;
};

/*
 * Returns how many of the children are large enough to be shown; children are
 * sorted by time.
 */
static uint32_t
count_shown_children(const struct tree_output *v, const struct calltree_node *n)
{
	const struct treeview_options *o = v->options;
	const bool roots = o->part && n == v->tree->nodes;
	const bool shares = o->part && !roots;
	const double least = shares ? o->share * (double)v->root :
	    o->least * (double)v->total;
	const uint64_t top = roots ? o->roots : o->top;
	uint32_t i;

	for (i = 0; i < n->children; i++) {
		const struct calltree_node *c =
		    &v->tree->nodes[v->tree->order[n->first + i]];

		if ((top != 0 && i >= top) ||
		    (double)c->total_ns * 100 < least)
			break;
	}
	return i;
}

static double
tree_percent(const struct tree_output *v, uint64_t ns)
{
	return v->total == 0 ? 0 : (double)ns * 100 / (double)v->total;
}

static void
put_tree_head(const struct tree_output *v)
{
	const bool down = v->options->way == CALLTREE_TOP_DOWN;

	fprintf(v->term->out, "%s%7s%s%s %*s  %s%s\n", term_on(v->term,
	    TERM_HEAD), down ? "%Total" : quantity_share_head(&v->unit),
	    v->options->error ? "    +-" : "", down ? "   %Self" : "",
	    QUANTITY_COLUMNS, quantity_head(&v->unit), down ?
	    "Name, below it what it called (+ one of several)" :
	    "Name, below it who called it (+ one of several)",
	    term_off(v->term));
}

/* Prints the numbers of a line and returns the columns they take. */
static int
put_tree_numbers(const struct tree_output *v, const struct calltree_node *n)
{
	const bool hot = v->options->way == CALLTREE_TOP_DOWN &&
	    tree_percent(v, n->self_ns) >= HOT;
	int columns;

	fputs(hot ? term_on(v->term, TERM_HOT) : "", v->term->out);
	columns = fprintf(v->term->out, "%7.1f", tree_percent(v, n->total_ns));
	if (v->options->error) {
		sampling_error_put(v->term->out, v->model, n->total_ns,
		    n->total_count, v->total, false);
		columns += SAMPLING_ERROR_COLUMNS;
	}
	if (v->options->way == CALLTREE_TOP_DOWN)
		columns += fprintf(v->term->out, " %7.1f",
		    tree_percent(v, n->self_ns));
	putc(' ', v->term->out);
	columns += 1 + quantity_put(v->term->out, &v->unit, QUANTITY_COLUMNS,
	    n->total_ns);
	fputs(hot ? term_off(v->term) : "", v->term->out);
	return columns;
}

/* A node whose children are being printed. */
struct open_branch {
	const struct calltree_node *node;
	uint32_t next, end;
	unsigned indent;	/* of the children */
	bool fork;		/* there are several children to show */
};

/*
 * Prints what a node stands for in at most `room` columns; 0 = no limit.
 * Returns the number of columns printed.
 */
static int
put_node_name(const struct tree_output *v, const struct calltree_node *n,
    int room)
{
	const char *name = model_function_name(v->model, n->function);

	if (!calltree_is_fold(n))
		return name_text(v->term, v->model, name != NULL ? name : "?",
		    room);
	return fprintf(v->term->out, "%s %s%" PRIu32 " library frame%s", "...",
	    n->folds_least < n->folds ? "up to " : "", n->folds, n->folds ==
	    1 ? "" : "s");
}

/*
 * Writes the place in the source of a node into `to`, with a blank before it;
 * "" if it has none or if places are not asked for.
 */
static void
format_node_place(const struct tree_output *v, const struct calltree_node *n,
    char *to, size_t room)
{
	*to = '\0';
	if (!v->options->places || n->file == MODEL_NONE || calltree_is_fold(n))
		return;
	if (n->line != 0)
		snprintf(to, room, " %s:%" PRIu32,
		    v->model->sources.shown[n->file], n->line);
	else
		snprintf(to, room, " %s", v->model->sources.shown[n->file]);
}

/* Prints the module of a node in brackets, if there is room. */
static void
put_node_module(const struct tree_output *v, const struct calltree_node *n,
    int room)
{
	const struct model_function *f = &v->model->functions[n->function];
	const char *name = model_module_name(v->model, f->module);
	const bool inlined = n->inlined && (v->term->width == 0 ||
	    term_columns(name) + 12 <= room);

	/* Rows outside of modules are named after their module already. */
	if ((f->module < MODEL_MODULES && !(f->named &&
	    model_is_fixed_place(f->module))) || calltree_is_fold(n) ||
	    (v->term->width != 0 && room <= 6))
		return;
	if (model_is_fixed_place(f->module)) {
		fprintf(v->term->out, " %s", v->model->modules[f->module].name);
		return;
	}
	fputs(" [", v->term->out);
	term_text(v->term, name, v->term->width == 0 ? 0 : room - 3);
	fputs(inlined ? ", inlined]" : "]", v->term->out);
}

/* Prints the line of a node, and `end` behind it. */
static void
put_tree_node(const struct tree_output *v, const struct calltree_node *n,
    const struct open_branch *in, const char *end)
{
	const unsigned indent = in->indent < INDENT_MOST ? in->indent :
	    INDENT_MOST;
	char place[PLACE_ROOM];
	int room = 0, columns, used = put_tree_numbers(v, n);

	format_node_place(v, n, place, sizeof(place));
	used += fprintf(v->term->out, "  %*s%s", (int)indent, "",
	    in->fork ? "+ " : "");
	/* Where there is no room for both, a name tells more than its place. */
	columns = term_columns(place);
	if (v->term->width != 0 && v->term->width - used - columns <
	    NAME_LEAST)
		columns = 0;
	if (v->term->width != 0)
		room = v->term->width - used - columns < NAME_LEAST ?
		    NAME_LEAST : v->term->width - used - columns;
	room -= put_node_name(v, n, room);
	if (columns != 0)
		term_text(v->term, place, 0);
	put_node_module(v, n, room);
	fputs(end, v->term->out);
}

/* Begins the children of a node; `indent` is that of the node's name. */
static struct open_branch
open_tree_node(struct tree_output *v, const struct calltree_node *n,
    unsigned indent)
{
	const uint32_t shown = count_shown_children(v, n);

	v->hidden += n->children - shown;
	return (struct open_branch) {
		.node = n, .end = shown, .indent = indent,
		.fork = n != v->tree->nodes && shown > 1,
	};
}

/* Prints the tree with a stack of its own: it can be too deep for recursion. */
static void
put_call_tree(struct tree_output *v, struct open_branch *stack)
{
	const bool part = v->options->part;
	size_t depth = 1;

	stack[0] = open_tree_node(v, v->tree->nodes, 0);
	while (depth > 0) {
		struct open_branch *top = &stack[depth - 1];
		const struct calltree_node *n;
		bool last;

		if (top->next == top->end) {
			depth--;
			continue;
		}
		n = &v->tree->nodes[v->tree->order[top->node->first +
		    top->next++]];
		if (depth == 1)
			v->root = n->total_ns;
		last = part && depth == v->options->deepest;
		put_tree_node(v, n, top, last && n->children != 0 ? " ...\n" :
		    "\n");
		if (last)
			continue;
		/*
		 * Where there are several outermost lines, or no head,
		 * indentation shows which line is below which.
		 */
		stack[depth] = open_tree_node(v, n, top->indent +
		    (top->fork || (depth == 1 && (part || top->end > 1)) ?
		    STEP : 0));
		depth++;
	}
}

/* Prints what the tree leaves out, and why. */
static void
put_tree_rest(const struct tree_output *v)
{
	FILE *out = v->term->out;

	if (v->hidden != 0) {
		fprintf(out, "\nnot shown: %" PRIu64 " branch%s ", v->hidden,
		    v->hidden == 1 ? "" : "es");
		if (v->options->top != 0)
			fprintf(out, "(--top=%" PRIu64 "; --top=0 shows all)\n",
			    v->options->top);
		else
			fprintf(out, "(--min=0 shows all)\n");
	}
	if (v->tree->asleep_ns != 0)
		fprintf(out, "\nnot shown: %.3f s that threads slept "
		    "(--asleep shows where)\n",
		    (double)v->tree->asleep_ns / 1e9);
}

int
treeview_print(const struct term *term, struct model *m,
    const struct calltree *t, const struct treeview_options *o)
{
	struct tree_output v = {
		.term = term, .model = m, .tree = t, .options = o,
		.total = t->all_ns, .unit = quantity_of(m, t->all_ns),
	};
	struct open_branch *stack = calloc(calltree_depth(t) + 2,
	    sizeof(*stack));

	if (stack == NULL)
		return -ENOMEM;
	if (!o->part)
		put_tree_head(&v);
	put_call_tree(&v, stack);
	free(stack);
	if (!o->part)
		put_tree_rest(&v);
	return 0;
}

static void
put_tree_row(struct data_table *s, struct model *m, const struct calltree *t,
    uint32_t i, const struct quantity *u, bool error)
{
	const struct calltree_node *n = &t->nodes[i];
	const char *name = model_function_name(m, n->function);
	double tree_percent;

	data_table_number(s, "%" PRIu32, i);
	if (n->parent != 0)
		data_table_number(s, "%" PRIu32, n->parent);
	else
		data_table_text(s, NULL);
	data_table_text(s, name != NULL ? name : "?");
	data_table_text(s, model_module_name(m,
	    m->functions[n->function].module));
	quantity_field(s, u, n->total_ns);
	quantity_field(s, u, n->self_ns);
	if (error && sampling_error_percent(m, n->total_ns, n->total_count,
	    t->all_ns, false, &tree_percent))
		data_table_number(s, "%.4f", tree_percent);
	else if (error)
		data_table_text(s, NULL);
}

void
treeview_data(FILE *out, enum data_table_format form, struct model *m,
    const struct calltree *t, bool error)
{
	const struct quantity u = quantity_of(m, t->all_ns);
	char total[QUANTITY_NAME_ROOM], self[QUANTITY_NAME_ROOM];
	struct data_table s;

	data_table_init(&s, out, form);
	data_table_column(&s, "node");
	data_table_column(&s, "parent");
	data_table_column(&s, "function");
	data_table_column(&s, "module");
	data_table_column(&s, quantity_column(&u, "total_", total));
	data_table_column(&s, quantity_column(&u, "self_", self));
	if (error)
		data_table_column(&s, "total_percent_error");
	for (uint32_t i = 1; i < t->count; i++)
		if (t->nodes[i].total_ns != 0)
			put_tree_row(&s, m, t, i, &u, error);
	data_table_end(&s);
}
