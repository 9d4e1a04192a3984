/*
 * Context: O.  Writes one HTML page for a browser that contains all that it
 * needs.
 *
 * The page has the tree of all stacks once, and samples as {node, thread, time,
 * number}; whatever the user chooses there is summed anew.  A page that
 * compares has the samples of the other profile as a second set at the same
 * tree.  In a heap profile samples have all metrics in place of time and
 * number, and the page chooses one.
 */
#include "html/export_html.h"

#include "base/json.h"
#include "base/sampling_error.h"
#include "heap/heap_footer.h"
#include "html/html_code.h"
#include "html/html_growth.h"
#include "html/html_page.h"
#include "html/html_samples.h"
#include "report/footer.h"
#include "table/diff.h"
#include "table/disambiguate.h"
#include "html/varint_column.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One of the profiles, of which there are two at most. */
struct html_side {
	struct model *model;
	struct html_tree_samples samples;
	/* By function: its number in the tree + 1, 0: none */
	uint32_t *numbers;
};

struct html {
	FILE *out;
	/* old: its model is NULL if nothing is compared */
	struct html_side now, old;
	struct html_tree tree;
	struct string_pool texts;
};

/*
 * Returns for each row the number of its sample + 1; malloced.  NULL: no
 * memory.
 */
static uint32_t *
samples_of_rows(const struct html_side *s)
{
	uint32_t *all = calloc(s->model->row_count + 1, sizeof(*all));

	for (size_t i = 0; i < s->samples.count && all != NULL; i++)
		all[s->samples.all[i].row] = (uint32_t)i + 1;
	return all;
}

enum moment_column { MOMENT_AT, MOMENT_SAMPLE, MOMENT_NS };

/*
 * Writes a column of the samples' times.  A time is written as the difference
 * from the one before it, in us.
 */
static void
put_moment_column(const struct html *x, const char *name,
    const uint32_t *samples, enum moment_column which)
{
	const struct model *m = x->now.model;
	uint64_t us, before = m->moments[0].real / 1000;
	struct varint_column c;

	varint_column_begin(&c, x->out, name);
	for (size_t i = 0; i < m->moment_count; i++) {
		const struct model_moment *own = &m->moments[i];

		if (samples[own->row] == 0)
			continue;
		us = own->real / 1000;
		if (which == MOMENT_AT)
			varint_column_put(&c, us - before);
		else if (which == MOMENT_SAMPLE)
			varint_column_put(&c, samples[own->row] - 1);
		else
			varint_column_put(&c, own->ns);
		before = us;
	}
	varint_column_end(&c);
}

/*
 * Writes the times of samples, in order from the first on.  Only a page of one
 * profile has them.
 */
static int
put_moments(const struct html *x)
{
	const struct model *m = x->now.model;
	uint32_t *samples;

	if (x->old.model != NULL || m->moment_count == 0)
		return 0;
	samples = samples_of_rows(&x->now);
	if (samples == NULL)
		return -ENOMEM;
	fprintf(x->out, "\"moments\":{\"began\":%" PRIu64 ",\n",
	    m->moments[0].real / 1000);
	put_moment_column(x, "at", samples, MOMENT_AT);
	fputs(",\n", x->out);
	put_moment_column(x, "sample", samples, MOMENT_SAMPLE);
	fputs(",\n", x->out);
	put_moment_column(x, "ns", samples, MOMENT_NS);
	fputs("},\n", x->out);
	free(samples);
	return 0;
}

/* Writes [name, module] of each function, as numbers of texts. */
static int
put_functions(struct html *x)
{
	fputs("\"functions\":[", x->out);
	for (size_t i = 0; i < x->tree.function_count; i++) {
		const struct html_tree_function *f = &x->tree.functions[i];
		const uint32_t name = string_pool_add(&x->texts, f->name);
		const uint32_t module = string_pool_add(&x->texts, f->module);

		if (name == UINT32_MAX || module == UINT32_MAX)
			return -ENOMEM;
		fprintf(x->out, "%s[%" PRIu32 ",%" PRIu32 "]",
		    i != 0 ? "," : "", name, module);
	}
	fputs("],\n\"texts\":[", x->out);
	for (size_t i = 0; i < x->texts.count; i++) {
		fputs(i != 0 ? ",\n" : "\n", x->out);
		json_text(x->out, x->texts.all[i]);
	}
	fputs("],\n", x->out);
	return 0;
}

static void
put_id(FILE *out, const char *name, int32_t id)
{
	if (id == 0)
		fprintf(out, "\"%s\":null,", name);
	else
		fprintf(out, "\"%s\":%" PRId32 ",", name, id);
}

static void
put_owners(const struct html *x)
{
	const struct html_tree *t = &x->tree;

	fputs("\"processes\":[", x->out);
	for (size_t i = 0; i < t->process_count; i++) {
		fputs(i != 0 ? ",{" : "{", x->out);
		put_id(x->out, "pid", t->processes[i].pid);
		fputs("\"program\":", x->out);
		json_text(x->out, t->processes[i].program);
		putc('}', x->out);
	}
	fputs("],\n\"threads\":[", x->out);
	for (size_t i = 0; i < t->thread_count; i++) {
		const struct html_tree_thread *own = &t->threads[i];

		fprintf(x->out, "%s{\"process\":%" PRId64 ",",
		    i != 0 ? "," : "", own->process == MODEL_NONE ? -1 :
		    (int64_t)own->process);
		put_id(x->out, "tid", own->tid);
		fputs("\"name\":", x->out);
		json_text(x->out, own->name);
		putc('}', x->out);
	}
	fputs("],\n", x->out);
}

