/*
 * Context: O.  Puts the code of the functions with the most time into a page,
 * for export_html.c; see html_code.h.
 *
 * Functions are compiled ones, as for --annotate: functions inlined in them are
 * part of them.  The time of an instruction is stored by thread, so that the
 * page can sum up the chosen threads; it is stored by sample if the page knows
 * the times of samples, or has several metrics of them.
 */
#include "html/html_code.h"

#include "base/json.h"
#include "html/html_code_choice.h"
#include "html/html_code_costs.h"
#include "html/html_code_source.h"
#include "html/html_code_totals.h"
#include "html/varint_column.h"
#include "names/profiler_functions.h"
#include "names/symbolize.h"
#include "table/code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The state of writing the code. */
struct html_code {
	/* Stream in memory for one function, whose bytes are counted */
	FILE *out;
	const struct model *model;
	const struct html_tree_samples *samples;
	const uint32_t *numbers;
	uint32_t *order;	/* functions, see html_code_choice.h */
	uint32_t order_count;
	/* Modules of the functions; a module is read at once */
	struct code_set *modules;
	size_t module_count;
	const struct code **codes;	/* by place in `order` */
	size_t bytes, shown;	/* of all functions written */

	/* The function that is being written: */
	const struct code *code;
	struct html_code_costs costs;
	struct html_code_totals totals;
	struct html_code_source source;
};

/*
 * Reads the code of all chosen functions in the module of function `first`,
 * from there on in `order`.
 */
static int
read_module(struct html_code *p, uint32_t first)
{
	const struct model_function *all = p->model->functions;
	const uint32_t module = all[p->order[first]].module;
	struct code_set *own = &p->modules[p->module_count++];
	uint32_t functions[HTML_CODE_FUNCTIONS], places[HTML_CODE_FUNCTIONS];
	size_t count = 0;
	int ret;

	for (uint32_t i = first; i < p->order_count; i++)
		if (all[p->order[i]].module == module) {
			functions[count] = p->order[i];
			places[count++] = i;
		}
	ret = code_read(own, p->model, module, functions, count);
	for (size_t i = 0; i < count && ret == 0; i++)
		p->codes[places[i]] = &own->all[i];
	return ret;
}

/* Reads the code of all chosen functions, module by module. */
static int
read_all(struct html_code *p)
{
	int ret = 0;

	p->modules = calloc(p->order_count + 1, sizeof(*p->modules));
	p->codes = calloc(p->order_count + 1, sizeof(*p->codes));
	if (p->modules == NULL || p->codes == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->order_count && ret == 0; i++)
		if (p->codes[i] == NULL)
			ret = read_module(p, i);
	return ret;
}

/*
 * Writes the instructions.  An address is written as the difference from the
 * one before it.
 */
static void
put_instructions(const struct html_code *p)
{
	const struct code *own = p->code;
	struct varint_column c;

	varint_column_begin_next(&c, p->out, "address");
	for (size_t i = 0; i < own->count; i++)
		varint_column_put(&c, own->all[i].address -
		    (i == 0 ? 0 : own->all[i - 1].address));
	varint_column_end(&c);
	varint_column_begin_next(&c, p->out, "file");
	for (size_t i = 0; i < own->count; i++)
		varint_column_put(&c, p->source.spots[i].file);
	varint_column_end(&c);
	varint_column_begin_next(&c, p->out, "line");
	for (size_t i = 0; i < own->count; i++)
		varint_column_put(&c, p->source.spots[i].line);
	varint_column_end(&c);
	fputs(",\n\"text\":[", p->out);
	for (size_t i = 0; i < own->count; i++) {
		fputs(i != 0 ? "," : "", p->out);
		json_text(p->out, own->all[i].text);
	}
	putc(']', p->out);
}

/* Writes the members of the function in work to p->out. */
static void
put_code(struct html_code *p, uint32_t function)
{
	fprintf(p->out, "{\"function\":%" PRIu32 ",\"disassembled\":%s",
	    p->numbers[function] - 1, p->code->disassembled ? "true" : "false");
	put_instructions(p);
	html_code_costs_put(&p->costs, p->out);
	html_code_totals_put(&p->totals, p->out);
	html_code_source_put(&p->source, p->out);
	putc('}', p->out);
}

/*
 * Returns the code of a function as JSON, malloced, or NULL if memory is out.
 */
