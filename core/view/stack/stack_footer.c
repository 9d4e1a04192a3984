/*
 * Context: O.  Prints how much of the time has complete call stacks, for
 * footer.c; see stack_footer.h.
 */
#include "stack/stack_footer.h"

#include <stdlib.h>

/* the part of the time, 1/20, from which incomplete stacks are worth a line */
#define CUT_PARTS	20
/* index of complete stacks, after the reasons for cuts */
#define WHOLE	FORMAT_CUTS
#define GUESSED	0x80	/* flag beside these: guessed by frame pointer */

/*
 * Returns for each frame why its stack is cut: its own reason, or that of its
 * callers; WHOLE: it is not cut.  The caller frees the array; NULL if memory is
 * out.
 */
static unsigned char *
find_cuts(const struct stack_frames *s)
{
	unsigned char *cut = calloc(s->count, sizeof(*cut));

	if (cut == NULL)
		return NULL;
	cut[0] = WHOLE;
	for (size_t i = 1; i < s->count; i++) {
		const struct stack_frame *f = &s->frames[i];

		cut[i] = model_is_cut(f->module) ?
		    (unsigned char)(f->module - MODEL_MODULE_CUT) :
		    cut[f->caller] | (f->guessed ? GUESSED : 0);
	}
	return cut;
}

/*
 * Adds the time of rows to ns[], by the cut of their stack, and to *guessed.
 * Returns the sum.
 */
static uint64_t
sum_by_cut(const struct model *m, const unsigned char *cut, uint64_t *ns,
    uint64_t *guessed)
{
	uint64_t all = 0;

	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->kind != FORMAT_USER && r->kind != FORMAT_KERNEL &&
		    r->kind != FORMAT_KFUNC)
			continue;
		ns[cut[r->stack] & ~GUESSED] += r->ns;
		if ((cut[r->stack] & GUESSED) != 0)
			*guessed += r->ns;
		all += r->ns;
	}
	return all;
}

void
stack_footer_print(FILE *out, const struct model *m, bool verbose)
{
	uint64_t ns[WHOLE + 1] = { 0 }, guessed = 0, all;
	unsigned char *cut = m->stacks.count == 0 ? NULL :
	    find_cuts(&m->stacks);

	if (cut == NULL)
		return;
	all = sum_by_cut(m, cut, ns, &guessed);
	free(cut);
	if (all == 0 || (!verbose && all - ns[WHOLE] <= all / CUT_PARTS))
		return;
	fprintf(out, "stacks: %.2f %% of the time in samples has all its "
	    "callers", (double)ns[WHOLE] * 100 / (double)all);
	for (unsigned i = 0; i < WHOLE; i++)
		if (ns[i] != 0)
			fprintf(out, "; %.2f %% %s", (double)ns[i] * 100 /
			    (double)all, m->modules[MODEL_MODULE_CUT + i].name);
	if (guessed != 0)
		fprintf(out, "; %.2f %% goes through code without unwind "
		    "tables, by its frame pointers", (double)guessed * 100 /
		    (double)all);
	putc('\n', out);
}
