/*
 * Context: O.  One page for a browser, with all that it needs in it.
 *
 * The page has the tree of all stacks once, and samples as {node, thread, time,
 * number}: whatever is chosen there is added up anew.
 */
#include "export_html.h"

#include "column.h"
#include "distinct.h"
#include "finder.h"
#include "footer.h"
#include "grow.h"
#include "html_page.h"
#include "json.h"
#include "samples.h"
#include "strings.h"

#include <inttypes.h>
#include <string.h>

struct node {
	uint32_t parent, function;	/* functions by their number here */
	bool inlined;
};

struct sample {
	uint32_t node, thread;
	uint64_t ns, count;
};

/* Of a thread, or of what of a process is of none. */
struct owner {
	uint32_t process, thread;
};

struct html {
	FILE *out;
	struct samples in;
	struct strings texts;
	struct node *nodes;	/* 0 is above the outermost */
	size_t node_count, node_room;
	struct finder by_key;
	struct sample *samples;
	size_t sample_count, sample_room;
	uint32_t *numbers;	/* by function: its number here, + 1 */
	uint32_t *functions;	/* by that */
	uint32_t function_count;
	struct owner *owners;
	size_t owner_count, owner_room;
	struct finder by_owner;
};

static uint32_t
number_of(struct html *x, uint32_t function)
{
	if (x->numbers[function] == 0) {
		x->functions[x->function_count] = function;
		x->numbers[function] = ++x->function_count;
	}
	return x->numbers[function] - 1;
}

/* UINT32_MAX: no memory. */
static uint32_t
child(struct html *x, uint32_t parent, const struct samples_frame *f)
{
	const uint32_t function = number_of(x, f->function);
	const uint32_t hash = finder_hash((uint64_t)parent << 32 | function);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&x->by_key, hash, &at)) !=
	    FINDER_NONE;)
		if (x->nodes[n].parent == parent &&
		    x->nodes[n].function == function) {
			x->nodes[n].inlined &= f->inlined;
			return n;
		}
	if (x->node_count >= UINT32_MAX - 1 || grow(&x->nodes, x->node_count,
	    &x->node_room, sizeof(*x->nodes)) != 0 ||
	    finder_add(&x->by_key, hash, (uint32_t)x->node_count) != 0)
		return UINT32_MAX;
	x->nodes[x->node_count] = (struct node) {
		.parent = parent, .function = function, .inlined = f->inlined,
	};
	return (uint32_t)x->node_count++;
}

/* UINT32_MAX: no memory. */
static uint32_t
owner_of(struct html *x, const struct model_row *r)
{
	const uint32_t hash = finder_hash((uint64_t)r->process << 32 |
	    r->thread);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&x->by_owner, hash, &at)) !=
	    FINDER_NONE;)
		if (x->owners[n].process == r->process &&
		    x->owners[n].thread == r->thread)
			return n;
	if (grow(&x->owners, x->owner_count, &x->owner_room,
	    sizeof(*x->owners)) != 0 ||
	    finder_add(&x->by_owner, hash, (uint32_t)x->owner_count) != 0)
		return UINT32_MAX;
	x->owners[x->owner_count] = (struct owner) { r->process, r->thread };
	return (uint32_t)x->owner_count++;
}

static int
add_sample(struct html *x, const struct model_row *r)
{
	struct sample s = { .ns = r->ns, .count = r->count };
	int ret = samples_frames(&x->in);

	if (ret != 0)
		return ret;
	s.thread = owner_of(x, r);
	for (size_t i = x->in.frame_count; i-- > 0 && s.node != UINT32_MAX;)
		s.node = child(x, s.node, &x->in.frames[i]);
	if (s.node == UINT32_MAX || s.thread == UINT32_MAX ||
	    grow(&x->samples, x->sample_count, &x->sample_room,
	    sizeof(*x->samples)) != 0)
		return -ENOMEM;
	x->samples[x->sample_count++] = s;
	return 0;
}

