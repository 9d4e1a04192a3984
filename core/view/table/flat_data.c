/*
 * Context: O.  Prints the flat profile as a data table, for prof --csv and
 * --json; see flat_data.h.
 */
#include "table/flat_data.h"

#include "base/sampling_error.h"
#include "heap/heap_columns.h"

#include <inttypes.h>
#include <string.h>

static bool
has_grouping(unsigned by, enum group_by what)
{
	return (by & 1u << what) != 0;
}

static void
declare_time_columns(struct data_table *s)
{
	data_table_column(s, "samples");
	data_table_column(s, "seconds");
	data_table_column(s, "percent");
	data_table_column(s, "calls");
}

/*
 * Adds the columns.  Readers find columns by their names.  The columns function
 * and module, and samples, seconds, percent and calls (or the columns of
 * allocations), always exist, and are empty where a line has no such value; the
 * other columns exist only if lines are grouped by them, but `mode` also with
 * the wall clock, and percent_error if it is asked for.
 */
static void
declare_flat_columns(struct data_table *s, unsigned by, bool mode, bool error,
    bool heap)
{
	data_table_column(s, "function");
	data_table_column(s, "module");
	if (heap)
		heap_columns_declare(s);
	else
		declare_time_columns(s);
	if (has_grouping(by, GROUP_PROCESS) || has_grouping(by, GROUP_THREAD)) {
		data_table_column(s, "process");
		data_table_column(s, "image");
	}
	if (has_grouping(by, GROUP_PROGRAM) || has_grouping(by, GROUP_PROCESS))
		data_table_column(s, "program");
	if (has_grouping(by, GROUP_THREAD)) {
		data_table_column(s, "thread");
		data_table_column(s, "thread_name");
		data_table_column(s, "cpu_seconds");
	}
	if (has_grouping(by, GROUP_FILE) || has_grouping(by, GROUP_LINE))
		data_table_column(s, "file");
	if (has_grouping(by, GROUP_LINE))
		data_table_column(s, "line");
	if (has_grouping(by, GROUP_ADDRESS))
		data_table_column(s, "address");
	if (mode)
		data_table_column(s, "mode");
	if (error)
		data_table_column(s, "percent_error");
}

static void
put_flat_process(struct data_table *s, const struct model *m,
    const struct group_line *l)
{
	if (l->process == MODEL_NONE) {
		data_table_text(s, NULL);
		data_table_text(s, NULL);
		return;
	}
	data_table_number(s, "%" PRId32, m->processes[l->process].pid);
	data_table_number(s, "%" PRIu32, m->processes[l->process].image);
}

static void
put_program_field(struct data_table *s, const struct model *m,
    const struct group_line *l)
{
	data_table_text(s, l->program != NULL ? l->program :
	    l->process != MODEL_NONE ? m->processes[l->process].program :
	    NULL);
}

/* Puts the number, the name and the CPU time of a thread. */
static void
put_flat_thread(struct data_table *s, const struct model *m,
    const struct group_line *l)
{
	char name[sizeof(m->threads->thread.name) + 1] = "";
	uint64_t ns;

	if (l->thread == MODEL_NONE) {
		for (unsigned i = 0; i < 3; i++)
			data_table_text(s, NULL);
		return;
	}
	memcpy(name, m->threads[l->thread].thread.name, sizeof(name) - 1);
	data_table_number(s, "%" PRId32, m->threads[l->thread].thread.tid);
	data_table_text(s, name);
	if (l->mode != GROUP_SLEEP &&
	    model_thread_cpu(&m->threads[l->thread], &ns))
		data_table_number(s, "%.9f", (double)ns / 1e9);
	else
		data_table_text(s, NULL);
}

static void
put_address_field(struct data_table *s, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "%#" PRIx64, address);
	data_table_text(s, address == 0 ? NULL : text);
}

/* Puts samples, seconds, percent and calls. */
static void
put_number_fields(struct data_table *s, const struct model *m,
    const struct group *g, const struct group_line *l)
{
	const double ns = model_signed_time(m, l->ns);
	uint64_t total = l->mode == GROUP_SLEEP ? g->total_sleep : g->total_ns;

	if (model_has_signs(m))
		data_table_number(s, "%" PRId64, (int64_t)l->count);
	else
		data_table_number(s, "%" PRIu64, l->count);
	data_table_number(s, "%.9f", ns / 1e9);
	data_table_number(s, "%.4f", total == 0 ? 0 : ns * 100 / (double)total);
	if (l->calls != 0)
		data_table_number(s, "%" PRIu64, l->calls);
	else
		data_table_text(s, NULL);
}

static void
put_error_field(struct data_table *s, const struct model *m,
    const struct group *g, const struct group_line *l)
{
	const bool sleep = l->mode == GROUP_SLEEP;
	double percent;

	if (sampling_error_percent(m, l->ns, l->count, sleep ? g->total_sleep :
	    g->total_ns, sleep, &percent))
		data_table_number(s, "%.4f", percent);
	else
		data_table_text(s, NULL);
}

/*
 * Puts the fields of a line in the order of declare_flat_columns(), but for the
 * error.
 */
static void
put_flat_row(struct data_table *s, struct model *m, const struct group *g,
    const struct group_line *l, unsigned by, bool mode)
{
	data_table_text(s, l->function == MODEL_NONE ? NULL :
	    model_function_name(m, l->function));
	data_table_text(s, l->module == MODEL_NONE ? NULL :
	    model_module_name(m, l->module));
	if (model_is_heap(m))
		heap_columns_data(s, m, l);
	else
		put_number_fields(s, m, g, l);
	if (has_grouping(by, GROUP_PROCESS) || has_grouping(by, GROUP_THREAD))
		put_flat_process(s, m, l);
	if (has_grouping(by, GROUP_PROGRAM) || has_grouping(by, GROUP_PROCESS))
		put_program_field(s, m, l);
	if (has_grouping(by, GROUP_THREAD))
		put_flat_thread(s, m, l);
	if (has_grouping(by, GROUP_FILE) || has_grouping(by, GROUP_LINE))
		data_table_text(s, l->file == MODEL_NONE ? NULL :
		    m->sources.paths.all[l->file]);
	if (has_grouping(by, GROUP_LINE) && l->line != 0)
		data_table_number(s, "%" PRIu32, l->line);
	else if (has_grouping(by, GROUP_LINE))
		data_table_text(s, NULL);
	if (has_grouping(by, GROUP_ADDRESS))
		put_address_field(s, l->address);
	if (mode)
		data_table_text(s, !has_grouping(by, GROUP_MODE) &&
		    l->mode != GROUP_SLEEP ? "cpu" : group_mode_name(l->mode));
}

void
flat_data_print(FILE *out, enum data_table_format form, struct model *m,
    const struct group *g, unsigned by, bool error)
{
	bool mode = has_grouping(by, GROUP_MODE) || m->wall;
	struct data_table s;

	data_table_init(&s, out, form);
	declare_flat_columns(&s, by, mode, error, model_is_heap(m));
	for (size_t i = 0; i < g->count; i++) {
		put_flat_row(&s, m, g, &g->lines[i], by, mode);
		if (error)
			put_error_field(&s, m, g, &g->lines[i]);
	}
	data_table_end(&s);
}
