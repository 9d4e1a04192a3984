/*
 * Context: O.  Keeps the list of findings, and writes the texts in it, for the
 * files *_finding.c and findings.c; see finding.h.
 */
#include "findings/finding.h"

#include "base/name_text.h"
#include "base/sampling_error.h"
#include "base/term.h"

#include <errno.h>
#include <stdlib.h>

double
finding_percent(const struct finding_list *l, uint64_t ns)
{
	return l->total_ns == 0 ? 0 : (double)ns * 100 / (double)l->total_ns;
}

/* Returns the error of a share, in points. */
static double
error_of(const struct finding_list *l, struct finding_sum sum)
{
	double points;

	return sampling_error_percent(l->model, sum.ns - sum.without,
	    sum.count, l->total_ns, false, &points) ? points : 0;
}

bool
finding_is_sure(const struct finding_list *l, struct finding_sum sum)
{
	return finding_percent(l, sum.ns) - error_of(l, sum) >=
	    FINDING_LEAST && (sum.count >= FINDING_SAMPLES ||
	    finding_percent(l, sum.without) >= FINDING_LEAST);
}

int
finding_text_open(struct finding_text *t)
{
	t->what = NULL;
	t->out = open_memstream(&t->what, &t->bytes);
	return t->out != NULL ? 0 : -ENOMEM;
}

int
finding_add(struct finding_list *l, struct finding_sum sum, bool asleep,
    struct finding_text *t, const char *remedy)
{
	const bool whole = fclose(t->out) == 0;

	if (!whole || l->count == FINDING_MOST) {
		free(t->what);
		return whole ? 0 : -ENOMEM;
	}
	l->all[l->count++] = (struct finding) {
		.sum = sum, .percent = finding_percent(l, sum.ns),
		.error = asleep ? 0 : error_of(l, sum), .asleep = asleep,
		.what = t->what, .remedy = remedy,
	};
	return 0;
}

void
finding_put_name(FILE *out, const char *name)
{
	const struct term plain = { .out = out };

	name_text_fit(&plain, name, FINDING_NAME);
}

void
finding_put_function(FILE *out, struct model *m, uint32_t function)
{
	finding_put_name(out, model_function_name(m, function));
}

/*
 * Returns the number of the largest sum that comes behind the last one printed:
 * that is smaller, or as large and of a higher number.
 */
static size_t
next_largest(const struct finding_sum *sums, size_t count, size_t last)
{
	size_t most = count;

	for (size_t i = 0; i < count; i++)
		if (sums[i].ns != 0 && i != last && (last == count ||
		    sums[i].ns < sums[last].ns || (sums[i].ns ==
		    sums[last].ns && i > last)) && (most == count ||
		    sums[i].ns > sums[most].ns))
			most = i;
	return most;
}

void
finding_put_largest(FILE *out, const struct finding_list *l,
    const char *before, uint64_t all_ns, const struct finding_sum *sums,
    size_t count, finding_put *put)
{
	size_t at = count;

	for (unsigned n = 0; n < FINDING_LARGEST; n++) {
		at = next_largest(sums, count, at);
		if (at == count || (sums[at].ns < all_ns - all_ns / 2 &&
		    !finding_is_sure(l, sums[at])))
			return;
		fputs(n != 0 ? ", " : before, out);
		put(out, l->model, (uint32_t)at);
		fprintf(out, " (%.1f %%)", finding_percent(l, sums[at].ns));
	}
}

uint32_t
finding_user_frame(const struct model *m, uint32_t frame)
{
	while (frame != 0 && (m->modules[m->stacks.frames[frame].module].flags &
	    FORMAT_M_KERNEL) != 0)
		frame = m->stacks.frames[frame].caller;
	return frame;
}

void
finding_list_free(struct finding_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->all[i].what);
	l->count = 0;
}
