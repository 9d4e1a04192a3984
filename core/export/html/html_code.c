/*
 * Context: O.  Puts the code of the functions with the most time into a page.
 *
 * Functions are compiled ones, as for --annotate: functions inlined in them are
 * part of them.  The time of an instruction is stored by thread, so that the
 * page can sum up the chosen threads; it is stored by sample if the page knows
 * the times of samples, or has several metrics of them.
 */
#define _GNU_SOURCE		/* qsort_r */
#include "html/html_code.h"

#include "base/compare.h"
#include "base/json.h"
#include "html/html_code_costs.h"
#include "html/html_code_source.h"
#include "html/html_samples.h"
#include "html/varint_column.h"
#include "names/symbolize.h"
#include "table/code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* The state of writing the code. */
struct html_code {
	/* Stream in memory for one function, whose bytes are counted */
	FILE *out;
	const struct model *model;
	const struct html_tree_samples *samples;
	const uint32_t *numbers;
	uint64_t *ns;		/* by function */
	uint32_t *order;	/* functions, the one with most time first */
	uint32_t order_count;
	/* Modules of the functions; a module is read at once */
	struct code_set *modules;
	size_t module_count;
	const struct code **codes;	/* by place in `order` */
	size_t bytes, shown;	/* of all functions written */

	/* The function that is being written: */
	const struct code *code;
	struct html_code_costs costs;
	struct html_code_source source;
};

static int
compare_time(const void *left, const void *right, void *ns)
{
	const uint32_t a = *(const uint32_t *)left;
	const uint32_t b = *(const uint32_t *)right;
	const uint64_t *all = ns;
	const int d = compare_u64(all[b], all[a]);

	return d != 0 ? d : compare_u64(a, b);
}

/*
 * Chooses the functions with the most time, until they have HTML_CODE_PERCENT
 * of it.
 */
static int
choose_code_functions(struct html_code *p)
{
	const struct model *m = p->model;
	uint64_t all, sum = 0;
	uint32_t count = 0;

	p->ns = calloc(m->function_count + 1, sizeof(*p->ns));
	p->order = calloc(m->function_count + 1, sizeof(*p->order));
	if (p->ns == NULL || p->order == NULL)
		return -ENOMEM;
	all = html_samples_functions(m, p->samples, p->ns);
	for (uint32_t i = 0; i < m->function_count; i++)
		if (p->ns[i] != 0 && p->numbers[i] != 0)
			p->order[count++] = i;
	if (count > 1)
		qsort_r(p->order, count, sizeof(*p->order), compare_time,
		    p->ns);
	while (p->order_count < count && p->order_count < HTML_CODE_FUNCTIONS &&
	    (double)sum * 100 < (double)all * HTML_CODE_PERCENT)
		sum += p->ns[p->order[p->order_count++]];
	return 0;
}

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

static void
put_code(struct html_code *p, uint32_t function)
{
	fprintf(p->out, "{\"function\":%" PRIu32 ",\"disassembled\":%s",
	    p->numbers[function] - 1, p->code->disassembled ? "true" : "false");
	put_instructions(p);
	html_code_costs_put(&p->costs, p->model, p->out);
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

static const char *
why_none(const struct html_code *p, uint32_t function)
{
	const struct model_function *f = &p->model->functions[function];
	struct object_ref ref;

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
	fprintf(out, "],\n\"limits\":{\"percent\":%d,\"functions\":%u,"
	    "\"bytes\":%u},\n", HTML_CODE_PERCENT, HTML_CODE_FUNCTIONS,
	    HTML_CODE_BYTES);
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
	int ret = choose_code_functions(&p);

	if (ret == 0)
		ret = read_all(&p);
	if (ret == 0)
		ret = put_all(&p, out);
	for (size_t i = 0; i < p.module_count; i++)
		code_free(&p.modules[i]);
	html_code_costs_free(&p.costs);
	html_code_source_free(&p.source);
	free(p.modules);
	free(p.codes);
	free(p.ns);
	free(p.order);
	return ret;
}
