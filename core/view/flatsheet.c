/* Context: O.  The flat profile for programs. */
#include "flatsheet.h"

#include "error.h"
#include "heapcells.h"

#include <inttypes.h>
#include <string.h>

/*
 * Readers find columns by name.  function, module, and samples, seconds,
 * percent and calls, or what was allocated, are always there, empty where a
 * line is not of one; the others only when the lines are grouped by them.
 */
static bool
has(unsigned by, enum group_by what)
{
	return (by & 1u << what) != 0;
}

static void
put_time_head(struct sheet *s)
{
	sheet_column(s, "samples");
	sheet_column(s, "seconds");
	sheet_column(s, "percent");
	sheet_column(s, "calls");
}

static void
put_head(struct sheet *s, unsigned by, bool mode, bool error, bool heap)
{
	sheet_column(s, "function");
	sheet_column(s, "module");
	if (heap)
		heapcells_columns(s);
	else
		put_time_head(s);
	if (has(by, GROUP_PROCESS) || has(by, GROUP_THREAD)) {
		sheet_column(s, "process");
		sheet_column(s, "image");
	}
	if (has(by, GROUP_PROGRAM) || has(by, GROUP_PROCESS))
		sheet_column(s, "program");
	if (has(by, GROUP_THREAD)) {
		sheet_column(s, "thread");
		sheet_column(s, "thread_name");
		sheet_column(s, "cpu_seconds");
	}
	if (has(by, GROUP_FILE) || has(by, GROUP_LINE))
		sheet_column(s, "file");
	if (has(by, GROUP_LINE))
		sheet_column(s, "line");
	if (has(by, GROUP_ADDRESS))
		sheet_column(s, "address");
	if (mode)
		sheet_column(s, "mode");
	if (error)
		sheet_column(s, "percent_error");
}

static void
put_process(struct sheet *s, const struct model *m, const struct group_line *l)
{
	if (l->process == MODEL_NONE) {
		sheet_text(s, NULL);
		sheet_text(s, NULL);
		return;
	}
	sheet_number(s, "%" PRId32, m->processes[l->process].pid);
	sheet_number(s, "%" PRIu32, m->processes[l->process].image);
}

static void
put_program(struct sheet *s, const struct model *m, const struct group_line *l)
{
	sheet_text(s, l->program != NULL ? l->program :
	    l->process != MODEL_NONE ? m->processes[l->process].program :
	    NULL);
}

static void
put_thread(struct sheet *s, const struct model *m, const struct group_line *l)
{
	char name[sizeof(m->threads->thread.name) + 1] = "";
	uint64_t ns;

	if (l->thread == MODEL_NONE) {
		for (unsigned i = 0; i < 3; i++)
			sheet_text(s, NULL);
		return;
	}
	memcpy(name, m->threads[l->thread].thread.name, sizeof(name) - 1);
	sheet_number(s, "%" PRId32, m->threads[l->thread].thread.tid);
	sheet_text(s, name);
	if (l->mode != GROUP_SLEEP &&
	    model_thread_cpu(&m->threads[l->thread], &ns))
		sheet_number(s, "%.9f", (double)ns / 1e9);
	else
		sheet_text(s, NULL);
}

static void
put_address(struct sheet *s, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "%#" PRIx64, address);
	sheet_text(s, address == 0 ? NULL : text);
}

static void
put_numbers(struct sheet *s, const struct model *m, const struct group *g,
    const struct group_line *l)
{
	const double ns = model_time(m, l->ns);
	uint64_t total = l->mode == GROUP_SLEEP ? g->total_sleep : g->total_ns;

	if (model_has_signs(m))
		sheet_number(s, "%" PRId64, (int64_t)l->count);
	else
		sheet_number(s, "%" PRIu64, l->count);
	sheet_number(s, "%.9f", ns / 1e9);
	sheet_number(s, "%.4f", total == 0 ? 0 : ns * 100 / (double)total);
	if (l->calls != 0)
		sheet_number(s, "%" PRIu64, l->calls);
	else
		sheet_text(s, NULL);
}

static void
put_error(struct sheet *s, const struct model *m, const struct group *g,
    const struct group_line *l)
{
	const bool sleep = l->mode == GROUP_SLEEP;
	double percent;

	if (error_of(m, l->ns, l->count, sleep ? g->total_sleep : g->total_ns,
	    sleep, &percent))
		sheet_number(s, "%.4f", percent);
	else
		sheet_text(s, NULL);
}

static void
put_line(struct sheet *s, struct model *m, const struct group *g,
    const struct group_line *l, unsigned by, bool mode)
{
	sheet_text(s, l->function == MODEL_NONE ? NULL :
	    model_function_shown(m, l->function));
	sheet_text(s, l->module == MODEL_NONE ? NULL :
	    model_module_shown(m, l->module));
	if (model_is_heap(m))
		heapcells_sheet(s, m, l);
	else
		put_numbers(s, m, g, l);
	if (has(by, GROUP_PROCESS) || has(by, GROUP_THREAD))
		put_process(s, m, l);
	if (has(by, GROUP_PROGRAM) || has(by, GROUP_PROCESS))
		put_program(s, m, l);
	if (has(by, GROUP_THREAD))
		put_thread(s, m, l);
	if (has(by, GROUP_FILE) || has(by, GROUP_LINE))
		sheet_text(s, l->file == MODEL_NONE ? NULL :
		    m->sources.paths.all[l->file]);
	if (has(by, GROUP_LINE) && l->line != 0)
		sheet_number(s, "%" PRIu32, l->line);
	else if (has(by, GROUP_LINE))
		sheet_text(s, NULL);
	if (has(by, GROUP_ADDRESS))
		put_address(s, l->address);
	if (mode)
		sheet_text(s, !has(by, GROUP_MODE) &&
		    l->mode != GROUP_SLEEP ? "cpu" : group_mode_name(l->mode));
}

void
flatsheet_print(FILE *out, enum sheet_form form, struct model *m,
    const struct group *g, unsigned by, bool error)
{
	bool mode = has(by, GROUP_MODE) || m->wall;
	struct sheet s;

	sheet_init(&s, out, form);
	put_head(&s, by, mode, error, model_is_heap(m));
	for (size_t i = 0; i < g->count; i++) {
		put_line(&s, m, g, &g->lines[i], by, mode);
		if (error)
			put_error(&s, m, g, &g->lines[i]);
	}
	sheet_end(&s);
}
