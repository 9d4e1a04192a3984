/*
 * Context: O.  Finds the share of time that libraries used for the program, and
 * the functions of the program that take most time with that: the first lines
 * of a table are often all of libraries.  findings.c calls
 * finding_add_program(); see finding_kinds.h.
 */
#include "base/library_code.h"
#include "findings/finding_kinds.h"

#include <errno.h>
#include <stdlib.h>

/* Least part of all time in libraries; below it the table says the same. */
#define LEAST_PART	8

/*
 * Sums of what is charged to a function of the program: all; in libraries, but
 * the kernel and allocation, which have findings of their own; and by function,
 * with the libraries but not the other functions that it called.
 */
struct program_sums {
	struct finding_sum all, libraries;
	struct finding_sum *functions;
	bool *library;		/* by function: library_code_has() */
};

/*
 * Returns whether a function is code of the program: not of a library or the
 * kernel, and no name of time that has no address.
 */
static bool
is_of_program(const struct program_sums *s, const struct model *m,
    uint32_t function)
{
	uint32_t module;

	if (function == MODEL_NONE || s->library[function])
		return false;
	module = m->functions[function].module;
	return model_is_generated(module) || (module >= MODEL_MODULES &&
	    (m->modules[module].flags & FORMAT_M_KERNEL) == 0);
}

/* Adds a row to the function of the program that it is charged to, if any. */
static void
add_program_row(struct program_sums *s, const struct model *m,
    const struct model_row *r)
{
	uint32_t function = r->function, frame;

	if (!is_of_program(s, m, function)) {
		frame = library_code_caller(m, finding_user_frame(m, r->stack));
		if (frame == 0)
			return;
		if (r->kind == FORMAT_USER &&
		    !library_code_allocates(m, function))
			finding_sum_row(&s->libraries, r);
		function = m->stacks.frames[frame].function;
	}
	finding_sum_row(&s->all, r);
	finding_sum_row(&s->functions[function], r);
}

/* Adds the finding if its share is sure.  Returns 0 or -ENOMEM. */
static int
add_program_finding(struct finding_list *l, const struct program_sums *s)
{
	struct finding_text t;

	if (!finding_is_sure(l, s->libraries) ||
	    s->libraries.ns < l->total_ns / LEAST_PART)
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("libraries, without malloc", t.out);
	finding_put_largest(t.out, l, "; the program's functions, with "
	    "what libraries did for each: ", s->all.ns, s->functions,
	    l->model->function_count, finding_put_function);
	return finding_add(l, s->libraries, false, &t,
	    "prof --mine lists all of these functions, prof --mine --lines "
	    "their lines, and prof --annotate=NAME shows the code of one");
}

int
finding_add_program(struct finding_list *l)
{
	const struct model *m = l->model;
	struct program_sums s = {
		.functions = calloc(m->function_count + 1,
		    sizeof(*s.functions)),
		.library = calloc(m->function_count + 1, sizeof(*s.library)),
	};
	int ret = s.functions == NULL || s.library == NULL ? -ENOMEM : 0;

	for (uint32_t i = 0; i < m->function_count && ret == 0; i++)
		s.library[i] = library_code_has(m, i);
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (m->rows[i].ns != 0 && !model_is_caller(m->rows[i].kind) &&
		    model_is_cpu(m->rows[i].kind))
			add_program_row(&s, m, &m->rows[i]);
	if (ret == 0)
		ret = add_program_finding(l, &s);
	free(s.functions);
	free(s.library);
	return ret;
}