static char *
write_code(struct html_code *p, uint32_t function, size_t *bytes)
{
	char *text = NULL;

	p->out = open_memstream(&text, bytes);
	if (p->out == NULL)
		return NULL;
	put_code(p, function);
	if (fclose(p->out) == 0)
		return text;
	free(text);
	return NULL;
}

/* Returns whether a function stands for all of libmon.so. */
static bool
is_profiler(const struct model *m, const struct model_function *f)
{
	return !f->named && (m->modules[f->module].flags & FORMAT_M_OURS) !=
	    0 && strcmp(f->name, PROFILER_FUNCTIONS_NAME) == 0;
}

/* Returns the reason why a function has no code, for the user. */
static const char *
why_none(const struct html_code *p, uint32_t function)
{
	const struct model_function *f = &p->model->functions[function];
	struct object_ref ref;

	if (is_profiler(p->model, f))
		return "it is the profiler itself; --all-frames has its code";
	if (!symbolize_ref(p->model, f->module, &ref))
		return "the code is in no file";
	if (!object_is_found(p->model->modules[f->module].state))
		return "its program or library is not the file that ran";
	if (!f->named)
		return "it has no symbol, so its end is not known";
	return "its file has no instructions there";
}

/*
 * Writes a function, or sets *why to the reason why it is left out; else *why
 * is NULL.  Returns 0 or -ENOMEM.
 */
static int
put_function(struct html_code *p, FILE *out, uint32_t i, const char **why)
{
	const uint32_t function = p->order[i];
	char *text = NULL;
	size_t bytes = 0;
	int ret;

	p->code = p->codes[i];
	*why = p->code->count == 0 ? why_none(p, function) : NULL;
	if (*why != NULL)
		return 0;
	ret = html_code_costs_collect(&p->costs, p->model, p->samples, p->code,
	    function);
	if (ret == 0)
		ret = html_code_source_find(&p->source, p->code);
	if (ret == 0)
		ret = html_code_totals_find(&p->totals, &p->source, i);
	if (ret != 0)
		return ret;
	text = write_code(p, function, &bytes);
	if (text == NULL)
		return -ENOMEM;
	if (bytes > HTML_CODE_BYTES - p->bytes) {
		*why = "the page has no more room for code";
	} else {
		fprintf(out, "%s%s", p->shown++ != 0 ? ",\n" : "\n", text);
		p->bytes += bytes;
	}
	free(text);
	return 0;
}

/* Writes the functions, those left out with the reason, and the limits. */
static int
put_all(struct html_code *p, FILE *out)
{
	const char **why = calloc(p->order_count + 1, sizeof(*why));
	const char *between = "";
	int ret = why == NULL ? -ENOMEM : 0;

	fputs("\"code\":[", out);
	for (uint32_t i = 0; i < p->order_count && ret == 0; i++)
		ret = put_function(p, out, i, &why[i]);
	fputs("],\n\"without\":[", out);
	for (uint32_t i = 0; i < p->order_count && ret == 0; i++) {
		if (why[i] == NULL)
			continue;
		fprintf(out, "%s[%" PRIu32 ",", between,
		    p->numbers[p->order[i]] - 1);
		json_text(out, why[i]);
		putc(']', out);
		between = ",\n";
	}
	fprintf(out, "],\n\"limits\":{\"percent\":%d,\"total\":%d,"
	    "\"functions\":%u,\"bytes\":%u},\n", HTML_CODE_PERCENT,
	    HTML_CODE_TOTAL_PERCENT, HTML_CODE_FUNCTIONS, HTML_CODE_BYTES);
	free(why);
	return ret;
}

int
html_code_put(FILE *out, const struct model *m,
    const struct html_tree_samples *s, const uint32_t *numbers)
{
	struct html_code p = {
		.model = m, .samples = s, .numbers = numbers,
	};
	int ret = html_code_choose(m, s, numbers, &p.order, &p.order_count);

	if (ret == 0)
		ret = read_all(&p);
	if (ret == 0)
		ret = html_code_totals_collect(&p.totals, m, s, p.order,
		    p.codes, p.order_count);
	if (ret == 0)
		ret = put_all(&p, out);
	for (size_t i = 0; i < p.module_count; i++)
		code_free(&p.modules[i]);
	html_code_costs_free(&p.costs);
	html_code_totals_free(&p.totals);
	html_code_source_free(&p.source);
	free(p.modules);
	free(p.codes);
	free(p.order);
	return ret;
}
