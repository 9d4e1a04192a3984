/*
 * Context: O.  Writes the tables of a thread by column, as JSON, for
 * export_firefox.c; see firefox_columns.h.
 */
#include "tools/firefox_columns.h"

#include <inttypes.h>

#define LIBRARY		1	/* a kind of resource */

/* The tables, and the stream that they are written to. */
struct columns {
	FILE *out;
	struct firefox_tables *tables;
	const uint32_t *libs;	/* by module: number in the file's libs, + 1 */
};

/* Writes entry i of a column. */
typedef void put_one(struct columns *x, size_t i);

/* Writes a column of `count` entries, with a comma before it. */
static void
put_column(struct columns *x, const char *name, size_t count, put_one *put)
{
	fprintf(x->out, ",\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			putc(',', x->out);
		put(x, i);
	}
	putc(']', x->out);
}

static void
put_null(struct columns *x, size_t i)
{
	(void)i;
	fputs("null", x->out);
}

static void
put_zero(struct columns *x, size_t i)
{
	(void)i;
	putc('0', x->out);
}

static void
put_false(struct columns *x, size_t i)
{
	(void)i;
	fputs("false", x->out);
}

static void
put_number(struct columns *x, uint32_t n)
{
	fprintf(x->out, "%" PRIu32, n);
}

static void
put_frame_address(struct columns *x, size_t i)
{
	const struct firefox_tables *t = x->tables;
	const struct code_location *s = &t->in->sites.all[t->frames[i].site];

	if (s->module < MODEL_MODULES || s->address == 0)
		fputs("-1", x->out);
	else
		fprintf(x->out, "%" PRIu64, s->address);
}

static void
put_frame_depth(struct columns *x, size_t i)
{
	put_number(x, x->tables->frames[i].depth);
}

static void
put_frame_function(struct columns *x, size_t i)
{
	put_number(x, x->tables->frames[i].function);
}

static void
put_frame_line(struct columns *x, size_t i)
{
	if (x->tables->frames[i].line == 0)
		put_null(x, i);
	else
		put_number(x, x->tables->frames[i].line);
}

static void
put_frames(struct columns *x)
{
	const size_t n = x->tables->frame_count;

	fprintf(x->out, "\"frameTable\":{\"length\":%zu", n);
	put_column(x, "address", n, put_frame_address);
	put_column(x, "inlineDepth", n, put_frame_depth);
	put_column(x, "category", n, put_zero);
	put_column(x, "subcategory", n, put_zero);
	put_column(x, "func", n, put_frame_function);
	put_column(x, "nativeSymbol", n, put_null);
	put_column(x, "innerWindowID", n, put_null);
	put_column(x, "implementation", n, put_null);
	put_column(x, "line", n, put_frame_line);
	put_column(x, "column", n, put_null);
	fputs("},\n", x->out);
}

static void
put_function_name(struct columns *x, size_t i)
{
	const char *name = model_function_name(x->tables->in->model,
	    x->tables->functions[i].function);

	put_number(x, firefox_tables_string(x->tables, name));
}

static void
put_function_file(struct columns *x, size_t i)
{
	struct firefox_tables *t = x->tables;

	if (t->functions[i].file == MODEL_NONE)
		put_null(x, i);
	else
		put_number(x, firefox_tables_string(t,
		    t->in->model->sources.paths.all[t->functions[i].file]));
}

static void
put_function_resource(struct columns *x, size_t i)
{
	if (x->tables->functions[i].resource == UINT32_MAX)
		fputs("-1", x->out);
	else
		put_number(x, x->tables->functions[i].resource);
}

static void
put_functions(struct columns *x)
{
	const size_t n = x->tables->function_keys.count;

	fprintf(x->out, "\"funcTable\":{\"length\":%zu", n);
	put_column(x, "name", n, put_function_name);
	put_column(x, "isJS", n, put_false);
	put_column(x, "relevantForJS", n, put_false);
	put_column(x, "resource", n, put_function_resource);
	put_column(x, "fileName", n, put_function_file);
	put_column(x, "lineNumber", n, put_null);
	put_column(x, "columnNumber", n, put_null);
	fputs("},\n", x->out);
}

static void
put_resource_lib(struct columns *x, size_t i)
{
	const uint32_t lib = x->libs[x->tables->resources.all[i].a];

	if (lib == 0)
		put_null(x, i);
	else
		put_number(x, lib - 1);
}

static void
put_resource_name(struct columns *x, size_t i)
{
	struct firefox_tables *t = x->tables;

	put_number(x, firefox_tables_string(t, model_module_name(t->in->model,
	    (uint32_t)t->resources.all[i].a)));
}

static void
put_resource_type(struct columns *x, size_t i)
{
	(void)i;
	put_number(x, LIBRARY);
}

static void
put_resources(struct columns *x)
{
	const size_t n = x->tables->resources.count;

	fprintf(x->out, "\"resourceTable\":{\"length\":%zu", n);
	put_column(x, "lib", n, put_resource_lib);
	put_column(x, "name", n, put_resource_name);
	put_column(x, "host", n, put_null);
	put_column(x, "type", n, put_resource_type);
	fputs("},\n", x->out);
}

static void
put_stack_prefix(struct columns *x, size_t i)
{
	if (x->tables->stacks[i].prefix == 0)
		put_null(x, i);
	else
		put_number(x, x->tables->stacks[i].prefix - 1);
}

static void
put_stack_frame(struct columns *x, size_t i)
{
	put_number(x, x->tables->stacks[i].frame);
}

static void
put_stacks(struct columns *x)
{
	const size_t n = x->tables->stack_count;

	fprintf(x->out, "\"stackTable\":{\"length\":%zu", n);
	put_column(x, "prefix", n, put_stack_prefix);
	put_column(x, "frame", n, put_stack_frame);
	put_column(x, "category", n, put_zero);
	put_column(x, "subcategory", n, put_zero);
	fputs("},\n", x->out);
}

void
firefox_columns_put(FILE *out, struct firefox_tables *t, const uint32_t *libs)
{
	struct columns x = { out, t, libs };

	put_frames(&x);
	put_functions(&x);
	put_resources(&x);
	put_stacks(&x);
}
