/*
 * Context: O.  Chooses the functions whose code is printed, and reads it, for
 * prof --annotate; see annotate.h.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "table/annotate.h"

#include "base/compare.h"
#include "base/name_text.h"
#include "base/plural.h"
#include "names/filter_names.h"
#include "table/annotate_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* The functions that are shown. */
struct annotated {
	struct code_times times;
	uint32_t *functions;	/* hottest first */
	size_t count, hidden;
};

static int
compare_annotated(const void *left, const void *right, void *sums)
{
	const uint32_t i = *(const uint32_t *)left;
	const uint32_t k = *(const uint32_t *)right;
	const struct code_time_function *all = sums;
	int d = compare_u64(all[k].self_ns, all[i].self_ns);

	if (d == 0)
		d = compare_u64(all[k].total_ns, all[i].total_ns);
	return d != 0 ? d : compare_u64(i, k);
}

/* Leaves out functions that are too small or too many. */
static void
limit_annotated(struct annotated *a, const struct annotate_options *o)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct code_time_function *f =
		    &a->times.functions[a->functions[i]];

		if ((o->top != 0 && kept >= o->top) ||
		    (double)f->total_ns * 100 < o->least *
		    (double)a->times.all_ns)
			a->hidden++;
		else
			a->functions[kept++] = a->functions[i];
	}
	a->count = kept;
}

/*
 * Returns whether the filters select a function, whatever its time; sets m->met
 * for modules.
 */
static bool
function_is_wanted(struct model *m, uint32_t function)
{
	const struct model_module *own =
	    &m->modules[m->functions[function].module];

	m->met[FILTER_MODULE] |= filter_match_module(m->filter, own->name,
	    own->path);
	return filter_names_select(m, function);
}

/*
 * Chooses the functions that the filters select and that have time.  Returns 0
 * or -ENOMEM; call free_annotated() in either case.
 */
static int
choose_annotated(struct annotated *a, struct model *m,
    const struct annotate_options *o)
{
	bool *wanted = calloc(m->function_count + 1, sizeof(*wanted));
	int ret;

	*a = (struct annotated) { .count = 0 };
	a->functions = calloc(m->function_count + 1, sizeof(*a->functions));
	if (wanted == NULL || a->functions == NULL) {
		free(wanted);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < m->function_count; i++)
		wanted[i] = function_is_wanted(m, i);
	ret = code_times_make(&a->times, m, wanted);
	for (uint32_t i = 0; i < m->function_count && ret == 0; i++)
		if (wanted[i] && a->times.functions[i].total_ns != 0)
			a->functions[a->count++] = i;
	free(wanted);
	/* The reader also counts rows that a function slept in. */
	m->met[FILTER_FUNCTION] = a->count != 0;
	if (a->count > 1)
		qsort_r(a->functions, a->count, sizeof(*a->functions),
		    compare_annotated, a->times.functions);
	if (ret == 0)
		limit_annotated(a, o);
	return ret;
}

static void
free_annotated(struct annotated *a)
{
	code_times_free(&a->times);
	free(a->functions);
}

/*
 * Sets v->costs to the times of the instructions of *v->code.  A tick at a call
 * and the caller of a tick have different addresses in one instruction.
 */
static int
sum_instruction_times(struct annotation *v)
{
	size_t count, first = code_times_find(v->times, v->function,
	    CODE_TIME_ADDRESS, &count);

	v->costs = calloc(v->code->count + 1, sizeof(*v->costs));
	if (v->costs == NULL)
		return -ENOMEM;
	for (size_t i = first; i < first + count; i++) {
		const struct code_time *t = &v->times->all[i];
		struct code_time *own = &v->costs[code_at(v->code, t->address)];

		if (own->total_ns == 0) {
			*own = *t;
			continue;
		}
		own->self_ns += t->self_ns;
		own->count += t->count;
		own->total_ns += t->total_ns;
	}
	return 0;
}

