/*
 * Context: O.  Prints the source lines and instructions of functions, with the
 * time of each instruction; see annotate.h.
 */
#include "table/annotate.h"

#include "base/quantity.h"
#include "derive/source_text.h"
#include "table/code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOT	10	/* percent of the function's time that is highlighted */
#define TAB	8	/* columns */

struct cost {
	uint64_t ns, count;
};

struct annotation {
	const struct term *term;
	struct model *model;
	struct code_set codes;
	const struct code *code;	/* of the function in work */
	struct cost *costs;	/* by instruction */
	struct source_text source;
	uint64_t all_ns;	/* time of that function */
	struct quantity unit;
	size_t shown;
};

/*
 * Sums the time of the function by instruction.  Kernel time is put at the
 * instruction of the system call.
 */
static int
sum_instruction_costs(struct annotation *v, uint32_t function)
{
	const struct model *m = v->model;

	v->all_ns = 0;
	v->costs = calloc(v->code->count + 1, sizeof(*v->costs));
	if (v->costs == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		size_t at;

		if (r->function != function || model_is_caller(r->kind) ||
		    !model_is_cpu(r->kind) || r->ns == 0)
			continue;
		at = code_at(v->code, model_lookup_address(r));
		v->costs[at].ns += r->ns;
		v->costs[at].count += r->count;
		v->all_ns += r->ns;
	}
	return 0;
}

/*
 * Reads the code of a function and the time of its instructions.  Returns 0 or
 * -ENOMEM; call free_function_code() in either case.
 */
static int
read_function_code(struct annotation *v, uint32_t function)
{
	int ret = code_read(&v->codes, v->model,
	    v->model->functions[function].module, &function, 1);

	v->code = v->codes.all;
	return ret == 0 && v->code->count != 0 ? sum_instruction_costs(v,
	    function) : ret;
}

static void
free_function_code(struct annotation *v)
{
	free(v->costs);
	v->costs = NULL;
	code_free(&v->codes);
}

/*
 * Prints a source line with tabs expanded as in an editor, so that indentation
 * is kept.
 */
static void
put_expanded_tabs(const struct annotation *v, const char *text)
{
	char room[512];
	size_t used = 0;

	for (; *text != '\0' && *text != '\r' && used < sizeof(room) - TAB - 1;
	    text++)
		if (*text == '\t')
			do
				room[used++] = ' ';
			while (used % TAB != 0);
		else
			room[used++] = *text;
	room[used] = '\0';
	term_text(v->term, room, v->term->width == 0 ? 0 :
	    v->term->width > 60 ? v->term->width - 26 : 40);
}

static void
put_annotated_line(struct annotation *v, const struct code_instruction *i)
{
	const char *text = i->file == NULL ? NULL :
	    source_text_line(&v->source, i->file, i->line);
	const char *slash = i->file == NULL ? NULL : strrchr(i->file, '/');

	if (i->file == NULL)
		return;
	fprintf(v->term->out, "%s%17s%6" PRIu32 "  ", term_on(v->term,
	    TERM_DIM), "", i->line);
	if (text != NULL) {
		put_expanded_tabs(v, text);
	} else {
		fputs("[", v->term->out);
		term_text(v->term, slash != NULL ? slash + 1 : i->file, 0);
		fputs("]", v->term->out);
	}
	fprintf(v->term->out, "%s\n", term_off(v->term));
}

static void
put_instruction_cost(const struct annotation *v, uint64_t ns, double share)
{
	const bool hot = share >= HOT;

	fprintf(v->term->out, "%s%7.1f ", hot ? term_on(v->term, TERM_HOT) :
	    "", share);
	quantity_put(v->term->out, &v->unit, QUANTITY_COLUMNS + 1, ns);
	fputs(hot ? term_off(v->term) : "", v->term->out);
}

static void
put_instruction(const struct annotation *v, const struct code_instruction *i,
    const struct cost *c)
{
	const double share = v->all_ns == 0 ? 0 :
	    (double)c->ns * 100 / (double)v->all_ns;

	if (c->ns == 0)
		fprintf(v->term->out, "%16s", "");
	else
		put_instruction_cost(v, c->ns, share);
	fprintf(v->term->out, " %12" PRIx64 "  ", i->address);
	term_text(v->term, i->text, 0);
	putc('\n', v->term->out);
}

static bool
same_source_line(const struct code_instruction *a,
    const struct code_instruction *b)
{
	return a->line == b->line && (a->file == b->file ||
	    (a->file != NULL && b->file != NULL &&
	    strcmp(a->file, b->file) == 0));
}