static int
collect(struct html *x)
{
	struct model *m = x->in.model;
	int ret = grow(&x->nodes, 0, &x->node_room, sizeof(*x->nodes));

	if (ret != 0)
		return ret;
	x->nodes[x->node_count++] = (struct node) { .parent = 0 };
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (samples_path(&x->in, i))
			ret = add_sample(x, &m->rows[i]);
	return ret;
}

/* What what(x, i) is of each. */
static void
put_column(struct html *x, const char *name, size_t count,
    uint64_t (*what)(const struct html *x, size_t i))
{
	struct column c;

	column_begin(&c, x->out, name);
	for (size_t i = 0; i < count; i++)
		column_put(&c, what(x, i));
	column_end(&c);
}

/* How far before it, which is a byte for most. */
static uint64_t
node_parent(const struct html *x, size_t i)
{
	return i - x->nodes[i].parent;
}

static uint64_t
node_function(const struct html *x, size_t i)
{
	return (uint64_t)x->nodes[i].function << 1 | x->nodes[i].inlined;
}

static uint64_t
sample_node(const struct html *x, size_t i)
{
	return x->samples[i].node;
}

static uint64_t
sample_thread(const struct html *x, size_t i)
{
	return x->samples[i].thread;
}

static uint64_t
sample_ns(const struct html *x, size_t i)
{
	return x->samples[i].ns;
}

static uint64_t
sample_count(const struct html *x, size_t i)
{
	return x->samples[i].count;
}

static void
put_nodes(struct html *x)
{
	fputs("\"nodes\":{", x->out);
	put_column(x, "parent", x->node_count, node_parent);
	fputs(",\n", x->out);
	put_column(x, "function", x->node_count, node_function);
	fputs("},\n", x->out);
}

static void
put_samples(struct html *x)
{
	fputs("\"samples\":{", x->out);
	put_column(x, "node", x->sample_count, sample_node);
	fputs(",\n", x->out);
	put_column(x, "thread", x->sample_count, sample_thread);
	fputs(",\n", x->out);
	put_column(x, "ns", x->sample_count, sample_ns);
	fputs(",\n", x->out);
	put_column(x, "count", x->sample_count, sample_count);
	fputs("},\n", x->out);
}

/* [name, module] of each, as numbers of texts. */
static int
put_functions(struct html *x)
{
	struct model *m = x->in.model;

	fputs("\"functions\":[", x->out);
	for (uint32_t i = 0; i < x->function_count; i++) {
		const uint32_t f = x->functions[i];
		const char *name = model_function_shown(m, f);
		const uint32_t own = strings_add(&x->texts,
		    name != NULL ? name : "?");
		const uint32_t module = strings_add(&x->texts,
		    model_module_shown(m, m->functions[f].module));

		if (own == UINT32_MAX || module == UINT32_MAX)
			return -ENOMEM;
		fprintf(x->out, "%s[%" PRIu32 ",%" PRIu32 "]",
		    i != 0 ? "," : "", own, module);
	}
	fputs("],\n\"texts\":[", x->out);
	for (size_t i = 0; i < x->texts.count; i++) {
		fputs(i != 0 ? ",\n" : "\n", x->out);
		json_text(x->out, x->texts.all[i]);
	}
	fputs("],\n", x->out);
	return 0;
}