/*
 * Reads the code of a function, which has none if it was only inlined.  Returns
 * 0 or -ENOMEM; call free_function_code() in either case.
 */
static int
read_function_code(struct annotation *v, struct code_set *codes,
    uint32_t function)
{
	const struct model_function *f = &v->model->functions[function];
	size_t instructions;
	int ret;

	code_times_find(v->times, function, CODE_TIME_ADDRESS, &instructions);
	v->function = function;
	v->function_ns = v->times->functions[function].total_ns;
	ret = code_read(codes, v->model, f->module, &function,
	    instructions != 0);
	v->code = codes->all;
	return ret == 0 ? sum_instruction_times(v) : ret;
}

static void
free_function_code(struct annotation *v, struct code_set *codes)
{
	free(v->costs);
	v->costs = NULL;
	code_free(codes);
}

static double
annotated_percent(const struct annotation *v, uint64_t ns)
{
	return v->times->all_ns == 0 ? 0 : (double)ns * 100 /
	    (double)v->times->all_ns;
}

/* Prints the name of the function in work and its sums. */
static void
put_annotated_head(struct annotation *v)
{
	const struct model_function *f = &v->model->functions[v->function];
	const struct code_time_function *s = &v->times->functions[v->function];
	const char *name = model_function_name(v->model, v->function);
	FILE *out = v->term->out;

	fputs(term_on(v->term, TERM_HEAD), out);
	name_text(v->term, v->model, name != NULL ? name : "?", 0);
	fputs(" [", out);
	term_text(v->term, model_module_name(v->model, f->module), 0);
	fprintf(out, "%s]: ", s->inlined_ns != 0 && s->inlined_ns ==
	    s->self_ns ? ", inlined" : "");
	quantity_put_words(out, &v->unit, s->self_ns);
	fprintf(out, ", %.1f %% of all%s", annotated_percent(v, s->self_ns),
	    model_is_heap(v->model) ? "" : " CPU time");
	if (v->totals) {
		fputs("; with what it called ", out);
		quantity_put_words(out, &v->unit, s->total_ns);
		fprintf(out, ", %.1f %%", annotated_percent(v, s->total_ns));
	}
	fprintf(out, "%s\n", term_off(v->term));
	if (s->inlined_ns != 0 && s->inlined_ns != s->self_ns) {
		quantity_put_words(out, &v->unit, s->inlined_ns);
		fputs(" of it where it was inlined\n", out);
	}
	if (v->code->count != 0 && !v->code->disassembled)
		fputs("its instructions cannot be decoded here: a line for "
		    "each byte\n",
		    out);
}

/* Prints a function.  Sets *shown if there was anything to print. */
static int
put_annotated_code(struct annotation *v, uint32_t function, bool *shown)
{
	struct code_set codes;
	int ret = read_function_code(v, &codes, function);
	bool lines;

	if (ret == 0) {
		lines = annotate_lines_known(v);
		if (lines || v->code->count != 0) {
			if (*shown)
				putc('\n', v->term->out);
			*shown = true;
			put_annotated_head(v);
			annotate_lines_head(v);
		}
		if (lines && !(v->all && v->code->count != 0))
			ret = annotate_lines_by_source(v);
		else if (v->code->count != 0)
			annotate_lines_by_address(v);
	}
	free_function_code(v, &codes);
	return ret;
}

/* Says what the report leaves out. */
static void
put_annotated_rest(const struct annotation *v, const struct annotated *a)
{
	FILE *out = v->term->out;

	putc('\n', out);
	if (!v->totals)
		fputs("no call stacks were recorded: times are without what a "
		    "line called\n", out);
	if (!v->all)
		fprintf(out, "lines and instructions without %s are left out "
		    "(--all-lines shows all)\n", model_is_heap(v->model) ?
		    "allocations" : "time");
	if (a->hidden != 0)
		fprintf(out, "not shown: %zu function%s of that name with less "
		    "time (--top=0 --min=0 shows all)\n", a->hidden,
		    plural_suffix(a->hidden));
}

