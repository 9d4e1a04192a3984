/*
 * Context: O.  Finds time in Python's interpreter: by function of Python where
 * these have names, else which option gives them.  findings.c calls
 * finding_add_python(); see finding_kinds.h.
 */
#include "findings/finding_kinds.h"
#include "findings/frame_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PYTHON_PERF	12	/* Python 3.12 was the first with -X perf */

/* Returns whether the function runs the code of functions of Python. */
static bool
is_interpreter(const struct model *m, uint32_t function)
{
	return strcmp(m->functions[function].name,
	    "_PyEval_EvalFrameDefault") == 0;
}

/*
 * Returns whether the function is one of Python, to which -X perf has given a
 * name.
 */
static bool
is_python_function(const struct model *m, uint32_t function)
{
	return m->functions[function].module == MODEL_MODULE_PYTHON;
}

/*
 * Returns n of Python 3.n, by the name of the module with the interpreter, as
 * python3.11 or libpython3.11.so.1.0; 0 if that does not say it.
 */
static int
python_minor(const struct model *m)
{
	for (uint32_t i = 0; i < m->function_count; i++) {
		const char *at = is_interpreter(m, i) ? strstr(m->modules[
		    m->functions[i].module].name, "python3.") : NULL;

		if (at != NULL)
			return atoi(at + strlen("python3."));
	}
	return 0;
}

/* Adds the finding of time without names, with the option that gives them. */
static int
add_python_finding(struct finding_list *l, struct finding_sum sum)
{
	const int minor = python_minor(l->model);
	struct finding_text t;

	if (!finding_is_sure(l, sum))
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("called from Python code, without names: ", t.out);
	if (minor != 0 && minor < PYTHON_PERF)
		fprintf(t.out, "Python 3.%d gives none, python3 -X perf of "
		    "3.%d and newer does", minor, PYTHON_PERF);
	else
		fprintf(t.out, "python3 -X perf%s gives them", minor != 0 ?
		    "" : " (3.12 and newer)");
	return finding_add(l, sum, false, &t, minor != 0 &&
	    minor < PYTHON_PERF ? "The lines of the interpreter's own "
	    "functions show what kind of work it does, not for which function "
	    "of Python" : "PYTHONPERFSUPPORT=1 in the environment is the same "
	    "as -X perf.  Without it, the lines of the interpreter's own "
	    "functions show what kind of work it does, not for which function "
	    "of Python");
}

/* Returns whether the row is CPU time in a function. */
static bool
is_counted(const struct model_row *r)
{
	return !model_is_caller(r->kind) && model_is_cpu(r->kind) &&
	    r->function != MODEL_NONE;
}

/* Adds the time of the interpreter, where no function of Python has a name. */
static int
find_unnamed(struct finding_list *l)
{
	const struct model *m = l->model;
	struct finding_sum sum = { 0 };
	uint32_t *found = frame_search_innermost(m, is_interpreter);

	if (found == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (is_counted(r) && (found[r->stack] != 0 ||
		    is_interpreter(m, r->function)))
			finding_sum_row(&sum, r);
	}
	free(found);
	return add_python_finding(l, sum);
}

static int
add_named_finding(struct finding_list *l, struct finding_sum sum,
    const struct finding_sum *by)
{
	struct finding_text t;

	if (!finding_is_sure(l, sum))
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("Python code and what it calls in C", t.out);
	finding_put_largest(t.out, l, ", by function: ", sum.ns, by,
	    l->model->function_count, finding_put_function);
	return finding_add(l, sum, false, &t, "The time of each "
	    "function is its own, without other functions of Python that it "
	    "called.  prof --mine lists all of them, and with these, and prof "
	    "--tree --mine shows who called whom");
}

/* Adds the time of each function of Python, with the C code that it called. */
static int
find_named(struct finding_list *l)
{
	const struct model *m = l->model;
	struct finding_sum sum = { 0 };
	struct finding_sum *by = calloc(m->function_count + 1, sizeof(*by));
	uint32_t *found = frame_search_innermost(m, is_python_function);
	int ret = by == NULL || found == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		const struct model_row *r = &m->rows[i];

		if (!is_counted(r) || found[r->stack] == 0)
			continue;
		finding_sum_row(&sum, r);
		finding_sum_row(&by[m->stacks.frames[found[
		    r->stack]].function], r);
	}
	if (ret == 0)
		ret = add_named_finding(l, sum, by);
	free(found);
	free(by);
	return ret;
}

int
finding_add_python(struct finding_list *l)
{
	const struct model *m = l->model;

	if (m->stacks.count == 0)
		return 0;
	for (uint32_t i = 0; i < m->function_count; i++)
		if (is_python_function(m, i))
			return find_named(l);
	return find_unnamed(l);
}
