/*
 * Context: O.  Finds the share of functions that allocate and free memory, and
 * who calls them.  findings.c calls finding_add_allocations(); see
 * finding_kinds.h.
 */
#include "base/library_code.h"
#include "findings/caller_sums.h"
#include "findings/finding_kinds.h"

#include <errno.h>

static bool
is_cpu_time(const struct model_row *r)
{
	return r->ns != 0 && !model_is_caller(r->kind) &&
	    model_is_cpu(r->kind);
}

/* Adds the finding if its share is sure.  Returns 0 or -ENOMEM. */
static int
add_alloc_finding(struct finding_list *l, const struct caller_sums *s)
{
	struct finding_text t;

	if (!finding_is_sure(l, s->all))
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("memory allocation (malloc, free)", t.out);
	finding_put_largest(t.out, l, ", called by ", s->all.ns, s->callers,
	    l->model->function_count, finding_put_function);
	return finding_add(l, s->all, false, &t,
	    "prof --tree --focus='/^(malloc|calloc|realloc|free|_int_|operator "
	    "(new|delete))/' shows the whole paths; prof record --heap counts "
	    "blocks, and which of them are freed at once.  Reuse buffers, "
	    "reserve() space before a loop, pass strings and containers by "
	    "reference");
}

int
finding_add_allocations(struct finding_list *l)
{
	struct caller_sums s;
	int ret = caller_sums_make(&s, l->model, library_code_allocates,
	    is_cpu_time);

	if (ret == 0)
		ret = add_alloc_finding(l, &s);
	caller_sums_free(&s);
	return ret;
}