int
annotate_print(const struct term *t, struct model *m,
    const struct annotate_options *o)
{
	struct annotated a;
	struct annotation v = {
		.term = t, .model = m, .times = &a.times, .all = o->all,
		.unit = quantity_of(m, 0), .totals = m->stacks.count > 1,
	};
	bool shown = false;
	int ret = choose_annotated(&a, m, o);

	for (size_t i = 0; i < a.count && ret == 0; i++)
		ret = put_annotated_code(&v, a.functions[i], &shown);
	if (ret == 0 && shown)
		put_annotated_rest(&v, &a);
	source_text_free(&v.source);
	free_annotated(&a);
	return ret != 0 ? ret : !shown ? -ENOENT : 0;
}

/* Puts the samples and times of a line or instruction. */
static void
put_time_fields(struct data_table *s, const struct annotation *v,
    const struct code_time *t)
{
	if (!model_is_heap(v->model))
		data_table_number(s, "%" PRIu64, t->count);
	quantity_field(s, &v->unit, t->self_ns);
	if (v->totals)
		quantity_field(s, &v->unit, t->total_ns);
	else
		data_table_text(s, NULL);
}

static void
put_place_fields(struct data_table *s, struct annotation *v,
    const char *address, const char *text, const char *file, uint32_t line)
{
	data_table_text(s, model_function_name(v->model, v->function));
	data_table_text(s, model_module_name(v->model,
	    v->model->functions[v->function].module));
	data_table_text(s, address);
	data_table_text(s, text);
	data_table_text(s, file);
	if (line != 0)
		data_table_number(s, "%" PRIu32, line);
	else
		data_table_text(s, NULL);
}

/* Puts the instructions of a function, and the lines where it was inlined. */
static bool
put_code_rows(struct annotation *v, struct data_table *s)
{
	size_t count, first = code_times_find(v->times, v->function,
	    CODE_TIME_INLINED, &count);

	for (size_t i = 0; i < v->code->count; i++) {
		const struct code_instruction *own = &v->code->all[i];
		char address[24];

		if (!v->code->disassembled && v->costs[i].total_ns == 0)
			continue;
		snprintf(address, sizeof(address), "%#" PRIx64, own->address);
		put_place_fields(s, v, address, own->text, own->file,
		    own->line);
		put_time_fields(s, v, &v->costs[i]);
	}
	for (size_t i = first; i < first + count; i++) {
		const struct code_time *t = &v->times->all[i];

		put_place_fields(s, v, NULL, NULL, t->file == MODEL_NONE ?
		    NULL : v->model->sources.paths.all[t->file], t->line);
		put_time_fields(s, v, t);
	}
	return v->code->count != 0 || count != 0;
}

int
annotate_data(FILE *out, enum data_table_format form, struct model *m,
    const struct annotate_options *o)
{
	static const char *const columns[] = { "function", "module", "address",
	    "instruction", "file", "line" };
	struct annotated a;
	struct annotation v = {
		.model = m, .times = &a.times, .unit = quantity_of(m, 0),
		.totals = m->stacks.count > 1,
	};
	char room[QUANTITY_NAME_ROOM], total[QUANTITY_NAME_ROOM];
	struct data_table s;
	bool shown = false;
	int ret = choose_annotated(&a, m, o);

	data_table_init(&s, out, form);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		data_table_column(&s, columns[i]);
	if (!model_is_heap(m))
		data_table_column(&s, "samples");
	data_table_column(&s, quantity_column(&v.unit, "", room));
	data_table_column(&s, quantity_column(&v.unit, "total_", total));
	for (size_t i = 0; i < a.count && ret == 0; i++) {
		struct code_set codes;

		ret = read_function_code(&v, &codes, a.functions[i]);
		if (ret == 0)
			shown |= put_code_rows(&v, &s);
		free_function_code(&v, &codes);
	}
	data_table_end(&s);
	free_annotated(&a);
	return ret != 0 ? ret : !shown ? -ENOENT : 0;
}
