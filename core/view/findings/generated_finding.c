/*
 * Context: O.  Finds code without names that a compiler made while the program
 * ran, and says which option of the program names it.  findings.c calls
 * finding_add_generated(); see finding_kinds.h.
 */
#include "findings/finding_kinds.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How a program is made to write the names of the code that it generates. */
struct name_option {
	const char *program;	/* beginning of its name */
	const char *option;	/* as in its command line */
	const char *use;	/* how the program is started with it */
};

static const struct name_option name_options[] = {
	{ "node", "--perf-basic-prof", "node --perf-basic-prof" },
	{ "java", "-XX:+DumpPerfMapAtExit",
	    "java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions "
	    "-XX:+DumpPerfMapAtExit (17 and newer)" },
	{ "python", "-X perf", "python3 -X perf (3.12 and newer)" },
	{ "dotnet", "DOTNET_PerfMapEnabled",
	    "DOTNET_PerfMapEnabled=1 in the environment" },
	{ "beam.smp", "+JPperf", "erl +JPperf true" },
	{ "deno", "--perf-basic-prof", "deno --v8-flags=--perf-basic-prof" },
};

static const struct name_option *
find_name_option(const char *program)
{
	for (size_t i = 0; i < sizeof(name_options) / sizeof(name_options[0]);
	    i++)
		if (strncmp(program, name_options[i].program,
		    strlen(name_options[i].program)) == 0)
			return &name_options[i];
	return NULL;
}

/*
 * Returns the sum of the processes that ran the program.  by: time by process.
 */
static struct finding_sum
sum_of_program(const struct model *m, const struct finding_sum *by,
    const char *program)
{
	struct finding_sum s = { 0 };

	for (size_t i = 0; i < m->process_count; i++)
		if (strcmp(m->processes[i].program, program) == 0) {
			s.ns += by[i].ns;
			s.count += by[i].count;
			s.without += by[i].without;
		}
	return s;
}

static void
put_advice(FILE *out, const struct model_process *p)
{
	const struct name_option *o = find_name_option(p->program);

	fputs("generated code of ", out);
	finding_put_name(out, p->program);
	if (o == NULL)
		fputs(", without names: an option of it may write "
		    "/tmp/perf-PID.map, which has them", out);
	else if (strstr(p->command, o->option) != NULL)
		fprintf(out, " that /tmp/perf-%" PRId32 ".map does not name",
		    p->pid);
	else
		fprintf(out, ", without names: %s gives them", o->use);
}

/* Adds a finding for the program of the process with the most such time. */
static int
add_generated_finding(struct finding_list *l, const struct finding_sum *by)
{
	const struct model *m = l->model;
	const struct model_process *most = NULL;
	struct finding_sum sum = { 0 };
	struct finding_text t;

	for (size_t i = 0; i < m->process_count; i++)
		if (most == NULL || by[i].ns > by[most - m->processes].ns)
			most = &m->processes[i];
	if (most != NULL)
		sum = sum_of_program(m, by, most->program);
	if (most == NULL || !finding_is_sure(l, sum))
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	put_advice(t.out, most);
	return finding_add(l, sum, false, &t, "prof takes names from "
	    "/tmp/perf-PID.map, if the user of the process or root owns it "
	    "and it was last written while the process ran, and from a "
	    "jit-PID.dump that the process has mapped");
}

int
finding_add_generated(struct finding_list *l)
{
	const struct model *m = l->model;
	struct finding_sum *by = calloc(m->process_count + 1, sizeof(*by));
	int ret;

	if (by == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->module == MODEL_MODULE_GENERATED &&
		    r->process != MODEL_NONE && r->kind != FORMAT_SLEEP &&
		    !model_is_caller(r->kind) &&
		    !m->functions[r->function].named)
			finding_sum_row(&by[r->process], r);
	}
	ret = add_generated_finding(l, by);
	free(by);
	return ret;
}
