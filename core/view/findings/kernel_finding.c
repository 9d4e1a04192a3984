/*
 * Context: O.  Finds the share of time in the kernel, by which call, and who
 * called.  findings.c calls finding_add_kernel(); see finding_kinds.h.
 */
#include "findings/finding_kinds.h"
#include "base/library_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sums by function: of libc or the program that called the kernel (calls), and
 * of the program behind that (callers).
 */
struct kernel_sums {
	struct finding_sum all;
	struct finding_sum *calls, *callers;
};

static bool
is_kernel_row(const struct model_row *r)
{
	return r->kind == FORMAT_KERNEL || r->kind == FORMAT_KFUNC ||
	    (r->kind == MODEL_REST && r->module == MODEL_MODULE_KERNEL);
}

/* Adds a row to the sums of its call and of that call's caller. */
static void
add_kernel_row(const struct model *m, const struct model_row *r,
    struct kernel_sums *s)
{
	const uint32_t above = finding_user_frame(m, r->stack);
	uint32_t call = r->function, caller = r->function, frame;

	if (r->kind == FORMAT_KFUNC && above != 0)
		call = caller = m->stacks.frames[above].function;
	finding_sum_row(&s->all, r);
	if (call == MODEL_NONE)
		return;
	finding_sum_row(&s->calls[call], r);
	if (r->kind == MODEL_REST)
		return;
	if (library_code_has(m, caller)) {
		frame = library_code_caller(m, above);
		if (frame == 0)
			return;
		caller = m->stacks.frames[frame].function;
	}
	finding_sum_row(&s->callers[caller], r);
}

static void
put_call(FILE *out, struct model *m, uint32_t function)
{
	if (strcmp(m->functions[function].name, MODEL_KERNEL_REST) == 0)
		fputs("page faults and interrupts", out);
	else
		finding_put_function(out, m, function);
}

/* Adds the finding if its share is sure.  Returns 0 or -ENOMEM. */
static int
add_kernel_finding(struct finding_list *l, const struct kernel_sums *s)
{
	const size_t count = l->model->function_count;
	struct finding_text t;

	if (!finding_is_sure(l, s->all))
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("the kernel", t.out);
	finding_put_largest(t.out, l, ": ", s->all.ns, s->calls, count,
	    put_call);
	finding_put_largest(t.out, l, "; called by ", s->all.ns, s->callers,
	    count, finding_put_function);
	return finding_add(l, s->all, false, &t, "prof --kernel has "
	    "kernel time on lines of its own; prof record "
	    "--set=kernel=detail names the functions of the kernel.  Make "
	    "fewer and larger calls, and reuse memory, mappings and open "
	    "files");
}

int
finding_add_kernel(struct finding_list *l)
{
	const struct model *m = l->model;
	struct kernel_sums s = {
		.calls = calloc(m->function_count + 1, sizeof(*s.calls)),
		.callers = calloc(m->function_count + 1, sizeof(*s.callers)),
	};
	int ret = s.calls == NULL || s.callers == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (is_kernel_row(&m->rows[i]) && m->rows[i].ns != 0)
			add_kernel_row(m, &m->rows[i], &s);
	if (ret == 0)
		ret = add_kernel_finding(l, &s);
	free(s.calls);
	free(s.callers);
	return ret;
}