static int
put_owners(struct html *x)
{
	const struct model *m = x->in.model;

	fputs("\"processes\":[", x->out);
	for (size_t i = 0; i < m->process_count; i++) {
		fprintf(x->out, "%s{\"pid\":%" PRId32 ",\"program\":",
		    i != 0 ? "," : "", m->processes[i].pid);
		json_text(x->out, m->processes[i].program);
		putc('}', x->out);
	}
	fputs("],\n\"threads\":[", x->out);
	for (size_t i = 0; i < x->owner_count; i++) {
		const struct owner *o = &x->owners[i];
		const char *name = o->thread == MODEL_NONE ? "[not sampled]" :
		    samples_thread(&x->in, o->thread);

		if (name == NULL)
			return -ENOMEM;
		fprintf(x->out, "%s{\"process\":%" PRId64 ",\"tid\":",
		    i != 0 ? "," : "", o->process == MODEL_NONE ? -1 :
		    (int64_t)o->process);
		if (o->thread == MODEL_NONE)
			fputs("null", x->out);
		else
			fprintf(x->out, "%" PRId32,
			    m->threads[o->thread].thread.tid);
		fputs(",\"name\":", x->out);
		json_text(x->out, name);
		putc('}', x->out);
	}
	fputs("],\n", x->out);
	return 0;
}

/* What every table has below it. */
static int
put_footer(struct html *x)
{
	const struct group_options all = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	struct model *m = x->in.model;
	struct term term = { .colour = false };
	struct group g;
	char *text = NULL;
	size_t bytes;
	int ret = group_make(&g, m, &all);

	term.out = ret == 0 ? open_memstream(&text, &bytes) : NULL;
	if (term.out != NULL) {
		footer_print(&term, m, &g);
		if (fclose(term.out) == 0) {
			fputs("\"footer\":", x->out);
			json_text(x->out, text + strspn(text, "\n"));
		}
	}
	free(text);
	group_free(&g);
	return term.out == NULL ? -ENOMEM : 0;
}

/* The programs, each once. */
static int
put_title(struct html *x)
{
	const struct model *m = x->in.model;
	struct strings programs = { .all = NULL };
	char *title = NULL;
	size_t bytes;
	FILE *to = open_memstream(&title, &bytes);

	if (to == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->process_count; i++)
		strings_add(&programs, m->processes[i].program);
	for (size_t i = 0; i < programs.count && i < 4; i++)
		fprintf(to, "%s%s", i != 0 ? ", " : "", programs.all[i]);
	if (programs.count > 4)
		fprintf(to, " and %zu more programs", programs.count - 4);
	fprintf(to, "%s%s", programs.count != 0 ? ": " : "",
	    m->filter->asleep ? "time asleep" : "CPU time");
	strings_free(&programs);
	if (fclose(to) == 0) {
		fputs("{\"title\":", x->out);
		json_text(x->out, title);
		fputs(",\n", x->out);
	}
	free(title);
	return 0;
}

static int
put_page(struct html *x)
{
	int ret;

	fputs(html_before, x->out);
	ret = put_title(x);
	put_nodes(x);
	put_samples(x);
	if (ret == 0)
		ret = put_functions(x);
	if (ret == 0)
		ret = put_owners(x);
	if (ret == 0)
		ret = put_footer(x);
	fputs("}\n", x->out);
	fputs(html_behind, x->out);
	return ret;
}

/* Names that differ are shown differently, as in tables. */
static int
make_distinct(struct model *m)
{
	const struct group_options all = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	struct group g;
	int ret = group_make(&g, m, &all);

	if (ret == 0)
		ret = distinct_names(m, &g);
	group_free(&g);
	return ret;
}

int
export_html(struct model *m, FILE *out)
{
	struct html x = { .out = out };
	int ret = make_distinct(m);

	if (ret == 0)
		ret = samples_open(&x.in, m);
	if (ret == 0) {
		x.numbers = calloc(m->function_count + 1, sizeof(*x.numbers));
		x.functions = calloc(m->function_count + 1,
		    sizeof(*x.functions));
		ret = x.numbers == NULL || x.functions == NULL ? -ENOMEM :
		    collect(&x);
	}
	if (ret == 0)
		ret = put_page(&x);
	samples_close(&x.in);
	strings_free(&x.texts);
	finder_free(&x.by_key);
	finder_free(&x.by_owner);
	free(x.nodes);
	free(x.samples);
	free(x.numbers);
	free(x.functions);
	free(x.owners);
	return ret;
}
