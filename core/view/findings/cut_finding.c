/*
 * Context: O.  Finds the share of time whose call stacks end early: why, and in
 * which module.  findings.c calls finding_add_cuts(); see finding_kinds.h.
 */
#include "findings/finding_kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cut_sums {
	struct finding_sum all;
	struct finding_sum why[FORMAT_CUTS];	/* by enum format_cut */
	struct finding_sum *modules;
};

/*
 * Returns for each frame the innermost one from it outwards whose caller is a
 * cut; 0 if there is none.
 */
static uint32_t *
find_last_frames(const struct model *m)
{
	uint32_t *last = calloc(m->stacks.count, sizeof(*last));

	for (uint32_t i = 1; i < m->stacks.count && last != NULL; i++) {
		const uint32_t caller = m->stacks.frames[i].caller;

		last[i] = caller != 0 &&
		    model_is_cut(m->stacks.frames[caller].module) ? i :
		    last[caller];
	}
	return last;
}

/*
 * Adds a row if its stack ends in a cut: to the sum of the cut's reason, and to
 * that of the module of the last frame before the cut.
 */
static void
add_cut_row(const struct model *m, const struct model_row *r,
    const uint32_t *last, struct cut_sums *s)
{
	const struct stack_frame *frames = m->stacks.frames;
	uint32_t module = r->module, cut = r->stack;

	if (cut == 0 || (r->kind != FORMAT_USER && r->kind != FORMAT_KERNEL &&
	    r->kind != FORMAT_KFUNC))
		return;
	if (!model_is_cut(frames[cut].module)) {
		if (last[cut] == 0)
			return;
		module = frames[last[cut]].module;
		cut = frames[last[cut]].caller;
	}
	finding_sum_row(&s->all, r);
	finding_sum_row(&s->why[frames[cut].module - MODEL_MODULE_CUT], r);
	finding_sum_row(&s->modules[module], r);
}

/* Prints the words of a cut's name, without its brackets. */
static void
put_reason(FILE *out, struct model *m, uint32_t why)
{
	static const char before[] = "[no callers: ";
	const char *name = m->modules[MODEL_MODULE_CUT + why].name;

	name += strncmp(name, before, strlen(before)) == 0 ? strlen(before) :
	    1;
	fprintf(out, "%.*s", (int)strcspn(name, "]"), name);
}

static void
put_module(FILE *out, struct model *m, uint32_t module)
{
	finding_put_name(out, model_module_name(m, module));
}

/* Adds the finding if its share is sure.  Returns 0 or -ENOMEM. */
static int
add_cut_finding(struct finding_list *l, const struct cut_sums *s)
{
	struct finding_text t;

	if (!finding_is_sure(l, s->all))
		return 0;
	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("stacks without their outer callers", t.out);
	finding_put_largest(t.out, l, ": ", s->all.ns, s->why, FORMAT_CUTS,
	    put_reason);
	finding_put_largest(t.out, l, "; in ", s->all.ns, s->modules,
	    l->model->module_count, put_module);
	/* The kernel follows frame pointers, also where there are none. */
	if (l->model->sampling_count != 0 &&
	    s->why[FORMAT_CUT_UNMAPPED].ns * 2 > s->all.ns)
		fputs("; tprof monitor --stacks=copy finds those of code "
		    "without frame pointers", t.out);
	return finding_add(l, s->all, false, &t, "These times are in "
	    "the column Self %, and are missing in Total % of the callers that "
	    "are not known.  The lines in brackets say why");
}

int
finding_add_cuts(struct finding_list *l)
{
	const struct model *m = l->model;
	struct cut_sums s = { 0 };
	uint32_t *last;
	int ret = 0;

	if (m->stacks.count == 0)
		return 0;
	last = find_last_frames(m);
	s.modules = calloc(m->module_count, sizeof(*s.modules));
	if (last == NULL || s.modules == NULL)
		ret = -ENOMEM;
	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		add_cut_row(m, &m->rows[i], last, &s);
	if (ret == 0)
		ret = add_cut_finding(l, &s);
	free(s.modules);
	free(last);
	return ret;
}
