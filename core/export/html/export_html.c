/*
 * Context: O.  Writes one HTML page for a browser that contains all that it
 * needs, for export_write() and export_write_page(); see export_html.h.
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
#include "html/html_code.h"
#include "html/html_growth.h"
#include "html/html_head.h"
#include "html/html_moments.h"
#include "html/html_page.h"
#include "html/html_samples.h"
#include "diff/diff.h"
#include "report/elapsed_sums.h"
#include "table/disambiguate.h"

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
	const double *work;	/* units that old and now did, or NULL */
	struct common_names common;	/* used if something is compared */
	struct html_tree tree;
	struct string_pool texts;
};

/* Writes file and line of a function, if they are known. */
static int
put_place(struct html *x, const struct html_tree_function *f)
{
	uint32_t file;

	if (f->file == NULL)
		return 0;
	file = string_pool_add(&x->texts, f->file);
	if (file == UINT32_MAX)
		return -ENOMEM;
	fprintf(x->out, ",%" PRIu32 ",%" PRIu32, file, f->line);
	return 0;
}

/*
 * Writes [name, module, kind, file, line] of each function, texts as their
 * numbers.
 */
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
		fprintf(x->out, "%s[%" PRIu32 ",%" PRIu32 ",%u",
		    i != 0 ? "," : "", name, module, (unsigned)f->kind);
		if (put_place(x, f) != 0)
			return -ENOMEM;
		putc(']', x->out);
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

/* Writes the processes and threads to which samples refer. */
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
	for (size_t i = 0; i < t->thread_keys.count; i++) {
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

/*
 * Writes the numbers from which sampling_error_percent() of the page computes
 * the error of a share.  Writes nothing for differences.  weight: that of a
 * sample of CPU time; time asleep has none.
 */
static void
put_error(const struct html *x)
{
	const struct model *m = x->now.model;

	if (!model_has_signs(m))
		fprintf(x->out, "\"error\":{\"sure\":%g,\"clump\":%.9g,"
		    "\"weight\":%.9g},\n", SAMPLING_ERROR_Z, m->clump,
		    m->mean_weight);
}

/* Writes what must be known of the names that both have in common. */
static int
put_common_notes(const struct html *x)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (to == NULL)
		return -ENOMEM;
	diff_names_print(to, &x->common, "", "");
	if (fclose(to) != 0) {
		free(text);
		return -ENOMEM;
	}
	fputs(",\n\"notes\":", x->out);
	json_text(x->out, text);
	free(text);
	return 0;
}

/*
 * Writes the profile that the page compares with, from how many standard
 * deviations on a change is not taken for chance, and the work of both.
 */
static int
put_old_side(const struct html *x)
{
	int ret;

	if (x->old.model == NULL)
		return 0;
	if (put_common_notes(x) != 0)
		return -ENOMEM;
	fprintf(x->out, ",\n\"sure\":%g,\n\"old\":{\"clump\":%.9g,",
	    DIFF_SURE, x->old.model->clump);
	if (html_head_title(x->out, x->old.model) != 0)
		return -ENOMEM;
	html_samples_put(x->out, x->old.model, &x->old.samples);
	fputs(",\n", x->out);
	ret = html_head_put(x->out, x->old.model);
	putc('}', x->out);
	if (x->work != NULL)
		fprintf(x->out, ",\n\"work\":[%.17g,%.17g]", x->work[0],
		    x->work[1]);
	return ret;
}

/* Writes why threads slept, and how long they waited for a processor. */
static int
put_sleep(const struct html *x)
{
	const struct elapsed_waiting w = elapsed_sums_waiting(x->now.model);

	fprintf(x->out, "\"waiting\":{\"ns\":%" PRIu64 ",\"error\":%" PRIu64
	    ",\"least\":%s},\n", w.ns, w.error, w.least ? "true" : "false");
	return html_samples_causes(x->out, x->now.model, &x->now.samples,
	    x->now.numbers);
}

/*
 * Writes the JSON object of one or two profiles.  The head comes last, as it
 * changes a model of allocations.  Returns 0 or -ENOMEM.
 */
static int
put_data(struct html *x)
{
	int ret;

	putc('{', x->out);
	ret = html_head_title(x->out, x->now.model);
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
	if (ret == 0 && x->old.model == NULL && x->now.samples.some_asleep)
		ret = put_sleep(x);
	/* Only a page of one profile has a time line. */
	if (ret == 0 && x->old.model == NULL)
		ret = html_moments_put(x->out, x->now.model, &x->now.samples);
	if (ret == 0)
		ret = html_code_put(x->out, x->now.model, &x->now.samples,
		    x->now.numbers);
	if (ret == 0)
		ret = html_head_put(x->out, x->now.model);
	if (ret == 0)
		ret = put_old_side(x);
	fputs("}\n", x->out);
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

/* Adds the samples of one side to the tree. */
static int
collect_html_side(struct html_tree *t, struct html_side *s)
{
	struct sample_paths in;
	int ret = make_distinct(s->model);

	if (ret != 0)
		return ret;
	ret = sample_paths_open(&in, s->model);
	/* A page of one profile shows either. */
	in.any_time = t->common == NULL;
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

/* Finds the names that two models have in common.  Returns 0 or -ENOMEM. */
static int
find_common_names(struct common_names *c, const struct model *old,
    const struct model *now)
{
	int ret = common_names_add(c, old, COMMON_NAMES_BEFORE);

	if (ret == 0)
		ret = common_names_add(c, now, COMMON_NAMES_NOW);
	if (ret == 0)
		common_names_finish(c);
	return ret;
}

/*
 * Writes the data of one profile, or of two that are compared.  *asleep
 * receives whether they have time asleep.
 */
static int
put_profile(struct model *old, struct model *now, const double *work, FILE *out,
    bool *asleep)
{
	struct html x = {
		.out = out, .now.model = now, .old.model = old, .work = work,
	};
	int ret = html_tree_init(&x.tree, old != NULL ? &x.common : NULL);

	if (ret == 0 && old != NULL)
		ret = find_common_names(&x.common, old, now);
	if (ret == 0)
		ret = collect_html_side(&x.tree, &x.now);
	if (ret == 0 && old != NULL)
		ret = collect_html_side(&x.tree, &x.old);
	*asleep = x.now.samples.some_asleep;
	if (ret == 0)
		ret = put_data(&x);
	html_tree_free(&x.tree);
	common_names_free(&x.common);
	side_free(&x.now);
	side_free(&x.old);
	string_pool_free(&x.texts);
	return ret;
}

int
export_html(struct model *m, FILE *out)
{
	return export_html_diff(NULL, m, NULL, out);
}

int
export_html_diff(struct model *old, struct model *now, const double *work,
    FILE *out)
{
	bool asleep;
	int ret;

	fputs(html_before, out);
	ret = put_profile(old, now, work, out, &asleep);
	fputs(html_after, out);
	return ret;
}

int
export_html_both(struct model *time, struct model *heap, FILE *out)
{
	bool asleep;
	int ret;

	fputs(html_before, out);
	ret = put_profile(NULL, time, NULL, out, &asleep);
	fprintf(out, "</script>\n<script type=\"application/json\" id=\"heap\" "
	    "data-times=\"cpu%s\"", asleep ? " asleep both" : "");
	/* us since 1970, from which the time line counts */
	if (time->moment_count != 0)
		fprintf(out, " data-began=\"%" PRIu64 "\"",
		    time->moments[0].real / 1000);
	fputs(">\n", out);
	if (ret == 0)
		ret = put_profile(NULL, heap, NULL, out, &asleep);
	fputs(html_after, out);
	return ret;
}