static void
put_function_head(struct annotation *v, const struct group *g,
    const struct group_line *l)
{
	const struct code *c = v->code;
	FILE *out = v->term->out;

	fprintf(out, "%s%s", v->shown++ != 0 ? "\n" : "", term_on(v->term,
	    TERM_HEAD));
	term_text(v->term, model_function_name(v->model, l->function), 0);
	fputs(" [", out);
	term_text(v->term, model_module_name(v->model, l->module), 0);
	fputs("]: ", out);
	quantity_put_words(out, &v->unit, l->ns);
	fprintf(out, ", %.1f %% of all%s%s\n", g->total_ns == 0 ? 0 :
	    (double)l->ns * 100 / (double)g->total_ns,
	    model_is_heap(v->model) ? "" : " CPU time", term_off(v->term));
	if (c->count != 0 && c->all[0].file != NULL)
		fprintf(out, "%s\n", c->all[0].file);
	if (c->count != 0 && !c->disassembled)
		fputs("its instructions cannot be decoded here: a line for "
		    "each byte\n",
		    out);
}

static void
put_code_lines(struct annotation *v)
{
	const struct code *c = v->code;

	for (size_t i = 0; i < c->count; i++) {
		if (!c->disassembled && v->costs[i].ns == 0)
			continue;
		if (i == 0 || !same_source_line(&c->all[i - 1], &c->all[i]))
			put_annotated_line(v, &c->all[i]);
		put_instruction(v, &c->all[i], &v->costs[i]);
	}
}

static int
put_annotated_code(struct annotation *v, const struct group *g,
    const struct group_line *l)
{
	int ret = read_function_code(v, l->function);

	if (ret == 0 && v->code->count != 0) {
		put_function_head(v, g, l);
		fprintf(v->term->out, "%s   %%Self %*s Line/Address%s\n",
		    term_on(v->term, TERM_HEAD), QUANTITY_COLUMNS + 1,
		    quantity_head(&v->unit), term_off(v->term));
		put_code_lines(v);
	}
	free_function_code(v);
	return ret;
}

static bool
line_is_function(const struct group_line *l)
{
	return l->mode != GROUP_SLEEP && l->function != MODEL_NONE &&
	    l->ns != 0;
}

int
annotate_print(const struct term *t, struct model *m, const struct group *g)
{
	struct annotation v = { .term = t, .model = m, .unit = quantity_of(m,
	    0) };
	int ret = 0;

	for (size_t i = 0; i < g->count && ret == 0; i++)
		if (line_is_function(&g->lines[i]))
			ret = put_annotated_code(&v, g, &g->lines[i]);
	source_text_free(&v.source);
	return ret != 0 ? ret : v.shown == 0 ? -ENOENT : 0;
}

static void
put_instruction_rows(struct annotation *v, struct data_table *s,
    const struct group_line *l)
{
	for (size_t i = 0; i < v->code->count; i++) {
		const struct code_instruction *own = &v->code->all[i];
		char address[24];

		if (!v->code->disassembled && v->costs[i].ns == 0)
			continue;
		snprintf(address, sizeof(address), "%#" PRIx64, own->address);
		data_table_text(s, model_function_name(v->model, l->function));
		data_table_text(s, model_module_name(v->model, l->module));
		data_table_text(s, address);
		data_table_text(s, own->text);
		data_table_text(s, own->file);
		if (own->line != 0)
			data_table_number(s, "%" PRIu32, own->line);
		else
			data_table_text(s, NULL);
		if (!model_is_heap(v->model))
			data_table_number(s, "%" PRIu64, v->costs[i].count);
		quantity_field(s, &v->unit, v->costs[i].ns);
		v->shown++;
	}
}

int
annotate_data(FILE *out, enum data_table_format form, struct model *m,
    const struct group *g)
{
	static const char *const columns[] = { "function", "module", "address",
	    "instruction", "file", "line" };
	struct annotation v = { .model = m, .unit = quantity_of(m, 0) };
	char room[QUANTITY_NAME_ROOM];
	struct data_table s;
	int ret = 0;

	data_table_init(&s, out, form);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		data_table_column(&s, columns[i]);
	if (!model_is_heap(m))
		data_table_column(&s, "samples");
	data_table_column(&s, quantity_column(&v.unit, "", room));
	for (size_t i = 0; i < g->count && ret == 0; i++) {
		if (!line_is_function(&g->lines[i]))
			continue;
		ret = read_function_code(&v, g->lines[i].function);
		if (ret == 0)
			put_instruction_rows(&v, &s, &g->lines[i]);
		free_function_code(&v);
	}
	data_table_end(&s);
	return ret != 0 ? ret : v.shown == 0 ? -ENOENT : 0;
}
