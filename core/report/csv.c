/* Context: O.  The flat profile as comma-separated values (RFC 4180). */
#include "csv.h"

#include <inttypes.h>
#include <string.h>

/*
 * Readers find columns by name.  function, module, samples, seconds, percent
 * and calls are always there, empty where a line is not of one; the others only
 * when the lines are grouped by them.  Lines end in \n alone: every reader
 * takes it, and the tools of Unix need it.
 */
void
csv_field(FILE *out, const char *text)
{
	if (text[strcspn(text, ",\"\r\n")] == '\0') {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static bool
has(unsigned by, enum group_by what)
{
	return (by & 1u << what) != 0;
}

static void
csv_head(FILE *out, unsigned by, bool mode)
{
	fputs("function,module,samples,seconds,percent,calls", out);
	if (has(by, GROUP_PROCESS) || has(by, GROUP_THREAD))
		fputs(",process,image", out);
	if (has(by, GROUP_PROGRAM) || has(by, GROUP_PROCESS))
		fputs(",program", out);
	if (has(by, GROUP_THREAD))
		fputs(",thread,thread_name,cpu_seconds", out);
	if (has(by, GROUP_ADDRESS))
		fputs(",address", out);
	if (mode)
		fputs(",mode", out);
	putc('\n', out);
}

static void
csv_process(FILE *out, const struct model *m, const struct group_line *l)
{
	if (l->process == MODEL_NONE)
		fputs(",,", out);
	else
		fprintf(out, ",%" PRId32 ",%" PRIu32,
		    m->processes[l->process].pid,
		    m->processes[l->process].image);
}

static void
csv_program(FILE *out, const struct model *m, const struct group_line *l)
{
	putc(',', out);
	if (l->program != NULL)
		csv_field(out, l->program);
	else if (l->process != MODEL_NONE)
		csv_field(out, m->processes[l->process].program);
}

static void
csv_thread(FILE *out, const struct model *m, const struct group_line *l)
{
	char name[sizeof(m->threads->thread.name) + 1] = "";
	uint64_t ns;

	if (l->thread == MODEL_NONE) {
		fputs(",,,", out);
		return;
	}
	memcpy(name, m->threads[l->thread].thread.name, sizeof(name) - 1);
	fprintf(out, ",%" PRId32 ",", m->threads[l->thread].thread.tid);
	csv_field(out, name);
	putc(',', out);
	if (l->mode != GROUP_SLEEP &&
	    model_thread_cpu(&m->threads[l->thread], &ns))
		fprintf(out, "%.9f", (double)ns / 1e9);
}

static void
csv_line(FILE *out, struct model *m, const struct group *g,
    const struct group_line *l, unsigned by, bool mode)
{
	uint64_t total = l->mode == GROUP_SLEEP ? g->total_sleep : g->total_ns;
	const char *name = l->function == MODEL_NONE ? "" :
	    model_function_shown(m, l->function);

	csv_field(out, name != NULL ? name : "");
	putc(',', out);
	if (l->module != MODEL_NONE)
		csv_field(out, model_module_shown(m, l->module));
	fprintf(out, ",%" PRIu64 ",%.9f,%.4f,", l->count,
	    (double)l->ns / 1e9, total == 0 ? 0 :
	    (double)l->ns * 100 / (double)total);
	if (l->calls != 0)
		fprintf(out, "%" PRIu64, l->calls);
	if (has(by, GROUP_PROCESS) || has(by, GROUP_THREAD))
		csv_process(out, m, l);
	if (has(by, GROUP_PROGRAM) || has(by, GROUP_PROCESS))
		csv_program(out, m, l);
	if (has(by, GROUP_THREAD))
		csv_thread(out, m, l);
	if (has(by, GROUP_ADDRESS) && l->address == 0)
		putc(',', out);
	else if (has(by, GROUP_ADDRESS))
		fprintf(out, ",%#" PRIx64, l->address);
	if (mode)
		fprintf(out, ",%s", !has(by, GROUP_MODE) &&
		    l->mode != GROUP_SLEEP ? "cpu" : group_mode_name(l->mode));
	putc('\n', out);
}

void
csv_print(FILE *out, struct model *m, const struct group *g, unsigned by)
{
	bool mode = has(by, GROUP_MODE) || m->wall;

	csv_head(out, by, mode);
	for (size_t i = 0; i < g->count; i++)
		csv_line(out, m, g, &g->lines[i], by, mode);
}