static void
put_foot(const struct term *t, struct model *m, const struct group *g)
{
	if (!model_is_heap(m)) {
		footer_print(t, m, g);
		return;
	}
	heap_footer_print(t, m, g, true);
	footer_losses(t->out, m);
}

/* Writes what every table has below it. */
static int
put_footer(const struct html *x, struct model *m)
{
	const struct group_options all = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	struct term term = { 0 };
	struct group g;
	char *text = NULL;
	size_t bytes;
	int ret = group_make(&g, m, &all);

	term.out = ret == 0 ? open_memstream(&text, &bytes) : NULL;
	if (term.out != NULL) {
		put_foot(&term, m, &g);
		if (fclose(term.out) == 0) {
			fputs("\"footer\":", x->out);
			json_text(x->out, text + strspn(text, "\n"));
		}
	}
	free(text);
	group_free(&g);
	return term.out == NULL ? -ENOMEM : 0;
}

/* Writes the title: the programs, each once. */
static int
put_title(const struct html *x)
{
	const struct model *m = x->now.model;
	struct string_pool programs = { 0 };
	char *title = NULL;
	size_t bytes;
	FILE *to = open_memstream(&title, &bytes);

	if (to == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->process_count; i++)
		string_pool_add(&programs, m->processes[i].program);
	for (size_t i = 0; i < programs.count && i < 4; i++)
		fprintf(to, "%s%s", i != 0 ? ", " : "", programs.all[i]);
	if (programs.count > 4)
		fprintf(to, " and %zu more programs", programs.count - 4);
	fprintf(to, "%s%s", programs.count != 0 ? ": " : "",
	    model_is_heap(m) ? "allocations" : m->filter->asleep ?
	    "time asleep" : "CPU time");
	string_pool_free(&programs);
	if (fclose(to) == 0) {
		fputs("{\"title\":", x->out);
		json_text(x->out, title);
		fputs(",\n", x->out);
	}
	free(title);
	return 0;
}

/*
 * Writes the numbers from which sampling_error_percent() of the page computes
 * the error of a share.  Writes nothing for differences.
 */
static void
put_error(const struct html *x)
{
	const struct model *m = x->now.model;

	if (!model_has_signs(m))
		fprintf(x->out, "\"error\":{\"sure\":%g,\"clump\":%.9g,"
		    "\"weight\":%.9g},\n", SAMPLING_ERROR_Z, m->clump,
		    m->filter->asleep ? 0 : m->mean_weight);
}

/*
 * Writes the profile that the page compares with, and from how many standard
 * deviations on a change is not taken for chance.
 */
static int
put_old_side(const struct html *x)
{
	int ret;

	if (x->old.model == NULL)
		return 0;
	fprintf(x->out, ",\n\"sure\":%g,\n\"old\":{", DIFF_SURE);
	html_samples_put(x->out, x->old.model, &x->old.samples);
	fputs(",\n", x->out);
	ret = put_footer(x, x->old.model);
	putc('}', x->out);
	return ret;
}

static int
put_page(struct html *x)
{
	int ret;

	fputs(html_before, x->out);
	ret = put_title(x);
	put_error(x);
	if (model_is_heap(x->now.model)) {
		html_samples_measures(x->out, x->now.model, x->old.model);
		html_growth_put(x->out, x->now.model);
	}
	html_samples_nodes(x->out, &x->tree);
	html_samples_put(x->out, x->now.model, &x->now.samples);
	fputs(",\n", x->out);
	if (ret == 0)
		ret = put_functions(x);
	put_owners(x);
	if (ret == 0)
		ret = put_moments(x);
	if (ret == 0)
		ret = html_code_put(x->out, x->now.model, &x->now.samples,
		    x->now.numbers);
	if (ret == 0)
		ret = put_footer(x, x->now.model);
	if (ret == 0)
		ret = put_old_side(x);
	fputs("}\n", x->out);
	fputs(html_after, x->out);
	return ret;
}

/* Makes different names look different, as in tables. */
static int
make_distinct(struct model *m)
{
	const struct group_options all = {
		.by = 1u << GROUP_FUNCTION, .callers = true,
	};
	struct group g;
	int ret = group_make(&g, m, &all);

	if (ret == 0)
		ret = disambiguate_names(m, &g);
	group_free(&g);
	return ret;
}

static int
collect_html_side(struct html_tree *t, struct html_side *s)
{
	struct sample_paths in;
	int ret = make_distinct(s->model);

	if (ret != 0)
		return ret;
	ret = sample_paths_open(&in, s->model);
	if (ret == 0)
		ret = html_tree_add(t, &in, &s->samples, &s->numbers);
	sample_paths_close(&in);
	return ret;
}

static void
side_free(struct html_side *s)
{
	free(s->samples.all);
	free(s->numbers);
}

int
export_html(struct model *m, FILE *out)
{
	return export_html_diff(NULL, m, out);
}

int
export_html_diff(struct model *old, struct model *now, FILE *out)
{
	struct html x = {
		.out = out, .now.model = now, .old.model = old,
	};
	int ret = html_tree_init(&x.tree, old != NULL);

	if (ret == 0)
		ret = collect_html_side(&x.tree, &x.now);
	if (ret == 0 && old != NULL)
		ret = collect_html_side(&x.tree, &x.old);
	if (ret == 0)
		ret = put_page(&x);
	html_tree_free(&x.tree);
	side_free(&x.now);
	side_free(&x.old);
	string_pool_free(&x.texts);
	return ret;
}
